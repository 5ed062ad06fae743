/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaying a recording: what each CPU was doing after every event, forward and back. */
#ifndef OBIT_TRACE_REPLAY_H
#define OBIT_TRACE_REPLAY_H

#include "core/trace/timeline.h"

#define REPLAY_DEPTH 64u /* of open functions that are remembered on a CPU */
#define REPLAY_QUEUE 64u /* of tasks known to wait for a CPU */

struct replay_task {
	int32_t pid;
	char comm[16];
};

/* What the events tell of one CPU; what no event tells is not known. */
struct replay_cpu {
	int cpu;
	bool known; /* an event was seen */
	struct replay_task running;
	uint8_t flags, preempt, lazy; /* of its last event */
	uint64_t last_ts;
	/* functions entered and not left (function_graph), outermost first; depth may exceed those
	 * kept */
	uint64_t open[REPLAY_DEPTH];
	uint64_t since[REPLAY_DEPTH]; /* when each was entered */
	size_t depth;
	uint64_t function;                      /* the function tracer's last; 0 none */
	int irq, softirq;                       /* handlers entered and not left; -1 none */
	struct replay_task queue[REPLAY_QUEUE]; /* woken or preempted, and not yet running */
	size_t n_queue;
};

struct replay;

/* Begins in front of the first selected event. Memory is in arena a; replay_close() frees what is
 * not. */
bool replay_open(struct target *t, const struct trace_select *sel, struct arena *a,
		 struct replay **ret, struct err *err) MUST_CHECK;
void replay_close(struct replay *r);
/* Goes on by one event, and sets *ret to it; it is gone at the next call. False: at the end, with
 * err->code ERR_OK, or after Ctrl-C, with ERR_INTR. */
bool replay_next(struct replay *r, struct trace_event *ret, struct err *err) MUST_CHECK;
/* Goes to the event of this number, of which the first is 0, and sets *ret to it. False with
 * ERR_OK: there are not so many. */
bool replay_to(struct replay *r, uint64_t number, struct trace_event *ret,
	       struct err *err) MUST_CHECK;
/* The same for the first event at the time ts or later. */
bool replay_to_time(struct replay *r, uint64_t ts, struct trace_event *ret,
		    struct err *err) MUST_CHECK;
/* How many events have been played: the number of the next one. */
uint64_t replay_number(const struct replay *r);
/* The CPUs of which anything is known, by number. */
size_t replay_cpus(const struct replay *r, const struct replay_cpu *const **ret);
/* The timeline it plays; for its damage. It changes when going back. */
struct timeline *replay_timeline(struct replay *r);

#endif
