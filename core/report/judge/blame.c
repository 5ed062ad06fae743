/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whom to blame: the first function that does something of its own, by what kind of report it is.
 */
#include <string.h>

#include "core/report/report.h"

static enum function_class class_of(struct report *r, const struct report_frame *f)
{
	return f->func ? function_class(function_plain(&r->arena, f->func)) : FUNC_REPORT;
}

/* Does it do something of its own, as far as this kind of report is concerned? */
static bool is_own(const struct report *r, enum function_class class)
{
	return class == FUNC_PLAIN || (class == FUNC_CORE && r->kind != KIND_HUNG_TASK);
}

static bool counts(const struct report_frame *f)
{
	/* a return address at a function's start is of a call that never returns, at the end of the
	 * function before it, whose name the text does not say */
	bool before = f->has_off && !f->off && !f->exact;

	return f->func && f->reliable && !f->duplicate && !f->src_inlined && !before;
}

/* Where what was done on somebody's behalf ends and that work itself begins. */
static bool is_anchor(struct report *r, const struct report_frame *f)
{
	static const char *const names[] = {
		"sys_",
		"ksys_",
		"vfs_",
		"do_syscall",
		"entry_",
		"kthread",
		"worker_thread",
		"process_one_work",
		"ret_from_",
		"el0",
		"task_work_run",
		"net_rx_action",
		"__netif_receive",
		"netif_receive",
		"ip_rcv",
		"call_timer_fn",
		"__do_softirq",
		"handle_softirqs",
		"do_exit",
		"do_group_exit",
		"sock_sendmsg",
		"sock_recvmsg",
		"__sys_",
		"invoke_syscall",
		"system_call",
		"new_sync_",
		"__vfs_",
		"do_writev",
		"do_readv",
		"ret_fast_syscall",
		"__run_hrtimer",
		"__hrtimer_run_queues",
		"rcu_do_batch",
		"do_iter_",
		"__x64_sys",
		"mmput",
		"path_openat",
		"do_filp_open",
		"unix_stream_sendmsg",
		"tasklet_action",
	};
	const char *s = function_plain(&r->arena, f->func);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(s, names[i], strlen(names[i])))
			return true;
	return false;
}

/* An interrupt's or exception's way in: what lies below it was running. */
static bool is_entry(const struct report_frame *f)
{
	static const char *const names[] = {
		"asm_sysvec_",
		"asm_common_interrupt",
		"asm_exc_",
		"apic_timer_interrupt",
		"ret_from_intr",
		"common_interrupt",
		"el1_irq",
		"el1h_64_irq",
		"__irq_svc",
		"call_function_",
		"reschedule_interrupt",
		"end_repeat_nmi",
		"asm_call_",
		"interrupt_return",
		"decrementer_common",
		"hardware_interrupt",
		"handle_exception",
		"el1_sync",
		"el1h_64_sync",
		"ret_from_exception",
		"do_IRQ",
		"nmi",
	};

	for (size_t i = 0; f->func && i < ARRAY_SIZE(names); i++)
		if (!strncmp(f->func, names[i], strlen(names[i])) &&
		    (strcmp(names[i], "nmi") != 0 || f->func[3] == '\0'))
			return true;
	return false;
}

/* The first plain function from `from` on within its trace; locks and the like are somebody's. */
static const struct report_frame *first_plain(struct report *r, size_t from, enum trace_role role)
{
	for (size_t i = from; i < r->frames.n; i++) {
		const struct report_frame *f = &r->frames.p[i];

		if (f->role == role && counts(f) && is_own(r, class_of(r, f)))
			return f;
	}
	return NULL;
}

/* The function that an entry point called, below the last interrupt: stable while its callees
 * change. */
static const struct report_frame *anchor_frame(struct report *r, size_t from, size_t to)
{
	const struct report_frame *last = NULL, *first = NULL;
	size_t start = from;

	for (size_t i = from; i < to; i++)
		if (r->frames.p[i].reliable && is_entry(&r->frames.p[i]))
			start = i + 1;
	if (start >= to)
		start = from;
	for (size_t i = start; i < to; i++) {
		const struct report_frame *f = &r->frames.p[i];
		enum function_class class;

		if (!counts(f))
			continue;
		if (is_anchor(r, f) && last)
			return last;
		class = class_of(r, f);
		if (class == FUNC_IDLE)
			return last;
		if (!first && is_own(r, class))
			first = f;
		if (is_own(r, class))
			last = f;
	}
	/* cut before any entry: the outermost says nothing */
	return first;
}

