/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carving: sub-buffers found by their shape, where no list leads to them. */
#ifndef OBIT_TRACE_CARVE_H
#define OBIT_TRACE_CARVE_H

#include "core/trace/trace.h"

#define CARVE_PAGE 4096u
/* Limits of how many pages are kept, and of the bytes of those that must be copied. */
#define CARVE_PAGES_MAX 1000000u
#define CARVE_COPY_MAX ((uint64_t)1 << 30)

struct carved {
	uint64_t at; /* physical address, or offset in the file */
	const uint8_t *p;
	uint64_t first, last; /* times of its first and last event */
	unsigned events;
	/* the CPU and the buffer that have the same page in their list; -1 and NULL: none has */
	int cpu;
	const struct trace_buffer *buffer;
};

struct carve {
	const struct carved *v; /* by time of their first event */
	size_t n;
	uint64_t searched; /* bytes */
	uint64_t absent;   /* bytes that could not be read */
	uint64_t left_out; /* pages beyond the limits */
	uint64_t copies;   /* pages that are copies of others, which are left out */
	uint64_t listed;   /* pages that a recording has, too, so that their CPU is known */
	bool known_types;  /* the numbers of events were compared with known formats */
};

/* Searches the dump's physical memory, or the bytes of *file when file is not NULL, for pages of a
 * ring buffer that have at least min_events events, which end exactly where the page says. They
 * become a recording of the target, whose events are marked TRACE_CARVED. When a recording of the
 * target has the same page, the page is of that CPU. Of other pages the CPU is not known, and those
 * that overlap in time are taken to be of different CPUs. ERR_NEED: there is no memory. ERR_INTR.
 */
bool trace_carve(struct target *t, const struct span *file, const char *path, unsigned min_events,
		 struct carve *ret, struct err *err) MUST_CHECK;

#endif
