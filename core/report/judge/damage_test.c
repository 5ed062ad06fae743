/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what is said of texts that are not whole. The texts are made up in the kernel's form. */
#include <string.h>

#include "core/base/test.h"
#include "core/report/report.h"

static bool on_report(struct report *r, void *arg)
{
	buf_printf(arg, "%s%s", r->damaged ? "damaged: " : "", r->damage ? r->damage : "-");
	return false;
}

#define OOPS                                                                           \
	"BUG: unable to handle page fault for address: ffff888012345678\n"             \
	"CPU: 0 PID: 7 Comm: frob Not tainted 6.1.0 #1\nRIP: 0010:frob_one+0x1/0x20\n" \
	"Call Trace:\n"
#define CALL " do_syscall_64+0x3b/0x90\n entry_SYSCALL_64_after_hwframe+0x63/0xcd\n"
#define WARN "WARNING: CPU: 0 PID: 7 at drivers/frob.c:12 frob_one+0x1/0x20\n"
#define CPU_7 "CPU: 0 PID: 7 Comm: frob Not tainted 6.1.0 #1\n"
#define FOUR " a_two+0x1/0x20\n a_three+0x1/0x20\n a_four+0x1/0x20\n a_five+0x1/0x20\n"
#define STALL "watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [frob:7]\nCall Trace:\n"
#define HUNG "INFO: task frob:7 blocked for more than 120 seconds.\nCall Trace:\n"
#define KASAN                                                          \
	"BUG: KASAN: slab-out-of-bounds in frob_one+0x1/0x20\n"        \
	"Read of size 8 at addr ffff888012345678 by task frob/7\n"     \
	"CPU: 0 PID: 7 Comm: frob Not tainted 6.1.0 #1\nCall Trace:\n" \
	" kasan_report+0x1/0x20\n"

