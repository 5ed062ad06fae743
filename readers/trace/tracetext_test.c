/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows in each form that kernels and tools print; the lines are theirs. */
#include "core/base/buf.h"
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
		CHECK(tracerow_parse(line, false, &r) == (rows[i].kind != ROW_NONE));
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

/* What one event of a text says: "comm name: text", and how many events it has. */
static unsigned events_in(const char *text, struct buf *ret)
{
	struct trace_select all = { 0 };
	struct arena scratch = { 0 }, a = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	struct target t;
	struct file file;
	struct err err;
	unsigned n = 0;

	target_init(&t, &scratch);
	buf_reset(ret);
	if (open_bytes(&t, &reader_tracetext, &file, text, strlen(text), &err) &&
	    timeline_open(&t, &all, &a, &tl, &err))
		for (; timeline_next(tl, &ev, &err); n++)
			buf_printf(ret, "%s %" PRIu64 " %s: %s\n", ev.comm ? ev.comm : "?", ev.ts,
				   ev.name, ev.text);
	target_release(&t);
	arena_release(&a);
	arena_release(&scratch);
	return n;
}

/* A mail quotes a trace, and a log has stamps in front of it: neither is a part of a task's name.
 */
TEST(prefixes_are_no_names)
{
	static const char *const fronts[] = { "",
					      "> ",
					      ">> ",
					      "> > ",
					      ">",
					      "[   12.345678] ",
					      "> [   12.345678] ",
					      "Nov 23 10:00:00 host kernel: [   12.345678] " };
	static const char *const lines[] = {
		"# tracer: nop",
		"           -sh <1>-7     [001] d..2.     1.000001: a: b",
		"              sh-12    [000] .....     1.000002: c: d => e",
		"              sh-12    [000] .....     1.000003: <stack trace>",
		" => f",
		"              sh-12    [000] .....     1.000004: g: > h"
	};
	static const char want[] = "-sh <1> 1000001000 a: b\nsh 1000002000 c: d => e\n"
				   "sh 1000003000 kernel_stack: <stack trace>\n => f\n"
				   "sh 1000004000 g: > h\n";
	struct buf b = { 0 }, got = { 0 };

	for (size_t i = 0; i < sizeof(fronts) / sizeof(*fronts); i++) {
		buf_reset(&b);
		for (size_t k = 0; k < sizeof(lines) / sizeof(*lines); k++)
			buf_printf(&b, "%s%s\n", fronts[i], lines[k]);
		CHECK_U64(events_in(buf_text(&b), &got), 4);
		CHECK_STR(buf_text(&got), want);
	}
	buf_release(&b);
	buf_release(&got);
}

/* Kernels before 2.6.33 had no signs in front of the lines of a latency tracer's head; Linux has
 * such a text in Documentation/trace/ftrace.txt of 2.6.30. */
