/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls: their names and arguments as the kernel has them, and those that tasks are in. */
#ifndef OBIT_SYSCALL_H
#define OBIT_SYSCALL_H

#include "core/image/target.h"
#include "core/linux/task/task.h"

#define SYSCALL_ARGS_MAX 6u

/* What the kernel knows of a system call: its struct syscall_metadata (CONFIG_FTRACE_SYSCALLS).
 * Strings are in the target's arena. */
struct syscall_info {
	const char *name; /* "sys_openat" */
	unsigned n_args;
	const char *types[SYSCALL_ARGS_MAX], *args[SYSCALL_ARGS_MAX]; /* NULL: cannot be read */
};
/* What is known of the native call of this number; NULL: nothing is. */
const struct syscall_info *syscall_find(struct target *t, uint64_t nr);
/* The name of that call alone. */
const char *syscall_name(struct target *t, uint64_t nr);

/* ---- syscall_table.c */
/* Calls fn for every native call, by number, with the address of the function that serves it, until
 * fn returns false. */
bool syscall_table(struct target *t, bool (*fn)(uint64_t nr, uint64_t function, void *arg),
		   void *arg, struct err *err) MUST_CHECK;

struct syscall_now {
	int64_t nr;
	bool compat; /* a 32-bit program made it on a 64-bit kernel: its number is not a native one
		      */
	uint64_t args[SYSCALL_ARGS_MAX];
	const struct syscall_info *info; /* NULL: its name is not known */
};
/* Sets *ret to the system call that a task is in, by the program's registers, which its kernel
 * stack begins with. ERR_NOTFOUND: it is in none. */
bool syscall_current(struct target *t, const struct task *task, struct syscall_now *ret,
		     struct err *err) MUST_CHECK;

/* Sets *ret to the preempt_count of a CPU; on machines that keep it for each task, to that of the
 * task on the CPU. It has 8 bits for preemption, 8 for softirqs, 4 for interrupts and 4 for NMIs
 * (include/linux/preempt.h). */
bool cpu_preempt_count(struct target *t, unsigned cpu, const struct task *task, uint32_t *ret,
		       struct err *err) MUST_CHECK;

#endif
