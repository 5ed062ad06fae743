/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests every column of a row of a trace's text, and what is no row. */
#include "readers/trace/tracerow.h"

#include "core/base/test.h"
#include "core/trace/trace.h"

#define NONE "-"

/* A row in words: kind, task (and its group), CPU, time, flags, preempt depth, name and text. */
static void describe(const struct tracerow *r, char *to, size_t n)
{
	static const char *const kinds[] = { "none", "event", "latency", "lost", "stack" };
	char when[32] = NONE, group[16] = "", lost[32] = "";

	if (r->has_ts)
		snprintf(when, sizeof(when), "%" PRIu64 "%s", r->ts, r->ns ? "ns" : "");
	if (r->tgid >= 0)
		snprintf(group, sizeof(group), "(%d)", r->tgid);
	if (r->lost)
		snprintf(lost, sizeof(lost), " lost=%" PRIu64, r->lost);
	snprintf(to, n, "%s %s-%d%s cpu%d %s %s/%x/%u %s|%s%s", kinds[r->kind],
		 r->comm ? r->comm : NONE, r->pid, group, r->cpu, when,
		 r->latency ? r->latency : NONE, r->flags, r->preempt, r->name ? r->name : NONE,
		 r->text ? r->text : NONE, lost);
}

/* print_event_fields() and its neighbours of kernel/trace/trace_output.c: "%16s-%-7d (%5d) [%03d]
 * dN.. time: event: words". Flags are of trace_print_lat_fmt(): 1 irqs off, 4 need resched, 8 hard
 * irq, 10 soft irq, 20 preempt resched, 40 nmi, 80 bottom halves off (enum trace_flag_type); 2 is
 * resched at leisure, and before v6.13 that nobody knows whether irqs are off. */
