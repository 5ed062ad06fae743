/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacks: what ran only because the kernel died, and what function_graph saw on them. */
#ifndef OBIT_STACK_H
#define OBIT_STACK_H

#include "core/image/target.h"

struct stack_range;
/* Told of one stack; false: enough. */
typedef bool stack_fn(const struct stack_range *r, void *arg);
/* Calls fn for each stack that a CPU has of its own, for interrupts and exceptions, until fn
 * returns false: then it returns false, too. */
bool cpu_stacks(struct target *t, unsigned cpu, stack_fn *fn, void *arg);

struct unwind_result;
/* How many frames at the top of a stack ran only because the kernel was dying: those above panic(),
 * or above the entry of the exception that killed it. 0: no frame tells of a death. */
size_t stack_death(struct target *t, const struct unwind_result *u);

/* A function that function_graph saw entered and not left, from the task's ret_stack. */
struct open_function {
	uint64_t func, ret; /* its first instruction, and the address that it will return to */
	uint64_t slot;      /* where on the stack its return address stood; 0: not known */
	uint64_t since;     /* when it was entered, by the trace's local clock; 0: not recorded */
};
/* Fills ret with the open functions of a task, the newest first and at most max, and returns how
 * many there are. *err says why there are no more; its code is ERR_OK when these are all. */
size_t fgraph_open(struct target *t, uint64_t task, struct open_function *ret, size_t max,
		   struct err *err);

#endif
