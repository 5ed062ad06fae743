/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests what is understood of the last words; the messages are those of real kernels' sources. */
#include "core/base/test.h"
#include "core/linux/misc/system.h"
#include "core/report/judge/taint.h"
#include "core/linux/log/printk_fake.h"

/* A 5.4 kernel's record buffer holding the messages, one a millisecond; facility 0, level 4. */
static void log_make(struct fake *f, const char *const *messages, size_t n)
{
	uint8_t *p = f->mem + 0x1000;

	fake_init(f, 8, fake_records);
	memcpy(f->mem, "\x00\x10\x00\x80\0\0\0\0\x00\x80\0\0",
	       12); /* at FAKE_BASE + 0x1000, 32 KiB */
	for (size_t i = 0; i < n; i++) {
		size_t text = strlen(messages[i]), len = (16 + text + 7) / 8 * 8;
		uint64_t ns = 1000000 * (i + 1);

		memcpy(p, &ns, 8);
		p[8] = (uint8_t)len;
		p[9] = (uint8_t)(len >> 8);
		p[10] = (uint8_t)text;
		p[11] = (uint8_t)(text >> 8);
		p[15] = 4 << 5;
		memcpy(p + 16, messages[i], text);
		p += len;
	}
	f->mem[0x10] = (uint8_t)(p - f->mem - 0x1000);
	f->mem[0x11] = (uint8_t)((size_t)(p - f->mem - 0x1000) >> 8);
}

#define LOG(...)                                                        \
	static const char *const messages[] = { __VA_ARGS__ };          \
	struct last_words w;                                            \
	struct err err;                                                 \
	struct fake f;                                                  \
	log_make(&f, messages, sizeof(messages) / sizeof(messages[0])); \
	REQUIRE_OK(last_words_read(&f.t, &w, &err), err);               \
	CHECK_U64(w.messages, sizeof(messages) / sizeof(messages[0]))

TEST(a_plain_panic_is_its_own_cause)
{
	LOG("Linux version 6.1.0-56-cloud-amd64 (debian) (gcc-12) #1 SMP Debian",
	    "smp: Brought up 1 node, 2 CPUs",
	    "rtc_cmos 00:04: setting system clock to 2026-11-21T10:30:04 UTC (1795257004)",
	    "WARNING: CPU: 1 PID: 9 at kernel/x.c:3 f+0x1/0x2", "---[ end trace 0 ]---",
	    "sysrq: Trigger a crash", "Kernel panic - not syncing: sysrq triggered crash",
	    "CPU: 0 PID: 124 Comm: my sh Not tainted 6.1.0-56-cloud-amd64 #1  Debian",
	    "Call Trace:", "CPU: 1 PID: 5 Comm: later Not tainted 6.1.0",
	    "---[ end Kernel panic - not syncing: x ]---");
	CHECK_STR(w.panic, "Kernel panic - not syncing: sysrq triggered crash");
	CHECK_STR(w.cause, NULL);
	CHECK(w.has_task && w.pid == 124 && w.cpu == 0);
	CHECK_STR(w.comm, "my sh");
	CHECK(w.taint && !strncmp(w.taint, "Not tainted ", 12));
	CHECK_U64(w.cpus, 2);
	CHECK_U64(w.rtc_s, 1795257004);
	CHECK_U64(w.rtc_ns, 3000000);
	CHECK_U64(w.last_ns, 11000000);
	fake_release(&f);
}

TEST(an_oops_is_the_cause_of_its_panic)
{
	LOG("BUG: kernel NULL pointer dereference, address: 0000000000000000",
	    "#PF: supervisor write access in kernel mode", "Oops: 0002 [#1] PREEMPT SMP NOPTI",
	    "CPU: 3 UID: 0 PID: 77 Comm: insmod Tainted: G           OE      6.12.0 #1",
	    "---[ end trace 0000000000000000 ]---", "Kernel panic - not syncing: Fatal exception",
	    "Kernel Offset: disabled", "---[ end Kernel panic - not syncing: Fatal exception ]---");
	CHECK_STR(w.panic, "Kernel panic - not syncing: Fatal exception");
	CHECK_STR(w.cause, "BUG: kernel NULL pointer dereference, address: 0000000000000000");
	CHECK(w.has_task && w.pid == 77 && w.cpu == 3);
	CHECK_STR(w.comm, "insmod");
	fake_release(&f);
}

/* As a kernel 5.10 with PREEMPT_RT wrote them: two records, and no blank at the end of the first is
 * lost. */
TEST(a_panic_may_tell_its_message_in_another_record)
{
	LOG("BUG: kernel NULL pointer dereference, address: 8",
	    "---[ end trace 0000000000000000 ]---",
	    "Kernel panic - not syncing: ", "Fatal exception", "CPU: 0 PID: 9 Comm: b Not tainted");
	CHECK_STR(w.panic, "Kernel panic - not syncing: Fatal exception");
	CHECK_STR(w.cause, "BUG: kernel NULL pointer dereference, address: 8");
	fake_release(&f);
}

