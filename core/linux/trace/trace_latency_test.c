/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what a latency tracer noted, whole, under older names, and where parts are missing. */
#include "core/base/test.h"
#include "core/linux/task/cpu.h"
#include "core/linux/kernel_fake.h"
#include "core/linux/trace/trace.h"

#define ARRAY (KERNEL_BASE + 0x1000) /* struct trace_array: two buffers */
#define DATA (KERNEL_BASE + 0x2000)  /* per CPU: struct trace_array_cpu */
#define SNAPSHOT_DATA (KERNEL_BASE + 0x3000)
#define VARS (KERNEL_BASE + 0x4000)

static struct fake_kernel k;
static const struct trace_array tr = { .addr = ARRAY };

static void start(const char *buffer, const char *snapshot)
{
	struct type *s;

	kernel_init(&k);
	s = kernel_struct(&k, "trace_array_cpu", 0x100);
	kernel_member(s, "saved_latency", &k.u64, 0);
	kernel_member(s, "critical_start", &k.u64, 8);
	kernel_member(s, "critical_end", &k.u64, 16);
	kernel_member(s, "nice", &k.s64, 24);
	kernel_member(s, "policy", &k.u64, 32);
	kernel_member(s, "rt_priority", &k.u64, 40);
	kernel_member(s, "pid", &k.s32, 48);
	kernel_member(s, "uid", INNER(&k, "val"), 56);
	kernel_member(s, "comm", kernel_array(&k, &k.u8, 16), 64);
	s = kernel_struct(&k, "trace_array", 64);
	kernel_member(s, buffer, INNER(&k, "data", "time_start", "cpu"), 8);
	kernel_member(s, snapshot, INNER(&k, "data", "time_start", "cpu"), 32);
	kernel_symbol(&k, "nr_cpu_ids", VARS);
	kernel_symbol(&k, "__per_cpu_offset", VARS + 8);
	put32(&k, VARS, 2);
	put64(&k, VARS + 16, 0x200);
	put64(&k, ARRAY + 8, DATA);
	put64(&k, ARRAY + 16, 5555);
	put64(&k, ARRAY + 24, 1);
	put64(&k, ARRAY + 32, SNAPSHOT_DATA);
	put64(&k, ARRAY + 40, 6666);
	k.t.dump.release = "6.1.0-test";
	k.t.dump.version = "#1 SMP PREEMPT_DYNAMIC Debian";
}

static void fill(uint64_t at)
{
	put64(&k, at, 1234500); /* nanoseconds */
	put64(&k, at + 8, 0xffffffff81000010);
	put64(&k, at + 16, 0xffffffff81000020);
	put64(&k, at + 24, (uint64_t)-5);
	put64(&k, at + 32, 1);
	put64(&k, at + 40, 99);
	put32(&k, at + 48, 4711);
	put64(&k, at + 56, 1000);
	put_str(&k, at + 64, "cyclictest");
}

static void check_all(const struct trace_latency *l)
{
	REQUIRE(l != NULL);
	CHECK_U64(l->us, 1234); /* cut, as by nsecs_to_usecs() of kernel/trace/trace.c */
	CHECK_U64(l->start, 0xffffffff81000010);
	CHECK_U64(l->end, 0xffffffff81000020);
	CHECK(l->nice == -5 && l->policy == 1 && l->rt_priority == 99);
	CHECK(l->pid == 4711 && l->uid == 1000);
	CHECK_STR(l->comm, "cyclictest");
	CHECK_STR(l->release, "6.1.0-test");
}

TEST(the_cpu_that_the_buffer_names)
{
	const struct trace_latency *l;

	start("array_buffer", "max_buffer");
	fill(DATA + 0x200);
	l = trace_latency_of(&k.t, &tr, false);
	check_all(l);
	CHECK(l && l->cpu == 1 && l->since == 5555);
	/* the snapshot's is of CPU 0 */
	fill(SNAPSHOT_DATA);
	l = trace_latency_of(&k.t, &tr, true);
	check_all(l);
	CHECK(l && l->cpu == 0 && l->since == 6666);
	kernel_release(&k);
}

/* 1c5eb4481e01 (v5.6) renamed the one, later the other was. */
TEST(other_names_of_the_buffers)
{
	start("trace_buffer", "snapshot_buffer");
	fill(DATA + 0x200);
	fill(SNAPSHOT_DATA);
	check_all(trace_latency_of(&k.t, &tr, false));
	check_all(trace_latency_of(&k.t, &tr, true));
	kernel_release(&k);
}

