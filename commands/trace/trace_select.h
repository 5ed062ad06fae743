/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands of the trace family have in common: which events are asked for. */
#ifndef OBIT_TRACE_SELECT_H
#define OBIT_TRACE_SELECT_H

#include "core/shell/command.h"
#include "core/trace/filter/filter.h"
#include "core/trace/print/print.h"
#include "core/trace/replay.h"
#include "core/trace/timeline.h"

/* The name of the instance that -i's word means: "" for tracefs' own, which has none and is shown
 * as "top". NULL stays: no word was given. */
const char *trace_instance(const char *word);
/* Options; a command's own option struct has one of these in it. */
struct trace_opts {
	const char *instance, *cpus, *pids, *comms, *events, *since, *until;
	const char *const *filters;
	bool snapshot, consumed, stale;
};
/* The rows of a command's option table; `type` is its struct, `member` its struct trace_opts. */
#define TRACE_OPTIONS(type, member)                                                                                                     \
	OPT_STR("i", "instance", type, member.instance,                                                                                 \
		"of this instance; top, or '', is tracefs' own. Else of all"),                                                          \
		OPT_FLAG("snapshot", type, member.snapshot,                                                                             \
			 "the snapshot in place of the main buffer"),                                                                   \
		OPT_STR("C", "cpus", type, member.cpus, "only these CPUs: 0,2-3"),                                                      \
		OPT_STR("p", "pids", type, member.pids, "only these tasks' events: 1,42"),                                              \
		OPT_STR("comm", "names", type, member.comms,                                                                            \
			"only of tasks with such a name: 'kworker*,init'"),                                                             \
		OPT_STR("e", "events", type, member.events, "only these events: 'sched_*,irq:*'"),                                      \
		OPT_LIST("F", "filter", type, member.filters,                                                                           \
			 "only what passes: 'sched_switch: prev_pid == 1'; of several one"),                                            \
		OPT_STR("since", "time", type, member.since,                                                                            \
			"from this time on: seconds as the trace shows them, or '-50ms' before the end"),                               \
		OPT_STR("until", "time", type, member.until,                                                                            \
			"up to this time; 'panic' is the kernel's last word"),                                                          \
		OPT_FLAG(                                                                                                               \
			"consumed", type, member.consumed,                                                                              \
			"events too that the kernel counts as read, and those of a latency tracer's snapshot from before the latency"), \
		OPT_FLAG("stale", type, member.stale,                                                                                   \
			 "only what a reset of the buffer left in its pages")

/* A selection made of options. */
struct trace_choice {
	struct trace_select sel;
	struct trace_printer *printer;
	struct trace_filter *filter; /* NULL: none was asked for */
};
/* ERR_USAGE, or why there is nothing to choose from. On success trace_choice_release() is due. */
bool trace_choose(struct ctx *c, const struct trace_opts *o, struct trace_choice *ret,
		  struct err *err) MUST_CHECK;
void trace_choice_release(struct trace_choice *ch);
/* A time as people type it: "12.345678", "-50ms" before the end, "panic". ERR_USAGE. */
bool trace_time(struct ctx *c, const char *text, const struct trace_select *sel, uint64_t *ret,
		struct err *err) MUST_CHECK;
/* Notes that buffers of other clocks were left out. */
void trace_note_others(struct ctx *c, struct timeline *tl);
/* Notes what was wrong in lanes and stepped over. */
void trace_notes(struct ctx *c, struct timeline *tl);

/* One event, or lines between events, that a record tells of. */
struct trace_shown {
	const struct trace_event *ev; /* NULL: lines for people, of which JSON has no record */
	struct trace_printer *printer;
	struct arena *arena; /* for what JSON shows of the event */
	/* Adds the lines, once and only where text is wanted; the last may lack its end. NULL: of
	 * an event what the kernel's trace file has. */
	void (*lines)(struct buf *b, void *self);
	void *self;
};
/* The record of one event, as every command of the family emits it, and of lines between them. */
extern const struct record_kind trace_event_kind, trace_lines_kind;
/* Sets *r to a record of one of these kinds; it lives as long as *shown and all that is in it. */
void trace_shown_record(const struct trace_shown *shown, struct record *r);

/* "trace_setting": what an instance of the dump was told; "trace_probe": each dynamic event. */
extern const struct record_kind trace_setting_kind, trace_probe_kind;
struct trace_array;
void trace_settings_emit(struct ctx *c, const struct trace_array *tr);
bool trace_probes_emit(struct ctx *c, struct err *err) MUST_CHECK;

/* The longest latency that a latency tracer met; nothing where the buffer is not of its events. */
extern const struct record_kind trace_longest_kind;
void trace_longest_emit(struct ctx *c, const struct trace_buffer *b);

/* What a CPU was doing at a moment of a replay of the buffer, which may be NULL. Strings are the
 * arena's. */
extern const struct record_kind trace_lane_kind;
void trace_lane_record(const struct replay_cpu *cpu, const struct trace_buffer *buffer,
		       struct arena *a, struct record *r);

#endif
