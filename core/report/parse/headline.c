/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facts that the lines state which say what happened. */
#include <ctype.h>
#include <string.h>

#include "core/report/parse/parse.h"

/* "f+0x1/0x2 [mod]", or a bare name at s. */
#define COMM_MAX 32 /* bytes of a name of a process: the kernel keeps 15, of a worker up to 63 */

static const char *name_at(struct report *r, const char *s, const char *end)
{
	struct report_frame f = { 0 };
	const char *p = s;

	while (p < end && *p == ' ')
		p++;
	s = p;
	if (end - p > 3 && p[0] == '[' && p[1] == '<') {
		const char *close = memchr(p, ']', (size_t)(end - p));

		s = p = close && close + 1 < end ? close + 2 : end;
	}
	if (frame_symbol(&r->arena, p, end, &f, &p))
		return f.func;
	while (p < end && (isalnum((unsigned char)*p) || *p == '_' || *p == '.' || *p == '$'))
		p++;
	if (p == s || isdigit((unsigned char)*s) || (p < end && *p == '/'))
		return NULL;
	return arena_strndup(&r->arena, s, (size_t)(p - s));
}

/* The number, or the "(null)" of old kernels' %p, behind the word that names it. */
static void find_address(struct report *r, const char *s, size_t n)
{
	static const char *const words[] = { "address: ", "address ",    "addr ",
					     " at ",      "on read at ", "on write at ",
					     "BadVA : ",  " @ ",         "Addr=" };

	for (size_t i = 0; i < ARRAY_SIZE(words) && !r->has_address; i++) {
		const char *p = find_text(s, n, words[i]), *end = s + n, *q;
		uint64_t v;

		if (!p)
			continue;
		for (p += strlen(words[i]); p < end && *p == ' '; p++)
			;
		if (has_prefix(p, (size_t)(end - p), "(null)")) {
			r->has_address = true;
			continue;
		}
		v = number_hex(p, end, &q);
		if (q == p || (q < end && isalnum((unsigned char)*q)))
			continue;
		/* " at " stands before other things than numbers */
		if (!strcmp(words[i], " at ") && q - p < 8 && (q - p < 3 || p[1] != 'x'))
			continue;
		r->has_address = true;
		r->address = v;
	}
}

/* The first of these words: "write to read-only memory" is a write. */
static void find_access(struct report *r, const char *s, size_t n)
{
	const char *read, *write;

	if (r->access)
		return;
	if (find_text(s, n, "instruction fetch") || find_text(s, n, "execut")) {
		r->access = "execute";
		return;
	}
	read = find_text(s, n, " read");
	write = find_text(s, n, " write");
	read = read ? read : find_text(s, n, "Invalid Read");
	write = write ? write : find_text(s, n, "Invalid Write");
	if (read && (!write || read < write))
		r->access = "read";
	else if (write)
		r->access = "write";
}

static void kasan_facts(struct report *r, const char *s, const char *end)
{
	const char *in = find_text(s, (size_t)(end - s), " in ");
	size_t n = (size_t)((in ? in : end) - s);

	r->subject = words_copy(r, s, in ? in : end);
	if (in)
		r->named = name_at(r, in + 4, end);
	if (find_text(s, n, "use-after"))
		r->kind = KIND_KASAN_UAF;
	else if (find_text(s, n, "null-ptr-deref"))
		r->kind = KIND_KASAN_NULL;
	else if (find_text(s, n, "wild-") || find_text(s, n, "user-memory-access"))
		r->kind = KIND_KASAN_WILD;
	else if (find_text(s, n, "-free"))
		r->kind = KIND_KASAN_INVALID_FREE;
	else
		r->kind = KIND_KASAN_OOB;
}

static void race_facts(struct report *r, const char *s, const char *end)
{
	const char *in = find_text(s, (size_t)(end - s), " in ");
	const char *slash;

	r->subject = words_copy(r, s, in ? in : end);
	if (!in)
		return;
	r->named = name_at(r, in + 4, end);
	slash = find_text(in, (size_t)(end - in), " / ");
	if (slash)
		r->named2 = name_at(r, slash + 3, end);
}

/* "... in f", with what comes before as the subject. */
static void in_facts(struct report *r, const char *s, const char *end)
{
	const char *in = find_text(s, (size_t)(end - s), " in ");

	r->subject = words_copy(r, s, in ? in : end);
	if (in)
		r->named = name_at(r, in + 4, end);
}

