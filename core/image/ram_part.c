/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cuts the regions of physical memory into parts. */
#include "core/image/ram_part.h"

#include <string.h>

#define PAGE 4096u
/* No machine has more; a damaged header may say so of each of thousands of regions. */
#define PART_MAX ((uint64_t)1 << 60)

/* What of a region lies between the two addresses, from the begin of a page on. False: nothing. */
static bool clip(const struct ram_region *r, uint64_t first, uint64_t last, struct ram_part *ret)
{
	ret->first = (r->first > first ? r->first : first) & ~(uint64_t)(PAGE - 1);
	ret->last = r->last < last ? r->last : last;
	return r->first <= last && r->last >= first && ret->first <= ret->last;
}

static uint64_t part_size(const struct target *t, uint64_t first, uint64_t last)
{
	uint64_t all = 0, size = RAM_PART_SIZE;
	struct ram_part p;

	for (size_t i = 0; i < t->ram.n; i++)
		if (clip(&t->ram.p[i], first, last, &p))
			all += all < PART_MAX ? (p.last - p.first) / RAM_PARTS : 0;
	while (size < all && size < PART_MAX)
		size *= 2;
	return size;
}

const struct ram_part *ram_parts(const struct target *t, uint64_t first, uint64_t last,
				 struct arena *a, size_t *n)
{
	uint64_t size = part_size(t, first, last);
	VEC(struct ram_part) v = { 0 };
	struct ram_part *ret, p;

	for (size_t i = 0; i < t->ram.n; i++) {
		if (!clip(&t->ram.p[i], first, last, &p))
			continue;
		for (uint64_t at = p.first;; at = (at | (size - 1)) + 1) {
			uint64_t end = at | (size - 1);

			*vec_push(&v) = (struct ram_part){ at, end < p.last ? end : p.last };
			if (end >= p.last)
				break;
		}
	}
	ret = ARENA_ARRAY(a, struct ram_part, v.n + 1);
	if (v.n)
		memcpy(ret, v.p, v.n * sizeof(*ret));
	*n = v.n;
	vec_release(&v);
	return ret;
}
