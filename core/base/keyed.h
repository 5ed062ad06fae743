/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Items by their keys, such as symbols by address, put in order only around where somebody looks:
 * that costs a fraction of sorting a hundred thousand of them. */
#ifndef OBIT_KEYED_H
#define OBIT_KEYED_H

#include "core/base/arena.h"
#include "core/base/sort.h"

/* A stretch of keys and what lies in it. */
struct keyed_part {
	struct sort_item *v; /* in order, once it was looked at */
	uint32_t n;
	bool settled;
};

struct keyed {
	/* The owner's. The key of item i, the one it was added with; false: it does not count after
	 * all, which is asked only of items near to what is looked up. */
	bool (*key)(const void *self, uint32_t i, uint64_t *ret);
	/* Called once for items that lie next to each other, all of one part of the keys, with
	 * those of equal keys as they were added: it may change the order of these. May be NULL. */
	void (*tidy)(const void *self, struct sort_item *v, size_t n);
	const void *self;

	/* private to keyed.c */
	struct arena *arena;
	uint64_t lo, hi;
	unsigned shift;
	size_t n_parts;
	uint32_t *heads, *chain; /* of each part the first item, of each item the next; + 1 */
	struct keyed_part *parts;
};

/* An item's place. */
struct keyed_at {
	size_t part, i;
};

/* Begins with no items; their numbers will be below n, and their keys from lo to hi. All that it
 * needs, now and later, it takes of the arena. */
void keyed_init(struct keyed *o, struct arena *a, size_t n, uint64_t lo, uint64_t hi);
/* Adds an item; false: its key is none of those. Those of equal keys stand in reverse of the order
 * in which they are added. None is added after the first look-up. */
bool keyed_add(struct keyed *o, uint32_t i, uint64_t key);
/* The last item whose key is at most `key`, and the first whose key is above it. False: there is
 * none. */
bool keyed_last(struct keyed *o, uint64_t key, struct keyed_at *ret);
bool keyed_behind(struct keyed *o, uint64_t key, struct keyed_at *ret);
/* The first item of all. False: there is none. */
bool keyed_first(struct keyed *o, struct keyed_at *ret);
/* Moves to the item before or behind. False: there is none, and *at is as it was. */
bool keyed_prev(struct keyed *o, struct keyed_at *at);
bool keyed_next(struct keyed *o, struct keyed_at *at);
struct sort_item keyed_item(const struct keyed *o, struct keyed_at at);

#endif
