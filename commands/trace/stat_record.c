/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of a recording as records: in all, by event, CPU and task, and CPUs' states. */
#include <string.h>

#include "core/shell/session.h"
#include "commands/trace/stat_record.h"

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
const struct record_kind trace_summary_kind = { "trace_summary", "What was read.",
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
const struct record_kind trace_event_count_kind = { "trace_event_count", "One kind of event.",
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
const struct record_kind trace_cpu_count_kind = { "trace_cpu_count", "One CPU.",
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
const struct record_kind trace_task_count_kind = {
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
const struct record_kind trace_power_kind = { "trace_residency", "One state of a CPU.",
					      LAYOUT_TABLE,      NULL,
					      power_fields,      ARRAY_SIZE(power_fields) };

static uint64_t percent(uint64_t part, uint64_t whole)
{
	return whole ? (uint64_t)((unsigned __int128)part * 10000 / whole) : 0;
}

void stat_summary_emit(struct ctx *c, const struct trace_stat *s, bool ns)
{
	struct record r;

	record_init(&r, &trace_summary_kind);
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

void stat_cpus_emit(struct ctx *c, const struct trace_stat *s, bool ns)
{
	for (size_t i = 0; i < s->cpus.v.n; i++) {
		const struct stat_row *row = &s->cpus.v.p[i];
		struct record r;

		record_init(&r, &trace_cpu_count_kind);
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
void stat_rows_emit(struct ctx *c, const struct trace_stat *s, const struct stat_rows *rows,
		    uint64_t max, bool tasks, bool ns)
{
	for (size_t i = 0; i < rows->v.n && i < max; i++) {
		const struct stat_row *row = &rows->v.p[i];
		struct record r;

		record_init(&r, tasks ? &trace_task_count_kind : &trace_event_count_kind);
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

void stat_power_emit(struct ctx *c, struct power *p, uint64_t end)
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
		record_init(&r, &trace_power_kind);
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
