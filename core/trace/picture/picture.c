/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a picture shows, taken from the events of a recording. */
#include "core/trace/picture/picture.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/map.h"
#include "core/trace/key.h"
#include "core/trace/row.h"

#define WINDOW_NS 100000000u
#define EVENTS_MOST 20000u
#define EVENTS_LEAST 60u
/* A bar narrower than one of so many parts of the time is drawn as one with what is beside it. */
#define GRAINS 1100u
#define TASKS_MAX 10000u
#define ARROWS_MAX 200u
#define TEXT_MAX 240u /* bytes of a row that are shown */

struct open_call {
	uint64_t func, since;
};
/* The functions that a task is in, outermost first. */
struct task_calls {
	size_t depth;
	struct open_call calls[PICTURE_DEPTH];
};
struct open_bar {
	const char *name; /* NULL: none is open */
	uint64_t since;
};
/* What a CPU is doing as events are taken. */
struct picture_now {
	bool begun; /* its beginning was looked for */
	bool known; /* who runs */
	uint64_t since, last;
	int32_t pid;
	const char *comm;
	struct open_bar irq, softirq;
	struct task_calls calls; /* of the task that runs */
};
/* Of a task: when it was woken, and where; waits: it has not run since. */
struct woken {
	uint64_t ts;
	int cpu;
	bool waits;
};
struct gathering {
	struct picture *p;
	struct trace_printer *printer;
	struct arena scratch;
	struct buf text;
	struct map waking; /* by pid, to the place in woken + 1 */
	VEC(struct woken) woken;
	struct map tasks; /* by pid, to its struct task_calls */
	struct strmap names;
	const struct recording *rec;
	uint64_t grain;
	uint64_t last;
};

/* ---- which part of the recording */

bool picture_window(struct target *t, const struct trace_select *wanted, uint64_t *since,
		    uint64_t *until, struct err *err)
{
	struct trace_select sel = *wanted;
	struct arena a = { 0 };
	VEC(uint64_t) times = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	uint64_t skip;
	bool ok = timeline_last(t, &sel, EVENTS_MOST, &sel.since, &skip, err) &&
		  timeline_open(t, &sel, &a, &tl, err);

	while (ok && timeline_next(tl, &ev, err)) {
		if (skip)
			skip--;
		else if (times.n < EVENTS_MOST)
			*vec_push(&times) = ev.ts;
	}
	ok = ok && err->code == ERR_OK && times.n;
	if (ok) {
		uint64_t least = times.p[times.n > EVENTS_LEAST ? times.n - EVENTS_LEAST : 0];

		*until = times.p[times.n - 1];
		*since = *until > WINDOW_NS ? *until - WINDOW_NS : 0;
		*since = least < *since ? least : *since;
		*since = times.p[0] > *since ? times.p[0] : *since;
	}
	vec_release(&times);
	arena_release(&a);
	return ok;
}

/* ---- bars */

/* A name that is kept once. */
static const char *keep(struct gathering *g, const char *name)
{
	bool isnew;
	const uint64_t *at = strmap_get(&g->names, name);
	char *kept;

	if (at)
		return (const char *)(uintptr_t)*at;
	kept = arena_strdup(g->p->a, name);
	*strmap_put(&g->names, kept, &isnew) = (uintptr_t)kept;
	return kept;
}

/* Is it too narrow to be seen alone, and beside the last one, which is that as well? */
static bool joins(const struct picture_bar *last, uint64_t from, uint64_t to, uint64_t grain)
{
	bool narrow = last->n > 1 || last->to - last->from < grain;

	return narrow && to - from < grain && from < last->to + grain &&
	       to - last->from < 2 * grain;
}

/* The bar, if it is drawn as one of its own; NULL: it joined the one before. */
static struct picture_bar *bar_add(struct gathering *g, struct picture_lane *lane, size_t row,
				   uint64_t from, uint64_t to)
{
	struct picture_bar *last =
		lane->rows[row].n ? &lane->rows[row].p[lane->rows[row].n - 1] : NULL;

	if (to < from)
		to = from;
	if (last && joins(last, from, to, g->grain)) {
		last->to = to > last->to ? to : last->to;
		last->busy += to - from;
		last->n++;
		g->p->merged++;
		return NULL;
	}
	last = vec_push(&lane->rows[row]);
	*last = (struct picture_bar){ .from = from, .to = to, .busy = to - from, .n = 1 };
	return last;
}