static void where_at(struct report *r, const char *s, const char *end)
{
	const char *p = s;

	while (p < end && *p != ' ' && *p != '!')
		p++;
	if (p > s && !r->where)
		r->where = words_copy(r, s, p);
}

/* "Badness in f at kernel/sched.c:722" of 2.6 */
static void badness_facts(struct report *r, const char *s, const char *end)
{
	const char *at = find_text(s + 11, (size_t)(end - s - 11), " at ");

	if (!at)
		return;
	r->named = name_at(r, s + 11, at);
	where_at(r, at + 4, end);
}

/* "BUG: Bad page state in process comm  pfn:1234", "comm: page allocation failure": the name
 * between two words; before: NULL for the line's beginning. */
static void comm_between(struct report *r, const char *s, const char *end, const char *before,
			 const char *after)
{
	const char *p = before ? text_after(s, end, before) : s;
	const char *stop = p ? find_text(p, (size_t)(end - p), after) : NULL;

	if (stop && stop > p && stop - p < COMM_MAX && !r->comm)
		r->comm = words_copy(r, p, stop);
}

static void warning_facts(struct report *r, const char *s, const char *end)
{
	const char *at = find_text(s, (size_t)(end - s), " at ");
	const char *cpu = find_text(s, (size_t)(end - s), "CPU#");
	size_t location;
	const char *p;
	uint64_t v;

	if (has_prefix(s, (size_t)(end - s), "WARNING: CPU: ")) {
		if (number_dec(s + 14, end, &v, &p)) {
			r->has_cpu = true;
			r->cpu = (int64_t)v;
		}
		p = find_text(s, (size_t)(end - s), "PID: ");
		if (p && number_dec(p + 5, end, &v, &p)) {
			r->has_pid = true;
			r->pid = (int64_t)v;
		}
		if (at)
			where_at(r, at + 4, end);
		p = at ? memchr(at + 4, ' ', (size_t)(end - at - 4)) : NULL;
		if (p && !r->named) /* the message in front may have said whom it is about */
			r->named = name_at(r, p + 1, end);
		return;
	}
	location = warning_location(s, (size_t)(end - s));
	if (!location) /* free words */
		return;
	if (s[9] == '[')
		r->subject = words_copy(r, s + 10, s + location - 2);
	s += location;
	where_at(r, s, end);
	at = find_text(s, (size_t)(end - s), " at ");
	p = memchr(s, ' ', (size_t)(end - s));
	if (at)
		r->named = name_at(r, at + 4, end);
	else if (p)
		r->named = name_at(r, p + 1, end);
	if (cpu && number_dec(cpu + 4, end, &v, &p)) {
		const char *slash = memrchr(p, '/', (size_t)(end - p));

		r->has_cpu = true;
		r->cpu = (int64_t)v;
		if (slash && p + 2 < slash && number_dec(slash + 1, end, &v, &at)) {
			r->comm = words_copy(r, p + 1, slash);
			r->has_pid = true;
			r->pid = (int64_t)v;
		}
	}
}

/* "[comm:pid]", or "comm:pid blocked": names may hold colons and blanks. */
static void comm_pid(struct report *r, const char *s, const char *end)
{
	const char *colon = memrchr(s, ':', (size_t)(end - s)), *p;
	uint64_t v;

	if (!colon || colon == s || !number_dec(colon + 1, end, &v, &p))
		return;
	r->comm = words_copy(r, s, colon);
	r->has_pid = true;
	r->pid = (int64_t)v;
}

static void lockup_facts(struct report *r, const char *s, const char *end)
{
	const char *cpu = find_text(s, (size_t)(end - s), "CPU#"), *open, *close, *p;
	uint64_t v;

	if (!cpu && (cpu = find_text(s, (size_t)(end - s), " cpu ")))
		cpu++;
	if (!cpu)
		cpu = find_text(s, (size_t)(end - s), "CPU:");
	if (cpu && number_dec(cpu + 4, end, &v, &p)) {
		r->has_cpu = true;
		r->cpu = (int64_t)v;
	}
	open = memrchr(s, '[', (size_t)(end - s));
	close = memrchr(s, ']', (size_t)(end - s));
	if (open && close && open < close)
		comm_pid(r, open + 1, close);
}

