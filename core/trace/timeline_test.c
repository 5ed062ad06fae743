/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timelines over a recording that is made here: two CPUs, times known. */
#include "core/trace/timeline.h"

#include <string.h>

#include "core/base/test.h"
#include "core/image/target.h"
#include "core/trace/decode.h"
#include "core/trace/replay.h"
#include "core/trace/row.h"

/* Times of each CPU's events, in their order; 0 ends. Both have one at 300. */
static const uint64_t times[2][8] = { { 100, 300, 300, 700, 0 }, { 50, 300, 650, 900, 1000, 0 } };

struct place {
	size_t next;
};

static bool fake_open(struct trace_reader *r, struct arena *a, struct err *err)
{
	struct place *p = ARENA_NEW(a, struct place);

	(void)err;
	r->self = p;
	/* pages of two events: the page that holds the first one wanted */
	while (r->want.since && times[r->lane->cpu][p->next + 2] &&
	       times[r->lane->cpu][p->next + 2] < r->want.since)
		p->next += 2;
	return true;
}

static bool fake_next(struct trace_reader *r, struct trace_event *ret, struct err *err)
{
	struct place *p = r->self;

	(void)err;
	if (!times[r->lane->cpu][p->next])
		return false;
	ret->ts = times[r->lane->cpu][p->next];
	ret->pid = (int32_t)(10 * (r->lane->cpu + 1) + (int)p->next);
	ret->name = p->next % 2 ? "odd" : "even";
	ret->system = "fake";
	ret->text = "said";
	p->next++;
	return true;
}

static const struct recording_ops ops = { .open = fake_open, .next = fake_next };

struct fixture {
	struct target t;
	struct arena scratch, a;
	struct recording rec;
	struct trace_buffer buffers[2];
	struct trace_lane lanes[2];
};

static void setup(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	target_init(&f->t, &f->scratch);
	f->rec = (struct recording){ .t = &f->t, .origin = "made", .word_size = 8, .ops = &ops };
	f->lanes[0] = (struct trace_lane){ .cpu = 0, .entries = 4 };
	f->lanes[1] = (struct trace_lane){ .cpu = 1, .entries = 5 };
	f->buffers[0] = (struct trace_buffer){ .recording = &f->rec,
					       .clock = "local",
					       .ns = true,
					       .shows = TRACE_SHOW_DEFAULT,
					       .lanes = f->lanes,
					       .n_lanes = 2 };
	/* the same lanes again, in a clock that counts something else */
	f->buffers[1] = f->buffers[0];
	f->buffers[1].name = "other";
	f->buffers[1].clock = "counter";
	f->buffers[1].ns = false;
	f->rec.buffers = f->buffers;
	f->rec.n_buffers = 2;
	traces_add(&f->t, &f->rec);
}

static void teardown(struct fixture *f)
{
	arena_release(&f->a);
	target_release(&f->t);
	arena_release(&f->scratch);
}

/* "0@100 1@300 ": CPU and time of all that is selected */
static const char *played(struct fixture *f, const struct trace_select *sel)
{
	struct buf b = { 0 };
	struct timeline *tl;
	struct trace_event ev;
	struct err err = { 0 };
	const char *ret;

	if (!timeline_open(&f->t, sel, &f->a, &tl, &err))
		return err.msg[0] ? arena_strdup(&f->a, err.msg) : "?";
	while (timeline_next(tl, &ev, &err))
		buf_printf(&b, "%d@%u ", ev.cpu, (unsigned)ev.ts);
	ret = arena_strdup(&f->a, buf_text(&b));
	buf_release(&b);
	return ret;
}

TEST(order)
{
	struct trace_select sel = { 0 };
	const struct trace_buffer *other;
	struct timeline *tl;
	struct fixture f;
	struct err err;

	setup(&f);
	/* by time; of the same time the lower CPU's first */
	CHECK_STR(played(&f, &sel), "1@50 0@100 0@300 0@300 1@300 1@650 0@700 1@900 1@1000 ");
	CHECK(timeline_open(&f.t, &sel, &f.a, &tl, &err));
	CHECK(timeline_others(tl, &other) == 1 && !strcmp(other->name, "other"));
	sel.instance = "other";
	CHECK_STR(played(&f, &sel), "1@50 0@100 0@300 0@300 1@300 1@650 0@700 1@900 1@1000 ");
	sel.instance = "nobody";
	CHECK(strstr(played(&f, &sel), "nobody") != NULL);
	teardown(&f);
}

