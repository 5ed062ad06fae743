/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows in each form that kernels and tools print; the lines are theirs. */
#include "core/base/test.h"
#include "readers/trace/trace_fuzz.h"
#include "readers/trace/tracerow.h"

extern const struct reader reader_tracetext;

static const struct {
	const char *line;
	enum tracerow_kind kind;
	const char *comm;
	int pid, cpu;
	uint64_t ts;
	const char *name, *text;
} rows[] = {
	{ "              sh-260     [000] dN.2.   766.494074: sched_wakeup_new: comm=sh pid=284",
	  ROW_EVENT, "sh", 260, 0, 766494074000, "sched_wakeup_new", "comm=sh pid=284" },
	{ "             cat-544     [003] .....   789.198292: vfs_open <-path_openat", ROW_EVENT,
	  "cat", 544, 3, 789198292000, "function", "vfs_open <-path_openat" },
	{ "              sh-260     [000] ...1.   766.494618: sys_close(fd: 3)", ROW_EVENT, "sh",
	  260, 0, 766494618000, NULL, "sys_close(fd: 3)" },
	{ "              sh-260     [000] ...1.   766.494637: sys_close -> 0x0", ROW_EVENT, "sh",
	  260, 0, 766494637000, NULL, "sys_close -> 0x0" },
	{ "     rcu_preempt-15      (     15) [000] d..2.   794.221473: sched_switch: a=[1] b",
	  ROW_EVENT, "rcu_preempt", 15, 0, 794221473000, "sched_switch", "a=[1] b" },
	{ "          <idle>-0       (-----) [002] d.h1   794.2: x: y", ROW_EVENT, "<idle>", 0, 2,
	  794200000000, "x", "y" },
	{ "              sh-106   [001]    27.203456913: sys_exit_write:       0x1", ROW_EVENT,
	  "sh", 106, 1, 27203456913, "sys_exit_write", "0x1" },
	{ "       a [b]-c d-7     [001] d... 123456789: x: y", ROW_EVENT, "a [b]-c d", 7, 1,
	  123456789, "x", "y" },
	{ "    bash-1994    [000] 5281.568961: kfree <-d_free", ROW_EVENT, "bash", 1994, 0,
	  5281568961000, "function", "kfree <-d_free" },
	{ "      ls-541       0..... 177739us+: vfs_fstatat <-__do_sys_newfstatat", ROW_LATENCY,
	  "ls", 541, 0, 177739000, "function", "vfs_fstatat <-__do_sys_newfstatat" },
	{ "rcu_pree-15        0d..2. 373602098us : sched_switch: prev_comm=x", ROW_LATENCY,
	  "rcu_pree", 15, 0, 373602098000, "sched_switch", "prev_comm=x" },
	{ " 0) ! 268.723 us  |  vfs_read();", ROW_GRAPH, NULL, -1, 0, 0, "function",
	  " 0) ! 268.723 us  |  vfs_read();" },
	{ "  789.100000 |   1)   2.5 us   |  f() {", ROW_GRAPH, NULL, -1, 1, 789100000000,
	  "function", "  789.100000 |   1)   2.5 us   |  f() {" },
	{ "CPU:2 [LOST 49433 EVENTS]", ROW_LOST, NULL, -1, 2, 0, NULL, NULL },
	{ " => vfs_read", ROW_STACK, NULL, -1, -1, 0, NULL, " => vfs_read" },
	{ "# tracer: nop", ROW_NONE, NULL, -1, -1, 0, NULL, NULL },
	{ " ------------------------------------------", ROW_NONE, NULL, -1, -1, 0, NULL, NULL },
	{ "RIP: 0010:foo+0x1/0x2 [mod] us: bar", ROW_NONE, NULL, -1, -1, 0, NULL, NULL },
	{ "Modules linked in: x [001] 1", ROW_NONE, NULL, -1, -1, 0, NULL, NULL },
};

TEST(each_row_says_what_it_says)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char line[256];
		struct tracerow r;
		unsigned before = test_state.failures;

		snprintf(line, sizeof(line), "%s", rows[i].line);
		CHECK(tracerow_parse(line, &r) == (rows[i].kind != ROW_NONE));
		CHECK_U64(r.kind, rows[i].kind);
		CHECK_STR(r.comm, rows[i].comm);
		CHECK(r.pid == rows[i].pid && r.cpu == rows[i].cpu);
		CHECK_U64(r.ts, rows[i].ts);
		CHECK_STR(r.name, rows[i].name);
		if (rows[i].kind != ROW_NONE)
			CHECK_STR(r.text, rows[i].text);
		if (test_state.failures != before)
			printf("  in: %s\n", rows[i].line);
	}
}

/* A console that dumped two buffers, one of an instance, into the middle of a report. */
static const char console[] =
	"[ 1141.788151] sysrq: Trigger a crash\n"
	"[ 1141.788151] Dumping ftrace buffer:\n"
	"[ 1141.788388] ---------------------------------\n"
	"[ 1141.816384] CPU:0 [LOST 49433 EVENTS]\n"
	"[ 1141.816384] rcu_pree-15        0d..2. 373602098us : sched_switch: prev_comm=x\n"
	"[ 1141.818635]     gzip-659       0d.h1. 373603374us : kernel_stack: <stack trace>\n"
	"[ 1141.818636]  => one\n"
	"[ 1141.818636]  => two\n"
	"[ 1141.819048]     gzip-659       1d.s3. 373603453us : sched_waking: comm=y pid=15\n"
	"[ 1142.000000] ---------------------------------\n"
	"[ 1142.000000] Dumping ftrace instance side buffer:\n"
	"[ 1142.000001] ---------------------------------\n"
	"[ 1142.000002]     gzip-659       1d.s3. 1us : z: w\n"
	"[ 1142.000003] ---------------------------------\n"
	"[ 1142.000004] CPU: 0 PID: 1 Comm: x\n";

TEST(a_console_has_its_buffers)
{
	struct trace_select sel = { 0 }, side = { .instance = "side" };
	struct arena scratch = { 0 }, a = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	struct target t;
	struct file file;
	struct err err;
	bool set[2] = { false, true };

	target_init(&t, &scratch);
	REQUIRE(open_bytes(&t, &reader_tracetext, &file, console, sizeof(console) - 1, &err));
	sel.instance = "";
	REQUIRE(timeline_open(&t, &sel, &a, &tl, &err));
	REQUIRE(timeline_next(tl, &ev, &err));
	CHECK_U64(ev.lost, 49433);
	CHECK_STR(ev.comm, "rcu_pree");
	CHECK(timeline_next(tl, &ev, &err));
	CHECK_STR(ev.text, "<stack trace>\n => one\n => two");
	CHECK(timeline_next(tl, &ev, &err));
	CHECK_U64((uint64_t)ev.cpu, 1);
	CHECK(!timeline_next(tl, &ev, &err));
	sel.cpus = set;
	sel.n_cpus = 2;
	REQUIRE(timeline_open(&t, &sel, &a, &tl, &err));
	REQUIRE(timeline_next(tl, &ev, &err));
	CHECK_STR(ev.name, "sched_waking");
	CHECK(!timeline_next(tl, &ev, &err));
	REQUIRE(timeline_open(&t, &side, &a, &tl, &err));
	REQUIRE(timeline_next(tl, &ev, &err));
	CHECK_STR(ev.name, "z");
	target_release(&t);
	arena_release(&a);
	arena_release(&scratch);
}

TEST_MAIN
