/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How an edge of the graph is known. */
#include "core/linux/wait/wait.h"

const char *wait_proof_name(enum wait_proof by)
{
	static const char *const names[] = { NULL,   "owner-word", "ring",     "blocked-on",
					     "rule", "hint",       "candidate" };

	return names[by];
}

bool wait_is_proven(enum wait_proof by)
{
	return by >= WAIT_BY_OWNER_WORD && by <= WAIT_BY_RULE;
}