TEST(select)
{
	static const bool cpus[] = { false, true };
	static const int32_t pids[] = { 11, 23 };
	static const char *const odd[] = { "fake:o*" }, *const system[] = { "fake" },
				 *const none[] = { "sched:*" };
	struct trace_select sel = { .since = 300, .until = 700 };
	struct fixture f;

	setup(&f);
	CHECK_STR(played(&f, &sel), "0@300 0@300 1@300 1@650 0@700 ");
	sel = (struct trace_select){ .cpus = cpus, .n_cpus = 2, .until = 650 };
	CHECK_STR(played(&f, &sel), "1@50 1@300 1@650 ");
	/* the second of CPU 0 has pid 11, the fourth of CPU 1 has 23 */
	sel = (struct trace_select){ .pids = pids, .n_pids = 2 };
	CHECK_STR(played(&f, &sel), "0@300 1@900 ");
	sel = (struct trace_select){ .events = odd, .n_events = 1, .until = 300 };
	CHECK_STR(played(&f, &sel), "0@300 1@300 ");
	sel = (struct trace_select){ .events = system, .n_events = 1, .until = 50 };
	CHECK_STR(played(&f, &sel), "1@50 ");
	sel = (struct trace_select){ .events = none, .n_events = 1 };
	CHECK_STR(played(&f, &sel), "");
	teardown(&f);
}

TEST(last)
{
	struct trace_select sel = { 0 };
	uint64_t skip, end;
	struct fixture f;
	struct err err;

	setup(&f);
	CHECK(timeline_end(&f.t, &sel, &end, &err) && end == 1000);
	/* the window's start may be written into the selection itself */
	CHECK(timeline_last(&f.t, &sel, 2, &sel.since, &skip, &err));
	CHECK(sel.since <= 900);
	{
		const char *s = played(&f, &sel);

		for (; skip; skip--)
			s = strchr(s, ' ') + 1;
		CHECK_STR(s, "1@900 1@1000 ");
	}
	/* more than there are: all */
	sel = (struct trace_select){ 0 };
	CHECK(timeline_last(&f.t, &sel, 100, &sel.since, &skip, &err) && !skip);
	CHECK_STR(played(&f, &sel), "1@50 0@100 0@300 0@300 1@300 1@650 0@700 1@900 1@1000 ");
	teardown(&f);
}

TEST(peek)
{
	struct trace_select sel = { 0 };
	struct trace_event ev, next;
	struct timeline *tl;
	struct fixture f;
	struct err err;

	setup(&f);
	CHECK(timeline_open(&f.t, &sel, &f.a, &tl, &err));
	CHECK(!timeline_peek(tl, &next)); /* nothing was handed out yet */
	CHECK(timeline_next(tl, &ev, &err) && ev.ts == 50);
	CHECK(timeline_peek(tl, &next) && next.cpu == 1 && next.ts == 300);
	CHECK(timeline_next_time(tl) == 100);
	/* peeked at and dropped: CPU 1 goes on at 650 */
	timeline_drop(tl);
	for (int i = 0; i < 3; i++)
		CHECK(timeline_next(tl, &ev, &err) && ev.cpu == 0);
	CHECK(timeline_next(tl, &ev, &err) && ev.cpu == 1 && ev.ts == 650);
	teardown(&f);
}

