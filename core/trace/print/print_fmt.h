/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_fmt as libtraceevent can take it: private to core/trace. */
#ifndef OBIT_TRACE_PRINT_FMT_H
#define OBIT_TRACE_PRINT_FMT_H

#include "core/base/buf.h"
#include "core/trace/trace.h"

/* Appends the text of a format with what libtraceevent 1.7.1 reads wrongly in words that it reads
 * rightly: constants as numbers, masks as one number, pointers in full width, arrays with their
 * length. The meaning stays the same. ERR_LIMIT: it grows too long. */
bool trace_fmt_digest(struct arena *a, const struct recording *rec, const struct trace_format *f,
		      struct buf *ret, struct err *err) MUST_CHECK;

#endif
