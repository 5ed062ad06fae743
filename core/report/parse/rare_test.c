/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests reports of rarer kinds and architectures: file systems, memory, interrupts; parisc, ARC,
 * sparc64 and m68k. The texts have the form that the kernel's own format strings give them. */
#include "core/base/test.h"
#include "core/report/report.h"

static bool on_report(struct report *r, void *arg)
{
	struct buf *b = arg;

	buf_printf(b, "%s%s %s %s", b->n ? "; " : "", report_kind_name(r->kind),
		   r->function ? r->function : "-", r->arch ? r->arch : "-");
	if (r->has_address)
		buf_printf(b, " at 0x%" PRIx64, r->address);
	if (r->access)
		buf_printf(b, " %s", r->access);
	if (!report_is_fault(r))
		buf_str(b, " no fault");
	return true;
}

static const struct {
	const char *text, *want;
} reports[] = {
	/* who asked for the memory, behind the allocator's own functions */
	{ "[  812.345678] widgetd: page allocation failure: order:5, mode:0x40cc0(GFP_KERNEL|__GFP_COMP), nodemask=(null),cpuset=/,mems_allowed=0\n"
	  "[  812.345680] CPU: 2 PID: 4321 Comm: widgetd Not tainted 6.1.0-18-amd64 #1\n"
	  "[  812.345682] Hardware name: Widget Works\n"
	  "[  812.345684] Call Trace:\n"
	  "[  812.345685]  <TASK>\n"
	  "[  812.345686]  dump_stack_lvl+0x44/0x5c\n"
	  "[  812.345687]  warn_alloc+0x132/0x1b0\n"
	  "[  812.345688]  __alloc_pages_slowpath.constprop.0+0xc31/0xc80\n"
	  "[  812.345689]  __alloc_pages+0x215/0x230\n"
	  "[  812.345690]  kmalloc_large_node+0x7a/0x80\n"
	  "[  812.345691]  widget_ring_grow+0x44/0x120 [widget]\n"
	  "[  812.345692]  do_syscall_64+0x58/0xc0\n"
	  "[  812.345693]  </TASK>\n"
	  "[  812.345694] Mem-Info:\n"
	  "[  812.345695] active_anon:1234 inactive_anon:5678\n",
	  "page-alloc widget_ring_grow x86_64 no fault" },
	/* from v2.6.37 to v4.5 the watchdog of hard lockups warned; the machine's name stood before
	 * its words at first */
	{ "------------[ cut here ]------------\n"
	  "WARNING: CPU: 3 PID: 7 at kernel/watchdog.c:265 watchdog_overflow_callback+0x98/0xc0()\n"
	  "Watchdog detected hard LOCKUP on cpu 3\nModules linked in: widget\n"
	  "CPU: 3 PID: 7 Comm: widgetd Not tainted 3.16.0 #1\nCall Trace:\n"
	  " <NMI>  [<ffffffff8150b4c5>] dump_stack+0x41/0x51\n"
	  " [<ffffffff81067767>] warn_slowpath_common+0x77/0x90\n"
	  " [<ffffffff810677cc>] warn_slowpath_fmt+0x4c/0x50\n"
	  " [<ffffffff810fccd8>] watchdog_overflow_callback+0x98/0xc0\n"
	  " [<ffffffff8113a0c4>] __perf_event_overflow+0x84/0x1d0\n"
	  " [<ffffffff8101c6a0>] intel_pmu_handle_irq+0x1f0/0x450\n"
	  " [<ffffffff8150f6a1>] end_repeat_nmi+0x1e/0x2e\n"
	  " <<EOE>>  [<ffffffffa0234567>] widget_poll+0x44/0x90 [widget]\n"
	  " [<ffffffff81087a9d>] kthread+0xbd/0xe0\n---[ end trace e9d0a0e126121c76 ]---\n",
	  "hard-lockup widget_poll x86_64" },
	{ "------------[ cut here ]------------\n"
	  "WARNING: at kernel/watchdog.c:224 watchdog_overflow_callback+0xd4/0x100()\n"
	  "Hardware name: Widget Works\nWatchdog detected hard LOCKUP on cpu 0\n"
	  "Modules linked in: widget\n",
	  "hard-lockup - -" },
	/* no function of the trace: the handler, and of two the one with work to do */
	{ "[   33.100000] irq 17: nobody cared (try booting with the \"irqpoll\" option)\n"
	  "[   33.100001] CPU: 0 PID: 0 Comm: swapper/0 Not tainted 6.1.0 #1\n"
	  "[   33.100002] Call Trace:\n"
	  "[   33.100003]  <IRQ>\n"
	  "[   33.100004]  dump_stack_lvl+0x44/0x5c\n"
	  "[   33.100005]  __report_bad_irq+0x35/0xa7\n"
	  "[   33.100006]  note_interrupt.cold+0xb/0x61\n"
	  "[   33.100007]  handle_irq_event+0x70/0x80\n"
	  "[   33.100008]  </IRQ>\n"
	  "[   33.100009]  default_idle+0x11/0x20\n"
	  "[   33.100010] handlers:\n"
	  "[   33.100011] [<00000000d5bd0acf>] irq_default_primary_handler threaded [<000000001c6f1111>] widget_irq_thread [widget]\n"
	  "[   33.100012] Disabling IRQ #17\n",
	  "irq-unhandled widget_irq_thread x86_64" },
	{ "[  100.000000] EXT4-fs error (device sda2): ext4_find_entry:1455: inode #12: comm ls: reading directory lblock 0\n"
	  "[  100.000010] Aborting journal on device sda2-8.\n"
	  "[  100.000020] EXT4-fs (sda2): Remounting filesystem read-only\n",
	  "fs-error ext4_find_entry -" },
	/* one such line is an ordinary day's */
	{ "[  100.000000] EXT4-fs (sda2): mounted filesystem with ordered data mode\n"
	  "[  100.000000] EXT4-fs error (device sda2): ext4_find_entry:1455: inode #12: comm ls: reading directory lblock 0\n"
	  "[  100.000010] usb 1-1: new device\n",
	  "" },
	{ "[  200.000000] XFS (dm-1): Internal error XFS_WANT_CORRUPTED_GOTO at line 1234 of file fs/xfs/libxfs/xfs_alloc.c.  Caller xfs_free_extent+0x11/0x120 [xfs]\n"
	  "[  200.000001] CPU: 1 PID: 77 Comm: kworker/1:2 Not tainted 6.1.0 #1\n"
	  "[  200.000002] Call Trace:\n"
	  "[  200.000003]  dump_stack+0x44/0x5c\n"
	  "[  200.000004]  xfs_free_ag_extent+0x55/0x700 [xfs]\n"
	  "[  200.000005]  xfs_free_extent+0x11/0x120 [xfs]\n"
	  "[  200.000006] XFS (dm-1): Corruption of in-memory data (0x8) detected at xfs_trans_cancel+0x12/0x130 [xfs] (fs/xfs/xfs_trans.c:1097).  Shutting down filesystem.\n"
	  "[  200.000007] XFS (dm-1): Please unmount the filesystem and rectify the problem(s)\n",
	  "fs-error xfs_free_extent -" },
	{ "[  300.000000] BTRFS: error (device sdb1) in btrfs_commit_transaction:2018: errno=-5 IO failure (Error while writing out transaction)\n"
	  "[  300.000001] BTRFS info (device sdb1): forced readonly\n",
	  "fs-error btrfs_commit_transaction -" },
	/* a storm of corrected errors, none of which is the kernel's */
	{ "[   50.200000] EDAC MC0: 1 CE memory read error on CPU_SrcID#0\n"
	  "[   51.200000] EDAC MC0: 3 CE memory read error on CPU_SrcID#0\n"
	  "[   52.200000] EDAC MC0: 9 CE memory read error on CPU_SrcID#0\n",
	  "edac-ce - - no fault" },
	{ "[   50.200000] EDAC MC1: 1 UE memory read error on unknown memory (channel:1 page:0x1 offset:0x0)\n",
	  "edac-ue - -" },
	/* that the kernel then panics is a report of its own */
	{ "[ 1000.000000] Uhhuh. NMI received for unknown reason 2d on CPU 3.\n"
	  "[ 1000.000002] Kernel panic - not syncing: NMI: Not continuing\n",
	  "nmi-unknown - - no fault; panic - -" },
	{ "[ 1000.000000] Uhhuh. NMI received for unknown reason 2d on CPU 3.\n"
	  "[ 1000.000001] Do you have a strange power saving mode enabled?\n"
	  "[ 1000.000002] Dazed and confused, but trying to continue\n",
	  "nmi-unknown - - no fault" },
	{ "[  500.000000] Watchdog CPU:59 Hard LOCKUP\n"
	  "[  500.000001] CPU: 59 PID: 0 Comm: swapper/59 Not tainted 4.13.0 #1\n"
	  "[  500.000002] NIP:  c0000000000abcde LR: c0000000000abcd0 CTR: c000000000001234\n"
	  "[  500.000003] NIP [c0000000000abcde] widget_turn+0x1c/0x80\n"
	  "[  500.000004] LR [c0000000000abcd0] widget_turn+0x10/0x80\n"
	  "[  500.000005] Call Trace:\n"
	  "[  500.000006] [c000000ff0123a90] [c0000000000abcd0] widget_turn+0x10/0x80\n"
	  "[  500.000007] [c000000ff0123ac0] [c0000000000abddd] widget_work+0x10/0x80\n",
	  "hard-lockup widget_work ppc64" },
	{ "[   10.000000] Kernel Fault: Code=15 (Data TLB miss fault) at addr 0000000000000010\n"
	  "[   10.000001] CPU: 0 PID: 812 Comm: widgetd Not tainted 6.1.0-parisc64 #1\n"
	  "[   10.000002] Hardware name: 9000/785/C8000\n"
	  "[   10.000003]      YZrvWESTHLNXBCVMcbcbcbcbOGFRQPDI\n"
	  "[   10.000004] PSW: 00001000000001101111111100001111 Not tainted\n"
	  "[   10.000005] r00-03  000000ff0806ff0f 0000000040abc000 00000000401b2c3c 00000000412340e0\n"
	  "[   10.000006] IASQ: 0000000000000000 0000000000000000 IAOQ: 00000000401b2c40 00000000401b2c44\n"
	  "[   10.000007]  IIR: 0f80109c    ISR: 0000000000000000  IOR: 0000000000000010\n"
	  "[   10.000008]  IAOQ[0]: widget_poll+0x40/0x120 [widget]\n"
	  "[   10.000009]  IAOQ[1]: widget_poll+0x44/0x120 [widget]\n"
	  "[   10.000010]  RP(r2): widget_poll+0x3c/0x120 [widget]\n"
	  "[   10.000011] Backtrace:\n"
	  "[   10.000012]  [<00000000401b2d54>] gadget_run+0x54/0x98 [widget]\n"
	  "[   10.000013]  [<000000004020a1c0>] kthread+0x120/0x130\n"
	  "[   10.000014] Kernel panic - not syncing: Kernel Fault\n",
	  "null-deref widget_poll parisc at 0x10" },
	{ "Oops\n"
	  "Path: /sbin/widgetd\n"
	  "CPU: 0 PID: 54 Comm: widgetd Not tainted 4.19.0 #3\n"
	  "[ECR   ]: 0x00050200 => Invalid Write @ 0x00000008 by insn @ 0x8003a4a2\n"
	  "[EFA   ]: 0x00000008\n"
	  "[BLINK ]: gadget_run+0x86/0x1bc\n"
	  "[ERET  ]: widget_poke+0x2/0x8\n"
	  "[STAT32]: 0x00000a06 : K         E2 E1\n"
	  "BTA: 0x8003a49c\t SP: 0x8f031ed8\t FP: 0x00000000\n"
	  "r00: 0x00000000\tr01: 0x00000001\tr02: 0x8f02f000\n"
	  "\n"
	  "Stack Trace:\n"
	  "  widget_poke+0x2/0x8\n"
	  "  gadget_run+0x86/0x1bc\n"
	  "  ret_from_fork+0x4/0x8\n",
	  "null-deref widget_poke arc at 0x8 write" },
	{ "[    5.000000] Unable to handle kernel NULL pointer dereference\n"
	  "[    5.000001] tsk->{mm,active_mm}->context = 0000000000000003\n"
	  "[    5.000002]               \\|/ ____ \\|/\n"
	  "[    5.000003]               \"@'/ .. \\`@\"\n"
	  "[    5.000004] widgetd(812): Oops [#1]\n"
	  "[    5.000005] CPU: 1 PID: 812 Comm: widgetd Not tainted 6.1.0-sparc64 #1\n"
	  "[    5.000006] TSTATE: 0000004411001606 TPC: 00000000104ab012 TNPC: 00000000104ab016 Y: 00000000    Not tainted\n"
	  "[    5.000007] TPC: <widget_poll+0x12/0x60 [widget]>\n"
	  "[    5.000008] g0: 0000000000000001 g1: 0000000000000000 g2: 0000000000000000 g3: 0000000000000000\n"
	  "[    5.000009] RPC: <gadget_run+0x10/0x60 [widget]>\n"
	  "[    5.000010] I7: <gadget_run+0x10/0x60 [widget]>\n"
	  "[    5.000011] Call Trace:\n"
	  "[    5.000012]  [00000000104ab310] gadget_run+0x10/0x60 [widget]\n"
	  "[    5.000013] Caller[00000000104ab310]: gadget_run+0x10/0x60 [widget]\n"
	  "[    5.000014] Caller[00000000004060f4]: linux_sparc_syscall+0x34/0x44\n",
	  "null-deref widget_poll sparc64" },
	/* the first frame of the trace stands on its first line */
	{ "Unable to handle kernel NULL pointer dereference at virtual address 00000008\n"
	  "Oops: 00000000\n"
	  "Modules linked in: widget\n"
	  "PC: [<0000c8c0>] widget_poll+0x10/0x40\n"
	  "SR: 2000  SP: 01c2bd58  a2: 01c2c000\n"
	  "d0: 00000000    d1: 00000000    d2: 00000001    d3: 00000002\n"
	  "Process widgetd (pid: 812, task=01c2c000)\n"
	  "Frame format=7 eff addr=00000008 ssw=0505 faddr=00000008\n"
	  "Stack from 01c2bd8c:\n"
	  "        00000000 00001234 00002345 00000000 01c2bd8c 00000000\n"
	  "Call Trace: [<00001234>] gadget_run+0x24/0x80\n"
	  " [<00002345>] kthread+0xb2/0xc0\n"
	  " [<00002b3c>] ret_from_kernel_thread+0xc/0x14\n"
	  "\n"
	  "Code: 4e75 4e56 0000\n",
	  "null-deref widget_poll m68k at 0x8" },
	/* that memory runs out is no fault, and a panic of it is */
	{ "[   60.000000] widgetd invoked oom-killer: gfp_mask=0x140cca(GFP_HIGHUSER_MOVABLE|__GFP_COMP), order=0, oom_score_adj=0\n"
	  "[   60.000001] CPU: 0 PID: 500 Comm: widgetd Not tainted 6.1.0-18-amd64 #1\n"
	  "[   60.000002] Call Trace:\n"
	  "[   60.000003]  dump_header+0x4a/0x211\n"
	  "[   60.000004] Mem-Info:\n"
	  "[   60.000005] Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled\n"
	  "[   60.000006] CPU: 0 PID: 500 Comm: widgetd Not tainted 6.1.0-18-amd64 #1\n"
	  "[   60.000007] Call Trace:\n"
	  "[   60.000008]  panic+0x118/0x2ed\n",
	  "oom - x86_64; oom - x86_64" },
	/* x86_64 until 2.6.17: whose caller is to blame, by frames in braces, several in a line */
	{ "Unable to handle kernel paging request at ffffffff00000008 RIP: \n"
	  "<ffffffff801d1234>{strlen+4}\nPGD 103027 PUD 0 \nOops: 0000 [1] SMP \nCPU 1 \n"
	  "Modules linked in: widget\nPid: 2345, comm: cat Not tainted 2.6.11-1.1369_FC4smp\n"
	  "RIP: 0010:[<ffffffff801d1234>] <ffffffff801d1234>{strlen+4}\n"
	  "RSP: 0018:ffff81001f0a3e98  EFLAGS: 00010246\n"
	  "Call Trace:<ffffffff8801ab12>{:widget:widget_name+18} <ffffffff8801ab92>{:widget:widget_read+34}\n"
	  "       <ffffffff80178f3b>{vfs_read+184} <ffffffff80179373>{sys_read+69}\n"
	  "       <ffffffff8010e6fa>{system_call+126} \n\nCode: 80 3f 00 48 89 f8 74 0d 90 48 ff c0 80 38 00 75 \n"
	  "RIP <ffffffff801d1234>{strlen+4} RSP <ffff81001f0a3e98>\n",
	  "page-fault widget_name x86_64 at 0xffffffff00000008 read" },
};