TEST(replay)
{
	struct trace_select sel = { 0 };
	const struct replay_cpu *const *cpus;
	struct trace_event ev;
	struct replay *r;
	struct fixture f;
	struct err err = { 0 };

	setup(&f);
	CHECK(replay_open(&f.t, &sel, &f.a, &r, &err));
	CHECK(replay_to(r, 4, &ev, &err) && ev.cpu == 1 && ev.ts == 300);
	CHECK(replay_number(r) == 5);
	CHECK(replay_cpus(r, &cpus) == 2 && cpus[0]->running.pid == 12 &&
	      cpus[1]->running.pid == 21);
	/* back: the same events, the state as it was then */
	CHECK(replay_to(r, 1, &ev, &err) && ev.cpu == 0 && ev.ts == 100);
	CHECK(replay_cpus(r, &cpus) == 2 && cpus[0]->running.pid == 10 &&
	      cpus[1]->running.pid == 20);
	CHECK(replay_to_time(r, 660, &ev, &err) && ev.ts == 700);
	CHECK(replay_to_time(r, 60, &ev, &err) && ev.ts == 100);
	CHECK(!replay_to(r, 9, &ev, &err) && !err.code);
	replay_close(r);
	teardown(&f);
}

/* kernel/trace/trace_output.c, trace_print_lat_fmt(); ns2usecs() rounds to the nearest */
TEST(row)
{
	struct fixture f;
	struct trace_event ev = { .ts = 12345678500,
				  .cpu = 3,
				  .pid = 42,
				  .comm = "worker",
				  .name = "wake",
				  .text = "x=1",
				  .flags = TRACE_FLAG_IRQS_OFF | TRACE_FLAG_NEED_RESCHED |
					   TRACE_FLAG_HARDIRQ,
				  .preempt = 0x12 };
	struct buf b = { 0 };

	setup(&f);
	ev.buffer = &f.buffers[0];
	trace_row(NULL, &b, &ev);
	CHECK_STR(buf_text(&b), "          worker-42      [003] dnh21    12.345679: wake: x=1");
	buf_reset(&b);
	ev.lost = 7;
	CHECK(trace_row_lost(&b, &ev));
	CHECK_STR(buf_text(&b), "CPU:3 [LOST 7 EVENTS]");
	CHECK(trace_mark_of(10000) == ' ' && trace_mark_of(10001) == '+');
	CHECK(trace_mark_of(1000001) == '#' && trace_mark_of(2000000000) == '$');
	buf_release(&b);
	teardown(&f);
}

