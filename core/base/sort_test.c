/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the radix sort, against libc's. */
#include <stdlib.h>
#include <string.h>

#include "core/base/sort.h"
#include "core/base/test.h"

#define MANY 40000 /* long enough for the wider digits too */

static int by_key_then_place(const void *a, const void *b)
{
	const struct sort_item *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->i < y->i ? -1 : x->i > y->i;
}

/* libc's sort says what is right: a stable order is the one by key, then by place. */
static bool agrees(uint64_t (*key)(size_t i), size_t n)
{
	static struct sort_item v[2 * MANY], want[MANY];

	for (size_t i = 0; i < n; i++)
		v[i] = want[i] = (struct sort_item){ .key = key(i), .i = (uint32_t)i };
	qsort(want, n, sizeof(*want), by_key_then_place);
	sort_items(v, n);
	for (size_t i = 0; i < n; i++)
		if (v[i].key != want[i].key || v[i].i != want[i].i)
			return false;
	return true;
}

static uint64_t scattered(size_t i)
{
	return (i * UINT64_C(0x9e3779b97f4a7c15)) ^ i << 40;
}
static uint64_t text(size_t i)
{
	return UINT64_C(0xffffffff81000000) + scattered(i) % 0x2000000;
}
static uint64_t few(size_t i)
{
	return scattered(i) >> 61;
}
static uint64_t pairs(size_t i)
{
	return (i * 5 + 3) % 7 / 2;
}
static uint64_t same(size_t i)
{
	(void)i;
	return UINT64_MAX;
}
static uint64_t rising(size_t i)
{
	return i * 7;
}
static uint64_t falling(size_t i)
{
	return UINT64_MAX - i;
}

TEST(keys_of_every_spread)
{
	CHECK(agrees(scattered, MANY));
	CHECK(agrees(text, MANY));
	CHECK(agrees(few, MANY));
	CHECK(agrees(same, MANY));
	CHECK(agrees(scattered, 1));
	CHECK(agrees(scattered, 0));
}

TEST(a_few_keys)
{
	for (size_t n = 0; n <= 40; n++)
		CHECK(agrees(scattered, n) && agrees(pairs, n) && agrees(falling, n));
}

TEST(in_order_and_in_reverse)
{
	CHECK(agrees(rising, MANY));
	CHECK(agrees(falling, MANY));
}

TEST_MAIN
