/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts on texts of many forms: what a person who reads them says, who is innocent, and what a
 * text does not tell. The texts are made up in the forms that people send to trackers of bugs. */
#include "core/base/test.h"
#include "core/verdict/verdict_fake.h"

/* What a text must be judged as: "-" is none, NULL anything. */
struct expected {
	const char *outcome, *kind, *comm, *function;
	const char *says; /* in the sentence */
};

static bool is(const char *have, const char *want)
{
	return !want || (!strcmp(want, "-") ? !have : have && !strcmp(have, want));
}

static void check_text(const char *file, int line, const char *text, struct expected e)
{
	const struct claim *c;
	struct trial trial;

	trial_of_text(&trial, text, strlen(text));
	c = trial.v.claim;
	if (!test_check(!strcmp(outcome_name(trial.v.outcome), e.outcome) &&
				is(c ? c->kind : NULL, e.kind) && is(c ? c->comm : NULL, e.comm) &&
				is(c ? c->function : NULL, e.function) &&
				(!e.says || strstr(trial.v.sentence, e.says)),
			file, line, "as a person judges it"))
		printf("  got  %s: %s, kind %s, of %s, function %s\n",
		       outcome_name(trial.v.outcome), trial.v.sentence,
		       c && c->kind ? c->kind : "-", c && c->comm ? c->comm : "-",
		       c && c->function ? c->function : "-");
	trial_end(&trial);
}
#define JUDGED(text, ...) check_text(__FILE__, __LINE__, text, (struct expected){ __VA_ARGS__ })

#define NULL_READ(at, n, comm, function)                                             \
	"[" at "] BUG: kernel NULL pointer dereference, address: 0000000000000010\n" \
	"[" at "] #PF: supervisor read access in kernel mode\n"                      \
	"[" at "] Oops: 0000 [#" n "] PREEMPT SMP\n"                                 \
	"[" at "] CPU: 3 PID: 41 Comm: " comm " Not tainted 6.1.0 #1\n"              \
	"[" at "] RIP: 0010:" function "+0x10/0x40\n"                                \
	"[" at "] Call Trace:\n"                                                     \
	"[" at "]  caller_of_it+0x20/0x80\n"                                         \
	"[" at "]  kthread+0xd0/0x100\n"                                             \
	"[" at "] ---[ end trace 0000000000000000 ]---\n"

/* A console's log may hold several lives of a machine. The last death is asked for; what came after
 * a boot and killed nothing is no reason to forget it. */
TEST(the_life_that_is_judged)
{
	static const char first
		[] = NULL_READ(
			"   50.000001", "1", "early",
			"first_boot") "[   50.100000] Kernel panic - not syncing: Fatal exception\n",
	   boot[] = "[    0.000000] Linux version 6.1.0 (somebody@somewhere)\n",
	   second[] = NULL_READ(
		   "   70.000001", "1", "late",
		   "second_boot") "[   70.100000] Kernel panic - not syncing: Fatal exception\n",
	   warned[] = "[    3.000001] ------------[ cut here ]------------\n"
		      "[    3.000002] WARNING: CPU: 1 PID: 77 at drivers/a/b.c:12 noisy+0x8/0x20\n"
		      "[    3.000003] CPU: 1 PID: 77 Comm: boot Not tainted 6.1.0 #1\n"
		      "[    3.000004] RIP: 0010:noisy+0x8/0x20\n"
		      "[    3.000005] Call Trace:\n"
		      "[    3.000006]  noisy_caller+0x20/0x80\n"
		      "[    3.000007] ---[ end trace 0000000000000000 ]---\n";
	char text[8192];

	snprintf(text, sizeof(text), "%s%s%s", first, boot, second);
	JUDGED(text, "dead", "null-deref", "late", "second_boot");
	snprintf(text, sizeof(text), "%s%s%s", boot, first, warned);
	JUDGED(text, "dead", "null-deref", "early", "first_boot");
	snprintf(text, sizeof(text), "%s%s%s", first, boot, warned);
	JUDGED(text, "dead", "null-deref", "early", "first_boot");
	/* what killed nothing in this life does not take the blame from what killed in the one
	 * before */
	snprintf(text, sizeof(text), "%s%s%s", first, boot,
		 NULL_READ("   70.000001", "1", "late", "second_boot"));
	JUDGED(text, "dead", "null-deref", "early", "first_boot");
}

/* The last line before a boot is of the life before, the first one after it is not. */
TEST(the_lines_beside_a_boot)
{
	static const char text[] = "[   50.000000] Kernel panic - not syncing: of the life before\n"
				   "[    0.000000] Linux version 6.1.0 (somebody@somewhere)\n"
				   "[    0.000001] Kernel panic - not syncing: of this life\n";
	struct trial c;

	trial_of_text(&c, text, strlen(text));
	CHECK_U64(c.v.reports, 1);
	CHECK_STR(c.v.sentence, "the kernel called panic(\"of this life\"), 0.0 s after boot");
	trial_end(&c);
}

