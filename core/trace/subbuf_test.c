/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sub-buffers made word by word, as include/linux/ring_buffer.h describes their events. */
#include "core/trace/subbuf.h"

#include "core/base/test.h"
#include "core/trace/trace.h"

#define PAGE 256

struct made {
	uint8_t b[PAGE];
	size_t n; /* bytes of data */
	bool big;
	unsigned word;
};

static void put(struct made *m, size_t at, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		m->b[at + i] = (uint8_t)(v >> 8 * (m->big ? n - 1 - i : i));
}

static void u32(struct made *m, uint32_t v)
{
	put(m, 8 + m->word + m->n, v, 4);
	m->n += 4;
}

/* An event's first word: 5 bits of type_len, 27 of time, the low bits first on little-endian. */
static void head(struct made *m, uint32_t type_len, uint32_t delta)
{
	u32(m, m->big ? type_len << 27 | delta : delta << 5 | type_len);
}

/* type_len counts words of data: common_type and flags, common_pid, the rest zero */
static void event(struct made *m, uint32_t delta, unsigned words, uint16_t type, uint32_t pid)
{
	size_t at;

	head(m, words, delta);
	at = 8 + m->word + m->n;
	for (unsigned i = 0; i < words; i++)
		u32(m, 0);
	put(m, at, type, 2);
	put(m, at + 4, pid, 4);
}

static void start(struct made *m, unsigned word, bool big, uint64_t ts)
{
	*m = (struct made){ .big = big, .word = word };
	put(m, 0, ts, 8);
}

static bool done(struct made *m, struct trace_page *p, uint64_t commit_flags)
{
	struct err err = { 0 };

	put(m, 8, m->n | commit_flags, m->word);
	return CHECK_OK(trace_page_init(p, SPAN(m->b, PAGE), m->word, m->big, 0, &err), err);
}

static void all_kinds(unsigned word, bool big)
{
	struct made m;
	struct trace_page p;
	struct trace_record r;

	start(&m, word, big, 1000);
	event(&m, 5, 3, 7, 42);
	head(&m, 0, 10); /* a long event: array[0] is its length and counts itself */
	u32(&m, 4 + 12);
	u32(&m, 0x11111111);
	u32(&m, 0x22222222);
	u32(&m, 0x33333333);
	head(&m, 29, 99); /* discarded: its 8 bytes are stepped over, its time is not counted */
	u32(&m, 8);
	u32(&m, 0);
	head(&m, 30, 3); /* 2^27 * 2 + 3 ns go by */
	u32(&m, 2);
	event(&m, 1, 2, 8, 43);
	head(&m, 31, 17); /* it is 2^27 * 16 + 17 */
	u32(&m, 16);
	event(&m, 4, 28, 9, 44);
	head(&m, 29, 0); /* the rest was never written */
	u32(&m, 0xffffffff);
	REQUIRE(done(&m, &p, 0));
	CHECK_U64(p.ts, 1000);
	CHECK_U64(p.lost, 0);
	CHECK_U64((uint64_t)(p.data.p - m.b), word == 8 ? 16 : 12);

	REQUIRE(trace_page_next(&p, &r));
	CHECK_U64(r.ts, 1005);
	CHECK_U64(r.data.n, 12);
	CHECK_U64(r.at, 0);
	CHECK_U64(r.data.p[big ? 1 : 0], 7);
	REQUIRE(trace_page_next(&p, &r));
	CHECK_U64(r.ts, 1015);
	CHECK_U64(r.data.n, 12);
	CHECK_U64(r.data.p[0], 0x11);
	CHECK_U64(r.data.p[11], 0x33);
	REQUIRE(trace_page_next(&p, &r));
	CHECK_U64(r.ts, 1015 + (2ull << 27) + 3 + 1);
	CHECK_U64(r.data.n, 8);
	REQUIRE(trace_page_next(&p, &r));
	CHECK_U64(r.ts, (16ull << 27) + 17 + 4);
	CHECK_U64(r.data.n, 112);
	CHECK(!trace_page_next(&p, &r));
	CHECK(!p.damaged);
	CHECK(!trace_page_next(&p, &r));
}

