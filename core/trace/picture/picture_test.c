/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of a recording that is made here. What must be seen follows from who runs when: it is
 * written beside the events. */
#include "core/trace/picture/picture.h"

#include <string.h>

#include "core/base/test.h"
#include "core/image/target.h"

/* An event of text, as a trace file has it. */
struct said {
	int cpu;
	uint64_t ts;
	int32_t pid;
	const char *comm, *name, *text;
	uint64_t lost;
};
static const struct said *said;

static bool fake_open(struct trace_reader *r, struct arena *a, struct err *err)
{
	(void)err;
	r->self = ARENA_NEW(a, size_t);
	return true;
}

static bool fake_next(struct trace_reader *r, struct trace_event *ret, struct err *err)
{
	size_t *next = r->self;

	(void)err;
	while (said[*next].name && said[*next].cpu != r->lane->cpu)
		++*next;
	if (!said[*next].name)
		return false;
	ret->ts = said[*next].ts;
	ret->pid = said[*next].pid;
	ret->comm = said[*next].comm;
	ret->name = said[*next].name;
	ret->text = said[*next].text;
	ret->lost = said[*next].lost;
	++*next;
	return true;
}

static const struct recording_ops ops = { .open = fake_open, .next = fake_next };

static void no_note(const struct err *damage, void *arg)
{
	(void)damage, (void)arg;
}

struct shown {
	struct arena scratch, a;
	struct target t;
	struct recording rec;
	struct trace_buffer buffer;
	struct trace_lane lanes[2];
	struct picture p;
	struct buf svg;
	bool off; /* it is a dump's, and was recording no more */
};

/* Draws these events, up to one without a name, from `since` to `until`. */
static void show(struct shown *s, const struct said *events, uint64_t since, uint64_t until)
{
	static const struct trace_select all;
	struct trace_printer *printer = trace_printer_new();
	struct err err = { 0 };

	target_init(&s->t, &s->scratch);
	said = events;
	s->rec = (struct recording){ .t = &s->t, .origin = "made", .word_size = 8, .ops = &ops };
	for (int i = 0; i < 2; i++) {
		s->lanes[i].cpu = i;
		s->lanes[i].entries = 1;
	}
	s->buffer = (struct trace_buffer){ .recording = &s->rec,
					   .clock = "local",
					   .ns = true,
					   .tracing_on = !s->off,
					   .shows = TRACE_SHOW_DEFAULT,
					   .lanes = s->lanes,
					   .n_lanes = 2 };
	s->rec.buffers = &s->buffer;
	s->rec.n_buffers = 1;
	traces_add(&s->t, &s->rec);
	s->p.a = &s->a;
	s->p.since = since;
	s->p.until = until;
	CHECK(picture_take(&s->p, &s->t, &all, printer, no_note, NULL, &err));
	picture_svg(&s->p, &s->svg);
	trace_printer_release(printer);
}

static void shown_release(struct shown *s)
{
	picture_release(&s->p);
	buf_release(&s->svg);
	arena_release(&s->a);
	target_release(&s->t);
	arena_release(&s->scratch);
}

/* "name-pid@from-to" of a row, with a blank behind each; microseconds. */
static const char *bars(struct shown *s, int cpu, size_t row)
{
	struct buf b = { 0 };
	const char *ret;

	for (size_t i = 0; s->p.lanes[cpu] && i < s->p.lanes[cpu]->rows[row].n; i++) {
		const struct picture_bar *bar = &s->p.lanes[cpu]->rows[row].p[i];

		buf_printf(&b, "%s-%d@%u-%u%s ", bar->name ? bar->name : "", bar->pid,
			   (unsigned)(bar->from / 1000), (unsigned)(bar->to / 1000),
			   bar->open ? "..." : "");
	}
	ret = arena_strdup(&s->a, buf_text(&b));
	buf_release(&b);
	return ret;
}

