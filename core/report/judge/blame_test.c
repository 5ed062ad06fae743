/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of whom a report blames. The texts are made up in the kernel's form; who is to blame is
 * reasoned beside each. */
#include <string.h>

#include "core/base/test.h"
#include "core/report/report.h"

static bool on_report(struct report *r, void *arg)
{
	struct buf *b = arg;

	buf_printf(b, "%s", r->function ? r->function : "-");
	for (size_t i = 0; i < r->n_also; i++)
		buf_printf(b, " %s", r->also[i]);
	return false;
}

#define TASK "CPU: 0 PID: 7 Comm: frob Not tainted 6.1.0 #1\n"
#define TIMER                                                                         \
	" <IRQ>\n rcu_dump_cpu_stacks+0x1/0x90\n rcu_sched_clock_irq.cold+0x1/0x90\n" \
	" update_process_times+0x1/0x90\n __hrtimer_run_queues+0x1/0x90\n"            \
	" hrtimer_interrupt+0x1/0x90\n __sysvec_apic_timer_interrupt+0x1/0x90\n"      \
	" </IRQ>\n <TASK>\n asm_sysvec_apic_timer_interrupt+0x16/0x20\n"
#define LOCKDEP                                                                          \
	"WARNING: possible circular locking dependency detected\n6.1.0 #1 Not tainted\n" \
	"------\nfrob/7 is trying to acquire lock:\nffff888103a8c0e8 (&mm->mmap_lock){++++}-{3:3},"
#define CALL " do_syscall_64+0x3b/0x90\n entry_SYSCALL_64_after_hwframe+0x63/0xcd\n"

