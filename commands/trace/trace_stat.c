/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace stat: how many events there are, of what, where, and how fast they came. */
#include <string.h>

#include "core/obit.h"
#include "core/trace/power.h"
#include "core/trace/stat.h"
#include "core/trace/timeline.h"
#include "core/trace/trace.h"
#include "commands/trace/stat_record.h"
#include "commands/trace/trace_select.h"

struct stat_opts {
	struct trace_opts which;
	bool power, events, cpus, tasks;
	uint64_t n;
};
static const struct option opts[] = {
	TRACE_OPTIONS(struct stat_opts, which),
	{ "events", NULL, OPTION_FLAG, offsetof(struct stat_opts, events),
	  "only the table of events" },
	{ "cpus", NULL, OPTION_FLAG, offsetof(struct stat_opts, cpus), "only the table of CPUs" },
	{ "tasks", NULL, OPTION_FLAG, offsetof(struct stat_opts, tasks),
	  "only the table of tasks" },
	{ "power", NULL, OPTION_FLAG, offsetof(struct stat_opts, power),
	  "how long each CPU was in which idle state and at which frequency" },
	{ "n", "rows", OPTION_UINT, offsetof(struct stat_opts, n),
	  "at most so many rows of each table; 20 of the tasks unless said" },
};

static void emit_all(struct ctx *c, struct trace_stat *s, bool ns)
{
	const struct stat_opts *o = c->opts;
	bool all = !o->events && !o->cpus && !o->tasks;

	stat_sort(s);
	if (all)
		stat_summary_emit(c, s, ns);
	if (all || o->cpus)
		stat_cpus_emit(c, s, ns);
	if (all || o->events)
		stat_rows_emit(c, s, &s->events, o->n ? o->n : UINT64_MAX, false, ns);
	if (all || o->tasks)
		stat_rows_emit(c, s, &s->tasks, o->n ? o->n : all ? 20 : UINT64_MAX, true, ns);
}

static bool stat_run(struct ctx *c, struct err *err)
{
	static const char *const power_events[] = { "cpu_idle", "cpu_frequency" };
	const struct stat_opts *o = c->opts;
	const struct trace_buffer *const *buffers;
	struct trace_choice choice;
	struct trace_event ev;
	struct timeline *tl;
	struct power p = { 0 };
	struct trace_stat s;
	bool ns = true;

	if (c->argc)
		return err_set(err, ERR_USAGE, "'%.60s': only options are taken", c->argv[0]);
	if (!trace_choose(c, &o->which, &choice, err))
		return false;
	if (o->power && !choice.sel.n_events) {
		choice.sel.events = power_events;
		choice.sel.n_events = ARRAY_SIZE(power_events);
	}
	if (!timeline_open(c->t, &choice.sel, c->arena, &tl, err)) {
		trace_choice_release(&choice);
		return false;
	}
	for (size_t i = timeline_buffers(tl, &buffers); i-- > 0;)
		ns &= buffers[i]->ns;
	stat_init(&s, c->arena);
	while (timeline_next(tl, &ev, err)) {
		stat_event(&s, &ev);
		if (o->power)
			power_event(&p, &ev);
	}
	if (!err->code && o->power)
		stat_power_emit(c, &p, s.last);
	else if (!err->code)
		emit_all(c, &s, ns);
	trace_note_others(c, tl);
	trace_notes(c, tl);
	trace_choice_release(&choice);
	stat_release(&s);
	power_release(&p);
	return !err->code;
}

static const struct record_kind *const emits[] = { &trace_summary_kind,   &trace_event_count_kind,
						   &trace_cpu_count_kind, &trace_task_count_kind,
						   &trace_power_kind,     NULL };
static const struct example examples[] = {
	{ "trace stat", "what was recorded, how much of it, and by whom" },
	{ "trace stat --events -e sched_*", "counts and rates of some events" },
	{ "trace stat --power", "idle states and frequencies, CPU by CPU" },
};
const struct command cmd_trace_stat = {
	.name = "trace stat",
	.group = "trace",
	.summary = "counts and rates of events, CPUs and tasks",
	OPTS(opts),
	.opts_size = sizeof(struct stat_opts),
	.emits = emits,
	.none = "no such event",
	.help = "Reads all events once, from the dump's ring buffers or from files, and counts them by CPU, "
		"by kind and by the task that ran. Rates are over the time from the first event to the "
		"last; where the trace's clock counts no nanoseconds there are none. LOST is what the "
		"pages themselves say was lost; what the kernel counted as overwritten is shown by "
		"`trace`.\n\n"
		"--power adds up the time between cpu_idle and cpu_frequency events, up to the last "
		"event; what was before the first of a CPU is unknown and left out.\n\n"
		"Memory does not grow with the length of the trace: at most 100,000 kinds of events and "
		"as many tasks are told apart.",
	EXAMPLES(examples),
	.run = stat_run,
};