TEST(every_kind_of_event_in_both_orders_and_sizes)
{
	all_kinds(8, false);
	all_kinds(4, false);
	all_kinds(8, true);
	all_kinds(4, true);
}

TEST(absolute_times_keep_their_upper_bits)
{
	struct made m;
	struct trace_page p;
	struct trace_record r;
	/* 59 bits fit; the page's own time has one above them. The second stamp is lower than the
	 * time before it: 59 bits overflowed. */
	uint64_t ts = (1ull << 60) + (500ull << 27);

	start(&m, 8, false, ts);
	head(&m, 31, 0);
	u32(&m, 600);
	event(&m, 0, 2, 1, 1);
	head(&m, 31, 0);
	u32(&m, 1);
	event(&m, 0, 2, 1, 1);
	REQUIRE(done(&m, &p, 0));
	REQUIRE(trace_page_next(&p, &r));
	CHECK_U64(r.ts, (1ull << 60) + (600ull << 27));
	REQUIRE(trace_page_next(&p, &r));
	CHECK_U64(r.ts, (1ull << 60) + (1ull << 59) + (1ull << 27));
}

TEST(lost_events_are_told)
{
	struct made m;
	struct trace_page p;

	start(&m, 8, false, 1);
	event(&m, 1, 2, 1, 1);
	put(&m, 16 + m.n, 77, 8);
	REQUIRE(done(&m, &p, 0xc0000000u));
	CHECK_U64(p.data.n, 12);
	CHECK_U64(p.lost, 77);
	CHECK(!p.damaged);
	REQUIRE(done(&m, &p, 0x80000000u));
	CHECK(p.lost == TRACE_LOST_SOME);
	/* the number would lie beyond the page's end */
	while (m.n + 12 <= PAGE - 16)
		event(&m, 1, 2, 1, 1);
	REQUIRE(done(&m, &p, 0xc0000000u));
	CHECK(p.lost == TRACE_LOST_SOME);
}

/* As a 6.1 kernel's trace_pipe_raw has it: the flags are the int 0xc0000000, made a long. */
TEST(flags_fill_the_upper_half)
{
	struct trace_page p;
	struct made m;

	start(&m, 8, false, 1000);
	event(&m, 0, 4, 300, 1);
	put(&m, 16 + m.n, 1940, 8);
	if (!done(&m, &p, UINT64_C(0xffffffffc0000000)))
		return;
	CHECK(!p.damaged);
	CHECK_U64(p.lost, 1940);
	CHECK_U64(p.data.n, m.n);
}

TEST(pages_whose_commit_word_is_gone)
{
	struct made m;
	struct trace_page p;
	struct trace_record r;
	struct err err = { 0 };

	start(&m, 8, false, 100);
	event(&m, 1, 2, 1, 1);
	event(&m, 1, 2, 1, 1);
	REQUIRE_OK(trace_page_init(&p, SPAN(m.b, PAGE), 8, false, m.n, &err), err);
	CHECK(trace_page_next(&p, &r));
	CHECK(trace_page_next(&p, &r));
	CHECK_U64(r.ts, 102);
	CHECK(!trace_page_next(&p, &r));
	CHECK(!p.damaged);
	REQUIRE_OK(trace_page_init(&p, SPAN(m.b, PAGE), 8, false, PAGE, &err), err);
	CHECK_U64(p.data.n, PAGE - 16);
	CHECK(p.damaged);
}

/* What stands first in the data; the rest of it is zero. */
static void broken(uint32_t first, uint32_t second, size_t n)
{
	struct made m;
	struct trace_page p;
	struct trace_record r;

	start(&m, 8, false, 1);
	event(&m, 1, 2, 1, 1);
	u32(&m, first);
	u32(&m, second);
	m.n = n;
	REQUIRE(done(&m, &p, 0));
	CHECK(trace_page_next(&p, &r));
	CHECK(!trace_page_next(&p, &r));
	CHECK(p.damaged);
	CHECK_ERR(p.why, ERR_CORRUPT);
	CHECK_CONTAINS(p.why.msg, "at offset 0xc ");
	CHECK(!trace_page_next(&p, &r));
}

