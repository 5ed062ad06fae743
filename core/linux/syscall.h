/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls: their names and arguments as the kernel has them, and those that tasks are in. */
#ifndef OBIT_SYSCALL_H
#define OBIT_SYSCALL_H

#include "core/linux/linux.h"

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

#endif