static const struct {
	const char *text, *said;
} cases[] = {
	{ OOPS " frob_two+0x1/0x20\n" CALL, "-" },
	/* what people write for lines that they leave out is no part of the frame before it, and
	 * the kernel of mips writes it behind the words of its stack */
	{ OOPS " frob_two+0x1/0x20\n ...\n frob_three+0x1/0x20\n" CALL,
	  "damaged: whoever passed it on left lines of the call trace out" },
	{ "[ 5300.443503] BUG: unable to handle page fault for address: ffff888012345678\n"
	  "[ 5300.443503] " CPU_7 "[ 5300.443503] RIP: 0010:frob_one+0x1/0x20\n"
	  "[ 5300.443504] Call Trace:\n"
	  "              [ 5300.443505]  frob_reset_all_queues_and_wait+0x83/0xb0 [frob]\n"
	  "              ...\n              [ 5300.443506]  do_syscall_64+0x3b/0x90\n"
	  "              [ 5300.443507]  entry_SYSCALL_64_after_hwframe+0x63/0xcd\n",
	  "damaged: whoever passed it on left lines of the call trace out" },
	{ OOPS " frob_two+0x1/0x20\n [...]\n" CALL,
	  "damaged: whoever passed it on left lines of the call trace out" },
	{ "CPU 0 Unable to handle kernel paging request at virtual address 0004a6ea, epc == 80466788, "
	  "ra == 80466780\n" CPU_7 "epc   : 80466788 frob_one+0x8/0x40\n"
	  "Stack : 00000000 00000001 80580000 00000001 80580000 00000001 00000000 00000000\n"
	  "        ...\nCall Trace:\n[<80466788>] frob_one+0x8/0x40\n[<80466700>] syscall_common+0x34/0x58\n",
	  "-" },
	/* three frames behind the guilty one may not tell how the kernel came there, and four do */
	{ OOPS " a_two+0x1/0x20\n a_three+0x1/0x20\n a_four+0x1/0x20\n",
	  "damaged: the text ends within a call trace" },
	{ OOPS " a_two+0x1/0x20\n a_three+0x1/0x20\n a_four+0x1/0x20\n a_five+0x1/0x20\n",
	  "the text ends within a call trace" },
	/* guesses are no frames that lead anywhere */
	{ OOPS " a_two+0x1/0x20\n a_three+0x1/0x20\n a_four+0x1/0x20\n ? a_five+0x1/0x20\n",
	  "damaged: the text ends within a call trace" },
	/* the kernel interrupts what loops, and its trace shows where */
	{ STALL " frob_two+0x1/0x20\n frob_three+0x1/0x20\n frob_four+0x1/0x20\n" CALL,
	  "damaged: no trace shows what the CPU was interrupted in" },
	{ STALL " asm_sysvec_apic_timer_interrupt+0x1/0x20\n frob_two+0x1/0x20\n" CALL, "-" },
	/* a task that waits came from a system call or is a thread: more than two functions deep */
	{ HUNG " __schedule+0x1/0x20\n schedule+0x1/0x20\n",
	  "damaged: the text ends within a call trace; most of the call trace is missing" },
	{ HUNG " __schedule+0x1/0x20\n schedule+0x1/0x20\n frob_wait+0x1/0x20\n" CALL, "-" },
	/* a kernel without an unwinder guesses all; and where the first of its lines is gone, the
	 * second one, which says how to switch it off, tells what this was */
	{ HUNG " ? schedule+0x1/0x20\n ? frob_two+0x1/0x20\n ? frob_three+0x1/0x20\n"
	       " ? do_syscall_64+0x1/0x20\n ? entry_SYSCALL_64_after_hwframe+0x63/0xcd\n",
	  "-" },
	{ "\"echo 0 > /proc/sys/kernel/hung_task_timeout_secs\" disables this message.\nCall Trace:\n"
	  " __schedule+0x1/0x20\n schedule+0x1/0x20\n frob_wait+0x1/0x20\n" CALL,
	  "damaged: the beginning is missing" },
	/* KASAN names the function at the top of the trace behind its own */
	{ KASAN " frob_one+0x1/0x20\n frob_two+0x1/0x20\n" CALL, "-" },
	{ KASAN " frob_two+0x1/0x20\n" CALL,
	  "damaged: no frame is of the function that the headline names" },
	/* of its kind only what prints no trace may be without one */
	{ "BUG: Bad page map in process frob  pte:ffffff pmd:0\n", "damaged: no call trace" },
	{ "BUG: Bad rss-counter state mm:ffff888012345678 type:MM_ANONPAGES val:1\n", "-" },
	/* a return address behind its function's end is of a line that was torn: where it is one of
	 * ten frames, the program counter's among them, enough is whole to be judged, and one of
	 * nine is not */
	{ OOPS FOUR " a_six+0x30/0x20\n a_seven+0x1/0x20\n a_eight+0x1/0x20\n" CALL,
	  "parts of lines are missing" },
	{ OOPS FOUR " a_six+0x30/0x20\n a_seven+0x1/0x20\n" CALL,
	  "damaged: parts of lines are missing" },
	/* what the kernel guessed may stand behind the end of a trace, and the mark of an
	 * interrupt's stack may lack its closing one there */
	{ OOPS " frob_two+0x1/0x20\n" CALL " ? frob_three+0x1/0x20\n", "-" },
	{ OOPS " <IRQ>\n frob_two+0x1/0x20\n" CALL, "the text ends behind the call trace" },
	{ OOPS " <IRQ>\n frob_two+0x1/0x20\n", "damaged: the text ends within a call trace" },
	/* the headline names who warned, and no frame does: the unwinder lost its way */
	{ WARN CPU_7 "Call Trace:\n dump_stack+0x1/0x20\n panic+0x1/0x20\n" CALL,
	  "damaged: the call trace shows no more than how the report was made" },
	{ WARN CPU_7 "Call Trace:\n dump_stack+0x1/0x20\n frob_one+0x1/0x20\n" CALL, "-" },
	/* behind a jump to what is no code all is guessed */
	{ "BUG: unable to handle page fault for address: ffff888012345678\n" CPU_7
	  "RIP: 0010:0xffff888012345678\nCall Trace:\n ? frob_one+0x1/0x20\n ? frob_two+0x1/0x20\n"
	  " ? do_syscall_64+0x3b/0x90\n ? entry_SYSCALL_64_after_hwframe+0x63/0xcd\n",
	  "-" },
	/* a worker that was left with a lock shows no other function: its work is over */
	{ "BUG: workqueue leaked lock or atomic: kworker/0:1/0x00000000/7\n"
	  "     last function: frob_work\n" CPU_7 "Workqueue: events frob_work\n"
	  "Call Trace:\n dump_stack+0x1/0x20\n"
	  " process_one_work+0x1/0x20\n worker_thread+0x1/0x20\n kthread+0x1/0x20\n"
	  " ret_from_fork+0x1/0x20\n",
	  "-" },
	/* the line on the process comes first, so that the trace before it is of another one */
	{ WARN "Call Trace:\n frob_nine+0x1/0x20\n" CALL CPU_7
	       "Call Trace:\n frob_one+0x1/0x20\n" CALL,
	  "damaged: another report is mixed in" },
	/* nobody is to blame where all functions print or dispatch */
	{ OOPS CALL, "-" },
	{ "BUG: scheduling while atomic: frob/7/0x00000002\nCall Trace:\n dump_stack+0x1/0x20\n"
	  " __schedule_bug+0x1/0x20\n" CALL,
	  "damaged: no frame tells who is to blame" },
};

TEST(what_is_missing_is_said)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buf b = { 0 };
		struct report_stream *s = report_stream_open("test", on_report, &b);

		report_stream_feed(s, cases[i].text, strlen(cases[i].text));
		report_stream_close(s);
		if (!CHECK_STR(buf_text(&b), cases[i].said))
			printf("  of '%s'\n", cases[i].text);
		buf_release(&b);
	}
}