TEST(rarer_reports_are_read)
{
	for (size_t i = 0; i < ARRAY_SIZE(reports); i++) {
		struct buf b = { 0 };
		struct report_stream *s = report_stream_open("test", on_report, &b);

		report_stream_feed(s, reports[i].text, strlen(reports[i].text));
		report_stream_close(s);
		CHECK_STR(buf_text(&b), reports[i].want);
		buf_release(&b);
	}
}

static bool on_machine(struct report *r, void *arg)
{
	const struct report_frame *pc = r->pc >= 0 ? &r->frames.p[r->pc] : NULL;
	struct buf *b = arg;

	buf_printf(b, "%s %s", r->arch ? r->arch : "-", r->release ? r->release : "-");
	if (r->has_cpu)
		buf_printf(b, " cpu %" PRId64, r->cpu);
	if (r->has_taint)
		buf_printf(b, " taint '%s'", r->taint ? r->taint : "");
	if (pc && pc->src_line)
		buf_printf(b, " %s:%u", pc->src_file, pc->src_line);
	if (pc && pc->func && (!pc->size || !pc->has_off))
		buf_printf(b, " in %s", pc->func);
	return true;
}

#define NULL_DEREF "Unable to handle kernel NULL pointer dereference at virtual address 00000008\n"

static const struct {
	const char *text, *want;
} machines[] = {
	/* alpha: the headline says paging request, and neither frames nor an end follow */
	{ "Unable to handle kernel paging request at virtual address 0000000000000008\n"
	  "swapper(1): Oops 0\n"
	  "pc = [<fffffc0000c085e0>]  ra = [<fffffc0000c085d4>]  ps = 0000    Not tainted\n"
	  "pc is at a_b+0x1e0/0x3d4\nra is at c_d+0x1d4/0x3d4\n"
	  "v0 = 0000000000000001  t0 = 0000000000000000  t1 = fffffc0000c40db8\n",
	  "alpha -" },
	/* ARC names process and kernel before it says what happened */
	{ "Oops\nPath: (null)\nCPU: 3 PID: 7 Comm: a Not tainted 5.1.0+ #1\n\n"
	  "[ECR   ]: 0x00050100 => Invalid Read @ 0x01200000 by insn @ 0x800a8bc6\n"
	  "[ERET  ]: a_b+0x6/0x88\n",
	  "arc 5.1.0+ cpu 3 taint ''" },
	/* the code of the error: arm64's syndrome, arm's status; how wide a stack's limit is */
	{ "[    1.000000] Internal error: Oops: 96000005 [#1] PREEMPT SMP\n", "aarch64 -" },
	{ "[    1.000000] Internal error: Oops: 805 [#1] PREEMPT SMP\n", "arm -" },
	{ "[    1.000000] Oops: 805 [#1] PREEMPT SMP\n", "- -" },
	{ "[    1.000000] Unable to handle kernel paging request at virtual address 7d000db5\n"
	  "[    1.000001] Process a (pid: 1, stack limit = 0xc0c182e8)\n",
	  "arm -" },
	{ "[    1.000000] Unable to handle kernel paging request at virtual address 7d000db5\n"
	  "[    1.000001] Process a (pid: 1, stack limit = 0x00000000aeaa45cd)\n",
	  "aarch64 -" },
	/* where the code lies: mips's below its modules; one frame there may be arm's; addresses
	 * that the kernel hides have 16 digits; powerpc's frames have no angles */
	{ "BUG: soft lockup - CPU#1 stuck for 22s! [a:7]\nCall Trace:\n [<80132998>] a_b+0x1/0x20\n"
	  " [<c0132998>] c+0x1/0x20 [m]\n [<80132900>] d+0x1/0x20\n [<80132904>] e+0x1/0x20\n",
	  "mips - cpu 1" },
	{ "BUG: soft lockup - CPU#1 stuck for 22s! [a:7]\nCall Trace:\n [<80132998>] a_b+0x1/0x20\n",
	  "- - cpu 1" },
	{ "BUG: soft lockup - CPU#1 stuck for 22s! [a:7]\nCall Trace:\n"
	  " [<00000000c0132998>] a_b+0x1/0x20\n",
	  "- - cpu 1" },
	{ "BUG: soft lockup - CPU#1 stuck for 22s! [a:7]\nCall Trace:\n"
	  " [c1c6de08] [c0005390] a_b+0x1/0x20\n",
	  "ppc - cpu 1" },
	/* where all memory is mapped: a stack's words, an object's address */
	{ "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks: (detected by 6, t=21002 jiffies, g=1)\n"
	  "Stack : 00000000000000b4 90000000036958b0 90000001001585b0 9000000002f3ac70\n",
	  "loongarch64 -" },
	{ "BUG: memory leak\nunreferenced object 0xffff88007658a9e0 (size 944):\n"
	  "  backtrace:\n    [<000000005b8e4771>] a_b+0x1c0/0x3c0\n",
	  "x86_64 -" },
	/* RHEL 6 marks the taints that it does not use; a screen's words typed in lose blanks */
	{ "a: page allocation failure. order:1, mode:0x20\n"
	  "Pid: 5, comm: a Tainted: G           --------------- H  2.6.32-279.el6.x86_64 #1\n",
	  "x86_64 2.6.32-279.el6.x86_64 taint 'G           --------------- H'" },
	{ "BUG unable to handle page fault for address ffffffff822c26c0\n"
	  "#PF: supervisor read access in kernel mode\n"
	  "[.................] CPU:2 PID:105 Comm:a Not tainted 5.6.0 #1\n",
	  "x86_64 5.6.0 cpu 2 taint ''" },
	/* a mailer cut the line within the taint's letters */
	{ "[    1.000000] Unable to handle kernel paging request at virtual address 00000000fff00000\n"
	  "[    1.000001] CPU: 3 PID: 5 Comm: a Tainted: G\n     E     5.11.0-rc1-widget #173\n",
	  "- 5.11.0-rc1-widget cpu 3 taint 'G E'" },
	{ "[    1.000000] Unable to handle kernel paging request at virtual address 65776f70\n"
	  "[    1.000001] Internal error: Oops: 5 [#1] PREEMPT SMP ARM\n",
	  "arm -" },
	/* SuperH has arm's words and a status of its own */
	{ NULL_DEREF "PC is at a_b+0x10/0x20\nPR is at c_d+0x1/0x20\n"
		     "PC  : 8c1d58f8 SP  : 8c825bec SR  : 40008100 TEA : 295ce8b0\n",
	  "sh -" },
	/* powerpc: as wide as the address of the instruction; the release behind the registers */
	{ "[    1.000000] Unable to handle kernel paging request for data at address 0x00000000\n"
	  "[    1.000001] Faulting instruction address: 0xc05233c0\n",
	  "ppc -" },
	{ "Unable to handle kernel paging request for data at address 0x00000000\n"
	  "NIP: c0000000000ce3e8 LR: c0000000000cf714 CTR: 800000000013f270\n"
	  "REGS: c0000000007639f0 TRAP: 0300   Not tainted  (2.6.25-rc5)\n",
	  "ppc64 2.6.25-rc5 taint ''" },
	/* xmon's words say more of the same */
	{ "Unable to handle kernel paging request for data at address 0x00000000\n"
	  "cpu 0x1: Vector: 300 (Data Access) at [c2a13600]\n    pc: c000000000301240: .a_b+0x1/0x2\n",
	  "ppc -" },
	/* lockdep's second line, before it told of the taint */
	{ "[    1.000000] [ INFO: possible recursive locking detected ]\n"
	  "[    1.000001] 3.1.0-0.fc17.x86_64 #1\n",
	  "x86_64 3.1.0-0.fc17.x86_64" },
	/* arm64 up to v4.13 has arm's words and addresses of 64 bits */
	{ NULL_DEREF "PC is at a_b+0x10/0x20\nLR is at c_d+0x1/0x20\n"
		     "pc : [<ffffffc000123456>] lr : [<ffffffc000123400>] pstate: 60000145\n"
		     "x29: ffffffc012345678 x28: 0000000000000000\n",
	  "aarch64 -" },
	{ NULL_DEREF "PC is at a_b+0x10/0x20\npc : [<c0123456>] lr : [<c0123400>] psr: 60000013\n",
	  "arm -" },
	/* the release in the brackets that arm's line had, without them */
	{ NULL_DEREF "CPU: 1    Not tainted  (3.4.90+ #7)\nPC is at a_b+0x10/0x20\n",
	  "arm 3.4.90+ cpu 1 taint ''" },
	/* where the code lies, when nothing else tells */
	{ "BUG: soft lockup - CPU#1 stuck for 22s! [a:7]\nCall Trace:\n [<c0132998>] a_b+0x1/0x20\n",
	  "i386 - cpu 1" },
	{ "BUG: soft lockup - CPU#1 stuck for 22s! [a:7]\nCall Trace:\n"
	  " [c00000000ff1ba90] [c0000000000abcd0] a_b+0x1/0x20\n",
	  "ppc64 - cpu 1" },
	/* the letters of the words that begin a trace */
	{ "BUG: soft lockup - CPU#1 stuck for 22s! [a:7]\nCall trace:\n a_b+0x1/0x20\n",
	  "aarch64 - cpu 1" },
	/* openrisc has them, too, and addresses of eight digits, or hidden ones; SuperH as well */
	{ "BUG: soft lockup - CPU#1 stuck for 22s! [a:7]\nCall trace:\n"
	  "[<(ptrval)>] a_b+0x1/0x20\n[<(ptrval)>] ? c_d+0x1/0x20\n",
	  "- - cpu 1" },
	{ "BUG: soft lockup - CPU#1 stuck for 22s! [a:7]\nCall trace:\n[<8558de7f>] a_b+0x1/0x20\n",
	  "- - cpu 1" },
	{ "BUG: soft lockup - CPU#1 stuck for 22s! [a:7]\nCall trace:\n"
	  "[<ffffffc000086ed4>] a_b+0x1/0x20\n",
	  "aarch64 - cpu 1" },
	/* riscv's kernel lies where x86's does; its functions and its machines' names tell */
	{ "Kernel panic - not syncing: a\nCPU: 1 UID: 0 PID: 1 Comm: a Not tainted 6.12.0 #1\n"
	  "Call Trace:\n[<ffffffff800151e0>] dump_backtrace+0x1c/0x24\n"
	  "[<ffffffff80002368>] a_b+0x28/0x34\n",
	  "riscv64 6.12.0 cpu 1 taint ''" },
	{ "Kernel panic - not syncing: a\nCPU: 1 UID: 0 PID: 1 Comm: a Not tainted 6.12.0 #1\n"
	  "Hardware name: widget,board (DT)\nCall Trace:\n[<ffffffff80002368>] a_b+0x28/0x34\n",
	  "riscv64 6.12.0 cpu 1 taint ''" },
	{ "Kernel panic - not syncing: a\nCPU: 1 PID: 1 Comm: a Not tainted 4.4.0 #1\n"
	  "Hardware name: Widget Works\nCall Trace:\n [<ffffffff80002368>] a_b+0x28/0x34\n",
	  "x86_64 4.4.0 cpu 1 taint ''" },
	/* die() of i386 before v2.6.24 */
	{ "Unable to handle kernel paging request at virtual address 12345678\n printing eip:\n"
	  "c0132998\n*pde = 00000000\nOops: 0000 [#1]\nSMP\nModules linked in: a\nCPU:    2\n"
	  "EIP:    0060:[<c0132998>]    Tainted: P      VLI\n"
	  "EFLAGS: 00010246   (2.6.9-5.EL)\nEIP is at a_b+0x1/0x20\n",
	  "i386 2.6.9-5.EL cpu 2 taint 'P'" },
	/* x86_64 until 2.6.17 */
	{ "Unable to handle kernel NULL pointer dereference at 0000000000000008 RIP: \n"
	  "<ffffffff80123456>{a_b+12}\nPGD 1f3a5067 PUD 0 \nOops: 0000 [1] SMP \nCPU 1 \n"
	  "Pid: 2345, comm: a Not tainted 2.6.11-1.1369_FC4smp\n"
	  "RIP: 0010:[<ffffffff80123456>] <ffffffff80123456>{a_b+12}\n"
	  "RSP: 0018:ffff81001f0a3e98  EFLAGS: 00010246\n",
	  "x86_64 2.6.11-1.1369_FC4smp cpu 1 taint '' in a_b" },
	/* a line of a serial console that lost bytes: the name is there still */
	{ "Unable to handle kernel paging request at virtual address 00800000\nOops [#1]\n"
	  "epc : a_b+0x ra : c_d+0xepc :4c054f91 ra : c0550330 sp :0c0845ab0\n"
	  "status: 00000100 badaddr: 00800000 cause: 0000000d\n",
	  "riscv64 - in a_b" },
	/* riscv's registers have eight digits where it has 32 bits */
	{ "Unable to handle kernel paging request at virtual address 00800000\nOops [#1]\n"
	  "epc : a_b+0x10/0x20\n ra : c_d+0x1/0x20\n"
	  "epc : c0123456 ra : c0123400 sp : c1234560\n"
	  "status: 00000100 badaddr: 00800000 cause: 0000000d\n",
	  "riscv32 -" },
	/* and a program's counter may be small where it has 64 */
	{ "watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [a:7]\n"
	  "epc : 0000000000cc9d6e ra : 0000000000d80428 sp : 0000003fffe6f8a0\n"
	  " gp : 0000000001b4b478 tp : 0000003fed692710 t0 : 0000000000000020\n"
	  "status: 0000000200004020 badaddr: 0000000000000000 cause: 8000000000000005\n",
	  "riscv64 - cpu 1" },
	/* the line that somebody's script put behind the program counter */
	{ "BUG: unable to handle page fault for address: ffffffffdeadbee8\n"
	  "RIP: 0010:a_b+0x1/0x20 fs/a.c:123\nCall Trace:\n c_d+0x1/0x20 fs/c.c:4\n",
	  "x86_64 - fs/a.c:123" },
};

