/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.dat of both versions, built by hand (made_tracedat.h): what it says is what is read. */
#include "core/base/test.h"
#include "core/trace/timeline.h"
#include "readers/made_tracedat.h"
#include "readers/trace_fuzz.h"

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
		/* v7 has its directory at the end: cut, nothing is left */
		CHECK(v7 || most >= 25);
		buf_release(&m.b);
	}
}

TEST_MAIN
