/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines that say what happened. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "core/report/parse/cues.h"
#include "core/report/parse/parse.h"

/*
 * What the kernel prints, as facts: arch/x86/mm/fault.c, arch/arm64/mm/fault.c, lib/bug.c,
 * kernel/panic.c, mm/kasan/report.c, kernel/locking/lockdep.c, kernel/rcu/tree_stall.h,
 * kernel/watchdog.c, kernel/hung_task.c and their like. The first that fits is taken.
 */
#define S(text, kind)                               \
	{                                           \
		text, kind, HEAD_START, true, false \
	}
#define A(text, kind)                              \
	{                                          \
		text, kind, HEAD_START, true, true \
	}
#define R(text, kind)                                \
	{                                            \
		text, kind, HEAD_REFINE, true, false \
	}
#define U(text, kind)                                \
	{                                            \
		text, kind, HEAD_START, false, false \
	} /* others say it too */
static const struct header headers[] = {
	S("BUG: kernel NULL pointer dereference", KIND_NULL_DEREF),
	S("BUG: unable to handle kernel NULL pointer dereference", KIND_NULL_DEREF),
	S("BUG: unable to handle ", KIND_PAGE_FAULT),
	U("BUG unable to handle ", KIND_PAGE_FAULT), /* typed in from a screen */
	S("BUG: Kernel NULL pointer dereference", KIND_NULL_DEREF),
	S("BUG: Unable to handle kernel ", KIND_PAGE_FAULT),
	S("Unable to handle kernel NULL pointer dereference", KIND_NULL_DEREF),
	S("Unable to handle kernel ", KIND_PAGE_FAULT),
	R("Kernel attempted to ", KIND_PAGE_FAULT),
	R("kernel tried to execute ", KIND_PAGE_FAULT),
	U("general protection fault", KIND_GPF),
	U("stack segment: ", KIND_STACK_SEGMENT),
	U("divide error: ", KIND_DIVIDE_ERROR),
	U("divide_error: ", KIND_DIVIDE_ERROR),
	U("int3: ", KIND_INT3),
	R("invalid opcode: ", KIND_INVALID_OPCODE),
	U("double fault: ", KIND_DOUBLE_FAULT),
	S("PANIC: double fault", KIND_DOUBLE_FAULT),
	S("Oops: general protection fault", KIND_GPF),
	S("Oops: stack segment", KIND_STACK_SEGMENT),
	S("Oops: divide error", KIND_DIVIDE_ERROR),
	S("Oops: divide_error", KIND_DIVIDE_ERROR),
	S("Oops: int3", KIND_INT3),
	S("Oops: double fault", KIND_DOUBLE_FAULT),
	R("Oops: invalid opcode", KIND_INVALID_OPCODE),
	R("Oops: Kernel access of bad area", KIND_PAGE_FAULT),
	R("Oops: Exception in kernel mode", KIND_TRAP),
	R("Oops: Machine check", KIND_MCE),
	R("Oops: ", KIND_PAGE_FAULT),
	R("Oops [#", KIND_TRAP),
	R("Oops[#", KIND_TRAP),
	/* riscv's other traps, "Oops - load access fault [#1]" */
	S("Oops - illegal instruction", KIND_UNDEFINED),
	S("Oops - load address misaligned", KIND_ALIGNMENT),
	S("Oops - store (or AMO) address misaligned", KIND_ALIGNMENT),
	S("Oops - ", KIND_TRAP),
	R("Internal error: Oops - BUG", KIND_BUG),
	R("Internal error: Oops - undefined instruction", KIND_UNDEFINED),
	R("Internal error: Oops - Undefined instruction", KIND_UNDEFINED),
	R("Internal error: undefined instruction", KIND_UNDEFINED),
	R("Internal error: Oops - CFI", KIND_CFI),
	R("Internal error: CFI", KIND_CFI),
	R("Internal error: Oops - bad mode", KIND_TRAP),
	R("Internal error: Oops - ", KIND_INTERNAL_ERROR),
	R("Internal error: Oops", KIND_PAGE_FAULT),
	R("Internal error: BUG", KIND_BUG),
	R("Internal error: ", KIND_INTERNAL_ERROR),
	S("Kernel bug detected", KIND_BUG),
	S("kernel BUG at ", KIND_BUG),
	S("Kernel BUG at ", KIND_BUG),
	S("Kernel bug at ", KIND_BUG), /* alpha */
	R("Kernel BUG [", KIND_BUG),
	S("WARNING: CPU: ", KIND_WARNING),
	S("WARNING: possible circular locking", KIND_LOCKDEP),
	S("WARNING: possible recursive locking", KIND_LOCKDEP),
	S("WARNING: possible irq lock inversion", KIND_LOCKDEP),
	S("WARNING: inconsistent lock state", KIND_LOCKDEP),
	S("WARNING: bad unlock balance", KIND_LOCKDEP),
	S("WARNING: bad contention", KIND_LOCKDEP),
	S("WARNING: held lock freed", KIND_LOCKDEP),
	S("WARNING: lock held when returning", KIND_LOCKDEP),
	S("WARNING: suspicious RCU usage", KIND_LOCKDEP),
	S("WARNING: Nested lock was not taken", KIND_LOCKDEP),
	S("WARNING: HARDIRQ-", KIND_LOCKDEP),
	S("WARNING: SOFTIRQ-", KIND_LOCKDEP),
	S("WARNING: RECLAIM_FS-", KIND_LOCKDEP),
	S("INFO: possible circular locking", KIND_LOCKDEP),
	S("INFO: possible recursive locking", KIND_LOCKDEP),
	S("INFO: possible irq lock inversion", KIND_LOCKDEP),
	S("INFO: inconsistent lock state", KIND_LOCKDEP),
	S("INFO: suspicious RCU usage", KIND_LOCKDEP),
	S("INFO: suspicious rcu_dereference_check", KIND_LOCKDEP),
	S("INFO: HARDIRQ-", KIND_LOCKDEP),
	S("INFO: SOFTIRQ-", KIND_LOCKDEP),
	S("INFO: RECLAIM_FS-", KIND_LOCKDEP),
	S("INFO: trying to register non-static key", KIND_LOCKDEP),
	S("BUG: Invalid wait context", KIND_LOCKDEP),
	S("BUG: held lock freed", KIND_LOCKDEP),
	S("BUG: bad unlock balance", KIND_LOCKDEP),
	S("BUG: lock held ", KIND_LOCKDEP),
	S("BUG: MAX_LOCK", KIND_LOCKDEP),
	S("BUG: MAX_STACK_TRACE", KIND_LOCKDEP),
	S("BUG: key ", KIND_LOCKDEP),
	R("DEBUG_LOCKS_WARN_ON(", KIND_LOCKDEP),
	R("refcount_t: ", KIND_REFCOUNT),
	R("refcount_t hit zero at ", KIND_REFCOUNT), /* x86's own checks, up to v5.5 */
	R("refcount_t overflow at ", KIND_REFCOUNT),
	R("ODEBUG: ", KIND_DEBUGOBJECTS),
	R("list_add corruption", KIND_LIST_CORRUPTION),
	R("list_del corruption", KIND_LIST_CORRUPTION),
	R("list_add double add", KIND_LIST_CORRUPTION),
	R("usercopy: ", KIND_USERCOPY),
	R("detected buffer overflow in ", KIND_FORTIFY),
	R("*: detected buffer overflow", KIND_FORTIFY),
	R("*: detected field-spanning ", KIND_FORTIFY),
	S("BUG: KASAN: ", KIND_KASAN_OOB),
	S("BUG: KMSAN: ", KIND_KMSAN),
	S("BUG: KCSAN: ", KIND_KCSAN),
	S("BUG: KFENCE: ", KIND_KFENCE),
	S("UBSAN: ", KIND_UBSAN),
	S("BUG: scheduling while atomic", KIND_SCHED_ATOMIC),
	S("BUG: workqueue leaked ", KIND_SCHED_ATOMIC),
	S("bad: scheduling from the idle thread!", KIND_SCHED_ATOMIC),
	S("BUG: sleeping function called from", KIND_SLEEP_ATOMIC),
	S("Debug: sleeping function called from", KIND_SLEEP_ATOMIC), /* up to v2.6.15 */
	S("INFO: rcu_", KIND_RCU_STALL),
	S("INFO: Stall ended", KIND_NONE),
	S("BUG: soft lockup", KIND_SOFT_LOCKUP),
	S("Watchdog detected hard LOCKUP", KIND_HARD_LOCKUP),
	S("BUG: NMI Watchdog detected LOCKUP", KIND_HARD_LOCKUP),
	S("NMI Watchdog detected LOCKUP", KIND_HARD_LOCKUP), /* up to v2.6.26 */
	S("*self-detected hard LOCKUP", KIND_HARD_LOCKUP),
	S("*detected hard LOCKUP on other CPUs", KIND_HARD_LOCKUP),
	S("INFO: task ", KIND_HUNG_TASK),
	R("\"echo 0 > /proc/sys/kernel/hung_task_", KIND_HUNG_TASK), /* the line behind that */
	A("BUG: workqueue lockup", KIND_WORKQUEUE),
	A("unregister_netdevice: waiting for", KIND_NETDEV_WAIT),
	R("NETDEV WATCHDOG: ", KIND_NETDEV_WATCHDOG),
	A("*NETDEV WATCHDOG: ", KIND_NETDEV_WATCHDOG),
	S("BUG: memory leak", KIND_KMEMLEAK),
	R("unreferenced object 0x", KIND_KMEMLEAK),
	S("BUG: TASK stack guard page was hit", KIND_STACK_OVERFLOW),
	S("BUG: IRQ stack guard page was hit", KIND_STACK_OVERFLOW),
	S("BUG: stack guard page was hit", KIND_STACK_OVERFLOW),
	R("Thread overran stack", KIND_STACK_OVERFLOW),
	S("Insufficient stack space to handle exception", KIND_STACK_OVERFLOW),
	S("do_IRQ: stack overflow", KIND_STACK_OVERFLOW),
	S("Kernel stack overflow", KIND_STACK_OVERFLOW),
	R("kernel stack overflow (", KIND_STACK_OVERFLOW), /* what die() is told, up to v5.15 */
	S("kernel stack overflow", KIND_STACK_OVERFLOW),
	A("BUG: Bad page state", KIND_BAD_STATE),
	A("BUG: Bad page map", KIND_BAD_STATE),
	A("BUG: Bad page cache", KIND_BAD_STATE),
	A("BUG: Bad rss-counter state", KIND_BAD_STATE),
	A("BUG: non-zero pgtables_bytes", KIND_BAD_STATE),
	A("BUG: Dentry ", KIND_BAD_STATE),
	A("VFS: Busy inodes after unmount", KIND_BAD_STATE),
	A("SError Interrupt on CPU", KIND_SERROR),
	S("CFI failure at ", KIND_CFI),
	S("CFI failure (", KIND_CFI),
	U("Alignment trap: not handling", KIND_ALIGNMENT),
	U("Unhandled fault: alignment", KIND_ALIGNMENT),
	U("Unhandled kernel unaligned access", KIND_ALIGNMENT),
	U("Kernel unaligned access", KIND_ALIGNMENT),
	U("Unhandled fault: page domain", KIND_PAGE_FAULT),
	S("Unhandled prefetch abort: ", KIND_PAGE_FAULT),
	U("Unhandled fault: ", KIND_INTERNAL_ERROR),
	U("Unexpected kernel BRK exception", KIND_TRAP),
	U("Bad mode in ", KIND_TRAP),
	U("Unhandled 64-bit ", KIND_TRAP),
	U("Machine check in kernel mode", KIND_MCE),
	S("Kernel panic - not syncing", KIND_PANIC),
	S("rust_kernel: panicked at ", KIND_RUST),
	/* checks of the rules of locks and contexts that stand beside lockdep */
	/* "Watchdog CPU:59 Hard LOCKUP", powerpc from v4.13 to v4.17 */
	S("Watchdog CPU:", KIND_HARD_LOCKUP),
	S("BUG: spinlock ", KIND_LOCKDEP),
	S("BUG: rwlock ", KIND_LOCKDEP),
	S("BUG: using ", KIND_LOCKDEP),
	S("*still has locks held!", KIND_LOCKDEP),
	A("WARNING: kernel stack regs at ", KIND_WARNING),
	A("WARNING: kernel stack frame pointer at ", KIND_WARNING),
	A("Out of memory: Kill", KIND_OOM),
	A("Memory cgroup out of memory", KIND_OOM),
	A("*invoked oom-killer: ", KIND_OOM),
	S("*: page allocation failure", KIND_PAGE_ALLOC),
	A("Uhhuh. NMI received for unknown reason", KIND_NMI),
	A("NMI received for unknown reason", KIND_NMI),
	/* parisc, ARC, sparc */
	S("Kernel Fault: Code=", KIND_PAGE_FAULT),
	R("*): Oops [#", KIND_TRAP),
	R("*): Kernel bad sw trap ", KIND_BUG),
};