static const char *const rows[][2] = {
	{ "a-1 [000] d..2. 1.000002: e: w", "event a-1 cpu0 1000002000ns d..2./1/2 e|w" },
	{ "a-1 [000] ....  1.000002: e: w", "event a-1 cpu0 1000002000ns ..../0/0 e|w" },
	{ "a-1 [000] DNz91 1.000002: e: w", "event a-1 cpu0 1000002000ns DNz91/e5/9 e|w" },
	{ "a-1 [000] bnh.. 1.000002: e: w", "event a-1 cpu0 1000002000ns bnh../8c/0 e|w" },
	{ "a-1 [000] .pHf. 1.000002: e: w", "event a-1 cpu0 1000002000ns .pHf./38/15 e|w" },
	{ "a-1 [000] ..sA. 1.000002: e: w", "event a-1 cpu0 1000002000ns ..sA./10/10 e|w" },
	{ "a-1 [000] ..Z#. 1.000002: e: w", "event a-1 cpu0 1000002000ns ..Z#./48/0 e|w" },
	{ "a-1 [000] dl.2. 1.000002: e: w", "event a-1 cpu0 1000002000ns dl.2./3/2 e|w" },
	{ "a-1 [000] .L... 1.000002: e: w", "event a-1 cpu0 1000002000ns .L.../22/0 e|w" },
	{ "a-1 [000] .b... 1.000002: e: w", "event a-1 cpu0 1000002000ns .b.../6/0 e|w" },
	{ "a-1 [000] dB.2. 1.000002: e: w", "event a-1 cpu0 1000002000ns dB.2./27/2 e|w" },
	{ "a-1 [000] X... 1.000002: e: w", "event a-1 cpu0 1000002000ns X.../2/0 e|w" },
	/* patches for real time: a lazy resched behind the other, and a lazy depth behind the depth
	 */
	{ "a-1 [000] dNLh2. 1.000002: e: w", "event a-1 cpu0 1000002000ns dNLh2./2d/2 e|w" },
	{ "a-1 [000] d..s21. 1.000002: e: w", "event a-1 cpu0 1000002000ns d..s21./11/2 e|w" },
	{ "a-1 [000] DnLZffff 1.000002: e: w", "event a-1 cpu0 1000002000ns DnLZffff/cd/15 e|w" },
	{ "a-1 [000] d..s21... 1.000002: e: w", NONE },
	{ "a-1 [000] d.. 1.000002: e: w", NONE },
	{ "a-1 [000] d..+. 1.000002: e: w", NONE },
	{ "a-1 [000] d..2.", NONE },
	{ "a-1 [000] d..2. x: e: w", NONE },
	/* times */
	{ "a-1 [000] 1.5: e: w", "event a-1 cpu0 1500000000ns -/0/0 e|w" },
	{ "a-1 [000] 1.000000001: e: w", "event a-1 cpu0 1000000001ns -/0/0 e|w" },
	{ "a-1 [000] 123: e: w", "event a-1 cpu0 123 -/0/0 e|w" },
	{ "a-1 [000] 9000000000.0: e: w", "event a-1 cpu0 9000000000000000000ns -/0/0 e|w" },
	{ "a-1 [000] 10000000000.0: e: w", NONE },
	{ "a-1 [000] 1.5 e: w", NONE },
	{ "a-1 [000]  1.5: e: w", "event a-1 cpu0 1500000000ns -/0/0 e|w" },
	{ "a-1 [000]1.5: e: w", NONE },
	/* tasks and groups */
	{ "a-b-12 [011] 1.5: e: w", "event a-b-12 cpu11 1500000000ns -/0/0 e|w" },
	{ "a-12 (   34) [011] 1.5: e: w", "event a-12(34) cpu11 1500000000ns -/0/0 e|w" },
	{ "a-12 (-----) [011] 1.5: e: w", "event a-12 cpu11 1500000000ns -/0/0 e|w" },
	{ "a-12 (3000000000) [011] 1.5: e: w", "event a-12 cpu11 1500000000ns -/0/0 e|w" },
	{ "a-3000000000 [011] 1.5: e: w", NONE },
	{ "a-2147483647 [011] 1.5: e: w", "event a-2147483647 cpu11 1500000000ns -/0/0 e|w" },
	{ "-12 [011] 1.5: e: w", "event --12 cpu11 1500000000ns -/0/0 e|w" },
	{ "a12 [011] 1.5: e: w", NONE },
	{ "a- [011] 1.5: e: w", NONE },
	{ "a-12) [011] 1.5: e: w", NONE },
	{ "<...>-12 [011] 1.5: e: w", "event <...>-12 cpu11 1500000000ns -/0/0 e|w" },
	{ "a [7] b-12 [011] 1.5: e: w", NONE },
	{ "a[7] b-12 [011] 1.5: e: w", "event a[7] b-12 cpu11 1500000000ns -/0/0 e|w" },
	{ "a-12 [65535] 1.5: e: w", "event a-12 cpu65535 1500000000ns -/0/0 e|w" },
	{ "a-12 [65536] 1.5: e: w", NONE },
	/* names: events, functions, syscalls, stacks */
	{ "a-1 [000] 1.5: e_2:", "event a-1 cpu0 1500000000ns -/0/0 e_2|" },
	{ "a-1 [000] 1.5: e::w", "event a-1 cpu0 1500000000ns -/0/0 function|e::w" },
	{ "a-1 [000] 1.5: f <-g", "event a-1 cpu0 1500000000ns -/0/0 function|f <-g" },
	{ "a-1 [000] 1.5: sys_x(a: 1)", "event a-1 cpu0 1500000000ns -/0/0 -|sys_x(a: 1)" },
	{ "a-1 [000] 1.5: sys_x -> 0x0", "event a-1 cpu0 1500000000ns -/0/0 -|sys_x -> 0x0" },
	{ "a-1 [000] 1.5: sys_x <-g", "event a-1 cpu0 1500000000ns -/0/0 function|sys_x <-g" },
	{ "a-1 [000] 1.5: <stack trace>",
	  "event a-1 cpu0 1500000000ns -/0/0 kernel_stack|<stack trace>" },
	{ "a-1 [000] 1.5: <user stack trace>",
	  "event a-1 cpu0 1500000000ns -/0/0 user_stack|<user stack trace>" },
	/* what tracers of noise print: trace_hwlat_print() and its neighbours */
	{ "a-1 [000] d..1. 1.5: #5     inner/outer(us):   12/14    ts:1.5 count:1",
	  "event a-1 cpu0 1500000000ns d..1./1/1 hwlat|#5     inner/outer(us):   12/14    ts:1.5 count:1" },
	{ "a-1 [000] d.h1. 1.5: #7 context    irq timer_latency       932 ns",
	  "event a-1 cpu0 1500000000ns d.h1./9/1 timerlat|#7 context    irq timer_latency       932 ns" },
	{ "a-1 [000] ..... 1.5: 1000000   190  99.98100    9     18",
	  "event a-1 cpu0 1500000000ns ...../0/0 osnoise|1000000   190  99.98100    9     18" },
	{ "a-1 [000] ..... 1.5: # 5 buf: 01 02",
	  "event a-1 cpu0 1500000000ns ...../0/0 raw_data|# 5 buf: 01 02" },
	/* latency: microseconds, the CPU and the flags in one word, a mark behind "us" */
	{ "a-12 3d..2. 345us : e: w", "latency a-12 cpu3 345000ns d..2./1/2 e|w" },
	{ "a-12 3d..2. 345us: e: w", "latency a-12 cpu3 345000ns d..2./1/2 e|w" },
	{ "a-12 3d..2. 345us!: f <-g", "latency a-12 cpu3 345000ns d..2./1/2 function|f <-g" },
	{ "a-12 13d..2. 0us+: e: w", "latency a-12 cpu13 0ns d..2./1/2 e|w" },
	{ "a-12 3d..2. us : e: w", NONE },
	{ "a-12 3d..2. 345us  e: w", NONE },
	{ "a-12 d..2. 345us : e: w", NONE },
	{ "a-12 3d.2. 345us : e: w", "latency a-12 cpu3 345000ns d.2./1/0 e|w" },
	{ "a-12 3d2. 345us : e: w", NONE },
	{ "3d..2. 345us : e: w", NONE },
	{ "my-prog-12 0d.s. 345us : e: w", "latency my-prog-12 cpu0 345000ns d.s./11/0 e|w" },
	{ "a-12 3d..2. 345us+: <stack trace>",
	  "latency a-12 cpu3 345000ns d..2./1/2 kernel_stack|<stack trace>" },
	/* what the wakeup tracers say: task, priority and state of both, and the CPU in brackets */
	{ "a-12 1dN.3. 0us :     12:120:R   + [001]    34: 49:S rcu",
	  "latency a-12 cpu1 0ns dN.3./25/3 wakeup|    12:120:R   + [001]    34: 49:S rcu" },
	{ "a-12 1d..3. 8us : 0", "latency a-12 cpu1 8000ns d..3./1/3 function|0" },
	{ "a-12 1d..3. 9us :     12: 98:I ==> [001]    34: 49:R rcu",
	  "latency a-12 cpu1 9000ns d..3./1/3 context_switch|    12: 98:I ==> [001]    34: 49:R rcu" },
	{ "a-12 1d..3. 9us : 12:120:R ==> [001] 34: 49:R rcu",
	  "latency a-12 cpu1 9000ns d..3./1/3 context_switch|12:120:R ==> [001] 34: 49:R rcu" },
	{ "a-12 1d..3. 9us : 12:120:R --> [001]",
	  "latency a-12 cpu1 9000ns d..3./1/3 function|12:120:R --> [001]" },
	/* events that were lost */
	{ "CPU:3 [LOST 17 EVENTS]", "lost ---1 cpu3 - -/0/0 -|- lost=17" },
	{ "CPU:12 [LOST EVENTS]", "lost ---1 cpu12 - -/0/0 -|- lost=18446744073709551615" },
	{ "CPU:3 [EVENTS DROPPED]", "lost ---1 cpu3 - -/0/0 -|- lost=18446744073709551615" },
	{ "CPU:3 [LOST x EVENTS]", NONE },
	{ "CPU:3 [FOUND 17 EVENTS]", NONE },
	{ "CPU:x [LOST 17 EVENTS]", NONE },
	{ "CPU:65536 [LOST 17 EVENTS]", NONE },
	/* the rest of a stack, comments, and lines that say nothing */
	{ " => f", "stack ---1 cpu-1 - -/0/0 -| => f" },
	{ "=> f+0x1/0x2", "stack ---1 cpu-1 - -/0/0 -|=> f+0x1/0x2" },
	{ "=>f", NONE },
	{ " 0)   0.123 us    |  f();", NONE },
	{ "# a-1 [000] 1.5: e: w", NONE },
	{ "  ", NONE },
	{ "", NONE },
};