/* What is left out is told. */
TEST(an_earlier_life_is_told_of)
{
	static const char text[] = NULL_READ(
		"   50.000001", "1", "early",
		"first_boot") "[    0.000000] Linux version 6.1.0 (somebody@somewhere)\n" NULL_READ("   70.000001",
												    "1",
												    "late",
												    "second_boot");
	struct trial c;

	trial_of_text(&c, text, strlen(text));
	CHECK_U64(c.v.reports, 1);
	for (size_t i = 0; i < c.v.n_findings; i++)
		if (!strcmp(finding_name(&c.v.findings[i]), "oops"))
			CHECK(strstr(c.v.findings[i].text, "1 reported, the first: ") &&
			      strstr(c.v.findings[i].text,
				     "; 1 reports of an earlier boot are left out"));
	trial_end(&c);
}

/* Of the second exception of a kernel whose first is not in the text nobody can be as sure. */
TEST(a_second_exception_alone)
{
	struct trial c;
	static const char second[] = NULL_READ("   70.000001", "2", "late", "debris");
	static const char first[] = NULL_READ("   70.000001", "1", "late", "debris");

	trial_of_text(&c, second, strlen(second));
	CHECK_U64(c.v.sure, SURE_POSSIBLE);
	CHECK_STR(c.v.why_sure, "it is exception 2 of this kernel, and the first, which it may "
				"follow from, is not told of");
	trial_end(&c);
	trial_of_text(&c, first, strlen(first));
	CHECK_U64(c.v.sure, SURE_LIKELY);
	trial_end(&c);
}

/* An error of the hardware is nobody's: the function that the CPU was in has no part in it. */
TEST(hardware_is_nobodys_fault)
{
	JUDGED("[   20.100000] SError Interrupt on CPU2, code 0x00000000bf000002 -- SError\n"
	       "[   20.100001] CPU: 2 PID: 312 Comm: modprobe Not tainted 6.1.21 #1\n"
	       "[   20.100002] pstate: 60000005 (nZCv daif -PAN -UAO -TCO -DIT -SSBS BTYPE=--)\n"
	       "[   20.100003] pc : bystander+0x30/0x60\n"
	       "[   20.100004] lr : caller_of_it+0x30/0xc0\n"
	       "[   20.100005] Kernel panic - not syncing: Asynchronous SError Interrupt\n"
	       "[   20.100006] CPU: 2 PID: 312 Comm: modprobe Not tainted 6.1.21 #1\n",
	       "dead", "serror", NULL, "-");
	JUDGED("[ 1200.000001] {1}[Hardware Error]: event severity: fatal\n"
	       "[ 1200.000002] Kernel panic - not syncing: Fatal hardware error!\n"
	       "[ 1200.000003] CPU: 0 PID: 0 Comm: swapper/0 Not tainted 5.10.0 #1\n"
	       "[ 1200.000004] Call Trace:\n"
	       "[ 1200.000005]  <NMI>\n"
	       "[ 1200.000006]  panic+0x101/0x2d7\n"
	       "[ 1200.000007]  __ghes_panic.cold+0x21/0x21\n"
	       "[ 1200.000008]  ghes_notify_nmi+0x267/0x2a0\n",
	       "dead", "hardware", NULL, "-", "met an error of the hardware");
	JUDGED("[    0.000000] Oops: Machine check, sig: 7 [#1]\n"
	       "[    0.000000] LE SMP NR_CPUS=2048 NUMA \n"
	       "[    0.000000] CPU: 0 PID: 0 Comm: swapper Tainted: G   M  4.16.0 #99\n"
	       "[    0.000000] NIP:  c000000000b7f5f0 LR: c000000000b7f5a8 CTR: 0000000000000000\n"
	       "[    0.000000] NIP [c000000000b7f5f0] bystander+0x30/0x100\n"
	       "[    0.000000] Call Trace:\n"
	       "[    0.000000] [c000000001103d60] [c000000000b70c44] probe_machine+0x94/0x140\n",
	       "hurt", "mce", NULL, "-");
	JUDGED("[  100.000001] Kernel panic - not syncing: Timeout: Not all CPUs entered broadcast "
	       "exception handler\n"
	       "[  100.000002] Kernel Offset: 0x1a000000 from 0xffffffff81000000 (relocation range: "
	       "0xffffffff80000000-0xffffffffbfffffff)\n",
	       "dead", "mce", NULL, "-", "met an error of the hardware");
	/* mm/memory-failure and mce_panic() say more than "Fatal machine check" */
	JUDGED("[   10.000000] Kernel panic - not syncing: Uncorrected hardware memory error in "
	       "user-access at 1234000\n"
	       "[   10.000001] CPU: 0 PID: 12 Comm: prog Not tainted 4.18.0 #1\n"
	       "[   10.000002] Call Trace:\n"
	       "[   10.000003]  panic+0xe7/0x2a9\n"
	       "[   10.000004]  bystander+0x40/0x90\n",
	       "dead", "hardware", NULL, "-");
}