/* "Configuring network interfaces...BUG: soft lockup": where the headline begins that a console put
 * behind a line without its newline; 0: nowhere. */
static size_t glued_headline(const char *s, size_t n)
{
	const char *p = memchr(s, 'B', n < 160 ? n : 160);

	p = p ? find_text(p, (size_t)(s + n - p), "BUG: ") : NULL;
	return p && p > s && (p[-1] == '.' || islower((unsigned char)p[-1])) ? (size_t)(p - s) : 0;
}

/* The words of subsystems before what is said. */
static size_t preface_words(const char *s, size_t n)
{
	static const char *const words[] = {
		"watchdog: ", "NMI watchdog: ", "rcu: ",        "traps: ", "[ ",
		"mm: ",       "kernel: ",       "------------", "percpu: "
	};
	size_t at = 0;

	for (bool more = true; more;) {
		more = false;
		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			if (has_prefix(s + at, n - at, words[i])) {
				at += strlen(words[i]);
				more = true;
			}
	}
	return at;
}

/* "root@widget:~# ", "[root@widget ~]$ ", "/ # ": a shell's prompt, behind which a console prints
 * what the kernel says; 0: there is none. */
static size_t prompt_length(const char *s, size_t n)
{
	const char *end = s + (n < 64 ? n : 64), *p = s;

	while (p + 1 < end && !((*p == '#' || *p == '$') && p[1] == ' '))
		p++;
	if (p + 1 >= end || !(memchr(s, '@', (size_t)(p - s)) || *s == '/' || *s == '~'))
		return 0;
	return (size_t)(p + 2 - s);
}