/* "why@from-to" of what is not known of a CPU; microseconds. */
static const char *gaps(struct shown *s, int cpu)
{
	static const char *const why[] = { [PICTURE_LOST] = "lost",
					   [PICTURE_BEFORE] = "before",
					   [PICTURE_SILENT] = "silent",
					   [PICTURE_QUIET] = "quiet",
					   [PICTURE_OFF] = "off" };
	struct buf b = { 0 };
	const char *ret;

	for (size_t i = 0; s->p.lanes[cpu] && i < s->p.lanes[cpu]->gaps.n; i++) {
		const struct picture_gap *gap = &s->p.lanes[cpu]->gaps.p[i];

		buf_printf(&b, "%s@%u-%u ", why[gap->why], (unsigned)(gap->from / 1000),
			   (unsigned)(gap->to / 1000));
	}
	ret = arena_strdup(&s->a, buf_text(&b));
	buf_release(&b);
	return ret;
}

#define SWITCH(prev, prev_pid, next, next_pid)                                                   \
	"sched_switch", "prev_comm=" prev " prev_pid=" #prev_pid                                 \
			" prev_prio=120 prev_state=S ==> next_comm=" next " next_pid=" #next_pid \
			" next_prio=120"
#define US 1000u
#define MS 1000000u

/* CPU 0 runs a task until 100, is idle until 300, runs another until the end. On CPU 1 somebody
 * wakes the other one at 250. */
static const struct said turns[] = {
	{ 0, 100 * US, 7, "frob", SWITCH("frob", 7, "swapper/0", 0), 0 },
	{ 1, 250 * US, 8, "waker", "sched_waking", "comm=late pid=9 prio=120 target_cpu=000", 0 },
	{ 1, 255 * US, 8, "waker", "sched_wakeup", "comm=late pid=9 prio=120 target_cpu=000", 0 },
	{ 0, 300 * US, 0, "swapper/0", SWITCH("swapper/0", 0, "late", 9), 0 },
	{ 0, 0, 0, NULL, NULL, NULL, 0 }
};

TEST(who_ran_when)
{
	struct shown s = { 0 };

	show(&s, turns, 0, 1000 * US);
	/* since when frob had run before its switch nobody recorded */
	CHECK_STR(bars(&s, 0, PICTURE_TASK), "frob-7@100-100 late-9@300-1000 ");
	CHECK_STR(bars(&s, 0, PICTURE_IDLE), "idle-0@100-300 ");
	CHECK_STR(gaps(&s, 0), "silent@0-100 ");
	CHECK_STR(bars(&s, 1, PICTURE_TASK), "waker-8@250-1000 ");
	CHECK_STR(gaps(&s, 1), "silent@0-250 ");
	/* from the first word of its waking to its turn */
	CHECK_U64(s.p.arrows.n, 1);
	CHECK(s.p.arrows.n && s.p.arrows.p[0].from == 250 * US && s.p.arrows.p[0].to == 300 * US &&
	      s.p.arrows.p[0].from_cpu == 1 && s.p.arrows.p[0].to_cpu == 0);
	CHECK(strstr(buf_text(&s.svg),
		     "late-9 was woken on CPU 1 at 0.000250, and ran 50.000 us later") ||
	      strstr(buf_text(&s.svg),
		     "late-9 was woken on CPU 1 at 0.000250, and ran 0.050 ms later"));
	/* a fifth of 1100 units, behind 64 and a tenth */
	CHECK(strstr(buf_text(&s.svg), "x=\"174\" y=\"28\" width=\"220\"") != NULL);
	shown_release(&s);
}

TEST(interrupts_stand_above_and_may_not_end)
{
	static const struct said events[] = {
		{ 0, 100 * US, 7, "frob", "softirq_entry", "vec=1 [action=TIMER]", 0 },
		{ 0, 150 * US, 7, "frob", "irq_handler_entry", "irq=11 name=arch_timer", 0 },
		{ 0, 170 * US, 7, "frob", "irq_handler_exit", "irq=11 ret=handled", 0 },
		{ 0, 200 * US, 7, "frob", "softirq_exit", "vec=1 [action=TIMER]", 0 },
		{ 0, 300 * US, 7, "frob", "irq_handler_entry", "irq=5 name=disk", 0 },
		{ 0, 0, 0, NULL, NULL, NULL, 0 }
	};
	struct shown s = { 0 };

	show(&s, events, 0, 1000 * US);
	CHECK_STR(bars(&s, 0, PICTURE_IRQ), "arch_timer-0@150-170 disk-0@300-1000... ");
	CHECK_STR(bars(&s, 0, PICTURE_SOFTIRQ), "TIMER-0@100-200 ");
	CHECK_STR(bars(&s, 0, PICTURE_TASK), "frob-7@100-1000 ");
	shown_release(&s);
}