static const struct {
	const char *text, *blamed; /* and, behind it, the other suspects */
} cases[] = {
	/* memcpy() does what it is told */
	{ "BUG: unable to handle page fault for address: ffff888012345678\n" TASK
	  "RIP: 0010:memcpy+0x1/0x20\nCall Trace:\n frob_copy+0x1/0x20\n frob_ioctl+0x1/0x20\n" CALL,
	  "frob_copy frob_ioctl memcpy" },
	/* the core of USB warns of what a driver handed it */
	{ "WARNING: CPU: 0 PID: 7 at drivers/usb/core/urb.c:500 usb_submit_urb+0x1/0x20\n" TASK
	  "RIP: 0010:usb_submit_urb+0x1/0x20\nCall Trace:\n frob_probe+0x1/0x20 [frob]\n"
	  " usb_probe_interface+0x1/0x20\n really_probe+0x1/0x20\n",
	  "frob_probe usb_submit_urb" },
	/* a carrier is to blame where a dispatcher comes before anybody of his own: the work that
	 * was queued is none that could be */
	{ "BUG: unable to handle page fault for address: ffff888012345678\n" TASK
	  "RIP: 0010:timerqueue_del+0x1/0x20\nCall Trace:\n __remove_hrtimer+0x1/0x20\n"
	  " __hrtimer_run_queues+0x1/0x20\n hrtimer_interrupt+0x1/0x20\n frob_later+0x1/0x20\n",
	  "timerqueue_del" },
	/* ZFS waits in a module of helpers: who waits is behind them */
	{ "INFO: task frob:7 blocked for more than 120 seconds.\nCall Trace:\n __schedule+0x1/0x20\n"
	  " schedule+0x1/0x20\n cv_wait_common+0x1/0x20 [spl]\n __cv_wait_io+0x1/0x20 [spl]\n"
	  " frob_read+0x1/0x20 [zfs]\n frob_scan+0x1/0x20 [zfs]\n kthread+0x1/0x20\n",
	  "frob_read frob_scan" },
	/* a check takes the lock of a fault that may come for its caller; where the trace is cut
	 * off, that is whoever has the other lock (fs/readdir.c's filldir64() under a file
	 * system's) */
	{ LOCKDEP " at: __might_fault+0x1/0x20\nbut task is already holding lock:\n"
		  "ffff888103a8c1f0 (&q->mutex){+.+.}-{3:3}, at: frob_iterate+0x51/0x200\n",
	  "frob_iterate" },
	{ LOCKDEP " at: __might_fault+0x1/0x20\nbut task is already holding lock:\n"
		  "ffff888103a8c1f0 (&q->mutex){+.+.}-{3:3}, at: frob_iterate+0x51/0x200\n"
		  "stack backtrace:\n" TASK "Call Trace:\n print_circular_bug+0x1/0x20\n"
		  " lock_acquire+0x1/0x20\n __might_fault+0x1/0x20\n frob_fill+0x1/0x20\n"
		  " frob_iterate+0x1/0x20\n" CALL,
	  "frob_fill frob_iterate" },
	/* arm's traces are made by frames, of which a lock's function has none: its caller is in
	 * the link register alone, unless that returns into the function itself */
	{ "Unable to handle kernel NULL pointer dereference at virtual address 00000010\n"
	  "Internal error: Oops: 17 [#1] SMP ARM\n" TASK "PC is at _raw_spin_lock_irq+0x14/0x30\n"
	  "LR is at frob_poll+0x34/0x120\nBacktrace:\n"
	  "[<c0801234>] (_raw_spin_lock_irq) from [<c0101234>] (frob_thread+0x1/0x20)\n"
	  "[<c0101230>] (frob_thread) from [<c0141234>] (kthread+0x1/0x20)\n",
	  "frob_poll frob_thread _raw_spin_lock_irq" },
	{ "Unable to handle kernel NULL pointer dereference at virtual address 00000010\n"
	  "Internal error: Oops: 17 [#1] SMP ARM\n" TASK "PC is at mutex_lock+0x14/0x30\n"
	  "LR is at mutex_lock+0xc/0x30\nBacktrace:\n"
	  "[<c0801234>] (mutex_lock) from [<c0101234>] (frob_thread+0x1/0x20)\n"
	  "[<c0101230>] (frob_thread) from [<c0141234>] (kthread+0x1/0x20)\n",
	  "frob_thread mutex_lock" },
	/* mips prints whatever on the stack looks like a return address: what stands before the
	 * caller that the link register tells is of calls that ended */
	{ "CPU 1 Unable to handle kernel paging request at virtual address 00000018, epc == 8ed80668, "
	  "ra == 8ed03454\nOops[#1]:\n" TASK "epc   : 8ed80668 memcpy+0x6c/0x88\n"
	  "ra    : 8ed03454 frob_copy+0x7c/0x94\nStatus: 11007c03 KERNEL EXL IE\nCall Trace:\n"
	  "[<8ed80668>] memcpy+0x6c/0x88\n[<8ed70000>] ended_before+0x10/0x94\n"
	  "[<8ed03454>] frob_copy+0x7c/0x94\n[<8ed03600>] frob_ioctl+0x7c/0x94\n",
	  "frob_copy frob_ioctl memcpy" },
	/* where all that called a lock's function is guessed, a guess of somebody's own tells more
	 * than that function; the function of a work is no guess */
	{ "BUG: unable to handle page fault for address: ffff888012345678\n" TASK
	  "RIP: 0010:_raw_spin_lock_irq+0x1/0x20\nCall Trace:\n ? frob_poll+0x1/0x20\n"
	  " ? frob_thread+0x1/0x20\n ret_from_fork+0x1/0x20\n",
	  "frob_poll frob_thread _raw_spin_lock_irq" },
	{ "BUG: unable to handle page fault for address: ffff888012345678\n" TASK
	  "Workqueue: events frob_work\nRIP: 0010:_raw_spin_lock_irq+0x1/0x20\nCall Trace:\n"
	  " ? old_poll+0x1/0x20\n process_one_work+0x1/0x20\n ret_from_fork+0x1/0x20\n",
	  "frob_work _raw_spin_lock_irq" },
	/* who made the idle thread sleep (kernel/sched/idle.c) is behind the scheduler */
	{ "bad: scheduling from the idle thread!\n" TASK "Call trace:\n dump_stack+0x1/0x20\n"
	  " dequeue_task_idle+0x1/0x20\n deactivate_task+0x1/0x20\n __schedule+0x1/0x20\n"
	  " schedule+0x1/0x20\n frob_tx+0x1/0x20\n frob_poll+0x1/0x20\n",
	  "frob_tx frob_poll" },
	{ "bad: scheduling from the idle thread!\n" TASK "Call trace:\n dump_stack+0x1/0x20\n"
	  " dequeue_task_idle+0x1/0x20\n deactivate_task+0x1/0x20\n __schedule+0x1/0x20\n",
	  "-" },
	/* who asked whether to sleep is no more than a part of the scheduler */
	{ "BUG: scheduling while atomic: frob/7/0x10000100\nCall Trace:\n dump_stack+0x1/0x20\n"
	  " __schedule_bug+0x1/0x20\n __schedule+0x1/0x20\n _cond_resched+0x1/0x20\n"
	  " __kmalloc+0x1/0x20\n",
	  "__kmalloc" },
	/* all that wait for a lock are in what takes it: where the text ends there, nobody is known
	 */
	{ "Watchdog detected hard LOCKUP on cpu 3\n" TASK "Call Trace:\n <NMI>\n"
	  " watchdog_overflow_callback+0x1/0x20\n nmi_handle+0x1/0x20\n end_repeat_nmi+0x1/0x20\n"
	  " ? native_queued_spin_lock_slowpath+0x1/0x20\n <EOE>\n _raw_spin_lock_irq+0x1/0x20\n",
	  "-" },
	{ "Watchdog detected hard LOCKUP on cpu 3\n" TASK "Call Trace:\n <NMI>\n"
	  " watchdog_overflow_callback+0x1/0x20\n nmi_handle+0x1/0x20\n end_repeat_nmi+0x1/0x20\n"
	  " ? native_queued_spin_lock_slowpath+0x1/0x20\n <EOE>\n _raw_spin_lock_irq+0x1/0x20\n"
	  " frob_wait+0x1/0x20\n",
	  "frob_wait" },
	/* who warns of a buffer was called by who overflowed it (lib/string_helpers.c), whom a text
	 * that ends there does not tell */
	{ "memcpy: detected buffer overflow: 20 byte write of buffer size 0\n"
	  "WARNING: CPU: 0 PID: 7 at lib/string_helpers.c:1032 __fortify_report+0x49/0x50\n",
	  "-" },
	/* a BUG_ON of the page allocator is its own, and that of a list is its user's */
	{ "kernel BUG at mm/page_alloc.c:2700!\n" TASK
	  "RIP: 0010:__isolate_free_page+0x1/0x20\nCall Trace:\n frob_migrate+0x1/0x20\n" CALL,
	  "__isolate_free_page frob_migrate" },
	{ "kernel BUG at mm/slub.c:448!\n" TASK
	  "RIP: 0010:kfree+0x1/0x20\nCall Trace:\n frob_put+0x1/0x20\n" CALL,
	  "frob_put kfree" },
	/* of an interrupt that broke off frob_read() the counter tells what it broke off, behind
	 * the interrupt's own trace */
	{ "Unable to handle kernel NULL pointer dereference at virtual address 0000000000000008\n" TASK
	  "pc : frob_irq+0x1/0x20\nlr : __handle_irq_event_percpu+0x1/0x20\nCall trace:\n"
	  " frob_irq+0x1/0x20\n __handle_irq_event_percpu+0x1/0x20\n el1h_64_irq+0x1/0x20\n"
	  " frob_read+0x1/0x20\n",
	  "frob_irq" },
	/* x86's check of a counter names the function that it is in (arch/x86/mm/extable.c up to
	 * v5.5), the warning the one that prints */
	{ "refcount_t hit zero at frob_put+0x2b/0x70 in frob[7], uid/euid: 0/0\n"
	  "WARNING: CPU: 0 PID: 7 at kernel/panic.c:681 refcount_error_report+0x1/0x20\n" TASK
	  "RIP: 0010:refcount_error_report+0x1/0x20\nCall Trace:\n ex_handler_refcount+0x1/0x20\n"
	  " fixup_exception+0x1/0x20\n do_trap+0x1/0x20\n invalid_op+0x14/0x20\n"
	  "RIP: 0010:frob_put+0x2b/0x70\n frob_close+0x1/0x20\n __fput+0x1/0x20\n" CALL,
	  "frob_put frob_close" },
	{ "refcount_t hit zero at frob_put+0x2b/0x70 in frob[7], uid/euid: 0/0\n"
	  "WARNING: CPU: 0 PID: 7 at kernel/panic.c:681 refcount_error_report+0x1/0x20\n" TASK,
	  "frob_put" },
	/* all wait for a grace period, and whoever does is a victim */
	{ "INFO: task frob:7 blocked for more than 120 seconds.\n"
	  "      Not tainted 6.1.0 #1\nCall Trace:\n __schedule+0x1/0x20\n schedule+0x1/0x20\n"
	  " schedule_timeout+0x1/0x20\n wait_for_completion+0x1/0x20\n synchronize_rcu+0x1/0x20\n"
	  " frob_unregister+0x1/0x20\n" CALL,
	  "synchronize_rcu frob_unregister" },
	/* each domain of SRCU has grace periods of its own, and a barrier waits for callbacks */
	{ "INFO: task frob:7 blocked for more than 120 seconds.\n"
	  "      Not tainted 6.1.0 #1\nCall Trace:\n __schedule+0x1/0x20\n schedule+0x1/0x20\n"
	  " wait_for_completion+0x1/0x20\n __synchronize_srcu+0x1/0x20\n"
	  " frob_unregister+0x1/0x20\n" CALL,
	  "synchronize_srcu frob_unregister" },
	{ "INFO: task frob:7 blocked for more than 120 seconds.\n"
	  "      Not tainted 6.1.0 #1\nCall Trace:\n __schedule+0x1/0x20\n schedule+0x1/0x20\n"
	  " wait_for_completion+0x1/0x20\n rcu_barrier+0x1/0x20\n frob_exit+0x1/0x20\n" CALL,
	  "rcu_barrier frob_exit" },
	/* a CPU that waits for others to answer spins, and a task that sleeps behind such a call
	   does not */
	{ "watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [frob:7]\n" TASK
	  "RIP: 0010:smp_call_function_many_cond+0x1/0x20\nCall Trace:\n"
	  " on_each_cpu_cond_mask+0x1/0x20\n frob_sync+0x1/0x20\n" CALL,
	  "smp_call_function frob_sync smp_call_function_many_cond" },
	/* the way back to a program of 32-bit ARM is nobody's */
	{ "watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [frob:7]\n" TASK
	  "PC is at frob_hash+0x1/0x20\nLR is at frob_look+0x1/0x20\nBacktrace: \n"
	  " frob_hash from frob_ioctl+0x1/0x20\n frob_ioctl from ret_fast_syscall+0x0/0x1c\n",
	  "frob_ioctl frob_hash" },
	/* one that sleeps for a lock is what took it that way */
	{ "INFO: task frob:7 blocked for more than 120 seconds.\n"
	  "      Not tainted 6.1.0 #1\nCall Trace:\n __schedule+0x1/0x20\n schedule+0x1/0x20\n"
	  " schedule_preempt_disabled+0x1/0x20\n __mutex_lock.constprop.0+0x1/0x20\n"
	  " device_release_driver+0x1/0x20\n frob_remove+0x1/0x20\n" CALL,
	  "frob_remove" },
	/* what a CPU spins in changes; what was called from outside does not */
	{ "watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [frob:7]\n" TASK
	  "RIP: 0010:frob_hash+0x1/0x20\nCall Trace:\n frob_lookup+0x1/0x20\n frob_ioctl+0x1/0x20\n"
	  " vfs_ioctl+0x1/0x20\n __x64_sys_ioctl+0x1/0x20\n" CALL,
	  "frob_ioctl frob_hash" },
	{ "rcu: INFO: rcu_sched self-detected stall on CPU\n" TASK "Call Trace:\n" TIMER
	  " memcmp+0x1/0x20\n frob_compare+0x1/0x20\n frob_write+0x1/0x20\n vfs_write+0x1/0x20\n"
	  " ksys_write+0x1/0x20\n" CALL,
	  "frob_write frob_compare" },
	/* guesses are better than nothing, and are judged as frames are */
	{ "INFO: rcu_sched self-detected stall on CPU\nCall Trace:\n"
	  " <IRQ>  [<ffffffff81000001>] ? rcu_check_callbacks+0x1/0x20\n"
	  " [<ffffffff81000002>] ? apic_timer_interrupt+0x1/0x20\n"
	  " <EOI>  [<ffffffff81000003>] ? frob_find+0x1/0x20\n"
	  " [<ffffffff81000004>] ? frob_event+0x1/0x20\n"
	  " [<ffffffff81000005>] ? system_call_fastpath+0x16/0x1b\n",
	  "frob_event frob_find" },
	/* a CPU that was idle is not the one that hangs */
	{ "Kernel panic - not syncing: Watchdog detected hard LOCKUP on cpu 0\n" TASK
	  "Call trace:\n dump_stack+0x1/0x20\n panic+0x1/0x20\n watchdog_timer_fn+0x1/0x20\n"
	  " hrtimer_interrupt+0x1/0x20\n arch_timer_handler_phys+0x1/0x20\n el1_irq+0x1/0x20\n"
	  " do_idle+0x1/0x20\n secondary_start_kernel+0x1/0x20\n",
	  "-" },
	/* what looped is what met the fault, and not what handles faults */
	{ "rcu: INFO: rcu_sched self-detected stall on CPU\n" TASK "Call Trace:\n" TIMER
	  " handle_mm_fault+0x1/0x20\n exc_page_fault+0x1/0x20\n asm_exc_page_fault+0x1/0x20\n"
	  " copy_user_generic_string+0x1/0x20\n frob_fill+0x1/0x20\n vfs_read+0x1/0x20\n" CALL,
	  "frob_fill" },
	/* the thread of the grace periods tells of the stall; the other trace is what stalled */
	{ "rcu: INFO: rcu_sched detected stalls on CPUs/tasks:\n"
	  "rcu: rcu_sched kthread starved for 5000 jiffies!\n"
	  "task:rcu_sched state:R stack: 0 pid: 12 ppid: 2 flags:0x00004000\nCall Trace:\n"
	  " <TASK>\n __schedule+0x1/0x20\n rcu_gp_fqs_loop+0x1/0x20\n rcu_gp_kthread+0x1/0x20\n"
	  " kthread+0x1/0x20\n </TASK>\n" TASK "Call Trace:\n" TIMER
	  " frob_poll+0x1/0x20\n vfs_poll+0x1/0x20\n" CALL,
	  "frob_poll" },
	/* lockdep names who takes the lock, and a lock's own function is not who */
	{ "WARNING: possible circular locking dependency detected\n"
	  "6.1.0 #1 Not tainted\nfrob/7 is trying to acquire lock:\n"
	  "ffff888012345678 (&a->lock){+.+.}-{3:3}, at: frob_one+0x1/0x20\n"
	  "but task is already holding lock:\n"
	  "ffff888012345679 (&b->lock){+.+.}-{3:3}, at: frob_two+0x1/0x20\n"
	  "stack backtrace:\n" TASK "Call Trace:\n dump_stack+0x1/0x20\n __lock_acquire+0x1/0x20\n"
	  " mutex_lock_nested+0x1/0x20\n frob_one+0x1/0x20\n frob_ioctl+0x1/0x20\n" CALL,
	  "frob_one frob_two frob_ioctl" },
	/* the same where the text ends before the trace, who took the locks the other way round
	 * being one of the suspects */
	{ "WARNING: possible circular locking dependency detected\n"
	  "6.1.0 #1 Not tainted\nfrob/7 is trying to acquire lock:\n"
	  "ffff888012345678 (&a->lock){+.+.}-{3:3}, at: frob_one+0x1/0x20\n"
	  "but task is already holding lock:\n"
	  "ffff888012345679 (&b->lock){+.+.}-{3:3}, at: frob_two+0x1/0x20\n"
	  "the existing dependency chain (in reverse order) is:\n"
	  "-> #1 (&b->lock){+.+.}-{3:3}:\n lock_acquire+0x1/0x20\n mutex_lock+0x1/0x20\n"
	  " frob_other+0x1/0x20\n frob_write+0x1/0x20\n",
	  "frob_one frob_two frob_other" },
	/* what only asks for interrupts is not who takes a lock: the chain's last trace has him */
	{ "WARNING: possible circular locking dependency detected\n"
	  "6.1.0 #1 Not tainted\nfrob/7 is trying to acquire lock:\n"
	  "ffff888012345678 (&a->lock){+.+.}-{3:3}, at: __irq_domain_alloc_irqs+0x1/0x20\n"
	  "but task is already holding lock:\n"
	  "ffff888012345679 (&b->lock){+.+.}-{3:3}, at: frob_two+0x1/0x20\n"
	  "-> #1 (&b->lock){+.+.}-{3:3}:\n mutex_lock+0x1/0x20\n frob_other+0x1/0x20\n"
	  "-> #0 (&a->lock){+.+.}-{3:3}:\n mutex_lock+0x1/0x20\n"
	  " __irq_domain_alloc_irqs+0x1/0x20\n frob_setup+0x1/0x20\n",
	  "frob_setup frob_two frob_other __irq_domain_alloc_irqs" },
	/* who takes it in the other state is a suspect, and not the first */
	{ "WARNING: inconsistent lock state\n6.1.0 #1 Not tainted\n"
	  "inconsistent {IN-SOFTIRQ-W} -> {SOFTIRQ-ON-W} usage.\n"
	  "frob/7 [HC0[0]:SC0[0]:HE1:SE1] takes:\n"
	  "ffff888012345678 (&a->lock){+.?.}-{2:2}, at: frob_one+0x1/0x20\n"
	  "{IN-SOFTIRQ-W} state was registered at:\n  lock_acquire+0x1/0x20\n"
	  "  _raw_spin_lock+0x1/0x20\n  frob_timer+0x1/0x20\n  call_timer_fn+0x1/0x20\n",
	  "frob_one frob_timer" },
	/* the trace that stands first is where an interrupt takes the lock */
	{ "WARNING: SOFTIRQ-safe -> SOFTIRQ-unsafe lock order detected\n"
	  "6.1.0 #1 Not tainted\nfrob/7 is trying to acquire:\n"
	  "ffff888012345678 (&a->lock){+.+.}-{2:2}, at: frob_one+0x1/0x20\n"
	  "... which became SOFTIRQ-irq-safe at:\n  lock_acquire+0x1/0x20\n"
	  "  _raw_spin_lock+0x1/0x20\n  frob_timer+0x1/0x20\n  call_timer_fn+0x1/0x20\n"
	  "stack backtrace:\n" TASK "Call Trace:\n dump_stack+0x1/0x20\n frob_one+0x1/0x20\n" CALL,
	  "frob_timer frob_one" },
	/* it came back with a lock, and only the line of the lock tells who took it */
	{ "WARNING: lock held when returning to user space!\n6.1.0 #1 Not tainted\n"
	  "1 lock held by frob/7:\n #0: ffff888012345678 (&a->lock){+.+.}-{3:3}, at: frob_begin+0x1/0x20\n",
	  "frob_begin" },
	/* it came back from where memory is handed out, and that is no lock's own function */
	{ "[ BUG: lock held when returning to user space! ]\n"
	  "frob/7 is leaving the kernel with locks still held!\n1 lock held by frob/7:\n"
	  " #0:  (tasklist_lock){.+.+.+}, at: [<ffffffff810faf64>] out_of_memory+0x164/0x3f0\n",
	  "out_of_memory" },
	/* whose stack it was is named, and printing is not what broke it */
	{ "Kernel panic - not syncing: stack-protector: Kernel stack is corrupted in: frob_one+0x9/0x20\n" TASK
	  "Call Trace:\n panic+0x1/0x20\n frob_one+0x9/0x20\n frob_probe+0x1/0x20\n"
	  " really_probe+0x1/0x20\n",
	  "frob_one frob_probe" },
	{ "Kernel panic - not syncing: stack-protector: Kernel stack is corrupted in: vprintk_emit+0x9/0x20\n" TASK
	  "Call Trace:\n panic+0x1/0x20\n __stack_chk_fail+0x1/0x20\n vprintk_emit+0x9/0x20\n"
	  " _printk+0x1/0x20\n frob_say+0x1/0x20\n frob_mount+0x1/0x20\n",
	  "frob_say frob_mount" },
	/* who switched preemption off is none of the trace, but a suspect */
	{ "BUG: sleeping function called from invalid context at kernel/locking/mutex.c:281\n"
	  "in_atomic(): 1, irqs_disabled(): 0, non_block: 0, pid: 7, name: frob\n"
	  "Preemption disabled at:\n[<ffffffffc04aaeab>] frob_begin+0x1/0x20 [frob]\n" TASK
	  "Call Trace:\n dump_stack+0x1/0x20\n __might_resched+0x1/0x20\n mutex_lock+0x1/0x20\n"
	  " frob_set+0x1/0x20 [frob]\n frob_ioctl+0x1/0x20 [frob]\n" CALL,
	  "frob_set frob_begin frob_ioctl" },
	/* alone, the way in is where it happened */
	{ "general protection fault, maybe for address 0x2d: 0000 [#1] SMP\n" TASK
	  "RIP: 0010:entry_INT80_compat+0x3/0xa3\n",
	  "entry_INT80_compat" },
	/* who uses the CPU's number is to blame for it, helper or not */
	{ "BUG: using smp_processor_id() in preemptible [00000000] code: frob/7\n"
	  "caller is frob_stat+0x1/0x20\n" TASK
	  "Call Trace:\n dump_stack+0x1/0x20\n check_preemption_disabled+0x1/0x20\n"
	  " radix_tree_node_alloc+0x1/0x20\n frob_stat+0x1/0x20\n" CALL,
	  "radix_tree_node_alloc frob_stat" },
	/* who freed what is used, and who made what is too small */
	{ "BUG: KASAN: slab-use-after-free in frob_get+0x1/0x20\n"
	  "Read of size 8 at addr ffff888012345678 by task frob/7\n" TASK
	  "Call Trace:\n dump_stack+0x1/0x20\n kasan_report+0x1/0x20\n frob_get+0x1/0x20\n" CALL
	  "Allocated by task 7:\n kasan_save_stack+0x1/0x20\n frob_make+0x1/0x20\n" CALL
	  "Freed by task 8:\n kasan_save_stack+0x1/0x20\n kfree+0x1/0x20\n frob_drop+0x1/0x20\n" CALL,
	  "frob_get frob_drop" },
	/* ... and, where nobody is known to have freed it, who made it */
	{ "BUG: KASAN: slab-use-after-free in frob_get+0x1/0x20\n"
	  "Read of size 8 at addr ffff888012345678 by task frob/7\n" TASK
	  "Call Trace:\n dump_stack+0x1/0x20\n kasan_report+0x1/0x20\n frob_get+0x1/0x20\n" CALL
	  "Allocated by task 7:\n kasan_save_stack+0x1/0x20\n frob_make+0x1/0x20\n" CALL,
	  "frob_get frob_make" },
	{ "BUG: KASAN: slab-out-of-bounds in memcmp+0x1/0x20\n"
	  "Read of size 8 at addr ffff888012345678 by task frob/7\n" TASK
	  "Call Trace:\n dump_stack+0x1/0x20\n kasan_report+0x1/0x20\n memcmp+0x1/0x20\n"
	  " frob_match+0x1/0x20\n" CALL
	  "Allocated by task 7:\n kasan_save_stack+0x1/0x20\n frob_make+0x1/0x20\n" CALL,
	  "frob_match frob_make" },
	/* the thread that watches for tasks that hang is none, and what the kernel guessed of its
	 * stack is nobody's work; where all is guessed, the guesses are all there is */
	{ "Kernel panic - not syncing: hung_task: blocked tasks\n" TASK
	  "Call Trace:\n panic+0x1/0x20\n ? frob_old+0x1/0x20\n watchdog+0x1/0x20\n"
	  " kthread+0x1/0x20\n ret_from_fork+0x1/0x20\n",
	  "-" },
	{ "INFO: task frob:7 blocked for more than 120 seconds.\n"
	  "Call Trace:\n ? __schedule+0x1/0x20\n ? frob_wait+0x1/0x20\n ? frob_ioctl+0x1/0x20\n",
	  "frob_wait frob_ioctl" },
	/* that a bus's driver sleeps is the fault of who asked it to where nobody may */
	{ "BUG: scheduling while atomic: frob/7/0x00000002\nCall Trace:\n __schedule+0x1/0x20\n"
	  " wait_for_completion_timeout+0x1/0x20\n frob_xfer+0x1/0x20\n __i2c_transfer+0x1/0x20\n"
	  " i2c_transfer+0x1/0x20\n regmap_write+0x1/0x20\n frob_trigger+0x1/0x20\n" CALL,
	  "frob_trigger regmap_write" },
	{ "BUG: scheduling while atomic: frob/7/0x00000002\nCall Trace:\n __schedule+0x1/0x20\n"
	  " wait_for_completion_timeout+0x1/0x20\n frob_xfer+0x1/0x20\n __i2c_transfer+0x1/0x20\n"
	  " i2c_transfer+0x1/0x20\n" CALL,
	  "frob_xfer" },
	/* the thread that watches over grace periods is never the one that holds them up */
	{ "rcu: INFO: rcu_sched detected stalls on CPUs/tasks:\n" TASK
	  "rcu: RCU grace-period kthread stack dump:\n"
	  "rcu_sched       I15016    11      2 0x80004000\n"
	  "Call Trace:\n __schedule+0x1/0x20\n schedule+0x1/0x20\n schedule_timeout+0x1/0x20\n"
	  " rcu_gp_kthread+0x1/0x20\n kthread+0x1/0x20\n ret_from_fork+0x1/0x20\n",
	  "-" },
	/* a guess at the end of a function is a pointer to the next one; where only the way in is
	 * certain, guesses are all there is */
	{ "BUG: unable to handle page fault for address: ffff888012345678\n" TASK
	  "Call Trace:\n ? frob_old+0x20/0x20\n ? frob_hook+0x1/0x20\n" CALL,
	  "frob_hook" },
	/* a helper without a trace does not tell who called it, and the work does */
	{ "list_add corruption. prev->next should be next (ffff888012345678), but was "
	  "0000000000000000.\n------------[ cut here ]------------\n"
	  "kernel BUG at lib/list_debug.c:28!\n" TASK "Workqueue: events frob_work [frob]\n"
	  "RIP: 0010:__list_add_valid+0x1/0x20\n",
	  "frob_work __list_add_valid" },
	/* what asked for the memory, and not what hands it out */
	{ "BUG: memory leak\nunreferenced object 0xffff888012345678 (size 64):\n"
	  "  comm \"frob\", pid 7, jiffies 4294 (age 10.0s)\n  backtrace:\n"
	  "    [<00000000aaaaaaaa>] frob_alloc_item+0x1/0x20\n    [<00000000bbbbbbbb>] frob_add+0x1/0x20\n"
	  "    [<00000000cccccccc>] do_syscall_64+0x3b/0x90\n",
	  "frob_add" },
};