TEST(machines_are_known)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		struct buf b = { 0 };
		struct report_stream *s = report_stream_open("test", on_machine, &b);

		report_stream_feed(s, machines[i].text, strlen(machines[i].text));
		report_stream_close(s);
		if (!CHECK_STR(buf_text(&b), machines[i].want))
			printf("  of:\n%s", machines[i].text);
		buf_release(&b);
	}
}

static bool on_asked(struct report *r, void *arg)
{
	struct buf *b = arg;

	buf_printf(b, "%s %s %s %s|", report_kind_name(r->kind), r->asked ? r->asked : "-",
		   r->function ? r->function : "-", r->damaged ? "damaged" : r->signature);
	return true;
}

#define SYSRQ_TRACE                                                                      \
	" dump_stack_lvl+0x44/0x5c\n panic+0x118/0x2ed\n sysrq_handle_crash+0x16/0x20\n" \
	" __handle_sysrq+0x9f/0x1e0\n write_sysrq_trigger+0x24/0x40\n proc_reg_write+0x56/0xa0\n"

/* By sysrq: panic() of today on two architectures, and the write to NULL that it was until v5.5.
 * An NMI for which nothing is known to be the reason. And a panic that nobody asked for. */
static const char *const asked[] = {
	"[   60.0] sysrq: Trigger a crash\n[   60.1] Kernel panic - not syncing: sysrq triggered crash\n"
	"CPU: 0 PID: 500 Comm: bash Not tainted 6.1.0 #1\nCall Trace:\n <TASK>\n" SYSRQ_TRACE
	" do_syscall_64+0x5d/0x90\n </TASK>\n",
	"[   60.1] Kernel panic - not syncing: sysrq triggered crash\n"
	"CPU: 0 PID: 500 Comm: bash Not tainted 6.1.0 #1\nCall trace:\n" SYSRQ_TRACE
	" el0_svc+0x5d/0x90\n",
	/* of PREEMPT_RT in 5.10 each string that panic() prints is a line of its own */
	"[   60.1] Kernel panic - not syncing: \n[   60.2] sysrq triggered crash\n"
	"CPU: 0 PID: 500 Comm: bash Not tainted 5.10.0 #1\nCall Trace:\n" SYSRQ_TRACE
	" do_syscall_64+0x33/0x80\n",
	"[   60.1] BUG: unable to handle kernel NULL pointer dereference at           (null)\n"
	"IP: [<ffffffff8140d3f6>] sysrq_handle_crash+0x16/0x20\nOops: 0002 [#1] SMP\n"
	"CPU: 0 PID: 500 Comm: bash Not tainted 3.10.0 #1\n"
	"RIP: 0010:[<ffffffff8140d3f6>]  [<ffffffff8140d3f6>] sysrq_handle_crash+0x16/0x20\n"
	"Call Trace:\n [<ffffffff8140dc67>] __handle_sysrq+0x107/0x170\n"
	" [<ffffffff8140e0df>] write_sysrq_trigger+0x2f/0x40\n"
	" [<ffffffff812b7a20>] proc_reg_write+0x40/0x80\n [<ffffffff8124cb60>] vfs_write+0xc0/0x1f0\n"
	" [<ffffffff816967c9>] system_call_fastpath+0x16/0x1b\nCR2: 0000000000000000\n"
	"Kernel panic - not syncing: Fatal exception\n",
};

