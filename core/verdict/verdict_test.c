/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts on texts: what is told from a log alone, which of several reports is the cause, and how
 * sure that can be. The texts are made up in the wording of the kernel; what each verdict must be
 * is reasoned beside it. */
#include "core/base/test.h"
#include "core/verdict/check.h"

#define OOPS(at, n, function)                                                             \
	"[   " at "] BUG: kernel NULL pointer dereference, address: 0000000000000010\n"   \
	"[   " at "] #PF: supervisor read access in kernel mode\n"                        \
	"[   " at "] Oops: 0000 [#" n "] PREEMPT SMP\n"                                   \
	"[   " at "] CPU: 3 PID: 41 Comm: worker Not tainted 6.1.0 #1\n"                  \
	"[   " at "] RIP: 0010:" function "+0x10/0x40\n"                                  \
	"[   " at "] RAX: 0000000000000000 RBX: 0000000000000001 RCX: 0000000000000002\n" \
	"[   " at "] Call Trace:\n"                                                       \
	"[   " at "]  <TASK>\n"                                                           \
	"[   " at "]  caller_of_it+0x20/0x80\n"                                           \
	"[   " at "]  kthread+0xd0/0x100\n"                                               \
	"[   " at "]  ret_from_fork+0x34/0x50\n"                                          \
	"[   " at "]  </TASK>\n"                                                          \
	"[   " at "] ---[ end trace 0000000000000000 ]---\n"
#define WARNING(at, function)                                                                 \
	"[   " at "] ------------[ cut here ]------------\n"                                  \
	"[   " at "] WARNING: CPU: 1 PID: 77 at drivers/foo/bar.c:12 " function "+0x8/0x20\n" \
	"[   " at "] CPU: 1 PID: 77 Comm: sh Not tainted 6.1.0 #1\n"                          \
	"[   " at "] RIP: 0010:" function "+0x8/0x20\n"                                       \
	"[   " at "] Call Trace:\n"                                                           \
	"[   " at "]  <TASK>\n"                                                               \
	"[   " at "]  " function "_caller+0x20/0x80\n"                                        \
	"[   " at "]  do_syscall_64+0x5b/0xc0\n"                                              \
	"[   " at "]  </TASK>\n"                                                              \
	"[   " at "] ---[ end trace 0000000000000000 ]---\n"
#define PANIC(at, words) "[   " at "] Kernel panic - not syncing: " words "\n"

struct bench {
	struct target t;
	struct arena scratch;
	struct file file;
	struct verdict v;
};

static void no_note(const struct err *e, void *arg)
{
	(void)e, (void)arg;
}

static void judge_text(struct bench *b, const char *text)
{
	memset(b, 0, sizeof(*b));
	target_init(&b->t, &b->scratch);
	b->file = (struct file){ .path = "log.txt", .fd = -1, .map = SPAN(text, strlen(text)) };
	*vec_push(&b->t.report_texts) = &b->file;
	verdict_make(&b->t, no_note, NULL, &b->v);
}

static void done(struct bench *b)
{
	verdict_release(&b->v);
	b->t.report_texts.n = 0;
	target_release(&b->t);
	arena_release(&b->scratch);
}

static enum check_state state_of(const struct bench *b, const char *check, const char **text)
{
	for (size_t i = 0; i < b->v.n_findings; i++)
		if (!strcmp(finding_name(&b->v.findings[i]), check)) {
			*text = b->v.findings[i].text;
			return b->v.findings[i].state;
		}
	*text = "there is no such check";
	return CHECK_UNKNOWN;
}

