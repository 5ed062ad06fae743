/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of how physical memory is cut into parts: all of it, once, and few parts. */
#include "core/image/ram_part.h"

#include "core/base/test.h"

static struct target t;
static struct arena a;

static void add(uint64_t first, uint64_t last)
{
	*vec_push(&t.ram) = (struct ram_region){ first, last };
}

static void release(void)
{
	vec_release(&t.ram);
	arena_release(&a);
}

/* At multiples of 4 MiB; a region that begins within a page counts from that page's begin on. */
TEST(regions_are_cut_at_multiples)
{
	const struct ram_part want[] = { { 0x1000, 0x3fffff },
					 { 0x400000, 0x7fffff },
					 { 0x800000, 0x800fff },
					 { 0x900000, 0x9000ff } };
	const struct ram_part *got;
	size_t n;

	add(0x1800, 0x800fff);
	add(0x900000, 0x9000ff);
	got = ram_parts(&t, 0, UINT64_MAX, &a, &n);
	if (CHECK_U64(n, 4))
		CHECK_MEM(got, want, sizeof(want));
	/* what lies between two addresses */
	got = ram_parts(&t, 0x400800, 0x80007f, &a, &n);
	if (CHECK_U64(n, 2)) {
		CHECK_U64(got[0].first, 0x400000);
		CHECK_U64(got[0].last, 0x7fffff);
		CHECK_U64(got[1].first, 0x800000);
		CHECK_U64(got[1].last, 0x80007f);
	}
	(void)ram_parts(&t, 0x801000, 0x8fffff, &a, &n);
	CHECK_U64(n, 0);
	release();
}

/* 6 TB are not a million and a half of parts; the last region ends where addresses do, and more
 * regions than memory can hold are what a damaged header has. */
TEST(much_memory_is_few_parts)
{
	const struct ram_part *got;
	uint64_t next = 0;
	size_t n;

	add(0, ((uint64_t)6 << 40) - 1);
	got = ram_parts(&t, 0, UINT64_MAX, &a, &n);
	CHECK(n > RAM_PARTS / 4 && n <= RAM_PARTS + 1);
	for (size_t i = 0; i < n; i++) {
		CHECK_U64(got[i].first, next);
		next = got[i].last + 1;
	}
	CHECK_U64(next, (uint64_t)6 << 40);
	for (unsigned i = 0; i < 10000; i++)
		add(0, UINT64_MAX);
	got = ram_parts(&t, 0, UINT64_MAX, &a, &n);
	CHECK(n > 10000 && n < 400000);
	CHECK_U64(got[n - 1].last, UINT64_MAX);
	release();
}

TEST_MAIN
