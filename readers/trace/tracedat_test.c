/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.dat of both versions, built by hand (made_tracedat.h): what it says is what is read. */
#include "core/base/test.h"
#include "core/trace/timeline.h"
#include "readers/trace/made_tracedat.h"
#include "readers/trace/trace_fuzz.h"

extern const struct reader reader_tracedat;

struct seen {
	unsigned n, side, damage;
	uint64_t last_ts, b_sum;
	bool ordered;
};

static void count(struct target *t, struct arena *a, struct seen *s)
{
	struct trace_select sel = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	struct err err;

	*s = (struct seen){ .ordered = true };
	REQUIRE(timeline_open(t, &sel, a, &tl, &err));
	while (timeline_next(tl, &ev, &err)) {
		const char *str;
		uint64_t b = 0;

		s->n++;
		s->ordered &= ev.ts >= s->last_ts;
		s->last_ts = ev.ts;
		s->side += ev.buffer->name != NULL;
		if (trace_datum(&ev, "b", a, &b, &str))
			s->b_sum += b;
		CHECK(ev.flags == 1 && ev.preempt == 2);
	}
	while (timeline_damage(tl, &err))
		s->damage++;
}

/* 3 CPUs of 10 ticks; a is 100 * cpu + 0..9, so the sum of b = 2 a is 2 * (3 * 45 + 10 * 300). */
static void whole(struct made_dat m)
{
	struct arena scratch = { 0 }, a = { 0 };
	const struct trace_buffer *top;
	const struct traces *all;
	struct trace_symbol sym;
	struct target t;
	struct seen s;
	struct err err;
	const struct recording *rec;
	struct file file;

	made_dat(&m);
	target_init(&t, &scratch);
	if (!CHECK(open_bytes(&t, &reader_tracedat, &file, m.b.s, m.b.n, &err))) {
		printf("  %s\n", err.msg);
		goto out;
	}
	REQUIRE(traces_find(&t, &all, &err));
	rec = all->first;
	CHECK_U64(t.warnings.n, 0);
	CHECK_U64(rec->n_buffers, 2);
	top = &rec->buffers[0];
	CHECK_U64(top->n_lanes, 2);
	CHECK_U64((uint64_t)top->lanes[1].cpu, 2);
	CHECK_U64(top->lanes[1].entries, 17);
	CHECK_U64(top->lanes[1].overrun, 4);
	CHECK_U64(top->lanes[0].overrun, UINT64_MAX);
	CHECK_STR(top->clock, "global");
	CHECK(top->ns);
	CHECK_STR(rec->buffers[1].name, "side");
	CHECK_U64(rec->buffers[1].n_lanes, 1);
	CHECK_STR(rec->ops->comm(rec, 41), "forty one");
	CHECK_STR(rec->ops->comm(rec, 42), NULL);
	CHECK_STR(rec->ops->string(rec, 0xffffffff82000000), "a\tstring \"%d\"\n");
	REQUIRE(rec->ops->symbol(rec, 0xffffffff81000010, &sym));
	CHECK_STR(sym.name, "first");
	CHECK_U64(sym.offset, 0x10);
	CHECK_U64(sym.size, 0x100);
	REQUIRE(rec->ops->symbol(rec, 0xffffffff81000100, &sym));
	CHECK_STR(sym.module, "amod");
	CHECK(!rec->ops->symbol(rec, 0x1000, &sym));
	count(&t, &a, &s);
	CHECK_U64(s.n, 30);
	CHECK_U64(s.side, 10);
	CHECK_U64(s.b_sum, 2 * (3 * 45 + 10 * 300));
	CHECK(s.ordered);
	CHECK_U64(s.damage, 0);
out:
	target_release(&t);
	arena_release(&a);
	arena_release(&scratch);
	buf_release(&m.b);
}

TEST(every_kind_of_file_says_the_same)
{
	static const char *const packs[] = { "none", "zlib", "zstd" };

	for (unsigned i = 0; i < 4; i++) {
		struct made_dat m = {
			.big = i & 1, .word = i & 2 ? 4 : 8, .pack = "none", .page = 4096
		};

		whole(m);
		m.page = 16384;
		whole(m);
		m.v7 = true;
		for (unsigned k = 0; k < 3; k++) {
			m.pack = packs[k];
			whole(m);
		}
	}
}

