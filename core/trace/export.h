/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings in the forms of other tools: trace.dat, and Chrome's JSON. */
#ifndef OBIT_TRACE_EXPORT_H
#define OBIT_TRACE_EXPORT_H

#include "core/base/buf.h"
#include "core/trace/print.h"
#include "core/trace/timeline.h"

/* A file that is written. The owner opens and closes fd, and releases b. */
struct export_out {
	int fd;
	struct buf b; /* not yet written */
	int error;    /* errno of the first failure; later writes do nothing */
};
void export_add(struct export_out *o, const void *p, size_t n);
/* Over what was written, at an offset. */
void export_patch(struct export_out *o, uint64_t at, const void *p, size_t n);
bool export_flush(struct export_out *o); /* false: o->error */

struct export_counts {
	uint64_t events, skipped; /* skipped: without binary data, or of another recording */
	unsigned buffers, formats;
};

/*
 * A trace.dat of version 6 or 7 (trace-cmd's Documentation, trace-cmd.dat.v6.5.txt and v7.5.txt):
 * the selected events of every selected buffer of one recording, a lane a CPU, with the formats,
 * names of tasks, symbols and strings that they refer to. out is a file that can be written
 * anywhere. ERR_UNSUPPORTED for recordings that are text.
 */
bool export_dat(struct target *t, const struct trace_select *sel, unsigned version,
		struct export_out *out, struct export_counts *ret, struct err *err) MUST_CHECK;

/* Chrome's trace event format, an object with "traceEvents", as Perfetto's and Chrome's viewers
 * read it: a track a CPU with who ran, a track a task with its events, functions nested, counters
 * for power events. */
bool export_chrome(struct target *t, const struct trace_select *sel, struct trace_printer *p,
		   struct export_out *out, struct export_counts *ret, struct err *err) MUST_CHECK;

#endif
