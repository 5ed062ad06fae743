/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A task's backtrace from wherever its registers are, and what refers to what on it. */
#ifndef OBIT_STACK_WALK_H
#define OBIT_STACK_WALK_H

#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/unwind/unwind.h"

struct walk_style {
	bool scan, registers; /* as in struct unwind_start */
	uint64_t max;         /* frames; 0: FRAMES_MAX */
};

/* Never fails: ret->end says why it is short. A task of address 0 is only its CPU's registers. */
void task_backtrace(struct target *t, const struct task *task, const struct walk_style *style,
		    struct unwind_result *ret);
/* Tasks of address 0 for the CPUs in the dump's notes: those that died, or where none can be told
 * to have, or when all, every one; in the scratch arena. ERR_NEED: there are no notes. */
bool tasks_of_notes(struct target *t, bool all, const struct task **ret, size_t *n,
		    struct err *err) MUST_CHECK;
/* Is a function of this name, or around this address (may be NULL), on the stack, or the address in
 * its words? */
bool stack_refers(struct target *t, const struct unwind_result *u, const char *name,
		  const uint64_t *addr);

#endif
