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

/* Sets ERR_INTR and returns false once Ctrl-C was pressed; for loops that follow no pointers. */
bool interrupt_check(struct err *err) MUST_CHECK;

struct guard {
	const char *what;      /* for messages: "task list" */
	uint64_t steps, limit; /* limit: ERR_LIMIT after that many steps */
	uint64_t mark, power;  /* Brent's cycle check */
};

#define GUARD_DEFAULT 10000000u

/* limit 0: GUARD_DEFAULT. */
void guard_init(struct guard *g, const char *what, uint64_t limit);
/* One step to addr. False: ERR_LIMIT, ERR_INTR, or ERR_CORRUPT when the walk came back on itself.
 */
bool guard_step(struct guard *g, uint64_t addr, struct err *err) MUST_CHECK;

/* Depth limit for recursion over types, DWARF and expressions. */
#define DEPTH_MAX 64

#endif
