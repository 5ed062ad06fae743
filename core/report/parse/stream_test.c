/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests whole reports, line by line: every fact that a text states, whose each trace is, where one
 * ends. */
#include "core/base/test.h"
#include "core/report/parse/parse.h"

static void put_text(struct buf *b, const char *name, const char *value)
{
	if (value)
		buf_printf(b, "%s=%s\n", name, value);
}

/* What the report says of process and machine, a fact a line; nothing of what it does not say. */
static void put_facts(const struct report *r, struct buf *b)
{
	if (r->has_cpu)
		buf_printf(b, "cpu=%" PRId64 "\n", r->cpu);
	if (r->has_pid)
		buf_printf(b, "pid=%" PRId64 "\n", r->pid);
	put_text(b, "comm", r->comm);
	put_text(b, "arch", r->arch);
	put_text(b, "release", r->release);
	put_text(b, "taint", r->taint);
	put_text(b, "build-id", r->build_id);
	put_text(b, "hardware", r->hardware);
	put_text(b, "workqueue", r->workqueue);
	put_text(b, "access", r->access);
	put_text(b, "object", r->object);
	put_text(b, "usage", r->usage);
	put_text(b, "code", r->code);
	put_text(b, "error-name", r->error_name);
	if (r->has_error)
		buf_printf(b, "error=%" PRIx64 "\n", r->error);
	if (r->has_address)
		buf_printf(b, "address=%" PRIx64 "\n", r->address);
	if (r->has_access_size)
		buf_printf(b, "size=%" PRIu64 "\n", r->access_size);
	if (r->has_offset)
		buf_printf(b, "offset=%" PRIx64 "\n", r->kernel_offset);
	for (size_t i = 0; i < r->n_modules; i++)
		buf_printf(b, "module=%s\n", r->modules[i]);
	for (size_t i = 0; i < r->n_locks; i++)
		buf_printf(b, "lock=%s\n", r->locks[i]);
	put_text(b, "mixed", r->mixed);
}

/* The frames, one a line: name, the trace's number and role, where the CPU was, and marks. */
static void put_frames(const struct report *r, struct buf *b)
{
	static const char *const where[] = { "task", "irq", "softirq", "nmi", "exception" };

	for (size_t i = 0; i < r->frames.n; i++) {
		const struct report_frame *f = &r->frames.p[i];

		buf_printf(b, "%s %u %s %s%s%s%s%s\n", f->func ? f->func : "-", f->trace,
			   trace_role_name(f->role), where[f->where], f->reliable ? "" : " guess",
			   f->pc ? " pc" : "", f->exact ? " exact" : "",
			   f->duplicate ? " again" : "");
	}
}

static bool on_facts(struct report *r, void *arg)
{
	put_facts(r, arg);
	buf_str(arg, ".\n");
	return true;
}

static bool on_frames(struct report *r, void *arg)
{
	put_frames(r, arg);
	buf_str(arg, ".\n");
	return true;
}

static bool on_kinds(struct report *r, void *arg)
{
	buf_printf(arg, "%s %" PRIu64 "+%zu%s%s%s\n", report_kind_name(r->kind), r->first_line,
		   r->lines.n, r->open_end ? " open" : "", r->overtaken ? " overtaken" : "",
		   r->headless ? " headless" : "");
	return true;
}

static void check(const char *text, bool (*fn)(struct report *, void *), const char *want)
{
	struct buf b = { 0 };
	struct report_stream *s = report_stream_open("test", fn, &b);

	report_stream_feed(s, text, strlen(text));
	report_stream_close(s);
	if (!CHECK_STR(buf_text(&b), want))
		printf("  of:\n%s\n", text);
	buf_release(&b);
}

#define FAULT "BUG: unable to handle page fault for address: ffffc90000d2f000\n"
#define CALLS "Call Trace:\n <TASK>\n a_b+0x1/0x20\n </TASK>\n"
#define ID "0123456789abcdef0123456789abcdef01234567"

/* dump_stack_print_info() of lib/dump_stack.c, in the forms that it had; taint's columns hold
 * blanks where a flag is not set. */
