/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line of a trace in text, taken apart. */
#ifndef OBIT_TRACEROW_H
#define OBIT_TRACEROW_H

#include <stdbool.h>
#include <stdint.h>

/* The forms that rows have; see tracerow.c. */
enum tracerow_kind {
	ROW_NONE,
	ROW_EVENT,   /* "comm-pid [001] d..2. 12.345678: event: words", also without flags */
	ROW_LATENCY, /* "comm-pid 1d..2. 345us+: event: words" */
	ROW_GRAPH,   /* " 1)   0.123 us    |  function();" */
	ROW_LOST,    /* "CPU:1 [LOST 12 EVENTS]" */
	ROW_STACK    /* " => function": more of the event before */
};

/* Strings are within the line that was given, which is cut to pieces. */
struct tracerow {
	enum tracerow_kind kind;
	const char *comm, *latency, *name, *text; /* NULL: not said */
	int32_t pid, tgid;                        /* -1 not said */
	int cpu;
	uint64_t ts; /* nanoseconds, or the clock's own units where !ns */
	bool ns, has_ts;
	uint64_t lost; /* UINT64_MAX: an unknown number */
	uint8_t flags, preempt;
};

/* False: ROW_NONE. s is NUL-terminated, without its line's end. */
bool tracerow_parse(char *s, struct tracerow *ret);

#endif
