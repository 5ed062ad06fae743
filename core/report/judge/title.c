/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Titles, in the wording that kernel developers use, and what makes two reports one story. */
#include <ctype.h>
#include <string.h>

#include "core/report/report.h"

static const char *in(struct report *r, const char *what, const char *function)
{
	return function ? arena_printf(&r->arena, "%s in %s", what, function) : what;
}

/* "read" as "Read" */
static const char *capital(const char *access)
{
	return !access                    ? NULL
	       : !strcmp(access, "read")  ? "Read"
	       : !strcmp(access, "write") ? "Write"
	       : !strcmp(access, "free")  ? "Free"
					  : "Exec";
}

static const char *kasan(struct report *r, const char *function)
{
	/* without its headline the report tells no more than which of the two it was */
	const char *unsaid = r->kind == KIND_KASAN_UAF   ? "use-after-free"
			     : r->kind == KIND_KASAN_OOB ? "out-of-bounds"
							 : "invalid-access";
	const char *type = r->subject && *r->subject ? r->subject : unsaid;
	const char *access = capital(r->access);

	if (!strcmp(type, "double-free or invalid-free"))
		type = "invalid-free";
	if (r->kind == KIND_KASAN_INVALID_FREE || !access)
		return in(r, arena_printf(&r->arena, "KASAN: %s", type), function);
	return in(r, arena_printf(&r->arena, "KASAN: %s %s", type, access), function);
}

/* Numbers and addresses differ each time: they are left out. */
static const char *general(struct report *r, const char *s)
{
	struct buf b = { 0 };
	const char *ret;

	for (size_t i = 0; s[i] && b.n < 120; i++) {
		if (isdigit((unsigned char)s[i]) && (i == 0 || !isalnum((unsigned char)s[i - 1]))) {
			size_t k = i;

			if (s[i] == '0' && s[i + 1] == 'x')
				k += 2;
			while (isxdigit((unsigned char)s[k]))
				k++;
			if (!isalpha((unsigned char)s[k])) {
				buf_str(&b, k - i > 7 ? "ADDR" : "NUM");
				i = k - 1;
				continue;
			}
		}
		buf_char(&b, s[i]);
	}
	ret = arena_strdup(&r->arena, buf_text(&b));
	buf_release(&b);
	return ret;
}

static const char *lockdep(struct report *r, const char *function)
{
	static const struct {
		const char *says, *title;
	} v[] = {
		{ "possible circular", "possible deadlock" },
		{ "possible recursive", "possible deadlock" },
		{ "lock inversion", "possible deadlock" },
		{ "-safe -> ", "possible deadlock" },
		{ "lock order detected", "possible deadlock" },
		{ "inconsistent lock state", "inconsistent lock state" },
		{ "nvalid wait context", "BUG: Invalid wait context" },
		{ "bad unlock balance", "WARNING: bad unlock balance" },
		{ "held lock freed", "WARNING: held lock freed" },
		{ "suspicious RCU", "WARNING: suspicious RCU usage" },
		{ "suspicious rcu", "WARNING: suspicious RCU usage" },
		{ "returning to user", "WARNING: lock held when returning to user space" },
		{ "still has locks", "WARNING: still has locks held" },
		{ "locks held", "WARNING: still has locks held" },
		{ "non-static key", "INFO: trying to register non-static key" },
		{ "Nested lock", "WARNING: nested lock was not taken" },
		{ "MAX_LOCK", "BUG: MAX_LOCKDEP limit reached" },
	};
	const char *s = r->headline ? r->headline : "";

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		if (strstr(s, v[i].says))
			return in(r, v[i].title, function);
	/* "BUG: using f() in preemptible [00000000] code: comm/1" */
	if (strstr(s, "BUG: using ") == s && strstr(s, " ["))
		return in(r, arena_printf(&r->arena, "%.*s code", (int)(strstr(s, " [") - s), s),
			  function);
	if (strstr(s, "BUG: ") == s)
		return in(r, general(r, s), function);
	return in(r, "WARNING: locking bug", function);
}

static const char *panic_title(struct report *r)
{
	const char *s = r->panic ? r->panic : r->subject;

	return s && *s ? arena_printf(&r->arena, "kernel panic: %s", general(r, s))
		       : "kernel panic";
}