static void hung_facts(struct report *r, const char *s, const char *end)
{
	const char *stop = find_text(s, (size_t)(end - s), " blocked ");

	r->headless = *s == '"'; /* how to switch it off is said behind what happened */
	if (!stop)
		stop = find_text(s, (size_t)(end - s), " can't die");
	if (stop && stop - s > 11)
		comm_pid(r, s + 11, stop);
}

/* "BUG: scheduling while atomic: comm/pid/0x00000002"; up to v2.6.22 the count stood first */
static void atomic_facts(struct report *r, const char *s, const char *end)
{
	const char *p = find_text(s, (size_t)(end - s), "atomic: "), *slash, *last, *q;
	uint64_t v;

	if (!p)
		return;
	p += 8;
	last = memrchr(p, '/', (size_t)(end - p));
	slash = last ? memrchr(p, '/', (size_t)(last - p)) : NULL;
	if (!slash)
		return;
	if (number_dec(has_prefix(slash, (size_t)(end - slash), "/0x") ? last + 1 : slash + 1, end,
		       &v, &q)) {
		r->comm = words_copy(r, p, slash);
		r->has_pid = true;
		r->pid = (int64_t)v;
	}
}

/* "EXT4-fs error (device sda1): ext4_lookup:1855: ...", "BTRFS: error (device sda1) in
 * btrfs_commit_transaction:2018: ...", "XFS (sda1): Metadata corruption detected at f+0x1/0x2" */
static void fs_facts(struct report *r, const char *s, const char *end)
{
	static const char *const before[] = { "): ", ") in ", " at ", "Caller " };
	struct report_frame f = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(before) && !r->named; i++) {
		const char *p = find_text(s, (size_t)(end - s), before[i]), *q;

		if (!p)
			continue;
		p += strlen(before[i]);
		for (q = p; q < end && (isalnum((unsigned char)*q) || *q == '_'); q++)
			;
		if (q > p && q + 1 < end && *q == ':' && isdigit((unsigned char)q[1]))
			r->named = arena_strndup(&r->arena, p, (size_t)(q - p));
		else if (frame_symbol(&r->arena, p, end, &f, &q))
			r->named = f.func;
	}
}

/* Where die()'s counter is on the line: " [#1]", and " [1]" behind "Oops: 0002" of x86_64 until
 * v2.6.24. NULL: it has none. */
static const char *die_counter(const char *s, const char *end)
{
	const char *p = find_text(s, (size_t)(end - s), " [#");

	if (!p && has_prefix(s, (size_t)(end - s), "Oops: "))
		p = find_text(s, (size_t)(end - s), " [");
	return p && end - p > 3 && (p[2] == '#' || isdigit((unsigned char)p[2])) ? p : NULL;
}

static void oops_number(struct report *r, const char *s, const char *end)
{
	const char *p = find_text(s, (size_t)(end - s), "[#");
	uint64_t v;

	if (!p)
		p = die_counter(s, end);
	if (p && number_dec(p + 2, end, &v, &p))
		r->oops_number = (unsigned)v;
}

/* The code of "Oops: 0002 [#1]", "Internal error: Oops: 96000004 [#1]". */
static void error_code(struct report *r, const char *s, const char *end)
{
	const char *p = die_counter(s, end), *q = p;

	if (!p || r->has_error)
		return;
	while (q > s && isxdigit((unsigned char)q[-1]))
		q--;
	if (p - q < 1 || q == s || q[-1] != ' ')
		return;
	r->error = number_hex(q, p, &q);
	r->has_error = true;
	r->error_name = "error code";
}

