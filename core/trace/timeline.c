/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A timeline: lanes merged by a heap of their next events, and the tests of a selection. */
#include "core/trace/timeline.h"

#include <fnmatch.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/image/target.h"

#define LANES_MAX 65536u
#define WIDTH_MAX ((uint64_t)1 << 52) /* of a window, in units of the clock */

/* A lane and its next event. */
struct track {
	struct trace_reader reader;
	struct trace_event ev, ahead;
	bool has_ahead, ended; /* ahead was read; there is nothing more */
	size_t order;          /* among lanes: for events of the same time */
};

struct timeline {
	struct target *t;
	struct trace_select sel;
	struct track **heap; /* by time, then order */
	size_t n;
	struct track
		*given; /* its event was handed out, and is in the caller's hands until the next */
	const struct trace_buffer **buffers;
	size_t n_buffers;
	const struct trace_buffer *other; /* left out for its clock; one of n_others */
	size_t n_others;
	struct err damage;
	uint64_t steps;
};

static bool before(const struct track *a, const struct track *b)
{
	return a->ev.ts != b->ev.ts ? a->ev.ts < b->ev.ts : a->order < b->order;
}

static void sift_down(struct timeline *tl, size_t i)
{
	struct track *it = tl->heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= tl->n)
			break;
		if (child + 1 < tl->n && before(tl->heap[child + 1], tl->heap[child]))
			child++;
		if (!before(tl->heap[child], it))
			break;
		tl->heap[i] = tl->heap[child];
		i = child;
	}
	tl->heap[i] = it;
}

/* "local" is sched_clock(), and "global" and the log are local_clock(), which on x86 may be up to
 * seconds ahead of it or behind. */
static bool same_clock(const struct trace_buffer *a, const struct trace_buffer *b)
{
	const char *x = a->clock ? a->clock : "local", *y = b->clock ? b->clock : "local";

	if (a->ns != b->ns || a->previous_boot != b->previous_boot)
		return false;
	return !strcmp(x, y);
}

static bool holds_events(const struct trace_buffer *b)
{
	for (size_t i = 0; i < b->n_lanes; i++)
		if (b->lanes[i].entries)
			return true;
	return false;
}

/* May there be what is wanted, as far as its kind tells? */
static bool may_hold(const struct trace_buffer *b, const struct trace_select *sel)
{
	return b->snapshot == sel->snapshot && (!sel->stale || b->recording->ops->stale);
}

/* Without an instance's name, the first buffer that holds anything says which clock is meant. */
static const struct trace_buffer *leader(const struct traces *all, const struct trace_select *sel)
{
	const struct trace_buffer *first = NULL;

	for (const struct recording *rec = all->first; rec; rec = rec->next)
		for (size_t i = 0; i < rec->n_buffers; i++) {
			const struct trace_buffer *b = &rec->buffers[i];

			if (!may_hold(b, sel))
				continue;
			if (holds_events(b))
				return b;
			first = first ? first : b;
		}
	return first;
}

static bool buffer_wanted(const struct trace_buffer *b, const struct trace_select *sel,
			  const struct trace_buffer *lead)
{
	if (!may_hold(b, sel))
		return false;
	if (!sel->instance)
		return lead && same_clock(b, lead) && (b == lead || holds_events(b) || sel->stale);
	return !strcmp(b->name ? b->name : "", sel->instance);
}

/* Of other clocks: to be asked for by name. */
static void count_others(struct timeline *tl, const struct traces *all,
			 const struct trace_buffer *lead)
{
	for (const struct recording *rec = all->first; rec; rec = rec->next)
		for (size_t i = 0; !tl->sel.instance && i < rec->n_buffers; i++) {
			const struct trace_buffer *b = &rec->buffers[i];

			if (b->snapshot != tl->sel.snapshot || !holds_events(b) ||
			    same_clock(b, lead))
				continue;
			tl->other = b;
			tl->n_others++;
		}
}

