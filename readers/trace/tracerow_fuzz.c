/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: lines of a trace in text, of latency tracers and of function graphs among them, each
 * alone; then what they are together. */
#include <stdlib.h>

#include "core/base/buf.h"
#include "core/trace/funcall.h"
#include "core/trace/print/print.h"
#include "readers/trace/graphrow.h"
#include "readers/trace/trace_fuzz.h"

extern const struct reader reader_tracetext;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LINES_MAX 2000u

/* A row's strings are parts of its line, and end in it. */
static void within(const char *s, const char *line, size_t n)
{
	if (s && (s < line || s > line + n || s + strlen(s) > line + n))
		__builtin_trap();
}

static void check_row(const struct tracerow *r, const char *line, size_t n)
{
	within(r->comm, line, n);
	within(r->latency, line, n);
	within(r->text, line, n);
	if (r->cpu < -1 || r->cpu >= 65536 || r->pid < -1 || r->tgid < -1)
		__builtin_trap();
	if (!r->name && r->kind != ROW_STACK && r->kind != ROW_LOST && r->kind != ROW_NONE &&
	    (!r->text || r->word > strlen(r->text)))
		__builtin_trap();
}

static void check_graph(const struct graphrow *r, const char *line, size_t n)
{
	check_row(&r->at, line, n);
	within(r->comm_end, line, n);
	within(r->before_comm, line, n);
	within(r->before_end, line, n);
	within(r->words, line, n);
	if (r->func && (r->func < line || r->n_func > (size_t)(line + n - r->func)))
		__builtin_trap();
	if (r->comm_end && r->at.comm && r->comm_end < r->at.comm)
		__builtin_trap();
	if ((r->kind == GRAPH_ENTRY || r->kind == GRAPH_LEAF) && (!r->func || !r->words))
		__builtin_trap();
}

/* In memory that ends where the line does. */
static void one_line(const char *s, size_t n, bool latency, bool cpuless)
{
	struct graphrow g;
	struct tracerow r;
	char *line = malloc(n + 1);

	if (!line)
		return;
	for (unsigned form = 0; form < 2; form++) {
		memcpy(line, s, n);
		line[n] = '\0';
		if (form) {
			if (graphrow_parse(line, cpuless, &g))
				check_graph(&g, line, n);
			else if (g.kind != GRAPH_NONE)
				__builtin_trap();
			continue;
		}
		if (tracerow_parse(line, latency, &r))
			check_row(&r, line, n);
		else if (r.kind != ROW_NONE || memcmp(line, s, n) != 0)
			__builtin_trap();
	}
	free(line);
}

/* Calls that no text says the name of have none, and returns do not come before what they return
 * from. */
static void walk_calls(struct target *t)
{
	struct trace_select all = { .instance = "" };
	struct trace_printer *p = trace_printer_new();
	struct buf b = { .max = 1 << 16 };
	struct arena a = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	struct err err;

	if (timeline_open(t, &all, &a, &tl, &err))
		for (unsigned n = 0; n < LINES_MAX && timeline_next(tl, &ev, &err); n++) {
			enum trace_kind kind = trace_kind(&ev);
			struct funcall c;

			buf_reset(&b);
			trace_print(p, &b, &ev);
			if (kind != TRACE_KIND_GRAPH_ENTRY && kind != TRACE_KIND_GRAPH_EXIT)
				continue;
			if (!funcall_of(&ev, &c) || c.depth < 0 ||
			    c.is_return != (kind == TRACE_KIND_GRAPH_EXIT))
				__builtin_trap();
		}
	trace_printer_release(p);
	buf_release(&b);
	arena_release(&a);
}

/* Byte 0: bit 0, rows are of the latency format; bit 1, a graph has no CPUs; bit 2, the lines have
 * the head of a graph in front of them. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena scratch = { 0 };
	struct buf text = { 0 };
	struct target t;
	struct file file;
	struct err err;
	unsigned lines = 0;

	if (!size)
		return 0;
	for (size_t at = 1; at < size && lines++ < LINES_MAX;) {
		const uint8_t *nl = memchr(data + at, '\n', size - at);
		size_t n = nl ? (size_t)(nl - data) - at : size - at;

		/* a reader has no NULs left in a line */
		if (n && !memchr(data + at, '\0', n))
			one_line((const char *)data + at, n, data[0] & 1, data[0] & 2);
		at += n + 1;
	}
	buf_str(&text, data[0] & 4 ? "# tracer: function_graph\n" : "# tracer: nop\n");
	buf_add(&text, (const char *)data + 1, size - 1);
	target_init(&t, &scratch);
	if (open_bytes(&t, &reader_tracetext, &file, text.s, text.n, &err))
		walk_calls(&t);
	target_release(&t);
	arena_release(&scratch);
	buf_release(&text);
	return 0;
}
