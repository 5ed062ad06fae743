/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace: what was being traced when the machine died, and how much of it is there. */
#include "core/obit.h"
#include "core/trace/trace.h"
#include "commands/trace/trace_select.h"

enum {
	B_INSTANCE,
	B_SNAPSHOT,
	B_ORIGIN,
	B_PATH,
	B_TRACER,
	B_CLOCK,
	B_ON,
	B_OVERWRITE,
	B_PAGE_SIZE,
	B_PREVIOUS,
	B_STALE
};
static void on_text(struct buf *b, const struct sink *k, const struct record *r,
		    const struct cell *cell)
{
	(void)k, (void)r;
	buf_str(b, cell->b ? "recording" : "stopped");
}

static void overwrite_text(struct buf *b, const struct sink *k, const struct record *r,
			   const struct cell *cell)
{
	(void)k, (void)r;
	buf_str(b, cell->b ? "overwriting" : "not overwriting");
}

static const struct record_field buffer_fields[] = {
	[B_INSTANCE] = { "instance", NULL, CELL_STR, 0,
			 "its name; \"top\" for the one of tracefs itself" },
	[B_SNAPSHOT] = { "snapshot", NULL, CELL_BOOL, 0, "its snapshot" },
	[B_ORIGIN] = { "origin", NULL, CELL_STR, FIELD_JSON, "what it was read from" },
	[B_PATH] = { "path", NULL, CELL_STR, 0, "the file; null: the dump" },
	[B_TRACER] = { "tracer", NULL, CELL_STR, 0, "current_tracer; null unknown" },
	[B_CLOCK] = { "clock", NULL, CELL_STR, 0, "trace_clock; null unknown" },
	[B_ON] = { "tracing_on", NULL, CELL_BOOL, 0, "was it recording when the machine died",
		   .text = on_text },
	[B_OVERWRITE] = { "overwrite", NULL, CELL_BOOL, 0, "new events take the place of old ones",
			  .text = overwrite_text },
	[B_PAGE_SIZE] = { "page_size", NULL, CELL_UINT, FIELD_JSON, "bytes of a sub-buffer" },
	[B_PREVIOUS] = { "previous_boot", NULL, CELL_BOOL, 0, "of the boot before this one" },
	[B_STALE] = { "stale", NULL, CELL_UINT, 0,
		      "old events that its pages still hold, which trace show --stale has; null: none" },
};
static const struct record_kind buffer_kind = {
	.name = "trace_buffer",
	.doc = "One ring buffer.",
	.layout = LAYOUT_LINE,
	.line = "{instance}{?snapshot: (snapshot)}: tracer {tracer}, clock {clock}, {tracing_on}, {overwrite}"
		"{?previous_boot:, of the boot before}{?stale:, {stale} stale events (--stale)}{?path:, from {path}}",
	.fields = buffer_fields,
	.n_fields = ARRAY_SIZE(buffer_fields),
};

enum {
	C_INSTANCE,
	C_SNAPSHOT,
	C_CPU,
	C_EVENTS,
	C_ENTRIES,
	C_OVERRUN,
	C_DROPPED,
	C_COMMIT,
	C_READ,
	C_BYTES,
	C_FIRST,
	C_LAST
};
static const struct record_field cpu_fields[] = {
	[C_INSTANCE] = { "instance", NULL, CELL_STR, FIELD_JSON, "as above" },
	[C_SNAPSHOT] = { "snapshot", NULL, CELL_BOOL, FIELD_JSON, "as above" },
	[C_CPU] = { "cpu", NULL, CELL_UINT, FIELD_RIGHT,
		    "its number; null: the source does not say" },
	[C_EVENTS] = { "events", NULL, CELL_UINT, FIELD_RIGHT,
		       "in the buffer and not read: entries without overrun and read" },
	[C_ENTRIES] = { "entries", NULL, CELL_UINT, FIELD_RIGHT, "written in all" },
	[C_OVERRUN] = { "overrun", NULL, CELL_UINT, FIELD_RIGHT, "lost to newer ones" },
	[C_DROPPED] = { "dropped", NULL, CELL_UINT, FIELD_RIGHT,
			"not written, for the buffer was full" },
	[C_COMMIT] = { "commit_overrun", "COMMIT", CELL_UINT, FIELD_RIGHT,
		       "lost because one writer filled the buffer in an interrupt" },
	[C_READ] = { "read", NULL, CELL_UINT, FIELD_RIGHT, "fetched or printed before" },
	[C_BYTES] = { "bytes", NULL, CELL_UINT, FIELD_RIGHT, "in use" },
	[C_FIRST] = { "first_ts", "FROM", CELL_TIME, 0, "time of the oldest page" },
	[C_LAST] = { "last_ts", "TO", CELL_TIME, 0, "time of the newest event" },
};
static const struct record_kind cpu_kind = { "trace_cpu",  "One CPU of a ring buffer.",
					     LAYOUT_TABLE, NULL,
					     cpu_fields,   ARRAY_SIZE(cpu_fields) };

