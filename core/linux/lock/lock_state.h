/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a lock in words, whether or not anybody waits for it. */
#ifndef OBIT_LOCK_STATE_H
#define OBIT_LOCK_STATE_H

#include "core/linux/wait/wait.h"

/* A lock. Strings live in the scratch arena or longer. */
struct wait_state {
	const char *type;  /* "mutex", "rwsem", "spinlock", ... */
	const char *name;  /* the variable or object that it is in, and the member; NULL: unknown */
	const char *how;   /* what says that it is one: "type", "waiters" */
	const char *state; /* in words; NULL: nothing is known */
	const struct task *holder;
	enum wait_proof holder_by;
	bool counted;   /* n is known */
	size_t n;       /* how many wait: in its list, or spinning */
	struct err why; /* why its list could not be read to its end; ERR_OK: it was */
};

/* Tells what kind of lock is at an address, by the type of what lies there or by those that wait
 * for it, and its state. False: neither says that there is a lock. */
bool wait_state_at(struct wait_graph *g, uint64_t addr, struct wait_state *ret);

#endif
