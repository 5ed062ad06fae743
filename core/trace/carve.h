/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carving: sub-buffers found by their shape, where no list leads to them. */
#ifndef OBIT_TRACE_CARVE_H
#define OBIT_TRACE_CARVE_H

#include "core/trace/trace.h"

#define CARVE_PAGE 4096u
/* Pages kept, and bytes of those that must be copied. */
#define CARVE_PAGES_MAX 1000000u
#define CARVE_COPY_MAX ((uint64_t)1 << 30)

struct carved {
	uint64_t at; /* physical address, or offset in the file */
	const uint8_t *p;
	uint64_t first, last; /* times of its first and last event */
	unsigned events;
	int cpu; /* of the listed page with the same bytes; -1: no recording has it */
	const struct trace_buffer *buffer; /* that has it; NULL: none */
};

struct carve {
	const struct carved *v; /* by time of their first event */
	size_t n;
	uint64_t searched; /* bytes */
	uint64_t absent;   /* bytes that could not be read */
	uint64_t left_out; /* pages beyond the limits */
	uint64_t copies;   /* pages that are a second time what another is; they are left out */
	uint64_t listed;   /* pages that a recording has, too: their CPU is known */
	bool known_types;  /* types were checked against formats */
};

/* The dump's physical memory, or a file's bytes where `file` is not NULL. Pages of at least
 * min_events, whose events end exactly where the page says. What was found becomes a recording of
 * the target, marked TRACE_CARVED, unless nothing was. Where a recording of the target
 * (the dump's lists, a file) has the same page, its CPU is that one's. Of others it is not known;
 * those that overlap in time are taken to be of different CPUs. ERR_NEED without memory, ERR_INTR.
 */
bool trace_carve(struct target *t, const struct span *file, const char *path, unsigned min_events,
		 struct carve *ret, struct err *err) MUST_CHECK;

#endif