static const char *bad_state(struct report *r, const char *function)
{
	const char *s = r->headline ? r->headline : "";

	if (strstr(s, "Bad page state"))
		return in(r, "BUG: Bad page state", function);
	if (strstr(s, "Bad page map"))
		return in(r, "BUG: Bad page map", function);
	if (strstr(s, "rss-counter"))
		return "BUG: Bad rss-counter state";
	if (strstr(s, "pgtables_bytes"))
		return "BUG: non-zero pgtables_bytes on freeing mm";
	if (strstr(s, "Dentry"))
		return in(r, "BUG: Dentry still in use", function);
	if (strstr(s, "Busy inodes"))
		return "VFS: Busy inodes after unmount";
	return in(r, "BUG: bad state", function);
}

static const char *netdev_wait(struct report *r)
{
	const char *s = r->headline ? strstr(r->headline, "waiting for ") : NULL;
	size_t n;

	if (!s)
		return "unregister_netdevice: waiting for a device to become free";
	s += 12;
	n = strcspn(s, " ");
	while (n && isdigit((unsigned char)s[n - 1]))
		n--;
	return arena_printf(&r->arena, "unregister_netdevice: waiting for %.*s to become free",
			    n ? (int)n : 3, n ? s : "DEV");
}

static const char *kcsan(struct report *r)
{
	const char *a = r->named ? function_plain(&r->arena, r->named) : NULL;
	const char *b = r->named2 ? function_plain(&r->arena, r->named2) : NULL;
	const char *type = r->subject && *r->subject ? r->subject : "data-race";

	if (a && b && strcmp(a, b) > 0) {
		const char *c = a;

		a = b;
		b = c;
	}
	if (a && b)
		return arena_printf(&r->arena, "KCSAN: %s in %s / %s", type, a, b);
	return in(r, arena_printf(&r->arena, "KCSAN: %s", type), a);
}

static const char *kfence(struct report *r, const char *function)
{
	const char *type = r->subject && *r->subject ? r->subject : "memory corruption";

	return in(r, arena_printf(&r->arena, "KFENCE: %s", type), function);
}

/* What is said whatever the report's details: the kind in the words of its headline. */
static const char *plain_title(enum report_kind kind)
{
	static const char *const v[KINDS] = {
		[KIND_NULL_DEREF] = "BUG: unable to handle kernel NULL pointer dereference",
		[KIND_PAGE_FAULT] = "BUG: unable to handle kernel paging request",
		[KIND_GPF] = "general protection fault",
		[KIND_STACK_SEGMENT] = "stack segment fault",
		[KIND_DIVIDE_ERROR] = "divide error",
		[KIND_INVALID_OPCODE] = "invalid opcode",
		[KIND_INT3] = "int3",
		[KIND_DOUBLE_FAULT] = "PANIC: double fault",
		[KIND_TRAP] = "kernel trap",
		[KIND_BUG] = "kernel BUG",
		[KIND_WARNING] = "WARNING",
		[KIND_REFCOUNT] = "WARNING: refcount bug",
		[KIND_LIST_CORRUPTION] = "BUG: corrupted list",
		[KIND_DEBUGOBJECTS] = "WARNING: ODEBUG bug",
		[KIND_USERCOPY] = "BUG: bad usercopy",
		[KIND_FORTIFY] = "BUG: buffer overflow detected",
		[KIND_SCHED_ATOMIC] = "BUG: scheduling while atomic",
		[KIND_SLEEP_ATOMIC] = "BUG: sleeping function called from invalid context",
		[KIND_RCU_STALL] = "INFO: rcu detected stall",
		[KIND_SOFT_LOCKUP] = "BUG: soft lockup",
		[KIND_HARD_LOCKUP] = "BUG: hard lockup",
		[KIND_HUNG_TASK] = "INFO: task hung",
		[KIND_NETDEV_WATCHDOG] = "WARNING: NETDEV WATCHDOG",
		[KIND_KMEMLEAK] = "memory leak",
		[KIND_STACK_OVERFLOW] = "kernel stack overflow",
		[KIND_MCE] = "machine check",
		[KIND_SERROR] = "SError",
		[KIND_PAGE_ALLOC] = "page allocation failure",
		[KIND_IRQ] = "irq: nobody cared",
		[KIND_EDAC_CE] = "EDAC: corrected memory errors",
		[KIND_EDAC_UE] = "EDAC: uncorrected memory error",
		[KIND_NMI] = "NMI received for unknown reason",
		[KIND_INTERNAL_ERROR] = "internal error",
		[KIND_UNDEFINED] = "undefined instruction",
		[KIND_CFI] = "CFI failure",
		[KIND_ALIGNMENT] = "alignment fault",
		[KIND_RUST] = "rust panic",
	};

	return v[kind];
}

