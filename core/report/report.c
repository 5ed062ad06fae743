/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports: their life, and the names of their parts. */
#include <stdlib.h>
#include <string.h>

#include "core/report/report.h"

void report_init(struct report *r)
{
	memset(r, 0, sizeof(*r));
	r->pc = -1;
}

void report_release(struct report *r)
{
	vec_release(&r->lines);
	vec_release(&r->frames);
	vec_release(&r->regs);
	vec_release(&r->chain);
	arena_release(&r->arena);
}

void report_free(struct report *r)
{
	if (!r)
		return;
	report_release(r);
	free(r);
}

const char *report_kind_name(enum report_kind kind)
{
	static const char *const names[KINDS] = {
		[KIND_NONE] = "none",
		[KIND_NULL_DEREF] = "null-deref",
		[KIND_PAGE_FAULT] = "page-fault",
		[KIND_GPF] = "gpf",
		[KIND_STACK_SEGMENT] = "stack-segment",
		[KIND_DIVIDE_ERROR] = "divide-error",
		[KIND_INVALID_OPCODE] = "invalid-opcode",
		[KIND_INT3] = "int3",
		[KIND_DOUBLE_FAULT] = "double-fault",
		[KIND_TRAP] = "trap",
		[KIND_BUG] = "bug",
		[KIND_WARNING] = "warning",
		[KIND_REFCOUNT] = "refcount",
		[KIND_LIST_CORRUPTION] = "list-corruption",
		[KIND_DEBUGOBJECTS] = "debugobjects",
		[KIND_USERCOPY] = "usercopy",
		[KIND_FORTIFY] = "fortify",
		[KIND_KASAN_UAF] = "kasan-use-after-free",
		[KIND_KASAN_OOB] = "kasan-out-of-bounds",
		[KIND_KASAN_INVALID_FREE] = "kasan-invalid-free",
		[KIND_KASAN_NULL] = "kasan-null-deref",
		[KIND_KASAN_WILD] = "kasan-wild",
		[KIND_KMSAN] = "kmsan",
		[KIND_KCSAN] = "kcsan",
		[KIND_KFENCE] = "kfence",
		[KIND_UBSAN] = "ubsan",
		[KIND_LOCKDEP] = "lockdep",
		[KIND_SCHED_ATOMIC] = "sched-atomic",
		[KIND_SLEEP_ATOMIC] = "sleep-atomic",
		[KIND_RCU_STALL] = "rcu-stall",
		[KIND_SOFT_LOCKUP] = "soft-lockup",
		[KIND_HARD_LOCKUP] = "hard-lockup",
		[KIND_HUNG_TASK] = "hung-task",
		[KIND_WORKQUEUE] = "workqueue-lockup",
		[KIND_NETDEV_WAIT] = "netdev-wait",
		[KIND_NETDEV_WATCHDOG] = "netdev-watchdog",
		[KIND_KMEMLEAK] = "kmemleak",
		[KIND_SLAB] = "slab-corruption",
		[KIND_STACK_OVERFLOW] = "stack-overflow",
		[KIND_BAD_STATE] = "bad-state",
		[KIND_MCE] = "mce",
		[KIND_SERROR] = "serror",
		[KIND_INTERNAL_ERROR] = "internal-error",
		[KIND_UNDEFINED] = "undefined-instruction",
		[KIND_CFI] = "cfi",
		[KIND_ALIGNMENT] = "alignment",
		[KIND_OOM] = "oom",
		[KIND_RUST] = "rust-panic",
		[KIND_PANIC] = "panic",
		[KIND_OTHER] = "other",
	};

	return kind < KINDS ? names[kind] : "other";
}

const char *trace_role_name(enum trace_role role)
{
	static const char *const names[TRACE_ROLES] = {
		[TRACE_MAIN] = "task",
		[TRACE_ALLOC] = "allocated-by",
		[TRACE_FREE] = "freed-by",
		[TRACE_CREATED] = "created-by",
		[TRACE_STORED] = "stored-by",
		[TRACE_OTHER_CPU] = "other-cpu",
		[TRACE_OTHER_TASK] = "other-task",
		[TRACE_RACE] = "race-with",
		[TRACE_HELD] = "lock-holder",
		[TRACE_LASTING] = "history",
	};

	return names[role];
}

bool report_reg(const struct report *r, const char *name, uint64_t *ret)
{
	for (size_t i = 0; i < r->regs.n; i++)
		if (!strcmp(r->regs.p[i].name, name)) {
			*ret = r->regs.p[i].value;
			return true;
		}
	return false;
}