TEST(who_asks_for_a_crash_is_not_to_blame)
{
	struct buf first = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(asked); i++) {
		struct buf b = { 0 };
		struct report_stream *s = report_stream_open("test", on_asked, &b);

		report_stream_feed(s, asked[i], strlen(asked[i]));
		report_stream_close(s);
		if (!i)
			buf_add(&first, b.s, b.n);
		CHECK_CONTAINS(buf_text(&b), "panic sysrq - o2:panic:-:");
		CHECK_STR(buf_text(&b), buf_text(&first));
		buf_release(&b);
	}
	buf_release(&first);
}

static const struct {
	const char *panic, *want;
} panics[] = {
	{ "NMI: Not continuing", "panic an NMI - " },
	{ "An NMI occurred, please see the Integrated Management Log for details.",
	  "panic an NMI - " },
	{ "watchdog pretimeout event", "panic a watchdog - " },
	{ "VFS: Unable to mount root fs on unknown-block(0,0)", "panic - " },
};

TEST(watchdogs_and_buttons_are_not_to_blame)
{
	for (size_t i = 0; i < ARRAY_SIZE(panics); i++) {
		struct buf b = { 0 }, text = { 0 };
		struct report_stream *s = report_stream_open("test", on_asked, &b);

		buf_printf(
			&text,
			"[    1.0] Kernel panic - not syncing: %s\nCall Trace:\n panic+0x1/0x20\n"
			" widget_spin+0x12/0x40\n kthread+0x12/0x40\n",
			panics[i].panic);
		report_stream_feed(s, text.s, text.n);
		report_stream_close(s);
		CHECK(strncmp(buf_text(&b), panics[i].want, strlen(panics[i].want)) == 0);
		buf_release(&b);
		buf_release(&text);
	}
}

TEST_MAIN
