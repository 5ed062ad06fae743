/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Second suspects: functions that may be to blame where the first one is not, each with its reason.
 */
#include <string.h>

#include "core/report/report.h"

#define ALSO_MAX 3

static void add(struct report *r, const char *function, const char *why)
{
	if (!function || r->n_also == ALSO_MAX || (r->function && !strcmp(r->function, function)))
		return;
	for (size_t i = 0; i < r->n_also; i++)
		if (!strcmp(r->also[i], function))
			return;
	r->also[r->n_also] = function;
	r->also_why[r->n_also++] = why;
}

static void add_frame(struct report *r, const struct report_frame *f, const char *why)
{
	add(r, f ? function_written(&r->arena, f->func) : NULL, why);
}

/* The first function of its own in the traces of that role. */
static void add_role(struct report *r, enum trace_role role, const char *why)
{
	add_frame(r, report_first_own(r, 0, role), why);
}

/* Who had the memory before, and from where what is in it came. */
static void memory(struct report *r)
{
	switch (r->kind) {
	case KIND_KASAN_UAF:
	case KIND_KASAN_INVALID_FREE:
		add_role(r, TRACE_FREE, "it freed the memory");
		if (!report_first_own(r, 0, TRACE_FREE))
			add_role(r, TRACE_ALLOC, "it allocated the memory");
		break;
	case KIND_KASAN_OOB:
		add_role(r, TRACE_ALLOC, "it allocated the memory");
		break;
	case KIND_KASAN_WILD:
	case KIND_KFENCE:
	case KIND_SLAB:
		add_role(r, TRACE_FREE, "it freed the memory");
		add_role(r, TRACE_ALLOC, "it allocated the memory");
		break;
	case KIND_KMSAN:
		add_role(r, TRACE_CREATED, "it made the value without a value");
		break;
	case KIND_KCSAN:
		add_role(r, TRACE_RACE, "the other side of the race");
		break;
	case KIND_BAD_STATE:
		add_role(r, TRACE_LASTING, "it had the page before");
		break;
	default:
		break;
	}
}

/* Who holds what, and who takes it elsewhere in a way that does not go with this. */
static void locks(struct report *r)
{
	if (r->kind == KIND_SLEEP_ATOMIC || r->kind == KIND_SCHED_ATOMIC)
		add_role(r, TRACE_HELD, "it had switched preemption off");
	if (r->kind != KIND_LOCKDEP)
		return;
	for (size_t i = 0; i < r->chain.n; i++)
		if (r->chain.p[i].by && r->chain.p[i].role == LOCK_HELD)
			add(r, function_written(&r->arena, r->chain.p[i].by),
			    "it took the lock that was held");
	for (size_t i = 0; i < r->chain.n; i++)
		if (r->chain.p[i].role == LOCK_CHAIN && r->chain.p[i].number)
			add(r, report_taker(r, i), "it takes the locks in another order");
	if (r->usage)
		add_role(r, TRACE_HELD, "it takes the lock in another state");
}

static bool is_stall(const struct report *r)
{
	return r->kind == KIND_RCU_STALL || r->kind == KIND_SOFT_LOCKUP ||
	       r->kind == KIND_HARD_LOCKUP;
}

/* Of what does not end the first suspect is what does not change; this is where it was. */
static void running(struct report *r, const struct report_frame *guilty)
{
	const struct report_frame *inner = NULL;

	if (!is_stall(r))
		return;
	for (const struct report_frame *f = guilty; f && f-- > r->frames.p;) {
		if (f->role != guilty->role || !frame_counts(r, f))
			continue;
		if (f->trace + 1 < guilty->trace || frame_class(r, f) == FUNC_ENTRY)
			break;
		if (frame_class(r, f) == FUNC_PLAIN || frame_class(r, f) == FUNC_GATE)
			inner = f;
	}
	add_frame(r, inner, "the CPU was in it");
}

/* The carrier of others' work that the first suspect called: it may have made a mess of it. */
static void add_callee(struct report *r, const struct report_frame *guilty)
{
	if (is_stall(r) || r->kind == KIND_HUNG_TASK)
		return;
	for (const struct report_frame *f = guilty; f-- > r->frames.p;) {
		enum function_class class;

		if (!frame_counts(r, f))
			continue;
		class = frame_class(r, f);
		if (f->role == guilty->role && f->trace == guilty->trace &&
		    (class == FUNC_PLUMBER || class == FUNC_CORE))
			add_frame(r, f, "the first suspect called it");
		return;
	}
}

static void add_caller(struct report *r, const struct report_frame *guilty)
{
	size_t behind = (size_t)(guilty - r->frames.p) + 1;
	const struct report_frame *f = report_first_own(r, behind, guilty->role);

	if (f && f->trace <= guilty->trace + 1 && frame_class(r, f) == FUNC_PLAIN)
		add_frame(r, f, "it called the first suspect");
}

void report_suspects(struct report *r, const struct report_frame *guilty)
{
	r->also = ARENA_ARRAY(&r->arena, const char *, ALSO_MAX);
	r->also_why = ARENA_ARRAY(&r->arena, const char *, ALSO_MAX);
	if (r->kind == KIND_PANIC || r->kind == KIND_OOM || r->kind == KIND_NETDEV_WAIT)
		return;
	add(r, r->rival ? function_written(&r->arena, r->rival) : NULL,
	    "the report that is mixed in fell in it");
	memory(r);
	locks(r);
	if (report_wait_for_all(r, guilty))
		add_frame(r,
			  report_first_own(r, guilty ? (size_t)(guilty - r->frames.p) : 0,
					   TRACE_MAIN),
			  "it waits for all others");
	running(r, guilty);
	if (guilty && !report_work(r, guilty))
		add_caller(r, guilty);
	if (r->pc >= 0 && r->frames.p[r->pc].func &&
	    frame_class(r, &r->frames.p[r->pc]) != FUNC_REPORT &&
	    frame_class(r, &r->frames.p[r->pc]) != FUNC_ENTRY)
		add_frame(r, &r->frames.p[r->pc], "the program counter was in it");
	if (guilty)
		add_callee(r, guilty);
}
