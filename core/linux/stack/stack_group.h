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
	uint64_t addr;      /* where it begins; without a name the address itself */
	uint64_t pc;        /* the first address in it that was met, to look up a line by */
};

/* Tasks whose stacks have the same functions and ended in the same way. */
struct stack_group {
	const struct stack_func **funcs; /* the newest first, without what ran after a death */
	size_t n;
	VEC(const struct task *) tasks;
	bool complete;
	struct err end;             /* why the stack of its first task ended early */
	const struct task *longest; /* the task that waited longest; NULL: not known */
	uint64_t last_run;          /* when that task last ran, by the scheduler's clock */
	uint64_t wait_ns;           /* how long before the crash; stack_groups_sort() sets it */
	bool panic;                 /* it has the task that panicked */
};

struct stack_groups {
	struct target *t;
	bool by_place; /* stacks are the same only if they are at the same places of functions */
	const struct task *panic; /* NULL: none or unknown */
	uint64_t clock;           /* the latest of the runqueues' */
	struct frame frames[FRAMES_MAX];
	struct map funcs; /* pc -> struct stack_func * */
	struct map keys;  /* -> number of the first group of this key + 1 */
	VEC(struct stack_group *) all;
};

/* What the groups consist of lives in the target's scratch arena, and until stack_groups_release().
 */
void stack_groups_init(struct stack_groups *g, struct target *t);
void stack_groups_add(struct stack_groups *g, const struct task *task);
/* The same of n tasks, by several processes. ERR_INTR. */
bool stack_groups_add_all(struct stack_groups *g, const struct task *const *tasks, size_t n,
			  struct err *err) MUST_CHECK;
/* Sorts the groups by how many tasks they have; those that cannot be unwound to their end come
 * behind the others, and the one with the task that panicked is last. */
void stack_groups_sort(struct stack_groups *g);
void stack_groups_release(struct stack_groups *g);

#endif
