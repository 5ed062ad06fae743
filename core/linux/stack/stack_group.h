/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many tasks' stacks, the same ones together. */
#ifndef OBIT_STACK_GROUP_H
#define OBIT_STACK_GROUP_H

#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/unwind/unwind.h"

/* A function on stacks, looked up once however often it is met. */
struct stack_func {
	const char *name;   /* NULL: none is known at this address */
	const char *module; /* NULL: the kernel */
	uint64_t addr;      /* its start, or the address itself */
	uint64_t pc;        /* where in it, to look up its line; of the first that was met there */
};

/* Tasks whose stacks have the same functions and ended in the same way. */
struct stack_group {
	const struct stack_func **funcs; /* the newest first, without what ran after a death */
	size_t n;
	VEC(const struct task *) tasks;
	bool complete;
	struct err end;             /* why it ended early, that of its first task */
	const struct task *longest; /* waited longest; NULL unknown */
	uint64_t last_run;          /* when that was, by the scheduler's clock */
	uint64_t wait_ns;           /* how long before the crash; set by stack_groups_sort() */
	bool panic;                 /* that of the task that panicked */
};

struct stack_groups {
	struct target *t;
	bool by_place; /* stacks are the same only where they are at the same places of functions */
	const struct task *panic; /* NULL: none or unknown */
	uint64_t clock;           /* the latest of the runqueues' */
	struct frame frames[FRAMES_MAX];
	struct map funcs; /* pc -> struct stack_func * */
	struct map keys;  /* -> number of the first group of this key + 1 */
	VEC(struct stack_group *) all;
};

/* Everything lives in the target's scratch arena, or until stack_groups_release(). */
void stack_groups_init(struct stack_groups *g, struct target *t);
void stack_groups_add(struct stack_groups *g, const struct task *task);
/* By count, then what cannot be unwound to its end, the panic's last. */
void stack_groups_sort(struct stack_groups *g);
void stack_groups_release(struct stack_groups *g);

#endif
