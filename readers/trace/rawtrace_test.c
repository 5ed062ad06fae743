/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages alone, of either byte order and word size. */
#include "core/base/test.h"
#include "readers/trace/made_tracedat.h"
#include "readers/trace/trace_fuzz.h"

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

/* Hundreds of damaged pages in a row cost themselves only. */
TEST(many_damaged_pages_in_a_row_are_passed)
{
	enum {
		GOOD = 70, /* more than are looked at to know what the file is */
		BAD = 600
	};
	struct made_dat m = { .word = 8, .page = 4096 };
	struct arena scratch = { 0 }, a = { 0 };
	struct trace_select sel = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	struct target t;
	struct file file;
	struct err err;
	unsigned n = 0;

	for (unsigned i = 0; i < GOOD; i++)
		made_page(&m, &m.b, 5000000 + i * 10000, 0, 7);
	buf_pad(&m.b, '\xff', (size_t)BAD * 4096);
	made_page(&m, &m.b, 9000000, 7, 7);
	target_init(&t, &scratch);
	REQUIRE(open_bytes(&t, &reader_rawtrace, &file, m.b.s, m.b.n, &err));
	REQUIRE(timeline_open(&t, &sel, &a, &tl, &err));
	while (timeline_next(tl, &ev, &err))
		n++;
	CHECK_U64(n, (GOOD + 1) * 7);
	CHECK(timeline_damage(tl, &err));
	target_release(&t);
	arena_release(&a);
	arena_release(&scratch);
	buf_release(&m.b);
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

/* The files of a copied tracefs, each by its path and text; all are one recording. */
struct put {
	struct target t;
	struct arena scratch;
	struct file files[16];
	size_t n;
};

static void put(struct put *x, const char *path, const void *p, size_t n)
{
	struct file *f = &x->files[x->n++];
	struct err err;

	*f = (struct file){ .path = path, .fd = -1, .map = SPAN(p, n) };
	CHECK(reader_rawtrace.probe(f) == 35);
	CHECK_OK(reader_rawtrace.open(&x->t, f, &err), err);
}

static void put_text(struct put *x, const char *path, const char *text)
{
	put(x, path, text, strlen(text));
}

#define HEADER                                                      \
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"  \
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n" \
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n"

/* What stands beside the pages belongs to them, whether it comes before or behind them. */
TEST(the_files_of_tracefs_are_one_recording)
{
	for (unsigned behind = 0; behind < 2; behind++) {
		struct made_dat m = { .word = 8, .page = 4096 };
		const struct trace_format *format;
		const struct recording *rec;
		const struct trace_buffer *b;
		struct trace_symbol sym;
		struct put x = { .n = 0 };

		made_page(&m, &m.b, 5000000, 0, 7);
		target_init(&x.t, &x.scratch);
		for (unsigned turn = 0; turn < 2; turn++) {
			if (turn == behind) {
				put_text(&x, "t/events/clockwork/tick/format", MADE_TICK);
				put_text(&x, "t/events/header_page", HEADER);
				put_text(&x, "t/saved_cmdlines", "41 forty one\n");
				put_text(&x, "t/saved_tgids", "41 40\n");
				put_text(&x, "t/printk_formats", "0xffffffff82000000 : \"a\"\n");
				put_text(&x, "t/kallsyms", "ffffffff81000000 T first\n");
				put_text(&x, "t/trace_clock", "local [counter] mono\n");
				continue;
			}
			put(&x, "t/per_cpu/cpu3/trace_pipe_raw", m.b.s, m.b.n);
			put(&x, "t/per_cpu/cpu12/trace_pipe_raw", m.b.s, m.b.n);
			put(&x, "t/per_cpu/cpu3/snapshot_raw", m.b.s, m.b.n);
			put(&x, "t/instances/side/per_cpu/cpu1/trace_pipe_raw", m.b.s, m.b.n);
			put(&x, "t/instances/raw", m.b.s, m.b.n);
		}
		rec = traces_of(&x.t)->first;
		REQUIRE(rec && !rec->next);
		CHECK_U64(rec->n_buffers, 3);
		b = &rec->buffers[0];
		CHECK_STR(b->name, NULL);
		CHECK(!b->snapshot && b->overwrite);
		CHECK_U64(b->n_lanes, 3);
		CHECK(b->lanes[0].cpu == 3 && b->lanes[1].cpu == 12 && b->lanes[2].cpu == 2);
		CHECK_U64(b->lanes[0].bytes, 4096);
		CHECK_U64(b->lanes[0].overrun, UINT64_MAX);
		CHECK_U64(b->possible, 13);
		CHECK_U64(b->online, 3);
		CHECK_STR(b->clock, "counter");
		CHECK(!b->ns);
		CHECK_U64(b->page_size, 4096);
		CHECK(rec->buffers[1].snapshot && !rec->buffers[1].name);
		CHECK_STR(rec->buffers[2].name, "side");
		CHECK_U64(rec->buffers[2].possible, 2);
		CHECK(!rec->buffers[2].ns);
		format = rec->ops->format(rec, 300);
		REQUIRE(format != NULL);
		CHECK_STR(format->name, "tick");
		CHECK_STR(format->system, "clockwork");
		CHECK_STR(rec->ops->comm(rec, 41), "forty one");
		CHECK(rec->ops->tgid(rec, 41) == 40);
		CHECK_STR(rec->ops->string(rec, UINT64_C(0xffffffff82000000)), "a");
		REQUIRE(rec->ops->symbol(rec, UINT64_C(0xffffffff81000004), &sym));
		CHECK_STR(sym.name, "first");
		target_release(&x.t);
		arena_release(&x.scratch);
		buf_release(&m.b);
	}
}

/* A name that is known, with something else in it; pages that are known by their name alone. */
TEST(names_are_not_enough)
{
	static uint8_t bytes[8192];
	struct made_dat m = { .word = 8, .page = 4096 };
	struct file f = { .path = "kallsyms", .fd = -1, .map = SPAN(bytes, sizeof(bytes)) };

	CHECK(!reader_rawtrace.probe(&f));
	f.map.n = 0;
	CHECK(!reader_rawtrace.probe(&f));
	f.path = "format";
	f.map = SPAN("name: x\n", 8);
	CHECK(!reader_rawtrace.probe(&f));
	f.path = "x_kallsyms";
	f.map = SPAN("ffffffff81000000 T first\n", 25);
	CHECK(!reader_rawtrace.probe(&f));
	made_page(&m, &m.b, 5000000, 0, 7);
	f = (struct file){ .path = "x", .fd = -1, .map = SPAN(m.b.s, 4096) };
	CHECK(reader_rawtrace.probe(&f) == 35);
	f.map.n = 4095;
	CHECK(!reader_rawtrace.probe(&f));
	buf_release(&m.b);
}

/* An event's format is known by its second line, which stands near the begin, and in the file. */
TEST(a_format_by_its_head)
{
	static char bytes[2048];
	struct file f = { .path = "x", .fd = -1, .map = SPAN(bytes, sizeof(bytes)) };

	memset(bytes, '-', sizeof(bytes));
	memcpy(bytes, "name: x", 7);
	memcpy(bytes + 507, "\nID: 7", 6);
	CHECK(reader_rawtrace.probe(&f) != 0);
	f.map.n = 512;
	CHECK(reader_rawtrace.probe(&f) != 0);
	f.map.n = 511; /* what lies behind it in memory is not the file's */
	CHECK(!reader_rawtrace.probe(&f));
	f.map.n = sizeof(bytes);
	memmove(bytes + 508, bytes + 507, 6);
	bytes[507] = '-';
	CHECK(!reader_rawtrace.probe(&f));
	bytes[0] = 'N';
	memcpy(bytes + 7, "\nID: 7", 6);
	CHECK(!reader_rawtrace.probe(&f));
	bytes[0] = 'n';
	CHECK(reader_rawtrace.probe(&f) != 0);
}

TEST_MAIN