/* The text tells everything but what the dump would confirm: likely, never certain. */
TEST(an_oops)
{
	struct bench b;
	const char *text;

	judge_text(&b, OOPS("5.000001", "1", "guilty_one") PANIC("5.100000", "Fatal exception"));
	CHECK_U64(b.v.outcome, OUTCOME_DEAD);
	CHECK_U64(b.v.death.way, WAY_OOPS);
	REQUIRE(b.v.claim);
	CHECK_STR(b.v.claim->kind, "null-deref");
	CHECK_STR(b.v.claim->function, "guilty_one");
	CHECK_STR(b.v.claim->comm, "worker");
	CHECK_U64((uint64_t)b.v.claim->pid, 41);
	CHECK_U64((uint64_t)b.v.claim->cpu, 3);
	CHECK_U64(b.v.sure, SURE_LIKELY);
	CHECK_STR(b.v.claim->stack, "guilty_one < caller_of_it < kthread < ret_from_fork");
	/* every thread has the last two, and with them the trace was whole */
	CHECK_STR(b.v.claim->trail, "guilty_one < caller_of_it");
	CHECK(b.v.claim->trail_whole);
	CHECK_STR(b.v.sentence, "worker[41] on CPU 3 read through a NULL pointer, 0x10 in "
				"guilty_one+0x10, 5.0 s after boot");
	REQUIRE(b.v.claim->n_evidence);
	CHECK_STR(b.v.claim->evidence[0].source, "log.txt 5.000001");
	CHECK_U64(state_of(&b, "oops", &text), CHECK_FAIL);
	CHECK_U64(state_of(&b, "warnings", &text), CHECK_OK);
	/* without a dump nobody looked: that is not "ok" */
	CHECK_U64(state_of(&b, "deadlock", &text), CHECK_UNKNOWN);
	CHECK_STR(text, "no dump is loaded");
	done(&b);
}

/* What follows the first exception is its debris: a second one is no other cause. */
TEST(the_first_of_two_oopses)
{
	struct bench b;

	judge_text(&b, OOPS("5.000001", "1", "guilty_one") OOPS("9.000001", "2", "debris")
			       PANIC("9.100000", "Fatal exception in interrupt"));
	REQUIRE(b.v.claim);
	CHECK_STR(b.v.claim->function, "guilty_one");
	CHECK_U64(b.v.reports, 2);
	done(&b);
}

/* A warning that was survived does not kill; the exception after it does. */
TEST(an_old_warning_is_no_cause)
{
	struct bench b;
	const char *text;

	judge_text(&b, WARNING("2.000001", "noisy") OOPS("50.00001", "1", "guilty_one")
			       PANIC("50.10000", "Fatal exception"));
	REQUIRE(b.v.claim);
	CHECK_STR(b.v.claim->function, "guilty_one");
	CHECK_U64(b.v.death.way, WAY_OOPS);
	CHECK_U64(state_of(&b, "warnings", &text), CHECK_WARN);
	done(&b);
}

/* With panic_on_warn it is the warning right before the panic, not an older one. */
TEST(a_warning_that_kills)
{
	struct bench b;

	judge_text(&b, WARNING("2.000001", "noisy") WARNING("8.000001", "deadly")
			       PANIC("8.000002", "kernel: panic_on_warn set ..."));
	CHECK_U64(b.v.death.way, WAY_WARN);
	REQUIRE(b.v.claim);
	CHECK_STR(b.v.claim->kind, "warning");
	CHECK_STR(b.v.claim->function, "deadly");
	CHECK_U64(b.v.outcome, OUTCOME_DEAD);
	done(&b);
}

/* Without panic_on_warn the kernel goes on. */
TEST(a_warning_alone)
{
	struct bench b;

	judge_text(&b, WARNING("2.000001", "noisy"));
	CHECK_U64(b.v.outcome, OUTCOME_HURT);
	REQUIRE(b.v.claim);
	CHECK_STR(b.v.claim->function, "noisy");
	done(&b);
}

#define LOCKUP(at, pid, function)                                                           \
	"[   " at "] watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [spinner:" pid "]\n" \
	"[   " at "] CPU: 1 PID: " pid " Comm: spinner Not tainted 6.1.0 #1\n"              \
	"[   " at "] RIP: 0010:" function "+0x10/0x40\n"                                    \
	"[   " at "] Call Trace:\n"                                                         \
	"[   " at "]  <TASK>\n"                                                             \
	"[   " at "]  kthread+0xd0/0x100\n"                                                 \
	"[   " at "]  ret_from_fork+0x34/0x50\n"                                            \
	"[   " at "]  </TASK>\n"

/* Memory tells of a task, and so does the kernel's own report: two sources. A report of another
 * task is none, nor is one source certain of what it calls possible. */
