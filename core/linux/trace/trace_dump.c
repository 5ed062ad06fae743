/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recording that the instances of the kernel's tracing make. */
#include <string.h>

#include "core/linux/task/cpu.h"
#include "core/linux/linux.h"
#include "core/linux/misc/system.h"
#include "core/linux/trace/trace.h"
#include "core/linux/trace/trace_call.h"
#include "core/types/shape.h"

#define RB_OVERWRITE 1u          /* RB_FL_OVERWRITE */
#define RB_BUFFER_OFF (1u << 20) /* in record_disabled: tracing_on is 0 */
#define CLOCKS_MAX 64u

/* trace_clocks[] of kernel/trace/trace.c: { u64 (*func)(void); const char *name; int in_ns; }. The
 * buffer's own clock function tells which it is. */
static const char *clock_name(struct target *t, uint64_t buffer, bool *ns)
{
	uint64_t table, fn, func, name;
	unsigned word = t->arch->word;
	struct err ignored;
	uint32_t in_ns;

	if (!symbol_addr(t, "trace_clocks", &table) ||
	    !field_u64(t, ring_buffer_type(t), buffer, "clock", &fn, &ignored))
		return NULL;
	for (unsigned i = 0; i < CLOCKS_MAX; i++, table += 3 * word) {
		if (!mem_ptr(t, table, &func, &ignored) ||
		    !mem_ptr(t, table + word, &name, &ignored) || !func || !name ||
		    !mem_u32(t, table + 2 * word, &in_ns, &ignored))
			return NULL;
		if (func != fn)
			continue;
		*ns = in_ns;
		return trace_name_at(t, name);
	}
	return NULL;
}

struct show_name {
	const char *name;
	unsigned bit;
};
static const struct show_name shows[] = {
	{ "irq-info", TRACE_SHOW_IRQ_INFO },      { "record-tgid", TRACE_SHOW_TGID },
	{ "print-parent", TRACE_SHOW_PARENT },    { "sym-offset", TRACE_SHOW_OFFSET },
	{ "sym-addr", TRACE_SHOW_ADDR },          { "annotate", TRACE_SHOW_ANNOTATE },
	{ "latency-format", TRACE_SHOW_LATENCY }, { "verbose", TRACE_SHOW_VERBOSE },
};
static const struct show_name graph_shows[] = {
	{ "funcgraph-cpu", TRACE_SHOW_GRAPH_CPU },
	{ "funcgraph-overhead", TRACE_SHOW_GRAPH_OVERHEAD },
	{ "funcgraph-proc", TRACE_SHOW_GRAPH_PROC },
	{ "funcgraph-duration", TRACE_SHOW_GRAPH_DURATION },
	{ "funcgraph-abstime", TRACE_SHOW_GRAPH_ABSTIME },
	{ "funcgraph-irqs", TRACE_SHOW_GRAPH_IRQS },
	{ "funcgraph-tail", TRACE_SHOW_GRAPH_TAIL },
	{ "funcgraph-retval", TRACE_SHOW_GRAPH_RETVAL },
	{ "funcgraph-retval-hex", TRACE_SHOW_GRAPH_RETVAL_HEX },
	{ "funcgraph-overrun", TRACE_SHOW_GRAPH_OVERRUN },
};

static unsigned show_of(const struct show_name *of, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(of[i].name, name))
			return of[i].bit;
	return 0;
}

/* The function_graph tracer's own options, which all instances share: struct tracer_flags { u32
 * val; struct tracer_opt *opts; }, struct tracer_opt { const char *name; u32 bit; }. */
static unsigned graph_show(struct target *t)
{
	unsigned ret = TRACE_SHOW_DEFAULT & ~0xffu, word = t->arch->word, known = 0;
	uint64_t tracer, flags, val, opts, name;
	struct err ignored;
	uint32_t bit;

	if (!symbol_addr(t, "graph_trace", &tracer) ||
	    !field_u64(t, "struct tracer", tracer, "flags", &flags, &ignored) || !flags ||
	    !field_u64(t, "struct tracer_flags", flags, "val", &val, &ignored) ||
	    !field_u64(t, "struct tracer_flags", flags, "opts", &opts, &ignored))
		return ret;
	for (unsigned i = 0; i < OPTIONS_MAX; i++, opts += 2 * word) {
		const char *s;
		unsigned show;

		if (!mem_ptr(t, opts, &name, &ignored) || !(s = trace_name_at(t, name)) ||
		    !mem_u32(t, opts + word, &bit, &ignored))
			break;
		show = show_of(graph_shows, ARRAY_SIZE(graph_shows), s);
		known |= show;
		ret = val & bit ? ret | show : ret & ~show;
	}
	/* an option that this kernel lacks is off */
	return ret & known;
}

