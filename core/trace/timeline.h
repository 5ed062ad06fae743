/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A timeline: the events of several lanes and buffers in order of time. */
#ifndef OBIT_TIMELINE_H
#define OBIT_TIMELINE_H

#include "core/trace/trace.h"

/* Which events; zero means all. Strings and arrays are the caller's, until the timeline is closed.
 */
struct trace_select {
	const char *instance; /* name; "": only the top buffer; NULL: all of one clock, that of the
				    first buffer which holds events */
	bool snapshot;        /* the snapshot instead of the main buffer */
	const bool *cpus;     /* by CPU number, n_cpus of them; NULL: all */
	size_t n_cpus;
	const int32_t *pids;
	size_t n_pids;
	const char *const *comms; /* shell patterns */
	size_t n_comms;
	const char *const *events; /* shell patterns: "sched_*", "irq:*" */
	size_t n_events;
	uint64_t since, until; /* in the buffers' clock; until 0: no end */
	bool consumed, uncommitted;
	/* A further test, after all others; NULL: none. */
	bool (*match)(const struct trace_event *ev, void *arg);
	void *arg;
};

struct timeline;

/* Opens all lanes that can hold what is wanted. ERR_NOTFOUND when no recording or instance is
 * there; ERR_NEED when nothing that was traced is loaded. */
bool timeline_open(struct target *t, const struct trace_select *sel, struct arena *a,
		   struct timeline **ret, struct err *err) MUST_CHECK;
/* The next event that was selected; same time: the lower CPU first. False at the end with ERR_OK,
 * or ERR_INTR. ret lives until the next call. */
bool timeline_next(struct timeline *tl, struct trace_event *ret, struct err *err) MUST_CHECK;
/* The event behind the one that was handed out last, in the same lane, selected or not; what the
 * former pointed to is gone then. False: none. */
bool timeline_peek(struct timeline *tl, struct trace_event *ret);
/* The one that was peeked at is not handed out. */
void timeline_drop(struct timeline *tl);
/* The time of the event that comes next in any lane; that of the last one when none does. */
uint64_t timeline_next_time(struct timeline *tl);
/* What was wrong in a lane and stepped over since the last call; false: nothing. */
bool timeline_damage(struct timeline *tl, struct err *ret);
/* The buffers it reads, for headers and clocks. */
size_t timeline_buffers(const struct timeline *tl, const struct trace_buffer *const **ret);
/* Buffers that hold events and were left out, for no instance was named and their clock is another:
 * how many, and one of them. */
size_t timeline_others(const struct timeline *tl, const struct trace_buffer **ret);
/* The newest selected event's time, reading no more than each lane's last pages as a rule; 0: there
 * is none. */
bool timeline_end(struct target *t, const struct trace_select *sel, uint64_t *ret,
		  struct err *err) MUST_CHECK;
/* The time at or behind which the last n selected events lie, and how many others lie there too:
 * since for a timeline of its own, of which *skip events come first. */
bool timeline_last(struct target *t, const struct trace_select *sel, uint64_t n, uint64_t *since,
		   uint64_t *skip, struct err *err) MUST_CHECK;

#endif
