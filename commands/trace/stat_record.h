/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of a recording as records: in all, by event, CPU and task, and CPUs' states. */
#ifndef OBIT_STAT_RECORD_H
#define OBIT_STAT_RECORD_H

#include "core/shell/command.h"
#include "core/trace/power.h"
#include "core/trace/stat.h"

/* "trace_summary", "trace_event_count", "trace_cpu_count", "trace_task_count", "trace_residency" */
extern const struct record_kind trace_summary_kind, trace_event_count_kind, trace_cpu_count_kind,
	trace_task_count_kind, trace_power_kind;

/* ns: the clock counts nanoseconds; else no rates are told. */
void stat_summary_emit(struct ctx *c, const struct trace_stat *s, bool ns);
void stat_cpus_emit(struct ctx *c, const struct trace_stat *s, bool ns);
/* At most max rows, of events or of tasks. */
void stat_rows_emit(struct ctx *c, const struct trace_stat *s, const struct stat_rows *rows,
		    uint64_t max, bool tasks, bool ns);
/* Finishes p at time `end` first. */
void stat_power_emit(struct ctx *c, struct power *p, uint64_t end);

#endif
