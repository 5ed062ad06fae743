/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A timeline: the events of several lanes and buffers in order of time. */
#ifndef OBIT_TIMELINE_H
#define OBIT_TIMELINE_H

#include "core/trace/trace.h"

/* Which events are wanted; a member that is 0 or NULL leaves none out. Strings and arrays must live
 * until the timeline is closed. */
struct trace_select {
	/* the name of an instance; "" is the top one; NULL: all buffers that have the same clock as
	 * the first buffer with events */
	const char *instance;
	bool snapshot;    /* the snapshot instead of the main buffer */
	const bool *cpus; /* by CPU number, n_cpus of them; NULL: all */
	size_t n_cpus;
	const int32_t *pids;
	size_t n_pids;
	const char *const *comms; /* shell patterns */
	size_t n_comms;
	const char *const *events; /* shell patterns: "sched_*", "irq:*" */
	size_t n_events;
	uint64_t since, until; /* in the buffers' clock; until 0: no end */
	bool consumed, uncommitted;
	bool stale; /* only what a reset of the buffer left behind */
	/* with stale: also events of which no time is known; they are in no span of time, so since
	 * and until leave them out */
	bool untimed;
	/* asked last, when an event passed all else; NULL: it is not asked */
	bool (*match)(const struct trace_event *ev, void *arg);
	void *arg;
};

struct timeline;

/* Is it one of those that the pattern of trace_select.events names? "sched_*" is an event's name,
 * "sched" a system's; "sched:*" and "sched/sched_switch" have the system in front. A system of NULL
 * is not known. */
bool timeline_event_named(const char *system, const char *name, const char *pattern);

/* Opens all lanes that may have wanted events. ERR_NOTFOUND: there is no such recording or
 * instance. ERR_NEED: nothing that was traced is loaded. */
bool timeline_open(struct target *t, const struct trace_select *sel, struct arena *a,
		   struct timeline **ret, struct err *err) MUST_CHECK;
/* Sets *ret to the next wanted event, which is gone at the next call. Of several at one time the
 * one of the lowest CPU comes first. False: at the end, with err->code ERR_OK, or after Ctrl-C,
 * with ERR_INTR. */
bool timeline_next(struct timeline *tl, struct trace_event *ret, struct err *err) MUST_CHECK;
/* Sets *ret to the event behind the last one in the same lane, wanted or not; what the last one
 * pointed to is gone then. False: there is none. */
bool timeline_peek(struct timeline *tl, struct trace_event *ret);
/* Has timeline_next() leave out the event that was peeked at. */
void timeline_drop(struct timeline *tl);
/* The time of the event that comes next in any lane; that of the last one when none does. */
uint64_t timeline_next_time(struct timeline *tl);
/* Sets *ret to damage that was stepped over since the last call. False: there was none. */
bool timeline_damage(struct timeline *tl, struct err *ret);
/* The buffers it reads, for headers and clocks. */
size_t timeline_buffers(const struct timeline *tl, const struct trace_buffer *const **ret);
/* How many buffers with events were left out, because no instance was named and they have another
 * clock; *ret is one of them. */
size_t timeline_others(const struct timeline *tl, const struct trace_buffer **ret);
/* Sets *ret to the time of the last wanted event, mostly by reading the last pages of each lane
 * alone; 0: there is none. */
bool timeline_end(struct target *t, const struct trace_select *sel, uint64_t *ret,
		  struct err *err) MUST_CHECK;
/* Finds the last n wanted events: a timeline that begins at *since has them behind its first *skip
 * events. */
bool timeline_last(struct target *t, const struct trace_select *sel, uint64_t n, uint64_t *since,
		   uint64_t *skip, struct err *err) MUST_CHECK;

#endif
