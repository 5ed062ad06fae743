/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process for a library that may die of its input: silent, with limits, and gone when obit is. */
#ifndef OBIT_CHILD_H
#define OBIT_CHILD_H

#include <stddef.h>
#include <sys/types.h>

#include "core/base/err.h"

struct child_limits {
	uint64_t memory; /* bytes of address space above what obit has */
	unsigned cpu;    /* seconds of a CPU */
	uint64_t file;   /* bytes of each file that it writes */
};

/* Runs work(arg) in a process of its own, whose exit status is what that returns; what it prints
 * goes nowhere. *ret is its id, to hand to child_wait() or child_kill() once. ERR_IO. */
bool child_start(const struct child_limits *limits, int (*work)(void *arg), void *arg, pid_t *ret,
		 struct err *err) MUST_CHECK;
/* Waits until it ends, and sets *status as waitpid() does. False: Ctrl-C, which ended it, or
 * ERR_IO. */
bool child_wait(pid_t pid, int *status, struct err *err) MUST_CHECK;
/* Ends it, if it did not end by itself, and returns its status as waitpid() has it. */
int child_kill(pid_t pid);

#endif
