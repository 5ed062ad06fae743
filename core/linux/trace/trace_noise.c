/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tracers of latencies and noise were told, and the longest latency that they met: the
 * files tracing_max_latency, tracing_thresh, hwlat_detector and osnoise of tracefs
 * (kernel/trace/trace_hwlat.c, trace_osnoise.c). */
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/task/cpu.h"
#include "core/linux/trace/trace.h"
#include "core/types/shape.h"

#define MODES_MAX 16u
#define NOISE_OPTIONS_MAX 32u

struct noise {
	struct target *t;
	void (*fn)(const char *name, const char *const *values, size_t n, void *arg);
	void *arg;
	struct err first; /* of what could not be read */
};

static void missed(struct noise *s, const char *file, const struct err *why)
{
	if (s->first.code)
		return;
	s->first = *why;
	err_wrap(&s->first, "%s", file);
}

static void tell(struct noise *s, const char *file, const char *value)
{
	s->fn(file, &value, 1, s->arg);
}

static void tell_number(struct noise *s, const char *file, uint64_t n)
{
	tell(s, file, arena_printf(s->t->scratch, "%llu", (unsigned long long)n));
}

/* A member of a variable of the kernel's. */
static bool member(struct noise *s, const char *file, const char *symbol, const char *type,
		   const char *name, uint64_t *ret)
{
	struct symbol sym;
	struct err why;

	if (symbol_find(s->t, symbol, &sym, &why) &&
	    field_u64(s->t, type, sym.addr, name, ret, &why))
		return true;
	missed(s, file, &why);
	return false;
}

/* A name of the kernel's table of them. */
static const char *name_in(struct target *t, const char *table, uint64_t i)
{
	const char *ret;
	uint64_t at, name;
	struct err ignored;

	return symbol_addr(t, table, &at) && mem_ptr(t, at + i * t->arch->word, &name, &ignored) &&
			       name && mem_str(t, name, TRACE_NAME_MAX, t->scratch, &ret, &ignored)
		       ? ret
		       : NULL;
}

static void hwlat_files(struct noise *s)
{
	static const char *const files[][2] = {
		{ "hwlat_detector/width", "sample_width" },
		{ "hwlat_detector/window", "sample_window" },
	};
	static const char type[] = "struct hwlat_data", mode_file[] = "hwlat_detector/mode";
	const char *mode;
	struct err ignored;
	uint64_t n, off;

	/* before 8fa826b7344d (v5.14) there was one mode */
	if (field_offset(s->t, type, "thread_mode", &off, &ignored) &&
	    member(s, mode_file, "hwlat_data", type, "thread_mode", &n)) {
		mode = n < MODES_MAX ? name_in(s->t, "thread_mode_str", n) : NULL;
		if (mode)
			tell(s, mode_file, mode);
		else
			tell_number(s, mode_file, n);
	}
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (member(s, files[i][0], "hwlat_data", type, files[i][1], &n))
			tell_number(s, files[i][0], n);
}

/* The CPUs of a mask as the kernel lists them: "0-1,3". */
static void cpus_file(struct noise *s)
{
	static const char file[] = "osnoise/cpus";
	unsigned word = s->t->arch->word, bits = 8 * word, cpus, from = 0;
	struct buf b = { 0 };
	struct symbol mask;
	bool before = false;
	struct err why;

	if (!symbol_find(s->t, "osnoise_cpumask", &mask, &why) || !cpus_count(s->t, &cpus, &why)) {
		missed(s, file, &why);
		return;
	}
	for (unsigned cpu = 0; cpu <= cpus; cpu++) {
		uint64_t v = 0;
		bool is;

		if (cpu < cpus && !mem_ptr(s->t, mask.addr + cpu / bits * word, &v, &why)) {
			missed(s, file, &why);
			buf_release(&b);
			return;
		}
		is = cpu < cpus && (v >> cpu % bits & 1);
		if (is && !before)
			from = cpu;
		else if (!is && before && from == cpu - 1)
			buf_printf(&b, "%s%u", b.n ? "," : "", from);
		else if (!is && before)
			buf_printf(&b, "%s%u-%u", b.n ? "," : "", from, cpu - 1);
		before = is;
	}
	tell(s, file, arena_strdup(s->t->scratch, buf_text(&b)));
	buf_release(&b);
}

