/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_fmt as libtraceevent can take it: private to core/trace. */
#ifndef OBIT_TRACE_PRINT_FMT_H
#define OBIT_TRACE_PRINT_FMT_H

#include "core/base/buf.h"
#include "core/trace/trace.h"

/* Appends the text of a format with what libtraceevent 1.7.1 reads wrongly in words that it reads
 * rightly: constants as numbers, masks as one number, pointers in full width, arrays with their
 * length. Addresses of texts become the texts, of which trace_fmt_record() makes the record; a
 * struct page is not known from here, and "<pfn 0x1234>" stands for it. With `marked`, what "%p"
 * prints has a TRACE_FMT_POINTER on both sides: no format of the kernel's has one, and
 * libtraceevent prints it where it takes no other control character. ERR_LIMIT: it grows too long.
 * ERR_FORMAT: libtraceevent would die of it.
 */
#define TRACE_FMT_POINTER '\r'
bool trace_fmt_digest(struct arena *a, const struct recording *rec, const struct trace_format *f,
		      bool marked, struct buf *ret, struct err *err) MUST_CHECK;
/* Appends a format with each "%p" that has no suffix, "%px" and "%pK" as such a number. */
void trace_fmt_pointers(struct buf *b, const char *fmt, unsigned word_size, bool marked);
/* Is the field one of those addresses? */
bool trace_fmt_is_text(const struct trace_format *f, const struct trace_field *field,
		       const struct recording *rec);
/* Appends the event's record as its digested format reads it: the texts stand behind it, and their
 * places are where the addresses were. "<string at 0xffffffff81234567>" is one that is not known.
 * False: it grows larger than a record may be. */
bool trace_fmt_record(const struct trace_event *ev, struct buf *ret);

#endif
