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

/* A row. Its strings are parts of the line that was parsed. */
struct tracerow {
	enum tracerow_kind kind;
	const char *comm, *latency, *name, *text; /* NULL: the line does not have it */
	int32_t pid, tgid;                        /* -1: the same */
	int cpu;
	uint64_t ts; /* nanoseconds, or the clock's own units where !ns */
	bool ns, has_ts;
	uint64_t lost; /* UINT64_MAX: an unknown number */
	uint8_t flags, preempt;
};

/* Parses a line, which ends with a NUL in place of its newline, and cuts it to pieces. False: it is
 * no row, and ret->kind is ROW_NONE. */
bool tracerow_parse(char *s, struct tracerow *ret);

#endif