size_t header_preface(const char *s, size_t n)
{
	size_t at = preface_words(s, n);

	if (!at && (at = glued_headline(s, n)))
		return at;
	if (!at && (at = prompt_length(s, n)))
		at += preface_words(s + at, n - at);
	/* "Job error: Kernel panic - not syncing: ..." */
	if (at < n) {
		const char *p =
			find_text(s + at, n - at < 64 ? n - at : 64, ": Kernel panic - not ");

		if (p)
			return (size_t)(p + 2 - s);
	}
	/* "CPU3: Watchdog detected", "CPU 0 Unable to handle kernel paging request" */
	if (has_prefix(s + at, n - at, "CPU")) {
		size_t i = at + 3;

		i += i < n && s[i] == ' ';
		while (i < n && isdigit((unsigned char)s[i]))
			i++;
		i += i < n && s[i] == ':';
		if (i < n && s[i] == ' ' &&
		    (has_prefix(s + i + 1, n - i - 1, "Watchdog") ||
		     has_prefix(s + i + 1, n - i - 1, "Unable to handle")))
			at = i + 1;
	}
	return at;
}

/* "fs/inode.c:417": the name of a source file, and a line. */
static bool is_location(const char *s, size_t n)
{
	const char *p = memchr(s, ':', n);

	return p && p - s > 2 && (p[-2] == '.' || (p[-3] == '.' && p[-2] == 'r')) &&
	       !memchr(s, ' ', (size_t)(p - s)) && p + 1 < s + n && isdigit((unsigned char)p[1]);
}