static unsigned top_show(struct target *t, uint64_t trace_flags)
{
	unsigned ret = 0;
	const char *name;

	if (!trace_option_name(t, 0))
		return TRACE_SHOW_DEFAULT & 0xff;
	for (unsigned i = 0; i < OPTIONS_MAX && (name = trace_option_name(t, i)); i++)
		if (trace_flags >> i & 1)
			ret |= show_of(shows, ARRAY_SIZE(shows), name);
	return ret;
}

/* The value of an enumerator; 0 where there is none of that name. */
static uint8_t flag_value(const struct type *flags, const char *name)
{
	const struct enumerator *e;
	size_t n;

	e = type_enumerators(flags, &n);
	for (size_t i = 0; i < n; i++)
		if (e[i].name && !strcmp(e[i].name, name))
			return (uint8_t)e[i].value;
	return 0;
}

/* Sets *ret; lazy_at stays 0 of kernels that record as those without PREEMPT_RT do. */
static void common_of(struct target *t, struct trace_common *ret)
{
	uint64_t lazy_at, migrate_at;
	const struct type *flags;
	struct err ignored;

	*ret = (struct trace_common){ 0 };
	if (!type_find(t, "enum trace_flag_type", &flags, &ignored) ||
	    !field_offset(t, "struct trace_entry", "preempt_lazy_count", &lazy_at, &ignored) ||
	    lazy_at > UINT8_MAX)
		return;
	ret->lazy_at = (uint8_t)lazy_at;
	ret->lazy_flag = flag_value(flags, "TRACE_FLAG_NEED_RESCHED_LAZY");
	if (field_offset(t, "struct trace_entry", "migrate_disable", &migrate_at, &ignored) &&
	    migrate_at <= UINT8_MAX)
		ret->migrate_at = (uint8_t)migrate_at;
}

/* What the head of an osnoise or timerlat trace depends on. */
static unsigned noise_show(struct target *t, const char *tracer)
{
	uint64_t at, tainted;
	struct err ignored;
	struct system s;
	unsigned ret = 0;

	if (!tracer || (strcmp(tracer, "osnoise") != 0 && strcmp(tracer, "timerlat") != 0))
		return 0;
	system_read(t, &s);
	if (s.version && strstr(s.version, "PREEMPT_RT"))
		ret |= TRACE_SHOW_RT;
	if (symbol_addr(t, "osnoise_data", &at) &&
	    field_u64(t, "struct osnoise_data", at, "tainted", &tainted, &ignored) && tainted)
		ret |= TRACE_SHOW_TAINTED;
	return ret;
}

/* What kernels of one time print otherwise than those of another (kernel/trace/trace_output.c,
 * trace_syscalls.c). Where no types tell, those of today count. */
static unsigned kernel_show(struct target *t, const struct trace_common *common)
{
	const struct type *flags, *type;
	unsigned ret = 0;
	struct err ignored;
	uint64_t off;

	if (field_offset(t, "struct syscall_metadata", "user_mask", &off, &ignored))
		ret |= TRACE_SHOW_SYSCALL_0X;
	if (!type_find(t, "enum trace_flag_type", &flags, &ignored))
		return ret;
	if (common->lazy_at)
		ret |= TRACE_SHOW_LAZY_DEPTH;
	else if (flag_value(flags, "TRACE_FLAG_IRQS_NOSUPPORT"))
		ret |= TRACE_SHOW_NO_LAZY;
	if (!flag_value(flags, "TRACE_FLAG_BH_OFF")) { /* 289e7b0f7eb4 (v5.18) */
		ret |= TRACE_SHOW_NO_BH;
		/* the letter came with v5.14 as these did, and tells of itself in no type */
		if (!common->migrate_at &&
		    !type_find(t, "struct trace_func_repeats", &type, &ignored))
			ret |= TRACE_SHOW_NO_MIGRATE;
	}
	return ret;
}

/* ---- the recording */

static void lanes(struct target *t, uint64_t buffer, const struct trace_array *tr,
		  struct trace_buffer *b)
{
	struct trace_lane *made;
	unsigned cpus;
	struct err err;
	size_t n = 0;

	if (!cpus_count(t, &cpus, &err)) {
		target_warn(t, err.code, "trace buffers: %s", err.msg);
		return;
	}
	b->possible = cpus;
	made = ARENA_ARRAY(&t->arena, struct trace_lane, cpus);
	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		struct ring *ring;
		uint64_t addr;

