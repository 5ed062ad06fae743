/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls and returns out of pictures of a function graph. What the lines are is print_graph_*() of
 * kernel/trace/trace_functions_graph.c, whose options leave columns out, and what articles make of
 * them; what must come of each was reasoned by hand and stands beside it. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/trace/funcall.h"
#include "readers/trace/trace_fuzz.h"

extern const struct reader reader_tracetext;

/* An event in words: "CPU time task-pid name(depth) duration", of others the name and words. */
static void describe(struct buf *b, const struct trace_event *ev)
{
	struct trace_symbol sym = { 0 };
	struct funcall c;

	buf_printf(b, "%d %" PRIu64 " %s-%d ", ev->cpu, ev->ts, ev->comm ? ev->comm : "?", ev->pid);
	if (!ev->data.n) {
		buf_printf(b, "%s: %s\n", ev->name, ev->text);
		return;
	}
	if (!funcall_of(ev, &c)) {
		buf_str(b, "no call\n");
		return;
	}
	buf_printf(b, "%s%s%s%s/%d", c.irq ? "!" : "", c.is_return ? "<" : ">",
		   ev->buffer->recording->ops->symbol(ev->buffer->recording, c.func, &sym)
			   ? sym.name
			   : "?",
		   c.leaf ? ";" : "", (int)c.depth);
	if (c.func && sym.module)
		buf_printf(b, "[%s]", sym.module);
	if (c.has_duration)
		buf_printf(b, " %" PRIu64, c.duration);
	buf_char(b, '\n');
}

static void check_text(const char *text, const char *want)
{
	struct trace_select all = { .instance = "" };
	struct arena scratch = { 0 }, a = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	struct buf got = { 0 };
	struct target t;
	struct file file;
	struct err err;

	target_init(&t, &scratch);
	REQUIRE_OK(open_bytes(&t, &reader_tracetext, &file, text, strlen(text), &err), err);
	REQUIRE_OK(timeline_open(&t, &all, &a, &tl, &err), err);
	while (timeline_next(tl, &ev, &err))
		describe(&got, &ev);
	CHECK_ERR(err, ERR_OK);
	CHECK_STR(buf_text(&got), want);
	target_release(&t);
	arena_release(&scratch);
	arena_release(&a);
	buf_release(&got);
}

/* As tracefs has it by default: no times, tasks by banners alone. Time is what durations add up to.
 */
TEST(the_default_columns)
{
	check_text(
		"# tracer: function_graph\n#\n# CPU  DURATION                  FUNCTION CALLS\n"
		"# |     |   |                     |   |   |   |\n"
		" 0)               |  sys_read() {\n"
		" 0)   1.500 us    |    fdget();\n"
		" 0)               |    /* sched_wakeup: comm=a pid=7 */\n"
		" 0)               |    /* words of a marker */\n"
		" 0) + 12.250 us   |  }\n",
		/* entered at 0; the leaf takes 1,500 ns; sys_read ends when it has taken 12,250 */
		"0 0 ?--1 >sys_read/0\n"
		"0 0 ?--1 >fdget;/1 1500\n"
		"0 1500 ?--1 <fdget/1 1500\n"
		"0 1500 ?--1 sched_wakeup: comm=a pid=7\n"
		"0 1500 ?--1 print: words of a marker\n"
		"0 12250 ?--1 <sys_read/0 12250\n");
}

/* A CPU's calls are those of several tasks: an end without a name is of the last that was entered
 * at its depth, whose task is that of the banner. */
TEST(tasks_take_turns)
{
	check_text(" 1)               |  schedule_timeout() {\n"
		   " 1)               |    schedule() {\n"
		   " ------------------------------------------\n"
		   " 1)   rcu_pre-18   =>    <idle>-0   \n"
		   " ------------------------------------------\n"
		   "\n"
		   " 1) ! 201.174 us  |  } /* schedule_idle */\n"
		   " 1)               |  do_idle() {\n"
		   " 1)   1.000 us    |  }\n"
		   " ------------------------------------------\n"
		   " 1)    <idle>-0    =>   my pro-18  \n"
		   " ------------------------------------------\n"
		   "\n"
		   " 1) # 8952.848 us |    }\n"
		   " 1) # 8978.686 us |  }\n",
		   /* the first banner says who ran before it */
		   "1 0 rcu_pre-18 >schedule_timeout/0\n"
		   "1 0 rcu_pre-18 >schedule/1\n"
		   /* it began before the text: the time is what it took */
		   "1 201174 <idle>-0 <schedule_idle/0 201174\n"
		   "1 201174 <idle>-0 >do_idle/0\n"
		   "1 202174 <idle>-0 <do_idle/0 1000\n"
		   "1 8952848 my pro-18 <schedule/1 8952848\n"
		   /* do_idle() was entered at depth 0 since, and left: what ends here, the text
		    * does not say; it began with the text at the latest */
		   "1 8978686 my pro-18 <?/0 8978686\n");
}