TEST(two_sources)
{
	struct claim c = { .kind = "soft-lockup", .sure = SURE_LIKELY, .pid = 41, .cpu = 1 };
	const struct claim *told;
	struct bench b;

	c.why_sure = "its clock";
	judge_text(&b, LOCKUP("20.00001", "41", "older") LOCKUP("40.00001", "41", "loop")
			       LOCKUP("41.00001", "77", "other")
				       PANIC("42.00001", "softlockup: hung tasks"));
	told = claim_confirm(b.v.own, &c);
	CHECK_U64(told->sure, SURE_CERTAIN);
	CHECK_STR(told->function, "loop");
	CHECK_STR(told->title, "BUG: soft lockup in loop");
	REQUIRE(told->n_evidence);
	CHECK_STR(told->evidence[0].source, "log.txt 40.000010");
	/* what memory blames stays */
	c.function = "by_memory";
	told = claim_confirm(b.v.own, &c);
	CHECK_STR(told->function, "by_memory");
	c.sure = SURE_POSSIBLE;
	CHECK_U64(claim_confirm(b.v.own, &c)->sure, SURE_POSSIBLE);
	c.pid = 42;
	CHECK(claim_confirm(b.v.own, &c) == &c);
	done(&b);
}

/* A timer of a module that is gone: the kernel's timer code only found it. Without a module that
 * was unloaded, or at an address that no module has, it is not so. */
#define LEFT(address, unloaded)                                                              \
	"[    5.000001] BUG: unable to handle page fault for address: " address "\n"         \
	"[    5.000002] #PF: supervisor write access in kernel mode\n"                       \
	"[    5.000003] Oops: 0002 [#1] PREEMPT SMP\n"                                       \
	"[    5.000004] CPU: 3 PID: 41 Comm: worker Not tainted 6.1.0 #1\n"                  \
	"[    5.000005] RIP: 0010:timer_code+0x10/0x40\n"                                    \
	"[    5.000006] RAX: 0000000000000000 RBX: 0000000000000001 RCX: 0000000000000002\n" \
	"[    5.000007] Call Trace:\n"                                                       \
	"[    5.000008]  <TASK>\n"                                                           \
	"[    5.000009]  kthread+0xd0/0x100\n"                                               \
	"[    5.000010]  </TASK>\n"                                                          \
	"[    5.000011] Modules linked in: loop" unloaded "\n"                               \
	"[    5.000012] ---[ end trace 0000000000000000 ]---\n" PANIC("5.000013",            \
								      "Fatal exception")
TEST(an_unloaded_module)
{
	struct bench b;

	judge_text(&b, LEFT("ffffffffc02b06a8", " [last unloaded: widget(OE)]"));
	REQUIRE(b.v.claim);
	CHECK_STR(b.v.claim->module, "widget");
	CHECK(!b.v.claim->function);
	CHECK_STR(b.v.claim->rival, "timer_code, where it was noticed");
	CHECK_U64(b.v.sure, SURE_LIKELY);
	done(&b);
	judge_text(&b, LEFT("ffffffffc02b06a8", ""));
	REQUIRE(b.v.claim);
	CHECK_STR(b.v.claim->function, "timer_code");
	done(&b);
	judge_text(&b, LEFT("ffff9befc7b23940", " [last unloaded: widget]"));
	REQUIRE(b.v.claim);
	CHECK_STR(b.v.claim->function, "timer_code");
	done(&b);
}

/* What the watchdog reported is a standstill in a text as it is in a dump. */
TEST(a_lockup_in_a_text)
{
	struct bench b;

	judge_text(&b,
		   LOCKUP("40.00001", "41", "loop") PANIC("42.00001", "softlockup: hung tasks"));
	CHECK_U64(b.v.outcome, OUTCOME_STUCK);
	REQUIRE(b.v.claim);
	CHECK_STR(b.v.claim->kind, "soft-lockup");
	CHECK_STR(b.v.claim->function, "loop");
	done(&b);
}

/* Somebody asked; the text cannot tell why, so nothing is called healthy. */
TEST(a_crash_that_was_asked_for)
{
	struct bench b;

	judge_text(
		&b,
		PANIC("7.000001",
		      "sysrq triggered crash") "[   7.000002] CPU: 0 PID: 9 Comm: sh Not tainted 6.1.0 #1\n"
					       "[   7.000003] Call Trace:\n"
					       "[   7.000004]  panic+0x10/0x20\n"
					       "[   7.000005]  sysrq_handle_crash+0x16/0x20\n"
					       "[   7.000006]  __handle_sysrq.cold+0x43/0x11a\n"
					       "[   7.000007]  write_sysrq_trigger+0x24/0x40\n");
	CHECK_U64(b.v.death.way, WAY_SYSRQ);
	CHECK_U64(b.v.outcome, OUTCOME_UNKNOWN);
	CHECK_U64(b.v.sure, SURE_NOT);
	CHECK(!b.v.claim);
	done(&b);
}