TEST(an_old_head_says_as_much)
{
	static const char text[] =
		"# tracer: irqsoff\n#\n"
		"irqsoff latency trace v1.1.5 on 2.6.26-rc8\n"
		"--------------------------------------------------------------------\n"
		" latency: 97 us, #3/5, CPU#1 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:2)\n"
		"    -----------------\n"
		"    | task: swap-per-7 (uid:1 nice:-5 policy:0 rt_prio:3)\n"
		"    -----------------\n"
		" => started at: apic_timer_interrupt\n"
		" => ended at:   do_softirq\n\n"
		"#                _------=> CPU#\n"
		"  <idle>-0     0d..1    0us+: trace_hardirqs_off_thunk (apic_timer_interrupt)\n"
		"  <idle>-0     0d.s.   97us : __do_softirq (do_softirq)\n"
		"  <idle>-0     0d.s1   98us : trace_hardirqs_on (do_softirq)\n";
	const struct trace_latency *l;
	const struct trace_buffer *b;
	struct arena scratch = { 0 };
	struct trace_symbol sym;
	struct target t;
	struct file file;
	struct err err;

	target_init(&t, &scratch);
	REQUIRE_OK(open_bytes(&t, &reader_tracetext, &file, text, sizeof(text) - 1, &err), err);
	b = &traces_of(&t)->first->buffers[0];
	CHECK_STR(b->tracer, "irqsoff");
	CHECK(b->online == 2 && b->lanes[0].entries == 5 && b->lanes[0].overrun == 2);
	l = b->latency;
	REQUIRE(l != NULL);
	CHECK_STR(l->release, "2.6.26-rc8");
	CHECK_STR(l->preemption, "preempt");
	CHECK_STR(l->comm, "swap-per");
	CHECK(l->us == 97 && l->cpu == 1 && l->pid == 7 && l->uid == 1 && l->nice == -5 &&
	      l->rt_priority == 3);
	CHECK(b->recording->ops->symbol(b->recording, l->end, &sym));
	CHECK_STR(sym.name, "do_softirq");
	target_release(&t);
	arena_release(&scratch);
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

/* ---- whole files */

static int probe(const char *text)
{
	const struct file f = { .path = "made", .fd = -1, .map = SPAN(text, strlen(text)) };

	return reader_tracetext.probe(&f);
}

#define ROW "  sh-260 [000] d..2. 1.5: e: w\n"

/* A head, or three rows in the first lines; what a report's reader would rather have is less. */
TEST(what_files_are_likely)
{
	static const struct {
		const char *text;
		int want;
	} v[] = {
		{ "# tracer: nop\n", 100 },
		{ "# tracer; nop\n", 0 },
		{ "cpus=2\n" ROW, 100 },
		{ "cpus=2\nno row\n", 0 },
		{ "version = 6\n" ROW, 100 },
		{ "version = 6\n", 0 },
		{ ROW ROW ROW, 90 },
		{ "#\n" ROW ROW ROW, 90 },
		{ "words\n" ROW ROW ROW, 40 },
		{ ROW ROW, 0 },
		{ ROW "nothing\n" ROW "nothing\n" ROW, 90 },
		{ ROW ROW " => f\nCPU:0 [LOST 5 EVENTS]\n", 0 },
		{ "a log\nDumping ftrace buffer:\n", 3 },
		{ "<html><script class=\"trace-data\"># tracer: nop\n</script>", 60 },
		{ "x<html><script class=\"trace-data\"># tracer: nop\n</script>", 0 },
		{ "<html><script class=\"other\"># tracer: nop\n</script>", 0 },
		{ "<html># tracer: nop\n<script class=\"trace-data\">", 0 },
		{ "# trace", 0 },
		{ "", 0 },
		{ "# tracer: \1\2", 0 }, /* more than a tenth is no text */
		{ "# tracer: 12345678\1\2", 100 },
		/* a listing: what was typed, a head, a row */
		{ "$ cat trace\n# tracer: nop\n" ROW, 40 },
		{ "$ cat trace\n# tracer: nop\n", 0 },
		{ " 1)  first, as in f();\n 2)  second();\n 3)  third();\n", 0 },
		{ " 1)  1.5 us |  f();\n 1)  |  g() {\n 1)  |  }\n", 90 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		if (!CHECK(probe(v[i].text) == v[i].want))
			printf("  of %zu: %d\n", i, probe(v[i].text));
}

static const char file_head[] =
	"# tracer: function\n#\n"
	"# entries-in-buffer/entries-written: 250/4107   #P:2\n#\n"
	"#           TASK-PID     TGID     CPU#  |||||  TIMESTAMP  FUNCTION\n";
static const char file_rows[] =
	"CPU:1 [LOST 7 EVENTS]\n"
	"              sh-260     (    260) [000] dN.2.   766.494074: sched_waking: comm=sh pid=284\r\n"
	"what is no row\n"
	"             cat-544     (-----) [001] .....   789.198292: sys_close(fd: 3)\n"
	"              sh-260     (    260) [000] d..1.   790.000000: kernel_stack: <stack trace>\n"
	" => one\n => two\n"
	"              sh-260     (    260) [000] d..1.   790.000001: e: w\n"
	" => three\n";

struct want {
	uint64_t ts;
	int cpu, pid, tgid;
	const char *comm, *name, *text, *latency;
	uint64_t lost;
};
static const struct want events[] = {
	{ 766494074000, 0, 260, 260, "sh", "sched_waking", "comm=sh pid=284", "dN.2.", 0 },
	{ 789198292000, 1, 544, -1, "cat", "sys_close", "sys_close(fd: 3)", ".....", 7 },
	{ 790000000000, 0, 260, 260, "sh", "kernel_stack", "<stack trace>\n => one\n => two",
	  "d..1.", 0 },
	{ 790000001000, 0, 260, 260, "sh", "e", "w\n => three", "d..1.", 0 },
};

static const struct trace_buffer *open_text(struct target *t, struct arena *scratch,
					    struct file *file, const struct buf *b)
{
	const struct traces *traces;
	struct err err;

	target_init(t, scratch);
	return CHECK_OK(open_bytes(t, &reader_tracetext, file, b->s, b->n, &err), err) &&
			       CHECK_OK(traces_find(t, &traces, &err), err)
		       ? &traces->first->buffers[0]
		       : NULL;
}

static void check_events(struct target *t, const struct trace_buffer *b)
{
	struct trace_select all = { .instance = "" };
	struct arena a = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	struct err err;

	REQUIRE_OK(timeline_open(t, &all, &a, &tl, &err), err);
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		const struct want *w = &events[i];

		REQUIRE(timeline_next(tl, &ev, &err));
		CHECK_U64(ev.ts, w->ts);
		CHECK(ev.cpu == w->cpu && ev.pid == w->pid);
		CHECK_STR(ev.comm, w->comm);
		CHECK_STR(ev.name, w->name);
		CHECK_STR(ev.text, w->text);
		CHECK_STR(ev.latency, w->latency);
		CHECK_U64(ev.lost, w->lost);
		CHECK(b->recording->ops->tgid(b->recording, ev.pid) == w->tgid);
		CHECK(b->recording->ops->tgid(b->recording, ev.pid + 1) == -1);
	}
	CHECK(!timeline_next(tl, &ev, &err));
	CHECK_ERR(err, ERR_OK);
	arena_release(&a);
}

/* As tracefs writes it, and the same within systrace's HTML. */
TEST(a_file_of_tracefs)
{
	for (unsigned html = 0; html < 2; html++) {
		const struct trace_buffer *v;
		struct arena scratch = { 0 };
		struct buf b = { 0 };
		struct target t;
		struct file file;

		if (html)
			buf_str(&b, "<html>\n<script class=\"trace-data\">\n");
		buf_str(&b, file_head);
		buf_str(&b, file_rows);
		if (html)
			buf_str(&b, "</script>\n  sh-260 [000] d..2. 1.5: behind: w\n");
		v = open_text(&t, &scratch, &file, &b);
		REQUIRE(v != NULL);
		CHECK_STR(v->tracer, "function");
		CHECK_U64(v->online, 2);
		CHECK(v->ns);
		CHECK(v->shows & TRACE_SHOW_TGID);
		CHECK(v->shows & TRACE_SHOW_IRQ_INFO);
		CHECK(!(v->shows & TRACE_SHOW_LATENCY));
		CHECK_U64(v->lanes[0].entries, 4107);
		CHECK_U64(v->lanes[0].overrun, 4107 - 250);
		check_events(&t, v);
		target_release(&t);
		arena_release(&scratch);
		buf_release(&b);
	}
}

/* What a head says, and the first row where the head says nothing. */
TEST(heads_of_files)
{
	static const struct {
		const char *head, *row;
		unsigned shows;
		uint64_t entries;
		unsigned online;
		bool ns;
	} v[] = {
		{ "# tracer: nop\n", "sh-1 [000] d..2. 1.5: e: w\n", TRACE_SHOW_DEFAULT, UINT64_MAX,
		  0, true },
		{ "# tracer: nop\n#      ||| / _--=> preempt-depth\n", "",
		  TRACE_SHOW_DEFAULT | TRACE_SHOW_NO_MIGRATE, UINT64_MAX, 0, true },
		{ "# tracer: nop\n#      ||| / _--=> preempt-depth\n#   |||| / _-=> migrate-disable\n",
		  "", TRACE_SHOW_DEFAULT, UINT64_MAX, 0, true },
		{ "# tracer: irqsoff\n# latency: 276 us, #104/204, CPU#0 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:2)\n",
		  "", TRACE_SHOW_DEFAULT | TRACE_SHOW_LATENCY, 204, 2, true },
		{ "# tracer: nop\n", "sh-1 [000] 1.5: e: w\n",
		  TRACE_SHOW_DEFAULT & ~(unsigned)TRACE_SHOW_IRQ_INFO, UINT64_MAX, 0, true },
		{ "# tracer: nop\n", "sh-1 [000] d..2. 15: e: w\n", TRACE_SHOW_DEFAULT, UINT64_MAX,
		  0, false },
		{ "# tracer: irqsoff\n# irqsoff latency trace v1.1.5 on 6.1\n", "",
		  TRACE_SHOW_DEFAULT | TRACE_SHOW_LATENCY, UINT64_MAX, 0, true },
		{ "# tracer: nop\n", "ls-541 0..... 177739us+: e: w\n",
		  TRACE_SHOW_DEFAULT | TRACE_SHOW_LATENCY, UINT64_MAX, 0, true },
		{ "# tracer: nop\nCPU:0 [LOST 5 EVENTS]\n", "sh-1 [000] d..2. 15: e: w\n",
		  TRACE_SHOW_DEFAULT, UINT64_MAX, 0, false },
		{ "# tracer: nop\n# entries-in-buffer/entries-written: 5/5   #P:16\n", "",
		  TRACE_SHOW_DEFAULT, 5, 16, true },
		{ "# tracer: nop\n# entries-in-buffer/entries-written: 6/5   #P:1\n", "",
		  TRACE_SHOW_DEFAULT, UINT64_MAX, 1, true },
		{ "# tracer: nop\n# entries-in-buffer/entries-written: 5:5   #P:99999999999\n", "",
		  TRACE_SHOW_DEFAULT, UINT64_MAX, 0, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		const struct trace_buffer *got;
		struct arena scratch = { 0 };
		struct buf b = { 0 };
		struct target t;
		struct file file;

		buf_printf(&b, "%s%s", v[i].head, v[i].row);
		got = open_text(&t, &scratch, &file, &b);
		REQUIRE(got != NULL);
		if (!CHECK_U64(got->shows, v[i].shows) ||
		    !CHECK_U64(got->lanes[0].entries, v[i].entries) ||
		    !CHECK_U64(got->online, v[i].online) || !CHECK(got->ns == v[i].ns))
			printf("  of %zu\n", i);
		target_release(&t);
		arena_release(&scratch);
		buf_release(&b);
	}
}

/* A head of irqsoff as print_trace_header() of kernel/trace/trace.c writes it, and rows. */
static const char irqsoff[] =
	"# tracer: irqsoff\n#\n"
	"# irqsoff latency trace v1.1.5 on 6.12.1-rt2 x\n"
	"# --------------------------------------------------------------------\n"
	"# latency: 71 us, #3/3, CPU#1 | (M:preempt_rt VP:0, KP:0, SP:0 HP:0 #P:4)\n"
	"#    -----------------\n"
	"#    | task: my-prog (x)-1234 (uid:7 nice:-5 policy:1 rt_prio:50)\n"
	"#    -----------------\n"
	"#  => started at: _raw_spin_lock_irq\n"
	"#  => ended at:   _raw_spin_unlock_irq\n#\n#\n"
	" my-prog-1234    1d....    0us : _raw_spin_lock_irq\n"
	" my-prog-1234    1d..1.   70us+: tracer_hardirqs_on <-_raw_spin_unlock_irq\n"
	" my-prog-1234    1d..1.  129us : <stack trace>\n"
	" => trace_hardirqs_on\n => work\n";

TEST(a_latency_tracers_head)
{
	struct trace_select all = { .instance = "" };
	struct arena scratch = { 0 }, a = { 0 };
	const struct trace_latency *l;
	const struct trace_buffer *v;
	struct trace_symbol sym;
	struct trace_event ev;
	struct timeline *tl;
	struct buf b = { 0 };
	struct target t;
	struct file file;
	struct err err;

	buf_str(&b, irqsoff);
	v = open_text(&t, &scratch, &file, &b);
	REQUIRE(v != NULL && v->latency != NULL);
	l = v->latency;
	CHECK_STR(l->release, "6.12.1-rt2");
	CHECK_STR(l->preemption, "preempt_rt");
	CHECK_U64(l->us, 71);
	CHECK_STR(l->comm, "my-prog (x)");
	CHECK(l->cpu == 1 && l->pid == 1234 && l->uid == 7 && l->nice == -5);
	CHECK(l->policy == 1 && l->rt_priority == 50);
	REQUIRE(v->recording->ops->symbol(v->recording, l->start, &sym));
	CHECK_STR(sym.name, "_raw_spin_lock_irq");
	REQUIRE(v->recording->ops->symbol(v->recording, l->end, &sym));
	CHECK_STR(sym.name, "_raw_spin_unlock_irq");
	REQUIRE_OK(timeline_open(&t, &all, &a, &tl, &err), err);
	REQUIRE(timeline_next(tl, &ev, &err) && timeline_next(tl, &ev, &err));
	CHECK_U64(ev.ts, 70000);
	REQUIRE(timeline_next(tl, &ev, &err));
	CHECK_STR(ev.name, "kernel_stack");
	CHECK_STR(ev.text, "<stack trace>\n => trace_hardirqs_on\n => work");
	CHECK(!timeline_next(tl, &ev, &err));
	target_release(&t);
	arena_release(&scratch);
	arena_release(&a);
	buf_release(&b);
}

/* Rows of the options "raw" and "hex" (print_raw_fmt() and print_hex_fmt() of kernel/trace/trace.c:
 * pid, CPU, time) are named, and what else there is, is read. */
TEST(rows_of_numbers_are_named)
{
	static const struct {
		const char *rows, *option;
	} v[] = {
		{ "260 0 766494074000 284 120 0\n260 1 766494075000 ? 5\n", "'raw'" },
		{ "00000104 00000000 000000b2761a3c40 1c010000 \n"
		  "00000104 00000001 000000b2761a3c41 1c010000 \n",
		  "'hex'" },
		{ "what is no row\n1 2 three\n\n", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct trace_select all = { .instance = "" };
		struct arena scratch = { 0 }, a = { 0 };
		struct trace_event ev;
		struct timeline *tl;
		struct buf b = { 0 };
		struct target t;
		struct file file;
		struct err err;

		buf_printf(&b, "# tracer: nop\n%s sh-260 [000] d..2. 1.5: e: w\n", v[i].rows);
		REQUIRE(open_text(&t, &scratch, &file, &b) != NULL);
		REQUIRE_OK(timeline_open(&t, &all, &a, &tl, &err), err);
		REQUIRE(timeline_next(tl, &ev, &err));
		CHECK_STR(ev.name, "e");
		CHECK(!timeline_next(tl, &ev, &err));
		CHECK(timeline_damage(tl, &err) == (v[i].option != NULL));
		if (v[i].option) {
			CHECK_ERR(err, ERR_CORRUPT);
			CHECK(strstr(err.msg, v[i].option) && strstr(err.msg, "2 lines"));
		}
		target_release(&t);
		arena_release(&scratch);
		arena_release(&a);
		buf_release(&b);
	}
}

TEST_MAIN
