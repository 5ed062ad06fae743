/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace stat: how many events there are, of what, where, and how fast they came. */
#include <string.h>

#include "core/obit.h"

enum {
	EVENTS,
	SPAN,
	RATE,
	FROM,
	TO,
	LOST,
	GAPS
};
static const struct record_field summary_fields[] = {
	[EVENTS] = { "events", NULL, CELL_UINT, 0, "how many were read" },
	[SPAN] = { "span_ns", "SPAN", CELL_TIME, 0,
		   "from the first to the last; of the trace's clock" },
	[RATE] = { "rate", "PER SECOND", CELL_DECIMAL, 0, "events a second over that span" },
	[FROM] = { "first_ns", "FIRST", CELL_TIME, 0, "when the first was" },
	[TO] = { "last_ns", "LAST", CELL_TIME, 0, "when the last was" },
	[LOST] = { "lost", NULL, CELL_UINT, 0, "events that the pages say were lost before them" },
	[GAPS] = { "gaps", NULL, CELL_UINT, 0, "places where an unknown number was lost" },
};
static const struct record_kind summary_kind = { "trace_summary", "What was read.",
						 LAYOUT_PAIRS,    NULL,
						 summary_fields,  ARRAY_SIZE(summary_fields) };

enum {
	E_EVENT,
	E_SYSTEM,
	E_COUNT,
	E_RATE,
	E_SHARE,
	E_FIRST,
	E_LAST
};
static const struct record_field event_fields[] = {
	[E_EVENT] = { "event", NULL, CELL_STR, 0, "the event's name" },
	[E_SYSTEM] = { "system", NULL, CELL_STR, 0, "the subsystem it is of; null unknown" },
	[E_COUNT] = { "count", NULL, CELL_UINT, FIELD_RIGHT, "how many" },
	[E_RATE] = { "rate", "PER SECOND", CELL_DECIMAL, FIELD_RIGHT,
		     "a second, over all of the trace" },
	[E_SHARE] = { "percent", "%", CELL_DECIMAL, FIELD_RIGHT, "of all events" },
	[E_FIRST] = { "first_ns", "FIRST", CELL_TIME, 0, "when the first was" },
	[E_LAST] = { "last_ns", "LAST", CELL_TIME, 0, "when the last was" },
};
static const struct record_kind event_kind = { "trace_event_count", "One kind of event.",
					       LAYOUT_TABLE,        NULL,
					       event_fields,        ARRAY_SIZE(event_fields) };

enum {
	C_CPU,
	C_COUNT,
	C_RATE,
	C_LOST,
	C_GAPS,
	C_FIRST,
	C_LAST
};
static const struct record_field cpu_fields[] = {
	[C_CPU] = { "cpu", NULL, CELL_INT, FIELD_RIGHT, "number of the CPU" },
	[C_COUNT] = { "count", NULL, CELL_UINT, FIELD_RIGHT, "how many events" },
	[C_RATE] = { "rate", "PER SECOND", CELL_DECIMAL, FIELD_RIGHT,
		     "a second, over all of the trace" },
	[C_LOST] = { "lost", NULL, CELL_UINT, FIELD_RIGHT, "events that its pages say were lost" },
	[C_GAPS] = { "gaps", NULL, CELL_UINT, FIELD_RIGHT,
		     "places where an unknown number was lost" },
	[C_FIRST] = { "first_ns", "FIRST", CELL_TIME, 0, "when its first was" },
	[C_LAST] = { "last_ns", "LAST", CELL_TIME, 0, "when its last was" },
};
static const struct record_kind cpu_kind = { "trace_cpu_count", "One CPU.",
					     LAYOUT_TABLE,      NULL,
					     cpu_fields,        ARRAY_SIZE(cpu_fields) };

enum {
	T_PID,
	T_COMM,
	T_COUNT,
	T_RATE,
	T_SHARE,
	T_FIRST,
	T_LAST
};
static const struct record_field task_count_fields[] = {
	[T_PID] = { "pid", NULL, CELL_INT, FIELD_RIGHT, "of the task that ran" },
	[T_COMM] = { "comm", NULL, CELL_STR, 0, "its name" },
	[T_COUNT] = { "count", NULL, CELL_UINT, FIELD_RIGHT, "how many events" },
	[T_RATE] = { "rate", "PER SECOND", CELL_DECIMAL, FIELD_RIGHT,
		     "a second, over all of the trace" },
	[T_SHARE] = { "percent", "%", CELL_DECIMAL, FIELD_RIGHT, "of all events" },
	[T_FIRST] = { "first_ns", "FIRST", CELL_TIME, 0, "when its first was" },
	[T_LAST] = { "last_ns", "LAST", CELL_TIME, 0, "when its last was" },
};
static const struct record_kind task_count_kind = {
	"trace_task_count",           "One task.", LAYOUT_TABLE, NULL, task_count_fields,
	ARRAY_SIZE(task_count_fields)
};

enum {
	P_CPU,
	P_WHAT,
	P_STATE,
	P_TIME,
	P_SHARE,
	P_ENTERED
};
static const struct record_field power_fields[] = {
	[P_CPU] = { "cpu", NULL, CELL_UINT, FIELD_RIGHT, "number of the CPU" },
	[P_WHAT] = { "what", NULL, CELL_STR, 0, "\"idle\" or \"frequency\"" },
	[P_STATE] = { "state", NULL, CELL_STR, FIELD_RIGHT,
		      "number of the idle state, \"running\", or kHz" },
	[P_TIME] = { "time_ns", "TIME", CELL_TIME, 0, "how long, as far as the trace shows" },
	[P_SHARE] = { "percent", "%", CELL_DECIMAL, FIELD_RIGHT, "of what is known of this CPU" },
	[P_ENTERED] = { "entered", NULL, CELL_UINT, FIELD_RIGHT, "how often" },
};
static const struct record_kind power_kind = { "trace_residency", "One state of a CPU.",
					       LAYOUT_TABLE,      NULL,
					       power_fields,      ARRAY_SIZE(power_fields) };

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

