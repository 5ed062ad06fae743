/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the end came about: who called panic(), with what words, and who asked for the dump. */
#include "core/verdict/log_words.h"

#include <string.h>

#include "core/linux/misc/system.h"
#include "core/linux/stack/stack_walk.h"
#include "core/linux/task/cpu.h"
#include "core/types/shape.h"

static const char *const way_names[WAYS] = {
	[WAY_UNKNOWN] = "unknown",
	[WAY_LIVE] = "live",
	[WAY_OOPS] = "oops",
	[WAY_WARN] = "warning",
	[WAY_SOFT_LOCKUP] = "soft-lockup",
	[WAY_HARD_LOCKUP] = "hard-lockup",
	[WAY_RCU] = "rcu-stall",
	[WAY_HUNG_TASK] = "hung-task",
	[WAY_OOM] = "oom",
	[WAY_SYSRQ] = "sysrq",
	[WAY_NMI] = "nmi",
	[WAY_HARDWARE] = "hardware",
	[WAY_INIT] = "init-died",
	[WAY_ROOT] = "no-root",
	[WAY_NO_INIT] = "no-init",
	[WAY_STACK] = "stack",
	[WAY_FS] = "filesystem",
	[WAY_PANIC] = "panic",
};

const char *death_way_name(enum death_way way)
{
	return way_names[way];
}

/* What panic() is called with, by a part of it; the first that fits is taken. Sources: the calls of
 * panic() and nmi_panic() in the kernels from 5.10 to 7.3. */
static const struct panic_words {
	const char *part;
	enum death_way way;
	bool standstill;
	const char *how;
} panics[] = {
	{ "sysrq triggered crash", WAY_SYSRQ, true, "asked for, by sysrq" },
	{ "panic_on_warn", WAY_WARN, false, "a warning, and panic_on_warn is set" },
	{ "kasan.fault=panic", WAY_WARN, false, "a report of KASAN, and kasan.fault=panic is set" },
	{ "system warned too often", WAY_WARN, false, "more warnings than kernel.warn_limit" },
	{ "softlockup: hung tasks", WAY_SOFT_LOCKUP, true,
	  "the soft lockup watchdog, and softlockup_panic is set" },
	{ "ard LOCKUP", WAY_HARD_LOCKUP, true,
	  "the hard lockup watchdog, and hardlockup_panic is set" },
	{ "RCU Stall", WAY_RCU, true, "an RCU stall, and panic_on_rcu_stall is set" },
	{ "hung_task: blocked tasks", WAY_HUNG_TASK, true,
	  "the watchdog of hung tasks, and hung_task_panic is set" },
	{ "panic_on_oom", WAY_OOM, false, "memory ran out, and panic_on_oom is set" },
	{ "deadlocked on memory", WAY_OOM, false, "memory ran out, and no task could be killed" },
	{ "no killable processes", WAY_OOM, false, "memory ran out, and no task could be killed" },
	{ "NMI: Not continuing", WAY_NMI, true, "an NMI of unknown reason" },
	{ "NMI IOCK error", WAY_HARDWARE, false, "an NMI: I/O check error" },
	{ "NMI: IOCK", WAY_HARDWARE, false, "an NMI: I/O check error" },
	{ "NMI: SERR", WAY_HARDWARE, false, "an NMI: PCI system error" },
	{ "achine check", WAY_HARDWARE, false, "a machine check" },
	{ "Not all CPUs entered broadcast", WAY_HARDWARE, false,
	  "a machine check for which not all CPUs came" },
	{ "Uncorrected hardware memory error", WAY_HARDWARE, false, "a machine check" },
	{ "Fatal hardware error", WAY_HARDWARE, false, "an error that the firmware reported" },
	{ "SError", WAY_HARDWARE, false, "an asynchronous external abort (SError)" },
	{ "atal exception", WAY_OOPS, false, "an exception in the kernel" },
	{ "Aiee, killing interrupt handler", WAY_OOPS, false, "an exception in an interrupt" },
	{ "Attempted to kill the idle task", WAY_OOPS, false, "an exception in the idle task" },
	{ "Oopsed too often", WAY_OOPS, false, "more oopses than kernel.oops_limit" },
	{ "Machine halted", WAY_OOPS, false, "a double fault" },
	{ "Attempted to kill init", WAY_INIT, false, "init ended" },
	{ "Unable to mount root fs", WAY_ROOT, false, "no root file system" },
	{ "No working init found", WAY_NO_INIT, false, "no program could be run as init" },
	{ "Requested init ", WAY_NO_INIT, false, "the program given as init= did not run" },
	{ "stack-protector", WAY_STACK, false, "the stack protector" },
	{ "ernel stack overflow", WAY_STACK, false, "a stack overflow" },
	{ "corrupted stack end", WAY_STACK, false, "the end of a stack was overwritten" },
	{ "Software Watchdog Timer expired", WAY_PANIC, true,
	  "the software watchdog, which no program fed in time" },
	{ "watchdog pretimeout event", WAY_PANIC, true,
	  "a hardware watchdog, which no program fed in time" },
	{ "panic forced after error", WAY_FS, false, "a file system's error, and errors=panic" },
};