TEST(a_panic_may_say_nothing)
{
	LOG("Kernel panic - not syncing: ", "CPU: 0 PID: 9 Comm: b Not tainted 5.10.0 #1");
	CHECK_STR(w.panic, "Kernel panic - not syncing: ");
	CHECK_STR(w.comm, "b");
	fake_release(&f);
}

TEST(without_a_panic_the_last_oops_speaks)
{
	LOG("Unable to handle kernel paging request at virtual address dead000000000108",
	    "Internal error: Oops: 96000045 [#1] SMP", "CPU: 1 PID: 4 Comm: a Not tainted 6.1.0 #1",
	    "---[ end trace 0000000000000000 ]---",
	    "watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [b:9]",
	    "kernel BUG at mm/slub.c:379!",
	    "Internal error: Oops - BUG: 00000000f2000800 [#2] SMP");
	CHECK_STR(w.panic, "kernel BUG at mm/slub.c:379!");
	fake_release(&f);
}

TEST(a_lockup_is_the_cause_of_its_panic)
{
	LOG("BUG: kernel NULL pointer dereference, address: 8",
	    "---[ end trace 0000000000000000 ]---",
	    "watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [b:9]",
	    "CPU: 0 PID: 9 Comm: b Tainted: G      D W    L     6.1.0 #1",
	    "Kernel panic - not syncing: softlockup: hung tasks",
	    "CPU: 0 PID: 9 Comm: b Kdump: loaded Tainted: G      D W    L     6.1.0 #1");
	CHECK_STR(w.comm, "b");
	CHECK_STR(w.cause, "watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [b:9]");
	fake_release(&f);
}

/* hardlockup_detector_perf_init() announces itself while it boots, and a driver's WARNING is
 * survived; x86's oops_end() has ended the trace of the oops when it panics. */
TEST(what_was_announced_or_survived_is_no_cause)
{
	LOG("NMI watchdog: Perf NMI watchdog permanently disabled",
	    "BUG: unable to handle page fault for address: ffffffff00000000",
	    "CPU: 0 PID: 40 Comm: early Not tainted 6.1.0 #1",
	    "---[ end trace 0000000000000000 ]---",
	    "WARNING: CPU: 1 PID: 9 at kernel/x.c:3 f+0x1/0x2",
	    "---[ end trace 0000000000000000 ]---",
	    "INFO: task a:7 blocked for more than 120 seconds.",
	    "BUG: kernel NULL pointer dereference, address: 0000000000000000",
	    "Oops: 0002 [#2] PREEMPT SMP NOPTI",
	    "CPU: 3 PID: 77 Comm: b Tainted: G      D W 6.1.0 #1",
	    "---[ end trace 0000000000000000 ]---",
	    "NMI watchdog: Enabled. Permanently consumes one hw-PMU counter.",
	    "BUG: Bad page state in process c  pfn:00c0d", "watchdog: Delayed timer check",
	    "Kernel panic - not syncing: Fatal exception in interrupt");
	CHECK_STR(w.cause, "BUG: kernel NULL pointer dereference, address: 0000000000000000");
	CHECK(w.has_task && w.pid == 77);
	fake_release(&f);
}

/* Each panic names the sort of trouble that it is the consequence of. kernel/watchdog.c,
 * watchdog_hld.c and watchdog_perf.c, hung_task.c, panic.c (check_panic_on_warn), rcu/tree_stall.h,
 * mm/kasan/report.c; arch/arm64/kernel/traps.c; arch/x86/kernel/cpu/mce/core.c and nmi.c. */
