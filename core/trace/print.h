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

/* "sched_wakeup: comm=init pid=1 ...", "schedule <-worker_thread", "sys_close(fd: 3)", as the
 * kernel prints it, without a line's end; stacks have several lines. What cannot be printed by its
 * print_fmt shows its fields, what has no format its bytes. */
void trace_print(struct trace_printer *p, struct buf *b, const struct trace_event *ev);
/* Its fields by name and value, common ones left out: for what has no better words. */
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
/* Prints one of those but function_graph's; false when it is none, or lacks a field. */
bool trace_print_internal(struct buf *b, const struct trace_event *ev);

/* Prints an event of the system "syscalls"; false when it is none of theirs, or lacks a field. */
bool trace_print_syscall(struct buf *b, const struct trace_event *ev);
/* Of a system call's event: what the argument `arg` points to, as newer kernels record it,
 * in quotes, with dots behind them where it was cut. False: it is not there. */
bool trace_print_user_data(struct buf *b, const struct trace_event *ev,
			   const struct trace_field *arg);
/* Is f such data, and no argument? */
bool trace_is_user_data(const struct trace_field *f);

/* An address as the kernel's own events show it: "schedule", with SHOW_OFFSET "schedule+0x1c/0x90".
 */
void trace_print_symbol(struct buf *b, const struct trace_event *ev, uint64_t addr, bool offset);
/* Microseconds, rounded to the nearest as the kernel's ns2usecs() does. */
uint64_t trace_us(uint64_t ns);
/* " 1234.567890", or what a clock that counts no nanoseconds has instead. */
void trace_print_time(struct buf *b, const struct trace_buffer *buffer, uint64_t ts);

#endif
