/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is left of a report whose head scrolled away or was cut off: whether it is one still, and of
 * what kind, by lines and functions that only one kind of report has. */
#include <string.h>

#include "core/report/parse/parse.h"

#define TRACE_FRAMES 3u /* of such a report, at least */
#define REST_REGS 4u    /* of such, where nothing else is with its trace */

/* Lines that stand in reports of one kind; KIND_OTHER: of several. mm/kasan/report.c,
 * mm/kmsan/report.c, mm/kfence/report.c, kernel/kcsan/report.c, kernel/locking/lockdep.c,
 * mm/slub.c, mm/debug.c. */
static const struct {
	const char *begin;
	uint8_t kind;
} lines[] = {
	{ "The buggy address belongs to", KIND_OTHER },
	{ "Memory state around the buggy", KIND_OTHER },
	{ "Reported by Kernel Concurrency", KIND_KCSAN },
	{ "Uninit was created at:", KIND_KMSAN },
	{ "Uninit was stored to memory at:", KIND_KMSAN },
	{ "kfence-#", KIND_KFENCE },
	{ "other info that might help us debug", KIND_LOCKDEP },
	{ "stack backtrace:", KIND_LOCKDEP },
	{ "*** DEADLOCK ***", KIND_LOCKDEP },
	{ "Right Redzone", KIND_SLAB },
	{ "Redzone ", KIND_SLAB },
	{ "page dumped because: kasan:", KIND_OTHER },
	{ "page dumped because:", KIND_BAD_STATE },
};

/* Functions that do nothing but report; KIND_OTHER: several kinds of things. */
static const struct {
	const char *function;
	uint8_t kind;
} reporters[] = {
	{ "__schedule_bug", KIND_SCHED_ATOMIC },
	{ "__might_sleep", KIND_SLEEP_ATOMIC },
	{ "___might_sleep", KIND_SLEEP_ATOMIC },
	{ "__might_resched", KIND_SLEEP_ATOMIC },
	{ "bad_page", KIND_BAD_STATE },
	{ "kasan_report", KIND_OTHER },
	{ "kasan_report_invalid_free", KIND_KASAN_INVALID_FREE },
	{ "kmsan_report", KIND_KMSAN },
	{ "kcsan_report_known_origin", KIND_KCSAN },
	{ "kfence_report_error", KIND_KFENCE },
	{ "ubsan_epilogue", KIND_UBSAN },
	{ "print_circular_bug", KIND_LOCKDEP },
	{ "print_deadlock_bug", KIND_LOCKDEP },
	{ "print_usage_bug", KIND_LOCKDEP },
	{ "print_bad_irq_dependency", KIND_LOCKDEP },
	{ "lockdep_rcu_suspicious", KIND_LOCKDEP },
	{ "check_preemption_disabled", KIND_LOCKDEP },
	{ "object_err", KIND_SLAB },
	{ "slab_err", KIND_SLAB },
	{ "print_trailer", KIND_SLAB },
	{ "check_bytes_and_report", KIND_SLAB },
	{ "oom_kill_process", KIND_OOM },
	{ "dump_header", KIND_OOM },
	{ "warn_alloc", KIND_PAGE_ALLOC },
	{ "warn_alloc_failed", KIND_PAGE_ALLOC }, /* up to v4.9 */
	{ "__report_bad_irq", KIND_IRQ },
	{ "watchdog_timer_fn", KIND_SOFT_LOCKUP },
	{ "watchdog_overflow_callback", KIND_HARD_LOCKUP },
	{ "print_cpu_stall", KIND_RCU_STALL },
	{ "panic", KIND_OTHER },
	{ "vpanic", KIND_OTHER },
	{ "nmi_panic", KIND_OTHER },
	{ "die", KIND_OTHER },
	{ "__die", KIND_OTHER },
	{ "oops_end", KIND_OTHER },
	{ "page_fault_oops", KIND_OTHER },
	{ "die_kernel_fault", KIND_OTHER },
	{ "__warn", KIND_OTHER },
	{ "report_bug", KIND_OTHER },
	{ "warn_slowpath_common", KIND_OTHER },
};

/* What KASAN found, by how it describes the memory behind its traces (describe_object_addr() of
 * mm/kasan/report.c): beside an object, or in one that is free. An object that is not said to be
 * free, as none was before v6.4, was if a trace tells who freed it. KIND_OTHER: neither. */
static enum report_kind kasan_found(const struct report *r)
{
	bool freed = false, inside = false;

	for (size_t i = 0; i < r->frames.n; i++)
		freed |= r->frames.p[i].role == TRACE_FREE;
	for (size_t i = 0; i < r->lines.n; i++) {
		const struct report_line *l = &r->lines.p[i];

		if (l->foreign)
			continue;
		if (find_text(l->text, l->n, "bytes to the "))
			return KIND_KASAN_OOB;
		if (has_prefix(l->text, l->n, "freed ") && find_text(l->text, l->n, "-byte region"))
			return KIND_KASAN_UAF;
		if (has_prefix(l->text, l->n, "allocated ") &&
		    find_text(l->text, l->n, "-byte region"))
			freed = false;
		inside |= find_text(l->text, l->n, "bytes inside of") != NULL;
	}
	return inside && freed ? KIND_KASAN_UAF : KIND_OTHER;
}

