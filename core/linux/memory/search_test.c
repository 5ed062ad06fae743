/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of searches: words at their alignment, text across pages, holes. */
#include "core/base/test.h"
#include "core/linux/memory/search.h"
#include "core/linux/memory/slab_fake.h"

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

static struct memory_search start(struct hits *hits)
{
	struct memory_search s = { .t = &k.t, .fn = hit, .arg = hits };

	slab_setup(&k);
	*vec_push(&k.t.ram) = (struct ram_region){ 0, KERNEL_SIZE - 1 };
	return s;
}

TEST(words_are_found_at_their_alignment)
{
	struct hits hits = { 0 };
	struct memory_search s = start(&hits);
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

/* Of every size, at the first and the last place of a page, alone and as the second of two values;
 * a byte further on none is. */
TEST(words_of_every_size_are_found_at_both_ends_of_a_page)
{
	for (unsigned word = 2; word <= 8; word *= 2)
		for (unsigned second = 0; second < 2; second++) {
			struct hits hits = { 0 };
			struct memory_search s = start(&hits);
			uint64_t value = 0xa1b2c3d4e5f60718u & (~(uint64_t)0 >> (64 - 8 * word));
			struct err err;

			for (unsigned i = 0; i < word; i++) {
				k.mem[0x5000 + i] = (uint8_t)(value >> (8 * i));
				k.mem[0x6000 - word + i] = (uint8_t)(value >> (8 * i));
				k.mem[0x7001 + i] = (uint8_t)(value >> (8 * i));
			}
			s.needle.word = word;
			s.needle.values[0] = value ^ 1;
			s.needle.values[second] = value;
			s.needle.n = second + 1;
			s.physical = s.ranged = true;
			s.start = 0x5000;
			s.end = 0x8000;
			CHECK_OK(search_run(&s, &err), err);
			CHECK_U64(hits.n, 2);
			CHECK_U64(hits.addr[0], 0x5000);
			CHECK_U64(hits.addr[1], 0x6000 - word);
			kernel_release(&k);
		}
}

/* Text at the start, across a page's end, twice in a row, and at the very end of memory. */
TEST(text_is_found_across_pages_and_once)
{
	struct hits hits = { 0 };
	struct memory_search s = start(&hits);
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

/* Blocks in which nothing is sought are passed over as a whole: a hit at any place of one, and a
 * text across the ends of two, is found as it is page by page, where memory is not in one piece. */
TEST(blocks_in_place_and_pages_have_the_same_hits)
{
	static const size_t places[] = { 0,
					 8,
					 0x1f8,
					 0x200,
					 0xffff8 & (KERNEL_SIZE - 8),
					 KERNEL_SIZE / 2,
					 KERNEL_SIZE / 2 + 0xff8,
					 KERNEL_SIZE - 8 };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		for (unsigned pass = 0; pass < 4; pass++) {
			struct hits hits = { 0 };
			struct memory_search s = start(&hits);
			size_t at = places[i] - (pass / 2 && places[i] ? 3 : 0);
			struct err err;

			k.t.ram.p[0].last = KERNEL_SIZE / 2 - 1; /* two blocks */
			*vec_push(&k.t.ram) =
				(struct ram_region){ KERNEL_SIZE / 2, KERNEL_SIZE - 1 };
			memcpy(&k.mem[at], "\x91needle", 7);
			memset(&k.mem[at + 7], 0x5a, 1);
			s.physical = true;
			s.needle.word = pass / 2 ? 0 : 8;
			s.needle.values[0] = load_le64(&k.mem[at]);
			s.needle.texts[0] = "\x91needleZ";
			s.needle.n = 1;
			if (pass % 2)
				k.t.memory.phys.map = NULL;
			CHECK_OK(search_run(&s, &err), err);
			CHECK_U64(hits.n, 1);
			CHECK_U64(hits.addr[0], at);
			CHECK_U64(s.searched, KERNEL_SIZE);
			kernel_release(&k);
		}
}

/* Every length from 1 byte to more than two of the scan's pieces, with the text or word at the
 * start, at the end, and nowhere. */
TEST(a_block_of_any_length_is_scanned_to_its_end)
{
	static uint8_t room[1200];

	for (size_t n = 8; n <= 1184; n += 8)
		for (unsigned word = 0; word <= 8; word += word ? word : 2) {
			struct search_needle needle = { .word = word, .n = 1 };

			needle.texts[0] = "cab";
			needle.values[0] = load_le(word == 2   ? "ab"
						   : word == 4 ? "cabc"
							       : "cabcabca",
						   word ? word : 8);
			memset(room, 'b', sizeof(room));
			memcpy(room + n, "cabcabca", 8); /* behind the end */
			CHECK(!search_block_has(&needle, SPAN(room, n)));
			memcpy(room + n - 8, word == 2 ? "bbbbbbab" : "bcabcabc", 8);
			if (word >= 4)
				memcpy(room + n - 8, "cabcabca", 8);
			CHECK(search_block_has(&needle, SPAN(room, n)));
			CHECK(word || !search_block_has(&needle, SPAN(room, n - 8)));
		}
}

/* The image is known by its own addresses, but for pages that are reserved no more. */
#define ALIAS (KERNEL_BASE + ((uint64_t)1 << 30))
static bool walk_alias(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	uint64_t off = va >= ALIAS ? ALIAS - KERNEL_BASE : 0;

	if (!kernel_walk(mmu, va - off, ret, err))
		return false;
	ret->va += off;
	return true;
}

TEST(what_was_given_back_is_not_the_image)
{
	struct hits hits = { 0 };
	struct memory_search s = start(&hits);
	struct err err;

	k.arch.walk = walk_alias;
	kernel_symbol(&k, "_text", ALIAS + 0x3000);
	kernel_symbol(&k, "__init_begin", ALIAS + 0x4000);
	kernel_symbol(&k, "__init_end", ALIAS + 0x5000);
	kernel_symbol(&k, "_end", ALIAS + 0x6000);
	put64(&k, slab_page(KERNEL_BASE + 0x3000), 1u << SLAB_RESERVED_FLAG);
	put64(&k, slab_page(KERNEL_BASE + 0x5000), 1u << SLAB_RESERVED_FLAG);
	for (unsigned page = 2; page < 7; page++)
		put_str(&k, KERNEL_BASE + page * 0x1000 + 0x100, "needle");
	s.needle.texts[0] = "needle";
	s.needle.n = 1;
	CHECK_OK(search_run(&s, &err), err);
	CHECK_U64(hits.n, 5);
	CHECK_U64(hits.addr[0], KERNEL_BASE + 0x2100);
	CHECK_U64(hits.addr[1], ALIAS + 0x3100);
	CHECK_U64(hits.addr[2], KERNEL_BASE + 0x4100);
	CHECK_U64(hits.addr[3], ALIAS + 0x5100);
	CHECK_U64(hits.addr[4], KERNEL_BASE + 0x6100);
	CHECK(!kernel_image_freed(&k.t, KERNEL_BASE + 0x4100)); /* its address is not the image's */
	kernel_release(&k);
}

/* Where the pages cannot be asked, how far booting has come tells of the sections for it. */
TEST(without_struct_page_the_state_tells)
{
	kernel_init(&k);
	kernel_symbol(&k, "_text", KERNEL_BASE + 0x3000);
	kernel_symbol(&k, "__init_begin", KERNEL_BASE + 0x4000);
	kernel_symbol(&k, "__init_end", KERNEL_BASE + 0x5000);
	kernel_symbol(&k, "_end", KERNEL_BASE + 0x6000);
	kernel_symbol(&k, "system_state", KERNEL_BASE + 0x3000);
	put32(&k, KERNEL_BASE + 0x3000, 1); /* SYSTEM_SCHEDULING: it is booting */
	CHECK(!kernel_image_freed(&k.t, KERNEL_BASE + 0x4000));
	put32(&k, KERNEL_BASE + 0x3000, 2);
	CHECK(kernel_image_freed(&k.t, KERNEL_BASE + 0x4000));
	CHECK(!kernel_image_freed(&k.t, KERNEL_BASE + 0x5000));
	CHECK(!kernel_image_freed(&k.t, KERNEL_BASE + 0x3fff));
	kernel_release(&k);
}

/* A page that is not there is counted, and what stands before it is still found. */
TEST(holes_are_counted)
{
	struct hits hits = { 0 };
	struct memory_search s = start(&hits);
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

/* Two regions that follow each other are two parts: what begins in one and ends in the other is
 * found once, what stands on both sides of the border is, too, and in this order; whoever searches.
 * Behind the last part comes nothing. */
TEST(parts_are_searched_as_one)
{
	for (unsigned jobs = 1; jobs < 4; jobs++)
		for (unsigned ranged = 0; ranged < 2; ranged++) {
			struct hits hits = { 0 };
			struct memory_search s = start(&hits);
			struct err err;

			k.t.jobs = jobs;
			k.t.ram.n = 0;
			*vec_push(&k.t.ram) = (struct ram_region){ 0, 0x2fff };
			*vec_push(&k.t.ram) = (struct ram_region){ 0x3000, 0x4fff };
			*vec_push(&k.t.ram) = (struct ram_region){ 0x5000, 0x6fff };
			put_str(&k, KERNEL_BASE + 0x2ff0, "needle");
			put_str(&k, KERNEL_BASE + 0x2ffd, "needle");
			put_str(&k, KERNEL_BASE + 0x3003, "needle");
			put_str(&k, KERNEL_BASE + 0x4ffa, "needle");
			put_str(&k, KERNEL_BASE + 0x6ffc, "needle");
			s.needle.texts[0] = "needle";
			s.needle.n = 1;
			s.physical = true;
			s.ranged = ranged;
			s.start = 0x1000;
			s.end = 0x6800;
			CHECK_OK(search_run(&s, &err), err);
			CHECK_U64(hits.n, 4);
			CHECK_U64(hits.addr[0], 0x2ff0);
			CHECK_U64(hits.addr[1], 0x2ffd);
			CHECK_U64(hits.addr[2], 0x3003);
			CHECK_U64(hits.addr[3], 0x4ffa);
			CHECK_U64(s.searched, ranged ? 0x6000 : 0x7000);
			kernel_release(&k);
		}
}

/* Who wants no more than two is told how much was searched until then: two pages. */
TEST(what_was_searched_until_the_last_hit_is_known)
{
	for (unsigned jobs = 1; jobs < 3; jobs++) {
		struct hits hits = { .n = 6 };
		struct memory_search s = start(&hits);
		struct err err;

		k.t.jobs = jobs;
		k.t.ram.n = 0;
		for (uint64_t at = 0; at < 0x8000; at += 0x1000) {
			*vec_push(&k.t.ram) = (struct ram_region){ at, at + 0xfff };
			put64(&k, KERNEL_BASE + at + 8, 0x1234567890abcdefu);
		}
		s.needle.word = 8;
		s.needle.values[0] = 0x1234567890abcdefu;
		s.needle.n = 1;
		s.physical = true;
		CHECK_OK(search_run(&s, &err), err);
		CHECK_U64(hits.n, 8);
		CHECK_U64(hits.addr[7], 0x1008);
		CHECK_U64(s.searched, 0x2000);
		kernel_release(&k);
	}
}

TEST_MAIN
