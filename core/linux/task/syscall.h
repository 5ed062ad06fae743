/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls: their names and arguments as the kernel has them, and those that tasks are in. */
#ifndef OBIT_SYSCALL_H
#define OBIT_SYSCALL_H

#include "core/image/target.h"
#include "core/linux/task/task.h"

#define SYSCALL_ARGS_MAX 6u

/* From struct syscall_metadata (CONFIG_FTRACE_SYSCALLS), in the target's arena. */
struct syscall_info {
	const char *name; /* "sys_openat" */
	unsigned n_args;
	const char *types[SYSCALL_ARGS_MAX], *args[SYSCALL_ARGS_MAX]; /* NULL: cannot be read */
};
/* By the number of the kernel's native calls; NULL: unknown. */
const struct syscall_info *syscall_find(struct target *t, uint64_t nr);
/* Its name alone. */
const char *syscall_name(struct target *t, uint64_t nr);

/* ---- syscall_table.c */
/* Every native call by number, with the address of the function that serves it. fn returns false to
 * stop. */
bool syscall_table(struct target *t, bool (*fn)(uint64_t nr, uint64_t function, void *arg),
		   void *arg, struct err *err) MUST_CHECK;

struct syscall_now {
	int64_t nr;
	bool compat; /* of a program for the 32-bit sibling; its numbers are others */
	uint64_t args[SYSCALL_ARGS_MAX];
	const struct syscall_info *info; /* NULL: its name is not known */
};
/* The one that a task is in, from the user's registers that its kernel stack begins with.
 * ERR_NOTFOUND: it is in none. */
bool syscall_current(struct target *t, const struct task *task, struct syscall_now *ret,
		     struct err *err) MUST_CHECK;

/* A CPU's preempt_count, or that of the task on it. include/linux/preempt.h: 8 bits of preemption,
 * 8 of softirqs, 4 of interrupts, 4 of NMIs. */
bool cpu_preempt_count(struct target *t, unsigned cpu, const struct task *task, uint32_t *ret,
		       struct err *err) MUST_CHECK;

#endif
