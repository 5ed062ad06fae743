/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: a recording, binary or text, and all that is made of its events: rows, graphs,
 * counts, pairs, replays, and files of other tools. */
#include <sys/mman.h>
#include <unistd.h>

#include "core/trace/filter/condition.h"
#include "core/trace/export/export.h"
#include "core/trace/pair.h"
#include "core/trace/power.h"
#include "core/trace/replay.h"
#include "core/trace/row.h"
#include "core/trace/stat.h"
#include "core/trace/print/strace.h"
#include "readers/trace/trace_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
const char *__lsan_default_suppressions(void);

/* libtraceevent loses a few bytes of each format that it refuses; the sanitizer asks for this. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent.so";
}

extern const struct reader reader_tracedat, reader_tracetext;

#define EVENTS_MAX 2000u

struct makers {
	struct trace_printer *printer;
	struct trace_graph *graph;
	struct trace_calls *calls;
	bool for_people; /* which of the two is asked */
	struct strace *strace;
	struct tally tally;
	struct trace_stat stat;
	struct power power;
	struct pairs *pairs;
	size_t n_pairs;
	struct buf b;
	struct arena scratch;
};

static void makers_init(struct makers *m, struct arena *a)
{
	const struct pair_spec *specs = pair_specs(&m->n_pairs);

	m->printer = trace_printer_new();
	m->graph = trace_graph_new(a);
	m->calls = trace_calls_new(a);
	m->strace = strace_new(a, NULL, NULL);
	m->b.max = 1 << 20;
	tally_init(&m->tally, a, 2, true);
	stat_init(&m->stat, a);
	m->pairs = ARENA_ARRAY(a, struct pairs, m->n_pairs);
	for (size_t i = 0; i < m->n_pairs; i++)
		pairs_init(&m->pairs[i], &specs[i], 4, a);
}

/* As trace hist does: two keys, and a value. */
static void count(struct makers *m, const struct trace_event *ev)
{
	struct trace_value keys[2], v;
	struct tally_row *row;

	if (!trace_value_of(ev, "event", &m->scratch, &keys[0]) ||
	    !trace_value_of(ev, "prev_comm", &m->scratch, &keys[1]))
		return;
	row = tally_at(&m->tally, ev->buffer->recording, keys);
	if (row && trace_value_of(ev, "prev_pid", &m->scratch, &v) && !v.str)
		tally_add(&row->sum, (int64_t)v.num);
}

static void make(struct makers *m, struct timeline *tl, const struct trace_event *ev)
{
	buf_reset(&m->b);
	trace_row_lost(&m->b, ev);
	trace_row(m->printer, &m->b, ev);
	trace_row_latency(m->printer, &m->b, ev, 0, ev->ts + 1000);
	trace_print_fields(&m->b, ev);
	strace_add(m->strace, &m->b, ev);
	count(m, ev);
	stat_event(&m->stat, ev);
	power_event(&m->power, ev);
	for (size_t i = 0; i < m->n_pairs; i++)
		pairs_event(&m->pairs[i], ev);
	/* last, for it looks at what comes next */
	if (m->for_people)
		trace_calls_rows(m->calls, m->printer, &m->b, tl, ev);
	else
		trace_graph_rows(m->graph, m->printer, &m->b, tl, ev);
	arena_reset(&m->scratch);
}

static void makers_finish(struct makers *m)
{
	strace_end(m->strace, &m->b);
	tally_sort(&m->tally);
	for (size_t i = 0; i < m->tally.rows.n; i++)
		for (size_t k = 0; k < 2; k++)
			trace_value_text(&m->b, m->tally.rows.p[i]->rec,
					 &m->tally.rows.p[i]->keys[k]);
	stat_sort(&m->stat);
	power_finish(&m->power, m->stat.last);
	for (size_t i = 0; i < m->n_pairs; i++) {
		pairs_finish(&m->pairs[i]);
		pairs_release(&m->pairs[i]);
	}
	strace_release(m->strace);
	tally_release(&m->tally);
	stat_release(&m->stat);
	power_release(&m->power);
	trace_printer_release(m->printer);
	buf_release(&m->b);
	arena_release(&m->scratch);
}

static void rows(struct target *t, bool for_people)
{
	struct trace_select all = { 0 };
	const struct trace_buffer *const *buffers;
	struct makers m = { .for_people = for_people };
	struct arena a = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	struct err err;

	makers_init(&m, &a);
	if (timeline_open(t, &all, &a, &tl, &err)) {
		if (timeline_buffers(tl, &buffers))
			trace_head(&m.b, buffers[0],
				   for_people ? TRACE_VIEW_CALLS : TRACE_VIEW_LATENCY);
		for (unsigned n = 0; n < EVENTS_MAX && timeline_next(tl, &ev, &err); n++)
			make(&m, tl, &ev);
	}
	makers_finish(&m);
	arena_release(&a);
}

static void replays(struct target *t)
{
	struct trace_select all = { 0 };
	const struct replay_cpu *const *cpus;
	struct arena a = { 0 };
	struct trace_event ev;
	struct replay *r;
	struct err err;

	if (replay_open(t, &all, &a, &r, &err)) {
		for (unsigned n = 0; n < 200 && replay_next(r, &ev, &err); n++)
			(void)replay_cpus(r, &cpus);
		if (replay_to(r, 3, &ev, &err) && replay_to_time(r, ev.ts + 1, &ev, &err))
			(void)replay_cpus(r, &cpus);
		replay_close(r);
	}
	arena_release(&a);
}

/* What was written for trace-cmd is read again. */
static void read_again(int fd)
{
	struct arena scratch = { 0 };
	struct file *file;
	struct target t;
	struct err err;

	target_init(&t, &scratch);
	if (file_of_fd(&t.arena, "out.dat", fd, &file, &err)) {
		vec_push(&t.inputs)->file = file;
		if (reader_tracedat.probe(file) && reader_tracedat.open(&t, file, &err))
			walk_recordings(&t);
	}
	target_release(&t);
	arena_release(&scratch);
}

static void exports(struct target *t)
{
	struct trace_select all = { 0 };
	struct export_counts counts;
	struct trace_printer *p = trace_printer_new();
	struct err err;

	for (unsigned version = 6; version <= 8; version++) {
		struct export_out out = { .fd = memfd_create("out", 0) };
		bool ok = version < 8 ? export_dat(t, &all, version, &out, &counts, &err)
				      : export_chrome(t, &all, p, &out, &counts, &err);

		ok = ok && export_flush(&out);
		buf_release(&out.b);
		if (ok && version < 8)
			read_again(out.fd); /* which closes it */
		else
			close(out.fd);
	}
	trace_printer_release(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct arena scratch = { 0 };
	struct target t;
	struct file file;
	struct err err;

	target_init(&t, &scratch);
	if (n && (open_bytes(&t, &reader_tracedat, &file, data, n, &err) ||
		  open_bytes(&t, &reader_tracetext, &file, data, n, &err))) {
		rows(&t, false);
		rows(&t, true);
		replays(&t);
		exports(&t);
	}
	target_release(&t);
	arena_release(&scratch);
	return 0;
}