/* The thread that ends grace periods waits for the others: it is not what keeps them from it. */
TEST(the_thread_of_rcu_is_innocent)
{
	JUDGED("[  230.096699] rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:\n"
	       "[  230.096710] rcu: \t(detected by 6, t=21002 jiffies, g=12009, q=3846 ncpus=8)\n"
	       "[  230.096718] rcu: rcu_preempt kthread timer wakeup didn't happen for 20999 jiffies! "
	       "g12009 f0x2 RCU_GP_WAIT_FQS(5) ->state=0x200\n"
	       "[  230.096730] rcu: RCU grace-period kthread stack dump:\n"
	       "[  230.096733] task:rcu_preempt     state:R stack:0     pid:16    tgid:16    ppid:2\n"
	       "[  230.096800] Call Trace:\n"
	       "[  230.096810]  __schedule+0x5a0/0x1720\n"
	       "[  230.096820]  schedule+0x40/0x100\n"
	       "[  230.096830]  schedule_timeout+0x84/0x140\n"
	       "[  230.096850]  rcu_gp_kthread+0x10c/0x1c0\n"
	       "[  230.096860]  kthread+0x124/0x140\n",
	       "hurt", "rcu-stall", "-", "-", "its own thread was not let to run, or not woken");
}

/* The stack protector names the function whose frame was overwritten; that is another thing than
 * too deep a stack, and not where the text's trace begins. */
TEST(a_stack_that_was_smashed)
{
	JUDGED("[   28.165210] Kernel panic - not syncing: stack-protector: Kernel stack is corrupted "
	       "in: smashed_one+0xc6/0xc6\n"
	       "[   28.176325] CPU: 0 PID: 463 Comm: udevd Not tainted 5.18.0 #1\n"
	       "[   28.198245] Call Trace:\n"
	       "[   28.201377]  dump_stack+0x14/0x1c\n"
	       "[   28.225012]  panic+0xfc/0x2ca\n"
	       "[   28.230397]  behind_it+0x0/0x74\n"
	       "[   28.237207]  caller_of_it+0x10/0x4a\n",
	       "dead", "stack-overflow", "udevd", "smashed_one",
	       "found its frame on the stack overwritten in smashed_one");
	/* an old kernel without names says an address, which is no function */
	JUDGED("Kernel panic - not syncing: stack-protector: Kernel stack is corrupted in: 802e62f8\n"
	       "\n"
	       "CPU: 0 PID: 887 Comm: udevd Not tainted 4.7.10 #1\n"
	       "Hardware name: ASpeed SoC\n"
	       "[<801072f8>] (unwind_backtrace) from [<80105558>] (show_stack+0x10/0x14)\n"
	       "[<80105558>] (show_stack) from [<8016d06c>] (panic+0xb8/0x248)\n"
	       "[<8016d06c>] (panic) from [<80110df4>] (__stack_chk_fail+0x10/0x14)\n"
	       "[<80110df4>] (__stack_chk_fail) from [<802e62f8>] (bus_xfer+0x508/0x54c)\n",
	       "dead", "stack-overflow", "udevd", "bus_xfer",
	       "found its frame on the stack overwritten");
	/* here there was too little of it */
	JUDGED("[ 1307.478695] Kernel panic - not syncing: corrupted stack end detected inside scheduler\n"
	       "[ 1307.481210] CPU: 0 PID: 90683 Comm: sync Not tainted 5.15.0 #1\n"
	       "[ 1307.486629] Call Trace:\n"
	       "[ 1307.489247]  panic+0x18b/0x389\n"
	       "[ 1307.496155]  __schedule+0xf8b/0xf90\n"
	       "[ 1307.502411]  schedule+0x6d/0x120\n"
	       "[ 1307.504578]  deep_one+0x29f/0x4d0\n",
	       "dead", "stack-overflow", "sync", "deep_one", "used more stack than there is");
}

/* Up to v5.15 one overflow is told in two lines that both look like the first of a report. */
TEST(an_overflow_in_two_lines)
{
	JUDGED("[   33.000001] BUG: stack guard page was hit at 00000000b1d6b5d5 (stack is "
	       "000000009d9a9d9a..00000000a1a1a1a1)\n"
	       "[   33.000002] kernel stack overflow (double-fault): 0000 [#1] SMP PTI\n"
	       "[   33.000003] CPU: 0 PID: 77 Comm: sh Not tainted 5.4.0 #1\n"
	       "[   33.000004] RIP: 0010:recurse_me+0x4/0x40 [deep]\n"
	       "[   33.000006] Call Trace:\n"
	       "[   33.000007]  recurse_me+0x1e/0x40 [deep]\n"
	       "[   33.000008]  recurse_me+0x1e/0x40 [deep]\n"
	       "[   33.000009]  recurse_me+0x1e/0x40 [deep]\n"
	       "[   33.000011] ---[ end trace 0f0f0f0f0f0f0f0f ]---\n"
	       "[   33.000012] Kernel panic - not syncing: Fatal exception in interrupt\n",
	       "dead", "stack-overflow", "sh", "recurse_me");
}

