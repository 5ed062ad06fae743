/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines as perf prints them: from recordings of perf 6.1, and from articles that quote it. */
#include "readers/trace/perfrow.h"

#include "core/base/test.h"

static const struct {
	const char *line;
	enum perfrow_kind kind;
	const char *comm;
	int pid, tgid, cpu;
	uint64_t ts;
	const char *system, *name, *text;
} rows[] = {
	{ "            perf   148 [000]     3.476502366:       sched:sched_wakeup: comm=x pid=21",
	  PERFROW_SAMPLE, "perf", 148, -1, 0, 3476502366, "sched", "sched_wakeup",
	  "comm=x pid=21" },
	{ "     migration/0    21/21    [001]     3.477246: sched:sched_switch: a=1",
	  PERFROW_SAMPLE, "migration/0", 21, 21, 1, 3477246000, "sched", "sched_switch", "a=1" },
	{ "Web Content 7/9 [000] 1.5: probe:f: (ff) x=1", PERFROW_SAMPLE, "Web Content", 9, 7, 0,
	  1500000000, "probe", "f", "(ff) x=1" },
	{ "perf-exec   217 [000]    16.868113391:    5000000 cpu-clock: ", PERFROW_SAMPLE,
	  "perf-exec", 217, -1, 0, 16868113391, NULL, "cpu-clock", "" },
	{ "klogd 85 [000] 208.609712: 116584 cycles: b6dd551c memset+0x2c (/lib/libc.so.6)",
	  PERFROW_SAMPLE, "klogd", 85, -1, 0, 208609712000, NULL, "cycles",
	  "b6dd551c memset+0x2c (/lib/libc.so.6)" },
	{ "sshd 12 [003] 4.1:  7 cycles:ppp:", PERFROW_SAMPLE, "sshd", 12, -1, 3, 4100000000, NULL,
	  "cycles:ppp", "" },
	{ "sh 12 4.100000: sched:sched_switch: x", PERFROW_SAMPLE, "sh", 12, -1, -1, 4100000000,
	  "sched", "sched_switch", "x" },
	{ "     0.793 ( 0.037 ms): load/289 brk()                        = 0x32f58000",
	  PERFROW_CALL, "load", 289, -1, -1, 793000, "syscalls", "brk", "brk() = 0x32f58000" },
	{ "         ? (         ): load/313  ... [continued]: read())             = 1",
	  PERFROW_CALL, "load", 313, -1, -1, 0, "syscalls", "read",
	  "... [continued]: read()) = 1" },
	{ "     0.000 (         ): migration/0/21 sched:sched_switch(prev_comm: \"a b\", prev_pid: 3)",
	  PERFROW_CALL, "migration/0", 21, -1, -1, 0, "sched", "sched_switch",
	  "prev_comm: \"a b\", prev_pid: 3" },
	{ "     0.456 (         ): :0/0 sched:sched_wakeup(pid: 313 (load), prio: 120)",
	  PERFROW_CALL, NULL, 0, -1, -1, 456000, "sched", "sched_wakeup",
	  "pid: 313 (load), prio: 120" },
	{ " 12.5 ( 1.002 ms): write(fd: 1, buf: x/1 y)      ...", PERFROW_CALL, NULL, -1, -1, -1,
	  12500000, "syscalls", "write", "write(fd: 1, buf: x/1 y) ..." },
	{ "LOST 12 events!", PERFROW_LOST, NULL, -1, -1, -1, 0, NULL, NULL, NULL },
	/* of ftrace, whose pid stands behind a dash; a log; a chain; a headline */
	{ "     cat-544     [003] .....   789.198292: sched_switch: x", PERFROW_NONE, NULL, -1, -1,
	  -1, 0, NULL, NULL, NULL },
	{ "[  10.000000] foo 12 [001] bar", PERFROW_NONE, NULL, -1, -1, -1, 0, NULL, NULL, NULL },
	{ "\tffffffffacf14a38 ttwu_do_activate+0x118 ([kernel.kallsyms])", PERFROW_NONE, NULL, -1,
	  -1, -1, 0, NULL, NULL, NULL },
	{ " load (325), 174 events, 22.4%", PERFROW_NONE, NULL, -1, -1, -1, 0, NULL, NULL, NULL },
	{ "a 1 [000] 1.5: no event", PERFROW_NONE, NULL, -1, -1, -1, 0, NULL, NULL, NULL },
	{ "a x [000] 1.5: e: no pid", PERFROW_NONE, NULL, -1, -1, -1, 0, NULL, NULL, NULL },
	{ "", PERFROW_NONE, NULL, -1, -1, -1, 0, NULL, NULL, NULL },
};

