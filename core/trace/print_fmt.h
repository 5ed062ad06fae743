/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_fmt as libtraceevent can take it: private to core/trace. */
#ifndef OBIT_TRACE_PRINT_FMT_H
#define OBIT_TRACE_PRINT_FMT_H

#include "core/base/buf.h"
#include "core/trace/trace.h"

/* Adds the text of the format with what libtraceevent 1.7.1 reads wrongly said otherwise: constants
 * by number, masks as one number, pointers in full width, arrays with their length. What it means
 * is the same. ERR_LIMIT when it grows too long. */
bool trace_fmt_digest(struct arena *a, const struct recording *rec, const struct trace_format *f,
		      struct buf *ret, struct err *err) MUST_CHECK;

#endif