/* sysrq's f asks the OOM killer for a victim; with panic_on_oom at 2 that ends the kernel. */
TEST(memory_that_did_not_run_out)
{
	JUDGED("[  910.064760] sysrq: Manual OOM execution\n"
	       "[  910.113950] Kernel panic - not syncing: Out of memory: compulsory panic_on_oom is enabled\n"
	       "[  910.229545] CPU: 1 PID: 243 Comm: kworker/1:2 Not tainted 5.10.0 #1\n"
	       "[  910.343096] Call Trace:\n"
	       "[  910.343105]  panic+0xc9/0x20a\n"
	       "[  910.343110]  out_of_memory+0x55/0x60\n",
	       "dead", "oom", "-", "-", "memory need not have run out");
	/* without killable tasks; these words up to v4.19, "deadlocked on memory" from v5.0 */
	JUDGED("[    5.000000] Kernel panic - not syncing: Out of memory and no killable processes...\n"
	       "[    5.000001] CPU: 0 PID: 1 Comm: init Not tainted 4.9.0 #1\n"
	       "[    5.000002] Call Trace:\n"
	       "[    5.000003]  panic+0xc9/0x20a\n"
	       "[    5.000004]  out_of_memory+0x55/0x60\n",
	       "dead", "oom", NULL, "-", "memory ran out");
}

/* Who asked last is told where it is not who has the memory. */
TEST(who_asked_last)
{
#define RAN_OUT(asker, pid)                                                                      \
	"[    9.000000] " asker " invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, "     \
	"oom_score_adj=0\n"                                                                      \
	"[    9.000001] CPU: 0 PID: " pid " Comm: " asker " Not tainted 6.1.0 #1\n"              \
	"[    9.000002] Call Trace:\n"                                                           \
	"[    9.000003]  out_of_memory+0x20/0x80\n"                                              \
	"[    9.000004] 32768 pages RAM\n"                                                       \
	"[    9.000005] [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents name\n"  \
	"[    9.000006] [    141]     0   141    40000    20000   163840        0 hog\n"         \
	"[    9.000007] [    142]     0   142    40000       20   163840        0 asker\n"       \
	"[    9.000008] Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is " \
	"enabled\n"                                                                              \
	"[    9.000009] CPU: 0 PID: " pid " Comm: " asker " Not tainted 6.1.0 #1\n"
	JUDGED(RAN_OUT("asker", "142"), "dead", "oom", "hog", "-",
	       "memory ran out: the largest process is hog[141] with 20000 pages; asker[142] only asked last");
	static const char own[] = RAN_OUT("hog", "141");
	struct trial c;

	trial_of_text(&c, own, strlen(own));
	CHECK_STR(c.v.sentence, "memory ran out: the largest process is hog[141] with 20000 pages");
	trial_end(&c);
}

/* Each time that memory runs out the kernel prints its table of tasks (mm/oom_kill.c). The one that
 * was killed for the first is none of the last, and has no part in the end. The heading has one
 * blank beside "pid" up to v4.18, and two since. */
TEST(the_last_table_of_tasks)
{
#define TABLE(at, heading, pid, name, pages)                                                   \
	"[" at "] 32768 pages RAM\n"                                                           \
	"[" at "] " heading "   uid  tgid total_vm      rss pgtables_bytes swapents name\n"    \
	"[" at "] [    " pid "]     0   " pid "    40000    " pages "   163840        0 " name \
	"\n"
#define TWICE(heading)                                                                            \
	TABLE("    9.000000", heading, "141", "killed", "20000")                                  \
	"[    9.000001] Out of memory: Killed process 141 (killed) total-vm:160000kB\n" TABLE(    \
		"  900.000000", heading, "142", "grown",                                          \
		"15000") "[  900.000001] Kernel panic - not syncing: Out of memory: system-wide " \
			 "panic_on_oom is enabled\n"                                              \
			 "[  900.000002] CPU: 0 PID: 142 Comm: grown Not tainted 6.1.0 #1\n"
	JUDGED(TWICE("[  pid  ]"), "dead", "oom", "grown", "-",
	       "the largest process is grown[142] with 15000 pages");
	JUDGED(TWICE("[ pid ]"), "dead", "oom", "grown", "-",
	       "the largest process is grown[142] with 15000 pages");
}

/* What a syslog, a caller's number or a console puts in front of a row is none of it, and a name
 * may be anything. */
