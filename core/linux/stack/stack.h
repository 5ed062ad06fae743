/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacks: what ran only because the kernel died, and what function_graph saw on them. */
#ifndef OBIT_STACK_H
#define OBIT_STACK_H

#include "core/image/target.h"

struct unwind_result;
/* Frames at the top that ran only because the kernel was dying: those above panic(), or above the
 * entry of the exception that killed it. 0 where nothing tells of a death. */
size_t stack_death(struct target *t, const struct unwind_result *u);

/* A function that function_graph saw entered and not left, from the task's ret_stack. */
struct open_function {
	uint64_t func, ret; /* entry, and where it returns to */
	uint64_t slot;      /* where its return address was on the stack; 0 unknown */
	uint64_t since;     /* when it was entered, by the trace's local clock; 0 not recorded */
};
/* Newest first, at most max; err->code says why there are no more, ERR_OK when these are all. */
size_t fgraph_open(struct target *t, uint64_t task, struct open_function *ret, size_t max,
		   struct err *err);

#endif
