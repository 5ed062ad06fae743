/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls and returns out of the lines of a function graph. */
#ifndef OBIT_GRAPHTEXT_H
#define OBIT_GRAPHTEXT_H

#include "core/trace/trace.h"
#include "readers/trace/graphrow.h"

/*
 * The kernel draws a picture of two events, "funcgraph_entry" and "funcgraph_exit". This makes them
 * again, with the fields that the kernel's have: func, depth, calltime, rettime. A name stands for
 * itself: `func` is a number by which graph_names finds it, and no address.
 *
 * Where the text has no column of time, each CPU's time is the sum of the durations that it shows,
 * and no less than what was before in the text: an order, and differences that are too small by
 * what no line accounts for.
 */

/* The names of a recording's functions; in its arena. */
struct graph_names;
struct graph_names *graph_names_new(struct arena *a);
/* The number of the name of n characters, which may have a module behind it: "f [module]"; 0: there
 * are too many. */
uint32_t graph_names_number(struct graph_names *names, const char *s, size_t n);
bool graph_names_symbol(const struct graph_names *names, uint64_t func, struct trace_symbol *ret);

struct graphtext;
/* `base`: the blanks in front of the outermost calls; graphtext_base() of the first rows. */
struct graphtext *graphtext_new(struct graph_names *names, unsigned base, struct arena *a);
/* `least`: the fewest blanks among the first lines. A tracer's own lines have two, and more where
 * the outermost call is not there; of text whose blanks were changed the fewest are the base. */
unsigned graphtext_base(unsigned least);
/* A banner that comes later says who ran on a CPU at first: of several the first counts. */
void graphtext_banner(struct graphtext *g, const struct graphrow *row);
/* Sets *ret to a return that is due before a row of the time `ts` on `cpu`: the kernel shows a call
 * and its return in one line where nothing lies between. UINT64_MAX: whatever is left. */
bool graphtext_due(struct graphtext *g, uint64_t ts, int cpu, struct trace_event *ret);
/* The time of a row, which comes next. */
uint64_t graphtext_time(struct graphtext *g, const struct graphrow *row);
/* Sets what the row says in *ret, whose buffer is set. False: it says nothing of its own. What *ret
 * points to lives until the next call, and as long as the row's line. */
bool graphtext_event(struct graphtext *g, const struct graphrow *row, uint64_t ts,
		     struct trace_event *ret);

#endif
