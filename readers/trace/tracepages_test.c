/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of lanes of sub-buffers in a file: where each lies, packed or plain, what is damaged, and
 * where reading begins for a time. */
#include <zlib.h>
#include <zstd.h>

#include "core/base/test.h"
#include "core/base/vec.h"
#include "readers/inflate.h"
#include "readers/trace/tracepages.h"

#define SIZE 256u /* of a sub-buffer */

struct fixture {
	struct arena a;
	struct recording rec;
	struct trace_buffer buffer;
	struct trace_lane lane;
	struct page_lane pages;
	struct trace_reader r;
	struct err err;
};

static bool open_pages(struct fixture *f, uint64_t since)
{
	f->rec = (struct recording){ .word_size = 8 };
	f->buffer = (struct trace_buffer){ .recording = &f->rec, .page_size = SIZE };
	f->lane = (struct trace_lane){ .cpu = 3, .self = &f->pages };
	f->r = (struct trace_reader){ .buffer = &f->buffer,
				      .lane = &f->lane,
				      .want = { .since = since } };
	return pages_open(&f->r, &f->a, &f->err);
}

/* Every byte of page i is i; the last page is half a one. */
static void fill(uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(i / SIZE);
}

static void check_page(struct fixture *f, unsigned number, size_t n)
{
	struct span s;

	if (!CHECK_OK(pages_page(&f->r, &s, &f->err), f->err))
		return;
	CHECK_U64(s.n, n);
	CHECK(s.n && s.p[0] == number && s.p[s.n - 1] == number);
}

static void check_end(struct fixture *f)
{
	struct span s;

	CHECK(!pages_page(&f->r, &s, &f->err));
	CHECK_ERR(f->err, ERR_OK);
}

TEST(plain_pages)
{
	uint8_t p[3 * SIZE + SIZE / 2];
	struct fixture f = { .pages = { .bytes = SPAN(p, sizeof(p)), .size = sizeof(p) } };

	fill(p, sizeof(p));
	REQUIRE_OK(open_pages(&f, 0), f.err);
	for (unsigned i = 0; i < 3; i++)
		check_page(&f, i, SIZE);
	check_page(&f, 3, SIZE / 2);
	check_end(&f);
	f.pages.size = sizeof(p) - SIZE / 2;
	REQUIRE_OK(open_pages(&f, 0), f.err);
	for (unsigned i = 0; i < 3; i++)
		check_page(&f, i, SIZE);
	check_end(&f);
	f.buffer.page_size = 0;
	CHECK(!pages_open(&f.r, &f.a, &f.err));
	CHECK_ERR(f.err, ERR_FORMAT);
	arena_release(&f.a);
}

static size_t pack(unsigned codec, const uint8_t *p, size_t n, uint8_t *out, size_t size)
{
	uLongf got = size;

	if (codec == PAGE_ZSTD)
		return ZSTD_compress(out, size, p, n, 1);
	return compress(out, &got, p, n) == Z_OK ? got : 0;
}

/* Chunks of two, three and one and a half sub-buffers. One that is damaged takes its own along, and
 * the next is read from its first. */
TEST(pages_in_chunks)
{
	static const size_t sizes[] = { 2 * SIZE, 3 * SIZE, SIZE + SIZE / 2 };
	static const unsigned codecs[] = { 0, PAGE_ZLIB, PAGE_ZSTD };
	uint8_t p[6 * SIZE + SIZE / 2], packed[3][4 * SIZE];

	fill(p, sizeof(p));
	for (unsigned i = 0; i < 6; i++) {
		unsigned codec = codecs[i / 2];
		struct page_chunk chunks[3];
		struct fixture f = { .pages = { .chunks = chunks,
						.n_chunks = 3,
						.codec = codec,
						.size = sizeof(p) } };
		size_t at = 0;

		for (unsigned k = 0; k < 3; at += sizes[k], k++) {
			size_t n = sizes[k];

			memcpy(packed[k], p + at, n);
			if (codec)
				n = pack(codec, p + at, sizes[k], packed[k], sizeof(packed[k]));
			chunks[k] = (struct page_chunk){ .packed = SPAN(packed[k], n),
							 .at = at,
							 .size = (uint32_t)sizes[k] };
		}
		if (i & 1 && codec)
			chunks[1].packed.n--;
		REQUIRE_OK(open_pages(&f, 0), f.err);
		check_page(&f, 0, SIZE);
		check_page(&f, 1, SIZE);
		CHECK_ERR(f.r.damage, ERR_OK);
		for (unsigned k = 2; k < 5 && !(i & 1 && codec); k++)
			check_page(&f, k, SIZE);
		check_page(&f, 5, SIZE);
		check_page(&f, 6, SIZE / 2);
		check_end(&f);
		if (i & 1 && codec) {
			CHECK_ERR(f.r.damage, ERR_CORRUPT);
			CHECK_CONTAINS(f.r.damage.msg, "CPU 3, sub-buffer 2: chunk 1 of 3: its ");
			CHECK_CONTAINS(f.r.damage.msg, codec == PAGE_ZSTD ? "zstd" : "zlib");
		} else {
			CHECK_ERR(f.r.damage, ERR_OK);
		}
		arena_release(&f.a);
	}
}