static bool any_matches(const char *const *patterns, size_t n, const char *s)
{
	for (size_t i = 0; s && i < n; i++)
		if (!fnmatch(patterns[i], s, 0))
			return true;
	return false;
}

bool timeline_event_named(const char *system, const char *name, const char *pattern)
{
	size_t n = strcspn(pattern, ":/");
	char front[128];

	if (!pattern[n])
		return !fnmatch(pattern, name, 0) || (system && !strcmp(pattern, system));
	if (n >= sizeof(front) || !system)
		return false;
	memcpy(front, pattern, n);
	front[n] = '\0';
	return !fnmatch(front, system, 0) && !fnmatch(pattern + n + 1, name, 0);
}

static bool selected(const struct timeline *tl, const struct trace_event *ev)
{
	const struct trace_select *sel = &tl->sel;
	bool ok;

	if (ev->ts < sel->since || (sel->until && ev->ts > sel->until) ||
	    ((ev->marks & TRACE_UNTIMED) && (sel->since || sel->until)))
		return false;
	if (sel->cpus && (ev->cpu < 0 || (size_t)ev->cpu >= sel->n_cpus || !sel->cpus[ev->cpu]))
		return false;
	ok = !sel->n_pids;
	for (size_t i = 0; !ok && i < sel->n_pids; i++)
		ok = ev->pid == sel->pids[i];
	if (!ok || (sel->n_comms && !any_matches(sel->comms, sel->n_comms, trace_comm(ev))))
		return false;
	ok = !sel->n_events;
	for (size_t i = 0; !ok && i < sel->n_events; i++)
		ok = timeline_event_named(ev->system, ev->name, sel->events[i]);
	return ok && (!sel->match || sel->match(ev, sel->arg));
}

/* Reads on; false when the lane is at its end, or what is wanted is over. */
static bool track_advance(struct timeline *tl, struct track *track)
{
	struct err err = { 0 };
	bool more;

	if (track->has_ahead) {
		track->has_ahead = false;
		track->ev = track->ahead;
		return true;
	}
	more = !track->ended && trace_next(&track->reader, &track->ev, &err);
	track->ended = !more;
	if (track->reader.damage.code) {
		tl->damage = track->reader.damage;
		track->reader.damage.code = ERR_OK;
	}
	if (more)
		return true;
	if (err.code) {
		tl->damage = err;
		err_wrap(&tl->damage, "CPU %d", track->reader.lane->cpu);
	}
	return false;
}

static bool lane_wanted(const struct trace_lane *lane, const struct trace_select *sel)
{
	/* a text's rows of all CPUs are one lane: each is asked for its CPU, see selected() */
	return !sel->cpus || lane->cpu == -1 ||
	       (lane->cpu >= 0 && (size_t)lane->cpu < sel->n_cpus && sel->cpus[lane->cpu]);
}

static bool open_lanes(struct timeline *tl, const struct trace_buffer *b, size_t *order,
		       struct arena *a)
{
	struct trace_want want = { .consumed = tl->sel.consumed,
				   .uncommitted = tl->sel.uncommitted,
				   .stale = tl->sel.stale,
				   .untimed = tl->sel.untimed,
				   .since = tl->sel.since };

	for (size_t i = 0; i < b->n_lanes; i++) {
		struct track *track;
		struct err err = { 0 };

		if (!lane_wanted(&b->lanes[i], &tl->sel))
			continue;
		track = ARENA_NEW(a, struct track);
		track->order = (*order)++;
		if (!trace_open(&track->reader, b, &b->lanes[i], &want, a, &err)) {
			tl->damage = err;
			err_wrap(&tl->damage, "CPU %d", b->lanes[i].cpu);
		} else if (track_advance(tl, track)) {
			tl->heap[tl->n++] = track;
		}
	}
	return true;
}