/* The words of panic() alone: init ended. No exception is at fault. */
TEST(init_that_ended)
{
	struct bench b;

	judge_text(
		&b,
		PANIC("3.000001",
		      "Attempted to kill init! exitcode=0x00000300") "[   3.000002] CPU: 0 PID: 1 Comm: init Not tainted 6.1.0 #1\n"
								     "[   3.000003] Call Trace:\n"
								     "[   3.000004]  panic+0x10/0x20\n"
								     "[   3.000005]  do_exit.cold+0x15/0x15\n");
	CHECK_U64(b.v.death.way, WAY_INIT);
	CHECK_U64(b.v.outcome, OUTCOME_DEAD);
	REQUIRE(b.v.claim);
	done(&b);
}

/* The kernel went on after it found broken memory, and somebody asked for the crash: that memory is
 * what there is to tell of, and nothing stood still. An older warning is no part of it. */
TEST(broken_memory_that_was_survived)
{
	struct bench b;
	const char *text;

	judge_text(
		&b,
		WARNING("2.000001",
			"noisy") "[    6.000001] =============================================================================\n"
				 "[    6.000002] BUG kmalloc-96 (Not tainted): Poison overwritten\n"
				 "[    6.000003] -----------------------------------------------------------------------------\n"
				 "[    6.000004] Allocated in maker+0x20/0x60 age=3 cpu=1 pid=41\n"
				 "[    6.000005] Freed in forgetful+0x2b/0x60 age=2 cpu=1 pid=41\n"
				 "[    6.000006] CPU: 3 PID: 41 Comm: worker Not tainted 6.1.0 #1\n"
				 "[    6.000007] Call Trace:\n"
				 "[    6.000008]  <TASK>\n"
				 "[    6.000009]  dump_stack_lvl+0x10/0x20\n"
				 "[    6.000010]  check_bytes_and_report+0x10/0x20\n"
				 "[    6.000011]  check_object+0x10/0x20\n"
				 "[    6.000012]  finder+0x30/0x60\n"
				 "[    6.000013]  </TASK>\n"
				 "[    6.000014] FIX kmalloc-96: Restoring Poison 0x0-0x1=0x6b\n" PANIC(
					 "7.000001", "sysrq triggered crash"));
	CHECK_U64(b.v.death.way, WAY_SYSRQ);
	CHECK_U64(b.v.outcome, OUTCOME_HURT);
	REQUIRE(b.v.claim);
	CHECK_STR(b.v.claim->kind, "slab-corruption");
	CHECK_U64(state_of(&b, "warnings", &text), CHECK_FAIL);
	done(&b);
}

/* After an exception that was survived a watchdog ended the machine: it stood still, and the
 * exception, which may have kept a lock, comes before all that the watchdog saw. */
TEST(a_watchdog_after_an_oops)
{
	struct bench b;

	judge_text(&b,
		   OOPS("5.000001", "1", "guilty_one") PANIC("60.00001", "softlockup: hung tasks"));
	CHECK_U64(b.v.death.way, WAY_SOFT_LOCKUP);
	CHECK_U64(b.v.outcome, OUTCOME_STUCK);
	REQUIRE(b.v.claim);
	CHECK_STR(b.v.claim->function, "guilty_one");
	done(&b);
}

/* A text does not tell what the CPUs were at: nothing is called healthy. */
TEST(an_nmi_in_a_text)
{
	struct bench b;

	judge_text(
		&b,
		"[    7.000001] Uhhuh. NMI received for unknown reason 30 on CPU 0.\n" PANIC(
			"7.000002",
			"NMI: Not continuing") "[    7.000003] CPU: 0 PID: 0 Comm: swapper/0 Not tainted 6.1.0 #1\n"
					       "[    7.000004] Call Trace:\n"
					       "[    7.000005]  <NMI>\n"
					       "[    7.000006]  panic+0x10/0x20\n"
					       "[    7.000007]  nmi_panic+0x16/0x20\n"
					       "[    7.000008]  unknown_nmi_error+0x43/0x11a\n"
					       "[    7.000009]  </NMI>\n");
	CHECK_U64(b.v.death.way, WAY_NMI);
	CHECK_U64(b.v.outcome, OUTCOME_UNKNOWN);
	CHECK_U64(b.v.sure, SURE_NOT);
	CHECK(!b.v.claim);
	done(&b);
}

