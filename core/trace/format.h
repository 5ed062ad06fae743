/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event formats: the text of tracefs' "format" files, read and written. */
#ifndef OBIT_TRACE_FORMAT_H
#define OBIT_TRACE_FORMAT_H

#include "core/base/buf.h"
#include "core/trace/trace.h"

/* Limits of a format text; beyond them ERR_LIMIT. Nested parentheses are counted before
 * libtraceevent sees a text, for it recurses without one. */
#define TRACE_FORMAT_MAX ((size_t)256 << 10) /* bytes */
#define TRACE_FIELDS_MAX 512u
#define TRACE_PARENS_MAX 200u

/* Parses the text of one format, "name: … ID: … format: … print fmt: …"
 * (kernel/trace/trace_events.c, f_show()). What *ret points to is in arena a. ERR_FORMAT,
 * ERR_LIMIT. */
bool trace_format_parse(struct span text, const char *system, struct arena *a,
			struct trace_format *ret, struct err *err) MUST_CHECK;
/* Sets is_text_address of the event's n fields: of those of type "char *" that print_fmt, which may
 * be NULL, shows by "%s" alone. What system calls are given lies in a program's memory: none of it
 * is. */
void trace_format_texts(struct trace_field *fields, size_t n, const char *system,
			const char *print_fmt);
/* Appends the text of the kernel's format file, byte for byte. */
void trace_format_text(struct buf *b, const struct trace_format *f);
/* May libtraceevent be given this print_fmt? False: *err says which limit it exceeds. */
bool trace_format_bounded(const struct trace_format *f, struct err *err) MUST_CHECK;

#endif