static bool no_buffers(const struct trace_select *sel, struct err *err)
{
	if (sel->instance && *sel->instance)
		return err_set(err, ERR_NOTFOUND,
			       "no %s of an instance '%.60s'; 'trace' lists them",
			       sel->snapshot ? "snapshot" : "buffer", sel->instance);
	if (sel->stale && !sel->snapshot)
		return err_set(err, ERR_NOTFOUND,
			       "what a reset leaves is in the ring buffers of a dump, and none is "
			       "loaded");
	return err_set(err, ERR_NOTFOUND, "%s",
		       sel->snapshot ? "no snapshot was taken" : "no trace buffer is there");
}

bool timeline_open(struct target *t, const struct trace_select *sel, struct arena *a,
		   struct timeline **ret, struct err *err)
{
	struct timeline *tl = ARENA_NEW(a, struct timeline);
	const struct trace_buffer *lead;
	const struct traces *all;
	size_t lanes = 0, buffers = 0, order = 0;

	if (!traces_find(t, &all, err))
		return false;
	tl->t = t;
	tl->sel = *sel;
	lead = leader(all, sel);
	for (const struct recording *rec = all->first; rec; rec = rec->next)
		for (size_t i = 0; i < rec->n_buffers; i++)
			if (buffer_wanted(&rec->buffers[i], sel, lead)) {
				lanes += rec->buffers[i].n_lanes;
				buffers++;
			}
	if (!buffers)
		return no_buffers(sel, err);
	if (lanes > LANES_MAX)
		return err_set(err, ERR_LIMIT, "%zu CPUs' buffers, more than %u", lanes, LANES_MAX);
	tl->heap = ARENA_ARRAY(a, struct track *, lanes + 1);
	tl->buffers = ARENA_ARRAY(a, const struct trace_buffer *, buffers);
	for (const struct recording *rec = all->first; rec; rec = rec->next)
		for (size_t i = 0; i < rec->n_buffers; i++)
			if (buffer_wanted(&rec->buffers[i], sel, lead)) {
				tl->buffers[tl->n_buffers++] = &rec->buffers[i];
				open_lanes(tl, &rec->buffers[i], &order, a);
			}
	count_others(tl, all, lead);
	for (size_t i = tl->n / 2; i-- > 0;)
		sift_down(tl, i);
	*ret = tl;
	return true;
}

/* The lane whose event is out moves on, and takes its new place. */
static void settle(struct timeline *tl)
{
	struct track *track = tl->given;

	if (!track)
		return;
	tl->given = NULL;
	if (!track_advance(tl, track)) {
		tl->heap[0] = tl->heap[--tl->n];
		if (!tl->n)
			return;
	}
	sift_down(tl, 0);
}

bool timeline_next(struct timeline *tl, struct trace_event *ret, struct err *err)
{
	err->code = ERR_OK;
	for (;;) {
		if (!(++tl->steps & 0xfff) && !interrupt_check(err))
			return false;
		settle(tl);
		if (!tl->n)
			return false;
		tl->given = tl->heap[0];
		/* the earliest is too late: so are all */
		if (tl->sel.until && tl->given->ev.ts > tl->sel.until)
			return false;
		if (!selected(tl, &tl->given->ev))
			continue;
		*ret = tl->given->ev;
		return true;
	}
}

bool timeline_peek(struct timeline *tl, struct trace_event *ret)
{
	struct track *track = tl->given;
	struct trace_event ev;

	if (!track)
		return false;
	ev = track->ev;
	if (!track->has_ahead && track_advance(tl, track)) {
		track->ahead = track->ev;
		track->has_ahead = true;
	}
	track->ev = ev;
	*ret = track->ahead;
	return track->has_ahead;
}

void timeline_drop(struct timeline *tl)
{
	if (tl->given)
		tl->given->has_ahead = false;
}

