/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of extents and images: who wins where two overlap, and what lies between them. */
#include "core/base/test.h"
#include "readers/dump/made_dump.h"
#include "readers/dump/image.h"

#define SPACE 64u
#define NOWHERE UINT64_MAX

/* What each address holds is kept beside, byte by byte: the later pushed extent overwrites. */
static void push(struct extents *x, uint64_t *model, uint64_t start, uint64_t n, uint64_t pos)
{
	extents_add(x, start, n, pos, EXTENT_DATA);
	for (uint64_t i = 0; i < n; i++)
		model[start + i] = pos + i;
}

static bool is_settled(const struct extents *x)
{
	for (size_t i = 0; i < x->v.n; i++)
		if (!x->v.p[i].n || (i && x->v.p[i].start < x->v.p[i - 1].start + x->v.p[i - 1].n))
			return false;
	return true;
}

static uint64_t place(struct extents *x, uint64_t at)
{
	const struct extent *e = extents_find(x, at);

	return e ? e->pos + (at - e->start) : NOWHERE;
}

TEST(the_later_pushed_wins_at_every_byte)
{
	uint64_t state = 20260, model[SPACE];
	bool same = true, settled = true;

	for (unsigned round = 0; round < 3000; round++) {
		struct extents x = { 0 };
		unsigned n = 1 + (unsigned)(made_random(&state) % 12);

		memset(model, 0xff, sizeof(model));
		for (unsigned i = 0; i < n; i++) {
			uint64_t start = made_random(&state) % SPACE;
			uint64_t len = made_random(&state) % (SPACE + 1 - start);

			push(&x, model, start, round % 2 && len > 6 ? 6 : len, 1000 * (i + 1));
		}
		extents_settle(&x);
		settled = settled && is_settled(&x);
		for (uint64_t at = 0; at < SPACE; at++)
			same = same && place(&x, at) == model[at];
		for (uint64_t at = SPACE; at-- > 0;) /* what was found last changes nothing */
			same = same && place(&x, at) == model[at];
		extents_release(&x);
	}
	CHECK(same);
	CHECK(settled);
}

TEST(an_extent_keeps_its_kind_and_where_it_begins)
{
	struct extents x = { 0 };

	extents_add(&x, 100, 50, 1000, EXTENT_EXCLUDED);
	extents_add(&x, 120, 10, 5000, EXTENT_DATA);
	extents_settle(&x);
	REQUIRE(x.v.n == 3);
	CHECK_U64(x.v.p[0].start, 100);
	CHECK_U64(x.v.p[0].n, 20);
	CHECK(x.v.p[0].kind == EXTENT_EXCLUDED && x.v.p[1].kind == EXTENT_DATA &&
	      x.v.p[2].kind == EXTENT_EXCLUDED);
	CHECK_U64(x.v.p[2].start, 130);
	CHECK_U64(x.v.p[2].n, 20);
	CHECK_U64(x.v.p[2].pos, 1030);
	CHECK(!extents_find(&x, 99) && !extents_find(&x, 150));
	extents_release(&x);
}

TEST(nothing_and_what_wraps_around_are_no_extents)
{
	struct extents x = { 0 };

	extents_add(&x, 5, 0, 0, EXTENT_DATA);
	extents_add(&x, UINT64_MAX - 3, 5, 0, EXTENT_DATA);
	CHECK_U64(x.v.n, 0);
	CHECK(!extents_find(&x, 5));
	extents_add(&x, UINT64_MAX - 3, 3, 7, EXTENT_DATA);
	CHECK_U64(place(&x, UINT64_MAX - 1), 9);
	CHECK(!extents_find(&x, UINT64_MAX));
	extents_release(&x);
}

/* A file of 64 bytes, 0 to 63. Of the dump, bytes 0 to 9 are at 40 of it, 20 to 29 at 0, 30 to 39
 * at 50; 10 to 19 and 40 to 49 are nowhere. */
struct sample {
	uint8_t bytes[64];
	struct file file;
	struct image im;
	struct err err;
};

static void sample_make(struct sample *s)
{
	memset(s, 0, sizeof(*s));
	for (unsigned i = 0; i < sizeof(s->bytes); i++)
		s->bytes[i] = (uint8_t)i;
	s->file = (struct file){ .path = "sample", .fd = -1, .map = SPAN(s->bytes, 64) };
	s->im = (struct image){ .file = &s->file, .size = 50, .flat = true };
	extents_add(&s->im.x, 0, 10, 40, EXTENT_DATA);
	extents_add(&s->im.x, 20, 10, 0, EXTENT_DATA);
	extents_add(&s->im.x, 30, 10, 50, EXTENT_DATA);
}

static uint8_t sample_byte(uint64_t at)
{
	return (uint8_t)(at < 10 ? 40 + at : at < 20 || at >= 40 ? 0 : at < 30 ? at - 20 : 20 + at);
}

