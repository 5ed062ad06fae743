/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters of events: which ones, and what they must have. */
#ifndef OBIT_TRACE_FILTER_H
#define OBIT_TRACE_FILTER_H

#include "core/trace/filter/condition.h"

/*
 * "EVENTS: CONDITION", several separated by ';', of which an event must pass one; trace-cmd's
 * language. EVENTS are names separated by commas, "sched/sched_switch", or a system's or event's
 * name alone; each may be a shell pattern or an extended regular expression of the whole name,
 * capitals do not matter. Without a condition all of these events pass; a condition alone, which
 * compares something, is asked of all events.
 */
struct trace_filter;

/* Parses a filter, which the caller releases. ERR_USAGE: text is none, or no recording has an event
 * of such a name, or none of these events has such a field; the message says in which column.
 * ERR_LIMIT. */
bool trace_filter_new(const struct traces *all, const char *text, struct trace_filter **ret,
		      struct err *err) MUST_CHECK;
/* Adds another text, as if it stood behind a ';'. False: f is as useless as if it were none, and
 * the caller still releases it. */
bool trace_filter_add(struct trace_filter *f, const struct traces *all, const char *text,
		      struct err *err) MUST_CHECK;
/* f may be NULL. */
void trace_filter_release(struct trace_filter *f);
/* Does the event pass? Events that the filter does not name do not. */
bool trace_filter_match(struct trace_filter *f, const struct trace_event *ev);

#endif
