/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page allocator: nodes, zones, free areas, and the counters behind /proc/meminfo. */
#ifndef OBIT_ZONE_H
#define OBIT_ZONE_H

#include "core/image/target.h"

#define ZONE_ORDERS_MAX 24u

struct zone {
	uint64_t addr; /* struct zone */
	unsigned node, index;
	const char *name; /* in the scratch arena */
	uint64_t start;   /* its first page's number */
	/* pages: from first to last, those that exist, those the allocator manages, the free */
	uint64_t spanned, present, managed, free;
	uint64_t min, low, high; /* watermarks, in pages */
	unsigned orders;
	uint64_t areas[ZONE_ORDERS_MAX]; /* free runs of 2^order pages */
};
/* Every zone of every node, empty ones too. fn returns false to stop. One that cannot be read is
 * told to flaw, which may be NULL: then it ends the walk. */
bool zones_each(struct target *t, bool (*fn)(const struct zone *zone, void *arg),
		void (*flaw)(const struct err *e, void *arg), void *arg,
		struct err *err) MUST_CHECK;

/* A line of /proc/meminfo. */
struct meminfo {
	const char *name; /* as there: "MemFree" */
	uint64_t kb;
};
#define MEMINFO_MAX 32u
/* Those that counters tell; what this kernel does not count is left out. Returns how many. The
 * error is of the first that cannot be read. */
size_t meminfo_read(struct target *t, struct meminfo ret[MEMINFO_MAX], struct err *err);

#endif
