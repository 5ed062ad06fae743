/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the hash maps: every key is found again, no other is, and growing loses nothing. */
#include "core/base/map.h"
#include "core/base/test.h"

#define KEYS 20000u

/* Keys as targets have them: page-aligned, so all low bits are the same. */
static uint64_t key_of(uint64_t i)
{
	return 0xffff888000000000 + i * 4096;
}

TEST(numbers)
{
	struct map m = { 0 };
	bool isnew, good = true;

	CHECK(map_get(&m, 0) == NULL);
	for (uint64_t i = 0; i < KEYS; i++) {
		uint64_t *v = map_put(&m, key_of(i), &isnew);

		good = good && isnew && *v == 0;
		*v = i;
	}
	CHECK_U64(m.n, KEYS);
	for (uint64_t i = 0; i < KEYS; i++) {
		uint64_t *v = map_get(&m, key_of(i));

		good = good && v && *v == i && !map_get(&m, key_of(i) + 8);
	}
	CHECK(good);
	*map_put(&m, key_of(5), &isnew) = 77;
	CHECK(!isnew);
	CHECK_U64(*map_get(&m, key_of(5)), 77);
	CHECK_U64(m.n, KEYS);
	map_release(&m);
	CHECK(map_get(&m, key_of(5)) == NULL);
	map_release(&m);
}

TEST(zero_and_all_ones_are_keys_like_others)
{
	struct map m = { 0 };

	*map_put(&m, 0, NULL) = 1;
	*map_put(&m, UINT64_MAX, NULL) = 2;
	CHECK_U64(*map_get(&m, 0), 1);
	CHECK_U64(*map_get(&m, UINT64_MAX), 2);
	CHECK(map_get(&m, 1) == NULL);
	map_release(&m);
}

TEST(names)
{
	static char names[KEYS][12];
	struct strmap m = { 0 };
	bool isnew, good = true;

	CHECK(strmap_get(&m, "panic") == NULL);
	for (unsigned i = 0; i < KEYS; i++) {
		snprintf(names[i], sizeof(names[i]), "sym%u", i);
		*strmap_put(&m, names[i], &isnew) = i;
		good = good && isnew;
	}
	for (unsigned i = 0; i < KEYS; i++) {
		char again[12];
		uint64_t *v;

		snprintf(again, sizeof(again), "sym%u", i);
		v = strmap_get(&m, again);
		good = good && v && *v == i;
	}
	CHECK(good);
	CHECK_U64(m.n, KEYS);
	CHECK(strmap_get(&m, "sym") == NULL);
	CHECK(strmap_get(&m, "") == NULL);
	*strmap_put(&m, "", NULL) = 9;
	CHECK_U64(*strmap_get(&m, ""), 9);
	strmap_release(&m);
}

TEST(reserve_makes_room_and_keeps)
{
	struct strmap m = { 0 };
	size_t cap;

	*strmap_put(&m, "panic", NULL) = 4;
	strmap_reserve(&m, 150000);
	cap = m.cap;
	CHECK(cap > 150000);
	CHECK_U64(*strmap_get(&m, "panic"), 4);
	strmap_reserve(&m, 10);
	CHECK_U64(m.cap, cap);
	strmap_release(&m);
}

TEST_MAIN
