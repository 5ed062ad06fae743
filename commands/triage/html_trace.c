/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last milliseconds of each CPU on a page, as the trace in the dump tells of them: who ran, and
 * what else happened. */
#include <inttypes.h>
#include <string.h>

#include "commands/triage/html.h"
#include "core/base/guard.h"
#include "core/base/markup.h"
#include "core/image/target.h"
#include "core/trace/key.h"
#include "core/trace/print/print.h"
#include "core/trace/timeline.h"

/* In units of the picture. */
#define LEFT 60
#define WIDE 1100 /* of the time */
#define LANE_H 46
#define BAR_H 20
#define LABEL_W 7 /* of a character */

#define WINDOW_NS 100000000u /* the most that is drawn */
#define EVENTS_MOST 2500u
#define EVENTS_LEAST 60u /* a trace of few events is drawn further back */
#define CPUS_MAX 64u
#define COLOURS 8

/* A CPU: who runs on it, as far as events told. */
struct trace_lane_part {
	bool known;
	uint64_t since;
	int32_t pid;
	const char *comm;
	struct buf bars, ticks;
};

struct vec_times {
	VEC(uint64_t) v;
};

struct trace_part {
	struct html *p;
	struct arena scratch;
	struct trace_printer *printer;
	uint64_t since, until;
	VEC(struct trace_lane_part) lanes;
	size_t n, left_out;
	size_t room;
	struct buf text;
};

static unsigned x_of(const struct trace_part *t, uint64_t ts)
{
	uint64_t span = t->until - t->since;

	if (ts < t->since)
		return LEFT;
	return LEFT + (unsigned)((double)(ts - t->since) * WIDE / (double)(span ? span : 1));
}

static void time_before(struct buf *b, uint64_t ns)
{
	buf_printf(b, "%" PRIu64 ".%03" PRIu64 " ms before the last event", ns / 1000000,
		   ns / 1000 % 1000);
}

static struct trace_lane_part *lane_of(struct trace_part *t, int cpu)
{
	if (cpu < 0 || cpu >= (int)CPUS_MAX)
		return NULL;
	while (t->lanes.n <= (size_t)cpu)
		*vec_push(&t->lanes) = (struct trace_lane_part){ .since = t->since };
	return &t->lanes.p[cpu];
}

/* The bar of a task that ran from lane->since until then; idle is what is left between others. */
static void bar_add(struct trace_part *t, struct trace_lane_part *lane, int cpu, uint64_t until)
{
	unsigned x = x_of(t, lane->since), to = x_of(t, until), w = to > x ? to - x : 1;
	unsigned y = (unsigned)cpu * LANE_H + 24;
	struct buf name = { 0 };

	if (!lane->known || !lane->pid)
		return;
	buf_printf(&name, "%s %d", lane->comm, lane->pid);
	buf_str(&lane->bars, "<g><title>"); /* what a pointer shows */
	html_text(&lane->bars, buf_text(&name));
	buf_printf(&lane->bars, " on CPU %d, %" PRIu64 ".%03" PRIu64 " ms, until ", cpu,
		   (until - lane->since) / 1000000, (until - lane->since) / 1000 % 1000);
	time_before(&lane->bars, t->until - until);
	buf_printf(&lane->bars,
		   "</title><rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" class=\"k%u\"/>", x,
		   y, w, BAR_H, (unsigned)lane->pid % COLOURS);
	if (name.n * LABEL_W + 6 < w) {
		buf_printf(&lane->bars, "<text x=\"%u\" y=\"%u\" class=\"in\">", x + 3, y + 14);
		html_text(&lane->bars, buf_text(&name));
		buf_str(&lane->bars, "</text>");
	}
	buf_str(&lane->bars, "</g>\n");
	buf_release(&name);
}

static const char *name_of(struct trace_part *t, const struct trace_event *ev, const char *field)
{
	struct trace_value v;

	return trace_value_of(ev, field, &t->scratch, &v) && v.str
		       ? arena_strdup(t->p->t->scratch, v.str)
		       : "?";
}

