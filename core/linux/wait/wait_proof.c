/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How an edge of the graph is known, and who it leads to. */
#include "core/linux/wait/wait.h"

const char *wait_proof_name(enum wait_proof by)
{
	static const char *const names[] = { NULL,         "owner-word", "ring",
					     "blocked-on", "waiter",     "lockdep",
					     "rule",       "hint",       "candidate" };

	return names[by];
}

bool wait_is_held_by(const struct wait_object *o, const struct task *task)
{
	bool is = o->holder == task;

	for (size_t i = 0; !is && i < o->n_others; i++)
		is = o->others[i] == task;
	return is;
}

bool wait_is_proven(enum wait_proof by)
{
	return by >= WAIT_BY_OWNER_WORD && by <= WAIT_BY_RULE;
}