size_t warning_location(const char *s, size_t n)
{
	size_t at = 9;

	if (!has_prefix(s, n, "WARNING: "))
		return 0;
	if (has_prefix(s + at, n - at, "at "))
		at += 3;
	if (is_location(s + at, n - at))
		return at;
	/* the condition may have brackets of its own */
	for (size_t i = at; at < n && s[at] == '[' && i + 2 < n; i++)
		if (s[i] == ']' && s[i + 1] == ' ' && is_location(s + i + 2, n - i - 2))
			return i + 2;
	return 0;
}

/* "BUG kmalloc-64 (Not tainted): Poison overwritten" */
static bool is_slab(const char *s, size_t n)
{
	const char *p;

	if (!has_prefix(s, n, "BUG ") || !(p = memchr(s, '(', n)) || p - s < 5)
		return false;
	return has_prefix(p, (size_t)(s + n - p), "(Not tainted): ") ||
	       (has_prefix(p, (size_t)(s + n - p), "(Tainted: ") &&
		find_text(p, (size_t)(s + n - p), "): "));
}

/* The last number of the n bytes at s begins there, behind a blank; NULL: they end in none. */
static const char *last_number(const char *s, size_t n)
{
	const char *p = s + n;

	while (p > s && isdigit((unsigned char)p[-1]))
		p--;
	return p > s && p < s + n && p[-1] == ' ' ? p : NULL;
}

