/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The longest latency that a latency tracer met, as a record. */
#include "core/image/symbol.h"
#include "core/image/target.h"
#include "commands/trace/trace_select.h"

enum {
	L_INSTANCE,
	L_TRACER,
	L_LATENCY,
	L_CPU,
	L_PID,
	L_COMM,
	L_UID,
	L_NICE,
	L_POLICY,
	L_PRIORITY,
	L_FROM,
	L_TO
};
static const struct record_field longest_fields[] = {
	[L_INSTANCE] = { "instance", NULL, CELL_STR, FIELD_JSON, "as above" },
	[L_TRACER] = { "tracer", NULL, CELL_STR, FIELD_JSON,
		       "what measured it: irqsoff, wakeup_rt, ..." },
	[L_LATENCY] = { "latency_us", NULL, CELL_UINT, 0, "microseconds" },
	[L_CPU] = { "cpu", NULL, CELL_INT, 0, "on which CPU" },
	[L_PID] = { "pid", NULL, CELL_INT, 0, "of which task" },
	[L_COMM] = { "comm", NULL, CELL_STR, 0, "its name" },
	[L_UID] = { "uid", NULL, CELL_UINT, 0, "its user" },
	[L_NICE] = { "nice", NULL, CELL_INT, 0, "its nice value" },
	[L_POLICY] = { "policy", NULL, CELL_UINT, 0,
		       "its scheduling policy: 0 other, 1 FIFO, 2 RR, 6 deadline" },
	[L_PRIORITY] = { "rt_priority", NULL, CELL_UINT, 0, "its real-time priority" },
	[L_FROM] = { "from", NULL, CELL_STR, 0, "code where it began; null: not told" },
	[L_TO] = { "to", NULL, CELL_STR, 0, "code where it ended" },
};
const struct record_kind trace_longest_kind = {
	.name = "trace_longest",
	.doc = "The longest latency that a tracer met.",
	.layout = LAYOUT_LINE,
	.line = "    longest: {latency_us} us on CPU {cpu}, task {comm}-{pid} (uid:{uid} nice:{nice} policy:{policy} "
		"rt_prio:{rt_priority}){?from:, from {from} to {to}}",
	.fields = longest_fields,
	.n_fields = ARRAY_SIZE(longest_fields),
};

void trace_longest_emit(struct ctx *c, const struct trace_buffer *b)
{
	const struct trace_latency *l = b->latency;
	struct record r;

	if (!b->snapshot || !l || !l->us)
		return;
	record_init(&r, &trace_longest_kind);
	record_str(&r, L_INSTANCE, b->name ? b->name : "top");
	record_str(&r, L_TRACER, b->tracer);
	record_uint(&r, L_LATENCY, l->us);
	record_int(&r, L_CPU, l->cpu);
	record_int(&r, L_PID, l->pid);
	record_str(&r, L_COMM, l->comm);
	record_uint(&r, L_UID, l->uid);
	record_int(&r, L_NICE, l->nice);
	record_uint(&r, L_POLICY, l->policy);
	record_uint(&r, L_PRIORITY, l->rt_priority);
	if (l->start) {
		record_str(&r, L_FROM, symbol_text(c->t, l->start, c->arena));
		record_str(&r, L_TO, symbol_text(c->t, l->end, c->arena));
	}
	emit(c, &r);
}
