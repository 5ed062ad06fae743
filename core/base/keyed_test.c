/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests what is put in order around look-ups against all of it sorted by qsort(). */
#include <stdlib.h>
#include <string.h>

#include "core/base/keyed.h"
#include "core/base/test.h"

#define ITEMS 3000u

static struct arena a;

/* Items 7, 14, 21 ... do not count. */
struct items {
	uint64_t key[ITEMS];
	unsigned asked; /* how many keys were asked for */
	size_t n;
	struct sort_item sorted[ITEMS];
};

static bool key_of(const void *self, uint32_t i, uint64_t *ret)
{
	struct items *all = (struct items *)self;

	all->asked++;
	*ret = all->key[i];
	return !i || i % 7;
}

static int compare(const void *left, const void *right)
{
	const struct sort_item *x = left, *y = right;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->i < y->i ? -1 : 1;
}

static uint64_t chance(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return *state >> 20;
}

/* Of `n` items with keys from lo on, spread over `width`, or mostly in a small part of it. */
static void items_make(struct items *all, struct keyed *o, size_t n, uint64_t lo, uint64_t width,
		       bool lumpy, uint64_t seed)
{
	memset(all, 0, sizeof(*all));
	for (size_t i = 0; i < n; i++) {
		all->key[i] = lo + chance(&seed) % width;
		if (lumpy && i % 10)
			all->key[i] = lo + width / 2 + chance(&seed) % (width / 1000 + 1);
		if (!i || i % 7)
			all->sorted[all->n++] = (struct sort_item){ all->key[i], (uint32_t)i };
	}
	qsort(all->sorted, all->n, sizeof(all->sorted[0]), compare);
	*o = (struct keyed){ .key = key_of, .self = all };
	keyed_init(o, &a, n, lo, lo + width - 1);
	for (size_t i = n; i-- > 0;)
		CHECK(keyed_add(o, (uint32_t)i, all->key[i]));
}

static size_t upto(const struct items *all, uint64_t key)
{
	size_t n = 0;

	while (n < all->n && all->sorted[n].key <= key)
		n++;
	return n;
}

/* Is `at` the k-th of all? */
static bool is_item(const struct items *all, struct keyed *o, struct keyed_at at, size_t k)
{
	struct sort_item item = keyed_item(o, at);

	return k < all->n && item.key == all->sorted[k].key && item.i == all->sorted[k].i;
}

static void look_up(const struct items *all, struct keyed *o, uint64_t key)
{
	size_t n = upto(all, key);
	struct keyed_at at, behind;

	CHECK(keyed_last(o, key, &at) == (n > 0));
	CHECK(keyed_behind(o, key, &behind) == (n < all->n));
	if (n) {
		CHECK(is_item(all, o, at, n - 1));
		CHECK(keyed_next(o, &at) == (n < all->n));
		CHECK(is_item(all, o, at, n < all->n ? n : n - 1));
	}
	if (n < all->n) {
		CHECK(is_item(all, o, behind, n));
		CHECK(keyed_prev(o, &behind) == (n > 0));
		CHECK(is_item(all, o, behind, n ? n - 1 : n));
	}
}

TEST(around_each_key_all_is_as_if_it_were_sorted)
{
	static const struct {
		size_t n;
		uint64_t lo, width;
		bool lumpy;
	} v[] = {
		{ ITEMS, UINT64_C(0xffffffff81000000), 40 << 20, false },
		{ ITEMS, UINT64_C(0xffffffff81000000), 40 << 20, true },
		{ ITEMS, 0, 100, false }, /* thirty of each key */
		{ ITEMS, 0, UINT64_MAX, true },
		{ ITEMS, UINT64_MAX - 9999, 10000, false },
		{ 3, 5, 1000, false },
		{ 1, 7, 1, false },
	};
	static struct items all;
	struct keyed_at at;
	struct keyed o;

	for (size_t k = 0; k < sizeof(v) / sizeof(v[0]); k++) {
		uint64_t seed = k;

		items_make(&all, &o, v[k].n, v[k].lo, v[k].width, v[k].lumpy, k);
		look_up(&all, &o, v[k].lo + v[k].width / 2);
		look_up(&all, &o, 0);
		CHECK(keyed_first(&o, &at) && is_item(&all, &o, at, 0));
		look_up(&all, &o, UINT64_MAX);
		for (size_t i = 0; i < v[k].n; i += 3) {
			look_up(&all, &o, all.key[i]);
			look_up(&all, &o, all.key[i] - 1);
			look_up(&all, &o, v[k].lo + chance(&seed) % v[k].width);
		}
		arena_release(&a);
	}
}

TEST(what_nobody_looks_at_is_not_asked_for)
{
	static struct items all;
	struct keyed o;

	items_make(&all, &o, ITEMS, 0, 1 << 20, false, 1);
	look_up(&all, &o, 1 << 19);
	CHECK(all.asked && all.asked < ITEMS / 10);
	arena_release(&a);
}

TEST(a_key_out_of_range_is_not_taken_and_nothing_is_found_in_nothing)
{
	struct keyed none = { 0 }, o = { .key = key_of };
	struct keyed_at at;

	CHECK(!keyed_last(&none, 5, &at) && !keyed_behind(&none, 5, &at));
	CHECK(!keyed_first(&none, &at));
	keyed_init(&o, &a, 0, 10, 20);
	CHECK(!keyed_add(&o, 0, 9) && !keyed_add(&o, 0, 21));
	CHECK(!keyed_last(&o, 15, &at) && !keyed_behind(&o, 15, &at) && !keyed_behind(&o, 5, &at));
	arena_release(&a);
}

/* The last of equal keys is put first. */
static void turn(const void *self, struct sort_item *v, size_t n)
{
	(void)self;
	for (size_t i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && v[j].key == v[i].key; j++)
			;
		for (size_t from = i, to = j - 1; from < to; from++, to--) {
			struct sort_item swap = v[from];

			v[from] = v[to];
			v[to] = swap;
		}
	}
}

TEST(items_of_one_key_are_all_handed_over_at_once)
{
	static struct items all;
	struct keyed o;
	struct keyed_at at;

	items_make(&all, &o, 300, 0, 30, false, 1);
	o.tidy = turn;
	for (uint64_t key = 0; key < 30; key++) {
		size_t n = upto(&all, key), first = key ? upto(&all, key - 1) : 0;

		if (n == first)
			continue;
		CHECK(keyed_last(&o, key, &at));
		CHECK_U64(keyed_item(&o, at).i, all.sorted[first].i);
	}
	arena_release(&a);
}

TEST_MAIN