TEST(lines_on_the_process)
{
	static const char *const v[][2] = {
		{ "CPU: 3 PID: 1234 Comm: a b Not tainted 6.1.55 #7",
		  "cpu=3\npid=1234\ncomm=a b\narch=x86_64\nrelease=6.1.55\n" },
		{ "CPU: 3 UID: 0 PID: 1234 Comm: a Tainted: G        W  OE      6.12.1-1-amd64 #1 "
		  "Debian",
		  "cpu=3\npid=1234\ncomm=a\narch=x86_64\nrelease=6.12.1-1-amd64\ntaint=G        W  "
		  "OE\n" },
		{ "CPU: 0 PID: 7 Comm: a Kdump: loaded Not tainted 5.14.0-1.el9 #1 " ID,
		  "cpu=0\npid=7\ncomm=a\narch=x86_64\nrelease=5.14.0-1.el9\nbuild-id=" ID "\n" },
		{ "CPU: 0 PID: 7 Comm: a Tainted: P           6.1.0",
		  "cpu=0\npid=7\ncomm=a\narch=x86_64\nrelease=6.1.0\ntaint=P\n" },
		{ "CPU: 0 PID: 7 Comm: a Not tainted 6.1.0 #1 0123456789abcdef",
		  "cpu=0\npid=7\ncomm=a\narch=x86_64\nrelease=6.1.0\n" },
		{ "Pid: 7, comm: a Not tainted 3.2.0 #1",
		  "pid=7\ncomm=a\narch=x86_64\nrelease=3.2.0\n" },
		{ "CPU: 11 PID: 7 Comm: a", "cpu=11\npid=7\ncomm=a\narch=x86_64\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct buf text = { 0 }, want = { 0 };

		buf_printf(&text, FAULT "%s\n" CALLS, v[i][0]);
		buf_printf(&want, "%saddress=ffffc90000d2f000\n.\n", v[i][1]);
		check(buf_text(&text), on_facts, buf_text(&want));
		buf_release(&text);
		buf_release(&want);
	}
}

#define PROCESS "CPU: 3 PID: 7 Comm: a Not tainted 6.1.0 #1\n"
#define SAID "cpu=3\npid=7\ncomm=a\narch="
#define OF "release=6.1.0\n"

/* Lines of one fact each. The codes: x86's error code 2 is a write, 10 (hexadecimal) a fetch;
 * arm64's ESR 96000046 has the class 25 and WnR (bit 6), 86000004 the class 21. */
TEST(lines_of_one_fact)
{
	check(FAULT "#PF: supervisor write access in kernel mode\n#PF: error_code(0x0002) - x\n"
		    "PGD 100000067 P4D 100000067\nOops: 0002 [#1] PREEMPT SMP\n" PROCESS
		    "Hardware name: QEMU, BIOS 1\nWorkqueue: events widget_work [widget]\n"
		    "RIP: 0010:a_b+0x1/0x20\nCode: 48 89 <8b> 07\n" CALLS
		    "Modules linked in: widget(OE) gadget [last unloaded: z]\n"
		    "Kernel Offset: 0x1e000000 from 0xffffffff81000000 (relocation range: x)\n",
	      on_facts,
	      SAID "x86_64\n" OF
		   "hardware=QEMU, BIOS 1\nworkqueue=events widget_work [widget]\naccess=write\n"
		   "code=48 89 <8b> 07\nerror-name=error_code\nerror=2\naddress=ffffc90000d2f000\n"
		   "offset=1e000000\nmodule=widget(OE)\nmodule=gadget\n.\n");
	check(FAULT "Oops: 0010 [#1]\n" PROCESS CALLS "Kernel Offset: disabled\n", on_facts,
	      SAID "x86_64\n" OF "access=execute\nerror-name=error code\nerror=10\n"
		   "address=ffffc90000d2f000\noffset=0\n.\n");
	check(FAULT "Oops: 0000 [#1]\n" PROCESS CALLS, on_facts,
	      SAID "x86_64\n" OF
		   "access=read\nerror-name=error code\nerror=0\naddress=ffffc90000d2f000\n.\n");
	check("Unable to handle kernel paging request at virtual address ffff800008123456\n"
	      "Mem abort info:\n  ESR = 0x0000000096000046\n"
	      "Internal error: Oops: 0000000096000046 [#1] SMP\n" PROCESS
	      "pc : a_b+0x1/0x20\nlr : c+0x1/0x20\nCall trace:\n a_b+0x1/0x20\n",
	      on_facts,
	      SAID "aarch64\n" OF
		   "access=write\nerror-name=ESR\nerror=96000046\naddress=ffff800008123456\n.\n");
	check("Unable to handle kernel paging request at virtual address ffff800008123456\n"
	      "Mem abort info:\n  ESR = 0x86000004\n" PROCESS "Call trace:\n a_b+0x1/0x20\n",
	      on_facts,
	      SAID "aarch64\n" OF
		   "access=execute\nerror-name=ESR\nerror=86000004\naddress=ffff800008123456\n.\n");
	check("BUG: KASAN: slab-use-after-free in a_b+0x1/0x20\n"
	      "Read of size 8 at addr ffff88810c6d2a18 by task widget/d/1234\n"
	      "CPU: 3 Not tainted 6.1.0 #1\n" CALLS
	      "The buggy address belongs to the object at ffff88810c6d2a00\n"
	      " which belongs to the cache widgets of size 64\n",
	      on_facts,
	      "cpu=3\npid=1234\ncomm=widget/d\narch=x86_64\n" OF
	      "access=read\nobject=ffff88810c6d2a00\naddress=ffff88810c6d2a18\nsize=8\n.\n");
	/* the thread of RCU's is shown because it did not run: it is not the report's process */
	check("rcu: INFO: rcu_sched self-detected stall on CPU\n"
	      "rcu: RCU grace-period kthread stack dump:\n"
	      "task:rcu_sched       state:I stack:0     pid:14    ppid:2      flags:0x00000000\n"
	      "Call Trace:\n __schedule+0x1/0x20\n rcu_gp_kthread+0x1/0x20\n",
	      on_facts, ".\n");
	check("INFO: task a:7 blocked for more than 120 seconds.\n"
	      "task:a               state:D stack:0     pid:7     ppid:2      flags:0x00000000\n"
	      "Call Trace:\n __schedule+0x1/0x20\n",
	      on_facts, "pid=7\ncomm=a\n.\n");
	check("BUG: KASAN: double-free in a_b+0x1/0x20\nFree of addr ffff88810c6d2a18 by task "
	      "a/7\n" CALLS,
	      on_facts, "pid=7\ncomm=a\narch=x86_64\naccess=free\naddress=ffff88810c6d2a18\n.\n");
	check("BUG: KASAN: slab-out-of-bounds in a_b+0x1/0x20\nWrite of size 16 at addr "
	      "ffff88810c6d2a18 by task a/7\n" CALLS,
	      on_facts,
	      "pid=7\ncomm=a\narch=x86_64\naccess=write\naddress=ffff88810c6d2a18\nsize=16\n.\n");
	check("BUG: memory leak\nunreferenced object 0xffff88810c6d2a00 (size 64):\n"
	      "  comm \"a \"b\", pid 77, jiffies 4294937296\n  backtrace:\n"
	      "    [<ffffffff81234567>] a_b+0x1/0x20\n",
	      on_facts, "pid=77\ncomm=a \"b\narch=x86_64\n.\n");
}

/* Whose each trace is, and what the CPU was doing: <IRQ> and its like until their ends. */
TEST(frames_know_their_trace)
{
	check("WARNING: CPU: 1 PID: 9 at a.c:1 a_b+0x1/0x20\n" PROCESS
	      "RIP: 0010:a_b+0x1/0x20\nRSP: 0018:ffffc90000d2fa00 EFLAGS: 00010246\n"
	      "Call Trace:\n <NMI>\n n+0x1/0x20\n </NMI>\n <IRQ>\n i+0x1/0x20\n ? g+0x1/0x20\n"
	      " </IRQ>\n <SOFTIRQ>\n s+0x1/0x20\n </SOFTIRQ>\n <#DF>\n d+0x1/0x20\n </#DF>\n <TASK>\n"
	      " a_b+0x1/0x20\n t+0x1/0x20\n </TASK>\n",
	      on_frames,
	      "a_b 0 task task pc exact\nn 0 task nmi\ni 0 task irq\ng 0 task irq guess\n"
	      "s 0 task softirq\nd 0 task exception\na_b 0 task task\nt 0 task task\n.\n");
	/* up to v4.8 markers and frames share lines, and only <EOI> ends what an interrupt did */
	check("WARNING: at a.c:1 a_b+0x1/0x20()\nPid: 9, comm: a Not tainted 3.2.0 #1\nCall Trace:\n"
	      " <NMI>  [<ffffffff81000001>] n+0x1/0x20\n <<EOE>>  <IRQ>  [<ffffffff81000002>] ? i+0x1/0x20\n"
	      " [<ffffffff81000003>] j+0x1/0x20\n <EOI>  [<ffffffff81000004>] t+0x1/0x20\n",
	      on_frames, "n 0 task nmi\ni 0 task irq guess\nj 0 task irq\nt 0 task task\n.\n");
	/* who takes a lock elsewhere, and who switched preemption off, are no part of the trace */
	check("WARNING: inconsistent lock state\ninconsistent {IN-SOFTIRQ-W} -> {SOFTIRQ-ON-W} usage.\n"
	      "{IN-SOFTIRQ-W} state was registered at:\n  r+0x1/0x20\nstack backtrace:\n" PROCESS
		      CALLS,
	      on_frames, "r 0 lock-holder task\na_b 2 task task\n.\n");
	check("BUG: scheduling while atomic: a/7/0x2\nPreemption disabled at:\n"
	      "[<ffffffff81000001>] p+0x1/0x20\n" PROCESS CALLS,
	      on_frames, "p 0 lock-holder task\na_b 1 task task\n.\n");
	/* the trace begins with the program counter's own function: it is one frame, said twice */
	check(FAULT PROCESS "RIP: 0010:a_b+0x1/0x20\nCall Trace:\n <TASK>\n a_b+0x1/0x20\n"
			    " t+0x1/0x20\n </TASK>\nRIP: 0010:a_b+0x1/0x20\n",
	      on_frames,
	      "a_b 0 task task exact again\na_b 0 task task pc exact\nt 0 task task\n"
	      "a_b 0 task task exact again\n.\n");
	check("BUG: KASAN: slab-use-after-free in a_b+0x1/0x20\nRead of size 8 at addr "
	      "ffff88810c6d2a18 by task a/7\n" CALLS
	      "Allocated by task 7:\n l+0x1/0x20\nFreed by task 8:\n f+0x1/0x20\n"
	      "Last potentially related work creation:\n w+0x1/0x20\n",
	      on_frames,
	      "a_b 0 task task\nl 1 allocated-by task\nf 2 freed-by task\nw 3 history task\n.\n");
	check("BUG: KMSAN: uninit-value in a_b+0x1/0x20\n a_b+0x1/0x20\n"
	      "Uninit was stored to memory at:\n s+0x1/0x20\nUninit was created at:\n c+0x1/0x20\n",
	      on_frames, "a_b 0 task task\ns 0 stored-by task\nc 1 created-by task\n.\n");
	check("BUG: KCSAN: data-race in a_b / c_d\nwrite to 0xffff88810c6d2a18 of 8 bytes by task 7 "
	      "on cpu 0:\n a_b+0x1/0x20\nread to 0xffff88810c6d2a18 of 8 bytes by task 8 on cpu 1:\n"
	      " c_d+0x1/0x20\n",
	      on_frames, "a_b 0 task task\nc_d 1 race-with task\n.\n");
	check("rcu: INFO: rcu_sched detected stalls on CPUs/tasks:\nSending NMI from CPU 1 to CPUs "
	      "0:\nNMI backtrace for cpu 0\n" PROCESS "RIP: 0010:a_b+0x1/0x20\n" CALLS,
	      on_frames, "a_b 1 task task exact again\na_b 2 task task pc exact\n.\n");
	check("INFO: task a:7 blocked for more than 120 seconds.\ntask:a  state:D stack:0  pid:7 "
	      "ppid:2\n" CALLS "INFO: task b:8 blocked for more than 120 seconds.\n"
	      "task:b  state:D stack:0  pid:8 ppid:2\n" CALLS,
	      on_frames, "a_b 1 task task\n.\na_b 1 task task\n.\n");
	/* arm: each line has the caller and who was called; the first line's callee is a frame too
	 */
	check("Kernel panic - not syncing: x\n" PROCESS
	      " a_b from c+0x1/0x20\n c from d+0x2/0x20\n",
	      on_frames, "a_b 0 task task\nc 0 task task\nd 0 task task\n.\n");
	/* behind a rule it begins anew */
	check("Kernel panic - not syncing: x\n" PROCESS " a_b from c+0x1/0x20\n"
	      "--------------------\n e_f from d+0x2/0x20\n",
	      on_frames, "a_b 0 task task\nc 0 task task\ne_f 0 task task\nd 0 task task\n.\n");
}

/* The architecture, where no line of registers tells: functions that only one has, or the release's
 * name. Others' names begin like these and say nothing. */
TEST(functions_and_releases_tell_the_architecture)
{
	static const char *const functions[][2] = {
		{ "do_syscall_64", "x86_64" },
		{ "entry_SYSCALL_64_after_hwframe", "x86_64" },
		{ "asm_exc_page_fault", "x86_64" },
		{ "__x64_sys_write", "x86_64" },
		{ "ret_from_fork_asm", "x86_64" },
		{ "do_fast_syscall_32", "i386" },
		{ "entry_INT80_32", "i386" },
		{ "el0_svc", "aarch64" },
		{ "el1h_64_sync", "aarch64" },
		{ "__arm64_sys_write", "aarch64" },
		{ "ret_fast_syscall", "arm" },
		{ "__irq_svc", "arm" },
		{ "system_call_exception", "ppc64" },
		{ "ret_from_kernel_user_thread", "ppc64" },
		{ "__s390x_sys_write", "s390x" },
		{ "do_trap_ecall_u", "riscv64" },
		{ "handle_syscall", "loongarch64" },
		{ "syscall_common", "mips" },
		{ "ret_from_fork", NULL },
		{ "my_do_syscall_64", NULL },
	};
	static const char *const releases[][2] = {
		{ "6.1.0-18-amd64", "x86_64" },
		{ "5.14.0-1.el9.x86_64", "x86_64" },
		{ "5.14.0-1.el9.aarch64", "aarch64" },
		{ "6.1.0-18-arm64", "aarch64" },
		{ "6.1.0-18-armmp", "arm" },
		{ "6.1.0-18-armmp-lpae", "arm" },
		{ "5.14.0-1.el9.ppc64le", "ppc64" },
		{ "6.1.0-18-powerpc64le", "ppc64" },
		{ "5.14.0-1.el9.s390x", "s390x" },
		{ "6.12.1-riscv64", "riscv64" },
		{ "6.12.1-loong64", "loongarch64" },
		{ "6.1.0-18-686-pae", "i386" },
		{ "6.1.0-generic", NULL },
	};
	struct buf text = { 0 }, want = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		buf_reset(&text);
		buf_reset(&want);
		buf_printf(&text,
			   "BUG: KASAN: wild-memory-access in f+0x1/0x20\nCall Trace:\n"
			   " f+0x1/0x20\n %s+0x1/0x20\n",
			   functions[i][0]);
		put_text(&want, "arch", functions[i][1]);
		buf_str(&want, ".\n");
		check(buf_text(&text), on_facts, buf_text(&want));
	}
	for (size_t i = 0; i < ARRAY_SIZE(releases); i++) {
		buf_reset(&text);
		buf_reset(&want);
		buf_printf(&text,
			   "BUG: KASAN: wild-memory-access in f+0x1/0x20\n"
			   "CPU: 3 PID: 7 Comm: a Not tainted %s #1\nCall Trace:\n"
			   " f+0x1/0x20\n",
			   releases[i][0]);
		buf_str(&want, "cpu=3\npid=7\ncomm=a\n");
		put_text(&want, "arch", releases[i][1]);
		buf_printf(&want, "release=%s\n.\n", releases[i][0]);
		check(buf_text(&text), on_facts, buf_text(&want));
	}
	buf_release(&text);
	buf_release(&want);
}

