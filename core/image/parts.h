/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A question about a target in parts, which several processes do. */
#ifndef OBIT_PARTS_H
#define OBIT_PARTS_H

#include "core/base/buf.h"
#include "core/base/process/workers.h"
#include "core/image/target.h"

/* As struct workers has it. What a part makes the target warn of, the target of who asked warns of;
 * nothing else of the target reaches it. The line of progress says how many parts are done. */
struct parts {
	struct target *t;
	const char *what; /* is done, for progress; NULL: as before */
	size_t n;
	bool alone; /* this process does all of them */
	bool (*work)(struct parts *p, size_t i, void *arg, struct err *err);
	/* NULL: nothing is sent */
	bool (*take)(size_t i, const void *message, size_t n, void *arg);
	/* Appends what is to be said of a part whose process died: "tasks 1 to 16 are missing". */
	void (*name)(struct buf *b, size_t i, void *arg);
	/* The rest may be NULL. Is told that in place of the target, which warns of it otherwise.
	 */
	void (*lost)(const struct err *why, void *arg);
	bool (*ready)(void *arg);
	void (*begin)(struct parts *p, void *arg);
	void *arg;

	/* private */
	struct worker *worker;
	struct buf message;
	size_t warned; /* warnings of the target that were sent, or are of before */
};

/* Does all parts. False: one failed, or, ERR_INTR, Ctrl-C. */
bool parts_run(struct parts *p, struct err *err) MUST_CHECK;
/* As worker_send() and worker_is_here(). */
bool parts_send(struct parts *p, const void *message, size_t n);
bool parts_here(const struct parts *p);

#endif
