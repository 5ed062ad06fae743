/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaying: each event changes what is known of its CPU; going back starts from a state kept on
 * the way. */
#include "core/trace/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/trace/print/print.h"

#define CPUS_MAX 1024u
#define STOPS_MAX 256u      /* states kept; when they are full every second one goes */
#define STOP_EVERY_MIN 4096 /* events between two */

/* A state in front of the first event at `ts`. */
struct stop {
	uint64_t number, ts;
	struct arena arena; /* holds the CPUs' states */
	struct replay_cpu *cpus;
	size_t n_cpus;
};

struct replay {
	struct target *t;
	struct trace_select sel;
	struct arena tracks; /* the timeline's; new when it starts anew */
	struct timeline *tl;
	struct arena *a;
	struct replay_cpu *cpus[CPUS_MAX];  /* NULL: nothing is known of it */
	struct replay_cpu *spare[CPUS_MAX]; /* the same memory, for when it is known again */
	const struct replay_cpu *view[CPUS_MAX];
	uint64_t number, last_ts;
	struct stop stops[STOPS_MAX];
	size_t n_stops;
	uint64_t every;
	struct arena words; /* of one event */
};

static struct replay_cpu *cpu_of(struct replay *r, int cpu)
{
	struct replay_cpu *c;

	if (cpu < 0 || (unsigned)cpu >= CPUS_MAX)
		return NULL;
	c = r->cpus[cpu];
	if (!c) {
		if (!r->spare[cpu])
			r->spare[cpu] = ARENA_NEW(r->a, struct replay_cpu);
		c = r->cpus[cpu] = r->spare[cpu];
		memset(c, 0, sizeof(*c));
		c->cpu = cpu;
		c->irq = c->softirq = -1;
		c->running.pid = -1;
	}
	return c;
}

/* ---- run queues */

static void queue_remove(struct replay_cpu *c, int32_t pid)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_queue; i++)
		if (c->queue[i].pid != pid)
			c->queue[n++] = c->queue[i];
	c->n_queue = n;
}

static void queue_add(struct replay_cpu *c, int32_t pid, const char *comm)
{
	/* idle tasks wait for nothing */
	if (pid <= 0 || pid == c->running.pid)
		return;
	queue_remove(c, pid);
	if (c->n_queue == REPLAY_QUEUE)
		return;
	c->queue[c->n_queue].pid = pid;
	snprintf(c->queue[c->n_queue++].comm, sizeof(c->queue[0].comm), "%s", comm ? comm : "");
}

static void queue_remove_everywhere(struct replay *r, int32_t pid)
{
	for (size_t i = 0; i < CPUS_MAX; i++)
		if (r->cpus[i])
			queue_remove(r->cpus[i], pid);
}

static bool number_of(struct replay *r, const struct trace_event *ev, const char *name,
		      int64_t *ret)
{
	const char *text;
	uint64_t v;

	if (!trace_datum(ev, name, &r->words, &v, &text))
		return false;
	*ret = text ? strtoll(text, NULL, 0) : (int64_t)v;
	return true;
}

static const char *text_of(struct replay *r, const struct trace_event *ev, const char *name)
{
	const char *text;
	uint64_t v;

	return trace_datum(ev, name, &r->words, &v, &text) ? text : NULL;
}

/* Does the one who leaves the CPU want it back? Its state says so: 0, or R with what follows. */
static bool still_runnable(struct replay *r, const struct trace_event *ev)
{
	const char *text;
	uint64_t v;

	if (!trace_datum(ev, "prev_state", &r->words, &v, &text))
		return false;
	/* the bits of sleeping; a preempted task has one above them */
	return text ? *text == 'R' : !(v & 0xff);
}

static void apply_switch(struct replay *r, struct replay_cpu *c, const struct trace_event *ev)
{
	int64_t prev, next;
	const char *comm;

	if (!number_of(r, ev, "prev_pid", &prev) || !number_of(r, ev, "next_pid", &next))
		return;
	c->running.pid = (int32_t)next;
	comm = text_of(r, ev, "next_comm");
	snprintf(c->running.comm, sizeof(c->running.comm), "%s", comm ? comm : "");
	queue_remove_everywhere(r, (int32_t)next);
	if (still_runnable(r, ev))
		queue_add(c, (int32_t)prev, text_of(r, ev, "prev_comm"));
	/* the calls that were open belong to who left */
	c->depth = 0;
}