/* trace_print_lat_fmt() of 5.10, 6.1 and 7.2: which letters, and how many. */
TEST(letters_of_flags)
{
	static const struct {
		unsigned shows;
		uint8_t flags, preempt;
		const char *letters;
	} cases[] = {
		{ 0, 0, 0, "....." },
		{ 0, 0x81, 0x21, "D..12" },
		{ 0, 0x80, 0xf0, "b...f" },
		{ 0, 0x02, 0, ".l..." },
		{ 0, 0x06, 0, ".b..." },
		{ 0, 0x22, 0, ".L..." },
		{ 0, 0x27, 2, "dB.2." },
		{ 0, 0x24, 0, ".N..." },
		{ 0, 0x20, 0, ".p..." },
		{ 0, 0x04, 0, ".n..." },
		{ 0, 0x48, 0, "..Z.." },
		{ 0, 0x50, 0, "..z.." },
		{ 0, 0x18, 0, "..H.." },
		{ 0, 0x10, 0, "..s.." },
		{ TRACE_SHOW_NO_LAZY, 0x02, 0, "X...." },
		{ TRACE_SHOW_NO_LAZY, 0x27, 1, "dN.1." },
		{ TRACE_SHOW_NO_LAZY | TRACE_SHOW_NO_BH | TRACE_SHOW_NO_MIGRATE, 0x09, 3, "d.h3" },
		{ TRACE_SHOW_NO_LAZY | TRACE_SHOW_NO_BH | TRACE_SHOW_NO_MIGRATE, 0, 0, "...." },
		/* %x of all eight bits */
		{ TRACE_SHOW_NO_LAZY | TRACE_SHOW_NO_BH | TRACE_SHOW_NO_MIGRATE, 0, 0x10, "...10" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct trace_buffer buffer = { .shows = cases[i].shows };
		struct trace_event ev = { .buffer = &buffer,
					  .flags = cases[i].flags,
					  .preempt = cases[i].preempt };
		char letters[TRACE_FLAGS_SIZE];

		trace_flags(&ev, letters);
		CHECK_STR(letters, cases[i].letters);
	}
}

/* What kernels with the patches of PREEMPT_RT record in bytes of their own, as the headers of
 * Debian's packages linux-headers-5.10.0-32-common-rt and linux-headers-6.1.0-57-common-rt have
 * enum trace_flag_type and struct trace_entry, and the letters that such kernels printed. Of 5.10
 * 0x80 is the lazy need, 0x20 as everywhere; bytes 8 and 9 are the two depths. Of 6.1 0x20 is the
 * lazy need, and byte 8 the lazy depth. Both have 0x02 for nothing. */
TEST(letters_of_real_time)
{
	static const struct trace_common v5 = { .lazy_flag = 0x80, .lazy_at = 9, .migrate_at = 8 };
	static const struct trace_common v6 = { .lazy_flag = 0x20, .lazy_at = 8 };
	static const struct {
		const struct trace_common *common;
		uint8_t data[12]; /* type, flags, preempt_count, pid, and what follows */
		const char *letters;
	} cases[] = {
		{ &v5, { 1, 0, 0x01, 1, 7, 0, 0, 0, 0, 0 }, "d...1.." },
		{ &v5, { 1, 0, 0x2d, 1, 7, 0, 0, 0, 0, 0 }, "dN.h1.." },
		{ &v5, { 1, 0, 0x25, 3, 7, 0, 0, 0, 1, 1 }, "dN..311" },
		{ &v5, { 1, 0, 0x90, 0, 7, 0, 0, 0, 2, 1 }, "..Ls.12" },
		{ &v6, { 1, 0, 0x0d, 1, 7, 0, 0, 0, 0 }, "dn.h1.." },
		{ &v6, { 1, 0, 0x11, 0x31, 7, 0, 0, 0, 1 }, "d..s113" },
		{ &v6, { 1, 0, 0xa1, 0x24, 7, 0, 0, 0, 1 }, "D.L.412" },
		/* a probe's event of which only the size was set */
		{ &v6, { 1, 0, 0xff, 0xff, 7, 0, 0, 0, 0xff }, "DnLZffff" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct recording rec = { .common = *cases[i].common };
		struct trace_buffer buffer = { .recording = &rec,
					       .shows =
						       TRACE_SHOW_DEFAULT | TRACE_SHOW_LAZY_DEPTH };
		struct trace_event ev = { .buffer = &buffer };
		char letters[TRACE_FLAGS_SIZE];

		trace_decode_context(&rec, SPAN(cases[i].data, sizeof(cases[i].data)), &ev);
		trace_flags(&ev, letters);
		CHECK_STR(letters, cases[i].letters);
	}
}

/* What kernels 5.10 and 6.1 with these patches printed. */
TEST(heads_of_real_time)
{
	struct trace_buffer buffer = { .shows = TRACE_SHOW_DEFAULT | TRACE_SHOW_LAZY_DEPTH };
	struct buf b = { 0 };

	trace_head(&b, &buffer, TRACE_VIEW_ROWS);
	CHECK_STR(buf_text(&b), "#                                _-------=> irqs-off/BH-disabled\n"
				"#                               / _------=> need-resched\n"
				"#                              | / _-----=> need-resched-lazy\n"
				"#                              || / _----=> hardirq/softirq\n"
				"#                              ||| / _---=> preempt-depth\n"
				"#                              |||| / _--=> preempt-lazy-depth\n"
				"#                              ||||| / _-=> migrate-disable\n"
				"#                              |||||| /     delay\n"
				"#           TASK-PID     CPU#  |||||||  TIMESTAMP  FUNCTION\n"
				"#              | |         |   |||||||      |         |\n");
	buf_reset(&b);
	buffer.shows |= TRACE_SHOW_NO_BH;
	trace_head(&b, &buffer, TRACE_VIEW_LATENCY);
	CHECK_STR(buf_text(&b), "#                    _--------=> CPU#            \n"
				"#                   / _-------=> irqs-off        \n"
				"#                  | / _------=> need-resched    \n"
				"#                  || / _-----=> need-resched-lazy\n"
				"#                  ||| / _----=> hardirq/softirq \n"
				"#                  |||| / _---=> preempt-depth   \n"
				"#                  ||||| / _--=> preempt-lazy-depth\n"
				"#                  |||||| / _-=> migrate-disable \n"
				"#                  ||||||| /     delay           \n"
				"#  cmd     pid     |||||||| time  |   caller     \n"
				"#     \\   /        ||||||||  \\    |    /       \n");
	buf_release(&b);
}

/* print_func_help_header_irq() and print_lat_help_header() of 5.10, and of 6.1, for what differs.
 */
TEST(heads_of_kernels)
{
	const unsigned older = TRACE_SHOW_DEFAULT | TRACE_SHOW_NO_BH | TRACE_SHOW_NO_MIGRATE;
	struct trace_buffer buffer = { .shows = older };
	struct buf b = { 0 };

	trace_head(&b, &buffer, TRACE_VIEW_ROWS);
	CHECK_CONTAINS(buf_text(&b), "#                                _-----=> irqs-off\n"
				     "#                               / _----=> need-resched\n"
				     "#                              | / _---=> hardirq/softirq\n"
				     "#                              || / _--=> preempt-depth\n"
				     "#                              ||| /     delay\n"
				     "#           TASK-PID     CPU#  ||||   TIMESTAMP  FUNCTION\n"
				     "#              | |         |   ||||      |         |\n");
	buf_reset(&b);
	trace_head(&b, &buffer, TRACE_VIEW_LATENCY);
	CHECK_STR(buf_text(&b), "#                    _------=> CPU#            \n"
				"#                   / _-----=> irqs-off        \n"
				"#                  | / _----=> need-resched    \n"
				"#                  || / _---=> hardirq/softirq \n"
				"#                  ||| / _--=> preempt-depth   \n"
				"#                  |||| /     delay            \n"
				"#  cmd     pid     ||||| time  |   caller      \n"
				"#     \\   /        |||||  \\    |   /         \n");
	buf_reset(&b);
	buffer.shows = TRACE_SHOW_DEFAULT;
	trace_head(&b, &buffer, TRACE_VIEW_ROWS);
	CHECK_CONTAINS(buf_text(&b),
		       "#                                _-----=> irqs-off/BH-disabled\n");
	CHECK_CONTAINS(buf_text(&b), "#                              ||| / _-=> migrate-disable\n"
				     "#                              |||| /     delay\n"
				     "#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
				     "#              | |         |   |||||     |         |\n");
	buf_release(&b);
}

/* A latency tracer's snapshot has older events, which tracing_iter_reset() steps over and
 * get_total_entries_cpu() does not count: of CPU 0 its third to last, of CPU 1 all. */
TEST(events_before_the_latency_began)
{
	const struct trace_latency latency = {
		.comm = "sh", .pid = 7, .us = 12, .preemption = "server"
	};
	struct trace_select sel = { .instance = "" };
	struct buf b = { 0 };
	struct fixture f;

	setup(&f);
	f.buffers[0].since = 300;
	f.buffers[0].latency = &latency;
	f.lanes[0].overrun = 0;
	f.lanes[1].overrun = 2;
	f.lanes[1].entries = 7;
	CHECK_STR(played(&f, &sel), "0@300 0@300 1@300 1@650 0@700 1@900 1@1000 ");
	trace_head(&b, &f.buffers[0], TRACE_VIEW_LATENCY);
	CHECK_CONTAINS(buf_text(&b), "# latency: 12 us, #7/7, CPU#0");
	/* none is older: what was overwritten counts as written */
	buf_reset(&b);
	f.buffers[0].since = 50;
	trace_head(&b, &f.buffers[0], TRACE_VIEW_LATENCY);
	CHECK_CONTAINS(buf_text(&b), "# latency: 12 us, #9/11, CPU#0");
	/* where none is left there is no head */
	buf_reset(&b);
	f.buffers[0].since = 1001;
	trace_head(&b, &f.buffers[0], TRACE_VIEW_LATENCY);
	CHECK_STR(buf_text(&b), "");
	sel.consumed = true;
	f.buffers[0].since = 300;
	CHECK_STR(played(&f, &sel), "1@50 0@100 0@300 0@300 1@300 1@650 0@700 1@900 1@1000 ");
	buf_release(&b);
	teardown(&f);
}

/* What a kernel 6.12 with PREEMPT_RT printed, and what print_osnoise_headers() and its neighbour
 * of 6.12 have for others. */
TEST(heads_of_noise)
{
	static const char osnoise_rt[] =
		"# tracer: osnoise\n"
		"#\n"
		"#                                _-------=> irqs-off\n"
		"#                               / _------=> need-resched\n"
		"#                              | / _-----=> need-resched-lazy\n"
		"#                              || / _----=> hardirq/softirq\n"
		"#                              ||| / _---=> preempt-depth\n"
		"#                              |||| / _--=> preempt-lazy-depth\n"
		"#                              ||||| / _-=> migrate-disable\n"
		"#                              |||||| /                                               MAX\n"
		"#                              ||||| /                                             SINGLE      Interference counters:\n"
		"#                              |||||||               RUNTIME      NOISE  %% OF CPU  NOISE    +-----------------------------+\n"
		"#           TASK-PID      CPU# |||||||   TIMESTAMP    IN US       IN US  AVAILABLE  IN US     HW    NMI    IRQ   SIRQ THREAD\n"
		"#              | |         |   |||||||      |           |             |    |            |      |      |      |      |      |\n";
	static const char timerlat_rt[] =
		"# tracer: timerlat\n"
		"#\n"
		"#                                _-------=> irqs-off\n"
		"#                               / _------=> need-resched\n"
		"#                              | / _-----=> need-resched-lazy\n"
		"#                              || / _----=> hardirq/softirq\n"
		"#                              ||| / _---=> preempt-depth\n"
		"#                              |||| / _--=> preempt-lazy-depth\n"
		"#                              ||||| / _-=> migrate-disable\n"
		"#                              |||||| /\n"
		"#                              |||||||             ACTIVATION\n"
		"#           TASK-PID      CPU# |||||||   TIMESTAMP    ID            CONTEXT                LATENCY\n"
		"#              | |         |   |||||||      |         |                  |                       |\n";
	static const char osnoise[] =
		"# tracer: osnoise\n"
		"#\n"
		"# osnoise is tainted!\n"
		"#                                _-----=> irqs-off\n"
		"#                               / _----=> need-resched\n"
		"#                              | / _---=> hardirq/softirq\n"
		"#                              || / _--=> preempt-depth\n"
		"#                              ||| / _-=> migrate-disable                         MAX\n"
		"#                              |||| /     delay                                   SINGLE      Interference counters:\n"
		"#                              |||||               RUNTIME      NOISE  %% OF CPU  NOISE    +-----------------------------+\n"
		"#           TASK-PID      CPU# |||||   TIMESTAMP    IN US       IN US  AVAILABLE  IN US     HW    NMI    IRQ   SIRQ THREAD\n"
		"#              | |         |   |||||      |           |             |    |            |      |      |      |      |      |\n";
	static const char timerlat[] =
		"# tracer: timerlat\n"
		"#\n"
		"#                                _-----=> irqs-off\n"
		"#                               / _----=> need-resched\n"
		"#                              | / _---=> hardirq/softirq\n"
		"#                              || / _--=> preempt-depth\n"
		"#                              ||| / _-=> migrate-disable\n"
		"#                              |||| /     delay\n"
		"#                              |||||            ACTIVATION\n"
		"#           TASK-PID      CPU# |||||   TIMESTAMP   ID            CONTEXT                 LATENCY\n"
		"#              | |         |   |||||      |         |                  |                       |\n";
	static const struct {
		const char *tracer, *head;
		unsigned shows;
	} cases[] = {
		{ "osnoise", osnoise_rt, TRACE_SHOW_DEFAULT | TRACE_SHOW_RT },
		{ "timerlat", timerlat_rt, TRACE_SHOW_DEFAULT | TRACE_SHOW_RT },
		{ "osnoise", osnoise, TRACE_SHOW_DEFAULT | TRACE_SHOW_TAINTED },
		{ "timerlat", timerlat, TRACE_SHOW_DEFAULT | TRACE_SHOW_TAINTED },
	};
	struct buf b = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct trace_buffer buffer = { .shows = cases[i].shows,
						     .tracer = cases[i].tracer };

		trace_head(&b, &buffer, TRACE_VIEW_ROWS);
		CHECK_STR(buf_text(&b), cases[i].head);
		buf_reset(&b);
	}
	buf_release(&b);
}

TEST_MAIN