static void way_of_panic(struct death *d, const char *text)
{
	d->panic = text;
	for (size_t i = 0; i < ARRAY_SIZE(panics); i++)
		if (strstr(text, panics[i].part)) {
			d->way = panics[i].way;
			d->standstill = panics[i].standstill;
			d->how = panics[i].how;
			return;
		}
	d->way = WAY_PANIC;
	d->how = "code of the kernel called panic()";
}

/* The message of panic() behind the words that every panic begins with. */
static const char *panic_message(const char *line)
{
	static const char start[] = "Kernel panic - not syncing";
	const char *p = strstr(line, start);

	if (!p)
		return line;
	p += sizeof(start) - 1;
	return p + strspn(p, ": ");
}

/* Did code that a person or a tool asks for a crash with call panic()? */
static bool asked(struct triage *g, const struct task *task)
{
	struct walk_style style = { .scan = false };
	struct unwind_result u;

	task_backtrace(g->t, task, &style, &u);
	return stack_refers(g->t, &u, "sysrq_handle_crash", NULL);
}

static void way_of_memory(struct triage *g, struct death *d)
{
	const struct task *task;
	const char *how;
	struct err err;

	if (task_panic(g->t, &task, &how, &err)) {
		d->pid = task->pid;
		d->cpu = task->cpu;
		d->comm = task->comm;
		d->task_recorded = strcmp(how, "log") != 0;
		if (d->way != WAY_UNKNOWN)
			return;
		d->source = how;
		if (asked(g, task)) {
			d->way = WAY_SYSRQ;
			d->standstill = true;
			d->how = "asked for, by sysrq";
			d->source = arena_printf(g->a, "stack of %d", task->pid);
		}
		return;
	}
	if (d->way == WAY_UNKNOWN && err.code == ERR_NOTFOUND) {
		d->way = WAY_LIVE;
		d->standstill = true;
		d->how = "nobody panicked: the dump was taken from outside, while the kernel ran";
		d->source = "panic_cpu";
	}
}

/* The last report that a machine goes down with: one that ends in panic(), or an exception. */
static const struct report *last_report(const struct triage *g)
{
	for (size_t i = g->reports.n; i-- > 0;) {
		const struct report *r = g->reports.p[i];

		if (r->panic || r->kind == KIND_PANIC)
			return r;
	}
	for (size_t i = 0; i < g->reports.n; i++)
		if (report_ends_task(g->reports.p[i]))
			return g->reports.p[i];
	return NULL;
}

static void way_of_reports(struct triage *g, struct death *d)
{
	const struct report *r = last_report(g);

	if (!r)
		return;
	d->source = r->file;
	d->pid = r->has_pid ? (int)r->pid : -1;
	d->cpu = r->has_cpu ? (int)r->cpu : -1;
	d->comm = r->comm;
	if (r->panic) {
		way_of_panic(d, panic_message(r->panic));
	} else if (r->kind == KIND_PANIC && r->headline) {
		way_of_panic(d, panic_message(r->headline));
	} else {
		d->way = WAY_OOPS;
		d->how = g->from_text ? "an exception in the kernel"
				      : "an exception in the kernel; the dump was written "
					"before panic() said a word";
	}
}

/* What the tick of the CPU that panicked told its run queue is of the clock of the log. */
static uint64_t went_on(const struct triage *g, const struct death *d)
{
	struct err ignored;
	uint64_t rq, clock;

	return d->panic && d->has_at && d->cpu >= 0 &&
			       percpu_addr(g->t, "runqueues", (unsigned)d->cpu, &rq, &ignored) &&
			       field_u64(g->t, "struct rq", rq, "clock", &clock, &ignored) &&
			       clock > d->at_ns
		       ? clock - d->at_ns
		       : 0;
}

uint64_t age_at_death(const struct triage *g, uint64_t ns)
{
	if (ns == UINT64_MAX)
		return ns;
	return ns > g->death.after_ns ? ns - g->death.after_ns : 0;
}

void death_read(struct triage *g)
{
	struct death *d = &g->death;
	const struct log_seen *said;
	struct last_words w;
	struct err err;

	*d = (struct death){ .pid = -1, .cpu = -1, .how = "not known" };
	if (!g->from_text && last_words_read(g->t, &w, &err)) {
		g->has_now = w.messages > 0;
		g->now_ns = w.last_ns;
		if (w.panic && strstr(w.panic, "Kernel panic")) {
			way_of_panic(d, panic_message(w.panic));
			d->source = "log";
		}
	}
	if (d->way == WAY_UNKNOWN)
		way_of_reports(g, d);
	if (g->from_text)
		return;
	way_of_memory(g, d);
	said = log_seen(g, WORD_PANIC);
	d->has_at = said->n && said->at != UINT64_MAX;
	d->at_ns = d->has_at ? said->at : 0;
	d->after_ns = went_on(g, d);
	/* what is said after panic() was called is of the end itself */
	if (d->panic && d->has_at && d->at_ns < g->now_ns)
		g->now_ns = d->at_ns;
}