static enum report_kind panic_kind(const char *s)
{
	static const struct {
		const char *text;
		enum report_kind kind;
	} kinds[] = {
		{ "Hard LOCKUP", KIND_HARD_LOCKUP },
		{ "hard LOCKUP", KIND_HARD_LOCKUP }, /* up to v4.5 */
		{ "softlockup: hung tasks", KIND_SOFT_LOCKUP },
		{ "hung_task: blocked tasks", KIND_HUNG_TASK },
		{ "RCU Stall", KIND_RCU_STALL },
		{ "corrupted stack end", KIND_STACK_OVERFLOW },
		{ "kernel stack overflow", KIND_STACK_OVERFLOW },
		{ "Kernel stack overflow", KIND_STACK_OVERFLOW },
		{ "stack-protector", KIND_STACK_OVERFLOW },
		{ "Fatal machine check", KIND_MCE },
		{ "Fatal Machine check", KIND_MCE },
		{ "Timeout: Not all CPUs entered", KIND_MCE },
		{ "Asynchronous SError", KIND_SERROR },
		{ "Out of memory", KIND_OOM },
		{ "System is deadlocked on memory", KIND_OOM },
		{ "CFI failure", KIND_CFI },
		{ "Bad Address (null pointer", KIND_NULL_DEREF }, /* parisc */
		{ "Page fault: bad address", KIND_PAGE_FAULT },
		{ "Kernel Fault", KIND_PAGE_FAULT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strstr(s, kinds[i].text))
			return kinds[i].kind;
	return KIND_PANIC;
}

static void more_facts(struct report *r, const char *s, const char *end)
{
	const char *p;
	uint64_t v;

	switch (r->kind) {
	case KIND_BUG:
		p = find_text(s, (size_t)(end - s), " at ");
		if (p)
			where_at(r, p + 4, end);
		break;
	case KIND_WARNING:
		if (has_prefix(s, (size_t)(end - s), "Badness in "))
			badness_facts(r, s, end);
		else
			warning_facts(r, s, end);
		break;
	case KIND_KASAN_OOB:
		kasan_facts(r, s + 12, end);
		break;
	case KIND_KMSAN:
		in_facts(r, s + 12, end);
		break;
	case KIND_KFENCE:
		in_facts(r, s + 13, end);
		find_access(r, r->subject, strlen(r->subject));
		break;
	case KIND_KCSAN:
		race_facts(r, s + 12, end);
		break;
	case KIND_UBSAN:
		p = find_text(s, (size_t)(end - s), " in ");
		r->subject = words_copy(r, s + 7, p ? p : end);
		if (p)
			where_at(r, p + 4, end);
		break;
	case KIND_SOFT_LOCKUP:
	case KIND_HARD_LOCKUP:
		lockup_facts(r, s, end);
		break;
	case KIND_HUNG_TASK:
		hung_facts(r, s, end);
		break;
	case KIND_SCHED_ATOMIC:
		atomic_facts(r, s, end);
		break;
	case KIND_SLEEP_ATOMIC:
		p = find_text(s, (size_t)(end - s), " at ");
		if (p)
			where_at(r, p + 4, end);
		break;
	case KIND_REFCOUNT: /* "refcount_t hit zero at f+0x2b/0x70 in comm[7], uid/euid: 0/0" */
		r->subject = words_copy(r, s, end);
		p = find_text(s, (size_t)(end - s), " at ");
		if (p)
			r->named = name_at(r, p + 4, end);
		break;
	case KIND_CFI:
		if (has_prefix(s, (size_t)(end - s), "CFI failure at "))
			r->named = name_at(r, s + 15, end);
		break;
	case KIND_BAD_STATE:
		comm_between(r, s, end, " in process ", "  p");
		r->subject = words_copy(r, s, end);
		break;
	case KIND_PAGE_ALLOC:
		comm_between(r, s, end, NULL, ": page allocation failure");
		r->subject = words_copy(r, s, end);
		break;
	case KIND_OOM:
		comm_between(r, s, end, NULL, " invoked oom-killer: ");
		r->subject = words_copy(r, s, end);
		break;
	case KIND_LOCKDEP:
	case KIND_OTHER:
		/* "BUG: using smp_processor_id() in preemptible [00000000] code: comm/pid" */
		if ((p = text_after(s, end, " code: ")))
			set_process(r, p, end);
		p = memchr(s, ':', (size_t)(end - s));
		if (!has_prefix(s, (size_t)(end - s), "DEBUG_LOCKS"))
			r->subject = words_copy(r, p ? p + 1 : s, end);
		break;
	case KIND_FS_ERROR:
		r->subject = words_copy(r, s, end);
		fs_facts(r, s, end);
		break;
	case KIND_SERROR:
		p = find_text(s, (size_t)(end - s), "on CPU");
		if (p && number_dec(p + 6, end, &v, &p)) {
			r->has_cpu = true;
			r->cpu = (int64_t)v;
		}
		break;
	default:
		if (!r->subject)
			r->subject = words_copy(r, s, end);
		break;
	}
}

/* Is what a second header says more telling than the kind so far? */
static bool refines(const struct report *r, const struct header *h)
{
	switch (h->kind) {
	case KIND_INVALID_OPCODE:
	case KIND_INTERNAL_ERROR:
		return r->kind == KIND_NONE;
	case KIND_TRAP:
	case KIND_PAGE_FAULT:
		return r->kind == KIND_NONE;
	case KIND_BUG:
		return r->kind == KIND_NONE || r->kind == KIND_TRAP ||
		       r->kind == KIND_INVALID_OPCODE;
	case KIND_WARNING:
		return r->kind == KIND_NONE;
	case KIND_NULL_DEREF:
		return r->kind == KIND_NONE || r->kind == KIND_PAGE_FAULT;
	case KIND_LOCKDEP:
	case KIND_REFCOUNT:
	case KIND_DEBUGOBJECTS:
	case KIND_LIST_CORRUPTION:
	case KIND_FORTIFY:
	case KIND_USERCOPY:
	case KIND_NETDEV_WATCHDOG:
	case KIND_HARD_LOCKUP:
		return r->kind == KIND_NONE || r->kind == KIND_WARNING || r->kind == KIND_BUG;
	default:
		return r->kind == KIND_NONE;
	}
}

void header_facts(struct report *r, const struct header *h, const char *s, size_t n)
{
	size_t at = header_preface(s, n);
	enum report_kind before = r->kind;
	const char *end, *p;

	/* "CPU 0 Unable to handle ...", "mce: [Hardware Error]: CPU 6: Machine Check ..." */
	if (!r->has_cpu && (has_prefix(s, n, "CPU ") || h->kind == KIND_MCE)) {
		uint64_t v;

		p = find_text(s, n, "CPU ");
		if (p && number_dec(p + 4, s + n, &v, &p)) {
			r->has_cpu = true;
			r->cpu = (int64_t)v;
		}
	}
	if (!r->arch && find_text(s, n, ", epc == "))
		r->arch = "mips";
	if (!r->arch && find_text(s, n, ", era == "))
		r->arch = "loongarch64";
	if (!r->arch && (p = find_text(s, n, ") at [")) && find_text(s, n, ": Vector: "))
		r->arch = powerpc_of(p + 6, s + n);
	s += at;
	n -= at;
	end = s + n;
	oops_number(r, s, end);
	error_code(r, s, end);
	if (h->kind == KIND_PANIC) {
		p = memchr(s + 12, ':', n - 12 < n ? n - 12 : 0);
		r->panic = words_copy(r, p ? p + 1 : end, end);
		if (before == KIND_NONE) {
			r->kind = panic_kind(r->panic);
			r->headline = words_copy(r, s, end);
			r->subject = r->panic;
			p = find_text(s, n, "stack is corrupted in: ");
			if (p)
				r->named = name_at(r, p + 23, end);
		}
		return;
	}
	if (h->kind == KIND_NULL_DEREF || h->kind == KIND_PAGE_FAULT || h->kind == KIND_GPF ||
	    h->kind == KIND_ALIGNMENT || h->kind == KIND_INTERNAL_ERROR) {
		find_address(r, s, n);
		if (h->kind != KIND_GPF)
			find_access(r, s, n);
		if (has_prefix(s, n, "Unhandled prefetch"))
			r->access = "execute";
	}
	if (!refines(r, h)) {
		/* the place of a warning whose message came first */
		if (h->kind == KIND_WARNING && !r->where)
			warning_facts(r, s, end);
		if (h->kind == KIND_BUG) {
			p = find_text(s, n, " at ");
			if (p)
				where_at(r, p + 4, end);
		}
		return;
	}
	if (h->kind == KIND_HARD_LOCKUP)
		r->named = NULL; /* who warned is the watchdog */
	r->kind = h->kind;
	r->headline = words_copy(r, s, end);
	more_facts(r, s, end);
	if (r->kind == KIND_BUG && r->where) {
		if (strstr(r->where, "lib/list_debug.c"))
			r->kind = KIND_LIST_CORRUPTION;
		else if (strstr(r->where, "mm/usercopy.c"))
			r->kind = KIND_USERCOPY;
		else if (strstr(r->where, "lib/string_helpers.c") ||
			 strstr(r->where, "lib/fortify"))
			r->kind = KIND_FORTIFY;
		else if (strstr(r->where, "lib/refcount.c"))
			r->kind = KIND_REFCOUNT;
	}
}
