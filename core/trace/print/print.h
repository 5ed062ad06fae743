/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events in words: what stands behind the time in a line of the kernel's own trace file. */
#ifndef OBIT_TRACE_PRINT_H
#define OBIT_TRACE_PRINT_H

#include "core/base/buf.h"
#include "core/trace/trace.h"

/*
 * A printer knows the formats that were met and their parsed print_fmts (libtraceevent's, one
 * handle a recording). Its memory is its own; the caller releases it.
 */
struct trace_printer;
struct trace_printer *trace_printer_new(void);
void trace_printer_release(struct trace_printer *p);
/* Has a "%p" without suffix print what shown() returns for the pointer, in the word's full width,
 * in place of the pointer itself: the kernel's hash of it. To be called before anything is printed.
 */
void trace_printer_hide(struct trace_printer *p, uint64_t (*shown)(uint64_t ptr, void *arg),
			void *arg);

/* "sched_wakeup: comm=init pid=1 ...", "schedule <-worker_thread", "sys_close(fd: 3)", as the
 * kernel prints it, without a line's end; stacks have several lines. What cannot be printed by its
 * print_fmt shows its fields, what has no format its bytes. */
void trace_print(struct trace_printer *p, struct buf *b, const struct trace_event *ev);
/* Appends an event's fields by name and value, all but the common ones: for events that have no
 * better words. */
void trace_print_fields(struct buf *b, const struct trace_event *ev);

/* The kernel's own events (system "ftrace"): what kind of a line they are. */
enum trace_kind {
	TRACE_KIND_EVENT, /* a trace event like all others */
	TRACE_KIND_FUNCTION,
	TRACE_KIND_GRAPH_ENTRY,
	TRACE_KIND_GRAPH_EXIT,
	TRACE_KIND_STACK,
	TRACE_KIND_USER_STACK,
	TRACE_KIND_PRINT,
	TRACE_KIND_BPRINT,
	TRACE_KIND_BPUTS,
	TRACE_KIND_RAW,
	TRACE_KIND_REPEATS,
	TRACE_KIND_HWLAT,
	TRACE_KIND_OSNOISE,
	TRACE_KIND_TIMERLAT,
	TRACE_KIND_SWITCH,
	TRACE_KIND_WAKEUP,
};
enum trace_kind trace_kind(const struct trace_event *ev);
/* Appends the words of such an event. False: it is an event of function_graph, or of another
 * system, or lacks a field. */
bool trace_print_internal(struct buf *b, const struct trace_event *ev);

/* Appends the words of an event of the system "syscalls". False: it is of another one, or lacks a
 * field.
 */
bool trace_print_syscall(struct buf *b, const struct trace_event *ev);
/* Appends what the argument `arg` of a system call points to, which newer kernels record with the
 * event: in quotes, and with dots behind them when it was cut. False: it was not recorded. */
bool trace_print_user_data(struct buf *b, const struct trace_event *ev,
			   const struct trace_field *arg);
/* Is the field f such data, and not an argument? */
bool trace_is_user_data(const struct trace_field *f);

/* Appends an address as the kernel's own events show it: "schedule", or with `offset`
 * "schedule+0x1c/0x90". */
void trace_print_symbol(struct buf *b, const struct trace_event *ev, uint64_t addr, bool offset);
/* Microseconds, rounded to the nearest as the kernel's ns2usecs() does. */
uint64_t trace_us(uint64_t ns);
/* Appends a time as " 1234.567890", or as traces show it of a clock that does not count
 * nanoseconds. */
void trace_print_time(struct buf *b, const struct trace_buffer *buffer, uint64_t ts);

#endif
