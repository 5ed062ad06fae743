/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the free objects of slabs are as the allocator left them. */
#ifndef OBIT_SLAB_FREE_H
#define OBIT_SLAB_FREE_H

#include "core/linux/memory/slab.h"

struct slab_health {
	size_t slabs, free; /* that were looked at, and the free objects in them */
	size_t patterned;   /* of those, which the kernel filled with its pattern (slub_debug=P) */
	size_t broken;      /* freelists that lead out of their slab, or in a circle */
	struct err first_broken;        /* the first of them */
	size_t written;                 /* patterned objects that somebody wrote to since */
	uint64_t object;                /* the first of them; 0: none */
	uint64_t offset;                /* of the first byte in it that is not the pattern's */
	const struct slab_cache *cache; /* of it */
	bool cut;                       /* there are more slabs than were looked at */
	struct err why;                 /* why one could not be looked at; ERR_OK: all could */
};
/* Looks at the slabs that CPUs allocate from and at those that nodes list as partly free, of every
 * cache, but at most `limit` slabs of each cache's node. Full slabs have no free objects, and so
 * nothing to look at. False: there are no caches to look at. */
bool slab_health(struct target *t, size_t limit, struct slab_health *ret,
		 struct err *err) MUST_CHECK;

#endif
