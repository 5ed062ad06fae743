/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of arenas: zeroed, aligned, limited by what the caller states, reusable after a reset. */
#include "core/base/arena.h"
#include "core/base/test.h"
#include "core/base/vec.h"

static bool zeroed(const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i])
			return false;
	return true;
}

TEST(memory_is_zeroed_and_aligned)
{
	struct arena a = { 0 };
	bool good = true;

	for (int round = 0; round < 3; round++) {
		for (size_t n = 0; n < 3000; n += 7) {
			unsigned char *p = arena_alloc(&a, n);

			good = good && (uintptr_t)p % _Alignof(max_align_t) == 0 && zeroed(p, n);
			memset(p, 0xa5, n); /* dirt for the next round */
		}
		arena_reset(&a);
	}
	CHECK(good);
	arena_release(&a);
	CHECK_U64(a.total, 0);
}

TEST(pieces_do_not_overlap)
{
	struct arena a = { 0 };
	unsigned char *p[200];
	bool good = true;

	for (size_t i = 0; i < ARRAY_SIZE(p); i++) {
		/* sizes around a block's, so that own blocks and shared ones come in turn */
		size_t n = i % 10 == 9 ? 100000 : 300 + i;

		p[i] = arena_alloc(&a, n);
		memset(p[i], (int)i, n);
	}
	for (size_t i = 0; i < ARRAY_SIZE(p); i++) {
		size_t n = i % 10 == 9 ? 100000 : 300 + i;

		good = good && p[i][0] == (unsigned char)i && p[i][n - 1] == (unsigned char)i;
	}
	CHECK(good);
	arena_release(&a);
}

TEST(bytes_refuses_more_than_the_limit)
{
	struct arena a = { 0 };
	struct err err = { 0 };
	void *p = NULL;

	CHECK(!arena_bytes(&a, 4097, 4096, &p, &err));
	CHECK_ERR(err, ERR_LIMIT);
	CHECK_CONTAINS(err.msg, "4097");
	CHECK_CONTAINS(err.msg, "4096");
	CHECK(p == NULL);
	REQUIRE_OK(arena_bytes(&a, 4096, 4096, &p, &err), err);
	CHECK(zeroed(p, 4096));
	REQUIRE_OK(arena_bytes(&a, 0, 4096, &p, &err), err);
	CHECK(p != NULL);
	arena_release(&a);
}

TEST(bytes_survives_impossible_sizes)
{
	struct arena a = { 0 };
	struct err err = { 0 };
	void *p = NULL;

	CHECK(!arena_bytes(&a, SIZE_MAX, SIZE_MAX, &p, &err));
	CHECK_ERR(err, ERR_LIMIT);
	CHECK(!arena_bytes(&a, SIZE_MAX - 8, SIZE_MAX, &p, &err));
	CHECK(!arena_bytes(&a, SIZE_MAX / 2 + 1, SIZE_MAX, &p, &err));
	CHECK(p == NULL);
	arena_release(&a);
}

TEST(strings)
{
	struct arena a = { 0 };

	CHECK_STR(arena_strdup(&a, "crasher"), "crasher");
	CHECK_STR(arena_strdup(&a, ""), "");
	CHECK_STR(arena_strndup(&a, "crasher", 5), "crash");
	CHECK_STR(arena_printf(&a, "%s/%d", "cpu", 3), "cpu/3");
	CHECK_STR(arena_printf(&a, "%s", ""), "");
	arena_release(&a);
}

TEST(reset_keeps_at_most_one_block)
{
	struct arena a = { 0 };
	size_t one;

	arena_alloc(&a, 10);
	one = a.total;
	for (int i = 0; i < 100; i++)
		arena_alloc(&a, 50000);
	CHECK(a.total > one);
	arena_reset(&a);
	CHECK(a.total <= one);
	arena_reset(&a);
	CHECK(a.total <= one);
	arena_release(&a);
	arena_release(&a); /* as new, so again is fine */
	CHECK_U64(a.total, 0);
}

TEST(vec_grows_and_zeroes)
{
	VEC(int) v = { 0 };
	bool good = true;

	for (int i = 0; i < 1000; i++) {
		int *p = vec_push(&v);

		good = good && *p == 0;
		*p = i;
	}
	CHECK_U64(v.n, 1000);
	for (int i = 0; i < 1000; i++)
		good = good && v.p[i] == i;
	CHECK(good);
	vec_release(&v);
	CHECK(v.p == NULL && v.n == 0 && v.cap == 0);
}

TEST_MAIN