static void apply_wakeup(struct replay *r, struct replay_cpu *c, const struct trace_event *ev)
{
	int64_t pid, cpu = c->cpu;

	if (!number_of(r, ev, "pid", &pid))
		return;
	if (number_of(r, ev, "target_cpu", &cpu) && cpu_of(r, (int)cpu))
		c = cpu_of(r, (int)cpu);
	queue_remove_everywhere(r, (int32_t)pid);
	queue_add(c, (int32_t)pid, text_of(r, ev, "comm"));
}

static void apply_migrate(struct replay *r, const struct trace_event *ev)
{
	int64_t pid, from, to;
	struct replay_cpu *a, *b;

	if (!number_of(r, ev, "pid", &pid) || !number_of(r, ev, "orig_cpu", &from) ||
	    !number_of(r, ev, "dest_cpu", &to))
		return;
	a = cpu_of(r, (int)from);
	b = cpu_of(r, (int)to);
	for (size_t i = 0; a && b && i < a->n_queue; i++)
		if (a->queue[i].pid == (int32_t)pid) {
			struct replay_task moved = a->queue[i];

			queue_remove(a, moved.pid);
			queue_add(b, moved.pid, moved.comm);
			return;
		}
}

/* ---- functions */

static void apply_call(struct replay *r, struct replay_cpu *c, const struct trace_event *ev)
{
	int64_t func, depth;

	if (!number_of(r, ev, "func", &func) || !number_of(r, ev, "depth", &depth) || depth < 0)
		return;
	c->depth = (size_t)depth;
	if (trace_kind(ev) == TRACE_KIND_GRAPH_EXIT)
		return;
	if (c->depth < REPLAY_DEPTH) {
		c->open[c->depth] = (uint64_t)func;
		c->since[c->depth] = ev->ts;
	}
	c->depth++;
}

static void apply_function(struct replay *r, struct replay_cpu *c, const struct trace_event *ev)
{
	int64_t ip;

	if (number_of(r, ev, "ip", &ip))
		c->function = (uint64_t)ip;
}

static void apply(struct replay *r, const struct trace_event *ev)
{
	struct replay_cpu *c = cpu_of(r, ev->cpu);
	int64_t n = -1;

	if (!c)
		return;
	if (!c->known || (ev->pid >= 0 && c->running.pid != ev->pid)) {
		c->running.pid = ev->pid;
		snprintf(c->running.comm, sizeof(c->running.comm), "%s", trace_comm(ev));
		queue_remove_everywhere(r, ev->pid);
		c->depth = 0;
	}
	/* execve() gives a task another name, which is in the row of this event already */
	if (ev->pid > 0 && strcmp(trace_comm(ev), "<...>") != 0)
		snprintf(c->running.comm, sizeof(c->running.comm), "%s", trace_comm(ev));
	c->known = true;
	c->flags = ev->flags;
	c->preempt = ev->preempt;
	c->lazy = ev->lazy;
	c->last_ts = ev->ts;
	switch (trace_kind(ev)) {
	case TRACE_KIND_GRAPH_ENTRY:
	case TRACE_KIND_GRAPH_EXIT:
		apply_call(r, c, ev);
		return;
	case TRACE_KIND_FUNCTION:
		apply_function(r, c, ev);
		return;
	default:
		break;
	}
	if (!strcmp(ev->name, "sched_switch"))
		apply_switch(r, c, ev);
	else if (!strcmp(ev->name, "sched_wakeup") || !strcmp(ev->name, "sched_wakeup_new"))
		apply_wakeup(r, c, ev);
	else if (!strcmp(ev->name, "sched_migrate_task"))
		apply_migrate(r, ev);
	else if (!strcmp(ev->name, "irq_handler_entry"))
		c->irq = number_of(r, ev, "irq", &n) ? (int)n : c->irq;
	else if (!strcmp(ev->name, "irq_handler_exit"))
		c->irq = -1;
	else if (!strcmp(ev->name, "softirq_entry"))
		c->softirq = number_of(r, ev, "vec", &n) ? (int)n : c->softirq;
	else if (!strcmp(ev->name, "softirq_exit"))
		c->softirq = -1;
}

/* ---- going there and back */

