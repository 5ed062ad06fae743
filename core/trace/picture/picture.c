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
/* Without switches a task is known to have run where its events follow each other so closely. */
#define NEAR_NS 10000000u
/* Where no CPU has an event for ten ticks of 250 a second, nothing may have been recorded. */
#define QUIET_NS 40000000u
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
	bool doubted; /* who runs is known to `doubt` only */
	uint64_t doubt;
	enum picture_why why;
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
	uint64_t grain, near, quiet;
	uint64_t start; /* of what is looked at, which may be before the picture */
	uint64_t last;  /* of all CPUs; 0: none yet */
	bool switches;  /* who runs is told by each switch */
	bool exits[2];  /* ends of interrupts and softirqs are recorded */
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
		uint64_t first = times.p[0];

		/* a clock that was set back has them in another order */
		*until = 0;
		for (size_t i = 0; i < times.n; i++) {
			*until = times.p[i] > *until ? times.p[i] : *until;
			first = times.p[i] < first ? times.p[i] : first;
		}
		*since = *until > WINDOW_NS ? *until - WINDOW_NS : 0;
		*since = least < *since ? least : *since;
		*since = first > *since ? first : *since;
	}
	vec_release(&times);
	arena_release(&a);
	return ok;
}

void picture_end(struct picture *p, uint64_t death)
{
	p->death = death;
	if (death > p->until && death - p->until < (p->until - p->since) / 4)
		p->until = death;
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
	/* what was before the picture tells only what is open when it begins */
	if (to < g->p->since || (to == g->p->since && from < to))
		return NULL;
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

static void gap_add(struct gathering *g, struct picture_lane *lane, uint64_t from, uint64_t to,
		    enum picture_why why, uint64_t lost)
{
	struct picture_gap *last = lane->gaps.n ? &lane->gaps.p[lane->gaps.n - 1] : NULL;

	from = from > g->p->since ? from : g->p->since;
	if (to <= from)
		return;
	if (last && last->why == why && from < last->to + g->grain) {
		last->to = to > last->to ? to : last->to;
		last->lost = last->lost == TRACE_LOST_SOME || lost == TRACE_LOST_SOME
				     ? TRACE_LOST_SOME
				     : last->lost + lost;
		return;
	}
	*vec_push(&lane->gaps) = (struct picture_gap){ from, to, why, lost };
}

/* Who ran up to then, if that is known; for the rest it is told why it is not. */
static void task_bar(struct gathering *g, struct picture_lane *lane, uint64_t to)
{
	struct picture_now *now = lane->now;
	struct picture_bar *bar;

	if (now->doubted)
		gap_add(g, lane, now->doubt, to, now->why, 0);
	if (!now->known || now->doubted)
		return;
	bar = bar_add(g, lane, now->pid ? PICTURE_TASK : PICTURE_IDLE, now->since, to);
	if (bar) {
		bar->pid = now->pid;
		bar->name = now->pid ? now->comm : "idle";
	}
}

/* From then on it is not known who runs, until the CPU's next event. */
static void doubt(struct gathering *g, struct picture_lane *lane, uint64_t from,
		  enum picture_why why)
{
	struct picture_now *now = lane->now;

	if (now->doubted)
		return;
	from = from > now->since ? from : now->since;
	task_bar(g, lane, from);
	now->doubted = true;
	now->doubt = from;
	now->why = why;
}

/* An event tells again. */
static void doubt_ends(struct gathering *g, struct picture_lane *lane, uint64_t ts)
{
	struct picture_now *now = lane->now;

	if (!now->doubted)
		return;
	task_bar(g, lane, ts);
	now->doubted = false;
	now->since = ts;
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

enum ending {
	ENDED,
	REPLACED, /* another one began, and its own end was not recorded */
	STILL_OPEN
};

static void close_bar(struct gathering *g, struct picture_lane *lane, size_t row,
		      struct open_bar *open, uint64_t to, enum ending how)
{
	struct picture_bar *bar;
	bool endless = how == REPLACED || (how == STILL_OPEN && !g->exits[row == PICTURE_SOFTIRQ] &&
					   lane->rows[row].n);

	bar = open->name ? bar_add(g, lane, row, open->since, endless ? open->since : to) : NULL;
	if (bar) {
		bar->name = open->name;
		bar->open = how == STILL_OPEN && !endless;
		bar->endless = endless;
	}
	if (how == ENDED)
		g->exits[row == PICTURE_SOFTIRQ] = true;
	open->name = NULL;
}

/* Ends all that a CPU was doing at that time; what had not ended by itself is marked open. */
static void close_all(struct gathering *g, struct picture_lane *lane, uint64_t ts, bool open)
{
	struct picture_now *now = lane->now;

	task_bar(g, lane, ts);
	for (size_t i = 0; now->known && i < now->calls.depth && i < PICTURE_DEPTH; i++)
		call_bar(g, lane, i, ts, open);
	close_bar(g, lane, PICTURE_IRQ, &now->irq, ts, open ? STILL_OPEN : REPLACED);
	close_bar(g, lane, PICTURE_SOFTIRQ, &now->softirq, ts, open ? STILL_OPEN : REPLACED);
	now->known = now->doubted = false;
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
	if (ev->ts < p->since)
		return;
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
	/* who is switched from ran before, though no event told; since when is not known */
	if (!lane->now->known)
		lane->now->since = ev->ts;
	if (!lane->now->known || lane->now->pid != (int32_t)prev) {
		lane->now->pid = (int32_t)prev;
		lane->now->comm = name_of(g, ev, "prev_comm");
		lane->now->known = true;
	}
	runs(g, lane, (int32_t)next, name_of(g, ev, "next_comm"), ev->ts);
	arrow_add(g, ev, (int32_t)next, lane->now->comm);
	if (g->p->some)
		doubt(g, lane, ev->ts, PICTURE_SILENT);
	else
		g->switches = true;
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
	if (!number_of(g, ev, "calltime", &since) || since > ev->ts || since < g->start)
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
		close_bar(g, lane, PICTURE_IRQ, &now->irq, ev->ts, REPLACED);
		now->irq = (struct open_bar){ name_of(g, ev, "name"), ev->ts };
	} else if (!strcmp(ev->name, "irq_handler_exit")) {
		close_bar(g, lane, PICTURE_IRQ, &now->irq, ev->ts, ENDED);
	} else if (!strcmp(ev->name, "softirq_entry")) {
		close_bar(g, lane, PICTURE_SOFTIRQ, &now->softirq, ev->ts, REPLACED);
		now->softirq = (struct open_bar){ action_of(g, ev), ev->ts };
	} else if (!strcmp(ev->name, "softirq_exit")) {
		close_bar(g, lane, PICTURE_SOFTIRQ, &now->softirq, ev->ts, ENDED);
	} else if (ends_with(ev->name, "_entry") && number_of(g, ev, "vector", &vector)) {
		/* x86's own interrupts: local_timer_entry, reschedule_entry ... */
		close_bar(g, lane, PICTURE_IRQ, &now->irq, ev->ts, REPLACED);
		now->irq = (struct open_bar){
			keep(g, arena_strndup(&g->scratch, ev->name, strlen(ev->name) - 6)), ev->ts
		};
	} else if (ends_with(ev->name, "_exit") && number_of(g, ev, "vector", &vector)) {
		close_bar(g, lane, PICTURE_IRQ, &now->irq, ev->ts, ENDED);
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
		lane->now->last = lane->now->since = g->start;
		p->lanes[ev->cpu] = lane;
		p->n_lanes++;
	}
	return lane;
}

/* What is not known of a lane before its first event. */
static void begin_of_lane(struct gathering *g, struct picture_lane *lane,
			  const struct trace_event *ev)
{
	const struct trace_buffer *buffer = ev->buffer;
	uint64_t from = g->start;

	for (size_t i = 0; i < buffer->n_lanes; i++) {
		const struct trace_lane *l = &buffer->lanes[i];

		if (l->cpu == ev->cpu && l->overrun && l->overrun != UINT64_MAX &&
		    l->first_ts > from && l->first_ts <= ev->ts) {
			gap_add(g, lane, from, l->first_ts, PICTURE_BEFORE, 0);
			from = l->first_ts;
		}
	}
	gap_add(g, lane, from, ev->ts, PICTURE_SILENT, 0);
	lane->now->last = lane->now->since = ev->ts;
}

/* Nothing at all since the last event: that is said of each CPU. */
static void quiet(struct gathering *g, uint64_t ts, enum picture_why why)
{
	if (!g->last || ts <= g->last || (why == PICTURE_QUIET && ts - g->last <= g->quiet))
		return;
	for (size_t i = 0; i < PICTURE_CPUS_MAX; i++)
		if (g->p->lanes[i])
			doubt(g, g->p->lanes[i], g->last, why);
}

/* No event of this CPU since its last one; another one may have run where no switch tells. */
static void silence(struct gathering *g, struct picture_lane *lane, uint64_t ts)
{
	struct picture_now *now = lane->now;

	if (!g->switches && now->known && ts > now->last && ts - now->last > g->near)
		doubt(g, lane, now->last, PICTURE_SILENT);
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

/* What is unknown between the last event and this one. */
static void take_time(struct gathering *g, struct picture_lane *lane, const struct trace_event *ev)
{
	quiet(g, ev->ts, PICTURE_QUIET);
	if (lane->now->begun && ev->ts < lane->now->last) {
		/* the clock was set back: nothing goes on from before */
		close_all(g, lane, lane->now->last, false);
		lane->now->last = lane->now->since = ev->ts;
		g->p->back++;
	}
	if (ev->lost) {
		close_all(g, lane, lane->now->last, false);
		gap_add(g, lane, lane->now->last, ev->ts, PICTURE_LOST, ev->lost);
		lane->now->last = lane->now->since = ev->ts;
	} else if (!lane->now->begun) {
		begin_of_lane(g, lane, ev);
	} else {
		silence(g, lane, ev->ts);
		doubt_ends(g, lane, ev->ts);
	}
	lane->now->begun = true;
	g->last = ev->ts > g->last ? ev->ts : g->last;
}

static void take(struct gathering *g, const struct trace_event *ev)
{
	struct picture_lane *lane = lane_of(g, ev);
	enum trace_kind kind = trace_kind(ev);

	if (!lane) {
		g->p->left_out += ev->ts >= g->p->since;
		return;
	}
	g->p->events += ev->ts >= g->p->since;
	g->rec = ev->buffer->recording;
	take_time(g, lane, ev);
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
	if (!lane->now->known)
		doubt(g, lane, ev->ts, PICTURE_SILENT);
	lane->now->last = ev->ts;
}

/* Sets the limits, by what the clock counts. */
static void scale(struct gathering *g, struct timeline *tl, const struct trace_select *sel)
{
	struct picture *p = g->p;
	uint64_t span = p->until - p->since;
	const struct trace_buffer *const *buffers;

	p->ns = !timeline_buffers(tl, &buffers) || buffers[0]->ns;
	p->chosen = p->some || sel->n_events || sel->match;
	g->near = p->ns ? NEAR_NS : span / 10;
	g->quiet = p->ns ? QUIET_NS : span / 2;
	g->grain = span / GRAINS / (p->detail ? p->detail : 1);
	g->grain = g->grain ? g->grain : 1;
}

/* All that is open where the picture ends, and CPUs of which it has nothing. */
static void take_end(struct gathering *g, struct timeline *tl, const struct trace_select *sel)
{
	struct picture *p = g->p;
	const struct trace_buffer *const *buffers;
	size_t n = timeline_buffers(tl, &buffers);

	quiet(g, p->until, PICTURE_QUIET);
	/* of a dump it is known whether it was still recording */
	if (n && !buffers[0]->recording->path && !buffers[0]->tracing_on)
		quiet(g, p->until, PICTURE_OFF);
	for (size_t i = 0; i < PICTURE_CPUS_MAX; i++)
		if (p->lanes[i]) {
			silence(g, p->lanes[i], p->until);
			if (p->back)
				doubt(g, p->lanes[i], p->lanes[i]->now->last, PICTURE_SILENT);
			close_all(g, p->lanes[i], p->until, true);
		}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < buffers[i]->n_lanes; k++) {
			int cpu = buffers[i]->lanes[k].cpu;

			if (cpu < 0 || cpu >= (int)PICTURE_CPUS_MAX || p->lanes[cpu] ||
			    p->silent[cpu] ||
			    (sel->cpus && ((size_t)cpu >= sel->n_cpus || !sel->cpus[cpu])))
				continue;
			p->silent[cpu] = true;
			p->n_silent++;
		}
}

bool picture_take(struct picture *p, struct target *t, const struct trace_select *wanted,
		  struct trace_printer *printer, void (*note)(const struct err *damage, void *arg),
		  void *arg, struct err *err)
{
	struct trace_select sel = *wanted;
	struct gathering g = { .p = p, .printer = printer };
	uint64_t span = p->until - p->since;
	struct arena a = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	struct err damage;
	bool ok;

	g.start = p->since > span ? p->since - span : 0;
	sel.since = g.start;
	sel.until = p->until + 1;
	ok = timeline_open(t, &sel, &a, &tl, err);
	if (ok)
		scale(&g, tl, &sel);
	while (ok && timeline_next(tl, &ev, err)) {
		if (ev.ts > p->until)
			continue;
		take(&g, &ev);
		arena_reset(&g.scratch);
	}
	while (ok && timeline_damage(tl, &damage))
		note(&damage, arg);
	if (ok)
		take_end(&g, tl, &sel);
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