static bool on_facts(struct report *r, void *arg)
{
	buf_printf(arg, "%s in %s by %s", report_kind_name(r->kind),
		   r->function ? r->function : "-", r->comm ? r->comm : "-");
	if (r->has_pid)
		buf_printf(arg, "/%lld", (long long)r->pid);
	if (r->has_address)
		buf_printf(arg, " at 0x%llx", (unsigned long long)r->address);
	buf_printf(arg, ", %zu registers", r->regs.n);
	for (size_t i = 0; i < r->n_also; i++)
		buf_printf(arg, ", %s", r->also[i]);
	buf_printf(arg, ": %s|", r->damage ? r->damage : "-");
	return true;
}

#define WOVEN "another report is mixed in, and what both tell is left out|"
#define STACK_OF(a, b) a "_ioctl+0x1/0x20\n " b "_ioctl+0x1/0x20\n"

/* Two CPUs print at once, and nothing on their lines says whose they are: what is told twice, and
 * not alike, is of neither; both program counters are told. */
TEST(facts_of_woven_reports_are_not_mixed)
{
	static const char *const texts[][2] = {
		{ "BUG: unable to handle page fault for address: ffff888012345678\n"
		  "BUG: unable to handle page fault for address: ffff8880abcdef00\n"
		  "CPU: 0 PID: 7 Comm: frob Not tainted 6.1.0 #1\n"
		  "CPU: 1 PID: 8 Comm: grob Not tainted 6.1.0 #1\n"
		  "RIP: 0010:frob_one+0x1/0x20\nRIP: 0010:grob_one+0x1/0x20\n"
		  "RSP: 0018:ffffc90000d2fa00 EFLAGS: 00010246\nRSP: 0018:ffffc90000d2fb00 EFLAGS: 00010246\n"
		  "RAX: 0000000000000001 RBX: 0000000000000002\nRAX: 0000000000000003 RBX: 0000000000000004\n"
		  "Call Trace:\nCall Trace:\n <TASK>\n <TASK>\n " STACK_OF("frob", "grob") CALL
		  " </TASK>\n </TASK>\n",
		  "page-fault in frob_one by -, 0 registers, grob_one, frob_ioctl: " WOVEN },
		/* the log may have the CPUs' lines in another order than that of their time; what a
		 * compiler adds to a name is of no interest */
		{ "[   10.000002] BUG: unable to handle page fault for address: ffff888012345678\n"
		  "[   10.000001] BUG: unable to handle page fault for address: ffff8880abcdef00\n"
		  "[   10.000003] CPU: 0 PID: 7 Comm: frob Not tainted 6.1.0 #1\n"
		  "[   10.000004] CPU: 1 PID: 8 Comm: grob Not tainted 6.1.0 #1\n"
		  "[   10.000005] RIP: 0010:frob_one+0x1/0x20\n"
		  "[   10.000006] RIP: 0010:grob_one.isra.0+0x1/0x20\n"
		  "[   10.000007] Call Trace:\n[   10.000008] Call Trace:\n"
		  "[   10.000009]  frob_ioctl+0x1/0x20\n[   10.000010]  grob_ioctl+0x1/0x20\n"
		  "[   10.000011]  </TASK>\n[   10.000012]  </TASK>\n",
		  "page-fault in frob_one by -, 0 registers, grob_one, frob_ioctl: " WOVEN },
		/* equal lines are of both */
		{ "BUG: unable to handle page fault for address: ffff888012345678\n" CPU_7
		  "RIP: 0010:frob_one+0x1/0x20\n" CPU_7 "RIP: 0010:frob_one+0x1/0x20\n"
		  "Call Trace:\nCall Trace:\n <TASK>\n " STACK_OF("frob", "frob") CALL " </TASK>\n",
		  "page-fault in frob_one by frob/7 at 0xffff888012345678, 0 registers, frob_ioctl: "
		  "another report is mixed in|" },
		/* lockdep names the task itself: another process's line changes nothing */
		{ "WARNING: possible recursive locking detected\n6.1.0 #1 Not tainted\n"
		  "frob/7 is trying to acquire lock:\n"
		  "ffff888103a8c0e8 (&w->lock){+.+.}-{3:3}, at: frob_one+0x1/0x20\n"
		  "but task is already holding lock:\n"
		  "ffff888103a8c0e8 (&w->lock){+.+.}-{3:3}, at: frob_two+0x1/0x20\n"
		  "CPU: 1 PID: 8 Comm: grob Not tainted 6.1.0 #1\nstack backtrace:\n" CPU_7
		  "Call Trace:\n frob_one+0x1/0x20\n frob_two+0x1/0x20\n" CALL,
		  "lockdep in frob_one by frob/7, 0 registers, frob_two: another report is mixed in|" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct buf b = { 0 };
		struct report_stream *s = report_stream_open("test", on_facts, &b);

		report_stream_feed(s, texts[i][0], strlen(texts[i][0]));
		report_stream_close(s);
		if (!CHECK_STR(buf_text(&b), texts[i][1]))
			printf("  of '%s'\n", texts[i][0]);
		buf_release(&b);
	}
}

TEST_MAIN