/* Every column there is: times are those of the text. */
TEST(all_columns)
{
	check_text(
		"# tracer: function_graph\n#\n"
		"#     TIME        CPU  TASK/PID         DURATION                  FUNCTION CALLS\n"
		"#      |          |     |    |           |   |                     |   |   |   |\n"
		"   12.000001 |   0)   bash-12    |  .....  |               |  f() {\n"
		"   12.000002 |   0)   bash-12    |  d..1.  |   0.500 us    |    g [mod]();\n"
		"   12.000002 |   1)    <idle>-0    |  d.h1.  | + 11.000 us   |  h.part.0();\n"
		"   12.000004 |   0)   bash-12    |  .....  |   3.125 us    |  }\n",
		"0 12000001000 bash-12 >f/0\n"
		"0 12000002000 bash-12 >g;/1[mod] 500\n"
		"1 12000002000 <idle>-0 >h.part.0;/0 11000\n"
		"0 12000002500 bash-12 <g/1[mod] 500\n"
		"0 12000004000 bash-12 <f/0 3125\n"
		"1 12000013000 <idle>-0 <h.part.0/0 11000\n");
}

/* What a task had open within a call has ended when the next one of its depth begins; an end that
 * comes later is another's. */
TEST(ends_that_were_lost)
{
	check_text(" 0)               |  f() {\n"
		   " 0)               |    g() {\n"
		   " 0)               |  h() {\n"
		   " 0)   1.000 us    |    }\n"
		   " 0)   2.000 us    |  }\n",
		   "0 0 ?--1 >f/0\n"
		   "0 0 ?--1 >g/1\n"
		   "0 0 ?--1 >h/0\n"
		   "0 1000 ?--1 <?/1 1000\n"
		   "0 2000 ?--1 <h/0 2000\n");
}

/* Arguments, values and callers, as newer kernels have them; an interrupt's arrow says what the
 * call behind it is. */
TEST(what_stands_beside_calls)
{
	check_text(" 0)               |  vfs_open(path=0xffff, file=0x1) {\n"
		   " 0)   ==========> |\n"
		   " 0)   0.100 us    |    irq_enter(); /* = 0x0 */\n"
		   " 0)   <========== |\n"
		   " 0)   2.000 us    |  } /* vfs_open = -2 */\n"
		   " 0)   0.300 us    |  up [my_mod](); /* <-caller+0x3/0x9 ret=0x1 */\n"
		   " 0)   0.400 us    |  } /* down [my_mod] */\n",
		   "0 0 ?--1 >vfs_open/0\n"
		   "0 0 ?--1 !>irq_enter;/1 100\n"
		   "0 100 ?--1 !<irq_enter/1 100\n"
		   "0 2000 ?--1 <vfs_open/0 2000\n"
		   "0 2000 ?--1 >up;/0[my_mod] 300\n"
		   "0 2300 ?--1 <up/0[my_mod] 300\n"
		   "0 2300 ?--1 <down/0[my_mod] 400\n");
}

/* Each CPU has its own interrupts; what is called within one is none. An arrow behind a return
 * whose entry is lost stands for itself. */
TEST(interrupts_have_arrows)
{
	check_text(" 0)   1.000 us    |  }\n"
		   " 0)   <========== |\n"
		   " 0)   ==========> |\n"
		   " 1)   0.100 us    |  other();\n"
		   " 0)               |  sysvec_apic_timer_interrupt() {\n"
		   " 0)   0.200 us    |    irq_exit_rcu();\n"
		   " 0)   3.000 us    |  }\n"
		   " 1)   ==========> |\n"
		   " 0)   <========== |\n"
		   " 0)               |  next() {\n"
		   " 1)               |  sysvec_reboot() {\n",
		   "0 1000 ?--1 <?/0 1000\n"
		   "0 1000 ?--1 irq_return: <==========\n"
		   "1 1000 ?--1 >other;/0 100\n"
		   "0 1000 ?--1 !>sysvec_apic_timer_interrupt/0\n"
		   "0 1000 ?--1 >irq_exit_rcu;/1 200\n"
		   "1 1100 ?--1 <other/0 100\n"
		   "0 1200 ?--1 <irq_exit_rcu/1 200\n"
		   "0 4000 ?--1 !<sysvec_apic_timer_interrupt/0 3000\n"
		   "0 4000 ?--1 >next/0\n"
		   "1 4000 ?--1 !>sysvec_reboot/0\n");
}

