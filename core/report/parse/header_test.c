/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the lines that say what happened: which they are, and every fact that each states. */
#include "core/base/test.h"
#include "core/report/parse/parse.h"

/* The facts that a report has, as words; only those that are there. */
static void facts_of(const struct report *r, struct buf *b)
{
	buf_str(b, report_kind_name(r->kind));
	if (r->has_cpu)
		buf_printf(b, " cpu=%" PRId64, r->cpu);
	if (r->comm)
		buf_printf(b, " comm='%s'", r->comm);
	if (r->has_pid)
		buf_printf(b, " pid=%" PRId64, r->pid);
	if (r->has_address)
		buf_printf(b, " at=%" PRIx64, r->address);
	if (r->access)
		buf_printf(b, " %s", r->access);
	if (r->has_error)
		buf_printf(b, " error=%" PRIx64, r->error);
	if (r->oops_number)
		buf_printf(b, " #%u", r->oops_number);
	if (r->where)
		buf_printf(b, " where=%s", r->where);
	if (r->named)
		buf_printf(b, " in=%s", r->named);
	if (r->named2)
		buf_printf(b, " and=%s", r->named2);
	if (r->panic)
		buf_printf(b, " panic='%s'", r->panic);
}

/* Reads lines of headlines, one after the other, into one report; "-": none is one. */
static void read_headlines(const char *text, struct report *r)
{
	report_init(r);
	while (*text) {
		size_t n = strcspn(text, "\n");
		const struct header *h = header_find(text, n);

		if (h)
			header_facts(r, h, text, n);
		text += n + (text[n] == '\n');
	}
}