TEST(every_stretch_is_read_and_holes_are_zeros)
{
	struct sample s;
	bool same = true;

	sample_make(&s);
	for (uint64_t off = 0; off <= 50; off++)
		for (uint64_t n = 0; off + n <= 50; n++) {
			uint8_t got[52];

			memset(got, 0xee, sizeof(got));
			REQUIRE_OK(image_read(&s.im, off, got, n, &s.err), s.err);
			for (uint64_t i = 0; i < n; i++)
				same = same && got[i] == sample_byte(off + i);
			same = same && got[n] == 0xee;
		}
	CHECK(same);
	image_release(&s.im);
}

TEST(behind_the_last_byte_is_lost)
{
	struct arena arena = { 0 };
	struct sample s;
	struct span got;
	uint8_t b[60];

	sample_make(&s);
	CHECK(!image_read(&s.im, 45, b, 6, &s.err));
	CHECK_ERR(s.err, ERR_TRUNCATED);
	CHECK_U64(s.err.addr, 50);
	CHECK(!image_read(&s.im, 51, b, 0, &s.err));
	CHECK_U64(s.err.addr, 51);
	CHECK(!image_read(&s.im, 2, b, SIZE_MAX, &s.err));
	CHECK(!image_bytes(&s.im, 45, 6, 100, &arena, &got, &s.err));
	CHECK_ERR(s.err, ERR_TRUNCATED);
	CHECK(!image_bytes(&s.im, 51, 0, 100, &arena, &got, &s.err));
	CHECK(!image_bytes(&s.im, 2, UINT64_MAX, UINT64_MAX, &arena, &got, &s.err));
	image_release(&s.im);
	arena_release(&arena);
}

/* The chunk says bytes that the file no longer has. */
TEST(a_chunk_behind_the_files_end_is_lost)
{
	struct sample s;
	uint8_t b[20];

	sample_make(&s);
	s.file.map.n = 55; /* the dump's bytes 35 to 39 are missing */
	CHECK(image_map(&s.im, 30, 5) && !image_map(&s.im, 30, 6));
	CHECK_OK(image_read(&s.im, 28, b, 7, &s.err), s.err);
	CHECK(!image_read(&s.im, 28, b, 8, &s.err));
	CHECK_ERR(s.err, ERR_TRUNCATED);
	CHECK_U64(s.err.addr, 30);
	image_release(&s.im);
}

TEST(what_lies_together_is_not_copied)
{
	struct arena arena = { 0 };
	struct sample s;
	struct span got;

	sample_make(&s);
	CHECK(image_map(&s.im, 20, 10) == s.bytes);
	CHECK(image_map(&s.im, 23, 7) == s.bytes + 3);
	CHECK(!image_map(&s.im, 23, 8)); /* the next extent is elsewhere in the file */
	CHECK(!image_map(&s.im, 10, 1) && !image_map(&s.im, 45, 1));
	REQUIRE_OK(image_bytes(&s.im, 23, 7, 0, &arena, &got, &s.err), s.err);
	CHECK(got.p == s.bytes + 3 && got.n == 7);
	REQUIRE_OK(image_bytes(&s.im, 23, 8, 8, &arena, &got, &s.err), s.err);
	CHECK_U64(got.n, 8);
	CHECK_MEM(got.p, "\3\4\5\6\7\10\11\62", 8);
	CHECK(!image_bytes(&s.im, 23, 8, 7, &arena, &got, &s.err));
	CHECK_ERR(s.err, ERR_LIMIT);
	image_release(&s.im);
	arena_release(&arena);
}

TEST(only_a_cut_file_has_lost_what_is_nowhere)
{
	struct sample s;

	sample_make(&s);
	for (int cut = 0; cut < 2; cut++) {
		s.im.cut = cut;
		CHECK(image_has(&s.im, 0, 10));
		CHECK(image_has(&s.im, 20, 20));
		CHECK(image_has(&s.im, 25, 15));
		CHECK(image_has(&s.im, 0, 11) == !cut);
		CHECK(image_has(&s.im, 19, 2) == !cut);
		CHECK(image_has(&s.im, 25, 16) == !cut);
		CHECK(image_has(&s.im, 49, 1) == !cut);
		CHECK(image_has(&s.im, 12, 0));
		CHECK(image_has(&s.im, 50, 0));
		CHECK(!image_has(&s.im, 49, 2));
		CHECK(!image_has(&s.im, 51, 0));
		CHECK(!image_has(&s.im, 2, UINT64_MAX));
	}
	image_release(&s.im);
}

TEST(a_plain_file_is_one_extent)
{
	struct sample s;
	struct image im;
	uint8_t b[4];

	sample_make(&s);
	image_of_file(&im, &s.file);
	CHECK_U64(im.size, 64);
	CHECK(!im.flat && !im.cut);
	CHECK(image_map(&im, 0, 64) == s.bytes);
	CHECK(!image_map(&im, 1, 64));
	CHECK_OK(image_read(&im, 60, b, 4, &s.err), s.err);
	CHECK_MEM(b, "\74\75\76\77", 4);
	image_release(&im);
	image_release(&s.im);
}

TEST_MAIN