/* alpha: "swapper(1): Oops 0", "swapper(1): Kernel Bug 1" */
static const struct header *alpha_header(const char *s, size_t n)
{
	static const struct {
		const char *words;
		struct header header;
	} v[] = {
		{ "): Oops ", R("", KIND_TRAP) },
		{ "): Kernel Bug ", R("", KIND_BUG) },
		{ "): Instruction fault ", R("", KIND_UNDEFINED) },
		{ "): Unhandled unaligned exception ", R("", KIND_ALIGNMENT) },
	};
	const char *at = n < 80 ? last_number(s, n) : NULL;

	for (size_t i = 0; at && i < ARRAY_SIZE(v); i++) {
		size_t k = strlen(v[i].words);

		if (at - s > (ptrdiff_t)k + 1 && !memcmp(at - k, v[i].words, k) &&
		    isdigit((unsigned char)at[-(ptrdiff_t)k - 1]))
			return &v[i].header;
	}
	return NULL;
}

/* parisc: "Bad Address (null pointer deref?): Code=26 (...) at addr 0000000000000000" */
static bool is_parisc_trap(const char *s, size_t n)
{
	const char *p = memchr(s, '=', n) ? find_text(s, n, ": Code=") : NULL;

	return p && p + 7 < s + n && isdigit((unsigned char)p[7]) &&
	       find_text(p, (size_t)(s + n - p), ") at addr ");
}

/* "Kernel panic: Aiee, ..." up to v2.6.9, and a panic as people type it in from a screen. */
static bool is_old_panic(const char *s, size_t n)
{
	static const char words[] = "kernel panic";
	size_t k = sizeof(words) - 1;

	if (n < k + 4 || strncasecmp(s, words, k) != 0)
		return false;
	return (s[k] == ':' && s[k + 1] == ' ') || has_prefix(s + k, n - k, " - not syncing") ||
	       has_prefix(s + k, n - k, " -not syncing");
}

/* s390: "illegal operation: 0001 ilc:1 [#1]", and "Oops: 0038 ilc:3 [#1]" elsewhere */
static bool is_s390_trap(const char *s, size_t n)
{
	const char *p = find_text(s, n, " ilc:");

	return p && islower((unsigned char)*s) && find_text(p, (size_t)(s + n - p), "[#");
}

static bool is_mce(const char *s, size_t n)
{
	const char *p = find_text(s, n, "[Hardware Error]: CPU ");

	return p && p - s < 24 && find_text(p, (size_t)(s + n - p), "Machine Check");
}

static const struct header extra[] = {
	S("WARNING", KIND_WARNING),   S("BUG kmalloc", KIND_SLAB),   R("trap ilc", KIND_TRAP),
	A("Machine Check", KIND_MCE), S("BUG: ", KIND_OTHER),        R("", KIND_BUG),
	S("Code=", KIND_PAGE_FAULT),  U("Kernel panic", KIND_PANIC),
};

static bool fits(const struct header *h, const char *s, size_t n)
{
	if (h->text[0] == '*')
		return find_text(s, n < 200 ? n : 200, h->text + 1) != NULL;
	return h->text[0] == s[0] && has_prefix(s, n, h->text);
}

