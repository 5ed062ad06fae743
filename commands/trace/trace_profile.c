/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace profile: how often functions were called and how long they took, by the kernel's own
 * function profiler. */
#include <inttypes.h>

#include "core/obit.h"
#include "core/image/memory.h"
#include "core/image/symbol.h"
#include "core/image/target.h"
#include "core/linux/task/cpu.h"
#include "core/linux/trace/trace.h"
#include "core/shell/forms.h"
#include "core/trace/funcall.h"

struct profile_opts {
	const char *cpus;
	bool all;
};
static const struct option opts[] = {
	OPT_STR("C", "cpus", struct profile_opts, cpus, "only of these CPUs: 0,2-3"),
	OPT_FLAG("all", struct profile_opts, all,
		 "those too that on average took less than tracing_thresh"),
};

enum {
	CPU,
	FUNCTION,
	ADDRESS,
	HITS,
	TIME,
	AVERAGE,
	VARIANCE
};
static void row_text(struct buf *b, const struct sink *k, const struct record *r,
		     const struct cell *cell);
static const struct record_field profile_fields[] = {
	[CPU] = { "cpu", NULL, CELL_UINT, 0, "on which it was counted" },
	[FUNCTION] = { "function", NULL, CELL_STR, 0, "its name; null: none is known" },
	[ADDRESS] = { "address", NULL, CELL_ADDR, 0, "of its code" },
	[HITS] = { "hits", NULL, CELL_UINT, 0, "how often it was called" },
	[TIME] = { "time_ns", NULL, CELL_UINT, 0,
		   "what all calls took together; null: this kernel measures no time" },
	[AVERAGE] = { "avg_ns", NULL, CELL_UINT, 0, "the mean" },
	[VARIANCE] = { "variance_ns2", NULL, CELL_UINT, 0,
		       "sample variance, square nanoseconds; null: unknown" },
};
static const struct record_kind profile_kind = {
	.name = "trace_profiled",
	.doc = "A function that the function profiler counted.",
	.layout = LAYOUT_OWN,
	.fields = profile_fields,
	.n_fields = ARRAY_SIZE(profile_fields),
	.text = row_text,
};

/* A row of the kernel's file, function_stat_show(): columns of 30 and 10, and durations as those of
 * function_graph. */
static void row_text(struct buf *b, const struct sink *k, const struct record *r,
		     const struct cell *cell)
{
	const struct cell *name = &r->cells[FUNCTION];
	struct buf shown = { 0 };

	(void)k, (void)cell;
	if (name->kind == CELL_STR)
		buf_plain(&shown, name->str.s, name->str.n);
	else
		buf_printf(&shown, "0x%" PRIx64, r->cells[ADDRESS].u);
	buf_printf(b, "  %-30.30s  %10" PRIu64, buf_text(&shown), r->cells[HITS].u);
	buf_release(&shown);
	for (unsigned i = TIME; i <= VARIANCE && r->cells[TIME].kind == CELL_UINT; i++) {
		buf_str(b, "    ");
		if (r->cells[i].kind == CELL_UINT)
			funcall_kernel_duration(b, r->cells[i].u / (i == VARIANCE ? 1000 : 1));
		else
			buf_str(b, "-          ");
	}
	buf_char(b, '\n');
}

struct profile_wanted {
	struct ctx *c;
	uint64_t threshold; /* nanoseconds; 0: all are shown */
	size_t used, left_out;
	struct err *err;
};

static void emit_function(struct profile_wanted *w, unsigned cpu, const struct trace_profiled *p,
			  bool timed)
{
	uint64_t off, variance;
	struct symbol sym;
	struct err ignored;
	struct record r;

	record_init(&r, &profile_kind);
	record_uint(&r, CPU, cpu);
	if (symbol_at(w->c->t, p->ip, &sym, &off, &ignored))
		record_str(&r, FUNCTION, sym.name);
	record_uint(&r, ADDRESS, p->ip);
	record_uint(&r, HITS, p->hits);
	if (timed) {
		record_uint(&r, TIME, p->time);
		record_uint(&r, AVERAGE, p->time / p->hits);
		if (trace_profile_variance(p, &variance))
			record_uint(&r, VARIANCE, variance);
	}
	emit(w->c, &r);
}