static void task_bar(struct gathering *g, struct picture_lane *lane, uint64_t to)
{
	struct picture_now *now = lane->now;
	struct picture_bar *bar;

	/* idle is what is left between the others */
	if (!now->known || !now->pid)
		return;
	bar = bar_add(g, lane, PICTURE_TASK, now->since, to);
	if (bar) {
		bar->pid = now->pid;
		bar->name = now->comm;
	}
}

static const char *function_name(struct gathering *g, uint64_t func)
{
	const struct trace_value v = { .num = func, .how = TRACE_SYMBOL };

	const char *s;

	buf_reset(&g->text);
	trace_value_text(&g->text, g->rec, &v);
	s = buf_text(&g->text);
	/* the tracer's call stands a few bytes behind the function's start */
	return keep(g, arena_strndup(&g->scratch, s, strcspn(s, "+")));
}

static void call_bar(struct gathering *g, struct picture_lane *lane, size_t depth, uint64_t to,
		     bool open)
{
	const struct open_call *call = &lane->now->calls.calls[depth];
	struct picture_bar *bar = bar_add(g, lane, PICTURE_CALL + depth, call->since, to);

	if (bar) {
		bar->pid = lane->now->pid;
		bar->name = function_name(g, call->func);
		bar->open = open;
	}
}

/* ---- who runs */

static struct task_calls *calls_of(struct gathering *g, int32_t pid, int cpu)
{
	/* every CPU has an idle task of its own, and all of these are number 0 */
	uint64_t key = pid ? (uint32_t)pid : UINT64_C(1) << 32 | (unsigned)cpu;
	uint64_t *at = map_get(&g->tasks, key);

	if (!at && g->tasks.n >= TASKS_MAX)
		return NULL;
	if (!at) {
		at = map_put(&g->tasks, key, NULL);
		*at = (uintptr_t)ARENA_NEW(g->p->a, struct task_calls);
	}
	return (struct task_calls *)(uintptr_t)*at;
}

/* What the task that ran was in goes on when it runs again. */
static void runs(struct gathering *g, struct picture_lane *lane, int32_t pid, const char *comm,
		 uint64_t ts)
{
	struct picture_now *now = lane->now;
	struct task_calls *calls;

	if (now->known && now->pid == pid)
		return;
	task_bar(g, lane, ts);
	if (now->known) {
		for (size_t i = 0; i < now->calls.depth && i < PICTURE_DEPTH; i++)
			call_bar(g, lane, i, ts, false);
		calls = calls_of(g, now->pid, lane->cpu);
		if (calls)
			*calls = now->calls;
	}
	calls = calls_of(g, pid, lane->cpu);
	now->calls.depth = 0;
	if (calls)
		now->calls = *calls;
	for (size_t i = 0; i < now->calls.depth && i < PICTURE_DEPTH; i++)
		now->calls.calls[i].since = ts;
	now->known = true;
	now->pid = pid;
	now->comm = comm;
	now->since = ts;
}

static void close_bar(struct gathering *g, struct picture_lane *lane, size_t row,
		      struct open_bar *open, uint64_t to, bool ended)
{
	struct picture_bar *bar = open->name ? bar_add(g, lane, row, open->since, to) : NULL;

	if (bar) {
		bar->name = open->name;
		bar->open = !ended;
	}
	open->name = NULL;
}

/* Ends all that a CPU was doing at that time; what had not ended by itself is marked open. */
static void close_all(struct gathering *g, struct picture_lane *lane, uint64_t ts, bool open)
{
	struct picture_now *now = lane->now;

	task_bar(g, lane, ts);
	for (size_t i = 0; now->known && i < now->calls.depth && i < PICTURE_DEPTH; i++)
		call_bar(g, lane, i, ts, open);
	close_bar(g, lane, PICTURE_IRQ, &now->irq, ts, !open);
	close_bar(g, lane, PICTURE_SOFTIRQ, &now->softirq, ts, !open);
	now->known = false;
	now->calls.depth = 0;
}

