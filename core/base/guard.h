/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walk limits: every loop over the target's pointers runs under a guard, for dumps are corrupt by
 * profession. */
#ifndef OBIT_GUARD_H
#define OBIT_GUARD_H

#include <signal.h>
#include <stdint.h>

#include "core/base/err.h"

/* Set by the SIGINT handler, cleared before each command line. */
extern volatile sig_atomic_t interrupted;

/* False, with ERR_INTR, once Ctrl-C was pressed. For long loops that follow no pointers, and so
 * have no guard. */
bool interrupt_check(struct err *err) MUST_CHECK;

struct guard {
	const char *what;      /* for messages: "task list" */
	uint64_t steps, limit; /* limit: ERR_LIMIT after that many steps */
	uint64_t mark, power;  /* Brent's cycle check */
};

#define GUARD_DEFAULT 10000000u

/* Begins a walk of at most `limit` steps; 0 stands for GUARD_DEFAULT. `what` names the walk in
 * messages, and must live as long as the guard. */
void guard_init(struct guard *g, const char *what, uint64_t limit);
/* Called for each step of the walk, with the address that it goes to. False: ERR_LIMIT after too
 * many steps, ERR_INTR after Ctrl-C, ERR_CORRUPT when the walk came back to where it had
 * been. */
bool guard_step(struct guard *g, uint64_t addr, struct err *err) MUST_CHECK;

/* Depth limit for recursion over types, DWARF and expressions. */
#define DEPTH_MAX 64

#endif
