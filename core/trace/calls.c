/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of calls for people: each line says when, where, whose, how long, and within what. */
#include <string.h>

#include "core/trace/funcall.h"
#include "core/trace/row.h"

#define CPUS_MAX 8192
#define INDENT 2
#define DEPTH_DRAWN 500 /* deeper ones are drawn no further to the right */
#define MICROS_WIDTH 14 /* of a duration: "1234567.890 us" */

/* What was seen on one CPU. */
struct calls_cpu {
	bool seen;     /* a call or a return was */
	int32_t pid;   /* whose depth it is */
	int64_t depth; /* of the calls that are open */
	bool drawn;    /* the return that comes next is drawn already, with its entry */
	uint64_t func; /* of it */
};

struct trace_calls {
	struct arena *a;
	struct calls_cpu *cpus[CPUS_MAX];
};

struct trace_calls *trace_calls_new(struct arena *a)
{
	struct trace_calls *v = ARENA_NEW(a, struct trace_calls);

	v->a = a;
	return v;
}

static struct calls_cpu *cpu_of(struct trace_calls *v, int cpu)
{
	if (cpu < 0 || cpu >= CPUS_MAX)
		cpu = CPUS_MAX - 1;
	if (!v->cpus[cpu])
		v->cpus[cpu] = ARENA_NEW(v->a, struct calls_cpu);
	return v->cpus[cpu];
}

static void add_duration(struct buf *b, const struct funcall *c)
{
	if (c && c->has_duration) {
		buf_char(b, trace_mark_of(c->duration));
		buf_char(b, ' ');
		funcall_duration(b, c->duration, MICROS_WIDTH);
		buf_char(b, ' ');
	} else {
		buf_pad(b, ' ', MICROS_WIDTH + 3);
	}
	buf_str(b, "|  ");
}

static void add_indent(struct buf *b, int64_t depth)
{
	buf_pad(b, ' ', (size_t)(depth < DEPTH_DRAWN ? depth : DEPTH_DRAWN) * INDENT);
}

static void add_words(struct buf *b, const struct trace_event *ev, const struct funcall *c,
		      const struct funcall *value, bool leaf)
{
	unsigned shows = ev->buffer->shows;

	add_indent(b, c->depth);
	funcall_words(b, ev, c, leaf);
	if ((shows & TRACE_SHOW_GRAPH_RETVAL) && value && value->has_retval && !ev->text) {
		buf_str(b, " /* ");
		funcall_retval(b, ev->buffer->recording, value->retval,
			       shows & TRACE_SHOW_GRAPH_RETVAL_HEX);
		buf_str(b, " */");
	}
	buf_char(b, '\n');
}

/* In the column of durations, as the kernel draws it. */
static void arrow_row(struct buf *b, const struct trace_event *ev, const struct funcall *c,
		      bool enter)
{
	size_t start;

	if (!c->irq)
		return;
	trace_row_context(b, ev);
	buf_str(b, "  ");
	start = b->n;
	funcall_arrow(b, enter);
	buf_pad(b, ' ', MICROS_WIDTH + 1 - (b->n - start));
	buf_str(b, "|\n");
}

static bool entry_rows(struct calls_cpu *cpu, struct buf *b, struct timeline *tl,
		       const struct trace_event *ev)
{
	struct trace_event at = *ev, next;
	struct funcall call, ret;
	bool leaf;

	if (!funcall_of(ev, &call))
		return false;
	arrow_row(b, ev, &call, true);
	trace_row_context(b, ev);
	cpu->pid = ev->pid;
	leaf = call.leaf;
	/* to look at what follows is to lose the event's bytes, of which a text's words are some */
	if (!ev->text && timeline_peek(tl, &next) && trace_kind(&next) == TRACE_KIND_GRAPH_EXIT &&
	    next.pid == at.pid && next.cpu == at.cpu && funcall_of(&next, &ret) &&
	    ret.func == call.func) {
		timeline_drop(tl);
		leaf = true;
		add_duration(b, &ret);
		add_words(b, &at, &call, &ret, true);
		arrow_row(b, &next, &ret, false);
	} else {
		add_duration(b, &call);
		add_words(b, &at, &call, NULL, leaf);
		if (leaf)
			arrow_row(b, &at, &call, false);
		cpu->drawn = leaf;
		cpu->func = call.func;
	}
	cpu->depth = call.depth + !leaf;
	return true;
}

static bool return_rows(struct calls_cpu *cpu, struct buf *b, const struct trace_event *ev)
{
	struct funcall ret;

	if (!funcall_of(ev, &ret))
		return false;
	cpu->pid = ev->pid;
	cpu->depth = ret.depth;
	if (cpu->drawn && ret.func == cpu->func) {
		cpu->drawn = false;
		return true;
	}
	trace_row_context(b, ev);
	add_duration(b, &ret);
	add_words(b, ev, &ret, &ret, false);
	arrow_row(b, ev, &ret, false);
	return true;
}

/* All else stands between the calls where calls are. */
static void comment_row(const struct calls_cpu *cpu, struct trace_printer *p, struct buf *b,
			const struct trace_event *ev)
{
	trace_row_context(b, ev);
	add_duration(b, NULL);
	add_indent(b, cpu->pid == ev->pid ? cpu->depth : 0);
	buf_str(b, "/* ");
	trace_row_event(p, b, ev);
	buf_str(b, " */\n");
}

bool trace_calls_rows(struct trace_calls *v, struct trace_printer *p, struct buf *b,
		      struct timeline *tl, const struct trace_event *ev)
{
	struct calls_cpu *cpu = cpu_of(v, ev->cpu);
	enum trace_kind kind = trace_kind(ev);
	bool ok;

	if (kind == TRACE_KIND_GRAPH_ENTRY || kind == TRACE_KIND_GRAPH_EXIT) {
		ok = kind == TRACE_KIND_GRAPH_ENTRY ? entry_rows(cpu, b, tl, ev)
						    : return_rows(cpu, b, ev);
		cpu->seen |= ok;
		return ok;
	}
	/* stacks have lines of their own */
	if (!cpu->seen || kind == TRACE_KIND_FUNCTION || kind == TRACE_KIND_STACK ||
	    kind == TRACE_KIND_USER_STACK || (ev->text && strchr(ev->text, '\n')))
		return false;
	comment_row(cpu, p, b, ev);
	return true;
}