static bool number_of(struct gathering *g, const struct trace_event *ev, const char *name,
		      uint64_t *ret)
{
	struct trace_value v;

	if (!trace_value_of(ev, name, &g->scratch, &v) || v.str)
		return false;
	*ret = v.num;
	return true;
}

static const char *name_of(struct gathering *g, const struct trace_event *ev, const char *field)
{
	struct trace_value v;

	return trace_value_of(ev, field, &g->scratch, &v) && v.str ? keep(g, v.str) : "?";
}

static int by_length(const void *a, const void *b)
{
	const struct picture_arrow *x = a, *y = b;
	uint64_t m = x->to - x->from, n = y->to - y->from;

	return m != n ? (m < n ? 1 : -1) : (x->from > y->from) - (x->from < y->from);
}

static void arrow_add(struct gathering *g, const struct trace_event *ev, int32_t pid,
		      const char *comm)
{
	struct picture *p = g->p;
	uint64_t *at = map_get(&g->waking, (uint32_t)pid);
	struct woken *from = at ? &g->woken.p[*at - 1] : NULL;

	if (!from || !from->waits)
		return;
	from->waits = false;
	if (p->arrows.n == 2 * (size_t)ARROWS_MAX) {
		qsort(p->arrows.p, p->arrows.n, sizeof(*p->arrows.p), by_length);
		p->arrows.n = ARROWS_MAX;
	}
	*vec_push(&p->arrows) = (struct picture_arrow){ .from = from->ts,
							.to = ev->ts,
							.from_cpu = from->cpu,
							.to_cpu = ev->cpu,
							.pid = pid,
							.name = comm };
}

static void switches(struct gathering *g, struct picture_lane *lane, const struct trace_event *ev)
{
	uint64_t prev, next;

	if (!number_of(g, ev, "prev_pid", &prev) || !number_of(g, ev, "next_pid", &next))
		return;
	/* who is switched from ran before, though no event told */
	if (!lane->now->known)
		lane->now->since = lane->now->last;
	if (!lane->now->known || lane->now->pid != (int32_t)prev) {
		lane->now->pid = (int32_t)prev;
		lane->now->comm = name_of(g, ev, "prev_comm");
		lane->now->known = true;
	}
	runs(g, lane, (int32_t)next, name_of(g, ev, "next_comm"), ev->ts);
	arrow_add(g, ev, (int32_t)next, lane->now->comm);
}

static void wakes(struct gathering *g, const struct trace_event *ev)
{
	uint64_t pid, *at;
	struct woken *w;

	if (!number_of(g, ev, "pid", &pid) || !pid)
		return;
	at = map_get(&g->waking, (uint32_t)pid);
	if (!at && g->waking.n >= TASKS_MAX)
		return;
	if (!at) {
		(void)vec_push(&g->woken);
		at = map_put(&g->waking, (uint32_t)pid, NULL);
		*at = g->woken.n;
	}
	w = &g->woken.p[*at - 1];
	/* sched_waking comes first, and sched_wakeup tells of the same */
	if (!w->waits)
		*w = (struct woken){ ev->ts, ev->cpu, true };
}

/* ---- functions */

static void calls(struct gathering *g, struct picture_lane *lane, const struct trace_event *ev,
		  bool entry)
{
	struct task_calls *c = &lane->now->calls;
	uint64_t func, since;

	if (!number_of(g, ev, "func", &func))
		return;
	if (entry) {
		if (c->depth < PICTURE_DEPTH)
			c->calls[c->depth] = (struct open_call){ func, ev->ts };
		c->depth++;
		return;
	}
	if (c->depth) {
		c->depth--;
		if (c->depth < PICTURE_DEPTH)
			call_bar(g, lane, c->depth, ev->ts, false);
		return;
	}
	/* it began before the first event that is drawn, and what it called is drawn at its depth
	 */
	if (!number_of(g, ev, "calltime", &since) || since > ev->ts || since < g->p->since)
		since = lane->now->since > g->p->since ? lane->now->since : g->p->since;
	c->calls[0] = (struct open_call){ func, since };
	call_bar(g, lane, 0, ev->ts, false);
}