/* Every length that a file can be cut to: no crash, never more than is there. */
TEST(a_file_cut_anywhere_gives_what_is_left)
{
	for (unsigned v7 = 0; v7 < 2; v7++) {
		struct made_dat m = { .v7 = v7, .word = 8, .pack = "zstd", .page = 512 };
		unsigned most = 0;

		made_dat(&m);
		for (size_t n = 12; n < m.b.n; n += n < 3000 ? 7 : 61) {
			struct arena scratch = { 0 }, a = { 0 };
			struct target t;
			struct seen s = { 0 };
			struct file file;
			struct err err;

			target_init(&t, &scratch);
			if (open_bytes(&t, &reader_tracedat, &file, m.b.s, n, &err)) {
				count(&t, &a, &s);
				CHECK(s.n < 30 || n + m.page >= m.b.n);
				most = s.n > most ? s.n : most;
			}
			target_release(&t);
			arena_release(&a);
			arena_release(&scratch);
		}
		/* v7 has its directory at the end, and its pages are found without */
		CHECK(most >= 25);
		buf_release(&m.b);
	}
}

/* The first event's time, the clock and the number of warnings of a file with these options. */
static void with_options(struct made_dat m, uint64_t ts, const char *clock, bool ns,
			 size_t warnings)
{
	struct arena scratch = { 0 }, a = { 0 };
	struct trace_select sel = { 0 };
	const struct traces *all;
	struct trace_event ev;
	struct timeline *tl;
	struct target t;
	struct file file;
	struct err err;

	made_dat(&m);
	target_init(&t, &scratch);
	REQUIRE(CHECK_OK(open_bytes(&t, &reader_tracedat, &file, m.b.s, m.b.n, &err), err));
	REQUIRE(traces_find(&t, &all, &err));
	CHECK_STR(all->first->buffers[0].clock, clock);
	CHECK(all->first->buffers[0].ns == ns);
	CHECK_U64(t.warnings.n, warnings);
	REQUIRE(timeline_open(&t, &sel, &a, &tl, &err));
	REQUIRE(timeline_next(tl, &ev, &err));
	CHECK_U64(ev.ts, ts);
	target_release(&t);
	arena_release(&a);
	arena_release(&scratch);
	buf_release(&m.b);
	buf_release(&m.extra);
}

/* trace-cmd.dat.v7.5.txt: DATE and OFFSET are texts, of microseconds and nanoseconds, that are
 * added to every time; TSC2NSEC is a multiplier, a shift and an offset; TRACECLOCK is tracefs' file
 * or a name alone; TIME_SHIFT a guest's way to its host's time. The first tick is at 1000000. */
TEST(options_are_taken)
{
	for (unsigned i = 0; i < 8; i++) {
		struct made_dat v = { .big = i & 1, .v7 = i & 2, .word = 8, .page = 4096 }, m;
		const char *clock = v.v7 ? "global" : NULL;
		struct buf o = { 0 };

		v.pack = i & 4 ? "zlib" : "none";
		m = v;
		made_option(&m, &m.extra, 1, "0x2", 4);
		made_option(&m, &m.extra, 7, "500", 4);
		with_options(m, 1002500, clock ? clock : "global", true, 0);
		m = v;
		made_int(&m, &o, 3, 4);
		made_int(&m, &o, 1, 4);
		made_int(&m, &o, 0, 8);
		made_option(&m, &m.extra, 14, o.s, o.n);
		made_option(&m, &m.extra, 7, "-1", 3);
		with_options(m, 1499999, "global", true, 0);
		m = v;
		o.n -= 8; /* cut short: nothing is made of it */
		made_option(&m, &m.extra, 14, o.s, o.n);
		with_options(m, 1000000, "global", true, 0);
		m = v;
		made_option(&m, &m.extra, 4, "x86-tsc", 8);
		with_options(m, 1000000, clock ? clock : "x86-tsc", v.v7, 0);
		m = v;
		made_option(&m, &m.extra, 4, "local [counter] mono", 21);
		with_options(m, 1000000, clock ? clock : "counter", v.v7, 0);
		m = v;
		made_option(&m, &m.extra, 12, "", 0);
		made_option(&m, &m.extra, 200, "what", 4);
		with_options(m, 1000000, "global", true, 1);
		buf_release(&o);
	}
}

/* What no reader of these versions can make sense of. */
TEST(heads_that_make_no_sense_are_refused)
{
	static const struct {
		size_t at;
		uint8_t value;
		enum err_code code;
	} v[] = {
		{ 2, 'x', ERR_FORMAT },       { 10, '5', ERR_UNSUPPORTED },
		{ 11, '6', ERR_UNSUPPORTED }, { 13, 5, ERR_FORMAT },
		{ 15, 0, ERR_FORMAT },        { 17, 2, ERR_FORMAT },
		{ 18, 'Z', ERR_UNSUPPORTED },
	};

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		struct made_dat m = { .v7 = true, .word = 8, .pack = "zlib", .page = 4096 };
		struct arena scratch = { 0 };
		struct target t;
		struct file file;
		struct err err;

		made_dat(&m);
		m.b.s[v[i].at] = (char)v[i].value;
		target_init(&t, &scratch);
		CHECK(!open_bytes(&t, &reader_tracedat, &file, m.b.s, m.b.n, &err));
		if (v[i].at >= 10)
			CHECK_ERR(err, v[i].code);
		target_release(&t);
		arena_release(&scratch);
		buf_release(&m.b);
	}
}

