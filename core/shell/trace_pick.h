/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options that commands over recordings share: which events. */
#ifndef OBIT_TRACE_PICK_H
#define OBIT_TRACE_PICK_H

#include "core/base/guard.h"
#include "core/shell/command.h"
#include "core/trace/timeline.h"

struct trace_pick {
	const char *instance, *cpus, *events, *pids, *comms, *since, *until;
	bool snapshot;
};
/* Rows of an option table; the option struct has the pick as its first member. */
#define TRACE_PICK_OPTIONS                                                                      \
	{ "instance", "name", OPTION_STR, offsetof(struct trace_pick, instance),                \
	  "only this instance; \"\" is the top one" },                                          \
		{ "snapshot", NULL, OPTION_FLAG, offsetof(struct trace_pick, snapshot),         \
		  "the snapshot, not the main buffer" },                                        \
		{ "cpu", "list", OPTION_STR, offsetof(struct trace_pick, cpus),                 \
		  "only these CPUs: 0,2-3" },                                                   \
		{ "e", "events", OPTION_STR, offsetof(struct trace_pick, events),               \
		  "only these events, with commas: sched_*,irq:*" },                            \
		{ "pid", "list", OPTION_STR, offsetof(struct trace_pick, pids),                 \
		  "only while these tasks ran: 1,1234" },                                       \
		{ "comm", "names", OPTION_STR, offsetof(struct trace_pick, comms),              \
		  "only while tasks of these names ran: kworker*" },                            \
		{ "since", "time", OPTION_STR, offsetof(struct trace_pick, since),              \
		  "from then on: 12.5 (seconds of the trace's clock), or -50ms from its end" }, \
	{                                                                                       \
		"until", "time", OPTION_STR, offsetof(struct trace_pick, until), "up to then"   \
	}

/* The selection; strings and arrays are in the command's arena. */
bool trace_pick_select(struct ctx *c, const struct trace_pick *p, struct trace_select *ret,
		       struct err *err) MUST_CHECK;
/* Notes everything that was damaged since the last call. */
void trace_pick_notes(struct ctx *c, struct timeline *tl);

#endif