/* A jump to nowhere: the program counter has no function, and who jumped stands in the link
 * register alone; where the counter has one, the link register is a frame of its own only if no
 * trace follows, and it has another function. */
TEST(jumps_to_nowhere_have_a_caller)
{
#define NOWHERE \
	"Unable to handle kernel NULL pointer dereference at virtual address 0000000000000000\n"
	check(NOWHERE "pc : 0x0\nlr : who+0x10/0x20 [widget]\nCall trace:\n c_d+0x1/0x20\n",
	      on_frames, "- 0 task task pc exact\nwho 0 task task\nc_d 0 task task\n.\n");
	check(NOWHERE "pc : a_b+0x1/0x20\nlr : who+0x10/0x20\nCall trace:\n c_d+0x1/0x20\n",
	      on_frames, "a_b 0 task task pc exact\nwho 0 task task again\nc_d 0 task task\n.\n");
	check(NOWHERE "PC is at 0x0\nLR is at who+0x10/0x20\n", on_frames,
	      "- 0 task task pc exact\nwho 0 task task\n.\n");
	check(NOWHERE "PC is at a_b+0x1/0x20\nLR is at who+0x10/0x20\n", on_frames,
	      "a_b 0 task task pc exact\nwho 0 task task\n.\n");
	check(NOWHERE "PC is at a_b+0x1/0x20\nLR is at a_b+0x10/0x20\n", on_frames,
	      "a_b 0 task task pc exact\na_b 0 task task again\n.\n");
	check(NOWHERE "pc : 0x0\nlr : 0x0\nCall trace:\n c_d+0x1/0x20\n", on_frames,
	      "- 0 task task pc exact\nc_d 0 task task\n.\n");
}