/* What begins as a header and is something else. */
static bool is_other(const struct header *h, const char *s, size_t n)
{
	switch (h->kind) {
	case KIND_NONE:
		return true;
	case KIND_HUNG_TASK:
		return *s != '"' && !find_text(s, n, "blocked ") && !find_text(s, n, "can't die");
	case KIND_RCU_STALL:
		return !find_text(s, n, "stall");
	case KIND_HARD_LOCKUP:
		return !find_text(s, n, "LOCKUP");
	case KIND_GPF:
		return find_text(s, n, " ip:") != NULL;
	case KIND_UBSAN:
		return !find_text(s, n, " in ");
	case KIND_USERCOPY:
		return !find_text(s, n, "emory ");
	case KIND_TRAP:
	case KIND_UNDEFINED:
	case KIND_ALIGNMENT:
		return has_prefix(s, n, "Oops - ") && !find_text(s, n, " [#");
	default:
		return false;
	}
}

/* Lines that two places of them tell: what parts of the kernel say of damaged file systems and
 * memory, each in words of its own. */
static const struct {
	const char *begin, *says; /* what the line begins with, and what is in it; NULL: anything */
	struct header header;
} events[] = {
	{ "EXT4-fs error (device ", NULL, U("", KIND_FS_ERROR) },
	{ "EXT3-fs error (device ", NULL, U("", KIND_FS_ERROR) },
	{ "EXT2-fs error (device ", NULL, U("", KIND_FS_ERROR) },
	{ "EXT4-fs (", "Remounting filesystem read-only", A("", KIND_FS_ERROR) },
	{ "Aborting journal on device ", NULL, A("", KIND_FS_ERROR) },
	{ "XFS (", "Internal error ", A("", KIND_FS_ERROR) },
	{ "XFS: ", "Internal error ", A("", KIND_FS_ERROR) },             /* of no mount */
	{ "Filesystem \"", "XFS internal error ", A("", KIND_FS_ERROR) }, /* up to v2.6.38 */
	{ "XFS (", "etadata corruption detected", A("", KIND_FS_ERROR) },
	{ "XFS (", "etadata CRC error detected", A("", KIND_FS_ERROR) },
	{ "XFS (", "force_shutdown(", A("", KIND_FS_ERROR) },
	{ "XFS (", "orruption of in-memory data", A("", KIND_FS_ERROR) },
	{ "XFS (", "hutting down filesystem", A("", KIND_FS_ERROR) },
	{ "XFS (", "metadata I/O error", U("", KIND_FS_ERROR) },
	{ "BTRFS: error (device ", NULL, A("", KIND_FS_ERROR) },
	{ "BTRFS critical (device ", NULL, A("", KIND_FS_ERROR) },
	{ "BTRFS error (device ", NULL, U("", KIND_FS_ERROR) },
	{ "BTRFS", "forced readonly", A("", KIND_FS_ERROR) },
	{ "EDAC ", " UE ", A("", KIND_EDAC_UE) },
	{ "EDAC ", " CE ", U("", KIND_EDAC_CE) },
	{ "[ECR   ]: ", "=> Invalid ", S("", KIND_PAGE_FAULT) }, /* ARC */
	{ "[ECR   ]: ", "Misaligned r/w", S("", KIND_ALIGNMENT) },
	{ "[ECR   ]: ", NULL, S("", KIND_TRAP) },
	{ "irq ", ": nobody cared", A("", KIND_IRQ) },
	/* one line has it all */
	{ "INFO: rcu_", " jiffies, g=", A("", KIND_RCU_STALL) },
	/* as 2.4 and 2.6 said what has "BUG:" or "WARNING:" before it today */
	{ "Badness in ", " at ", U("", KIND_WARNING) },
	{ "scheduling while atomic: ", "/0x", S("", KIND_SCHED_ATOMIC) },
	{ "slab error in ", "(): cache `", S("", KIND_SLAB) },
	{ "Slab corruption", "start=", S("", KIND_SLAB) },
	{ "Bad page state ", "process '", S("", KIND_BAD_STATE) },
	{ "NMI watchdog detected lockup on ", "CPU", S("", KIND_HARD_LOCKUP) },
	{ "__alloc_pages: ", "-order allocation failed", A("", KIND_PAGE_ALLOC) },
	{ "VM: killing process ", NULL, A("", KIND_OOM) },
	/* xmon, the debugger of powerpc's kernels: data and instructions, with the hash or without;
	 * machine check; the rest */
	{ "cpu 0x", ": Vector: 300 ", R("", KIND_PAGE_FAULT) },
	{ "cpu 0x", ": Vector: 380 ", R("", KIND_PAGE_FAULT) },
	{ "cpu 0x", ": Vector: 400 ", R("", KIND_PAGE_FAULT) },
	{ "cpu 0x", ": Vector: 480 ", R("", KIND_PAGE_FAULT) },
	{ "cpu 0x", ": Vector: 200 ", R("", KIND_MCE) },
	{ "cpu 0x", ": Vector: ", R("", KIND_TRAP) },
};