TEST(each_row_says_what_it_says)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char line[256], name[64];
		struct perfrow r;
		unsigned before = test_state.failures;

		snprintf(line, sizeof(line), "%s", rows[i].line);
		CHECK(perfrow_parse(line, &r) == (rows[i].kind != PERFROW_NONE));
		CHECK_U64(r.kind, rows[i].kind);
		CHECK_STR(r.comm, rows[i].comm);
		CHECK(r.pid == rows[i].pid && r.tgid == rows[i].tgid && r.cpu == rows[i].cpu);
		CHECK_U64(r.ts, rows[i].ts);
		CHECK_STR(r.system, rows[i].system);
		CHECK_STR(r.text, rows[i].text);
		if (rows[i].name) {
			snprintf(name, sizeof(name), "%.*s", (int)r.name_n, r.name);
			CHECK_STR(name, rows[i].name);
		}
		if (test_state.failures != before)
			printf("  in: %s\n", rows[i].line);
	}
}

TEST(how_long_and_how_many_stand_beside)
{
	char call[] = " 1.0 ( 0.037 ms): a/2 brk() = 0", open[] = " 1.0 (    ): a/2 exit() = ?";
	char sample[] = "a 2 [000] 1.5:  99 cycles: x", lost[] = "LOST 4097 events!";
	struct perfrow r;

	CHECK(perfrow_parse(call, &r));
	CHECK_STR(r.took, "0.037 ms");
	CHECK(perfrow_parse(open, &r));
	CHECK(!r.took);
	CHECK(perfrow_parse(sample, &r));
	CHECK_U64(r.period, 99);
	CHECK(perfrow_parse(lost, &r));
	CHECK_U64(r.lost, 4097);
}

TEST(calls_of_a_chain_are_named)
{
	static const struct {
		const char *line;
		enum perfrow_kind of;
		const char *text; /* NULL: it is none */
	} frames[] = {
		{ "\tffffffffacf14a38 f+0x1 ([kernel.kallsyms])", PERFROW_SAMPLE,
		  "f+0x1 ([kernel.kallsyms])" },
		{ "\t          149d33 [unknown] (/bin/perf)", PERFROW_SAMPLE,
		  "149d33 [unknown] (/bin/perf)" },
		{ "7fc4753c0f3b __dup2+0xb (/usr/lib64/libc-2.33.so)", PERFROW_SAMPLE,
		  "__dup2+0xb (/usr/lib64/libc-2.33.so)" },
		{ "\tffffffffacf14a38", PERFROW_SAMPLE, "ffffffffacf14a38" },
		{ "                                       read (/lib/libc.so)", PERFROW_CALL,
		  "read (/lib/libc.so)" },
		{ "read (/lib/libc.so)", PERFROW_CALL, NULL },
		{ "", PERFROW_SAMPLE, NULL },
		{ "# comment", PERFROW_SAMPLE, NULL },
	};

	for (size_t i = 0; i < sizeof(frames) / sizeof(*frames); i++) {
		const char *text = NULL;
		char line[128];

		snprintf(line, sizeof(line), "%s", frames[i].line);
		CHECK(perfrow_frame(line, frames[i].of, &text) == (frames[i].text != NULL));
		if (frames[i].text)
			CHECK_STR(text, frames[i].text);
	}
}
TEST_MAIN
