/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages alone, of either byte order and word size. */
#include "core/base/test.h"
#include "readers/made_tracedat.h"
#include "readers/trace_fuzz.h"

extern const struct reader reader_rawtrace;

TEST(pages_alone_are_known_by_their_shape)
{
	for (unsigned i = 0; i < 4; i++) {
		struct made_dat m = { .big = i & 1, .word = i & 2 ? 4 : 8, .page = 4096 };
		struct arena scratch = { 0 }, a = { 0 };
		struct trace_select sel = { 0 };
		struct trace_event ev;
		struct timeline *tl;
		struct target t;
		struct file file;
		struct err err;
		unsigned n = 0;

		made_page(&m, &m.b, 5000000, 0, 7);
		made_page(&m, &m.b, 9000000, 7, 7);
		target_init(&t, &scratch);
		REQUIRE(open_bytes(&t, &reader_rawtrace, &file, m.b.s, m.b.n, &err));
		REQUIRE(timeline_open(&t, &sel, &a, &tl, &err));
		for (; timeline_next(tl, &ev, &err); n++) {
			CHECK_U64(ev.id, 300);
			CHECK(ev.pid == 40 + (int)n % 3);
			CHECK_U64(ev.ts, (n < 7 ? 5000000 : 9000000) + 1000 * (n % 7));
			CHECK(!ev.format);
		}
		CHECK_U64(n, 14);
		target_release(&t);
		arena_release(&a);
		arena_release(&scratch);
		buf_release(&m.b);
	}
}

TEST(other_bytes_are_not)
{
	static uint8_t zeros[8192], text[8192];
	struct file file = { .path = "x", .fd = -1, .map = SPAN(zeros, sizeof(zeros)) };

	CHECK(!reader_rawtrace.probe(&file));
	memset(text, 'a', sizeof(text));
	file.map = SPAN(text, sizeof(text));
	CHECK(!reader_rawtrace.probe(&file));
	file.map.n = 100;
	CHECK(!reader_rawtrace.probe(&file));
}

TEST_MAIN