static bool is_watchdog(uint8_t kind)
{
	return kind == KIND_SOFT_LOCKUP || kind == KIND_HARD_LOCKUP;
}

/* The kind that lines and frames tell of; KIND_NONE: they tell of none. A watchdog hands x86 the
 * registers of what it interrupted, and what ran since then stands before that as guesses. */
static enum report_kind told(struct report *r)
{
	enum report_kind kind = KIND_NONE;
	bool sure = false, buggy = false;

	for (size_t i = 0; i < r->lines.n; i++) {
		buggy |= !r->lines.p[i].foreign &&
			 has_prefix(r->lines.p[i].text, r->lines.p[i].n, lines[0].begin);
		for (size_t k = 0; k < ARRAY_SIZE(lines) && !r->lines.p[i].foreign; k++)
			if ((kind == KIND_NONE || kind == KIND_OTHER) &&
			    has_prefix(r->lines.p[i].text, r->lines.p[i].n, lines[k].begin)) {
				kind = lines[k].kind;
				break;
			}
	}
	for (size_t i = 0; i < r->frames.n; i++) {
		const struct report_frame *f = &r->frames.p[i];
		const char *name =
			f->func && (f->reliable || !sure) ? function_plain(&r->arena, f->func) : "";

		sure |= f->reliable && r->lines.p[f->line].shape == SHAPE_FRAME;
		for (size_t k = 0; k < ARRAY_SIZE(reporters); k++)
			if ((kind == KIND_NONE || kind == KIND_OTHER) &&
			    (f->reliable || is_watchdog(reporters[k].kind)) &&
			    !strcmp(name, reporters[k].function))
				kind = reporters[k].kind;
	}
	return kind == KIND_OTHER && buggy ? kasan_found(r) : kind;
}

/* Is it of the watchdog of soft lockups, which shows what its timer interrupted, and no fault? The
 * counter comes first then, with registers that an interrupt saved: up to v5.7 x86 has the vector's
 * complement in ORIG_RAX, where faults have their code or -1. Later kernels tell by what is
 * missing, a mark of the end, and by the taint of an earlier lockup. ended, open_end: see
 * rest_judge(). */
static bool is_lockup(const struct report *r, bool ended)
{
	static const char vector[] = "ORIG_RAX: ffffffffffffff";
	size_t end = r->frames.n > 1 ? r->frames.p[1].line : r->lines.n;

	if (r->pc < 0 || r->lines.p[r->frames.p[0].line].shape != SHAPE_PC || !r->frames.p[0].func)
		return false;
	for (size_t i = r->frames.p[0].line; i < end; i++) {
		const struct report_line *l = &r->lines.p[i];
		const char *stop = l->text + l->n, *p = text_after(l->text, stop, vector);

		if (p && !l->foreign && stop - p >= 2 && !has_prefix(p, 2, "ff"))
			return true;
	}
	return r->taint && strchr(r->taint, 'L') && !strchr(r->taint, 'D') && !ended &&
	       !r->open_end && r->has_code;
}

/* Does it tell of a program that fell? arm's kernels show such as they show themselves. */
static bool is_program(const struct report *r)
{
	for (size_t i = 0; i < r->lines.n; i++)
		if (!r->lines.p[i].foreign &&
		    find_text(r->lines.p[i].text, r->lines.p[i].n, " Mode USER_"))
			return true;
	return false;
}

void rest_judge(struct report *r, bool pc_line, bool cpu_line, bool ended)
{
	bool echo = r->panic && (has_prefix(r->panic, strlen(r->panic), "Fatal exception") ||
				 has_prefix(r->panic, strlen(r->panic), "Oops"));
	enum report_kind kind = told(r);
	bool rows = pc_line && ended && r->regs.n;
	unsigned frames = 0;

	for (size_t i = 0; i < r->frames.n; i++)
		frames += (int64_t)i != r->pc && r->frames.p[i].size && r->frames.p[i].reliable;
	/* registers, a program counter and an end are one, or its code or the process with many;
	 * and a trace is with any of what stands in reports alone: the kernel's program counter,
	 * its code, registers, an end mark, a panic, who prints them */
	/* such a panic is the end of an oops, whatever is left of that */
	r->headless = echo;
	rows |= (cpu_line || (r->has_code && !r->user_code)) && r->pc >= 0 &&
		r->frames.p[r->pc].func && r->regs.n > REST_REGS;
	if (!(r->kind == KIND_NONE && rows) &&
	    (frames < TRACE_FRAMES ||
	     (r->kind == KIND_NONE && kind == KIND_NONE && r->pc < 0 && !ended &&
	      r->regs.n < REST_REGS && !(r->has_code && !r->user_code))))
		return;
	if (is_program(r))
		return;
	r->headless = true;
	if (kind == KIND_NONE)
		kind = is_lockup(r, ended) ? KIND_SOFT_LOCKUP : KIND_OTHER;
	if (r->kind == KIND_NONE || echo)
		r->kind = kind;
}