/* Sizes are those of the heads, to the byte. */
TEST(unpacking_is_exact)
{
	uint8_t p[SIZE], packed[2 * SIZE], out[2 * SIZE];
	struct err err;

	fill(p, sizeof(p));
	for (unsigned i = 0; i < 2; i++) {
		unsigned codec = i ? PAGE_ZSTD : PAGE_ZLIB;
		size_t n = pack(codec, p, SIZE, packed, sizeof(packed));

		CHECK_OK(pages_unpack(codec, SPAN(packed, n), out, SIZE, &err), err);
		CHECK(!pages_unpack(codec, SPAN(packed, n), out, SIZE + 1, &err));
		CHECK(!pages_unpack(codec, SPAN(packed, n), out, SIZE - 1, &err));
		CHECK_ERR(err, ERR_CORRUPT);
	}
	CHECK(!pages_unpack(0, SPAN(p, SIZE), out, SIZE, &err));
}

/* Page i begins at `times[i]` (struct buffer_data_page: the time, then the bytes of data); 0: it is
 * empty. Reading for a time begins at the last page that begins before it. */
TEST(where_a_time_is)
{
	static const uint64_t times[] = { 100, 200, 0, 0, 300, 400, 0, 500 };
	static const struct {
		uint64_t since, first;
	} v[] = { { 1, 0 },   { 100, 0 }, { 101, 0 }, { 200, 0 }, { 201, 1 }, { 300, 1 },
		  { 301, 4 }, { 400, 4 }, { 401, 5 }, { 500, 5 }, { 501, 7 }, { 9999, 7 } };
	uint8_t p[8 * SIZE] = { 0 };
	struct fixture f = { .pages = { .bytes = SPAN(p, sizeof(p)), .size = sizeof(p) } };

	for (unsigned i = 0; i < 8; i++) {
		for (unsigned k = 0; k < 8; k++)
			p[i * SIZE + k] = (uint8_t)(times[i] >> 8 * k);
		p[i * SIZE + 8] = times[i] ? 16 : 0;
	}
	for (unsigned shifted = 0; shifted < 3; shifted++) {
		uint64_t mult = shifted == 1 ? 2 : 1, more = shifted == 2 ? 50 : 0;

		f.pages.mult = shifted == 1 ? 4 : 0; /* time * 4 >> 1 */
		f.pages.shift = 1;
		f.pages.offset = (int64_t)more;
		for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
			struct span s = { 0 };

			REQUIRE_OK(open_pages(&f, (v[i].since - 1) * mult + more + 1), f.err);
			REQUIRE_OK(pages_page(&f.r, &s, &f.err), f.err);
			if (!CHECK_U64((uint64_t)(s.p - p) / SIZE, v[i].first))
				printf("  of %zu, %u\n", i, shifted);
		}
	}
	arena_release(&f.a);
}

TEST(clocks)
{
	static const char *const none[] = { "counter", "uptime", "x86-tsc", "ppc-tb", "s390-tod" },
				 *const ns[] = { "local", "global", "mono", "boot", "tai", NULL };

	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		CHECK(!trace_clock_ns(none[i]));
	for (size_t i = 0; i < ARRAY_SIZE(ns); i++)
		CHECK(trace_clock_ns(ns[i]));
}

TEST_MAIN