/* What follows from other facts: the address of a register, small addresses, freed memory. */
TEST(kinds_follow_from_facts)
{
	check("BUG: unable to handle page fault for address: 0000000000000fff\n" PROCESS CALLS,
	      on_kinds, "null-deref 1+6 open\n");
	check("BUG: unable to handle page fault for address: 0000000000001000\n" PROCESS CALLS,
	      on_kinds, "page-fault 1+6 open\n");
	check("BUG: unable to handle page fault\n" PROCESS "CR2: 0000000000000020 CR3: "
	      "0000000104a3b000 CR4: 00000000000006e0\n" CALLS,
	      on_kinds, "null-deref 1+7 open\n");
	/* a tag tells that the memory is not what the pointer was made for; whether it lies beyond
	 * or was freed it does not tell, and who freed something there may have nothing to do with
	 * it */
	check("BUG: KASAN: invalid-access in f+0x1/0x20\n" CALLS, on_kinds,
	      "kasan-wild 1+5 open\n");
	check("BUG: KASAN: invalid-access in f+0x1/0x20\n" CALLS "Freed by task 7:\n g+0x1/0x20\n",
	      on_kinds, "kasan-wild 1+7 open\n");
}

#define AT(sec, line) "[" sec ".000000] " line "\n"

/* Where one report ends and the next begins: the kind, the first line, how many lines. */
TEST(reports_begin_and_end)
{
	check("x\n" FAULT PROCESS CALLS "---[ end trace 0000000000000000 ]---\ny\n", on_kinds,
	      "page-fault 2+7\n");
	check(FAULT PROCESS CALLS, on_kinds, "page-fault 1+6 open\n");
	/* another report begins: within the first one's lines, and behind its end */
	check(FAULT PROCESS CALLS "WARNING: CPU: 1 PID: 9 at a.c:1 a+0x1/0x2\n" CALLS, on_kinds,
	      "page-fault 1+6 overtaken\nwarning 7+5 open\n");
	check(FAULT PROCESS CALLS "---[ end trace 0000000000000000 ]---\n"
				  "WARNING: CPU: 1 PID: 9 at a.c:1 a+0x1/0x2\n" CALLS,
	      on_kinds, "page-fault 1+7 overtaken\nwarning 8+5 open\n");
	/* a panic with a trace of its own begins at its own line, the last that the first one has
	 */
	check("x\n" FAULT PROCESS CALLS
	      "Kernel panic - not syncing: Fatal exception\n" PROCESS CALLS,
	      on_kinds, "page-fault 2+7\npanic 8+6 open\n");
	/* half a minute later is another matter, half a second is not */
	check(AT("   10", "BUG: KASAN: wild-memory-access in a_b+0x1/0x20")
		      AT("   10", "Call Trace:") AT("   10", " a_b+0x1/0x20")
			      AT("   11", " c+0x1/0x20") AT("   40", " d+0x1/0x20"),
	      on_kinds, "kasan-wild 1+4\n");
	/* "cut here" is the first line of what follows it, and nothing by itself */
	check("------------[ cut here ]------------\nWARNING: CPU: 1 PID: 9 at a.c:1 a+0x1/0x2\n" PROCESS
		      CALLS,
	      on_kinds, "warning 1+7 open\n");
	check("------------[ cut here ]------------\nx\n", on_kinds, "");
	/* what list and usercopy checks say stands before the bug that they are */
	check("list_del corruption. next->prev should be a, but was b\n"
	      "------------[ cut here ]------------\nkernel BUG at lib/list_debug.c:53!\n"
	      "invalid opcode: 0000 [#1] SMP\n" PROCESS CALLS,
	      on_kinds, "list-corruption 1+9 open\n");
	/* two consoles wrote each line, and recursion repeats one in earnest */
	check("<1>" FAULT "[    1.000000] " FAULT
	      "<4>Oops: 0002 [#1]\n[    1.000000] Oops: 0002 [#1]\n"
	      "<4> a_b+0x1/0x20\n[    1.000001]  a_b+0x1/0x20\n<4> a_b+0x1/0x20\n"
	      "[    1.000001]  a_b+0x1/0x20\n",
	      on_kinds, "page-fault 1+4 open\n");
	/* a headline alone, in nobody's log, is no report; with a kernel's time it is, or where the
	 * text ends with it and it has a place, a task or an address, as no title has */
	check("BUG: KASAN: wild-memory-access in a_b+0x1/0x20\nThey say.\n", on_kinds, "");
	check("They say.\nBUG: KASAN: wild-memory-access in a_b+0x1/0x20", on_kinds,
	      "kasan-wild 2+1 open\n");
	check("BUG: soft lockup - CPU#3 stuck for 22s! [a:7]\n", on_kinds,
	      "soft-lockup 1+1 open\n");
	check("BUG: unable to handle page fault for address: ffff888012345678\n", on_kinds,
	      "page-fault 1+1 open\n");
	check("BUG: KASAN: wild-memory-access in a_b\n", on_kinds, "");
	check("BUG: soft lockup detected on CPU#0!\n", on_kinds, "");
	/* nobody but KCSAN says so, frames or none */
	check("BUG: KCSAN: data-race in a / b\nread-write to 0xffff888012345678 of 1 bytes by task 1596 on cpu 11:\n"
	      "Reported by Kernel Concurrency Sanitizer on:\nThey say.\n",
	      on_kinds, "kcsan 1+4 open\n");
	/* it is one with what old i386 and the panics of 2.4 say behind it */
	check(FAULT " printing eip:\nc01194ae\n", on_kinds, "page-fault 1+3 open\n");
	check("Kernel panic: Aiee, killing interrupt handler!\n"
	      "In interrupt handler - not syncing\n",
	      on_kinds, "panic 1+2 open\n");
	check("Kernel panic: they say\n", on_kinds, "");
	/* or with rows of registers */
	check("Unhandled kernel unaligned access[#1]:\nCpu 0\n"
	      "$ 0   : 0000000000000000 ffffffff940044e0 996bffffff4093b8 0000000000000000\n"
	      "$ 4   : ffffffff8026a280 ffffffffdc620028 0000000000000000 996bffffff409398\n",
	      on_kinds, "alignment 1+4 open\n");
	check("Unhandled kernel unaligned access[#1]:\nCpu 0\n", on_kinds, "");
	check(AT("   10", "BUG: KASAN: wild-memory-access in a_b+0x1/0x20"), on_kinds,
	      "kasan-wild 1+1 open\n");
	check("general protection fault: 0000 [#1]\n", on_kinds, "");
	check(AT("   10", "general protection fault: 0000 [#1]"), on_kinds, "");
	check("BUG: Bad page state in process a  pfn:12345\n", on_kinds, "bad-state 1+1 open\n");
	/* its beginning is lost: a program counter, registers and an end are a report still */
	check(AT("   10", "RIP: 0010:a_b+0x1/0x20") AT("   10", "RAX: 0000000000000001")
		      AT("   10", "---[ end trace 0000000000000000 ]---"),
	      on_kinds, "other 1+3 headless\n");
	check(AT("   10", "RIP: 0010:a_b+0x1/0x20") AT("   10", "RAX: 0000000000000001"), on_kinds,
	      "");
}

