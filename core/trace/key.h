/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What events are told apart and measured by: a number or text of an event, by name. */
#ifndef OBIT_TRACE_KEY_H
#define OBIT_TRACE_KEY_H

#include "core/base/buf.h"
#include "core/trace/trace.h"

enum trace_how {
	TRACE_DECIMAL,
	TRACE_HEX,
	TRACE_SYMBOL /* an address of code */
};
struct trace_value {
	const char *str; /* NULL: a number */
	uint64_t num;
	bool is_signed;
	enum trace_how how;
};

/*
 * A field of the event by name; where it has none of that name: "cpu", "pid" and "comm" of the task
 * that ran, "task" ("comm-pid"), "tgid", "event", "system". "common_cpu" and "common_comm" are
 * those of the task that ran whatever fields there are. False: it has no such thing. Text is in the
 * arena.
 */
bool trace_value_of(const struct trace_event *ev, const char *name, struct arena *a,
		    struct trace_value *ret);
void trace_value_text(struct buf *b, const struct recording *rec, const struct trace_value *v);

/* "prev_state == 0x10", "comm ~ kworker*", "bytes_req > 4096": what an event must have. */
enum trace_test {
	TRACE_EQ,
	TRACE_NE,
	TRACE_LT,
	TRACE_LE,
	TRACE_GT,
	TRACE_GE,
	TRACE_AND, /* & : any of the bits */
	TRACE_LIKE /* ~ : a shell pattern */
};
struct trace_condition {
	const char *name;
	enum trace_test test;
	const char *text;
	uint64_t num;
	bool is_num;
};
/* "a == 1 && b ~ x*": at most max of them. ERR_USAGE. */
bool trace_conditions_parse(const char *text, struct arena *a, struct trace_condition *ret,
			    size_t max, size_t *n, struct err *err) MUST_CHECK;
/* Does it hold? An event without such a field fails it. scratch is for text. */
bool trace_condition_holds(const struct trace_event *ev, const struct trace_condition *c,
			   struct arena *scratch);

#endif
