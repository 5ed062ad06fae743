/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of events as records: durations, the longest, what never ended, what was not freed. */
#ifndef OBIT_LATENCY_RECORD_H
#define OBIT_LATENCY_RECORD_H

#include "core/shell/command.h"
#include "core/trace/pair.h"

/* "trace_latency", "trace_latency_bucket", "trace_latency_case" and "trace_unfreed" */
extern const struct record_kind trace_latency_kind, trace_spread_kind, trace_case_kind,
	trace_leak_kind, trace_pair_kind;

/* One of those known by name, as "trace_pair". */
void emit_pair_spec(struct ctx *c, const struct pair_spec *spec);
/* All that is known of pairs that are finished; at most max of what never ended. */
void latency_emit(struct ctx *c, const struct pairs *p, uint64_t max);

#endif