static void emit_head(struct ctx *c, unsigned cpu, bool timed)
{
	emit_heading(c, arena_printf(c->arena, "trace_stat/function%u:", cpu));
	emit_heading(c, timed ? "  Function                               Hit    Time            "
				"Avg             s^2"
			      : "  Function                               Hit");
	emit_heading(c, timed ? "  --------                               ---    ----            "
				"---             ---"
			      : "  --------                               ---");
}

static bool profile_cpu(unsigned cpu, void *arg)
{
	struct profile_wanted *w = arg;
	struct trace_profile p;
	struct err why;

	if (!trace_profile_read(w->c->t, cpu, w->c->arena, &p, &why)) {
		if (why.code == ERR_NOSYM || why.code == ERR_NOTYPE || why.code == ERR_INTR) {
			*w->err = why;
			return false;
		}
		err_wrap(&why, "CPU %u", cpu);
		note(w->c, &why);
	}
	if (!p.used)
		return true;
	if (!w->used++ || p.n)
		emit_head(w->c, cpu, p.timed);
	for (size_t i = 0; i < p.n; i++) {
		if (p.timed && p.functions[i].time / p.functions[i].hits < w->threshold)
			w->left_out++;
		else
			emit_function(w, cpu, &p.functions[i], p.timed);
	}
	return interrupt_check(w->err);
}

/* tracing_thresh, which the kernel's file heeds; 0: there is none. */
static uint64_t threshold(struct target *t)
{
	uint64_t at, ret;
	struct err ignored;

	return symbol_addr(t, "tracing_thresh", &at) && mem_ptr(t, at, &ret, &ignored) ? ret : 0;
}

static bool profile_run(struct ctx *c, struct err *err)
{
	const struct profile_opts *o = c->opts;
	struct profile_wanted w = { .c = c, .err = err };
	struct symbol sym;
	unsigned n;

	if (!symbol_find(c->t, "ftrace_profile_stats", &sym, err)) {
		if (err->code != ERR_NOSYM || !symbols_complete(c->t))
			return false;
		emit_none(c, &profile_kind, "the kernel has no function profiler");
		return true;
	}
	w.threshold = o->all ? 0 : threshold(c->t);
	if (o->cpus) {
		if (!parse_cpus(c->t, o->cpus, profile_cpu, &w, err))
			return false;
	} else {
		if (!cpus_count(c->t, &n, err))
			return false;
		for (unsigned cpu = 0; cpu < n && !err->code; cpu++)
			if (cpu_is_possible(c->t, cpu) && !profile_cpu(cpu, &w))
				break;
	}
	if (err->code)
		return false;
	if (!w.used)
		emit_none(c, &profile_kind, "the function profiler was never on");
	if (w.left_out)
		emit_heading(c, arena_printf(c->arena,
					     "%zu more took less than tracing_thresh, %" PRIu64
					     " us, on average: --all shows them",
					     w.left_out, w.threshold / 1000));
	return true;
}

static const struct record_kind *const emits[] = { &profile_kind, NULL };
static const struct example examples[] = {
	{ "trace profile", "the functions that took longest, CPU by CPU" },
	{ "trace profile -C 0", "of one CPU" },
};
const struct command cmd_trace_profile = {
	.name = "trace profile",
	.group = "trace",
	.summary = "calls and times that the function profiler counted",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.operands = "",
	OPTS(opts),
	.opts_size = sizeof(struct profile_opts),
	.emits = emits,
	.help = "Where the function profiler was on (tracefs' function_profile_enabled), the kernel counted "
		"on each CPU how often each function was called and, if it has the function_graph tracer, "
		"how long that took. A line is a line of tracefs' trace_stat/functionN: hits, time in all, "
		"the mean, and the sample variance in square microseconds. Time includes what a function called "
		"and slept, unless the options graph-time and sleep-time were off.\n\n"
		"As there, functions that took less than tracing_thresh on average are left out; --all shows "
		"them. The variance is computed in numbers that do not overflow, as the kernel's do; where "
		"a call took more than 4.29 s, the sum that it is made of has overflowed in the kernel, "
		"and where that can be seen, \"-\" stands for it.",
	EXAMPLES(examples),
	.run = profile_run,
};