uint64_t timeline_next_time(struct timeline *tl)
{
	struct trace_event ev;
	uint64_t ts = UINT64_MAX;

	if (tl->given && timeline_peek(tl, &ev))
		ts = ev.ts;
	/* of the heap's other lanes the earliest is one of the first's children */
	for (size_t i = 1; i < tl->n && i < 3; i++)
		ts = tl->heap[i]->ev.ts < ts ? tl->heap[i]->ev.ts : ts;
	return ts == UINT64_MAX && tl->given ? tl->given->ev.ts : ts;
}

bool timeline_damage(struct timeline *tl, struct err *ret)
{
	if (!tl->damage.code)
		return false;
	*ret = tl->damage;
	tl->damage.code = ERR_OK;
	return true;
}

size_t timeline_buffers(const struct timeline *tl, const struct trace_buffer *const **ret)
{
	*ret = tl->buffers;
	return tl->n_buffers;
}

size_t timeline_others(const struct timeline *tl, const struct trace_buffer **ret)
{
	*ret = tl->other;
	return tl->n_others;
}

/* How many selected events there are from since on, and the newest's time. */
static bool count_since(struct target *t, const struct trace_select *sel, uint64_t since,
			uint64_t *count, uint64_t *newest, struct err *err)
{
	struct trace_select from = *sel;
	struct arena a = { 0 };
	struct timeline *tl;
	struct trace_event ev;
	bool ok;

	if (since > from.since)
		from.since = since;
	*count = *newest = 0;
	ok = timeline_open(t, &from, &a, &tl, err);
	while (ok && timeline_next(tl, &ev, err)) {
		++*count;
		*newest = ev.ts > *newest ? ev.ts : *newest;
	}
	ok = ok && !err->code;
	arena_release(&a);
	return ok;
}

/* The time of the newest event of any kind: each lane's last page holds it. */
static bool lanes_end(struct target *t, const struct trace_select *sel, uint64_t *ret,
		      struct err *err)
{
	struct trace_select last = { .instance = sel->instance,
				     .snapshot = sel->snapshot,
				     .cpus = sel->cpus,
				     .n_cpus = sel->n_cpus,
				     .consumed = sel->consumed,
				     .uncommitted = sel->uncommitted,
				     .stale = sel->stale,
				     .since = UINT64_MAX };
	struct arena a = { 0 };
	struct timeline *tl;
	bool ok = timeline_open(t, &last, &a, &tl, err);

	*ret = 0;
	while (ok && tl->n) {
		/* all are before `since`: read past the selection */
		struct track *track = tl->heap[0];

		*ret = track->ev.ts > *ret ? track->ev.ts : *ret;
		tl->given = track;
		settle(tl);
		if (!(++tl->steps & 0xfff))
			ok = interrupt_check(err);
	}
	arena_release(&a);
	return ok;
}

/* Windows from the end that grow until they hold enough. */
static bool last_window(struct target *t, const struct trace_select *sel, uint64_t n,
			uint64_t *since, uint64_t *count, uint64_t *newest, struct err *err)
{
	uint64_t end;

	if (!lanes_end(t, sel, &end, err))
		return false;
	for (uint64_t width = 1 << 20;; width *= 16) {
		*since = width < WIDTH_MAX && end > width ? end - width : 0;
		if (*since <= sel->since)
			*since = sel->since;
		if (!count_since(t, sel, *since, count, newest, err))
			return false;
		if (*count >= n || *since <= sel->since || !*since)
			return true;
	}
}

bool timeline_end(struct target *t, const struct trace_select *sel, uint64_t *ret, struct err *err)
{
	uint64_t since, count;

	return last_window(t, sel, 1, &since, &count, ret, err);
}

bool timeline_last(struct target *t, const struct trace_select *sel, uint64_t n, uint64_t *since,
		   uint64_t *skip, struct err *err)
{
	struct trace_select all = *sel; /* since may be a part of *sel */
	uint64_t count, newest;

	if (!last_window(t, &all, n, since, &count, &newest, err))
		return false;
	*skip = count > n ? count - n : 0;
	return true;
}
