/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits of the whole machine that programs run into: how much of each is used. */
#ifndef OBIT_LIMITS_H
#define OBIT_LIMITS_H

#include "core/image/target.h"

enum limit {
	LIMIT_PIDS,    /* numbers of tasks, of the first namespace: kernel.pid_max */
	LIMIT_THREADS, /* tasks: kernel.threads-max */
	LIMIT_FILES,   /* open files: fs.file-max */
	LIMITS
};
struct limit_use {
	enum limit limit;
	const char *what;    /* "task numbers" */
	const char *setting; /* the sysctl that sets it: "kernel.pid_max" */
	uint64_t used, most;
	/* no more is to be had when only so many are left: 0, but for numbers of tasks */
	uint64_t reserve;
	struct err why; /* why they are not known; ERR_OK: they are */
};
/* Reads all of them. Those that cannot be read say why. */
void limits_read(struct target *t, struct limit_use ret[LIMITS]);

#endif