TEST(tables_of_tasks_in_logs)
{
	static const char *const fronts[] = { "",
					      "[  900.000000] ",
					      "[  900.000000] [    C0] ",
					      "[  900.000000][  T142] ",
					      "Nov 29 15:07:12 host kernel: ",
					      "Nov 29 15:07:12 host kernel: [  900.000000] ",
					      "Nov 29 15:07:12 host rsyslogd[77]: [  900.000000] ",
					      "<4>[  900.000000] " };

	for (size_t i = 0; i < ARRAY_SIZE(fronts); i++) {
		const char *f = fronts[i];
		char text[2048];

		snprintf(
			text, sizeof(text),
			"%s32768 pages RAM\n%s[  pid  ]   uid  tgid total_vm      rss swapents oom_score_adj name\n"
			"%s[    141]     0   141    40000      200   0     0 sh\n"
			"%s[    142]     0   142    40000    15000   0 -1000 [x] 7\n"
			"%sKernel panic - not syncing: Out of memory: system-wide panic_on_oom is "
			"enabled\n%sCPU: 0 PID: 142 Comm: grown Not tainted 6.1.0 #1\n",
			f, f, f, f, f, f);
		JUDGED(text, "dead", "oom", "[x] 7", "-",
		       "the largest process is [x] 7[142] with 15000 pages");
	}
}

/* What memory tells of a task is confirmed by the only report there is of it. */
TEST(one_report_confirms)
{
	static const char text[] =
		"[   40.000001] watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [spinner:41]\n"
		"[   40.000002] CPU: 1 PID: 41 Comm: spinner Not tainted 6.1.0 #1\n"
		"[   40.000003] RIP: 0010:loop+0x10/0x40\n"
		"[   40.000004] Call Trace:\n"
		"[   40.000005]  kthread+0xd0/0x100\n";
	struct claim found = { .kind = "soft-lockup",
			       .sure = SURE_LIKELY,
			       .pid = 41,
			       .cpu = 1,
			       .why_sure = "its clock" };
	struct trial c;

	trial_of_text(&c, text, strlen(text));
	CHECK_U64(claim_confirm(c.v.own, &found)->sure, SURE_CERTAIN);
	found.pid = 42;
	CHECK_U64(claim_confirm(c.v.own, &found)->sure, SURE_LIKELY);
	trial_end(&c);
}

/* Watchdogs of all ages: who did not let go is to blame, not panic(). */
TEST(lockups_in_other_words)
{
	JUDGED("[41152.354507] Kernel panic - not syncing: Watchdog detected hard LOCKUP on cpu 1\n"
	       "[41152.389469] CPU: 1 PID: 5121 Comm: influxd Tainted: P  O 3.10.108 #42218\n"
	       "[41152.571634] Call Trace:\n"
	       "[41152.583761]  <NMI>  [<ffffffff814a2759>] dump_stack+0xc/0x15\n"
	       "[41152.612922]  [<ffffffff814a16b1>] panic+0xbb/0x1df\n"
	       "[41152.637273]  [<ffffffff810a9eb8>] watchdog_overflow_callback+0xa8/0xb0\n"
	       "[41152.849821]  <<EOE>> \n"
	       "[41152.850000]  [<ffffffff8105a1b2>] spins_here+0x12/0x600\n",
	       "stuck", "hard-lockup", "influxd", "spins_here", "with interrupts off");
	JUDGED("[  252.718655] Watchdog CPU:59 Hard LOCKUP\n"
	       "[  252.718697] CPU: 59 PID: 363 Comm: hog Tainted: G      D  4.15.0 #36\n"
	       "[  252.718700] NIP:  c000000000d02480 LR: c000000000151318 CTR: c000000000444d00\n"
	       "[  252.718800] NIP [c000000000d02480] _raw_spin_lock+0x70/0xe0\n"
	       "[  252.718810] LR [c000000000151318] wants_it+0x98/0x390\n"
	       "[  252.718820] Call Trace:\n"
	       "[  252.718830] [c000003fe35b7050] [c000000000151318] wants_it+0x98/0x390\n",
	       "hurt", "hard-lockup", "hog", "wants_it");
	/* who came in an interrupt while the CPU was idle; not the idle task, nor its function */
	JUDGED("[   56.303956] watchdog: BUG: soft lockup - CPU#2 stuck for 22s! [swapper/2:0]\n"
	       "[   56.306564] CPU: 2 PID: 0 Comm: swapper/2 Not tainted 5.9.0 #118\n"
	       "[   56.309443] RIP: 0010:spins_here+0x1cd/0x8d0\n"
	       "[   56.313021] RSP: 0018:ffffc900000e4a20 EFLAGS: 00000206\n"
	       "[   56.321500] Call Trace:\n"
	       "[   56.321510]  <IRQ>\n"
	       "[   56.321520]  calls_it+0x6b/0x1e0\n"
	       "[   56.321540]  packet_came+0x2a3/0x9f0\n"
	       "[   56.321550]  </IRQ>\n"
	       "[   56.321560]  default_idle+0x1c/0x1a0\n"
	       "[   56.321570]  do_idle+0x1c/0x1a0\n"
	       "[   56.321580]  cpu_startup_entry+0x1c/0x1a0\n",
	       "hurt", "soft-lockup", NULL, "packet_came");
	/* that it got loose again is no report */
	JUDGED("[  252.718655] Watchdog CPU:59 became unstuck\n"
	       "[  252.718697] CPU: 59 PID: 363 Comm: hog Tainted: G      D  4.15.0 #36\n",
	       "unknown", "-", "-", "-");
	/* a watchdog that a program has to feed: something stood still, and the text does not say
	 * what */
	JUDGED("[  900.000000] Kernel panic - not syncing: Software Watchdog Timer expired\n"
	       "[  900.000001] CPU: 0 PID: 0 Comm: swapper/0 Not tainted 6.1.0 #1\n"
	       "[  900.000002] Call Trace:\n"
	       "[  900.000003]  panic+0xc9/0x20a\n"
	       "[  900.000004]  softdog_fire+0x40/0x50\n",
	       "unknown", "-", "-", "-", "the software watchdog, which no program fed in time");
}

