/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the settings of tracers of latencies and noise, against what the kernel's files of
 * tracefs print of such variables. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"
#include "core/linux/trace/trace.h"

#define VARS (KERNEL_BASE + 0x1000)
#define VAR(n) (VARS + 0x100 * (uint64_t)(n))
#define TEXTS (KERNEL_BASE + 0x3000)

static struct fake_kernel k;
static struct buf said;

static void names(uint64_t table, const char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		put64(&k, table + 8 * i, TEXTS + table % 0x1000 * 4 + 32 * i);
		put_str(&k, TEXTS + table % 0x1000 * 4 + 32 * i, texts[i]);
	}
}

static void start(void)
{
	static const char *const modes[] = { "none", "round-robin", "per-cpu" };
	static const char *const options[] = { "DEFAULTS", "OSNOISE_WORKLOAD", "PANIC_ON_STOP" };
	struct type *s;

	kernel_init(&k);
	s = WORDS(&k, "hwlat_data", "count", "sample_window", "sample_width");
	kernel_member(s, "thread_mode", &k.s32, 24);
	s->size = 32;
	WORDS(&k, "osnoise_data", "sample_period", "sample_runtime", "stop_tracing",
	      "stop_tracing_total", "timerlat_period", "print_stack");
	kernel_symbol(&k, "tracing_thresh", VAR(0));
	kernel_symbol(&k, "hwlat_data", VAR(1));
	kernel_symbol(&k, "thread_mode_str", VAR(2));
	kernel_symbol(&k, "osnoise_data", VAR(3));
	kernel_symbol(&k, "osnoise_options", VAR(4));
	kernel_symbol(&k, "osnoise_options_str", VAR(5));
	kernel_symbol(&k, "osnoise_cpumask", VAR(6));
	kernel_symbol(&k, "nr_cpu_ids", VAR(7));
	put32(&k, VAR(7), 70);
	names(VAR(2), modes, ARRAY_SIZE(modes));
	names(VAR(5), options, ARRAY_SIZE(options));
	put64(&k, VAR(1) + 8, 1000000);
	put64(&k, VAR(1) + 16, 500000);
	put32(&k, VAR(1) + 24, 1);
	for (unsigned i = 0; i < 6; i++)
		put64(&k, VAR(3) + 8 * (uint64_t)i, 100 + i);
	put64(&k, VAR(4), 2);
}

static void add(const char *name, const char *const *values, size_t n, void *arg)
{
	(void)arg;
	buf_printf(&said, "%s:", name);
	for (size_t i = 0; i < n; i++)
		buf_printf(&said, " %s", values[i]);
	buf_char(&said, '\n');
}

static const char *files(const struct trace_array *tr)
{
	struct err err;

	buf_reset(&said);
	if (!trace_noise_each(&k.t, tr, add, NULL, &err))
		buf_printf(&said, "(%s)\n", err.msg);
	return buf_text(&said);
}

static void release(void)
{
	buf_release(&said);
	kernel_release(&k);
}

/* tracing_nsecs_read() cuts: 1999 ns are 1 us. */
TEST(a_threshold_is_of_those_that_heed_it)
{
	const struct trace_array top = { .tracer = "nop" },
				 other = { .name = "i", .tracer = "nop" };
	const struct trace_array off = {
		.name = "i", .tracer = "irqsoff", .shows_max = true, .max_latency = 1999
	};

	start();
	CHECK_STR(files(&top), "");
	CHECK_STR(files(&off), "tracing_max_latency: 1\n");
	put64(&k, VAR(0), 10500);
	CHECK_STR(files(&top), "tracing_thresh: 10\n");
	CHECK_STR(files(&other), "");
	CHECK_STR(files(&off), "tracing_max_latency: 1\ntracing_thresh: 10\n");
	put64(&k, VAR(0), UINT64_MAX);
	CHECK_STR(files(&top), "tracing_thresh: -1\n");
	release();
}

TEST(hwlat)
{
	const struct trace_array tr = { .name = "h", .tracer = "hwlat" };

	start();
	CHECK_STR(files(&tr), "tracing_max_latency: 0\nhwlat_detector/mode: round-robin\n"
			      "hwlat_detector/width: 500000\nhwlat_detector/window: 1000000\n");
	/* a mode without a name, and a kernel without modes */
	put32(&k, VAR(1) + 24, 7);
	CHECK_CONTAINS(files(&tr), "hwlat_detector/mode: 7\n");
	k.types[0]->n_members = 3;
	release();
	start();
	k.types[0]->n_members = 3;
	CHECK_STR(files(&tr), "tracing_max_latency: 0\nhwlat_detector/width: 500000\n"
			      "hwlat_detector/window: 1000000\n");
	release();
}

TEST(osnoise)
{
	const struct trace_array tr = { .name = "o", .tracer = "timerlat" };

	start();
	put64(&k, VAR(6), 0xd);
	put64(&k, VAR(6) + 8, 0x7f); /* of CPUs 64 to 69, and one that cannot be */
	CHECK_STR(files(&tr), "tracing_max_latency: 0\nosnoise/cpus: 0,2-3,64-69\n"
			      "osnoise/options: OSNOISE_WORKLOAD\nosnoise/period_us: 100\n"
			      "osnoise/runtime_us: 101\nosnoise/stop_tracing_us: 102\n"
			      "osnoise/stop_tracing_total_us: 103\nosnoise/print_stack: 105\n"
			      "osnoise/timerlat_period_us: 104\n");
	put64(&k, VAR(4), 4);
	CHECK_CONTAINS(files(&tr), "osnoise/options: PANIC_ON_STOP\n");
	release();
}

/* What cannot be read is named once, and the others are still told. */
TEST(what_is_missing)
{
	const struct trace_array tr = { .name = "o", .tracer = "osnoise" };

	start();
	k.syms[3].name = "other";
	CHECK_CONTAINS(files(&tr), "osnoise/options: OSNOISE_WORKLOAD\n");
	CHECK_CONTAINS(files(&tr), "(osnoise/period_us: ");
	release();
	start();
	k.syms[6].name = "other";
	CHECK_CONTAINS(files(&tr), "osnoise/period_us: 100\n");
	CHECK_CONTAINS(files(&tr), "(osnoise/cpus: ");
	release();
	/* before 6.1 there were no options */
	start();
	k.syms[4].name = "other";
	CHECK(!strstr(files(&tr), "osnoise/options"));
	CHECK(!strchr(buf_text(&said), '('));
	release();
}

TEST_MAIN