/* One chunk of five ticks that is damaged: it is told, and the chunk behind it is read. */
TEST(a_damaged_chunk_is_one_chunk)
{
	struct made_dat m = { .v7 = true, .word = 8, .pack = "zlib", .page = 4096 };
	struct arena scratch = { 0 }, a = { 0 };
	size_t at = 4096;
	struct target t;
	struct file file;
	struct seen s;
	struct err err;

	made_dat(&m);
	while (at < m.b.n && load_le32((const uint8_t *)m.b.s + at) != 2) /* its lane's chunks */
		at += 4096;
	REQUIRE(at < m.b.n);
	m.b.s[at + 12 + 4] ^= 0x55;
	target_init(&t, &scratch);
	REQUIRE(CHECK_OK(open_bytes(&t, &reader_tracedat, &file, m.b.s, m.b.n, &err), err));
	count(&t, &a, &s);
	CHECK_U64(s.n, 25);
	CHECK_U64(s.damage, 1);
	target_release(&t);
	arena_release(&a);
	arena_release(&scratch);
	buf_release(&m.b);
}

/* Sub-buffers of 64 bytes to 16 MiB; where the header page says its own size, that is what counts.
 */
TEST(pages_have_a_size)
{
	static const struct {
		uint32_t size;
		bool taken;
	} v[] = { { 0, false },
		  { 63, false },
		  { 64, true },
		  { 1 << 24, true },
		  { (1 << 24) + 1, false },
		  { UINT32_MAX, false } };

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		struct made_dat m = { .v7 = true, .word = 8, .pack = "none", .page = 4096 };
		struct arena scratch = { 0 };
		struct target t;
		struct file file;
		struct err err;

		made_dat(&m);
		made_patch(&m, &m.b, 14, v[i].size, 4);
		target_init(&t, &scratch);
		if (!CHECK(open_bytes(&t, &reader_tracedat, &file, m.b.s, m.b.n, &err) ==
			   v[i].taken))
			printf("  of %u bytes\n", v[i].size);
		target_release(&t);
		arena_release(&scratch);
		buf_release(&m.b);
	}
}

/* A recording of none is damage, and not one in which nothing happened. */
TEST(a_machine_has_a_cpu)
{
	struct made_dat m = { .word = 8, .page = 4096 };
	struct arena scratch = { 0 };
	const char *options;
	struct target t;
	struct file file;
	struct err err;

	made_dat(&m);
	options = memmem(m.b.s, m.b.n, "options  ", 10);
	REQUIRE(options != NULL);
	made_patch(&m, &m.b, (size_t)(options - m.b.s) - 4, 0, 4);
	target_init(&t, &scratch);
	CHECK(open_bytes(&t, &reader_tracedat, &file, m.b.s, m.b.n, &err));
	REQUIRE(t.warnings.n == 2);
	CHECK_CONTAINS(t.warnings.p[0].text, "instance 'side': a table of no CPUs");
	CHECK_CONTAINS(t.warnings.p[1].text, "a table of no CPUs");
	target_release(&t);
	arena_release(&scratch);
	buf_release(&m.b);
}

/* The chain of a v7 file's options: a last one that points back to the first would never end, and
 * what is no section of options ends it. */
TEST(options_may_not_run_in_a_circle)
{
	for (unsigned back = 0; back < 2; back++) {
		struct made_dat m = { .v7 = true, .word = 8, .pack = "none", .page = 4096 };
		struct arena scratch = { 0 };
		struct target t;
		struct file file;
		struct err err;
		uint64_t options;

		made_dat(&m);
		options = load_le64((const uint8_t *)m.b.s + 12 + 6 + 5 + 2);
		/* the last option's last eight bytes are where the next section is */
		made_patch(&m, &m.b, m.b.n - 8, back ? options : 8, 8);
		target_init(&t, &scratch);
		CHECK(open_bytes(&t, &reader_tracedat, &file, m.b.s, m.b.n, &err));
		REQUIRE(t.warnings.n == 1);
		CHECK_CONTAINS(t.warnings.p[0].text, "circle");
		target_release(&t);
		arena_release(&scratch);
		buf_release(&m.b);
	}
}

TEST_MAIN
