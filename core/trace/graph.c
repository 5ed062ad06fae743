/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The function_graph view: nesting, durations, comments (kernel/trace/trace_functions_graph.c says
 * how its lines look). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/trace/funcall.h"
#include "core/trace/row.h"

#define CPUS_MAX 8192
#define DEPTH_MAX_GRAPH                                                          \
	200 /* as many levels are remembered; deeper ones are drawn all the same \
	     */
#define INDENT 2
#define PROC_WIDTH 14

/* What was seen on one CPU. */
struct graph_cpu {
	int32_t pid; /* -1: nothing yet */
	int64_t depth;
	uint64_t funcs[DEPTH_MAX_GRAPH]; /* entered and not yet left, by depth */
	bool drawn; /* of a text: the return that comes next is drawn with its entry */
};

struct trace_graph {
	struct arena *a;
	struct graph_cpu *cpus[CPUS_MAX];
};

/* What a line's place in time, CPU and task is printed from. */
struct graph_place {
	const struct trace_buffer *buffer;
	uint64_t ts;
	int cpu;
	int32_t pid;
};

struct trace_graph *trace_graph_new(struct arena *a)
{
	struct trace_graph *g = ARENA_NEW(a, struct trace_graph);

	g->a = a;
	return g;
}

static struct graph_cpu *cpu_of(struct trace_graph *g, int cpu)
{
	if (cpu < 0 || cpu >= CPUS_MAX)
		cpu = CPUS_MAX - 1;
	if (!g->cpus[cpu]) {
		g->cpus[cpu] = ARENA_NEW(g->a, struct graph_cpu);
		g->cpus[cpu]->pid = -1;
	}
	return g->cpus[cpu];
}

/* ---- columns */

static void add_cpu(struct buf *b, const struct graph_place *at)
{
	unsigned last = at->buffer->possible ? at->buffer->possible - 1 : 0;
	int width = 1;

	for (; last >= 10; last /= 10)
		width++;
	buf_printf(b, " %*d) ", width, at->cpu);
}

/* "comm-pid" in the middle of its column, comm cut to seven. */
static void add_task(struct buf *b, const struct graph_place *at, int32_t pid)
{
	struct trace_event ev = { .buffer = at->buffer, .pid = pid };
	size_t start = b->n;
	char text[32];
	int n = snprintf(text, sizeof(text), "%.7s-%" PRId32, trace_comm(&ev), pid);
	int blanks = n < PROC_WIDTH ? PROC_WIDTH - n : 0;

	buf_pad(b, ' ', (size_t)(blanks / 2));
	buf_str(b, text);
	buf_one_line(b, start);
	buf_pad(b, ' ', (size_t)(blanks - blanks / 2));
}

static void add_place(struct buf *b, const struct graph_place *at)
{
	unsigned shows = at->buffer->shows;

	if (shows & TRACE_SHOW_GRAPH_ABSTIME)
		buf_printf(b, "%5" PRIu64 ".%06" PRIu64 " |  ", at->ts / 1000000000,
			   at->ts % 1000000000 / 1000);
	if (shows & TRACE_SHOW_GRAPH_CPU)
		add_cpu(b, at);
	if (shows & TRACE_SHOW_GRAPH_PROC) {
		add_task(b, at, at->pid);
		buf_str(b, " | ");
	}
}

static void add_duration(struct buf *b, const struct graph_place *at, uint64_t ns)
{
	unsigned shows = at->buffer->shows;

	if (!(shows & TRACE_SHOW_GRAPH_DURATION))
		return;
	buf_char(b, shows & TRACE_SHOW_GRAPH_OVERHEAD ? trace_mark_of(ns) : ' ');
	buf_char(b, ' ');
	funcall_kernel_duration(b, ns);
	buf_str(b, "|  ");
}

static void add_no_duration(struct buf *b, const struct graph_place *at)
{
	if (at->buffer->shows & TRACE_SHOW_GRAPH_DURATION)
		buf_str(b, "              |  ");
}

/* An arrow where interrupt code is entered or left. */
static void add_irq(struct buf *b, const struct graph_place *at, const struct funcall *c,
		    bool enter)
{
	bool duration = at->buffer->shows & TRACE_SHOW_GRAPH_DURATION;

	if (!c->irq)
		return;
	add_place(b, at);
	if (duration)
		buf_str(b, "  ");
	funcall_arrow(b, enter);
	if (duration)
		buf_str(b, " |");
	buf_char(b, '\n');
}

static void add_indent(struct buf *b, int64_t depth)
{
	/* a depth that no kernel reaches is damage; the line is drawn at the edge */
	buf_pad(b, ' ', (size_t)(depth < 1000 ? depth : 1000) * INDENT);
}

static void add_func(struct buf *b, const struct graph_place *at, uint64_t func)
{
	funcall_name(b, at->buffer->recording, func);
}

static void add_retval(struct buf *b, const struct graph_place *at, const struct funcall *c)
{
	funcall_retval(b, at->buffer->recording, c->retval,
		       at->buffer->shows & TRACE_SHOW_GRAPH_RETVAL_HEX);
	buf_str(b, " */\n");
}

/* ---- lines */

/* A banner where another task runs on the CPU than before. */
static void task_change(struct graph_cpu *cpu, struct buf *b, const struct graph_place *at)
{
	static const char line[] = " ------------------------------------------\n";
	int32_t before = cpu->pid;

	if (before == at->pid)
		return;
	cpu->pid = at->pid;
	if (before == -1)
		return;
	buf_str(b, line);
	add_cpu(b, at);
	add_task(b, at, before);
	buf_str(b, " => ");
	add_task(b, at, at->pid);
	buf_printf(b, "\n%s\n", line);
}