TEST(who_is_to_blame)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buf b = { 0 };
		struct report_stream *s = report_stream_open("test", on_report, &b);

		report_stream_feed(s, cases[i].text, strlen(cases[i].text));
		report_stream_close(s);
		if (!CHECK_STR(buf_text(&b), cases[i].blamed))
			printf("  of '%.60s'\n", cases[i].text);
		buf_release(&b);
	}
}

static bool on_function(struct report *r, void *arg)
{
	buf_str(arg, r->function ? r->function : "-");
	return false;
}

#define HELD                                                                         \
	"1 lock held by frob/7:\n #0: ffff888012345678 (&a->lock){+.+.}-{3:3}, at: " \
	"frob_begin+0x1/0x20\nstack backtrace:\n" TASK "Call Trace:\n dump_stack+0x1/0x20\n"

/* Texts that tell of two functions, of which one only is to blame. */
static const struct {
	const char *text, *blamed;
} choices[] = {
	/* an interrupt gave the page back; frob_read() is what it broke off */
	{ "BUG: Bad page state in process frob  pfn:12345\n" TASK
	  "Call Trace:\n <IRQ>\n dump_stack_lvl+0x1/0x20\n bad_page+0x1/0x20\n"
	  " free_unref_page+0x1/0x20\n frob_irq+0x1/0x20\n __handle_irq_event_percpu+0x1/0x20\n"
	  " </IRQ>\n <TASK>\n asm_common_interrupt+0x16/0x20\nRIP: 0010:frob_read+0x1/0x20\n"
	  " frob_ioctl+0x1/0x20\n" CALL,
	  "frob_irq" },
	/* a lock spins, and what carries the work of others took it */
	{ "watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [kworker/0:1:7]\n" TASK
	  "RIP: 0010:queued_spin_lock_slowpath+0x1/0x20\nCall Trace:\n _raw_spin_lock+0x1/0x20\n"
	  " usb_submit_urb+0x1/0x20\n process_one_work+0x1/0x20\n worker_thread+0x1/0x20\n",
	  "usb_submit_urb" },
	/* who left with a lock is who took it; who freed one that is held is who freed it */
	{ "WARNING: frob/7 still has locks held!\n6.1.0 #1 Not tainted\n" HELD
	  " frob_end+0x1/0x20\n" CALL,
	  "frob_begin" },
	{ "WARNING: held lock freed!\n6.1.0 #1 Not tainted\n" HELD
	  " debug_check_no_locks_freed+0x1/0x20\n kfree+0x1/0x20\n frob_end+0x1/0x20\n" CALL,
	  "frob_end" },
	/* a function that is on the stack again and again used it up, not the one it came to */
	{ "BUG: TASK stack guard page was hit at ffffc90000d2f000 (stack is ffffc90000d30000..)\n" TASK
	  "RIP: 0010:frob_leaf+0x1/0x20\nCall Trace:\n frob_leaf+0x1/0x20\n frob_walk+0x1/0x20\n"
	  " frob_step+0x1/0x20\n frob_walk+0x1/0x20\n frob_step+0x1/0x20\n frob_walk+0x1/0x20\n"
	  " frob_ioctl+0x1/0x20\n" CALL,
	  "frob_walk" },
	{ "BUG: TASK stack guard page was hit at ffffc90000d2f000 (stack is ffffc90000d30000..)\n" TASK
	  "RIP: 0010:frob_walk+0x9/0x20\nCall Trace:\n frob_step+0x1/0x20\n frob_walk+0x1/0x20\n"
	  " frob_step+0x1/0x20\n frob_walk+0x1/0x20\n frob_ioctl+0x1/0x20\n" CALL,
	  "frob_walk" },
	/* a worker that only waits tells no more than whose work it was; one that crashes in what
	 * carries work tells where */
	{ "INFO: task kworker/0:1:7 blocked for more than 120 seconds.\n"
	  "      Not tainted 6.1.0 #1\nWorkqueue: events frob_work [frob]\nCall Trace:\n"
	  " __schedule+0x1/0x20\n schedule+0x1/0x20\n __mutex_lock+0x1/0x20\n"
	  " process_one_work+0x1/0x20\n worker_thread+0x1/0x20\n kthread+0x1/0x20\n",
	  "frob_work" },
	{ "watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [kworker/0:1:7]\n" TASK
	  "Workqueue: events frob_work [frob]\nRIP: 0010:queued_spin_lock_slowpath+0x1/0x20\n"
	  "Call Trace:\n _raw_spin_lock+0x1/0x20\n process_one_work+0x1/0x20\n"
	  " worker_thread+0x1/0x20\n",
	  "frob_work" },
	{ "BUG: kernel NULL pointer dereference, address: 0000000000000008\n" TASK
	  "Workqueue: events frob_work [frob]\nRIP: 0010:xas_start+0x1/0x20\nCall Trace:\n"
	  " xas_load+0x1/0x20\n process_one_work+0x1/0x20\n worker_thread+0x1/0x20\n",
	  "xas_start" },
	/* memcpy() did as it was told by the core of devices, behind which nobody is */
	{ "BUG: kernel NULL pointer dereference, address: 0000000000000008\n" TASK
	  "RIP: 0010:memcpy+0x1/0x20\nCall Trace:\n device_add+0x1/0x20\n"
	  " process_one_work+0x1/0x20\n worker_thread+0x1/0x20\n",
	  "device_add" },
	/* the way in may be two functions, and what the interrupt came to is behind both */
	{ "rcu: INFO: rcu_sched self-detected stall on CPU\n" TASK "Call Trace:\n <IRQ>\n"
	  " frob_tick+0x1/0x90\n hrtimer_interrupt+0x1/0x90\n smp_apic_timer_interrupt+0x1/0x90\n"
	  " apic_timer_interrupt+0xf/0x20\n </IRQ>\n frob_poll+0x1/0x20\n vfs_poll+0x1/0x20\n" CALL,
	  "frob_poll" },
	/* of inlined functions the one counts that they are a part of */
	{ "watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [frob:7]\n" TASK
	  "RIP: 0010:frob_hash+0x1/0x20 fs/frob.c:10\nCall Trace:\n"
	  " frob_poll+0x1/0x20 fs/frob.c:20\n frob_peek fs/frob.c:30 [inline]\n"
	  " vfs_poll+0x1/0x20 fs/select.c:40\n" CALL,
	  "frob_poll" },
	/* a file system names the function that found the error; who of it is in no trace is still
	 * who */
	{ "EXT4-fs error (device vda1): ext4_lookup:1855: inode #2: comm ls: deleted inode\n" TASK
	  "Call Trace:\n dump_stack_lvl+0x1/0x20\n __ext4_error_inode+0x1/0x20\n"
	  " ext4_lookup+0x1/0x20\n frob_open+0x1/0x20\n" CALL,
	  "ext4_lookup" },
	{ "XFS (vda1): Internal error XFS_WANT_CORRUPTED_GOTO at line 10 of file fs/xfs/x.c.  Caller "
	  "xfs_free_extent+0x1/0x20 [xfs]\n" TASK "Call Trace:\n dump_stack_lvl+0x1/0x20\n"
	  " frob_error+0x1/0x20\n frob_open+0x1/0x20\n" CALL,
	  "xfs_free_extent" },
	/* up to v3.10 it named its caller by an address, and before it had names of its own for
	 * itself it was the file system that had one */
	{ "XFS (vda1): Internal error XFS_WANT_CORRUPTED_RETURN at line 342 of file fs/xfs/xfs_alloc.c.  "
	  "Caller 0xffffffffa01e76c2\n" TASK "Call Trace:\n"
	  " [<ffffffffa02110cf>] xfs_error_report+0x3f/0x50 [xfs]\n"
	  " [<ffffffffa01e7000>] frob_before+0x2/0x30 [xfs]\n"
	  " [<ffffffffa01e76c2>] frob_alloc+0x482/0x630 [xfs]\n" CALL,
	  "frob_alloc" },
	{ "XFS: Internal error XFS_WANT_CORRUPTED_RETURN at line 342 of file fs/xfs/xfs_alloc.c.  "
	  "Caller 0xffffffffa01e76c2\n" TASK "Call Trace:\n"
	  " [<ffffffffa02110cf>] ? xfs_error_report+0x3f/0x50 [xfs]\n"
	  " [<ffffffffa01e76c2>] ? frob_alloc+0x482/0x630 [xfs]\n",
	  "frob_alloc" },
	{ "Filesystem \"vda1\": XFS internal error xfs_trans_cancel at line 1163 of file "
	  "fs/xfs/xfs_trans.c.  Caller 0xffffffffa01e76c2\n" TASK "Call Trace:\n"
	  " [<ffffffffa02110cf>] ? xfs_error_report+0x3f/0x50 [xfs]\n"
	  " [<ffffffffa01e76c2>] ? frob_alloc+0x482/0x630 [xfs]\n",
	  "frob_alloc" },
	/* init that exits, or that a signal ends, is a program that does; an oops of the kernel's
	 * ends its task in die() */
	{ "Kernel panic - not syncing: Attempted to kill init! exitcode=0x0000000b\n" TASK
	  "[<c0014428>] (unwind_backtrace+0x0/0xf8) from [<c03643a8>] (panic+0x84/0x1dc)\n"
	  "[<c03643a8>] (panic+0x84/0x1dc) from [<c0025de8>] (do_exit+0x700/0x7cc)\n"
	  "[<c0025de8>] (do_exit+0x700/0x7cc) from [<c0025fdc>] (do_group_exit+0x40/0xa0)\n"
	  "[<c0025fdc>] (do_group_exit+0x40/0xa0) from [<c0011360>] (do_signal+0x60/0x490)\n"
	  "[<c0011360>] (do_signal+0x60/0x490) from [<c0011c4c>] (do_work_pending+0x98/0xb4)\n",
	  "-" },
	{ "Kernel panic - not syncing: Attempted to kill init! exitcode=0x0000000b\n" TASK
	  "[<c03643a8>] (panic+0x84/0x1dc) from [<c0025de8>] (do_exit+0x700/0x7cc)\n"
	  "[<c0025de8>] (do_exit+0x700/0x7cc) from [<c0012524>] (die+0x118/0x2ac)\n"
	  "[<c0012524>] (die+0x118/0x2ac) from [<c0011360>] (frob_open+0x60/0x490)\n"
	  "[<c0011360>] (frob_open+0x60/0x490) from [<c0011c4c>] (frob_init+0x98/0xb4)\n",
	  "frob_open" },
	/* what panic() called prints and starts the machine again */
	{ "Backtrace:\n"
	  "[<c06fc888>] (dump_stack+0x0/0x1c) from [<c000f844>] (frob_shutdown+0x34/0x50)\n"
	  "[<c000f810>] (frob_shutdown+0x0/0x50) from [<c0068038>] (emergency_restart+0x1c/0x20)\n"
	  "[<c006801c>] (emergency_restart+0x0/0x20) from [<c06fcd80>] (panic+0x138/0x1a0)\n"
	  "[<c06fcc48>] (panic+0x0/0x1a0) from [<c0012524>] (die+0x118/0x2ac)\n"
	  "[<c001240c>] (die+0x0/0x2ac) from [<c06fc900>] (__do_kernel_fault.part.10+0x5c/0x7c)\n"
	  "[<c06fc8a4>] (__do_kernel_fault.part.10+0x0/0x7c) from [<c0015cc0>] (do_page_fault+0x22/0x300)\n",
	  "-" },
	/* where a task was left that does not run is not what holds up others */
	{ "INFO: rcu_sched detected stalls on CPUs/tasks:\n\t0-...: (1 GPs behind) idle=d09/1/0\n"
	  "Task dump for CPU 0:\nswapper/0       R  running task        0     0      0 0x00000002\n"
	  "Call trace:\n[<ffffffc000086ed4>] __switch_to+0xd4/0xf8\n",
	  "-" },
	/* each task that hangs is in the scheduler, and of guesses a helper tells nothing */
	{ "INFO: task frob:7 blocked for more than 120 seconds.\nCall Trace:\n"
	  " __schedule+0x1/0x20\n schedule+0x1/0x20\n",
	  "-" },
	{ "INFO: task frob:7 blocked for more than 120 seconds.\nCall Trace:\n"
	  " [<ffffffff81531ddf>] ? schedule+0x2f/0x70\n"
	  " [<ffffffff815351a2>] ? _raw_write_unlock_irqrestore+0x12/0x20\n",
	  "-" },
	/* the text ends within the interrupt of the watchdog, before what it came to */
	{ "BUG: soft lockup - CPU#0 stuck for 26s! [frob:7]\n" TASK
	  "[<8010808c>] (dump_backtrace) from [<80179654>] (watchdog_timer_fn+0x1c8/0x220)\n"
	  "[<8017948c>] (watchdog_timer_fn) from [<80159be4>] (hrtimer_interrupt+0xf4/0x25c)\n"
	  "[<80159af0>] (hrtimer_interrupt) from [<804a7894>] (frob_timer_interrupt+0x20/0x28)\n",
	  "-" },
	{ "BUG: soft lockup - CPU#0 stuck for 26s! [frob:7]\n" TASK
	  "[<8017948c>] (watchdog_timer_fn) from [<80159be4>] (hrtimer_interrupt+0xf4/0x25c)\n"
	  "[<80159af0>] (hrtimer_interrupt) from [<804a7894>] (frob_timer_interrupt+0x20/0x28)\n"
	  "[<804a7894>] (frob_timer_interrupt) from [<80108a94>] (__irq_svc+0x54/0x70)\n"
	  "[<80108a94>] (__irq_svc) from [<bf17c574>] (frob_loop+0xac/0x1bc [frob])\n",
	  "frob_loop" },
	/* nor is who hands out memory, for it has none left */
	{ "frob: page allocation failure: order:0, mode:0x20\n" TASK
	  "Call Trace:\n dump_stack+0x1/0x20\n warn_alloc+0x1/0x20\n __alloc_pages_slowpath+0x1/0x20\n",
	  "-" },
	/* an object that was written to while it was free: who freed it too early, whoever found
	 * it; one that was written past its end: who made it, unless another trace tells of its
	 * user */
	{ "BUG kmalloc-64 (Not tainted): Poison overwritten\n"
	  "Allocated in frob_open+0x1/0x20 age=6 cpu=1 pid=7\n frob_open+0x1/0x20\n"
	  "Freed in frob_close+0x1/0x20 age=4 cpu=1 pid=7\n kfree+0x1/0x20\n frob_close+0x1/0x20\n" TASK
	  "Call Trace:\n check_bytes_and_report+0x1/0x20\n kmem_cache_alloc+0x1/0x20\n other_open+0x1/0x20\n" CALL,
	  "frob_close" },
	{ "BUG kmalloc-64 (Not tainted): Right Redzone overwritten\n"
	  "Allocated in frob_open+0x1/0x20 age=6 cpu=1 pid=7\n __kmalloc+0x1/0x20\n frob_open+0x1/0x20\n"
	  "Freed in other_close+0x1/0x20 age=54 cpu=1 pid=7\n kfree+0x1/0x20\n other_close+0x1/0x20\n",
	  "frob_open" },
	{ "BUG kmalloc-64 (Not tainted): Right Redzone overwritten\n"
	  "Allocated in frob_open+0x1/0x20 age=6 cpu=1 pid=7\n frob_open+0x1/0x20\n" TASK
	  "Call Trace:\n check_bytes_and_report+0x1/0x20\n kfree+0x1/0x20\n frob_close+0x1/0x20\n" CALL,
	  "frob_close" },
	/* without its head nobody knows which of these it is */
	{ "Redzone 822f00d0: cc cc cc cc                                      ....\n" TASK
	  "Call Trace:\n check_bytes_and_report+0x1/0x20\n kmem_cache_free+0x1/0x20\n frob_done+0x1/0x20\n"
	  " frob_ioctl+0x1/0x20\n" CALL,
	  "-" },
	/* KFENCE's counter stands behind the traces of its object: mm/kfence/report.c */
	{ "kfence-#31: 0xffff8c2aae240000-0xffff8c2aae24001f, size=32, cache=kmalloc-32\n"
	  "allocated by task 7:\n frob_open+0x1/0x20\n frob_probe+0x1/0x20\n kthread+0x1/0x20\n"
	  "freed by task 7:\n frob_close+0x1/0x20\n frob_probe+0x1/0x20\n kthread+0x1/0x20\n" TASK
	  "RIP: 0010:frob_read+0x1/0x20\nRSP: 0000:ffffa226013ffe48 EFLAGS: 00010246\n",
	  "frob_read" },
	/* a check of kernel/cfi.c tells of a call, and makes none; its name is no padding's */
	{ "CFI failure (target: frob_call.cfi_jt+0x4/0x8):\n"
	  "WARNING: CPU: 2 PID: 0 at kernel/cfi.c:30 __cfi_check_fail+0x4c/0x54\n" TASK
	  "pc : __cfi_check_fail+0x4c/0x54\nlr : __cfi_check_fail+0x4c/0x54\n",
	  "-" },
	{ "CFI failure (target: frob_call.cfi_jt+0x4/0x8):\n"
	  "WARNING: CPU: 2 PID: 0 at kernel/cfi.c:30 __cfi_check_fail+0x4c/0x54\n" TASK
	  "pc : __cfi_check_fail+0x4c/0x54\nCall trace:\n __cfi_check_fail+0x4c/0x54\n"
	  " __cfi_slowpath_diag+0x1/0x20\n frob_run+0x1/0x20\n frob_ioctl+0x1/0x20\n",
	  "frob_run" },
	/* another CPU's guess, which stands where no trace is, tells nothing of this one */
	{ "BUG: unable to handle page fault for address: ffff888012345678\n"
	  " ? other_poll+0x1/0x20\n" TASK "RSP: 0018:ffffb1c0c0a3be50 EFLAGS: 00000246\n",
	  "-" },
	/* who waits for pages to be written wants it for somebody */
	{ "INFO: task frob:7 blocked for more than 120 seconds.\n"
	  "Call Trace:\n schedule+0x1/0x20\n wait_on_page_bit+0x1/0x20\n __filemap_fdatawait_range+0x1/0x20\n"
	  " frob_fsync+0x1/0x20\n" CALL,
	  "frob_fsync" },
	/* who tells of a bad page, or that none is left, is none to blame where the text ends */
	{ "BUG: Bad page state in process frob  pfn:02e44\n" TASK
	  "[<80456104>] (dump_stack) from [<802113f8>] (bad_page+0x108/0x16c)\n",
	  "-" },
	{ "BUG: Bad page map in process frob  pte:4a44e100 pmd:4dfc8831\n" TASK
	  "[<80456104>] (dump_stack) from [<802113f8>] (print_bad_pte+0x108/0x16c)\n",
	  "-" },
	/* the work is cut where the text is */
	{ "Unable to handle kernel NULL pointer dereference at virtual address 00000100\n" TASK
	  "Workqueue: frob0 frob_rx_w\n",
	  "-" },
	{ "Unable to handle kernel NULL pointer dereference at virtual address 00000100\n" TASK
	  "Workqueue: frob0 frob_rx_work\nPC is at memcpy+0x1/0x20\n",
	  "frob_rx_work" },
	/* names that older kernels had */
	{ "frob: page allocation failure: order:0, mode:0x20\n" TASK
	  " [<c000d20c>] (show_stack+0x10/0x14) from [<c009bf44>] (warn_alloc_failed+0xdc/0x124)\n"
	  " [<c009bf44>] (warn_alloc_failed+0xdc/0x124) from [<c009ea7c>] (__alloc_page_frag+0x160/0x194)\n"
	  " [<c009ea7c>] (__alloc_page_frag+0x160/0x194) from [<bf17c574>] (frob_rx+0xac/0x1bc [frob])\n",
	  "frob_rx" },
	/* all wait for all CPUs: who spins for their answers is a victim, and who sleeps is none */
	{ "watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [frob:7]\n" TASK
	  "RIP: 0010:smp_call_function_many_cond+0x1/0x20\nCall Trace:\n"
	  " on_each_cpu_cond_mask+0x1/0x20\n frob_flush+0x1/0x20\n frob_ioctl+0x1/0x20\n" CALL,
	  "smp_call_function" },
	/* a line of an interrupt's has a driver that is in no trace */
	{ "irq 9: nobody cared (try booting with the \"irqpoll\" option)\n" TASK
	  "Call Trace:\n <IRQ>\n dump_stack_lvl+0x1/0x20\n __report_bad_irq+0x1/0x20\n"
	  " note_interrupt+0x1/0x20\n handle_irq_event+0x1/0x20\n </IRQ>\n <TASK>\n"
	  " asm_common_interrupt+0x16/0x20\n frob_poll+0x1/0x20\n" CALL,
	  "-" },
	/* an address at a function's first byte is of a call at the end of the one before */
	{ "BUG: unable to handle page fault for address: ffff888012345678\n" TASK
	  "RIP: 0010:memcpy+0x1/0x20\nCall Trace:\n frob_behind+0x0/0x20\n frob_ioctl+0x1/0x20\n" CALL,
	  "frob_ioctl" },
};

TEST(of_two_functions_the_right_one_is_blamed)
{
	for (size_t i = 0; i < ARRAY_SIZE(choices); i++) {
		struct buf b = { 0 };
		struct report_stream *s = report_stream_open("test", on_function, &b);

		report_stream_feed(s, choices[i].text, strlen(choices[i].text));
		report_stream_close(s);
		if (!CHECK_STR(buf_text(&b), choices[i].blamed))
			printf("  of '%.60s'\n", choices[i].text);
		buf_release(&b);
	}
}

TEST_MAIN