/* The file system's name, as its messages begin: "EXT4-fs error". */
static const char *fs_error(struct report *r)
{
	size_t n = r->headline ? strcspn(r->headline, " :(") : 0;

	return n ? arena_printf(&r->arena, "%.*s error", (int)n, r->headline) : "file system error";
}

const char *report_title(struct report *r, const char *function)
{
	const char *plain = plain_title(r->kind);

	switch (r->kind) {
	case KIND_KASAN_UAF:
	case KIND_KASAN_OOB:
	case KIND_KASAN_INVALID_FREE:
	case KIND_KASAN_NULL:
	case KIND_KASAN_WILD:
		return kasan(r, function);
	case KIND_KMSAN:
		return in(r, arena_printf(&r->arena, "KMSAN: %s", r->subject ? r->subject : "bug"),
			  function);
	case KIND_KCSAN:
		return kcsan(r);
	case KIND_KFENCE:
		return kfence(r, function);
	case KIND_UBSAN:
		return in(r, arena_printf(&r->arena, "UBSAN: %s", r->subject ? r->subject : "bug"),
			  function);
	case KIND_LOCKDEP:
		return lockdep(r, function);
	case KIND_BAD_STATE:
		return bad_state(r, function);
	case KIND_NETDEV_WAIT:
		return netdev_wait(r);
	case KIND_WORKQUEUE:
		return "BUG: workqueue lockup";
	case KIND_SLAB:
		return in(r, "BUG: slab corruption", function);
	case KIND_FS_ERROR:
		return in(r, fs_error(r), function);
	case KIND_OOM:
		return "out of memory";
	case KIND_PANIC:
		return panic_title(r);
	case KIND_OTHER:
		if (r->headless)
			return in(r, "kernel report without its beginning", function);
		return in(r, r->headline ? general(r, r->headline) : "BUG", function);
	default:
		return plain ? in(r, plain, function) : "kernel report";
	}
}

/* Panics that say no more than that something before them was bad. */
static bool is_echo(const char *panic)
{
	static const char *const v[] = { "Fatal exception",
					 "panic_on_warn",
					 "Oops",
					 "softlockup: hung",
					 "hung_task: blocked",
					 "RCU Stall",
					 "Aiee, killing interrupt",
					 "Attempted to kill the idle",
					 "Attempted to kill init",
					 "panic_on_taint",
					 "Hard LOCKUP",
					 "Fatal hardware",
					 "Asynchronous SError" };

	for (size_t i = 0; panic && i < ARRAY_SIZE(v); i++)
		if (strstr(panic, v[i]))
			return true;
	return false;
}

bool report_follows(const struct report *first, const struct report *second)
{
	bool same_cpu = first->has_cpu && second->has_cpu && first->cpu == second->cpu;
	bool same_task = first->has_pid && second->has_pid && first->pid == second->pid;

	if (first->kind == KIND_OOM)
		return second->panic && strstr(second->panic, "emory");
	if (second->panic && second->headline && is_echo(second->panic) &&
	    strstr(second->headline, "Kernel panic"))
		return true;
	if (second->oops_number > 1 && first->oops_number)
		return true;
	if (report_kind_is(first->kind, KIND_IS_SANITIZER) &&
	    report_kind_is(second->kind, KIND_IS_TRAP))
		return same_task || same_cpu;
	if ((first->kind == KIND_RCU_STALL || first->kind == KIND_SOFT_LOCKUP) &&
	    (second->kind == KIND_HARD_LOCKUP || second->kind == KIND_SOFT_LOCKUP ||
	     second->kind == KIND_RCU_STALL))
		return true;
	if (first->kind == KIND_HUNG_TASK && second->kind == KIND_PANIC)
		return true;
	/* the kernel was already broken, or had already warned, when the second came */
	if (second->taint && strchr(second->taint, 'D') && first->oops_number)
		return true;
	return report_kind_is(first->kind, KIND_GOES_ON) &&
	       report_kind_is(second->kind, KIND_IS_TRAP) && same_task;
}