static const struct header *header_event(const char *s, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (*s == events[i].begin[0] && has_prefix(s, n, events[i].begin) &&
		    (!events[i].says || find_text(s, n, events[i].says)))
			return &events[i].header;
	return NULL;
}

/* A line of which another one's end lost its newline: "...access" and "general protection fault:
 * 0000
 * [#1] SMP". Only what no line speaks of in passing. */
static const struct header *header_inside(const char *s, size_t n)
{
	static const struct header inside[] = {
		S("general protection fault: 0", KIND_GPF),
		S("general protection fault, probably for non-canonical", KIND_GPF),
	};

	for (size_t i = 0; i < ARRAY_SIZE(inside); i++) {
		const char *p = find_text(s, n, inside[i].text);

		if (p && find_text(p, (size_t)(s + n - p), " [#"))
			return &inside[i];
	}
	return NULL;
}

bool header_hinted(const char *s, size_t n)
{
	static struct cues *cues;

	if (!cues) {
		const char *texts[CUES_MAX];

		cues = cues_new(texts, header_cues(texts, CUES_MAX));
	}
	/* "WARNING: " has behind it a place in the source, and no words */
	return memchr(s, 'W', n) || cues_in(cues, s, n);
}

bool header_begins(const char *s, size_t n)
{
	size_t at = preface_words(s, n);

	s += at;
	n -= at;
	if (n < 6 || !isalpha((unsigned char)*s))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(headers); i++)
		if (headers[i].text[0] == s[0] && (headers[i].certain || headers[i].alone) &&
		    has_prefix(s, n, headers[i].text))
			return !is_other(&headers[i], s, n);
	if (*s == 'W')
		return has_prefix(s, n, "WARNING: ") && warning_location(s, n);
	return *s == 'B' && is_slab(s, n);
}

const struct header *header_find(const char *s, size_t n)
{
	const struct header *event;
	size_t at = header_preface(s, n);

	s += at;
	n -= at;
	if (n < 6 || (!isalpha((unsigned char)*s) && !strchr("[_\"", *s)) || !header_hinted(s, n))
		return NULL;
	if (warning_location(s, n))
		return &extra[0];
	if (is_slab(s, n))
		return &extra[1];
	if (is_s390_trap(s, n))
		return find_text(s, n, "monitor event") ? &extra[5] : &extra[2];
	if (is_mce(s, n))
		return &extra[3];
	if ((event = header_event(s, n)))
		return event;
	for (size_t i = 0; i < ARRAY_SIZE(headers); i++)
		if (fits(&headers[i], s, n))
			return is_other(&headers[i], s, n) ? NULL : &headers[i];
	if (has_prefix(s, n, "BUG: ") && n < 160)
		return &extra[4];
	if (is_parisc_trap(s, n))
		return &extra[6];
	if (is_old_panic(s, n))
		return &extra[7];
	if ((event = alpha_header(s, n)))
		return event;
	return header_inside(s, n);
}

size_t header_cues(const char **ret, size_t max)
{
	/* of the lines that no table has, and of what stands in front of a headline */
	static const char *const others[] = { "WARNING: at ",
					      "): Oops ",
					      "): Kernel Bug ",
					      "): Instruction fault ",
					      "): Unhandled unaligned ",
					      " ilc:",
					      "[Hardware Error]: CPU ",
					      ": Code=",
					      "ernel panic",
					      "ERNEL PANIC",
					      "ernel Panic",
					      "BUG: ",
					      "(Not tainted): ",
					      "(Tainted: " };
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(headers) && n < max; i++)
		ret[n++] = headers[i].text + (headers[i].text[0] == '*');
	for (size_t i = 0; i < ARRAY_SIZE(events) && n < max; i++) {
		const char *begin = events[i].begin, *says = events[i].says;

		ret[n++] = says && strlen(says) > strlen(begin) ? says : begin;
	}
	for (size_t i = 0; i < ARRAY_SIZE(others) && n < max; i++)
		ret[n++] = others[i];
	return n;
}
