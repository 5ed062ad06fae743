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
	/* pages: all from the first to the last, those that exist, those that the allocator
	 * manages, those that are free */
	uint64_t spanned, present, managed, free;
	uint64_t min, low, high; /* watermarks, in pages, with what fragmentation added */
	unsigned orders;
	uint64_t areas[ZONE_ORDERS_MAX]; /* free runs of 2^order pages */
};
/* Calls fn for every zone of every node, empty ones too, until fn returns false. flaw() is told
 * which cannot be read; when flaw is NULL, such a zone ends the walk. */
bool zones_each(struct target *t, bool (*fn)(const struct zone *zone, void *arg),
		void (*flaw)(const struct err *e, void *arg), void *arg,
		struct err *err) MUST_CHECK;

/* A line of /proc/meminfo. */
struct meminfo {
	const char *name; /* as there: "MemFree" */
	uint64_t kb;      /* kB; of one that is counted: how many */
	bool counted;     /* HugePages_Total and the like */
};
#define MEMINFO_MAX 64u
/* Fills ret with the lines whose numbers the kernel keeps in counters, and returns how many there
 * are; lines of which this kernel keeps no counter are left out. *err is that of the first counter
 * that cannot be read. */
size_t meminfo_read(struct target *t, struct meminfo ret[MEMINFO_MAX], struct err *err);

#endif