/* A CPU that slept in its idle task did not keep itself: the host took its time, or the clock
 * jumped. */
TEST(a_cpu_that_the_host_took)
{
	JUDGED("[ 5000.000000] watchdog: BUG: soft lockup - CPU#0 stuck for 67s! [swapper/0:0]\n"
	       "[ 5000.000001] CPU: 0 PID: 0 Comm: swapper/0 Not tainted 5.10.0 #1\n"
	       "[ 5000.000002] RIP: 0010:native_safe_halt+0xe/0x20\n"
	       "[ 5000.000003] RSP: 0018:ffffffffa8003e60 EFLAGS: 00000246\n"
	       "[ 5000.000004] Call Trace:\n"
	       "[ 5000.000005]  default_idle+0xa/0x10\n"
	       "[ 5000.000006]  default_idle_call+0x38/0xb0\n"
	       "[ 5000.000007]  do_idle+0x208/0x2b0\n"
	       "[ 5000.000008]  cpu_startup_entry+0x19/0x20\n",
	       "hurt", "soft-lockup", "-", "-", "CPU 0 had nothing to do, and yet did not run");
}

/* Whatever die() counts ends the task that met it, whether its words say "Oops" or not. */
TEST(what_die_counts)
{
	static const char text[] =
		"[   30.000000] Internal error: Oops - Undefined instruction: 0000000002000000 [#1] SMP\n"
		"[   30.000001] CPU: 1 PID: 300 Comm: insmod Not tainted 6.1.0 #1\n"
		"[   30.000002] pstate: 60000005 (nZCv daif -PAN -UAO -TCO -DIT -SSBS BTYPE=--)\n"
		"[   30.000003] pc : my_init+0x10/0x1000 [my]\n"
		"[   30.000004] lr : do_one_initcall+0x50/0x2a0\n"
		"[   30.000006] Call trace:\n"
		"[   30.000007]  my_init+0x10/0x1000 [my]\n"
		"[   30.000008]  do_one_initcall+0x50/0x2a0\n"
		"[   30.000011] ---[ end trace 0000000000000000 ]---\n";
	struct trial c;

	JUDGED(text, "hurt", "undefined-instruction", "insmod", "my_init");
	trial_of_text(&c, text, strlen(text));
	CHECK_U64(c.v.death.way, WAY_OOPS);
	for (size_t i = 0; i < c.v.n_findings; i++)
		if (!strcmp(finding_name(&c.v.findings[i]), "oops"))
			CHECK_U64(c.v.findings[i].state, CHECK_FAIL);
	trial_end(&c);
}

/* A task whose trace shows no more than that it sleeps: its function is nobody's, and its sentence
 * is whole. */
TEST(a_task_that_hangs_without_a_word)
{
	JUDGED("[  240.000000] INFO: task kthing:64 blocked for more than 120 seconds.\n"
	       "[  240.000001] \"echo 0 > /proc/sys/kernel/hung_task_timeout_secs\" disables this message.\n"
	       "[  240.000002] kthing  D 00000000     0    64      2 0x00100000\n"
	       "[  240.000003] Call Trace:\n"
	       "[  240.000004] [<8066c218>] __schedule+0x2b8/0x7fc\n"
	       "[  240.000005] [<800735f0>] kthread+0x6c/0x90\n"
	       "[  240.000006] [<8001e9ac>] kernel_thread_helper+0x10/0x18\n",
	       "hurt", "hung-task", "kthing", "-",
	       "kthing[64] waited, and what it waited for did not come, 4 min after boot");
}

/* On arm64 memset() makes no frame: who called it with a NULL pointer is in the link register
 * alone. Newer kernels have it in the trace as well, and then it stands there once. */
