/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a CPU was doing at a moment of a recording, as a record. */
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "commands/trace/trace_select.h"
#include "core/trace/replay.h"
#include "core/trace/row.h"

enum {
	CPU,
	PID,
	COMM,
	FLAGS,
	IRQ,
	SOFTIRQ,
	FUNCTION,
	OPEN,
	OPEN_NS,
	WAITING,
	LANE_FIELDS
};

/* A task by name and pid. */
static void add_task(struct buf *b, int32_t pid, const char *comm)
{
	if (pid)
		buf_printf(b, "%s-%" PRId32, *comm ? comm : "<...>", pid);
	else
		buf_str(b, "<idle>");
}

static void form_task(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	(void)k;
	if (cell->kind == CELL_NULL)
		buf_char(b, '-');
	else
		add_task(b, (int32_t)r->cells[PID].i, cell->str.s);
}

static const struct record_field fields[LANE_FIELDS] = {
	[CPU] = { "cpu", NULL, CELL_INT, FIELD_RIGHT, "its number" },
	[PID] = { "pid", NULL, CELL_INT, FIELD_JSON, "of the task that runs; null: unknown" },
	[COMM] = { "comm", NULL, CELL_STR, 0, "its name", .text = form_task },
	[FLAGS] = { "flags", NULL, CELL_STR, 0,
		    "at its last event: interrupts, resched, context, preempt, and where the kernel has it migrate-disable" },
	[IRQ] = { "irq", NULL, CELL_INT, 0, "interrupt whose handler was entered and not left" },
	[SOFTIRQ] = { "softirq", NULL, CELL_INT, FIELD_JSON, "the same of a softirq, its vector" },
	[FUNCTION] = { "function", NULL, CELL_STR, FIELD_JSON, "the function tracer's last" },
	[OPEN] = { "open", NULL, CELL_STRS, 0,
		   "functions entered and not left, the innermost last" },
	[OPEN_NS] = { "open_ns", NULL, CELL_UINT, FIELD_JSON,
		      "how long the innermost had run at the last event" },
	[WAITING] = { "waiting", NULL, CELL_STRS, 0, "tasks known to wait for this CPU" },
};
const struct record_kind trace_lane_kind = {
	.name = "lane",
	.doc = "What a CPU was doing at this moment of the recording, as far as events tell.",
	.layout = LAYOUT_LINE,
	.line = "    cpu {cpu:2}  {flags:-5} {comm:-22}{?irq: irq {irq}}{?open: in {open}}{?waiting:  "
		"waiting: {waiting}}",
	.fields = fields,
	.n_fields = LANE_FIELDS,
};

static const char *name_of(const struct recording *rec, struct arena *a, uint64_t addr)
{
	struct trace_symbol sym;

	if (rec && rec->ops->symbol && rec->ops->symbol(rec, addr, &sym))
		return arena_strdup(a, sym.name);
	return arena_printf(a, "0x%" PRIx64, addr);
}

static const char *task_name(struct arena *a, const struct replay_task *task)
{
	struct buf b = { 0 };
	const char *name;

	add_task(&b, task->pid, task->comm);
	name = arena_strndup(a, buf_text(&b), b.n);
	buf_release(&b);
	return name;
}

void trace_lane_record(const struct replay_cpu *cpu, const struct trace_buffer *buffer,
		       struct arena *a, struct record *r)
{
	const struct recording *rec = buffer ? buffer->recording : NULL;
	struct trace_event ev = {
		.buffer = buffer, .flags = cpu->flags, .preempt = cpu->preempt, .lazy = cpu->lazy
	};
	size_t kept = cpu->depth < REPLAY_DEPTH ? cpu->depth : REPLAY_DEPTH, n = 0;
	const char **open = ARENA_ARRAY(a, const char *, kept + 1);
	const char **queue = ARENA_ARRAY(a, const char *, cpu->n_queue + 1);
	char flags[TRACE_FLAGS_SIZE];

	record_init(r, &trace_lane_kind);
	record_int(r, CPU, cpu->cpu);
	if (cpu->running.pid >= 0) {
		record_int(r, PID, cpu->running.pid);
		record_str(r, COMM, arena_strdup(a, cpu->running.comm));
	}
	trace_flags(&ev, flags);
	if (cpu->known)
		record_str(r, FLAGS, arena_strdup(a, flags));
	if (cpu->irq >= 0)
		record_int(r, IRQ, cpu->irq);
	if (cpu->softirq >= 0)
		record_int(r, SOFTIRQ, cpu->softirq);
	if (cpu->function)
		record_str(r, FUNCTION, name_of(rec, a, cpu->function));
	/* where the recording began within a call, its callers are not known */
	for (size_t i = 0; i < kept; i++)
		if (cpu->open[i])
			open[n++] = name_of(rec, a, cpu->open[i]);
	record_strs(r, OPEN, open, n);
	if (n && kept == cpu->depth && cpu->open[kept - 1])
		record_uint(r, OPEN_NS, cpu->last_ts - cpu->since[kept - 1]);
	for (size_t i = 0; i < cpu->n_queue; i++)
		queue[i] = task_name(a, &cpu->queue[i]);
	record_strs(r, WAITING, queue, cpu->n_queue);
}