static void leaf_rows(struct graph_cpu *cpu, struct buf *b, const struct graph_place *at,
		      const struct funcall *call, const struct funcall *ret)
{
	cpu->depth = call->depth - 1;
	if (call->depth < DEPTH_MAX_GRAPH)
		cpu->funcs[call->depth] = 0;
	if (ret->has_duration)
		add_duration(b, at, ret->duration);
	else
		add_no_duration(b, at);
	add_indent(b, call->depth);
	add_func(b, at, call->func);
	if ((at->buffer->shows & TRACE_SHOW_GRAPH_RETVAL) && ret->has_retval) {
		buf_str(b, "(); /* ");
		add_retval(b, at, ret);
	} else {
		buf_str(b, "();\n");
	}
	add_irq(b, at, ret, false);
}

static void nested_rows(struct graph_cpu *cpu, struct buf *b, const struct graph_place *at,
			const struct funcall *call)
{
	cpu->depth = call->depth;
	if (call->depth < DEPTH_MAX_GRAPH)
		cpu->funcs[call->depth] = call->func;
	add_no_duration(b, at);
	add_indent(b, call->depth);
	add_func(b, at, call->func);
	buf_str(b, "() {\n");
}

static void return_rows(struct graph_cpu *cpu, struct buf *b, const struct graph_place *at,
			const struct funcall *ret)
{
	unsigned shows = at->buffer->shows;
	bool matches = true;

	cpu->depth = ret->depth - 1;
	if (ret->depth < DEPTH_MAX_GRAPH) {
		matches = cpu->funcs[ret->depth] == ret->func;
		cpu->funcs[ret->depth] = 0;
	}
	task_change(cpu, b, at);
	add_place(b, at);
	add_duration(b, at, ret->duration);
	add_indent(b, ret->depth);
	if ((shows & TRACE_SHOW_GRAPH_RETVAL) && ret->has_retval) {
		buf_str(b, "} /* ");
		add_func(b, at, ret->func);
		buf_char(b, ' ');
		add_retval(b, at, ret);
	} else if (matches && !(shows & TRACE_SHOW_GRAPH_TAIL)) {
		buf_str(b, "}\n");
	} else {
		buf_str(b, "} /* ");
		add_func(b, at, ret->func);
		buf_str(b, " */\n");
	}
	if (shows & TRACE_SHOW_GRAPH_OVERRUN)
		buf_printf(b, " (Overruns: %" PRIu64 ")\n", ret->overrun);
	add_irq(b, at, ret, false);
}

/* All else stands as a comment between the calls. */
static void comment_rows(struct graph_cpu *cpu, struct trace_printer *p, struct buf *b,
			 const struct graph_place *at, const struct trace_event *ev)
{
	enum trace_kind kind = trace_kind(ev);
	size_t start;

	task_change(cpu, b, at);
	add_place(b, at);
	add_no_duration(b, at);
	if (cpu->depth > 0)
		add_indent(b, cpu->depth + 1);
	buf_str(b, "/* ");
	start = b->n;
	trace_row_event(p, b, ev);
	/* markers say their message only, without the function that wrote it */
	if (kind == TRACE_KIND_PRINT || kind == TRACE_KIND_BPRINT || kind == TRACE_KIND_BPUTS) {
		char *colon = strstr(b->s + start, ": ");

		if (colon) {
			size_t skip = (size_t)(colon + 2 - (b->s + start));

			memmove(b->s + start, b->s + start + skip, b->n - start - skip + 1);
			b->n -= skip;
		}
	}
	buf_str(b, " */\n");
}

bool trace_graph_rows(struct trace_graph *g, struct trace_printer *p, struct buf *b,
		      struct timeline *tl, const struct trace_event *ev)
{
	struct graph_place at = { ev->buffer, ev->ts, ev->cpu, ev->pid };
	struct graph_cpu *cpu = cpu_of(g, ev->cpu);
	struct trace_event next;
	struct funcall call, ret;

	switch (trace_kind(ev)) {
	case TRACE_KIND_GRAPH_ENTRY:
		if (!funcall_of(ev, &call))
			return false;
		task_change(cpu, b, &at);
		add_irq(b, &at, &call, true);
		add_place(b, &at);
		if (!call.leaf && timeline_peek(tl, &next) &&
		    trace_kind(&next) == TRACE_KIND_GRAPH_EXIT && next.pid == at.pid &&
		    funcall_of(&next, &ret) && ret.func == call.func) {
			timeline_drop(tl);
			leaf_rows(cpu, b, &at, &call, &ret);
		} else if (call.leaf) {
			leaf_rows(cpu, b, &at, &call, &call);
			cpu->drawn = true;
		} else {
			nested_rows(cpu, b, &at, &call);
		}
		return true;
	case TRACE_KIND_GRAPH_EXIT:
		if (!funcall_of(ev, &ret))
			return false;
		if (cpu->drawn) {
			cpu->drawn = false;
			return true;
		}
		return_rows(cpu, b, &at, &ret);
		return true;
	case TRACE_KIND_FUNCTION:
	case TRACE_KIND_STACK:
		return false;
	default:
		/* a stack has lines of its own */
		if (ev->text && strchr(ev->text, '\n'))
			return false;
		comment_rows(cpu, p, b, &at, ev);
		return true;
	}
}
