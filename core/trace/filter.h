/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters of events: which ones, and what they must have. */
#ifndef OBIT_TRACE_FILTER_H
#define OBIT_TRACE_FILTER_H

#include "core/trace/condition.h"

/*
 * "EVENTS: CONDITION", several separated by ';', of which an event must pass one; trace-cmd's
 * language. EVENTS are names separated by commas, "sched/sched_switch", or a system's or event's
 * name alone; each may be a shell pattern or an extended regular expression of the whole name,
 * capitals do not matter. Without a condition all of these events pass.
 */
struct trace_filter;

/* ERR_USAGE, also where no event of that name, or none of them with such a field, is known in any
 * of the recordings; ERR_LIMIT. The result is released by the caller. */
bool trace_filter_new(const struct traces *all, const char *text, struct trace_filter **ret,
		      struct err *err) MUST_CHECK;
/* NULL is fine. */
void trace_filter_release(struct trace_filter *f);
/* Does the event pass? Those of other events than the filters name do not. */
bool trace_filter_match(struct trace_filter *f, const struct trace_event *ev);

#endif
