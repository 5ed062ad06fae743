/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A record of a sub-buffer made an event. */
#ifndef OBIT_TRACE_DECODE_H
#define OBIT_TRACE_DECODE_H

#include "core/trace/subbuf.h"
#include "core/trace/trace.h"

/* Fills type, format, names, pid, flags and data of *ret; time, CPU and marks are the caller's. */
void trace_decode(const struct recording *rec, const struct trace_record *at,
		  struct trace_event *ret);

#endif