/* ---- interrupts */

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

/* "vec=1 [action=TIMER]": what the kernel calls it. */
static const char *action_of(struct gathering *g, const struct trace_event *ev)
{
	const char *p;

	buf_reset(&g->text);
	trace_print(g->printer, &g->text, ev);
	p = strstr(buf_text(&g->text), "action=");
	p = p ? p + strlen("action=") : buf_text(&g->text);
	return keep(g, arena_strndup(&g->scratch, p, strcspn(p, " ]")));
}

/* False: it is neither the beginning nor the end of an interrupt. */
static bool interrupts(struct gathering *g, struct picture_lane *lane, const struct trace_event *ev)
{
	struct picture_now *now = lane->now;
	uint64_t vector;

	if (!strcmp(ev->name, "irq_handler_entry")) {
		close_bar(g, lane, PICTURE_IRQ, &now->irq, ev->ts, true);
		now->irq = (struct open_bar){ name_of(g, ev, "name"), ev->ts };
	} else if (!strcmp(ev->name, "irq_handler_exit")) {
		close_bar(g, lane, PICTURE_IRQ, &now->irq, ev->ts, true);
	} else if (!strcmp(ev->name, "softirq_entry")) {
		close_bar(g, lane, PICTURE_SOFTIRQ, &now->softirq, ev->ts, true);
		now->softirq = (struct open_bar){ action_of(g, ev), ev->ts };
	} else if (!strcmp(ev->name, "softirq_exit")) {
		close_bar(g, lane, PICTURE_SOFTIRQ, &now->softirq, ev->ts, true);
	} else if (ends_with(ev->name, "_entry") && number_of(g, ev, "vector", &vector)) {
		/* x86's own interrupts: local_timer_entry, reschedule_entry ... */
		close_bar(g, lane, PICTURE_IRQ, &now->irq, ev->ts, true);
		now->irq = (struct open_bar){
			keep(g, arena_strndup(&g->scratch, ev->name, strlen(ev->name) - 6)), ev->ts
		};
	} else if (ends_with(ev->name, "_exit") && number_of(g, ev, "vector", &vector)) {
		close_bar(g, lane, PICTURE_IRQ, &now->irq, ev->ts, true);
	} else {
		return false;
	}
	return true;
}

/* ---- one event after another */

static struct picture_lane *lane_of(struct gathering *g, const struct trace_event *ev)
{
	struct picture *p = g->p;
	struct picture_lane *lane;

	if (ev->cpu < 0 || ev->cpu >= (int)PICTURE_CPUS_MAX)
		return NULL;
	lane = p->lanes[ev->cpu];
	if (!lane) {
		lane = ARENA_NEW(p->a, struct picture_lane);
		lane->now = ARENA_NEW(p->a, struct picture_now);
		lane->cpu = ev->cpu;
		lane->now->last = lane->now->since = p->since;
		p->lanes[ev->cpu] = lane;
		p->n_lanes++;
	}
	return lane;
}

/* The part of a lane that was overwritten before anybody read it, up to its first event. */
static void begin_of_lane(struct gathering *g, struct picture_lane *lane,
			  const struct trace_event *ev)
{
	const struct trace_buffer *buffer = ev->buffer;

	for (size_t i = 0; i < buffer->n_lanes; i++) {
		const struct trace_lane *l = &buffer->lanes[i];

		if (l->cpu == ev->cpu && l->overrun && l->overrun != UINT64_MAX &&
		    l->first_ts > g->p->since && l->first_ts <= ev->ts) {
			*vec_push(&lane->gaps) =
				(struct picture_gap){ g->p->since, l->first_ts, 0 };
			lane->now->last = lane->now->since = l->first_ts;
		}
	}
}

