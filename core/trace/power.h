/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long each CPU was in which idle state and at which frequency, from power events. */
#ifndef OBIT_TRACE_POWER_H
#define OBIT_TRACE_POWER_H

#include "core/base/map.h"
#include "core/base/vec.h"
#include "core/trace/trace.h"

struct power_row {
	unsigned cpu;
	bool frequency;   /* else an idle state */
	uint64_t state;   /* number of the idle state, or kHz; POWER_RUNNING: not idle */
	uint64_t time, n; /* in the clock's units; times entered */
};
#define POWER_RUNNING UINT64_MAX

struct power_now;
struct power {
	VEC(struct power_row) rows;
	VEC(struct power_now) now;
	uint64_t left_out;
};
/* The state that a CPU is in, and since when. */
struct power_now {
	unsigned cpu;
	bool frequency;
	uint64_t state, since;
};

/* Takes an event. Those that are neither cpu_idle nor cpu_frequency are left alone. */
void power_event(struct power *p, const struct trace_event *ev);
/* Counts the states that CPUs were in at the end, and sorts the rows by CPU, kind and state. */
void power_finish(struct power *p, uint64_t end);
void power_release(struct power *p);

#endif