/* Between 100 and 400 somebody may have run whom no event tells of. */
TEST(what_was_lost_is_hatched)
{
	static const struct said events[] = { { 0, 50 * US, 7, "frob", "frob_begins", "a=1", 0 },
					      { 0, 100 * US, 7, "frob", "frob_event", "a=1", 0 },
					      { 0, 400 * US, 7, "frob", "frob_event", "a=2", 12 },
					      { 0, 0, 0, NULL, NULL, NULL, 0 } };
	struct shown s = { 0 };

	show(&s, events, 0, 1000 * US);
	CHECK_STR(bars(&s, 0, PICTURE_TASK), "frob-7@50-100 frob-7@400-1000 ");
	CHECK_STR(gaps(&s, 0), "silent@0-50 lost@100-400 ");
	CHECK(strstr(buf_text(&s.svg), "<title>12 events were lost</title>") != NULL);
	CHECK(strstr(buf_text(&s.svg), "class=\"lost\"") != NULL);
	shown_release(&s);
}

/* Before 100 ms of silence a task was switched to, and another CPU became idle: neither is said to
 * have gone on, for no CPU tells of it. Where the other CPU's events go on, recording did, and the
 * task ran on. */
TEST(silence_is_not_idle)
{
	static const struct said events[] = {
		{ 0, 10 * MS, 0, "swapper/0", SWITCH("swapper/0", 0, "frob", 7), 0 },
		{ 1, 20 * MS, 8, "other", SWITCH("other", 8, "swapper/1", 0), 0 },
		{ 1, 120 * MS, 0, "swapper/1", SWITCH("swapper/1", 0, "other", 8), 0 },
		{ 0, 130 * MS, 7, "frob", SWITCH("frob", 7, "swapper/0", 0), 0 },
		{ 1, 165 * MS, 8, "other", "frob_event", "a=1", 0 },
		{ 0, 200 * MS, 0, "swapper/0", SWITCH("swapper/0", 0, "frob", 7), 0 },
		{ 0, 0, 0, NULL, NULL, NULL, 0 }
	};
	struct shown s = { 0 };

	show(&s, events, 0, 200 * MS);
	CHECK_STR(gaps(&s, 0), "silent@0-10000 quiet@20000-130000 ");
	CHECK_STR(gaps(&s, 1), "silent@0-20000 quiet@20000-120000 ");
	CHECK_STR(bars(&s, 0, PICTURE_TASK),
		  "frob-7@10000-20000 frob-7@130000-130000 frob-7@200000-200000 ");
	CHECK_STR(bars(&s, 0, PICTURE_IDLE), "idle-0@10000-10000 idle-0@130000-200000 ");
	CHECK_STR(bars(&s, 1, PICTURE_TASK), "other-8@20000-20000 other-8@120000-200000 ");
	CHECK(strstr(buf_text(&s.svg),
		     "no event of any CPU for 110.000 ms: all were idle, or nothing "
		     "was recorded") != NULL);
	shown_release(&s);
}

/* Without a switch in the recording, a task's events far apart tell nothing of between; with one,
 * who was switched to runs until the next. */
