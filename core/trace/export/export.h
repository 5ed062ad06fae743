/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings in the forms of other tools: trace.dat, and Chrome's JSON. */
#ifndef OBIT_TRACE_EXPORT_H
#define OBIT_TRACE_EXPORT_H

#include "core/base/buf.h"
#include "core/trace/print/print.h"
#include "core/trace/timeline.h"

/* A file that is written. The caller opens and closes fd, and releases b. */
struct export_out {
	int fd;
	struct buf b; /* what is not yet written */
	int error;    /* errno of the first failure; later writes do nothing */
};
void export_add(struct export_out *o, const void *p, size_t n);
/* Writes n bytes over those that were written at an offset. */
void export_patch(struct export_out *o, uint64_t at, const void *p, size_t n);
/* Writes what is pending. False: o->error says why not. */
bool export_flush(struct export_out *o);

struct export_counts {
	uint64_t events, skipped; /* skipped: without the bytes of an event */
	uint64_t chains;          /* events with calls that led to them, which are left out */
	unsigned buffers, formats;
};

/*
 * Writes a trace.dat of version 6 or 7 (trace-cmd's Documentation, trace-cmd.dat.v6.5.txt and
 * v7.5.txt): the selected events of every selected buffer of one recording, a lane for each CPU,
 * with the formats, names of tasks, symbols and strings that they refer to. out must be a file that
 * can be written at any offset. ERR_UNSUPPORTED: the recording is text.
 */
bool export_dat(struct target *t, const struct trace_select *sel, unsigned version,
		struct export_out *out, struct export_counts *ret, struct err *err) MUST_CHECK;

/* Writes Chrome's trace event format, an object with "traceEvents", as the viewers of Perfetto and
 * Chrome read it: for each CPU a track of what ran there, for each task a track of its events,
 * calls nested, and counters for power events. */
bool export_chrome(struct target *t, const struct trace_select *sel, struct trace_printer *p,
		   struct export_out *out, struct export_counts *ret, struct err *err) MUST_CHECK;

#endif