/* A text without a report tells nothing, and says so. */
TEST(no_report)
{
	struct bench b;
	const char *text;

	judge_text(&b, "[    1.000000] Linux version 6.1.0\n[    2.000000] all is well\n");
	CHECK_U64(b.v.outcome, OUTCOME_UNKNOWN);
	CHECK_U64(b.v.sure, SURE_NOT);
	CHECK(!b.v.claim);
	CHECK_U64(b.v.reports, 0);
	CHECK_STR(b.v.sentence, "no text that was given holds a report of a crash");
	CHECK_U64(state_of(&b, "oops", &text), CHECK_OK);
	done(&b);
}

/* A report that was cut is no more than possible. */
TEST(a_report_that_was_cut)
{
	struct bench b;

	judge_text(&b,
		   "[   5.000001] BUG: kernel NULL pointer dereference, address: 0000000000000010\n"
		   "[   5.000002] CPU: 3 PID: 41 Comm: worker Not tainted 6.1.0 #1\n"
		   "[   5.000003] RIP: 0010:guilty_one+0x10/0x40\n"
		   "[   5.000004] Call Trace:\n"
		   "[   5.000005]  <TASK>\n"
		   "[   5.000006]  caller_of_it+0x2");
	REQUIRE(b.v.claim);
	CHECK_STR(b.v.claim->function, "guilty_one");
	CHECK_U64(b.v.sure, SURE_POSSIBLE);
	/* it ends before anything tells whether the kernel went on */
	CHECK_U64(b.v.outcome, OUTCOME_HURT);
	done(&b);
}

#define OOM(at, asker)                                                                    \
	"[   " at "] " asker " invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, " \
	"oom_score_adj=0\n"                                                               \
	"[   " at "] CPU: 0 PID: 9 Comm: " asker " Not tainted 6.1.0 #1\n"                \
	"[   " at "] Call Trace:\n"                                                       \
	"[   " at "]  <TASK>\n"                                                           \
	"[   " at "]  out_of_memory+0x20/0x80\n"                                          \
	"[   " at "]  </TASK>\n"                                                          \
	"[   " at "] Mem-Info:\n"                                                         \
	"[   " at "] 32768 pages RAM\n"                                                   \
	"[   " at "] [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents name\n"
#define ROW(at, pid, rss, name) \
	"[   " at "] [    " pid "]     0   " pid "    40000    " rss "   163840        0 " name "\n"

/* The table of tasks says who has most; who asked is told, and is not to blame. */
TEST(memory_that_ran_out)
{
	struct bench b;

	judge_text(&b, OOM("9.000001", "asker") ROW("9.000002", "140", "9", "small")
			       ROW("9.000002", "141", "20000", "hog")
				       ROW("9.000002", "142", "300", "asker")
					       PANIC("9.000003", "Out of memory: system-wide "
								 "panic_on_oom is enabled"));
	CHECK(b.v.death.way == WAY_OOM);
	REQUIRE(b.v.claim);
	CHECK_STR(b.v.claim->kind, "oom");
	CHECK_STR(b.v.claim->comm, "hog");
	CHECK(b.v.claim->pid == 141);
	done(&b);
	/* less than a third of 32768 pages: something else has the memory */
	judge_text(&b, OOM("9.000001", "asker") ROW("9.000002", "141", "10000", "hog")
			       PANIC("9.000003", "Out of memory: system-wide panic_on_oom is "
						 "enabled"));
	REQUIRE(b.v.claim);
	CHECK(!b.v.claim->comm);
	done(&b);
}