static void mark(struct gathering *g, struct picture_lane *lane, const struct trace_event *ev)
{
	enum trace_kind kind = trace_kind(ev);
	struct picture_bar *bar = bar_add(g, lane, PICTURE_MARK, ev->ts, ev->ts);

	if (!bar)
		return;
	buf_reset(&g->text);
	trace_row(g->printer, &g->text, ev);
	bar->text = arena_strndup(g->p->a, buf_text(&g->text),
				  g->text.n < TEXT_MAX ? g->text.n : TEXT_MAX);
	bar->note =
		kind == TRACE_KIND_PRINT || kind == TRACE_KIND_BPRINT || kind == TRACE_KIND_BPUTS;
	bar->pid = ev->pid;
}

static void take(struct gathering *g, const struct trace_event *ev)
{
	struct picture_lane *lane = lane_of(g, ev);
	enum trace_kind kind = trace_kind(ev);

	if (!lane) {
		g->p->left_out++;
		return;
	}
	g->p->events++;
	g->rec = ev->buffer->recording;
	if (ev->lost) {
		close_all(g, lane, lane->now->last, false);
		*vec_push(&lane->gaps) = (struct picture_gap){ lane->now->last, ev->ts, ev->lost };
		lane->now->last = lane->now->since = ev->ts;
	} else if (!lane->now->begun) {
		begin_of_lane(g, lane, ev);
	}
	lane->now->begun = true;
	if (!strcmp(ev->name, "sched_switch")) {
		switches(g, lane, ev);
	} else {
		if (ev->pid >= 0 && (!lane->now->known || lane->now->pid != ev->pid))
			runs(g, lane, ev->pid, keep(g, trace_comm(ev)), ev->ts);
		if (kind == TRACE_KIND_GRAPH_ENTRY || kind == TRACE_KIND_GRAPH_EXIT)
			calls(g, lane, ev, kind == TRACE_KIND_GRAPH_ENTRY);
		else if (!interrupts(g, lane, ev))
			mark(g, lane, ev);
		if (!strcmp(ev->name, "sched_waking") || !strcmp(ev->name, "sched_wakeup") ||
		    !strcmp(ev->name, "sched_wakeup_new"))
			wakes(g, ev);
	}
	lane->now->last = ev->ts;
}

bool picture_take(struct picture *p, struct target *t, const struct trace_select *wanted,
		  struct trace_printer *printer, void (*note)(const struct err *damage, void *arg),
		  void *arg, struct err *err)
{
	struct trace_select sel = *wanted;
	struct gathering g = { .p = p, .printer = printer };
	struct arena a = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	struct err damage;
	bool ok;

	g.grain = (p->until - p->since) / GRAINS;
	g.grain = g.grain ? g.grain : 1;
	sel.since = p->since;
	sel.until = p->until + 1;
	ok = timeline_open(t, &sel, &a, &tl, err);
	while (ok && timeline_next(tl, &ev, err)) {
		if (ev.ts < p->since || ev.ts > p->until)
			continue;
		take(&g, &ev);
		arena_reset(&g.scratch);
	}
	while (ok && timeline_damage(tl, &damage))
		note(&damage, arg);
	for (size_t i = 0; i < PICTURE_CPUS_MAX; i++)
		if (p->lanes[i])
			close_all(&g, p->lanes[i], p->until, true);
	if (p->arrows.n)
		qsort(p->arrows.p, p->arrows.n, sizeof(*p->arrows.p), by_length);
	if (p->arrows.n > ARROWS_MAX)
		p->arrows.n = ARROWS_MAX;
	map_release(&g.waking);
	map_release(&g.tasks);
	strmap_release(&g.names);
	vec_release(&g.woken);
	buf_release(&g.text);
	arena_release(&g.scratch);
	arena_release(&a);
	return ok && !err->code;
}

void picture_release(struct picture *p)
{
	for (size_t i = 0; i < PICTURE_CPUS_MAX; i++)
		if (p->lanes[i]) {
			for (size_t k = 0; k < PICTURE_ROWS; k++)
				vec_release(&p->lanes[i]->rows[k]);
			vec_release(&p->lanes[i]->gaps);
		}
	vec_release(&p->arrows);
}