TEST(who_ran_without_switches_is_known_near_events)
{
	static const struct said events[] = { { 0, 1 * MS, 7, "frob", "frob_event", "a=1", 0 },
					      { 0, 2 * MS, 7, "frob", "frob_event", "a=1", 0 },
					      { 1, 20 * MS, 8, "other", "frob_event", "a=1", 0 },
					      { 0, 30 * MS, 7, "frob", "frob_event", "a=1", 0 },
					      { 0, 0, 0, NULL, NULL, NULL, 0 } };
	struct shown s = { 0 };

	show(&s, events, 0, 30 * MS);
	CHECK_STR(bars(&s, 0, PICTURE_TASK), "frob-7@1000-2000 frob-7@30000-30000 ");
	CHECK_STR(gaps(&s, 0), "silent@0-1000 silent@2000-30000 ");
	shown_release(&s);
}

/* Of the events some are left out by a choice that tells tasks apart: whom a switch led to may have
 * left by a switch that is not shown. */
TEST(chosen_events_tell_less)
{
	struct shown s = { .p.some = true };

	show(&s, turns, 0, 1000 * US);
	CHECK_STR(bars(&s, 0, PICTURE_IDLE), "idle-0@100-100 idle-0@300-300 ");
	/* a moment of the idle task at 100 and at 300, and nothing else */
	CHECK_STR(gaps(&s, 0), "silent@0-1000 ");
	shown_release(&s);
}

/* Events before the picture tell what it begins with, and are not in it. */
TEST(what_was_before_is_known)
{
	struct shown s = { 0 };

	show(&s, turns, 200 * US, 1000 * US);
	CHECK_STR(bars(&s, 0, PICTURE_IDLE), "idle-0@100-300 ");
	CHECK_STR(gaps(&s, 0), "");
	CHECK_U64(s.p.events, 3);
	shown_release(&s);
}

/* A dump whose recording had ended says nothing of the time behind its last event. */
TEST(recording_that_was_off)
{
	struct shown s = { .off = true };

	show(&s, turns, 0, 1000 * US);
	CHECK_STR(gaps(&s, 0), "silent@0-100 off@300-1000 ");
	CHECK_STR(gaps(&s, 1), "silent@0-250 off@300-1000 ");
	CHECK(strstr(buf_text(&s.svg), "<title>recording was off</title>") != NULL);
	shown_release(&s);
}

/* CPU 1 is in the recording, and has no event. */
TEST(a_cpu_without_events_is_told)
{
	static const struct said events[] = { { 0, 100 * US, 7, "frob", "frob_event", "a=1", 0 },
					      { 0, 0, 0, NULL, NULL, NULL, 0 } };
	struct shown s = { 0 };
	struct buf legend = { 0 };

	show(&s, events, 0, 1000 * US);
	CHECK_U64(s.p.n_silent, 1);
	CHECK(strstr(buf_text(&s.svg), "CPU 1: no event in this time") != NULL);
	picture_legend(&s.p, &legend);
	CHECK(strstr(buf_text(&legend), "There is no event of CPU 1 in this time.") != NULL);
	buf_release(&legend);
	shown_release(&s);
}

/* A recording of beginnings alone: how long a softirq took is not known. */
TEST(beginnings_without_ends_are_moments)
{
	static const struct said events[] = {
		{ 0, 100 * US, 7, "frob", "softirq_entry", "vec=1 [action=TIMER]", 0 },
		{ 0, 500 * US, 7, "frob", "softirq_entry", "vec=7 [action=SCHED]", 0 },
		{ 0, 900 * US, 7, "frob", "softirq_entry", "vec=9 [action=RCU]", 0 },
		{ 0, 0, 0, NULL, NULL, NULL, 0 }
	};
	struct shown s = { 0 };

	show(&s, events, 0, 1000 * US);
	CHECK_STR(bars(&s, 0, PICTURE_SOFTIRQ), "TIMER-0@100-100 SCHED-0@500-500 RCU-0@900-900 ");
	CHECK(strstr(buf_text(&s.svg), "its end was not recorded") != NULL);
	shown_release(&s);
}