TEST(a_panic_has_its_own_sort_of_cause)
{
#define OTHERS                                                                                 \
	"WARNING: CPU: 1 PID: 9 at kernel/x.c:3 f+0x1/0x2",                                    \
		"watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [b:9]",                     \
		"watchdog: CPU3: Watchdog detected hard LOCKUP on cpu 3",                      \
		"INFO: task a:7 blocked for more than 120 seconds.",                           \
		"rcu: INFO: rcu_preempt self-detected stall on CPU",                           \
		"BUG: KASAN: slab-out-of-bounds in f+0x1/0x2",                                 \
		"SError Interrupt on CPU0, code 0x00000000bf000002 -- SError",                 \
		"kernel BUG at mm/slub.c:379!", "invalid opcode: 0000 [#1] PREEMPT SMP NOPTI", \
		"CPU: 1 PID: 5 Comm: kworker/1:0 Not tainted 6.1.0 #1",                        \
		"---[ end trace 0000000000000000 ]---",                                        \
		"BUG: sleeping function called from invalid context at x.c:1"
	static const struct {
		const char *panic, *cause; /* which a line begins with */
	} cases[] = {
		{ "kernel: panic_on_warn set ...", "BUG: sleeping function" },
		{ "softlockup: hung tasks", "watchdog: BUG: soft lockup" },
		{ "Hard LOCKUP", "watchdog: CPU3: Watchdog" },
		{ "hung_task: blocked tasks", "INFO: task a:7" },
		{ "RCU Stall", "rcu: INFO: rcu_preempt" },
		{ "Fatal exception in interrupt", "kernel BUG at mm/slub.c:379!" },
		{ "Oops - BUG: Fatal exception", "kernel BUG at mm/slub.c:379!" },
		{ "Aiee, killing interrupt handler!", "kernel BUG at mm/slub.c:379!" },
		{ "Attempted to kill the idle task!", "kernel BUG at mm/slub.c:379!" },
		{ "Asynchronous SError Interrupt", "SError Interrupt on CPU0" },
		/* init ended, or was killed: the oops of another task is not why */
		{ "Attempted to kill init! exitcode=0x00000100", NULL },
		{ "sysrq triggered crash", NULL },
		{ "VFS: Unable to mount root fs on unknown-block(0,0)", NULL },
		{ "Fatal machine check", "SError Interrupt on CPU0" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char panic[128];
		const char *messages[] = { OTHERS, panic };
		struct last_words w;
		struct err err;
		struct fake f;

		snprintf(panic, sizeof(panic), "Kernel panic - not syncing: %s", cases[i].panic);
		log_make(&f, messages, sizeof(messages) / sizeof(messages[0]));
		REQUIRE_OK(last_words_read(&f.t, &w, &err), err);
		CHECK_STR(w.panic, panic);
		CHECK(!w.cause == !cases[i].cause);
		if (w.cause && cases[i].cause)
			CHECK_MEM(w.cause, cases[i].cause, strlen(cases[i].cause));
		fake_release(&f);
	}
}

/* The headline scrolled away: no other trouble may stand in for it. */
TEST(a_cause_that_scrolled_away_is_unknown)
{
	LOG("WARNING: CPU: 1 PID: 9 at kernel/x.c:3 f+0x1/0x2",
	    "INFO: task a:7 blocked for more than", "Kernel panic - not syncing: Fatal exception");
	CHECK_STR(w.cause, NULL);
	fake_release(&f);
}

TEST(an_oops_of_init_is_why_it_was_killed)
{
	LOG("BUG: kernel NULL pointer dereference, address: 0000000000000000",
	    "CPU: 0 PID: 1 Comm: init Not tainted 6.1.0 #1", "---[ end trace 0000000000000000 ]---",
	    "Kernel panic - not syncing: Attempted to kill init! exitcode=0x0000000b",
	    "CPU: 0 PID: 1 Comm: init Tainted: G      D 6.1.0 #1");
	CHECK_STR(w.cause, "BUG: kernel NULL pointer dereference, address: 0000000000000000");
	fake_release(&f);
}

/* Before v5.0 sysrq crashed by a NULL pointer: who asked for the crash caused it. What goes wrong
 * while an oops is told, or after the panic, is no cause either. */
TEST(what_began_it_is_the_cause)
{
	LOG("BUG: unable to handle kernel paging request at dead000000000100",
	    "CPU: 0 PID: 4 Comm: old Not tainted 4.14.0 #1", "---[ end trace 31d4e63e2d4c7b81 ]---",
	    "sysrq: SysRq : Trigger a crash",
	    "BUG: unable to handle kernel NULL pointer dereference at           (null)",
	    "Oops: 0002 [#2] SMP", "CPU: 0 PID: 9 Comm: sh Tainted: G      D 4.14.0 #1",
	    "BUG: unable to handle kernel paging request at 0000000000000040",
	    "CPU: 0 PID: 11 Comm: other Tainted: G      D 4.14.0 #1",
	    "---[ end trace 31d4e63e2d4c7b82 ]---", "Kernel panic - not syncing: Fatal exception",
	    "BUG: unable to handle kernel paging request at 0000000000000080",
	    "Kernel panic - not syncing: Fatal exception in interrupt");
	CHECK_STR(w.panic, "Kernel panic - not syncing: Fatal exception");
	CHECK_STR(w.cause, "sysrq: SysRq : Trigger a crash");
	CHECK(w.has_task && w.pid == 9);
	fake_release(&f);
}

TEST(a_quiet_log_tells_of_no_panic)
{
	LOG("Linux version 6.1.0", "WARNING: CPU: 1 PID: 9 at kernel/x.c:3 f+0x1/0x2");
	CHECK_STR(w.panic, NULL);
	CHECK(!w.has_task);
	fake_release(&f);
}

TEST(a_message_may_be_cut_anywhere)
{
	LOG("CPU: ", "CPU: 0 PID: ", "CPU: 0 PID: 9 Comm: ", "CPU: 0 PID: 9 Comm: x",
	    "BUG: ", "Oops", ": setting system clock to ", ": setting system clock to  UTC (",
	    "smp: Brought up ", "");
	CHECK(!w.has_task);
	fake_release(&f);
}

TEST(taint_letters_have_meanings)
{
	const char *text;
	char letter;

	CHECK(taint_flag(9, &letter, &text) && letter == 'W');
	CHECK(taint_flag(12, &letter, &text) && letter == 'O');
	CHECK(taint_flag(18, &letter, &text) && letter == 'N');
	CHECK(!taint_flag(63, &letter, &text));
}

TEST_MAIN
