/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work in parts, which several processes do at once, and whose results come in the order of the
 * parts. */
#ifndef OBIT_WORKERS_H
#define OBIT_WORKERS_H

#include <stddef.h>

#include "core/base/err.h"

/* Who does a part: a process that was forked for it, or the one that asked. */
struct worker;

/*
 * Each process is a copy of the one that asked, made when it had loaded what the first parts need,
 * and does every so many'th part. What it changes stays its own; what it sends reaches the one that
 * asked, which is handed it in the order of the parts, whatever was done first. So the result is
 * the same for any number of processes. A process that runs ahead waits until it is heard, so that
 * memory does not grow with the number of parts. A part whose process dies is lost, and the rest of
 * its parts are done by a new one. Ctrl-C ends all of them.
 */
struct workers {
	size_t n; /* parts, numbered from 0 */
	/* Processes: 1 is this one alone, more begin after the first part. 0: as many as there are
	 * CPUs to run on, which begin once this one has worked for WORKERS_ALONE_NS: what takes no
	 * longer is not worth a fork. */
	unsigned jobs;
	/* Does a part. False: *err stops all parts behind it. */
	bool (*work)(struct worker *w, size_t part, void *arg, struct err *err);
	/* In the process that asked: takes the n bytes that a part sent, which are its own until it
	 * returns. False: nobody wants more. NULL: nothing is sent. */
	bool (*take)(size_t part, const void *message, size_t n, void *arg);
	/* The same, of a part whose process died: *why says how. What it sent last is lost, too. */
	void (*lost)(size_t part, const struct err *why, void *arg);
	/* The rest may be NULL. May other processes begin now, behind the first part? */
	bool (*ready)(void *arg);
	/* Called in each process when it begins, but not in the one that asked. */
	void (*begin)(struct worker *w, void *arg);
	/* Called in the process that asked, behind all that a part sent. */
	void (*done)(size_t part, void *arg);
	void *arg;
};
#define WORKERS_ALONE_NS UINT64_C(15000000)
#define WORKERS_MAX 1024u
/* The longest message. */
#define WORKER_MESSAGE_MAX ((size_t)64 << 20)

/* Does all parts. False: a part failed, or, ERR_INTR, Ctrl-C. */
bool workers_run(struct workers *all, struct err *err) MUST_CHECK;
/* Sends n bytes to the process that asked. False: nobody wants more, and the part may end. */
bool worker_send(struct worker *w, const void *message, size_t n);
/* Is this the process that asked? */
bool worker_is_here(const struct worker *w);
/* How many CPUs there are to run on, at least 1. */
unsigned cpus_usable(void);

#endif