#define HUNG_SWITCH                                                           \
	"\"echo 0 > /proc/sys/kernel/hung_task_timeout_secs\" disables this " \
	"message.\n"
#define BUGGY                                                           \
	"The buggy address belongs to the object at ffff88810a1b2c00\n" \
	" which belongs to the cache kmalloc-64 of size 64\n"
#define INSIDE "The buggy address is located 8 bytes inside of\n"
#define THREE " a_b+0x1/0x20\n c+0x1/0x20\n d+0x2/0x30\n"

/* Which of its findings KASAN tells of, where the headline is lost, by what it says of memory. */
TEST(what_kasan_says_of_an_object_is_what_it_found)
{
	/* beside it; within, and who freed it; free still; in use again, as v6.4 has it */
	check("Call Trace:\n" THREE BUGGY "The buggy address is located 8 bytes to the right of\n"
	      " 64-byte region [ffff88810a1b2c00, ffff88810a1b2c40)\n",
	      on_kinds, "kasan-out-of-bounds 1+8 open headless\n");
	check("Call Trace:\n" THREE "Freed by task 7:\n e+0x1/0x20\n" BUGGY INSIDE
	      " 64-byte region [ffff88810a1b2c00, ffff88810a1b2c40)\n",
	      on_kinds, "kasan-use-after-free 1+10 open headless\n");
	check("Call Trace:\n" THREE BUGGY INSIDE " freed 64-byte region [ffff88810a1b2c00, 40)\n",
	      on_kinds, "kasan-use-after-free 1+8 open headless\n");
	check("Call Trace:\n" THREE "Freed by task 7:\n e+0x1/0x20\n" BUGGY INSIDE
	      " allocated 64-byte region [ffff88810a1b2c00, ffff88810a1b2c40)\n",
	      on_kinds, "other 1+10 open headless\n");
	check("Call Trace:\n" THREE BUGGY INSIDE " 64-byte region [ffff88810a1b2c00, 40)\n",
	      on_kinds, "other 1+8 open headless\n");
}

