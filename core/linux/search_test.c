/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of searches: words at their alignment, text across pages, holes. */
#include "core/base/test.h"
#include "core/linux/search.h"
#include "core/linux/slab_fake.h"

static struct fake_kernel k;

struct hits {
	uint64_t addr[8];
	size_t n;
};

static bool hit(const struct search_hit *h, void *arg)
{
	struct hits *hits = arg;

	hits->addr[hits->n++] = h->addr;
	return hits->n < 8;
}

static struct search start(struct hits *hits)
{
	struct search s = { .t = &k.t, .fn = hit, .arg = hits };

	slab_setup(&k);
	*vec_push(&k.t.ram) = (struct ram_region){ 0, KERNEL_SIZE - 1 };
	return s;
}

TEST(words_are_found_at_their_alignment)
{
	struct hits hits = { 0 };
	struct search s = start(&hits);
	struct err err;

	put64(&k, KERNEL_BASE + 0x3008, 0x1234567890abcdefu);
	put64(&k, KERNEL_BASE + 0x3104, 0x1234567890abcdefu); /* across two words */
	s.needle.word = 8;
	s.needle.values[0] = 0x1234567890abcdefu;
	s.needle.n = 1;
	CHECK_OK(search_run(&s, &err), err);
	CHECK_U64(hits.n, 1);
	CHECK_U64(hits.addr[0], KERNEL_BASE + 0x3008);
	hits.n = 0;
	s.needle.word = 4;
	s.needle.values[0] = 0x90ab0000u;
	s.needle.mask = 0xffff;
	s.physical = true;
	CHECK_OK(search_run(&s, &err), err);
	CHECK_U64(hits.n, 2);
	CHECK_U64(hits.addr[1], 0x3104);
	kernel_release(&k);
}

/* Text at the start, across a page's end, twice in a row, and at the very end of memory. */
TEST(text_is_found_across_pages_and_once)
{
	struct hits hits = { 0 };
	struct search s = start(&hits);
	struct err err;

	put_str(&k, KERNEL_BASE, "needle");
	put_str(&k, KERNEL_BASE + 0x3ffd, "needle");
	put_str(&k, KERNEL_BASE + 0x5ff0, "needleneedle");
	memcpy(&k.mem[KERNEL_SIZE - 6], "needle", 6);
	s.needle.texts[0] = "needle";
	s.needle.n = 1;
	CHECK_OK(search_run(&s, &err), err);
	CHECK_U64(hits.n, 5);
	CHECK_U64(hits.addr[0], KERNEL_BASE);
	CHECK_U64(hits.addr[1], KERNEL_BASE + 0x3ffd);
	CHECK_U64(hits.addr[2], KERNEL_BASE + 0x5ff0);
	CHECK_U64(hits.addr[3], KERNEL_BASE + 0x5ff6);
	CHECK_U64(hits.addr[4], KERNEL_BASE + KERNEL_SIZE - 6);
	CHECK_U64(s.searched, KERNEL_SIZE);
	kernel_release(&k);
}

/* A page that is not there is counted, and what stands before it is still found. */
TEST(holes_are_counted)
{
	struct hits hits = { 0 };
	struct search s = start(&hits);
	struct err err;

	put_str(&k, KERNEL_BASE + 0x3ff0, "needle");
	k.holes = 1u << 4;
	s.needle.texts[0] = "needle";
	s.needle.n = 1;
	CHECK_OK(search_run(&s, &err), err);
	CHECK_U64(hits.n, 1);
	CHECK_U64(s.missing, 1);
	hits.n = 0;
	s.ranged = true;
	s.start = KERNEL_BASE + 0x3ff1;
	s.end = KERNEL_BASE + 0x6000;
	CHECK_OK(search_run(&s, &err), err);
	CHECK_U64(hits.n, 0);
	s.end = s.start + SEARCH_RANGE_MAX + 1;
	CHECK(!search_run(&s, &err));
	CHECK_ERR(err, ERR_LIMIT);
	kernel_release(&k);
}

TEST_MAIN