/* The options that are on. The first, DEFAULTS, is no bit: it says that the others are as they
 * were. */
static void options_file(struct noise *s)
{
	static const char file[] = "osnoise/options";
	const char *on[NOISE_OPTIONS_MAX], *name;
	struct symbol options;
	struct err why;
	uint64_t v;
	size_t n = 0;

	/* since b179d48b6aab (v6.1) */
	if (!symbol_addr(s->t, "osnoise_options", &v))
		return;
	if (!symbol_find(s->t, "osnoise_options", &options, &why) ||
	    !mem_ptr(s->t, options.addr, &v, &why)) {
		missed(s, file, &why);
		return;
	}
	for (unsigned i = 1; i < NOISE_OPTIONS_MAX; i++)
		if (v >> i & 1) {
			name = name_in(s->t, "osnoise_options_str", i);
			on[n++] = name ? name : arena_printf(s->t->scratch, "bit %u", i);
		}
	if (n)
		s->fn(file, on, n, s->arg);
}

static void osnoise_files(struct noise *s)
{
	static const struct {
		const char *file, *member;
		bool timerlat;
	} files[] = {
		{ "osnoise/period_us", "sample_period", false },
		{ "osnoise/runtime_us", "sample_runtime", false },
		{ "osnoise/stop_tracing_us", "stop_tracing", false },
		{ "osnoise/stop_tracing_total_us", "stop_tracing_total", false },
		{ "osnoise/print_stack", "print_stack", true },
		{ "osnoise/timerlat_period_us", "timerlat_period", true },
		{ "osnoise/timerlat_align_us", "timerlat_align_us", true },
	};
	static const char type[] = "struct osnoise_data";
	struct err ignored;
	uint64_t n, off;

	cpus_file(s);
	options_file(s);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		/* what only kernels with TIMERLAT_TRACER have, or newer ones */
		if (files[i].timerlat && !field_offset(s->t, type, files[i].member, &off, &ignored))
			continue;
		if (member(s, files[i].file, "osnoise_data", type, files[i].member, &n))
			tell_number(s, files[i].file, n);
	}
}

/* A time of the kernel's as its file has it, in microseconds. */
static void time_file(struct noise *s, const char *file, uint64_t ns)
{
	uint64_t none = s->t->arch->word == 4 ? UINT32_MAX : UINT64_MAX;

	if (ns == none)
		tell(s, file, "-1");
	else
		tell_number(s, file, ns / 1000);
}

bool trace_noise_each(struct target *t, const struct trace_array *tr,
		      void (*fn)(const char *name, const char *const *values, size_t n, void *arg),
		      void *arg, struct err *err)
{
	struct noise s = { .t = t, .fn = fn, .arg = arg };
	const char *tracer = tr->tracer ? tr->tracer : "";
	bool hwlat = !strcmp(tracer, "hwlat");
	bool osnoise = !strcmp(tracer, "osnoise") || !strcmp(tracer, "timerlat");
	uint64_t at, thresh;
	struct err why;

	if (tr->max_latency || tr->shows_max || hwlat || osnoise)
		time_file(&s, "tracing_max_latency", tr->max_latency);
	/* one for all instances, which counts for these tracers, and for function_graph and the
	 * profiler */
	if (symbol_addr(t, "tracing_thresh", &at)) {
		if (!mem_ptr(t, at, &thresh, &why))
			missed(&s, "tracing_thresh", &why);
		else if (thresh && (!tr->name || tr->shows_max || hwlat || osnoise))
			time_file(&s, "tracing_thresh", thresh);
	}
	if (hwlat)
		hwlat_files(&s);
	if (osnoise)
		osnoise_files(&s);
	*err = s.first;
	return !s.first.code;
}
