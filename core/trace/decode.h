/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A record of a sub-buffer made an event. */
#ifndef OBIT_TRACE_DECODE_H
#define OBIT_TRACE_DECODE_H

#include "core/trace/subbuf.h"
#include "core/trace/trace.h"

/* Sets flags, preempt and lazy of *ret by the record's data, which has at least eight bytes. */
void trace_decode_context(const struct recording *rec, struct span data, struct trace_event *ret);
/* Sets id, format, names, pid, flags and data of *ret by the record; the caller sets time, CPU and
 * marks.
 */
void trace_decode(const struct recording *rec, const struct trace_record *at,
		  struct trace_event *ret);

#endif