		b->online += cpu_has_run(t, cpu);
		if (!ring_of_cpu(t, buffer, cpu, &addr, &err)) {
			target_warn(t, err.code, "trace buffer of CPU %u: %s", cpu, err.msg);
			continue;
		}
		if (!addr)
			continue; /* it was never up */
		ring = ARENA_NEW(&t->arena, struct ring);
		*ring = (struct ring){
			.t = t,
			.addr = addr,
			.page_size = b->page_size,
			.cpu = (int)cpu,
			.previous = tr->previous_boot,
		};
		made[n].cpu = (int)cpu;
		made[n].self = ring;
		ring_counters(ring, &made[n++]);
	}
	b->lanes = made;
	b->n_lanes = n;
}

static void buffer_fill(struct target *t, struct trace_array *tr, bool snapshot, unsigned of_kernel,
			struct trace_buffer *b)
{
	uint64_t buffer = tr->buffers[snapshot];
	const char *type = ring_buffer_type(t);

	b->name = tr->name;
	b->snapshot = snapshot;
	b->tracer = tr->tracer;
	b->clock = clock_name(t, buffer, &b->ns);
	if (!snapshot)
		tr->clock = b->clock;
	b->overwrite = field_u64_or(t, type, buffer, "flags", 0) & RB_OVERWRITE;
	b->tracing_on = !(field_u64_or(t, type, buffer, "record_disabled.counter", RB_BUFFER_OFF) &
			  RB_BUFFER_OFF);
	b->previous_boot = tr->previous_boot;
	b->page_size = ring_page_size(t, buffer);
	b->shows = top_show(t, tr->flags) | of_kernel | noise_show(t, tr->tracer);
	if (!symbol_addr(t, "__irqentry_text_start", &b->irq_text_lo) ||
	    !symbol_addr(t, "__irqentry_text_end", &b->irq_text_hi))
		b->irq_text_lo = b->irq_text_hi = 0;
	/* what such a tracer measured is about the events of the snapshot */
	if (b->shows & TRACE_SHOW_LATENCY && (snapshot || !tr->shows_max))
		b->latency = trace_latency_of(t, tr, snapshot);
	if (b->latency && tr->shows_max)
		b->since = b->latency->since;
	b->self = tr;
	lanes(t, buffer, tr, b);
}

static const struct recording_ops dump_ops = {
	.stale = true,
	.open = ring_open,
	.next = ring_next,
	.page = ring_page,
	.format = trace_event_format,
	.each_format = trace_event_each,
	.comm = trace_name_comm,
	.tgid = trace_name_tgid,
	.symbol = trace_name_symbol,
	.string = trace_name_string,
};

/* The buffers of this boot, or of the one before. NULL: there are none. */
static struct recording *recording_of(struct target *t, struct trace_state *st, bool previous)
{
	struct recording *rec = ARENA_NEW(&t->arena, struct recording);
	struct trace_common common;
	unsigned of_kernel;
	struct trace_buffer *b = ARENA_ARRAY(&t->arena, struct trace_buffer, 2 * st->n_arrays);

	common_of(t, &common);
	of_kernel = graph_show(t) | kernel_show(t, &common);
	*rec = (struct recording){
		.t = t,
		.origin = previous ? "the dump's memory, of the boot before" : "the dump's memory",
		.word_size = t->arch->word,
		.big_endian = target_big(t),
		.common = common,
		.ops = &dump_ops,
		.buffers = b,
	};
	for (size_t i = 0; i < st->n_arrays; i++) {
		struct trace_array *tr = &st->arrays[i];

		if (tr->previous_boot != previous)
			continue;
		rec->self = tr;
		for (int snapshot = 0; snapshot < 2; snapshot++) {
			if (!tr->buffers[snapshot])
				continue;
			b[rec->n_buffers].recording = rec;
			buffer_fill(t, tr, snapshot, of_kernel, &b[rec->n_buffers++]);
		}
	}
	return rec->n_buffers ? rec : NULL;
}

/* Struct traces.of_dump. */
static bool trace_of_dump(struct target *t, struct recording **ret, struct err *err)
{
	struct trace_state *st = trace_state(t);
	const struct trace_array *arrays;
	struct recording *previous;
	size_t n;

	if (!trace_arrays(t, &arrays, &n, err))
		return false;
	st->recording = recording_of(t, st, false);
	/* Its addresses are not this kernel's: symbols are asked of the recording. */
	previous = recording_of(t, st, true);
	if (previous && st->recording)
		traces_add(t, previous);
	*ret = st->recording ? st->recording : previous;
	return *ret || err_set(err, ERR_NOTFOUND, "no instance has a buffer");
}

void linux_trace_init(struct target *t)
{
	traces_of(t)->of_dump = trace_of_dump;
	traces_of(t)->of_survivors = trace_of_survivors;
}