static void switch_add(struct trace_part *t, const struct trace_event *ev)
{
	struct trace_lane_part *lane = lane_of(t, ev->cpu);
	struct trace_value prev, next;

	if (!lane || !trace_value_of(ev, "prev_pid", &t->scratch, &prev) || prev.str ||
	    !trace_value_of(ev, "next_pid", &t->scratch, &next) || next.str)
		return;
	if (!lane->known || lane->pid != (int32_t)prev.num) {
		lane->pid = (int32_t)prev.num;
		lane->comm = name_of(t, ev, "prev_comm");
		lane->known = true;
	}
	bar_add(t, lane, ev->cpu, ev->ts);
	lane->since = ev->ts;
	lane->pid = (int32_t)next.num;
	lane->comm = name_of(t, ev, "next_comm");
}

/* An event tells who runs, where no switch did. */
static void runs_here(struct trace_part *t, struct trace_lane_part *lane,
		      const struct trace_event *ev)
{
	if (ev->pid < 0 || (lane->known && lane->pid == ev->pid))
		return;
	bar_add(t, lane, ev->cpu, ev->ts);
	lane->known = true;
	lane->since = ev->ts;
	lane->pid = ev->pid;
	lane->comm = arena_strdup(t->p->t->scratch, trace_comm(ev));
}

static void tick_add(struct trace_part *t, const struct trace_event *ev)
{
	struct trace_lane_part *lane = lane_of(t, ev->cpu);
	unsigned x = x_of(t, ev->ts), y = (unsigned)ev->cpu * LANE_H + 24 + BAR_H;

	if (!lane)
		return;
	runs_here(t, lane, ev);
	buf_reset(&t->text);
	trace_print(t->printer, &t->text, ev);
	buf_str(&lane->ticks, "<g><title>");
	buf_markup(&lane->ticks, buf_text(&t->text), t->text.n < 240 ? t->text.n : 240);
	buf_str(&lane->ticks, ", ");
	time_before(&lane->ticks, t->until - ev->ts);
	buf_printf(&lane->ticks, "</title><path d=\"M%u %uv%u\" class=\"tick\"/></g>\n", x, y + 2,
		   9u);
}

static size_t used(const struct trace_part *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->lanes.n; i++)
		n += t->lanes.p[i].bars.n + t->lanes.p[i].ticks.n;
	return n;
}

/* Sets *ret to the times of the last events, EVENTS_MOST at most. */
static bool last_times(struct target *t, struct trace_select *sel, struct vec_times *ret,
		       struct err *err)
{
	struct arena a = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	uint64_t skip;
	bool ok = timeline_last(t, sel, EVENTS_MOST, &sel->since, &skip, err) &&
		  timeline_open(t, sel, &a, &tl, err);

	while (ok && timeline_next(tl, &ev, err)) {
		if (skip)
			skip--;
		else if (ret->v.n < EVENTS_MOST)
			*vec_push(&ret->v) = ev.ts;
	}
	arena_release(&a);
	return ok && err->code == ERR_OK;
}

/* Functions come by thousands, and tell little in a picture: they are drawn where there is nothing
 * else. */
static bool is_no_function(const struct trace_event *ev, void *arg)
{
	enum trace_kind kind = trace_kind(ev);

	(void)arg;
	return kind != TRACE_KIND_FUNCTION && kind != TRACE_KIND_GRAPH_ENTRY &&
	       kind != TRACE_KIND_GRAPH_EXIT;
}

/* Sets since and until to what is drawn: the last milliseconds, of few events more, of many less.
 */
static bool window_find(struct trace_part *t, struct trace_select *sel, struct err *err)
{
	struct vec_times times = { 0 };
	bool ok = last_times(t->p->t, sel, &times, err);
	size_t n;

	if (ok && !times.v.n) {
		*sel = (struct trace_select){ 0 };
		ok = last_times(t->p->t, sel, &times, err);
	}
	n = times.v.n;

	if (ok && n) {
		uint64_t least = times.v.p[n > EVENTS_LEAST ? n - EVENTS_LEAST : 0];

		t->until = times.v.p[n - 1];
		t->since = t->until > WINDOW_NS ? t->until - WINDOW_NS : 0;
		t->since = least < t->since ? least : t->since;
		t->since = times.v.p[0] > t->since ? times.v.p[0] : t->since;
		sel->since = t->since;
	}
	vec_release(&times.v);
	return ok && n;
}

