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
	/* Where a person has it begin: at this code, with this stack pointer. sp alone is where a
	 * return address lies; pc alone is in the place of what the task's registers say. */
	bool has_pc, has_sp;
	uint64_t pc, sp;
};

/* Unwinds a task's stack. Never fails: ret->end says why a stack is short. A task whose address is
 * 0 stands for the registers of its CPU alone. */
void task_backtrace(struct target *t, const struct task *task, const struct walk_style *style,
		    struct unwind_result *ret);
/* Sets *ret to tasks of address 0 for the CPUs that the dump has notes of: for those that died, or
 * for every one when `all` is set or nobody can tell which died; in the scratch arena. ERR_NEED:
 * there are no notes. */
bool tasks_of_notes(struct target *t, bool all, const struct task **ret, size_t *n,
		    struct err *err) MUST_CHECK;
/* Does a stack refer to a function or an address? It does when the function `name` has a frame on
 * it; and, unless addr is NULL, when *addr is the first instruction of a function that has one, the
 * pc of a frame, or a word of the stack. */
bool stack_refers(struct target *t, const struct unwind_result *u, const char *name,
		  const uint64_t *addr);

#endif
