/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a traced event. */
#include <string.h>

#include "commands/trace/trace_select.h"
#include "core/trace/row.h"

enum {
	TIME,
	CPU,
	PID,
	COMM,
	FLAGS,
	SYSTEM,
	EVENT,
	FIELDS,
	TEXT,
	INSTANCE,
	LOST,
	MARKS,
	AFTER,
	BEFORE,
	CHAIN
};
static const struct record_field fields[] = {
	[TIME] = { "time_ns", NULL, CELL_TIME, FIELD_JSON,
		   "in the buffer's clock: nanoseconds, or its own units; null: it is lost" },
	[CPU] = { "cpu", NULL, CELL_INT, FIELD_JSON, "that it was recorded on" },
	[PID] = { "pid", NULL, CELL_INT, FIELD_JSON, "of the task that ran there" },
	[COMM] = { "comm", NULL, CELL_STR, FIELD_JSON, "its name, as far as it is known" },
	[FLAGS] = { "flags", NULL, CELL_STR, FIELD_JSON,
		    "interrupts, resched, context, preempt depth, and where the kernel has it migrate-disable depth" },
	[SYSTEM] = { "system", NULL, CELL_STR, FIELD_JSON, "of the event: sched" },
	[EVENT] = { "event", NULL, CELL_STR, FIELD_JSON, "its name: sched_switch" },
	[FIELDS] = { "fields", NULL, CELL_FIELDS, FIELD_JSON,
		     "what it recorded, by name; null where the source has words only" },
	[TEXT] = { "text", NULL, CELL_STR, FIELD_JSON,
		   "the same in words, as the kernel prints it" },
	[INSTANCE] = { "instance", NULL, CELL_STR, FIELD_JSON, "null: the top buffer" },
	[LOST] = { "lost", NULL, CELL_INT, FIELD_JSON,
		   "events lost just before on this CPU; -1: how many is unknown" },
	[MARKS] = { "marks", NULL, CELL_STRS, FIELD_JSON,
		    "consumed, uncommitted, carved, stale, time_lost, previous_boot" },
	[AFTER] = { "after_ns", NULL, CELL_DURATION, FIELD_JSON,
		    "where the time is lost: how long after the first of the events that stand together with it" },
	[BEFORE] = { "before_ns", NULL, CELL_TIME, FIELD_JSON,
		     "where the time is lost: a time that it was before" },
	[CHAIN] = { "chain", NULL, CELL_STRS, FIELD_JSON,
		    "the calls that led to it, the innermost first, where perf recorded them" },
};
#define FIELDS_MAX 256u
#define BYTES_SHOWN 256u

static bool is_address(const struct trace_field *f)
{
	return strchr(f->type, '*') || !strcmp(f->name, "ip") || !strcmp(f->name, "parent_ip") ||
	       !strcmp(f->name, "func") || !strcmp(f->name, "call_site") ||
	       !strcmp(f->name, "__probe_ip") || !strcmp(f->name, "__probe_func") ||
	       !strcmp(f->name, "__probe_ret_ip");
}

static struct cell field_cell(struct arena *a, const struct trace_event *ev,
			      const struct trace_field *f)
{
	const struct recording *rec = ev->buffer->recording;
	struct cell c = { .kind = CELL_NULL };
	struct span s;
	uint64_t v;

	if (f->is_text_address && rec->ops->string && trace_field_u64(ev, f, &v) &&
	    (c.str.s = rec->ops->string(rec, v))) {
		c.kind = CELL_STR;
		c.str.n = strlen(c.str.s);
	} else if (f->is_string && trace_field_str(ev, f, a, &c.str.s)) {
		c.kind = CELL_STR;
		c.str.n = strlen(c.str.s);
	} else if (f->is_named) {
		struct trace_symbol sym;

		if (trace_field_u64(ev, f, &v) &&
		    ev->buffer->recording->ops->symbol(ev->buffer->recording, v, &sym)) {
			c.kind = CELL_STR;
			c.str.s = sym.name;
			c.str.n = strlen(sym.name);
		}
	} else if (trace_field_u64(ev, f, &v)) {
		c.kind = is_address(f) ? CELL_ADDR : f->is_signed ? CELL_INT : CELL_UINT;
		c.u = v;
	} else if (trace_field_span(ev, f, &s)) {
		struct buf b = { 0 };

		for (size_t i = 0; i < s.n && i < BYTES_SHOWN; i++)
			buf_printf(&b, "%02x", s.p[i]);
		c.kind = CELL_STR;
		c.str.s = arena_strdup(a, buf_text(&b));
		c.str.n = b.n;
		buf_release(&b);
	}
	return c;
}