/* The lines are made after the kernel's format strings; what they state stands in them. */
static const struct {
	const char *text, *facts, *subject;
} heads[] = {
	/* show_fault_oops(), __die() of x86 and what other architectures say of a fault */
	{ "BUG: kernel NULL pointer dereference, address: 0000000000000020", "null-deref at=20",
	  NULL },
	{ "BUG: unable to handle kernel NULL pointer dereference at           (null)",
	  "null-deref at=0", NULL },
	{ "BUG: unable to handle kernel paging request at ffffc90000d2f000",
	  "page-fault at=ffffc90000d2f000", NULL },
	{ "BUG: unable to handle kernel paging request at f00", "page-fault", NULL },
	{ "BUG: unable to handle page fault for address: ffffc90000d2f000",
	  "page-fault at=ffffc90000d2f000", NULL },
	{ "BUG: unable to handle page fault for address: ffffc90000d2f000\n"
	  "Oops: 0002 [#3] PREEMPT SMP",
	  "page-fault at=ffffc90000d2f000 error=2 #3", NULL },
	{ "Unable to handle kernel paging request at virtual address dead000000000122",
	  "page-fault at=dead000000000122", NULL },
	/* mips and riscv have no code, x86_64 until v2.6.24 no number sign */
	{ "Unable to handle kernel paging request at virtual address dead000000000122\nOops[#4]:",
	  "page-fault at=dead000000000122 #4", NULL },
	{ "Unable to handle kernel paging request at ffffffff00000008 RIP:\nOops: 0002 [5] SMP",
	  "page-fault at=ffffffff00000008 error=2 #5", NULL },
	{ "Unable to handle kernel NULL pointer dereference at virtual address 00000020\n"
	  "Internal error: Oops: 805 [#12] SMP ARM",
	  "null-deref at=20 error=805 #12", NULL },
	{ "Unable to handle kernel read from unreadable memory at virtual address 0000000000000020",
	  "page-fault at=20 read", NULL },
	{ "Unable to handle kernel write to read-only memory at virtual address ffff800008123456",
	  "page-fault at=ffff800008123456 write", NULL },
	{ "Unable to handle kernel execute from non-executable memory at virtual address "
	  "ffff800008123456",
	  "page-fault at=ffff800008123456 execute", NULL },
	{ "Unable to handle kernel instruction fetch (NULL pointer?)", "page-fault execute", NULL },
	{ "CPU 2 Unable to handle kernel paging request at virtual address 81230020, epc == "
	  "80102030, ra == 80102060",
	  "page-fault cpu=2 at=81230020", NULL },
	{ "BUG: Kernel NULL pointer dereference on write at 0x00000020", "null-deref at=20 write",
	  NULL },
	{ "BUG: Unable to handle kernel data access on read at 0xc0001234",
	  "page-fault at=c0001234 read", NULL },
	{ "Kernel attempted to write user page (12345678) - exploit attempt? (uid: 0)",
	  "page-fault write", NULL },
	{ "Unhandled prefetch abort: page domain fault (0x40a) at 0xbf001234",
	  "page-fault at=bf001234 execute", NULL },
	{ "general protection fault, probably for non-canonical address 0xdead000000000108: 0000 "
	  "[#1] PREEMPT SMP",
	  "gpf at=dead000000000108 error=0 #1",
	  "general protection fault, probably for non-canonical address 0xdead000000000108: 0000 "
	  "[#1] PREEMPT SMP" },
	{ "Oops: general protection fault, probably for non-canonical address 0xdead000000000108: "
	  "0008 [#1]",
	  "gpf at=dead000000000108 error=8 #1", NULL },
	{ "traps: widget[7] general protection fault ip:7f3c sp:7ffc error:0", "none", NULL },
	{ "divide error: 0000 [#2] SMP", "divide-error error=0 #2", NULL },
	{ "Alignment trap: not handling instruction e1912f9f at [<c0123456>]", "alignment", NULL },
	/* bugs and warnings, and the files that say more of what kind */
	{ "kernel BUG at fs/inode.c:417!", "bug where=fs/inode.c:417", NULL },
	{ "kernel BUG at fs/inode.c:417!\ninvalid opcode: 0000 [#1] SMP",
	  "bug error=0 #1 where=fs/inode.c:417", NULL },
	{ "invalid opcode: 0000 [#1] SMP\nkernel BUG at fs/inode.c:417!",
	  "bug error=0 #1 where=fs/inode.c:417", NULL },
	{ "kernel BUG at lib/list_debug.c:29!", "list-corruption where=lib/list_debug.c:29", NULL },
	{ "kernel BUG at mm/usercopy.c:102!", "usercopy where=mm/usercopy.c:102", NULL },
	{ "kernel BUG at lib/string_helpers.c:1048!", "fortify where=lib/string_helpers.c:1048",
	  NULL },
	{ "kernel BUG at lib/refcount.c:1!", "refcount where=lib/refcount.c:1", NULL },
	{ "list_del corruption. prev->next should be a, but was b\n"
	  "kernel BUG at lib/list_debug.c:53!",
	  "list-corruption where=lib/list_debug.c:53", NULL },
	{ "WARNING: CPU: 3 PID: 1234 at fs/inode.c:417 drop_nlink+0x2e/0x50 [widget]",
	  "warning cpu=3 pid=1234 where=fs/inode.c:417 in=drop_nlink", NULL },
	{ "WARNING: CPU: 3 PID: 1234 at fs/inode.c:417 .drop_nlink",
	  "warning cpu=3 pid=1234 "
	  "where=fs/inode.c:417 "
	  "in=.drop_nlink",
	  NULL },
	{ "WARNING: at fs/inode.c:417 drop_nlink+0x2e/0x50()",
	  "warning where=fs/inode.c:417 in=drop_nlink", NULL },
	{ "WARNING: fs/inode.c:417 at drop_nlink+0x2e/0x50, CPU#5: a/b/1234",
	  "warning cpu=5 comm='a/b' pid=1234 where=fs/inode.c:417 in=drop_nlink", NULL },
	{ "WARNING: rust/kernel/x.rs:41 at f+0x2e/0x50, CPU#0: a/7",
	  "warning cpu=0 comm='a' pid=7 where=rust/kernel/x.rs:41 in=f", NULL },
	{ "WARNING: fs/inode.c:7 at drop_nlink+0x2e/0x50, CPU#5: a/1234",
	  "warning cpu=5 comm='a' pid=1234 where=fs/inode.c:7 in=drop_nlink", NULL },
	{ "WARNING: [ret < 0] drivers/frob/bar.c:12 at bar_probe+0x1c/0x40 [bar], CPU#2: modprobe/812",
	  "warning cpu=2 comm='modprobe' pid=812 where=drivers/frob/bar.c:12 in=bar_probe",
	  "ret < 0" },
	{ "WARNING: [a[i] && b] fs/inode.c:417 at drop_nlink+0x2e/0x50, CPU#5: a/1234",
	  "warning cpu=5 comm='a' pid=1234 where=fs/inode.c:417 in=drop_nlink", "a[i] && b" },
	{ "WARNING: [ret < 0] of nothing", "none", NULL },
	{ "WARNING: kernel stack regs at ffff8801d100fea8 in frob:7 has bad 'bp' value 1",
	  "warning", NULL },
	{ "WARNING: fs/inode.h:x at f+0x2e/0x50", "none", NULL },
	{ "WARNING: fs inode.c:417 at f+0x2e/0x50", "none", NULL },
	{ "refcount_t: underflow; use-after-free.\nWARNING: CPU: 0 PID: 1 at lib/refcount.c:28 "
	  "refcount_warn_saturate+0xba/0x110",
	  "refcount cpu=0 pid=1 where=lib/refcount.c:28 in=refcount_warn_saturate",
	  "refcount_t: underflow; use-after-free." },
	{ "refcount_t hit zero at widget_put+0x2b/0x70 in widgetd[7], uid/euid: 0/0\n"
	  "WARNING: CPU: 1 PID: 7 at kernel/panic.c:681 refcount_error_report+0x9c/0xac",
	  "refcount cpu=1 pid=7 where=kernel/panic.c:681 in=widget_put",
	  "refcount_t hit zero at widget_put+0x2b/0x70 in widgetd[7], uid/euid: 0/0" },
	/* sanitizers */
	{ "BUG: KASAN: slab-use-after-free in widget_poll+0x1b3/0x200 [widget]",
	  "kasan-use-after-free in=widget_poll", "slab-use-after-free" },
	{ "BUG: KASAN: slab-out-of-bounds in widget_poll+0x1b3/0x200",
	  "kasan-out-of-bounds in=widget_poll", "slab-out-of-bounds" },
	{ "BUG: KASAN: double-free or invalid-free in widget_poll+0x1b3/0x200",
	  "kasan-invalid-free in=widget_poll", "double-free or invalid-free" },
	{ "BUG: KASAN: null-ptr-deref in instrument_atomic_read include/linux/x.h:3 [inline]",
	  "kasan-null-deref in=instrument_atomic_read", "null-ptr-deref" },
	{ "BUG: KASAN: wild-memory-access in [<ffffffff81234567>] f+0x1/0x2", "kasan-wild in=f",
	  "wild-memory-access" },
	{ "BUG: KASAN: user-memory-access in f+0x1/0x2", "kasan-wild in=f", "user-memory-access" },
	{ "BUG: KASAN: use-after-scope", "kasan-use-after-free", "use-after-scope" },
	{ "BUG: KMSAN: uninit-value in widget_sum+0x1b3/0x200", "kmsan in=widget_sum",
	  "uninit-value" },
	{ "BUG: KCSAN: data-race in widget_a / widget_b", "kcsan in=widget_a and=widget_b",
	  "data-race" },
	{ "BUG: KCSAN: assert: race in widget_a+0x1/0x2", "kcsan in=widget_a", "assert: race" },
	{ "BUG: KFENCE: use-after-free read in widget_a+0x1/0x2", "kfence read in=widget_a",
	  "use-after-free read" },
	{ "BUG: KFENCE: out-of-bounds in read_widget+0x1/0x2", "kfence in=read_widget",
	  "out-of-bounds" },
	{ "UBSAN: array-index-out-of-bounds in drivers/misc/widget.c:12:3",
	  "ubsan where=drivers/misc/widget.c:12:3", "array-index-out-of-bounds" },
	{ "UBSAN: loaded", "none", NULL },
	/* lockups, stalls and tasks that wait; names may hold colons and brackets */
	{ "watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [kworker/3:1:77]",
	  "soft-lockup cpu=3 comm='kworker/3:1' pid=77", NULL },
	{ "NMI watchdog: Watchdog detected hard LOCKUP on cpu 11", "hard-lockup cpu=11", NULL },
	{ "CPU3: Watchdog detected hard LOCKUP on cpu 5", "hard-lockup cpu=5", NULL },
	/* the second line alone, and behind the first one */
	{ "\"echo 0 > /proc/sys/kernel/hung_task_timeout_secs\" disables this message.",
	  "hung-task", NULL },
	{ "INFO: task frob:7 blocked for more than 120 seconds.\n"
	  "\"echo 0 > /proc/sys/kernel/hung_task_timeout_secs\" disables this message.",
	  "hung-task comm='frob' pid=7", NULL },
	{ "INFO: task kworker/u8:3:4242 blocked for more than 120 seconds.",
	  "hung-task comm='kworker/u8:3' pid=4242", NULL },
	{ "INFO: task a b:7 can't die for more than 120 seconds.", "hung-task comm='a b' pid=7",
	  NULL },
	{ "INFO: task a is fine", "none", NULL },
	{ "rcu: INFO: rcu_sched detected stalls on CPUs/tasks:", "rcu-stall", NULL },
	{ "rcu: INFO: rcu_sched self-detected stall on CPU", "rcu-stall", NULL },
	{ "rcu: INFO: rcu_sched is fine", "none", NULL },
	{ "bad: scheduling from the idle thread!", "sched-atomic", NULL },
	{ "BUG: scheduling while atomic: a/b/4242/0x00000002",
	  "sched-atomic "
	  "comm='a/b' pid=4242",
	  NULL },
	{ "BUG: sleeping function called from invalid context at mm/slab.h:311",
	  "sleep-atomic where=mm/slab.h:311", NULL },
	{ "WARNING: possible circular locking dependency detected", "lockdep",
	  "possible circular locking dependency detected" },
	{ "[ BUG: Invalid wait context ]", "lockdep", "Invalid wait context ]" },
	{ "BUG kmalloc-64 (Not tainted): Poison overwritten", "slab-corruption", NULL },
	{ "BUG widgets (Tainted: G OE): Object corrupt", "slab-corruption", NULL },
	{ "BUG widgets (once): Object corrupt", "none", NULL },
	{ "BUG: using smp_processor_id() in preemptible [00000000] code: a/7",
	  "lockdep comm='a' pid=7",
	  "using smp_processor_id() in preemptible [00000000] code: a/7" },
	{ "BUG: nobody knows this", "other", "nobody knows this" },
	{ "SError Interrupt on CPU2, code 0x00000000bf000002 -- SError", "serror cpu=2", NULL },
	{ "CFI failure at widget_run+0x1/0x2 [widget] (target: f+0x0/0x4; expected type: "
	  "0x12345678)",
	  "cfi in=widget_run", NULL },
	{ "mce: [Hardware Error]: CPU 6: Machine Check Exception: 5 Bank 4: be00000000100150",
	  "mce cpu=6", NULL },
	{ "illegal operation: 0001 ilc:1 [#1] SMP", "trap #1", NULL },
	{ "monitor event: 0040 ilc:2 [#1] SMP", "bug #1", NULL },
	/* panics, with what they say of their cause */
	{ "Kernel panic - not syncing: Fatal exception", "panic panic='Fatal exception'",
	  "Fatal exception" },
	{ "Job error: Kernel panic - not syncing: out of it", "panic panic='out of it'",
	  "out of it" },
	{ "Kernel panic - not syncing: Hard LOCKUP", "hard-lockup panic='Hard LOCKUP'", NULL },
	{ "Kernel panic - not syncing: softlockup: hung tasks",
	  "soft-lockup panic='softlockup: hung tasks'", NULL },
	{ "Kernel panic - not syncing: hung_task: blocked tasks",
	  "hung-task panic='hung_task: blocked tasks'", NULL },
	{ "Kernel panic - not syncing: RCU Stall", "rcu-stall panic='RCU Stall'", NULL },
	{ "Kernel panic - not syncing: stack-protector: Kernel stack is corrupted in: f+0x1/0x2",
	  "stack-overflow in=f panic='stack-protector: Kernel stack is corrupted in: f+0x1/0x2'",
	  NULL },
	{ "Kernel panic - not syncing: Asynchronous SError Interrupt",
	  "serror panic='Asynchronous SError Interrupt'", NULL },
	{ "Kernel panic - not syncing: System is deadlocked on memory",
	  "oom panic='System is deadlocked on memory'", NULL },
	{ "Kernel panic - not syncing", "panic panic=''", "" },
	{ "kernel BUG at fs/inode.c:417!\nKernel panic - not syncing: Fatal exception",
	  "bug where=fs/inode.c:417 panic='Fatal exception'", NULL },
	/* parisc's panics say what the fault was */
	{ "Kernel panic - not syncing: Page fault: bad address",
	  "page-fault panic='Page fault: bad address'", NULL },
	{ "Kernel panic - not syncing: Bad Address (null pointer deref?)",
	  "null-deref panic='Bad Address (null pointer deref?)'", NULL },
	{ "Bad Address (null pointer deref?): Code=26 (Data memory access rights trap) at addr 0000000000000000",
	  "page-fault at=0", NULL },
	{ "a: Code=2 at addr 0", "none", NULL },
	/* as 2.4 and 2.6 said it */
	{ "Kernel panic: Aiee, killing interrupt handler!",
	  "panic panic='Aiee, killing interrupt handler!'", NULL },
	{ "Badness in widget_put at drivers/widget.c:722",
	  "warning where=drivers/widget.c:722 in=widget_put", NULL },
	{ "Badness in widget_put, they say", "none", NULL },
	{ "scheduling while atomic: widgetd/0x00000200/7", "sched-atomic comm='widgetd' pid=7",
	  NULL },
	{ "scheduling while atomic: no", "none", NULL },
	/* a console put it behind a line that had no newline yet */
	{ "Configuring network interfaces...BUG: soft lockup - CPU#3 stuck for 22s! [a:7]",
	  "soft-lockup cpu=3 comm='a' pid=7", NULL },
	{ "[Bug 5159] BUG: soft lockup detected on CPU#0!", "none", NULL },
	{ "said \"BUG: soft lockup", "none", NULL },
	{ "Debug: sleeping function called from invalid context at mm/slab.c:2082",
	  "sleep-atomic where=mm/slab.c:2082", NULL },
	{ "slab error in cache_free_debugcheck(): cache `widget': double free, or memory outside object was overwritten",
	  "slab-corruption", NULL },
	{ "slab error in widgets", "none", NULL },
	{ "Slab corruption: start=c1234560, len=64", "slab-corruption", NULL },
	{ "Bad page state at free_hot_cold_page (in process 'widget', page c15c03e0)", "bad-state",
	  NULL },
	{ "Bad page state in process 'widget'", "bad-state", NULL },
	{ "NMI Watchdog detected LOCKUP on CPU1, eip c011c7cb, registers:", "hard-lockup", NULL },
	{ "NMI watchdog detected lockup on CPU#1 (50000/50000)", "hard-lockup cpu=1", NULL },
	{ "__alloc_pages: 3-order allocation failed (gfp=0x1d2/0)", "page-alloc", NULL },
	{ "VM: killing process widgetd", "oom", NULL },
	{ "INFO: rcu_preempt detected stalls on CPUs/tasks: { 0} (detected by 1, t=2102 jiffies, g=50012, c=50011, q=6543)",
	  "rcu-stall", NULL },
	/* alpha */
	{ "Kernel bug at drivers/widget.h:75\nwidgetd(1): Kernel Bug 1",
	  "bug where=drivers/widget.h:75", NULL },
	{ "widgetd(1): Oops 0", "trap", NULL },
	{ "widgetd(1): Oops, 0", "none", NULL },
	{ "widgetd(x): Oops 0", "none", NULL },
	{ "widgetd(12): Instruction fault 4", "undefined-instruction", NULL },
	/* ARC; powerpc's xmon */
	{ "[ECR   ]: 0x00230400 => Misaligned r/w from 0x00000001", "alignment", NULL },
	{ "cpu 0x2c: Vector: 300 (Data Access) at [c000001ff74d36d0]", "page-fault", NULL },
	{ "cpu 0x0: Vector: 700 (Program Check) at [c000001ff74d36d0]", "trap", NULL },
	/* typed in from a screen */
	{ "BUG unable to handle page fault for address ffffffff822c26c0",
	  "page-fault at=ffffffff822c26c0", NULL },
	{ "Kernel Panic: Attempted to kill init!", "panic panic='Attempted to kill init!'", NULL },
	{ "kernel panic - not syncing : Fault", "panic panic='Fault'", NULL },
	{ "kernel panics: a list", "none", NULL },
	/* whom it is about, where the line of the CPU may be cut off: mm/page_alloc.c, mm/memory.c,
	 * mm/oom_kill.c, lib/smp_processor_id.c */
	{ "BUG: Bad page state in process a b  pfn:02e44", "bad-state comm='a b'", NULL },
	{ "BUG: Bad page map in process a  pte:4a44e100 pmd:4dfc8831", "bad-state comm='a'", NULL },
	{ "a: page allocation failure: order:0, mode:0x20", "page-alloc comm='a'", NULL },
	{ "a b invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",
	  "oom comm='a b'", NULL },
	{ "BUG: using smp_processor_id() in preemptible [00000000] code: kworker/1:2/77",
	  "lockdep comm='kworker/1:2' pid=77", NULL },
	/* riscv's die() has these before its counter: arch/riscv/kernel/traps.c */
	{ "Oops - store (or AMO) access fault [#1]", "trap #1", NULL },
	{ "Oops - illegal instruction [#3]", "undefined-instruction #3", NULL },
	{ "Oops - load address misaligned [#1]", "alignment #1", NULL },
	{ "Oops - I did it again", "none", NULL },
	/* a console prints behind what a shell left there, and nobody types it so */
	{ "root@widget:~# Kernel panic - not syncing: they say", "panic panic='they say'", NULL },
	{ "[root@widget ~]$ BUG: KFENCE: memory corruption in a_b+0x1/0x20", "kfence in=a_b",
	  NULL },
	{ "/ # watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [a:7]",
	  "soft-lockup cpu=3 comm='a' pid=7", NULL },
	{ "# Kernel panic - not syncing: a heading", "none", NULL },
	{ "see issue # Kernel panic - not syncing: they say", "none", NULL },
	{ "root@widget:~# dmesg | grep Kernel", "none", NULL },
	/* what is nothing */
	{ "systemd: Started.", "none", NULL },
	{ "BUG", "none", NULL },
	{ "1WARNING: CPU: 1", "none", NULL },
};

TEST(every_fact_of_a_headline_is_taken)
{
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
		struct buf b = { 0 };
		struct report r;

		read_headlines(heads[i].text, &r);
		facts_of(&r, &b);
		if (!CHECK_STR(buf_text(&b), heads[i].facts) |
		    (heads[i].subject && !CHECK_STR(r.subject, heads[i].subject)))
			printf("  of '%s'\n", heads[i].text);
		buf_release(&b);
		report_release(&r);
	}
}

/* At the end of its own memory, cut anywhere. */
TEST(headlines_may_be_cut_anywhere)
{
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		for (size_t n = 1; n <= strcspn(heads[i].text, "\n"); n++) {
			char *s = malloc(n);
			const struct header *h;
			struct report r;

			memcpy(s, heads[i].text, n);
			h = header_find(s, n);
			report_init(&r);
			if (h)
				header_facts(&r, h, s, n);
			CHECK(!h == (r.kind == KIND_NONE && !r.panic));
			report_release(&r);
			free(s);
		}
}

TEST_MAIN