/* A screen shows the last lines only: a trace with what stands only in reports is one. */
TEST(what_is_left_of_a_report_is_one)
{
	check("RIP: 0010:a_b+0x1/0x20\nRAX: 0000000000000001 RBX: 0000000000000002\nCall Trace:\n"
	      " <IRQ>\n" THREE,
	      on_kinds, "other 1+7 open headless\n");
	check("Call Trace:\n" THREE "---[ end trace 0000000000000000 ]---\n", on_kinds,
	      "other 1+5 headless\n");
	/* what the panic says of the report before it is that it was an oops */
	check(THREE "Kernel panic - not syncing: Fatal exception in interrupt\n", on_kinds,
	      "other 1+4 open headless\n");
	check(THREE "Kernel panic - not syncing: hung_task: blocked tasks\n", on_kinds,
	      "hung-task 1+4 open headless\n");
	/* the line about the switch is the second one, and with the first nothing is lost */
	check(HUNG_SWITCH THREE, on_kinds, "hung-task 1+4 open headless\n");
	check("INFO: task a:7 blocked for more than 120 seconds.\n" HUNG_SWITCH THREE, on_kinds,
	      "hung-task 1+5 open\n");
	/* lines and functions that one kind of report has; a trace of an allocation begins one */
	check("Allocated by task 9:\n" THREE "The buggy address belongs to the object at a\n",
	      on_kinds, "other 1+5 open headless\n");
	check("Call Trace:\n dump_stack+0x1/0x20\n __schedule_bug+0x1/0x20\n" THREE, on_kinds,
	      "sched-atomic 1+6 open headless\n");
	check("Call Trace:\n ? __schedule_bug+0x1/0x20\n" THREE, on_kinds, "");
	/* that KASAN shows the page makes it no bad page */
	check("Allocated by task 9:\n" THREE "page dumped because: kasan: bad access detected\n",
	      on_kinds, "other 1+5 open headless\n");
	check("read to 0x12345678 of 8 bytes by task 1 on cpu 0:\n" THREE
	      "Reported by Kernel Concurrency Sanitizer on:\n",
	      on_kinds, "kcsan 1+5 open headless\n");
	/* the code that the kernel was in */
	/* the program counter, its code and registers are a report's, without a trace, too */
	check("RIP: 0010:a_b+0x11e/0x4f0\nCode: 48 89 e5 <0f> 0b\nRSP: 0018:ffffbd7940c0fd70 EFLAGS: 00000202\n"
	      "RAX: 0000000000000001 RBX: 0000000000000246 RCX: 0000000000000001\n"
	      "RDX: 0000000000000001 RSI: ffff9e6afbd3a9a0 RDI: ffff9e6ac0072db0\n",
	      on_kinds, "other 1+5 open headless\n");
	check("RIP: 0033:0x7f8020f0fe94\nCode: 48 89 e5 <0f> 0b\nRSP: 002b:00007fff61974728 EFLAGS: 00000202\n"
	      "RAX: 0000000000000001 RBX: 0000000000000246 RCX: 0000000000000001\n"
	      "RDX: 0000000000000001 RSI: ffff9e6afbd3a9a0 RDI: ffff9e6ac0072db0\n",
	      on_kinds, "");
	/* frames without names are few words, but the panic tells that an oops stood before it */
	check("Call trace:\n 0xffffffc078f78a18 [a@00000000936acc78+0xe000]\n 0xffffffc08005a134\n"
	      "Code: f9401b00 eb00035f 54000120 a9430702 (f9000459)\n"
	      "---[ end trace 0000000000000000 ]---\n"
	      "Kernel panic - not syncing: Oops: Fatal exception in interrupt\n"
	      "SMP: stopping secondary CPUs\n",
	      on_kinds, "panic 1+7 headless\n");
	/* who tells of slabs, of memory that is used up, and of pages that are not to be had */
	check("Call Trace:\n[<8010f07c>] dump_stack+0x9c/0xe0\n"
	      "[<80106a58>] check_bytes_and_report+0xc4/0x10c\n[<802ec480>] a_b+0xd4/0xec\n",
	      on_kinds, "slab-corruption 1+4 open headless\n");
	check("Call Trace:\n[<8010f07c>] dump_stack+0x9c/0xe0\n"
	      "[<80106a58>] warn_alloc+0xc4/0x10c\n[<802ec480>] a_b+0xd4/0xec\n",
	      on_kinds, "page-alloc 1+4 open headless\n");
	check("Call Trace:\n[<8010f07c>] dump_stack+0x9c/0xe0\n"
	      "[<80106a58>] dump_header+0xc4/0x10c\n[<802ec480>] a_b+0xd4/0xec\n",
	      on_kinds, "oom 1+4 open headless\n");
	check("Code: 48 89 e5 <0f> 0b\nCall Trace:\n" THREE, on_kinds, "other 1+5 open headless\n");
	/* that it is an oops is not the first that a kernel says of an access */
	check("Oops: 0000 [#1] SMP\n" PROCESS "RIP: 0010:a_b+0x1/0x20\nCall Trace:\n" THREE,
	      on_kinds, "page-fault 1+7 open headless\n");
	check("kernel tried to execute NX-protected page - exploit attempt? (uid: 0)\n"
	      "BUG: unable to handle page fault for address: ffffffffc0123456\n"
	      "Oops: 0011 [#1] SMP\n" PROCESS "RIP: 0010:a_b+0x1/0x20\nCall Trace:\n" THREE,
	      on_kinds, "page-fault 1+9 open\n");
	/* dump_stack() prints a trace and no more: no report */
	check("Call Trace:\n" THREE, on_kinds, "");
	check(PROCESS "Call Trace:\n" THREE, on_kinds, "");
	/* registers stand in reports only */
	check("RBP: 0000000000000001 R08: 0000000000000002 R09: 0000000000000003\n"
	      "CR2: 0000000000000001 CR3: 0000000000000002 CR4: 0000000000000003\nCall Trace:\n" THREE,
	      on_kinds, "other 1+6 open headless\n");
	/* the process with its registers, and who prints reports */
	check("Pid: 6655, comm: a Tainted: P        (2.6.24 #1)\n"
	      "EIP: 0060:[<f889bd3a>] EFLAGS: 00210202 CPU: 0\nEIP is at a_b+0xa/0x30\n"
	      "EAX: 7542442f EBX: f5fe2400 ECX: fffffffe EDX: f5fe2400\n"
	      "ESI: f67b79c0 EDI: f5873ee0 EBP: f5f88588 ESP: f5401dd4\n",
	      on_kinds, "other 1+5 open headless\n");
	check(" vpanic+0x1/0x20\n" THREE, on_kinds, "other 1+4 open headless\n");
	check(" pandemonium+0x1/0x20\n" THREE, on_kinds, "");
	/* a program fell, and arm's kernel shows it because somebody asked it to */
	check("CPU: 2 PID: 3262 Comm: a Not tainted 3.10.49 #1\nPC is at 0xaf879602\n"
	      "pc : [<af879602>]    lr : [<b503eaad>]    psr: 400d0030\n"
	      "Flags: nZcv  IRQs on  FIQs on  Mode USER_32  ISA Thumb  Segment user\n"
	      " [<c010aff0>] (a_b+0x0/0xe0) from [<c01092ec>] (c_d+0x10/0x14)\n"
	      " [<c01092ec>] (c_d+0x10/0x14) from [<c0110740>] (e_f+0xfc/0x148)\n"
	      " [<c0110740>] (e_f+0xfc/0x148) from [<c0110a74>] (g_h+0x2e8/0x370)\n",
	      on_kinds, "");
	/* a program's counter and code are not the kernel's */
	check("Call Trace:\n" THREE "RIP: 0033:0x7f0000001234\nCode: 48 89 e5 <0f> 0b\n", on_kinds,
	      "");
	/* too little of a trace */
	check("RIP: 0010:a_b+0x1/0x20\nCall Trace:\n a_b+0x1/0x20\n", on_kinds, "");
	/* somebody asked for it */
	check("sysrq: Show Regs\nRIP: 0010:a_b+0x1/0x20\nCall Trace:\n" THREE, on_kinds, "");
	check("NMI backtrace for cpu 1\n" PROCESS "RIP: 0010:a_b+0x1/0x20\nCall Trace:\n" THREE,
	      on_kinds, "");
}

