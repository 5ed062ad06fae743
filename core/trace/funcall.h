/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function's call or return, as the function_graph tracer records it. */
#ifndef OBIT_TRACE_FUNCALL_H
#define OBIT_TRACE_FUNCALL_H

#include "core/base/buf.h"
#include "core/trace/trace.h"

struct funcall {
	uint64_t
		func; /* an address, or of texts the number of a name; 0: of a text that lacks it */
	int64_t depth; /* 0: outermost */
	bool is_return;
	bool leaf; /* of a text: an entry whose line is the return, too */
	bool irq;  /* an interrupt's entry code, or its return */
	/* of a return, and of such an entry, in nanoseconds */
	bool has_duration;
	uint64_t duration;
	bool has_retval;
	uint64_t retval, overrun;
};

/* Sets *ret by the event's bytes. False: it lacks a field. The caller has seen by trace_kind() that
 * it is a call or a return. */
bool funcall_of(const struct trace_event *ev, struct funcall *ret);
/* Appends the function's name, with its module behind it. */
void funcall_name(struct buf *b, const struct recording *rec, uint64_t func);
/* Appends what a function returned: an error as a number, all else in hexadecimal, as `hex` has
 * everything. */
void funcall_retval(struct buf *b, const struct recording *rec, uint64_t retval, bool hex);
/* Appends "f() {", "f();" or "} /[*] f [*]/", or as the text has it. leaf: the entry and the return
 * of one line. */
void funcall_words(struct buf *b, const struct trace_event *ev, const struct funcall *c, bool leaf);
/* Appends the arrow that stands in front of an interrupt's entry, or behind its return, in the
 * column of durations. */
void funcall_arrow(struct buf *b, bool enter);
/* Appends "1.234 us", the point in its place whatever the number; a width of 0: as short as it is.
 */
void funcall_duration(struct buf *b, uint64_t ns, unsigned width);
/* Appends the same as the kernel's function_graph has it, seven digits at most, the point counted:
 * "12.345 us   ", padded to twelve columns. */
void funcall_kernel_duration(struct buf *b, uint64_t ns);

#endif