/* A name that is cut is seen to be. */
TEST(names_are_cut_visibly)
{
	static const struct said events[] = {
		{ 0, 100 * US, 0, "swapper/0", SWITCH("swapper/0", 0, "a-long-name", 7), 0 },
		{ 0, 150 * US, 7, "a-long-name", SWITCH("a-long-name", 7, "swapper/0", 0), 0 },
		{ 0, 0, 0, NULL, NULL, NULL, 0 }
	};
	struct shown s = { 0 };

	/* 55 units: seven letters of seven units and a margin */
	show(&s, events, 0, 1000 * US);
	CHECK(strstr(buf_text(&s.svg), ">a-long\342\200\246</text>") != NULL);
	shown_release(&s);
}

/* A clock that was set back: the picture still begins before it ends. */
TEST(clocks_may_go_back)
{
	static const struct said events[] = { { 0, 900 * US, 7, "frob", "frob_event", "a=1", 0 },
					      { 0, 100 * US, 7, "frob", "frob_event", "a=2", 0 },
					      { 0, 0, 0, NULL, NULL, NULL, 0 } };
	static const struct trace_select all;
	struct shown s = { 0 };
	struct err err = { 0 };
	uint64_t since, until;

	show(&s, events, 0, 1000 * US);
	CHECK_U64(s.p.events, 2);
	/* that frob ran from 100 to 900, or on to the end, nobody tells */
	CHECK_STR(bars(&s, 0, PICTURE_TASK), "frob-7@900-900 frob-7@100-100 ");
	CHECK_U64(s.p.back, 1);
	CHECK(picture_window(&s.t, &all, &since, &until, &err));
	CHECK(since <= until && until == 900 * US);
	shown_release(&s);
}

/* A million events on one CPU: no more shapes than a browser can bear, and none is forgotten. */
TEST(many_are_drawn_as_one)
{
	enum {
		N = 100000
	};
	struct said *events = xrealloc(NULL, (N + 1) * sizeof(*events));
	struct shown s = { 0 };
	size_t n = 0, strokes;

	for (size_t i = 0; i < N; i++)
		events[i] =
			(struct said){ (int)(i % 2), i * 10, 7, "frob", "frob_event", "a=1", 0 };
	events[N] = (struct said){ 0 };
	show(&s, events, 0, N * 10);
	for (int cpu = 0; cpu < 2; cpu++) {
		strokes = s.p.lanes[cpu]->rows[PICTURE_MARK].n;
		CHECK(strokes > 100 && strokes <= 1101);
		for (size_t i = 0; i < strokes; i++)
			n += s.p.lanes[cpu]->rows[PICTURE_MARK].p[i].n;
	}
	CHECK_U64(n, N);
	CHECK_U64(s.p.events, N);
	shown_release(&s);
	s = (struct shown){ .p.shapes_max = 100 };
	show(&s, events, 0, N * 10);
	strokes = s.p.lanes[0]->rows[PICTURE_MARK].n + s.p.lanes[1]->rows[PICTURE_MARK].n;
	CHECK(strokes <= 100 && strokes > 20);
	shown_release(&s);
	free(events);
}

/* Names that are markup stay text. */
TEST(names_are_no_markup)
{
	static const struct said events[] = { { 0, 100 * US, 7, "</title><script>", "print",
						"<img src=x onerror=alert(1)>", 0 },
					      { 0, 0, 0, NULL, NULL, NULL, 0 } };
	struct shown s = { 0 };

	show(&s, events, 0, 1000 * US);
	CHECK(!strstr(buf_text(&s.svg), "<script") && !strstr(buf_text(&s.svg), "<img"));
	CHECK(strstr(buf_text(&s.svg), "&lt;script&gt;") != NULL);
	shown_release(&s);
}

/* One moment: no time to divide by. */
TEST(a_moment_has_a_picture)
{
	static const struct said events[] = { { 1, 100 * US, 7, "frob", "frob_event", "a=1", 0 },
					      { 0, 0, 0, NULL, NULL, NULL, 0 } };
	struct shown s = { 0 };

	show(&s, events, 100 * US, 100 * US);
	CHECK_U64(s.p.events, 1);
	CHECK(strstr(buf_text(&s.svg), "</svg>") != NULL);
	shown_release(&s);
}

TEST_MAIN
