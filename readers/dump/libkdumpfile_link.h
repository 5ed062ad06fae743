/* SPDX-License-Identifier: GPL-3.0-or-later */
/* obit's side of the process that reads a dump with libkdumpfile: pages are asked for, deaths told.
 */
#ifndef OBIT_LIBKDUMPFILE_LINK_H
#define OBIT_LIBKDUMPFILE_LINK_H

#include <sys/types.h>

#include "core/base/vec.h"
#include "readers/dump/libkdumpfile_child.h"

#define KD_DEATHS_MAX 32u

/* Pages that were asked for at once. */
struct kd_span {
	uint64_t pa;
	uint32_t n;
};

struct kd_link {
	struct kd_task task;
	pid_t owner; /* who asks; a copy of that process begins anew */
	pid_t pid;   /* 0: it does not run */
	int socket;
	struct kd_span spans[KD_WINDOWS]; /* what the windows hold: the last one of a walk, and the
					     last page that was asked for alone */
	VEC(uint64_t) deadly;             /* pages that the library died of */
	unsigned deaths;
	uint32_t careful; /* so many requests more are for one page each, for it died of many */
};

/* Starts the process, with link->task.fds, .n and .arch set, and has it open the dump. Facts are
 * then in the file *facts, which the caller closes; -1: it wrote none. ERR_CORRUPT: the library
 * died. ERR_INTR. True does not say that the dump is open: the facts do. */
bool kd_open(struct kd_link *link, int *facts, struct err *err) MUST_CHECK;
/* Reads the page at pa, and a few behind it when the one before was read last. Sets *ret to how it
 * went and *bytes to its KD_PAGE bytes, until the next call. ERR_INTR, ERR_IO. */
bool kd_page(struct kd_link *link, uint64_t pa, const struct kd_page **ret, const uint8_t **bytes,
	     struct err *err) MUST_CHECK;
void kd_close(struct kd_link *link);

#endif
