/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of a recording: by event, CPU and task, in one pass and bounded memory. */
#ifndef OBIT_TRACE_STAT_H
#define OBIT_TRACE_STAT_H

#include "core/base/map.h"
#include "core/base/vec.h"
#include "core/trace/trace.h"

/* Limit of how many kinds of events, and how many tasks, are told apart. */
#define STAT_ROWS_MAX 100000u

struct stat_row {
	const char *system, *name; /* of an event; comm of a task */
	int64_t number;            /* CPU, pid; -1 for events */
	uint64_t n, first, last;   /* in the clock's units */
	uint64_t lost;             /* of a CPU: events known to be lost */
	uint64_t gaps;             /* of a CPU: places where an unknown number was lost */
};

struct stat_rows {
	VEC(struct stat_row) v;
	struct map index;
	uint64_t left_out;
};

struct trace_stat {
	struct arena *a;
	struct stat_rows events, cpus, tasks;
	struct strmap names; /* of events that are known by name alone */
	uint64_t n, first, last, lost, gaps;
	struct {
		const struct trace_format *format;
		size_t at;
	} near[256]; /* rows found lately, by event type */
	struct {
		const char *name; /* the row's; NULL: none yet */
		uint16_t id;
		size_t at;
	} named[64]; /* the same of events that are known by name alone, by its letters */
};

void stat_init(struct trace_stat *s, struct arena *a);
void stat_event(struct trace_stat *s, const struct trace_event *ev);
/* Sorts CPUs by number, and events and tasks by count, the largest first. */
void stat_sort(struct trace_stat *s);
void stat_release(struct trace_stat *s);
/* How many events came in a second, in hundredths; 0: the time is not in nanoseconds, or is 0. */
uint64_t stat_rate(uint64_t n, uint64_t first, uint64_t last);

#endif