/* Trace by trace: the first that shows work. */
static const struct report_frame *stalled(struct report *r)
{
	for (size_t i = 0; i < r->frames.n;) {
		size_t end = i;
		const struct report_frame *f;

		while (end < r->frames.n && r->frames.p[end].trace == r->frames.p[i].trace)
			end++;
		if (r->frames.p[i].role == TRACE_MAIN && (f = anchor_frame(r, i, end)))
			return f;
		i = end;
	}
	return NULL;
}

static const struct report_frame *named_frame(struct report *r, const char *name)
{
	for (size_t i = 0; name && i < r->frames.n; i++)
		if (r->frames.p[i].func && !r->frames.p[i].src_inlined && r->frames.p[i].reliable &&
		    r->frames.p[i].role == TRACE_MAIN && !strcmp(r->frames.p[i].func, name))
			return &r->frames.p[i];
	return NULL;
}

const char *report_named(struct report *r)
{
	const char *name = r->named;

	for (size_t i = 0; r->kind == KIND_LOCKDEP && !name && i < r->chain.n; i++)
		if (r->chain.p[i].role == LOCK_WANTED)
			name = r->chain.p[i].by;
	if (!name || function_class(function_plain(&r->arena, name)) != FUNC_PLAIN)
		return NULL;
	return name;
}

/* "Workqueue: events foo_work [mod]": the second word. */
const char *report_work(struct report *r, const struct report_frame *guilty)
{
	const char *p = r->workqueue ? strchr(r->workqueue, ' ') : NULL;
	size_t n;

	if (!p || (guilty && is_own(r, class_of(r, guilty))))
		return NULL;
	if (r->kind != KIND_HUNG_TASK && r->kind != KIND_SOFT_LOCKUP && r->kind != KIND_RCU_STALL)
		return NULL;
	n = strcspn(++p, " [(");
	return n ? arena_strndup(&r->arena, p, n) : NULL;
}

#define RECURSION 3 /* times a function is on the stack before it is to blame for its depth */

static const struct report_frame *recursing(struct report *r)
{
	for (size_t i = 0; i < r->frames.n && i < 256; i++) {
		const struct report_frame *f = &r->frames.p[i];
		unsigned times = 0;

		if (f->role != TRACE_MAIN || !counts(f) || !is_own(r, class_of(r, f)))
			continue;
		for (size_t k = i; k < r->frames.n && k < i + 256; k++)
			times += r->frames.p[k].func && !strcmp(r->frames.p[k].func, f->func);
		if (times >= RECURSION)
			return f;
	}
	return NULL;
}

const struct report_frame *report_blame(struct report *r)
{
	const struct report_frame *f = NULL;

	switch (r->kind) {
	case KIND_RCU_STALL:
	case KIND_SOFT_LOCKUP:
	case KIND_HARD_LOCKUP:
		f = stalled(r);
		break;
	case KIND_STACK_OVERFLOW:
		f = recursing(r);
		if (!f)
			f = stalled(r);
		break;
	case KIND_LOCKDEP:
	case KIND_KASAN_UAF:
	case KIND_KASAN_OOB:
	case KIND_KASAN_INVALID_FREE:
	case KIND_KASAN_NULL:
	case KIND_KASAN_WILD:
	case KIND_KMSAN:
	case KIND_KFENCE:
		f = named_frame(r, report_named(r));
		break;
	case KIND_NETDEV_WAIT:
	case KIND_OOM:
		return NULL;
	default:
		break;
	}
	if (f)
		return f;
	/* from the program counter on, then from the trace's start */
	if (r->pc >= 0)
		f = first_plain(r, (size_t)r->pc, TRACE_MAIN);
	if (!f)
		f = first_plain(r, 0, TRACE_MAIN);
	for (size_t i = 0; !f && i < r->frames.n; i++) /* nothing but helpers: the first that is no
							 report's own */
		if (r->frames.p[i].role == TRACE_MAIN && counts(&r->frames.p[i]) &&
		    class_of(r, &r->frames.p[i]) != FUNC_REPORT &&
		    class_of(r, &r->frames.p[i]) != FUNC_DISPATCH)
			f = &r->frames.p[i];
	for (size_t i = 0; !f && i < r->frames.n; i++) /* nothing reliable: the first guess */
		if (r->frames.p[i].role == TRACE_MAIN && r->frames.p[i].func &&
		    !r->frames.p[i].duplicate && !r->frames.p[i].src_inlined &&
		    class_of(r, &r->frames.p[i]) == FUNC_PLAIN)
			f = &r->frames.p[i];
	if (!f && r->kind == KIND_SLAB)
		f = first_plain(r, 0, TRACE_FREE);
	return f;
}
