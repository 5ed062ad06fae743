/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of the kernel's own trace file, column for column (kernel/trace/trace_output.c and
 * trace.c). */
#ifndef OBIT_TRACE_ROW_H
#define OBIT_TRACE_ROW_H

#include "core/trace/print/print.h"
#include "core/trace/timeline.h"

/* "          <idle>-0       [000] d..2.    12.345678: " and the event's words; no line's end. */
void trace_row(struct trace_printer *p, struct buf *b, const struct trace_event *ev);
/* The event's words alone: one line, whatever its strings hold; a stack has a line for each call.
 */
void trace_row_event(struct trace_printer *p, struct buf *b, const struct trace_event *ev);
/* The columns alone, up to the words. */
void trace_row_context(struct buf *b, const struct trace_event *ev);
/* The latency format: comm cut to eight, microseconds since start, a mark for the time to the next.
 */
void trace_row_latency(struct trace_printer *p, struct buf *b, const struct trace_event *ev,
		       uint64_t start, uint64_t next_ts);
/* "d..2.": interrupts, resched, context, preempt depth, and where the event's kernel has letters
 * for them, migrate-disable depth, and behind resched and preempt depth those of lazy preemption.
 */
#define TRACE_FLAGS_MAX 7
#define TRACE_FLAGS_SIZE (TRACE_FLAGS_MAX + 2) /* the lazy depth may have two digits */
void trace_flags(const struct trace_event *ev, char ret[TRACE_FLAGS_SIZE]);
/* "CPU:1 [LOST 12 EVENTS]"; false when none were. */
bool trace_row_lost(struct buf *b, const struct trace_event *ev);
/* "CPU:1 [TIME LOST, BEFORE    12.345678]" in front of the first of events that stand together and
 * whose time is lost; false for all others. */
bool trace_row_untimed(struct buf *b, const struct trace_event *ev);
/* How the events are drawn. */
enum trace_view {
	TRACE_VIEW_ROWS,
	TRACE_VIEW_CALLS,  /* rows, and calls nested in them: trace_calls_rows() */
	TRACE_VIEW_GRAPH,  /* the kernel's function_graph: trace_graph_rows() */
	TRACE_VIEW_LATENCY /* the kernel's latency format */
};
/* The head of a trace file, with its line's ends. */
void trace_head(struct buf *b, const struct trace_buffer *buffer, enum trace_view view);
/* The slanted lines of a head, each from a letter of the rows to its name: "|| / _--=>
 * preempt-depth". The first starts behind indent blanks and has longest dashes; names are padded to
 * wide. */
void trace_slants(struct buf *b, int indent, const char *const *names, size_t n, int longest,
		  int wide);
/* The columns' head of the osnoise and timerlat tracers, which have their own; false: of another
 * tracer. */
bool trace_noise_head(struct buf *b, const struct trace_buffer *buffer);
/* The mark of how long something took: '$' over a second ... '+' over 10 us, ' ' less. */
char trace_mark_of(uint64_t ns);

/*
 * Calls for people: a row as all others have, and in it how long it took and within what it lies.
 * It remembers, so each event is shown to it once, in the timeline's order.
 */
struct trace_calls;
struct trace_calls *trace_calls_new(struct arena *a);
/* The lines of a call or return, each with its end, and of events between calls. The event's data
 * are gone then: it looks at what follows. False: draw a row. */
bool trace_calls_rows(struct trace_calls *v, struct trace_printer *p, struct buf *b,
		      struct timeline *tl, const struct trace_event *ev);

/*
 * The kernel's own function_graph view: what was called by what, on each CPU. It remembers, so each
 * event is shown to it once, in the timeline's order.
 */
struct trace_graph;
struct trace_graph *trace_graph_new(struct arena *a);
/* The lines of one event, each with its end; "" where one says nothing of its own. The event's data
 * are gone then: it looks at what follows. False: not an event that this view draws; draw a row. */
bool trace_graph_rows(struct trace_graph *g, struct trace_printer *p, struct buf *b,
		      struct timeline *tl, const struct trace_event *ev);

#endif