TEST(nothing_where_a_part_is_missing)
{
	static const char *const members[] = { "saved_latency", "critical_start",
					       "critical_end",  "nice",
					       "policy",        "rt_priority",
					       "pid",           "uid",
					       "comm" };

	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		start("array_buffer", "max_buffer");
		fill(DATA + 0x200);
		k.types[0]->members[i].name = "other";
		CHECK(!trace_latency_of(&k.t, &tr, false));
		kernel_release(&k);
	}
	/* a CPU that cannot be, and one that this machine had not */
	start("array_buffer", "max_buffer");
	put64(&k, ARRAY + 24, CPUS_MAX);
	CHECK(!trace_latency_of(&k.t, &tr, false));
	put64(&k, ARRAY + 24, 2);
	CHECK(!trace_latency_of(&k.t, &tr, false));
	/* the CPU's part is nowhere */
	put64(&k, ARRAY + 24, 1);
	put64(&k, ARRAY + 8, KERNEL_BASE + KERNEL_SIZE);
	CHECK(!trace_latency_of(&k.t, &tr, false));
	kernel_release(&k);
	/* no release: there is no head without */
	start("array_buffer", "max_buffer");
	fill(DATA + 0x200);
	k.t.dump.release = k.t.dump.version = NULL;
	CHECK(!trace_latency_of(&k.t, &tr, false));
	kernel_release(&k);
}

/* print_trace_header() of kernel/trace/trace.c: "server" is none, "desktop" voluntary; the mode is
 * one of 0 none, 1 voluntary, 2 full, 3 lazy (enum of kernel/sched/core.c). */
TEST(words_for_preemption)
{
	static const struct {
		const char *version;
		int mode; /* -1: the kernel has no such variable */
		const char *want;
	} cases[] = {
		{ "#1 SMP PREEMPT_DYNAMIC Debian", 0, "server" },
		{ "#1 SMP PREEMPT_DYNAMIC Debian", 1, "desktop" },
		{ "#1 SMP PREEMPT_DYNAMIC Debian", 2, "preempt" },
		{ "#1 SMP PREEMPT_DYNAMIC Debian", 3, "unknown" },
		{ "#1 SMP PREEMPT_DYNAMIC Debian", -1, "unknown" },
		{ "#1 SMP PREEMPT Debian", -1, "preempt" },
		{ "#1 SMP Debian", -1, "unknown" },
		{ "#1 SMP PREEMPT_RT Debian", 0, "preempt_rt" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct trace_latency *l;

		start("array_buffer", "max_buffer");
		fill(DATA + 0x200);
		k.t.dump.version = cases[i].version;
		if (cases[i].mode >= 0) {
			kernel_symbol(&k, "preempt_dynamic_mode", VARS + 32);
			put32(&k, VARS + 32, (uint32_t)cases[i].mode);
		}
		l = trace_latency_of(&k.t, &tr, false);
		if (CHECK(l != NULL))
			CHECK_STR(l->preemption, cases[i].want);
		kernel_release(&k);
	}
}

/* preempt_model_str() of 7.2 and its neighbour preempt_modes[]. */
TEST(words_for_preemption_of_newer_kernels)
{
	static const char *const modes[] = { "none", "voluntary", "full", "lazy" };
	static const struct {
		const char *version;
		int mode; /* -2: the kernel has no such variable */
		const char *want;
	} cases[] = {
		{ "#1 SMP PREEMPT_DYNAMIC Debian", 3, "PREEMPT(lazy)" },
		{ "#1 SMP PREEMPT_DYNAMIC Debian", 0, "PREEMPT(none)" },
		{ "#1 SMP PREEMPT_DYNAMIC Debian", -1, "PREEMPT(undef)" },
		{ "#1 SMP PREEMPT_DYNAMIC Debian", 4, "unknown" }, /* the list's end */
		{ "#1 SMP PREEMPT_RT Debian", 2, "PREEMPT_{RT,(full)}" },
		{ "#1 SMP PREEMPT Debian", -2, "unknown" }, /* or lazily */
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct trace_latency *l;

		start("array_buffer", "max_buffer");
		fill(DATA + 0x200);
		k.t.dump.version = cases[i].version;
		kernel_symbol(&k, "preempt_model_str", VARS + 24);
		kernel_symbol(&k, "preempt_modes", VARS + 40);
		for (size_t n = 0; n < ARRAY_SIZE(modes); n++) {
			put64(&k, VARS + 40 + 8 * n, VARS + 0x100 + 16 * n);
			put_str(&k, VARS + 0x100 + 16 * n, modes[n]);
		}
		if (cases[i].mode > -2) {
			kernel_symbol(&k, "preempt_dynamic_mode", VARS + 32);
			put32(&k, VARS + 32, (uint32_t)cases[i].mode);
		}
		l = trace_latency_of(&k.t, &tr, false);
		if (CHECK(l != NULL))
			CHECK_STR(l->preemption, cases[i].want);
		kernel_release(&k);
	}
}

TEST_MAIN
