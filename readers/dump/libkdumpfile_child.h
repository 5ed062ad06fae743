/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The process that reads a dump with libkdumpfile. */
#ifndef OBIT_LIBKDUMPFILE_CHILD_H
#define OBIT_LIBKDUMPFILE_CHILD_H

#include "readers/dump/libkdumpfile_wire.h"

#define KD_FILES_MAX 64u

struct kd_task {
	int fds[KD_FILES_MAX]; /* of the dump's files */
	unsigned n;
	const char *arch; /* as the library calls it, if the dump does not say; NULL: unknown */
	uint32_t block;   /* of a compressed dump; 0: unknown */
	int facts;        /* a file for what is learnt of the dump; -1: it is known */
	int socket;       /* for requests */
	struct kd_window *windows;
};

/* Opens the dump, writes its facts, and answers requests until nobody makes them any more. For
 * child_start(), with a struct kd_task. */
int kd_serve(void *task);

#endif