static bool events_add(struct trace_part *t, struct trace_select *sel, struct err *err)
{
	struct arena a = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	struct err damage;
	bool ok = timeline_open(t->p->t, sel, &a, &tl, err);

	while (ok && timeline_next(tl, &ev, err)) {
		if (ev.ts < t->since)
			continue;
		t->n++;
		if (ev.cpu >= (int)CPUS_MAX || used(t) > t->room) {
			t->left_out++;
			continue;
		}
		if (!strcmp(ev.name, "sched_switch"))
			switch_add(t, &ev);
		else
			tick_add(t, &ev);
		arena_reset(&t->scratch);
	}
	if (ok && timeline_damage(tl, &damage))
		html_note(&damage, t->p);
	arena_release(&a);
	return ok && !err->code;
}

/* A span with the unit in which it has few digits. */
static void span_add(struct buf *b, uint64_t ns)
{
	if (ns < 2000000000)
		buf_printf(b, "%" PRIu64 ".%02" PRIu64 " ms", ns / 1000000, ns / 10000 % 100);
	else
		buf_printf(b, "%" PRIu64 ".%02" PRIu64 " s", ns / 1000000000, ns / 10000000 % 100);
}

static void axis_add(struct trace_part *t, struct buf *b, unsigned height)
{
	uint64_t span = t->until - t->since;

	for (unsigned i = 0; i <= 10; i++) {
		unsigned x = LEFT + WIDE / 10 * i;

		buf_printf(b, "<path d=\"M%u 16V%u\" class=\"%s\"/>", x, height,
			   i == 10 ? "end" : "axis");
		buf_printf(b, "<text x=\"%u\" y=\"12\">%s", x - 24, i == 10 ? "" : "-");
		if (i == 10)
			buf_str(b, "end");
		else
			span_add(b, span - span / 10 * i);
		buf_str(b, "</text>\n");
	}
}

static void picture_add(struct trace_part *t, struct buf *b)
{
	unsigned height = (unsigned)t->lanes.n * LANE_H + 24;

	buf_printf(b,
		   "<div class=\"picture\"><svg class=\"lanes\" role=\"img\" viewBox=\"0 0 %u %u\" "
		   "width=\"%u\" height=\"%u\">\n",
		   LEFT + WIDE + 30, height, LEFT + WIDE + 30, height);
	axis_add(t, b, height);
	for (size_t i = 0; i < t->lanes.n; i++) {
		buf_printf(b, "<text x=\"2\" y=\"%zu\">CPU %zu</text>\n", i * LANE_H + 38, i);
		bar_add(t, &t->lanes.p[i], (int)i, t->until);
		buf_add(b, buf_text(&t->lanes.p[i].bars), t->lanes.p[i].bars.n);
		buf_add(b, buf_text(&t->lanes.p[i].ticks), t->lanes.p[i].ticks.n);
	}
	buf_str(b, "</svg></div>\n");
	buf_str(b, "<p class=\"soft\">The last ");
	span_add(b, t->until - t->since);
	buf_printf(
		b,
		" of the trace. Bars are who ran, by sched_switch and by whose events there are; between them a CPU was idle, or nobody "
		"told. Strokes are other events; %zu events in all",
		t->n - t->left_out);
	if (t->left_out)
		buf_printf(b, "; %zu more were left out", t->left_out);
	buf_str(b, ". A pointer upon them shows more.</p>\n");
}

void html_trace(struct html *p, struct buf *b)
{
	struct trace_part t = { .p = p, .room = HTML_TRACE_MAX };
	struct trace_select sel = { .match = is_no_function };
	const struct traces *all;
	struct err err = { 0 };

	/* who traced nothing misses nothing */
	if (!traces_find(p->t, &all, &err)) {
		if (err_is_absent(err.code))
			html_unseen(p, "trace", err.msg);
		return;
	}
	err.code = ERR_OK;
	t.printer = trace_printer_new();
	if (window_find(&t, &sel, &err) && events_add(&t, &sel, &err) && t.lanes.n) {
		html_section(b, "trace", "The CPUs' last milliseconds");
		picture_add(&t, b);
		html_section_end(b);
	} else if (err.code != ERR_OK && err.code != ERR_NOTFOUND && err.code != ERR_NEED) {
		html_unseen(p, "trace", err.msg);
	}
	trace_printer_release(t.printer);
	for (size_t i = 0; i < t.lanes.n; i++) {
		buf_release(&t.lanes.p[i].bars);
		buf_release(&t.lanes.p[i].ticks);
	}
	vec_release(&t.lanes);
	buf_release(&t.text);
	arena_release(&t.scratch);
}