/* A status of wait(): the exit code in bits 8 to 15, or a signal in the low 7. */
TEST(the_first_process_ended)
{
	static const struct {
		const char *text, *says;
	} ends[] = {
		{ PANIC("1.000000", "Attempted to kill init! exitcode=0x00000300"),
		  "exited with status 3" },
		{ PANIC("1.000000", "Attempted to kill init! exitcode=0x0000000b"),
		  "was killed by signal 11 (SIGSEGV)" },
		/* memory was written out, bit 7 */
		{ PANIC("1.000000", "Attempted to kill init! exitcode=0x00000086"),
		  "was killed by signal 6 (SIGABRT)" },
	};
	struct bench b;

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		judge_text(&b, ends[i].text);
		CHECK(b.v.death.way == WAY_INIT);
		REQUIRE(b.v.claim);
		CHECK_STR(b.v.claim->kind, "init-died");
		CHECK(!b.v.claim->function);
		CHECK(strstr(b.v.sentence, ends[i].says));
		done(&b);
	}
	/* of an exception in the kernel that is the cause, and init's end is not */
	judge_text(&b, OOPS("1.000000", "1", "broken_one")
			       PANIC("1.000001", "Attempted to kill init! exitcode=0x00000009"));
	REQUIRE(b.v.claim);
	CHECK_STR(b.v.claim->kind, "null-deref");
	done(&b);
}

TEST(no_root_no_init_and_a_broken_file_system)
{
	struct bench b;

	judge_text(&b, "[    0.000000] Kernel command line: xroot=/dev/no root=/dev/sda1 quiet\n"
		       "[    1.000000] VFS: Cannot open root device \"/dev/sda1\" or "
		       "unknown-block(0,0): error -19\n" PANIC(
			       "1.000001", "VFS: Unable to mount root fs on unknown-block(0,0)"));
	REQUIRE(b.v.claim);
	CHECK_STR(b.v.claim->kind, "no-root");
	CHECK(strstr(b.v.sentence, "(root=/dev/sda1)") && strstr(b.v.sentence, "no such device"));
	done(&b);
	judge_text(&b, PANIC("1.000001", "Requested init /sbin/x failed (error -13)."));
	REQUIRE(b.v.claim);
	CHECK_STR(b.v.claim->kind, "no-init");
	CHECK(strstr(b.v.sentence, "/sbin/x, could not be run (error -13"));
	done(&b);
	judge_text(&b, "[    1.000000] EXT4-fs error (device sda1): ext4_lookup:1855: inode #2: "
		       "comm ls: deleted inode referenced: 12\n" PANIC(
			       "1.000001", "EXT4-fs (device sda1): panic forced after error"));
	REQUIRE(b.v.claim);
	CHECK_STR(b.v.claim->kind, "filesystem");
	CHECK_STR(b.v.claim->function, "ext4_lookup");
	CHECK(strstr(b.v.sentence, "on sda1 "));
	done(&b);
}

/* What was corrected is worth a line; each check of a text says so of itself. */
TEST(lines_of_the_log)
{
	const char *text;
	struct bench b;

	judge_text(&b, "[    1.000000] EDAC MC0: 1 CE memory read error on CPU_SrcID#0\n"
		       "[    2.000000] EDAC MC0: 1 CE memory read error on CPU_SrcID#1\n");
	CHECK(state_of(&b, "hardware", &text) == CHECK_WARN);
	CHECK(strstr(text, "2 errors that were corrected") && strstr(text, "CPU_SrcID#1"));
	CHECK(state_of(&b, "kills", &text) == CHECK_OK);
	done(&b);
	judge_text(&b, "[    1.000000] Out of memory: Killed process 12 (a) total-vm:1kB\n"
		       "[    2.000000] Memory cgroup out of memory: Killed process 13 (b)\n");
	CHECK(state_of(&b, "kills", &text) == CHECK_WARN);
	CHECK(strstr(text, "1 since memory ran out, 1 for a cgroup's limit"));
	CHECK(state_of(&b, "hardware", &text) == CHECK_OK);
	done(&b);
	/* what was corrected fits the words of what was not, too; words that the text ends in the
	 * midst of are none */
	judge_text(&b, "[    1.000000] {1}[Hardware Error]: event severity: corrected\n"
		       "[    2.000000] EDAC MC0: 1 UE on");
	CHECK(state_of(&b, "hardware", &text) == CHECK_WARN);
	CHECK(strstr(text, "1 errors that were corrected"));
	done(&b);
	judge_text(&b, "[    1.000000] {1}[Hardware Error]: event severity: fatal\n"
		       "[    2.000000] EDAC MC0: 1 UE on x\n");
	CHECK(state_of(&b, "hardware", &text) == CHECK_WARN);
	CHECK(strstr(text, "2 errors that were not corrected"));
	done(&b);
}

TEST_MAIN