/* A machine that panics as soon as it is up, and is booted again: the clock tells the lives apart.
 */
TEST(each_life_has_its_own_reports)
{
#define SOON "[    3.000000] Kernel panic - not syncing: a\n[    3.000001] " PROCESS
#define BANNER "Linux version 6.1.0 (a@b) #1 SMP\n"
	check(SOON "[    0.000000] " BANNER SOON, on_kinds, "panic 1+2\npanic 4+2 open\n");
	/* without a time it may be xmon's, which says in the middle of a report which kernel it
	 * is of; the line itself is none of the report's four */
	check(SOON BANNER "[    3.000002] Call Trace:\n[    3.000003]  a_b+0x1/0x20\n", on_kinds,
	      "panic 1+4 open\n");
	check("[    3.000000] " BANNER SOON, on_kinds, "panic 2+2 open\n");
}

/* The headline of a soft lockup is lost. */
TEST(soft_lockups_are_told_by_their_traces)
{
	/* before what a watchdog interrupted it stands itself as a guess, and behind it as one that
	 * tells nothing */
	check("Call Trace:\n <IRQ>\n ? __pfx_watchdog_timer_fn+0x10/0x10\n ? hrtimer_interrupt+0x1/0x20\n" THREE,
	      on_kinds, "soft-lockup 1+7 open headless\n");
	check("RIP: 0010:a_b+0x1/0x20\nCode: 48 <f3> 90\nCall Trace:\n <IRQ>\n ? watchdog_timer_fn+0x1/0x20\n" THREE,
	      on_kinds, "soft-lockup 1+8 open headless\n");
	check("Call Trace:\n" THREE " ? watchdog_timer_fn+0x1/0x20\n", on_kinds, "");
	/* up to v5.7 x86's entry of interrupts puts the complement of the vector into ORIG_RAX,
	 * that of faults -1; then the mark of an end is missing, and an earlier lockup left its
	 * taint */
	check("RIP: 0010:a_b+0x1/0x20\nCode: 48 <f3> 90\n"
	      "RSP: 0018:ffffb1c0c0a3be50 EFLAGS: 00000246 ORIG_RAX: ffffffffffffff13\nCall Trace:\n" THREE,
	      on_kinds, "soft-lockup 1+7 open headless\n");
	check("RIP: 0010:a_b+0x1/0x20\nCode: 48 <f3> 90\n"
	      "RSP: 0018:ffffb1c0c0a3be50 EFLAGS: 00000246 ORIG_RAX: ffffffffffffffff\nCall Trace:\n" THREE,
	      on_kinds, "other 1+7 open headless\n");
	check("RIP: 0010:a_b+0x1/0x20\nCode: 48 <f3> 90\nCall Trace:\n" THREE
	      "RIP: 0010:c_d+0x1/0x20\n"
	      "RSP: 0018:ffffb1c0c0a3be50 EFLAGS: 00000246 ORIG_RAX: ffffffffffffff13\n",
	      on_kinds, "other 1+8 open headless\n");
#define LOCKED_UP                                                                               \
	"CPU: 1 PID: 7 Comm: a Tainted: G             L     6.1.0 #1\nRIP: 0010:a_b+0x1/0x20\n" \
	"Code: 48 <f3> 90\nCall Trace:\n" THREE
	check(LOCKED_UP "usb 1-1: a\nusb 1-1: b\n", on_kinds, "soft-lockup 1+7 headless\n");
	check(LOCKED_UP, on_kinds, "other 1+7 open headless\n");
	check(LOCKED_UP "---[ end trace 0000000000000000 ]---\n", on_kinds, "other 1+8 headless\n");
}

TEST_MAIN