TEST(a_leaf_of_arm64)
{
#define LEAF(trace)                                                                           \
	"[   75.186564] Unable to handle kernel NULL pointer dereference at virtual address " \
	"0000000000000000\n"                                                                  \
	"[   75.192425] Internal error: Oops: 0000000096000046 [#1] SMP\n"                    \
	"[   75.192532] CPU: 1 UID: 0 PID: 81 Comm: prog Not tainted 6.12.28 #1\n"            \
	"[   75.192585] pstate: 41400005 (nZCv daif +PAN -UAO -TCO +DIT -SSBS BTYPE=--)\n"    \
	"[   75.192655] pc : __memset+0x16c/0x188\n"                                          \
	"[   75.192743] lr : gave_null+0x374/0x1af8\n"                                        \
	"[   75.192780] sp : ffff800080433b90\n"                                              \
	"[   75.192900] Call trace:\n" trace                                                  \
	"[   75.192940] ---[ end trace 0000000000000000 ]---\n"
	static const char *const texts[] = {
		LEAF("[   75.192910]  __memset+0x16c/0x188\n"
		     "[   75.192920]  its_caller+0x64/0x360\n"
		     "[   75.192921]  outermost+0x64/0x360\n"),
		LEAF("[   75.192910]  __memset+0x16c/0x188 (P)\n"
		     "[   75.192911]  gave_null+0x374/0x1af8 (L)\n"
		     "[   75.192920]  its_caller+0x64/0x360\n"
		     "[   75.192921]  outermost+0x64/0x360\n"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct trial c;

		JUDGED(texts[i], "hurt", "null-deref", "prog", "gave_null");
		trial_of_text(&c, texts[i], strlen(texts[i]));
		CHECK_STR(c.v.claim ? c.v.claim->stack : NULL,
			  "__memset < gave_null < its_caller < outermost");
		trial_end(&c);
	}
	/* of a function with a frame the link register may be of a call that is over */
	JUDGED("[   75.186564] Unable to handle kernel NULL pointer dereference at virtual address "
	       "0000000000000000\n"
	       "[   75.192425] Internal error: Oops: 0000000096000046 [#1] SMP\n"
	       "[   75.192532] CPU: 1 UID: 0 PID: 81 Comm: prog Not tainted 6.12.28 #1\n"
	       "[   75.192655] pc : kfree+0x16c/0x188\n"
	       "[   75.192743] lr : called_before+0x374/0x1af8\n"
	       "[   75.192900] Call trace:\n"
	       "[   75.192910]  kfree+0x16c/0x188\n"
	       "[   75.192920]  its_caller+0x64/0x360\n"
	       "[   75.192940] ---[ end trace 0000000000000000 ]---\n",
	       "hurt", "null-deref", "prog", "its_caller");
}

/* What a pointer was, where it was not NULL itself; and where the function stands, of what is known
 * of that. */
TEST(sentences)
{
#define FAULT(access, address, ip, trace)                                                    \
	"[ 1234.567890] BUG: " address "\n"                                                  \
	"[ 1234.567890] #PF: supervisor " access " access in kernel mode\n"                  \
	"[ 1234.567890] Oops: 0000 [#1] PREEMPT SMP\n"                                       \
	"[ 1234.567890] CPU: 3 PID: 41 Comm: worker Not tainted 6.1.0 #1\n"                  \
	"[ 1234.567890] RIP: 0010:" ip "\n"                                                  \
	"[ 1234.567890] RAX: 0000000000000000 RBX: 0000000000000001 RCX: 0000000000000002\n" \
	"[ 1234.567890] Call Trace:\n" trace                                                 \
	"[ 1234.567890] ---[ end trace 0000000000000000 ]---\n"
#define TRACE "[ 1234.567890]  caller_of_it+0x20/0x80\n[ 1234.567890]  kthread+0xd0/0x100\n"
	static const char null[] =
		FAULT("write", "kernel NULL pointer dereference, address: 0000000000000000",
		      "guilty+0x10/0x40 [widget]", TRACE);
	struct trial c;

	JUDGED(null, "hurt", "null-deref", "worker", "guilty",
	       "worker[41] on CPU 3 wrote through a NULL pointer in guilty+0x10 (module widget), 20 min");
	JUDGED(FAULT("read", "unable to handle page fault for address: ffff888012345678",
		     "guilty+0x10/0x40", TRACE),
	       "hurt", "page-fault", "worker", "guilty",
	       "read from an address that is not mapped, 0xffff888012345678");
	JUDGED(FAULT("read", "kernel NULL pointer dereference, address: 0000000000000018",
		     "guilty+0x10/0x40", TRACE),
	       "hurt", "null-deref", "worker", "guilty",
	       "read through a NULL pointer, 0x18 in guilty+0x10, 20 min after boot");
	/* the program counter of an interrupt stands in front of the trace, which alone says where
	 * it was */
	JUDGED(FAULT("read", "kernel NULL pointer dereference, address: 0000000000000018",
		     "guilty+0x10/0x40",
		     "[ 1234.567890]  <IRQ>\n" TRACE "[ 1234.567890]  </IRQ>\n"),
	       "hurt", "null-deref", "worker", "guilty",
	       "an interrupt on CPU 3, while worker[41] ran, read through");
	trial_of_text(&c, null, strlen(null));
	REQUIRE(c.v.claim && c.v.claim->n_evidence);
	CHECK_STR(c.v.claim->evidence[0].source, "log.txt 1234.567890");
	trial_end(&c);
}

/* An exception that was survived is not what panic_on_warn killed the kernel for. */
TEST(an_old_exception_and_a_warning_that_kills)
{
	JUDGED(NULL_READ(
		       "    5.000001", "1", "early",
		       "survived") "[  900.000001] ------------[ cut here ]------------\n"
				   "[  900.000002] WARNING: CPU: 1 PID: 77 at drivers/a/b.c:12 deadly+0x8/0x20\n"
				   "[  900.000003] CPU: 1 PID: 77 Comm: sh Not tainted 6.1.0 #1\n"
				   "[  900.000004] RIP: 0010:deadly+0x8/0x20\n"
				   "[  900.000005] Call Trace:\n"
				   "[  900.000006]  deadly_caller+0x20/0x80\n"
				   "[  900.000007] ---[ end trace 0000000000000000 ]---\n"
				   "[  900.000008] Kernel panic - not syncing: kernel: panic_on_warn set ...\n",
	       "dead", "warning", "sh", "deadly");
}

/* The same report in two texts, as of a console beside what pstore kept, was one. */
TEST(a_report_that_two_texts_have)
{
	static const char text[] = NULL_READ("   50.000001", "1", "sh", "boom"),
			  later[] = NULL_READ("   60.000001", "2", "sh", "boom");
	struct file second = { .path = "other.txt", .fd = -1, .map = SPAN(text, strlen(text)) };
	struct trial c;

	for (int same = 1; same >= 0; same--) {
		memset(&c, 0, sizeof(c));
		target_init(&c.t, &c.scratch);
		c.file = (struct file){ .path = "log.txt", .fd = -1 };
		c.file.map = SPAN(same ? text : later, strlen(same ? text : later));
		*vec_push(&c.t.report_texts) = &c.file;
		*vec_push(&c.t.report_texts) = &second;
		verdict_make(&c.t, trial_note, NULL, &c.v);
		CHECK_U64(c.v.reports, same ? 1 : 2);
		trial_end(&c);
	}
}

/* The last root= counts, and it is no end of another parameter's name. */
TEST(the_root_that_was_asked_for)
{
	JUDGED("[    0.000000] Kernel command line: root=/dev/vda ro root=/dev/sda1 xroot=/dev/no\n"
	       "[    1.000000] VFS: Cannot open root device \"/dev/sda1\" or unknown-block(0,0): error -6\n"
	       "[    1.000001] Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)\n"
	       "[    1.000002] CPU: 0 PID: 1 Comm: swapper/0 Not tainted 6.1.0 #1\n",
	       "dead", "no-root", NULL, "-",
	       "the root file system (root=/dev/sda1) could not be mounted (error -6: no such device)");
	JUDGED("[    1.000001] Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)\n"
	       "[    1.000002] CPU: 0 PID: 1 Comm: swapper/0 Not tainted 6.1.0 #1\n",
	       "dead", "no-root", NULL, "-",
	       "the root file system could not be mounted; no root= was given");
}

/* Programs talk of crashes, too. */
TEST(words_of_programs)
{
	JUDGED("Jun 01 10:00:00 host monitord[700]: rule: match \"BUG: kernel NULL pointer "
	       "dereference\" -> page\n"
	       "Jun 01 10:00:01 host monitord[700]: rule: match \"Kernel panic - not syncing\" -> page\n"
	       "Jun 01 10:00:02 host systemd[1]: Started monitord.\n",
	       "unknown", "-", "-", "-", "no text that was given holds a report of a crash");
}

/* A text is read in pieces of 64 KiB, and no further than it goes. */
TEST(a_text_of_several_pieces)
{
	static const char line[] = "[    1.000001] frob: it works\n";
	static char text[256 << 10];
	struct trial c;
	size_t n = 0;

	while (n < 70000)
		n += (size_t)sprintf(text + n, "%s", line);
	n += (size_t)sprintf(text + n, "%s", NULL_READ("   50.000001", "1", "sh", "boom"));
	sprintf(text + n, "%s", NULL_READ("   60.000001", "2", "sh", "behind_its_end"));
	trial_of_text(&c, text, n);
	CHECK_U64(c.v.reports, 1);
	REQUIRE(c.v.claim);
	CHECK_STR(c.v.claim->function, "boom");
	trial_end(&c);
}

TEST_MAIN