struct status_opts {
	const char *instance;
};
static const struct option opts[] = {
	{ "i", "instance", OPTION_STR, offsetof(struct status_opts, instance),
	  "of this instance; top, or '', is tracefs' own. Else of all" },
};

static const char *name_of(const struct trace_buffer *b)
{
	return b->name ? b->name : "top";
}

/* The newest event's time, from the last pages alone. */
static uint64_t last_of(struct ctx *c, const struct trace_buffer *b, const struct trace_lane *lane)
{
	const struct trace_want want = { .since = UINT64_MAX };
	struct arena a = { 0 };
	struct trace_reader r;
	struct trace_event ev;
	uint64_t ret = 0;
	struct err err;

	if (trace_open(&r, b, lane, &want, &a, &err)) {
		while (trace_next(&r, &ev, &err))
			ret = ev.ts;
		if (r.damage.code)
			note(c, &r.damage);
	} else {
		note(c, &err);
	}
	arena_release(&a);
	return ret;
}

/* What trace show --stale has of a buffer; 0 where its source has no such pages. */
static uint64_t count_stale(const struct trace_buffer *b, struct err *err)
{
	const struct trace_want want = { .stale = true, .untimed = true };
	uint64_t n = 0;

	for (size_t i = 0; b->recording->ops->stale && i < b->n_lanes; i++) {
		struct arena a = { 0 };
		struct trace_reader r;
		struct trace_event ev;

		/* what cannot be read is noted where the lane's own events are counted */
		if (trace_open(&r, b, &b->lanes[i], &want, &a, err))
			while (trace_next(&r, &ev, err))
				n++;
		arena_release(&a);
	}
	return n;
}

static void counter(struct record *r, unsigned field, uint64_t n)
{
	if (n != UINT64_MAX)
		record_uint(r, field, n);
}

static void show_cpu(struct ctx *c, const struct trace_buffer *b, const struct trace_lane *l)
{
	uint64_t last = last_of(c, b, l);
	struct record r;

	record_init(&r, &cpu_kind);
	record_str(&r, C_INSTANCE, name_of(b));
	record_bool(&r, C_SNAPSHOT, b->snapshot);
	if (l->cpu >= 0) /* a text may not say on which one its events were */
		record_uint(&r, C_CPU, (uint64_t)l->cpu);
	if (l->entries != UINT64_MAX && l->overrun != UINT64_MAX && l->read != UINT64_MAX)
		record_uint(&r, C_EVENTS, l->entries - l->overrun - l->read);
	counter(&r, C_ENTRIES, l->entries);
	counter(&r, C_OVERRUN, l->overrun);
	counter(&r, C_DROPPED, l->dropped);
	counter(&r, C_COMMIT, l->commit_overrun);
	counter(&r, C_READ, l->read);
	counter(&r, C_BYTES, l->bytes);
	if (l->first_ts && last)
		record_uint(&r, C_FIRST, l->first_ts);
	if (last)
		record_uint(&r, C_LAST, last);
	emit(c, &r);
}