/* Without a column of CPUs, of durations, of both. */
TEST(columns_that_are_missing)
{
	check_text("# tracer: function_graph\n#\n#   DURATION                  FUNCTION CALLS\n"
		   "               |  f() {\n"
		   "   1.000 us    |    g();\n"
		   "   3.000 us    |  }\n",
		   "-1 0 ?--1 >f/0\n"
		   "-1 0 ?--1 >g;/1 1000\n"
		   "-1 1000 ?--1 <g/1 1000\n"
		   "-1 3000 ?--1 <f/0 3000\n");
	check_text("# tracer: function_graph\n#\n# CPU  FUNCTION CALLS\n"
		   " 2)  f() {\n"
		   " 2)    g();\n"
		   " 2)  }\n",
		   "2 0 ?--1 >f/0\n"
		   "2 0 ?--1 >g;/1\n"
		   "2 0 ?--1 <g/1\n"
		   "2 0 ?--1 <f/0\n");
}

/* An article: blanks were lost, lines were left out, a call has neither bracket nor duration, and
 * both ends are cut. */
TEST(a_listing)
{
	check_text("$ cat trace\n"
		   "# tracer: function_graph\n"
		   "# CPU DURATION FUNCTION CALLS\n"
		   "3)  0.500 us |     early();\n"
		   "3)  9.000 us |   }\n"
		   "3)           | outer() {\n"
		   "3)           |   alloc()\n"
		   "3)           |   lost() {\n"
		   "                 .\n"
		   "                 . (lost() called repeatedly)\n"
		   "3)  0.250 us |   \n"
		   "3) # 1234.567 us | }\n"
		   "3)           | last() {\n",
		   "3 0 ?--1 >early;/2 500\n"
		   "3 500 ?--1 <early/2 500\n"
		   "3 9000 ?--1 <?/1 9000\n"
		   "3 9000 ?--1 >outer/0\n"
		   "3 9000 ?--1 >alloc;/1\n"
		   "3 9000 ?--1 <alloc/1\n"
		   "3 9000 ?--1 >lost/1\n"
		   "3 1243567 ?--1 <outer/0 1234567\n"
		   "3 1243567 ?--1 >last/0\n");
}

/* trace-cmd's report of the same: rows with tasks and times. In the second, as printed in a book,
 * the blanks of entries are two fewer than those of all else: times say whose end it is. */
TEST(rows_of_trace_cmd)
{
	check_text(
		"cpus=2\n"
		"              dd-270   [001]    13.639493: funcgraph_entry:                   |  sys_read() {\n"
		"              dd-270   [001]    13.639494: funcgraph_entry:        4.464 us   |    vfs_read();\n"
		"              dd-270   [001]    13.639496: sched_waking:         comm=a pid=7\n"
		"              dd-270   [001]    13.639500: funcgraph_exit:         6.614 us   |  }\n",
		"1 13639493000 dd-270 >sys_read/0\n"
		"1 13639494000 dd-270 >vfs_read;/1 4464\n"
		/* what is due on a CPU stands before what comes next there */
		"1 13639496000 dd-270 <vfs_read/1 4464\n"
		"1 13639496000 dd-270 sched_waking: comm=a pid=7\n"
		"1 13639500000 dd-270 <sys_read/0 6614\n");
	check_text("dd-113 [000] 4.000010: funcgraph_entry: | one() {\n"
		   "dd-113 [000] 4.000020: funcgraph_entry: |   two() {\n"
		   "dd-113 [000] 4.000030: funcgraph_entry: |     three() {\n"
		   "dd-113 [000] 4.000040: funcgraph_entry: |       5.000 us |     leaf();\n"
		   "dd-113 [000] 4.000050: funcgraph_exit:  |     + 20.500 us |   }\n"
		   "dd-113 [000] 4.000060: funcgraph_exit:  |     + 11.500 us |   }\n",
		   "0 4000010000 dd-113 >one/0\n"
		   "0 4000020000 dd-113 >two/1\n"
		   "0 4000030000 dd-113 >three/2\n"
		   "0 4000040000 dd-113 >leaf;/2 5000\n"
		   "0 4000045000 dd-113 <leaf/2 5000\n"
		   "0 4000050000 dd-113 <three/1 20500\n"
		   /* nothing began 11.5 us before: whose end it is, is not known */
		   "0 4000060000 dd-113 <?/1 11500\n");
}

/* A console that was told of a graph: banners have dashes, too, and are no end of it. */
TEST(a_console)
{
	check_text("[   12.000000] Dumping ftrace buffer:\n"
		   "[   12.000001] ---------------------------------\n"
		   "[   12.000002]  0)               |  f() {\n"
		   "[   12.000002]  ------------------------------------------\n"
		   "[   12.000002]  0)   rcu_pre-18   =>    <idle>-0   \n"
		   "[   12.000002]  ------------------------------------------\n"
		   "[   12.000002] \n"
		   "[   12.000002]  0)   1.000 us    |  g();\n"
		   "[   12.000003] ---------------------------------\n"
		   "[   12.000004]  0)   5.000 us    |  no_more();\n",
		   "0 0 rcu_pre-18 >f/0\n"
		   "0 0 <idle>-0 >g;/0 1000\n"
		   "0 1000 <idle>-0 <g/0 1000\n");
}

TEST_MAIN