static bool start_at(struct replay *r, uint64_t since, struct err *err)
{
	struct trace_select sel = r->sel;

	arena_release(&r->tracks);
	if (since > sel.since)
		sel.since = since;
	return timeline_open(r->t, &sel, &r->tracks, &r->tl, err);
}

bool replay_open(struct target *t, const struct trace_select *sel, struct arena *a,
		 struct replay **ret, struct err *err)
{
	struct replay *r = ARENA_NEW(a, struct replay);

	r->t = t;
	r->a = a;
	r->sel = *sel;
	r->every = STOP_EVERY_MIN;
	*ret = r;
	if (start_at(r, 0, err))
		return true;
	replay_close(r);
	return false;
}

void replay_close(struct replay *r)
{
	for (size_t i = 0; i < r->n_stops; i++)
		arena_release(&r->stops[i].arena);
	arena_release(&r->tracks);
	arena_release(&r->words);
}

/* Half of the stops stay when there are too many. */
static void thin_stops(struct replay *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_stops; i++)
		if (i % 2)
			arena_release(&r->stops[i].arena);
		else
			r->stops[n++] = r->stops[i];
	r->n_stops = n;
	r->every *= 2;
}

/* In front of an event whose time is its first: starting there hands out the same events again. */
static void keep_stop(struct replay *r, uint64_t ts)
{
	uint64_t last = r->n_stops ? r->stops[r->n_stops - 1].number : 0;
	struct stop *s;

	if (r->number < last + r->every || ts == r->last_ts)
		return;
	if (r->n_stops == STOPS_MAX)
		thin_stops(r);
	s = &r->stops[r->n_stops++];
	*s = (struct stop){ .number = r->number, .ts = ts };
	for (size_t i = 0; i < CPUS_MAX; i++)
		s->n_cpus += r->cpus[i] != NULL;
	s->cpus = ARENA_ARRAY(&s->arena, struct replay_cpu, s->n_cpus + 1);
	for (size_t i = 0, n = 0; i < CPUS_MAX; i++)
		if (r->cpus[i])
			s->cpus[n++] = *r->cpus[i];
}

bool replay_next(struct replay *r, struct trace_event *ret, struct err *err)
{
	if (!timeline_next(r->tl, ret, err))
		return false;
	keep_stop(r, ret->ts);
	apply(r, ret);
	r->number++;
	r->last_ts = ret->ts;
	arena_reset(&r->words);
	return true;
}

/* The state of the last stop that is not behind number, or the beginning. */
static bool go_back(struct replay *r, uint64_t number, struct err *err)
{
	const struct stop *s = NULL;

	for (size_t i = 0; i < r->n_stops && r->stops[i].number <= number; i++)
		s = &r->stops[i];
	memset(r->cpus, 0, sizeof(r->cpus));
	for (size_t i = 0; s && i < s->n_cpus; i++) {
		struct replay_cpu *c = cpu_of(r, s->cpus[i].cpu);

		if (c)
			*c = s->cpus[i];
	}
	r->number = s ? s->number : 0;
	r->last_ts = s ? s->ts : 0;
	return start_at(r, s ? s->ts : 0, err);
}

bool replay_to(struct replay *r, uint64_t number, struct trace_event *ret, struct err *err)
{
	if (number < r->number && !go_back(r, number, err))
		return false;
	do {
		if (!replay_next(r, ret, err))
			return false;
	} while (r->number <= number);
	return true;
}

bool replay_to_time(struct replay *r, uint64_t ts, struct trace_event *ret, struct err *err)
{
	if (ts <= r->last_ts) {
		uint64_t number = 0;

		for (size_t i = 0; i < r->n_stops && r->stops[i].ts <= ts; i++)
			number = r->stops[i].number;
		if (!go_back(r, number, err))
			return false;
	}
	do {
		if (!replay_next(r, ret, err))
			return false;
	} while (ret->ts < ts);
	return true;
}

uint64_t replay_number(const struct replay *r)
{
	return r->number;
}

size_t replay_cpus(const struct replay *r, const struct replay_cpu *const **ret)
{
	struct replay *w = (struct replay *)(uintptr_t)r;
	size_t n = 0;

	for (size_t i = 0; i < CPUS_MAX; i++)
		if (r->cpus[i])
			w->view[n++] = r->cpus[i];
	*ret = r->view;
	return n;
}

struct timeline *replay_timeline(struct replay *r)
{
	return r->tl;
}