static uint64_t percent(uint64_t part, uint64_t whole)
{
	return whole ? (uint64_t)((unsigned __int128)part * 10000 / whole) : 0;
}

static void emit_summary(struct ctx *c, const struct trace_stat *s, bool ns)
{
	struct record r;

	record_init(&r, &summary_kind);
	record_uint(&r, EVENTS, s->n);
	if (s->n) {
		record_uint(&r, FROM, s->first);
		record_uint(&r, TO, s->last);
		record_uint(&r, SPAN, s->last - s->first);
	}
	if (s->n && ns)
		record_uint(&r, RATE, stat_rate(s->n, s->first, s->last));
	record_uint(&r, LOST, s->lost);
	record_uint(&r, GAPS, s->gaps);
	emit(c, &r);
}

static void emit_cpus(struct ctx *c, const struct trace_stat *s, bool ns)
{
	for (size_t i = 0; i < s->cpus.v.n; i++) {
		const struct stat_row *row = &s->cpus.v.p[i];
		struct record r;

		record_init(&r, &cpu_kind);
		record_int(&r, C_CPU, row->number);
		record_uint(&r, C_COUNT, row->n);
		if (ns)
			record_uint(&r, C_RATE, stat_rate(row->n, s->first, s->last));
		record_uint(&r, C_LOST, row->lost);
		record_uint(&r, C_GAPS, row->gaps);
		record_uint(&r, C_FIRST, row->first);
		record_uint(&r, C_LAST, row->last);
		emit(c, &r);
	}
}

/* Tables of events and of tasks differ in their first two columns alone. */
static void emit_rows(struct ctx *c, const struct trace_stat *s, const struct stat_rows *rows,
		      uint64_t max, bool tasks, bool ns)
{
	for (size_t i = 0; i < rows->v.n && i < max; i++) {
		const struct stat_row *row = &rows->v.p[i];
		struct record r;

		record_init(&r, tasks ? &task_count_kind : &event_kind);
		if (tasks) {
			record_int(&r, T_PID, row->number);
			record_str(&r, T_COMM, row->name);
		} else {
			record_str(&r, E_EVENT, row->name);
			record_str(&r, E_SYSTEM, row->system);
		}
		record_uint(&r, E_COUNT, row->n);
		if (ns)
			record_uint(&r, E_RATE, stat_rate(row->n, s->first, s->last));
		record_uint(&r, E_SHARE, percent(row->n, s->n));
		record_uint(&r, E_FIRST, row->first);
		record_uint(&r, E_LAST, row->last);
		emit(c, &r);
	}
	if (rows->left_out) {
		struct err why;

		err_set(&why, ERR_LIMIT, "%llu events are of more than %u different %s",
			(unsigned long long)rows->left_out, STAT_ROWS_MAX,
			tasks ? "tasks" : "kinds");
		note(c, &why);
	}
}

static void emit_power(struct ctx *c, struct power *p, uint64_t end)
{
	struct record r;

	power_finish(p, end);
	for (size_t i = 0; i < p->rows.n; i++) {
		const struct power_row *row = &p->rows.p[i];
		uint64_t whole = 0;

		for (size_t k = 0; k < p->rows.n; k++)
			if (p->rows.p[k].cpu == row->cpu &&
			    p->rows.p[k].frequency == row->frequency)
				whole += p->rows.p[k].time;
		record_init(&r, &power_kind);
		record_uint(&r, P_CPU, row->cpu);
		record_str(&r, P_WHAT, row->frequency ? "frequency" : "idle");
		record_str(
			&r, P_STATE,
			row->state == POWER_RUNNING
				? "running"
				: arena_printf(c->arena, "%llu", (unsigned long long)row->state));
		record_uint(&r, P_TIME, row->time);
		record_uint(&r, P_SHARE, percent(row->time, whole));
		record_uint(&r, P_ENTERED, row->n);
		emit(c, &r);
	}
}

static void emit_all(struct ctx *c, struct trace_stat *s, bool ns)
{
	const struct stat_opts *o = c->opts;
	bool all = !o->events && !o->cpus && !o->tasks;

	stat_sort(s);
	if (all)
		emit_summary(c, s, ns);
	if (all || o->cpus)
		emit_cpus(c, s, ns);
	if (all || o->events)
		emit_rows(c, s, &s->events, o->n ? o->n : UINT64_MAX, false, ns);
	if (all || o->tasks)
		emit_rows(c, s, &s->tasks, o->n ? o->n : all ? 20 : UINT64_MAX, true, ns);
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
		emit_power(c, &p, s.last);
	else if (!err->code)
		emit_all(c, &s, ns);
	trace_note_others(c, tl);
	trace_notes(c, tl);
	trace_choice_release(&choice);
	stat_release(&s);
	power_release(&p);
	return !err->code;
}

static const struct record_kind *const emits[] = { &summary_kind,    &event_kind, &cpu_kind,
						   &task_count_kind, &power_kind, NULL };
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