TEST(a_page_ends_where_no_event_can_be)
{
	broken(1 << 5 | 29, 0xfffffffc, 40); /* padding of -4 bytes, which would be a loop */
	broken(1 << 5 | 29, 0, 40);
	broken(1 << 5 | 29, 64, 40);
	broken(1 << 5, 3, 40);  /* a length that does not hold itself */
	broken(1 << 5, 10, 40); /* none that the kernel rounds to */
	broken(1 << 5, 0x80000000, 40);
	broken(1 << 5 | 20, 0, 40); /* 80 bytes of data */
	broken(1 << 5 | 30, 0, 16); /* half a time */
	broken(1 << 5 | 1, 0, 14);  /* half a header */
}

TEST(a_commit_beyond_the_page_is_cut)
{
	struct made m;
	struct trace_page p;
	struct trace_record r;
	struct err err = { 0 };
	unsigned n = 0;

	start(&m, 8, false, 1);
	event(&m, 1, 2, 1, 1);
	put(&m, 8, 0x7ffffff, 8);
	REQUIRE_OK(trace_page_init(&p, SPAN(m.b, PAGE), 8, false, 0, &err), err);
	CHECK(p.damaged);
	CHECK_U64(p.data.n, PAGE - 16);
	while (trace_page_next(&p, &r))
		n++;
	CHECK_U64(n, 1); /* the word 0 behind it is a long event of length 0 */
	CHECK(!trace_page_init(&p, SPAN(m.b, 15), 8, false, 0, &err));
	CHECK_ERR(err, ERR_FORMAT);
	CHECK(!trace_page_init(&p, SPAN(m.b, PAGE), 2, false, 0, &err));
	REQUIRE_OK(trace_page_init(&p, SPAN(m.b, 16), 8, false, 0, &err), err);
	CHECK_U64(p.data.n, 0);
}

TEST(what_looks_like_a_page)
{
	struct made m;
	struct trace_page p;

	start(&m, 8, false, 1000);
	event(&m, 1, 2, 1, 1);
	REQUIRE(done(&m, &p, 0));
	CHECK(trace_page_plausible(SPAN(m.b, PAGE), 8, false, 100) > 0);
	CHECK(trace_page_plausible(SPAN(m.b, PAGE), 8, false, 100) < 100);
	for (int i = 0; i < 5; i++)
		event(&m, 1, 2, 1, 1);
	REQUIRE(done(&m, &p, 0));
	CHECK_U64((uint64_t)trace_page_plausible(SPAN(m.b, PAGE), 8, false, 100), 100);
	CHECK_U64((uint64_t)trace_page_plausible(SPAN(m.b, PAGE), 8, true, 100), 0);
	event(&m, 1, 2, 101, 1); /* no such type */
	REQUIRE(done(&m, &p, 0));
	CHECK_U64((uint64_t)trace_page_plausible(SPAN(m.b, PAGE), 8, false, 100), 0);
	CHECK_U64((uint64_t)trace_page_plausible(SPAN(m.b, PAGE), 8, false, 0), 100);
	event(&m, 1, 2, 1, 0x80000000); /* no such pid */
	REQUIRE(done(&m, &p, 0));
	CHECK_U64((uint64_t)trace_page_plausible(SPAN(m.b, PAGE), 8, false, 0), 0);
	memset(&m, 0, sizeof(m));
	CHECK_U64((uint64_t)trace_page_plausible(SPAN(m.b, PAGE), 8, false, 0), 0);
	memset(&m.b, 0xff, PAGE);
	CHECK_U64((uint64_t)trace_page_plausible(SPAN(m.b, PAGE), 8, false, 0), 0);
}

TEST_MAIN