static void show_buffer(struct ctx *c, const struct trace_buffer *b)
{
	struct record r;
	struct err why;
	uint64_t stale = count_stale(b, &why);

	record_init(&r, &buffer_kind);
	record_str(&r, B_INSTANCE, name_of(b));
	record_bool(&r, B_SNAPSHOT, b->snapshot);
	record_str(&r, B_ORIGIN, b->recording->origin);
	record_str(&r, B_PATH, b->recording->path);
	record_str(&r, B_TRACER, b->tracer);
	record_str(&r, B_CLOCK, b->clock);
	record_bool(&r, B_ON, b->tracing_on);
	record_bool(&r, B_OVERWRITE, b->overwrite);
	if (b->page_size)
		record_uint(&r, B_PAGE_SIZE, b->page_size);
	record_bool(&r, B_PREVIOUS, b->previous_boot);
	if (stale)
		record_uint(&r, B_STALE, stale);
	emit(c, &r);
	for (size_t i = 0; i < b->n_lanes; i++)
		show_cpu(c, b, &b->lanes[i]);
	trace_longest_emit(c, b);
}

static bool trace_run(struct ctx *c, struct err *err)
{
	const struct status_opts *o = c->opts;
	const char *wanted = trace_instance(o->instance);
	const struct traces *all;
	bool some = false, dump = false;

	if (!traces_find(c->t, &all, err))
		return false;
	for (const struct recording *rec = all->first; rec; rec = rec->next)
		for (size_t i = 0; i < rec->n_buffers; i++) {
			const struct trace_buffer *b = &rec->buffers[i];
			/* of the kernel's own instances alone it is known */
			bool told = b->self && !rec->path && !b->snapshot;

			if (!interrupt_check(err))
				return false;
			if (wanted && strcmp(wanted, b->name ? b->name : "") != 0)
				continue;
			some = true;
			dump |= b->self && !rec->path;
			show_buffer(c, b);
			if (!told)
				continue;
			trace_settings_emit(c, b->self);
		}
	if (!some)
		return err_set(err, ERR_NOTFOUND, "no instance '%.100s' was traced", o->instance);
	return !dump || trace_probes_emit(c, err);
}

static const struct record_kind *const emits[] = { &buffer_kind,        &cpu_kind,
						   &trace_longest_kind, &trace_setting_kind,
						   &trace_probe_kind,   NULL };
static const struct example examples[] = {
	{ "trace", "every buffer, what is in it, and what its instance was told" },
	{ "trace -i top", "the top one alone" },
};
const struct command cmd_trace = {
	.name = "trace",
	.group = "trace",
	.summary = "what was being traced, and how much of it is there",
	.operands = "",
	OPTS(opts),
	.opts_size = sizeof(struct status_opts),
	.emits = emits,
	.help = "Shows every ring buffer of ftrace: of the dump those of the top instance and of all "
		"others, and their snapshots; of trace files what they say. For each CPU: how many "
		"events are there, how many were written, overwritten, not written for want of room, "
		"and read before, as tracefs' per_cpu stats counts them. Stale events are those that a reset "
		"or the next round of a full buffer left in its pages: `trace show --stale`.\n\n"
		"Behind each buffer of the dump stands what its instance was told: events enabled "
		"(set_event), filters and triggers, functions, pids, and the options that were on; at "
		"the end the dynamic events (kprobes, uprobes, eprobes, fprobes, synthetic ones) with "
		"their definitions. Of the tracers of latencies (irqsoff, preemptoff, wakeup_rt, ...) the longest "
		"one stands behind the snapshot, which keeps its events: `trace show --snapshot -i NAME` is "
		"what tracefs' trace file says then. Of these, of hwlat, osnoise and timerlat the thresholds and "
		"settings are told, too. `trace show` prints the events, `trace hists` the tables of hist "
		"triggers.",
	EXAMPLES(examples),
	.run = trace_run,
};