TEST(every_column_of_a_row_is_read)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char line[160], said[256];
		struct tracerow r;
		bool is;

		snprintf(line, sizeof(line), "%s", rows[i][0]);
		is = tracerow_parse(line, false, &r);
		describe(&r, said, sizeof(said));
		if (!CHECK_STR(is ? said : NONE, rows[i][1]))
			printf("  of '%s'\n", rows[i][0]);
		/* what is refused says nothing */
		if (!is)
			CHECK(r.kind == ROW_NONE && r.pid == -1 && r.cpu == -1 && !r.has_ts);
		/* and is whole */
		if (!is)
			CHECK_STR(line, rows[i][0]);
	}
}

/* Where the head says that rows are of the latency format. The verbose form is print_lat_fmt()'s of
 * kernel/trace/trace.c with the option "verbose": comm, pid, CPU, flags in decimal, depth and index
 * in hexadecimal, microseconds of the clock, milliseconds since the start and to the next. A clock
 * that does not count nanoseconds has neither "us" nor a mark. */
TEST(rows_of_a_latency_tracer)
{
	static const char *const v[][2] = {
		{ "            bash    12   1 9 00000002 00000003 [002b3c4d] 1.234ms (+0.001ms): f <-g",
		  "latency bash-12 cpu1 1234000ns -/9/2 function|f <-g" },
		{ "          a [b] c    12   1 9 00000002 00000003 [002b3c4d] 1.234ms (+0.001ms): e: w",
		  NONE },
		{ " bash 12 1 9 00000002 00000003 [002b3c4d] 1.234 (+0.001ms): e: w", NONE },
		{ " bash 12 1 300 00000002 00000003 [002b3c4d] 1.234ms (+0.001ms): e: w", NONE },
		{ "a-12 3d..2. 345: e: w", "latency a-12 cpu3 345 d..2./1/2 e|w" },
		{ "a-12 3d..2. 345us : b-1 [002] 1.5: x",
		  "latency a-12 cpu3 345000ns d..2./1/2 function|b-1 [002] 1.5: x" },
		{ "a-1 [000] d..2. 1.000002: e: w", "event a-1 cpu0 1000002000ns d..2./1/2 e|w" },
	};

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		char line[128], said[256];
		struct tracerow r;
		bool is;

		snprintf(line, sizeof(line), "%s", v[i][0]);
		is = tracerow_parse(line, true, &r);
		describe(&r, said, sizeof(said));
		if (!CHECK_STR(is ? said : NONE, v[i][1]))
			printf("  of '%s'\n", v[i][0]);
	}
}

TEST_MAIN