static void record_event_fields(struct arena *a, const struct trace_event *ev, struct record *r)
{
	const struct trace_format *f = ev->format;
	struct named_cell *cells;
	size_t n = 0;

	if (!f || !ev->data.n)
		return;
	cells = ARENA_ARRAY(a, struct named_cell, f->n_fields + 1);
	for (size_t i = 0; i < f->n_fields && n < FIELDS_MAX; i++) {
		if (f->fields[i].is_common)
			continue;
		cells[n].name = f->fields[i].name;
		cells[n++].cell = field_cell(a, ev, &f->fields[i]);
	}
	record_fields(r, FIELDS, cells, n);
}

static void record_marks(struct arena *a, unsigned marks, struct record *r)
{
	static const struct {
		enum trace_mark mark;
		const char *name;
	} names[] = { { TRACE_CONSUMED, "consumed" }, { TRACE_UNCOMMITTED, "uncommitted" },
		      { TRACE_CARVED, "carved" },     { TRACE_STALE, "stale" },
		      { TRACE_UNTIMED, "time_lost" }, { TRACE_PREVIOUS, "previous_boot" } };
	const char **v = ARENA_ARRAY(a, const char *, ARRAY_SIZE(names));
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (marks & names[i].mark)
			v[n++] = names[i].name;
	record_strs(r, MARKS, v, n);
}

static void event_complete(struct record *r)
{
	const struct trace_shown *shown = r->of;
	const struct trace_event *ev = shown->ev;
	struct arena *a = shown->arena;
	struct buf text = { 0 };
	char flags[TRACE_FLAGS_SIZE];

	if (ev->marks & TRACE_UNTIMED) {
		record_uint(r, AFTER, ev->after);
		record_uint(r, BEFORE, ev->before);
	} else {
		record_uint(r, TIME, ev->ts);
	}
	record_int(r, CPU, ev->cpu);
	if (ev->pid >= 0) {
		record_int(r, PID, ev->pid);
		record_str(r, COMM, trace_comm(ev));
	}
	trace_flags(ev, flags);
	/* a source that knows no task knows no flags, nor does a text without their column */
	if (ev->latency || (ev->pid >= 0 && !ev->text))
		record_str(r, FLAGS, ev->latency ? ev->latency : arena_strdup(a, flags));
	record_str(r, SYSTEM, ev->system);
	record_str(r, EVENT, ev->name);
	record_event_fields(a, ev, r);
	trace_print(shown->printer, &text, ev);
	record_str(r, TEXT, arena_strdup(a, buf_text(&text)));
	buf_release(&text);
	record_str(r, INSTANCE, ev->buffer->name);
	record_int(r, LOST, ev->lost == TRACE_LOST_SOME ? -1 : (int64_t)ev->lost);
	record_marks(a, ev->marks, r);
	if (ev->n_chain)
		record_strs(r, CHAIN, ev->chain, ev->n_chain);
}

static void shown_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	const struct trace_shown *shown = r->of;

	(void)k, (void)cell;
	if (shown->lines) {
		shown->lines(b, shown->self);
	} else {
		if (trace_row_lost(b, shown->ev) || trace_row_untimed(b, shown->ev))
			buf_char(b, '\n');
		trace_row(shown->printer, b, shown->ev);
	}
	if (b->n && b->s[b->n - 1] != '\n')
		buf_char(b, '\n');
}

const struct record_kind trace_event_kind = {
	.name = "event",
	.doc = "One traced event.",
	.layout = LAYOUT_OWN,
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
	.text = shown_text,
	.complete = event_complete,
};
const struct record_kind trace_lines_kind = {
	.name = "trace_lines",
	.doc = "Lines between the events: a head, a message of the log.",
	.layout = LAYOUT_OWN,
	.text = shown_text,
	.is_heading = true,
};

void trace_shown_record(const struct trace_shown *shown, struct record *r)
{
	record_init(r, shown->ev ? &trace_event_kind : &trace_lines_kind);
	r->of = shown;
}
