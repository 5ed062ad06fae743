/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports: their life, and the names of their parts. */
#include <stdlib.h>
#include <string.h>

#include "core/report/report.h"

void report_init(struct report *r)
{
	memset(r, 0, sizeof(*r));
	r->pc = -1;
	r->guilty = -1;
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

static const struct {
	const char *name;
	unsigned traits;
} kinds[KINDS] = {
	[KIND_NONE] = { "none", 0 },
	[KIND_NULL_DEREF] = { "null-deref", KIND_IS_TRAP | KIND_HAS_PC | KIND_IS_ACCESS },
	[KIND_PAGE_FAULT] = { "page-fault", KIND_IS_TRAP | KIND_HAS_PC | KIND_IS_ACCESS },
	[KIND_GPF] = { "gpf", KIND_IS_TRAP | KIND_HAS_PC },
	[KIND_STACK_SEGMENT] = { "stack-segment", KIND_IS_TRAP | KIND_HAS_PC },
	[KIND_DIVIDE_ERROR] = { "divide-error", KIND_IS_TRAP | KIND_HAS_PC },
	[KIND_INVALID_OPCODE] = { "invalid-opcode", KIND_IS_TRAP | KIND_HAS_PC },
	[KIND_INT3] = { "int3", KIND_IS_TRAP | KIND_HAS_PC },
	[KIND_DOUBLE_FAULT] = { "double-fault", KIND_IS_TRAP | KIND_BARE },
	[KIND_TRAP] = { "trap", KIND_IS_TRAP },
	[KIND_BUG] = { "bug", 0 },
	[KIND_WARNING] = { "warning", 0 },
	[KIND_REFCOUNT] = { "refcount", KIND_IS_CHECK | KIND_GOES_ON },
	[KIND_LIST_CORRUPTION] = { "list-corruption", KIND_IS_CHECK | KIND_GOES_ON },
	[KIND_DEBUGOBJECTS] = { "debugobjects", KIND_IS_CHECK | KIND_GOES_ON },
	[KIND_USERCOPY] = { "usercopy", KIND_IS_CHECK },
	[KIND_FORTIFY] = { "fortify", KIND_IS_CHECK },
	[KIND_KASAN_UAF] = { "kasan-use-after-free", KIND_IS_SANITIZER | KIND_TELLS_PAST },
	[KIND_KASAN_OOB] = { "kasan-out-of-bounds", KIND_IS_SANITIZER | KIND_TELLS_PAST },
	[KIND_KASAN_INVALID_FREE] = { "kasan-invalid-free", KIND_IS_SANITIZER | KIND_TELLS_PAST },
	[KIND_KASAN_NULL] = { "kasan-null-deref", KIND_IS_SANITIZER | KIND_TELLS_PAST },
	[KIND_KASAN_WILD] = { "kasan-wild", KIND_IS_SANITIZER | KIND_TELLS_PAST },
	[KIND_KMSAN] = { "kmsan", KIND_IS_SANITIZER | KIND_TELLS_PAST },
	[KIND_KCSAN] = { "kcsan", KIND_IS_SANITIZER | KIND_TELLS_PAST },
	[KIND_KFENCE] = { "kfence", KIND_IS_SANITIZER | KIND_TELLS_PAST },
	[KIND_UBSAN] = { "ubsan", KIND_TELLS_PAST },
	[KIND_LOCKDEP] = { "lockdep", KIND_ENDS_WARNING | KIND_TELLS_PAST | KIND_HAS_MANY },
	[KIND_SCHED_ATOMIC] = { "sched-atomic", KIND_TELLS_PAST },
	[KIND_SLEEP_ATOMIC] = { "sleep-atomic", KIND_TELLS_PAST },
	[KIND_RCU_STALL] = { "rcu-stall", KIND_HAS_MANY },
	[KIND_SOFT_LOCKUP] = { "soft-lockup", KIND_HAS_MANY },
	[KIND_HARD_LOCKUP] = { "hard-lockup", KIND_HAS_MANY },
	[KIND_HUNG_TASK] = { "hung-task", KIND_HAS_MANY },
	[KIND_WORKQUEUE] = { "workqueue-lockup", KIND_HAS_MANY | KIND_BARE },
	[KIND_NETDEV_WAIT] = { "netdev-wait", KIND_BARE },
	[KIND_NETDEV_WATCHDOG] = { "netdev-watchdog", KIND_ENDS_WARNING | KIND_BARE },
	[KIND_KMEMLEAK] = { "kmemleak", 0 },
	[KIND_SLAB] = { "slab-corruption", 0 },
	[KIND_STACK_OVERFLOW] = { "stack-overflow", 0 },
	[KIND_BAD_STATE] = { "bad-state", KIND_ENDS_WARNING | KIND_BARE },
	[KIND_MCE] = { "mce", KIND_BARE },
	[KIND_SERROR] = { "serror", KIND_BARE },
	[KIND_INTERNAL_ERROR] = { "internal-error", 0 },
	[KIND_UNDEFINED] = { "undefined-instruction", 0 },
	[KIND_CFI] = { "cfi", KIND_ENDS_WARNING },
	[KIND_ALIGNMENT] = { "alignment", 0 },
	[KIND_OOM] = { "oom", KIND_BARE | KIND_NO_FAULT },
	/* who asked for memory gets none, and must live with that; the kernel goes on */
	[KIND_PAGE_ALLOC] = { "page-alloc", KIND_BARE | KIND_NO_FAULT | KIND_TELLS_PAST },
	/* the kernel turns the interrupt off: its device works no more, or is polled */
	[KIND_IRQ] = { "irq-unhandled", KIND_BARE | KIND_TELLS_PAST },
	/* the kernel goes on; the file system is shut down, read-only, or as damaged as before */
	[KIND_FS_ERROR] = { "fs-error", KIND_BARE | KIND_TELLS_PAST | KIND_OFTEN },
	[KIND_EDAC_CE] = { "edac-ce", KIND_BARE | KIND_NO_FAULT | KIND_OFTEN },
	[KIND_EDAC_UE] = { "edac-ue", KIND_BARE },
	/* "trying to continue" */
	[KIND_NMI] = { "nmi-unknown", KIND_BARE | KIND_NO_FAULT },
	[KIND_RUST] = { "rust-panic", KIND_BARE },
	[KIND_PANIC] = { "panic", 0 },
	[KIND_OTHER] = { "other", 0 },
};

const char *report_kind_name(enum report_kind kind)
{
	return kind < KINDS ? kinds[kind].name : "other";
}

bool report_kind_is(enum report_kind kind, unsigned traits)
{
	return kind < KINDS && kinds[kind].traits & traits;
}

bool report_is_fault(const struct report *r)
{
	return !report_kind_is(r->kind, KIND_NO_FAULT) || r->panic;
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
