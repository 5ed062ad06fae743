/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line of a function graph in text, taken apart. */
#ifndef OBIT_GRAPHROW_H
#define OBIT_GRAPHROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "readers/trace/tracerow.h"

/* What a line of a function graph says. */
enum graphrow_kind {
	GRAPH_NONE,
	GRAPH_ENTRY,   /* "f() {" */
	GRAPH_LEAF,    /* "f();": entered and left */
	GRAPH_EXIT,    /* "}" */
	GRAPH_COMMENT, /* an event between the calls */
	GRAPH_SWITCH,  /* " 1)  comm-pid => comm-pid": the CPU runs another task from here on */
	GRAPH_IRQ,     /* "==========>": what comes next on this CPU is an interrupt's entry */
	GRAPH_IRQ_END, /* "<==========": what came before was its return */
	GRAPH_NOTHING  /* a part of the picture alone: a rule */
};

/* A line. Strings are parts of it. What the line does not say of place, is as in a row: -1, NULL.
 */
struct graphrow {
	enum graphrow_kind kind;
	struct tracerow at; /* time, CPU, task, flags; for an event its name and words */
	/* of a switch: the task that ran before, as at.pid and at.comm; -1: not said */
	int32_t before;
	const char *before_comm, *before_end;
	const char *comm_end; /* at.comm ends here, not by a NUL; NULL: by a NUL */
	bool has_duration;
	uint64_t duration; /* nanoseconds */
	unsigned indent;   /* blanks in front of what is said */
	const char *func; /* of a call, n_func characters; NULL: an end that does not say of what */
	size_t n_func;
	const char *words; /* the call as it is written, without blanks around it */
};

/* Parses a line, which ends with a NUL, and cuts it to pieces. False: it is none of a graph. A line
 * without a column of CPUs is taken where cpuless is true. */
bool graphrow_parse(char *s, bool cpuless, struct graphrow *ret);
/* The same for what stands behind the columns of a task and a time in trace-cmd's report: duration,
 * bar, and call. ret->at stays as it is. */
bool graphrow_body(char *s, struct graphrow *ret);

#endif
