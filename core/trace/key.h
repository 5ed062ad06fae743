/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What events are told apart and measured by: a number or text of an event, by name. */
#ifndef OBIT_TRACE_KEY_H
#define OBIT_TRACE_KEY_H

#include "core/base/buf.h"
#include "core/trace/trace.h"

enum trace_how {
	TRACE_DECIMAL,
	TRACE_HEX,
	TRACE_SYMBOL, /* an address of code */
	TRACE_ENTRY,  /* where a function is traced: a few bytes into it on some machines */
	TRACE_TEXT    /* the address of a text of the kernel's */
};
struct trace_value {
	const char *str; /* NULL: a number */
	uint64_t num;
	bool is_signed;
	enum trace_how how;
};

/*
 * Sets *ret to the event's field of this name. When it has no such field, "cpu", "pid" and "comm"
 * are those of the task that ran, "task" is "comm-pid", and there are "tgid", "event" and "system".
 * A return of function_graph has "duration", in nanoseconds. "common_cpu" and "common_comm" are
 * those of the task that ran even if the event has fields "cpu" and "comm". False: it has no such
 * thing. Text is in the arena.
 */
bool trace_value_of(const struct trace_event *ev, const char *name, struct arena *a,
		    struct trace_value *ret);
/* Is it one of these names, which every event may have, whatever its fields are? */
bool trace_value_is_context(const char *name);
void trace_value_text(struct buf *b, const struct recording *rec, const struct trace_value *v);

#endif
