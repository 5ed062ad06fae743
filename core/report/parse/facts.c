/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of one report, read one after the other: process, machine, traces, registers, locks. */
#include <ctype.h>
#include <string.h>

#include "core/report/parse/parse.h"

#define MODULES_MAX 2000
#define LOCKS_MAX 200

struct facts {
	struct report *r;
	enum trace_role role;
	enum frame_where where;
	unsigned trace;
	bool any_trace, in_trace, closed, user, pair_open,
		cpu_line;         /* cpu_line: its facts are taken */
	struct report_frame link; /* of the link register, which is no frame of the trace */
	bool breaking;            /* s390: the next line tells of a jump, and is no frame */
	bool foreign_pc; /* the last program counter was not the one that the report is about */
	bool lost_code;  /* the kernel could not read the code that the report is about */
	struct lock_reader lock;
	VEC(const char *) modules;
	VEC(const char *) locks;
};

static void set_arch(struct report *r, const char *arch)
{
	if (!r->arch)
		r->arch = arch;
}

/* Which trace starts here, and of what. */
static void trace_line(struct facts *f, const char *s, size_t n)
{
	static const struct {
		const char *text;
		enum trace_role role;
	} roles[] = {
		{ "Allocated ", TRACE_ALLOC },
		{ "INFO: Allocated ", TRACE_ALLOC },
		{ "allocated ", TRACE_ALLOC },
		{ "kfence-#", TRACE_ALLOC },
		{ "Freed ", TRACE_FREE },
		{ "INFO: Freed ", TRACE_FREE },
		{ "freed ", TRACE_FREE },
		{ "Uninit was created", TRACE_CREATED },
		{ "Uninit was stored", TRACE_STORED },
		{ "Last ", TRACE_LASTING },
		{ "Second to last ", TRACE_LASTING },
		{ "page last ", TRACE_LASTING },
		{ "page_owner ", TRACE_LASTING },
		{ "Memory state", TRACE_LASTING },
		{ "-> #", TRACE_HELD },
		{ "the existing ", TRACE_HELD },
		{ "Showing all locks", TRACE_HELD },
		{ "{", TRACE_HELD },
		{ "Preemption disabled", TRACE_HELD },
	};
	struct report *r = f->r;
	bool stall = r->kind == KIND_RCU_STALL || r->kind == KIND_WORKQUEUE;

	f->closed = f->user = f->pair_open = false;
	f->where = WHERE_TASK;
	if (has_prefix(s, n, "Call ") || has_prefix(s, n, "stack backtrace") ||
	    has_prefix(s, n, "Backtrace") || has_prefix(s, n, "Stack trace")) {
		if (has_prefix(s, n, "stack backtrace"))
			f->role = TRACE_MAIN;
		else if (!f->any_trace && f->role != TRACE_OTHER_CPU)
			f->role = TRACE_MAIN;
		else if (f->any_trace && (f->role == TRACE_ALLOC || f->role == TRACE_FREE ||
					  f->role == TRACE_LASTING || f->role == TRACE_HELD))
			f->role = TRACE_OTHER_TASK;
		if (f->in_trace)
			f->trace++;
		f->in_trace = f->any_trace = true;
		return;
	}
	if (f->in_trace)
		f->trace++;
	f->in_trace = true;
	if (has_prefix(s, n, "NMI backtrace") || has_prefix(s, n, "Sending NMI") ||
	    has_prefix(s, n, "Task dump")) {
		f->role = stall || r->kind == KIND_HARD_LOCKUP ? TRACE_MAIN : TRACE_OTHER_CPU;
		if (has_prefix(s, n, "Sending NMI"))
			f->role = stall ? TRACE_MAIN : TRACE_OTHER_CPU;
		return;
	}
	if (is_stopping(s, n)) {
		f->role = TRACE_OTHER_CPU;
		return;
	}
	if (has_prefix(s, n, "task:")) {
		f->role = f->any_trace && !stall ? TRACE_OTHER_TASK : TRACE_MAIN;
		return;
	}
	if (r->kind == KIND_KCSAN &&
	    (has_prefix(s, n, "read") || has_prefix(s, n, "write") || has_prefix(s, n, "race"))) {
		f->role = f->any_trace ? TRACE_RACE : TRACE_MAIN;
		f->any_trace = true;
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(roles); i++)
		if (has_prefix(s, n, roles[i].text)) {
			f->role = roles[i].role;
			return;
		}
	if (has_prefix(s, n, "backtrace"))
		f->role = TRACE_MAIN;
}

static void marker_line(struct facts *f, const char *s, size_t n)
{
	if (find_text(s, n, "SOFTIRQ"))
		f->where = s[1] == '/' ? WHERE_TASK : WHERE_SOFTIRQ;
	else if (find_text(s, n, "NMI"))
		f->where = s[1] == '/' ? WHERE_TASK : WHERE_NMI;
	else if (find_text(s, n, "IRQ"))
		f->where = s[1] == '/' ? WHERE_TASK : WHERE_IRQ;
	else if (find_text(s, n, "EOI") || find_text(s, n, "EOE") || find_text(s, n, "TASK"))
		f->where = WHERE_TASK;
	else
		f->where = s[1] == '/' ? WHERE_TASK : WHERE_EXCEPTION;
	if (has_prefix(s, n, "</TASK>"))
		f->closed = true;
}

static struct report_frame *frame_add(struct facts *f, const struct report_frame *from,
				      uint32_t line)
{
	struct report_frame *to;

	if (f->r->frames.n >= REPORT_FRAMES_MAX)
		return NULL;
	to = vec_push(&f->r->frames);
	*to = *from;
	to->role = f->role;
	to->where = f->where;
	to->trace = f->trace;
	to->line = line;
	return to;
}

/* Frames in braces, of which a line can have several; the one in the headline is where it happened.
 * False: there is none. */
static bool braced_line(struct facts *f, const char *s, size_t n, uint32_t line)
{
	struct report_frame fr, *to;
	bool any = false;

	for (size_t k; (k = frame_braced(&f->r->arena, s, n, &fr)); s += k, n -= k) {
		any = true;
		to = frame_add(f, &fr, line);
		if (to && !f->any_trace && f->r->pc < 0) {
			to->pc = to->exact = true;
			f->r->pc = to - f->r->frames.p;
		}
	}
	return any;
}

static void frame_line(struct facts *f, const char *s, size_t n, uint32_t line)
{
	struct report_frame v[2];
	size_t k;

	if (braced_line(f, s, n, line) || !(k = frames_parse(&f->r->arena, s, n, v)))
		return;
	if (f->user || f->closed)
		f->closed = false;
	if (k == 2 && v[0].src_inlined) {
		frame_add(f, &v[0], line);
		frame_add(f, &v[1], line);
		return;
	}
	if (k == 2) {
		/* callee of this line is the caller of the one before */
		if (!f->pair_open)
			frame_add(f, &v[0], line);
		f->pair_open = true;
		set_arch(f->r, "arm");
		frame_add(f, &v[1], line);
		return;
	}
	f->pair_open = false;
	frame_add(f, &v[0], line);
}

static void pc_line(struct facts *f, const char *s, size_t n, uint32_t line)
{
	struct report *r = f->r;
	struct report_frame fr, *to;
	const char *arch, *taint;
	bool user, known = pc_parse(&r->arena, s, n, &fr, &arch, &user);

	if (arch && !(user && r->arch))
		set_arch(r, arch);
	if (find_text(s, n, " : ") && has_prefix(s, n, "pc : "))
		set_arch(r, "aarch64");
	if (has_prefix(s, n, "PC is at"))
		set_arch(r, "arm");
	registers_read(r, s, n);
	/* "EIP:    0060:[<c0132998>]    Tainted: P      VLI" */
	if (!(taint = find_text(s, n, "Not tainted")))
		taint = find_text(s, n, "Tainted:");
	if (has_prefix(s, n, "EIP:") && !r->has_taint && taint)
		taint_release(r, taint, s + n);
	if (user) {
		f->user = true;
		return;
	}
	if (!known)
		return;
	f->foreign_pc = false;
	if (fr.src_inlined) { /* "RIP: 0010:f file.c:1 [inline]": the function itself follows */
		frame_add(f, &fr, line);
		return;
	}
	if (r->pc >= 0) {
		struct report_frame *pc = &r->frames.p[r->pc];

		/* more of the same: "RIP [<..>] f" at the end, "epc : ffff..." behind the name */
		if (!f->any_trace || has_prefix(s, n, "RIP ") || has_prefix(s, n, "EIP: [") ||
		    !fr.func) {
			if (!pc->func && fr.func) {
				uint64_t addr = pc->addr;

				fr.line = pc->line;
				fr.pc = true;
				*pc = fr;
				pc->addr = pc->addr ? pc->addr : addr;
			} else if (!pc->addr) {
				pc->addr = fr.addr;
			}
			return;
		}
	}
	to = frame_add(f, &fr, line);
	f->foreign_pc = f->any_trace;
	if (to && r->pc < 0 && (f->role == TRACE_MAIN || !f->any_trace) &&
	    (!f->any_trace || r->kind != KIND_WARNING) &&
	    !(f->in_trace && f->any_trace && f->where != WHERE_TASK)) {
		if (f->any_trace && report_kind_is(r->kind, KIND_TELLS_PAST))
			return; /* what was interrupted, long before */
		to->pc = true;
		r->pc = to - r->frames.p;
		f->foreign_pc = false;
	}
}

static void code_line(struct facts *f, const char *s, size_t n)
{
	struct report *r = f->r;
	const char *p = memchr(s, ':', n);

	if (!p || (r->has_code && (f->user || !r->user_code)))
		return;
	/* that of what was interrupted, which kernels print with its registers within a trace */
	if (!f->user && (f->foreign_pc || f->lost_code))
		return;
	p++;
	if (find_text(p, (size_t)(s + n - p), "Bad ") ||
	    find_text(p, (size_t)(s + n - p), "bad PC") ||
	    find_text(p, (size_t)(s + n - p), "Unable")) {
		f->lost_code = !f->user;
		return;
	}
	r->code = words_copy(r, p, s + n);
	r->has_code = true;
	r->user_code = f->user;
}

static void modules_line(struct facts *f, const char *s, const char *end)
{
	if (f->modules.n)
		return;
	for (const char *p = s; p < end && f->modules.n < MODULES_MAX;) {
		const char *e;

		while (p < end && *p == ' ')
			p++;
		if (p >= end || *p == '[')
			break;
		e = word_end(p, end);
		*vec_push(&f->modules) = words_copy(f->r, p, e);
		p = e;
	}
}

/* "Read of size 8 at addr ffff... by task comm/pid" */
static void access_line(struct facts *f, const char *s, const char *end)
{
	struct report *r = f->r;
	const char *p = text_after(s, end, " size "), *q;
	uint64_t v;

	r->access = *s == 'R' ? "read" : *s == 'W' ? "write" : "free";
	if (p && number_dec(p, end, &v, &q)) {
		r->has_access_size = true;
		r->access_size = v;
	}
	if ((p = text_after(s, end, " addr "))) {
		r->address = number_hex(p, end, &q);
		r->has_address = q > p;
	}
	if ((p = text_after(s, end, " by task ")) && !r->comm) {
		const char *slash = memrchr(p, '/', (size_t)(end - p));

		if (slash && number_dec(slash + 1, end, &v, &q)) {
			r->comm = words_copy(r, p, slash);
			r->has_pid = true;
			r->pid = (int64_t)v;
		}
	}
}

static void set_error(struct report *r, const char *name, const char *p, const char *end)
{
	const char *q;

	r->error = number_hex(p, end, &q);
	r->has_error = true;
	r->error_name = name;
}

/* What a line of facts says. p: behind the text that the line is known by. False: the line says
 * nothing of it after all, or nothing new. */
typedef bool fact_fn(struct facts *f, const char *s, const char *p, const char *end);

static bool fact_access(struct facts *f, const char *s, const char *p, const char *end)
{
	(void)p;
	access_line(f, s, end);
	return true;
}

static bool fact_hardware(struct facts *f, const char *s, const char *p, const char *end)
{
	(void)s;
	if (f->r->hardware)
		return false;
	f->r->hardware = words_copy(f->r, p, end);
	return true;
}

static bool fact_workqueue(struct facts *f, const char *s, const char *p, const char *end)
{
	(void)s;
	if (f->r->workqueue)
		return false;
	f->r->workqueue = words_copy(f->r, p, end);
	return true;
}

/* "Kernel Offset: 0x1e00000 from 0xffffffff81000000", "Kernel Offset: disabled" */
static bool fact_offset(struct facts *f, const char *s, const char *p, const char *end)
{
	const char *q;

	(void)s;
	f->r->has_offset = true;
	f->r->kernel_offset = isdigit((unsigned char)*p) ? number_hex(p, end, &q) : 0;
	if ((p = text_after(p, end, " from ")))
		f->r->linked_at = number_hex(p, end, &q);
	return true;
}

/* "#PF: supervisor write access in kernel mode" */
static bool fact_page_fault(struct facts *f, const char *s, const char *p, const char *end)
{
	(void)s;
	set_arch(f->r, "x86_64");
	if (!(p = text_after(p, end, "supervisor ")))
		return false;
	f->r->access = *p == 'i' ? "execute" : *p == 'w' ? "write" : "read";
	return true;
}

/* "CPU:    0" and "CPU 1" of old x86 */
static bool fact_lone_cpu(struct facts *f, const char *s, const char *p, const char *end)
{
	uint64_t v;

	(void)s;
	p += strspn(p, " ");
	if (f->r->has_cpu || !number_dec(p, end, &v, &p) || p != end)
		return false;
	f->r->has_cpu = true;
	f->r->cpu = (int64_t)v;
	return true;
}

static bool fact_error_code(struct facts *f, const char *s, const char *p, const char *end)
{
	(void)s;
	if (f->r->has_error)
		return false;
	set_error(f->r, "error_code", p, end);
	return true;
}

static bool fact_esr(struct facts *f, const char *s, const char *p, const char *end)
{
	(void)s;
	set_error(f->r, "ESR", p, end);
	set_arch(f->r, "aarch64");
	return true;
}

static bool fact_wnr(struct facts *f, const char *s, const char *p, const char *end)
{
	(void)s;
	if (f->r->access || p >= end)
		return false;
	f->r->access = *p == '1' ? "write" : "read";
	return true;
}

/* "Failing address: 0000000000000000 TEID: 0000000000000483" */
static bool fact_failing(struct facts *f, const char *s, const char *p, const char *end)
{
	struct report *r = f->r;
	const char *q;
	uint64_t v = number_hex(p, end, &q);

	(void)s;
	if (!r->has_address) {
		r->has_address = true;
		r->address = v;
	}
	if ((p = text_after(p, end, "TEID: ")))
		set_error(r, "TEID", p, end);
	set_arch(r, "s390x");
	return true;
}

/* "Process swapper (pid: 1, stack limit = 0x...)", by arm with 8 digits, by arm64 with 16 */
static bool fact_process(struct facts *f, const char *s, const char *p, const char *end)
{
	const char *pid = text_after(s, end, "(pid: ");
	const char *limit = text_after(s, end, ", stack limit = 0x"), *q;

	if (limit) {
		(void)number_hex(limit, end, &q);
		if (q - limit == 8 || q - limit == 16)
			set_arch(f->r, q - limit == 8 ? "arm" : "aarch64");
	}
	if (f->r->comm || !pid)
		return false;
	f->r->comm = words_copy(f->r, p, pid - strlen("(pid: ") - 1);
	set_pid(f->r, pid, end);
	return true;
}

static bool fact_object(struct facts *f, const char *s, const char *p, const char *end)
{
	(void)s;
	f->r->object = words_copy(f->r, p, end);
	return true;
}

/* 'comm "insmod", pid 123, jiffies 4294937000' of kmemleak */
static bool fact_comm(struct facts *f, const char *s, const char *p, const char *end)
{
	size_t n = (size_t)(end - p);
	const char *stop = find_text(p, n, "\", pid ");

	if (!stop)
		stop = memchr(p, '"', n);
	if (f->r->comm || !stop)
		return false;
	f->r->comm = words_copy(f->r, p, stop);
	if ((p = text_after(s, end, ", pid ")))
		set_pid(f->r, p, end);
	return true;
}

/* Who was asked whether an interrupt is its own: of two, the one that a thread runs. */
static bool fact_handler(struct facts *f, const char *s, const char *p, const char *end)
{
	const char *close = memrchr(s, '>', (size_t)(end - s));

	(void)p;
	if (f->r->kind != KIND_IRQ || f->r->named || !close || end - close < 4)
		return false;
	f->r->named = words_copy(f->r, close + 2, word_end(close + 3, end));
	return true;
}

/* "Faulting instruction address: 0xc05233c0": powerpc's, as wide as its words are */
static bool fact_faulting(struct facts *f, const char *s, const char *p, const char *end)
{
	(void)s;
	if (end - p > 2 && p[1] == 'x')
		set_arch(f->r, powerpc_of(p + 2, end));
	return true;
}

static bool fact_aarch64(struct facts *f, const char *s, const char *p, const char *end)
{
	(void)s;
	(void)p;
	(void)end;
	set_arch(f->r, "aarch64");
	return true;
}

/* The first that the line is known by, and whose function takes it, is what the line says. */
static void fact_line(struct facts *f, const char *s, size_t n)
{
	static const struct {
		const char *text;
		bool anywhere; /* the text may stand in the line's middle */
		fact_fn *take;
	} facts[] = {
		{ "Read of size", false, fact_access },
		{ "Write of size", false, fact_access },
		{ "Free of addr", false, fact_access },
		{ "Hardware name: ", true, fact_hardware },
		{ "Workqueue: ", false, fact_workqueue },
		{ "Kernel Offset: ", true, fact_offset },
		{ "#PF: ", false, fact_page_fault },
		{ "error_code(", true, fact_error_code },
		{ "ESR = ", false, fact_esr },
		{ "WnR = ", true, fact_wnr },
		{ "Failing address: ", true, fact_failing },
		{ "Process ", false, fact_process },
		{ "Faulting instruction address: ", false, fact_faulting },
		{ "belongs to the object at ", true, fact_object },
		{ "comm \"", false, fact_comm },
		{ "Mem abort", false, fact_aarch64 },
		{ "[<", false, fact_handler },
		{ "CPU:", false, fact_lone_cpu },
		{ "CPU ", false, fact_lone_cpu },
		{ "swapper pgtable", false, fact_aarch64 },
		{ "user pgtable", false, fact_aarch64 },
	};
	const char *end = s + n;

	f->breaking = has_prefix(s, n, "Last Breaking-Event");
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		const char *p = text_after(s, end, facts[i].text);

		if (p && (facts[i].anywhere || has_prefix(s, n, facts[i].text)) &&
		    facts[i].take(f, s, facts[i].anywhere ? p : s + strlen(facts[i].text), end))
			return;
	}
}

static void lock_line(struct facts *f, const char *s, const char *end)
{
	if (f->locks.n < LOCKS_MAX)
		*vec_push(&f->locks) = words_copy(f->r, s, end);
}

/* "task:foo state:D stack:0 pid:12 ..." */
static void task_words(struct report *r, const char *s, const char *end)
{
	const char *p;

	if (has_prefix(s, (size_t)(end - s), "task:") && !r->comm) {
		p = text_after(s, end, " state:");
		r->comm = words_copy(r, s + 5, p ? p - 7 : word_end(s + 5, end));
		if ((p = text_after(s, end, " pid:"))) {
			while (p < end && *p == ' ')
				p++;
			set_pid(r, p, end);
		}
	}
}

/* "Allocated in f age=3 cpu=1 pid=2": such a line, which begins a trace, names the first frame too.
 */
static void track_line(struct facts *f, const char *s, const char *end, uint32_t line)
{
	struct report_frame fr = { .reliable = true };
	const char *p = text_after(s, end, " in "), *q;

	if (!p || !find_text(p, (size_t)(end - p), " age="))
		return;
	if (frame_symbol(&f->r->arena, p, end, &fr, &q))
		frame_add(f, &fr, line);
	else if ((q = word_end(p, end)) > p) {
		fr.func = words_copy(f->r, p, q);
		frame_add(f, &fr, line);
	}
}

/* Is the program counter in a function of arm64 that makes no frame? Then its caller is in no trace
 * that was made by frames, and the link register alone tells of it. */
static bool in_leaf(struct report *r, const char *line, size_t n)
{
	static const char *const names[] = { "__mem",   "mem",       "__pi_",     "str",
					     "__arch_", "copy_page", "clear_page" };
	const char *func = r->frames.p[r->pc].func;

	for (size_t i = 0; has_prefix(line, n, "lr : ") && i < ARRAY_SIZE(names); i++)
		if (has_prefix(func, strlen(func), names[i]))
			return function_class(function_plain(&r->arena, func)) == FUNC_MEMORY;
	return false;
}

/* Where a jump to nowhere came from: the link register, which traces leave out. */
static void link_line(struct facts *f, const char *s, size_t n, uint32_t line)
{
	static const char *const heads[] = { "lr : ", "LR is at ", "ra : ",
					     "LR [",  "ra    : ",  "ra is at " };
	struct report *r = f->r;
	struct report_frame fr;
	const char *p = s, *end = s + n, *q;
	bool shown;

	if (f->any_trace || r->pc < 0)
		return;
	shown = r->frames.p[r->pc].func && !in_leaf(r, s, n);
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		if (has_prefix(s, n, heads[i]))
			p = s + strlen(heads[i]);
	while (p > s && p < end) {
		memset(&fr, 0, sizeof(fr));
		fr.reliable = fr.link = true;
		if (frame_symbol(&r->arena, p, end, &fr, &q)) {
			fr.line = line;
			if (shown && !f->link.func)
				f->link = fr;
			if (!shown)
				frame_add(f, &fr, line);
			return;
		}
		p = word_end(p, end);
		p += p < end;
	}
}

static void regs_line(struct facts *f, const char *s, size_t n, uint32_t line)
{
	struct report *r = f->r;
	const char *p, *close;

	link_line(f, s, n, line);
	/* "EFLAGS: 00010246   (2.6.9-5.EL)" */
	if (has_prefix(s, n, "EFLAGS:") && !r->release && (p = memchr(s, '(', n)) &&
	    p + 1 < s + n && isdigit((unsigned char)p[1]) &&
	    (close = memchr(p, ')', (size_t)(s + n - p))))
		r->release = words_copy(r, p + 1, word_end(p + 1, close));
	/* "REGS: c0000000007639f0 TRAP: 0300   Not tainted  (2.6.25)" */
	if (has_prefix(s, n, "REGS:") && !r->release && (p = find_text(s, n, "ot tainted")))
		taint_release(r, p - 1, s + n);
	if (f->user && r->regs.n)
		return;
	set_arch(r, registers_arch(s, n));
	if (f->any_trace && f->role == TRACE_MAIN && f->in_trace && r->regs.n > 4)
		return; /* of the interrupted context */
	registers_read(r, s, n);
}

/* Of a CPU that was only asked for its trace no more than the kernel's release is taken. */
static void cpu_line(struct facts *f, const char *s)
{
	struct report *r = f->r, old = *r;

	if (f->cpu_line && r->release)
		return;
	facts_cpu(r, s);
	if (f->role == TRACE_OTHER_CPU) {
		r->has_cpu = old.has_cpu;
		r->cpu = old.cpu;
		r->has_pid = old.has_pid;
		r->pid = old.pid;
		r->comm = old.comm;
		return;
	}
	f->cpu_line = true;
}

/* "3.1.0 #1" and "6.1.55 #7 Not tainted" under lockdep's headline */
static void lockdep_release(struct report *r, const char *s, const char *end)
{
	const char *word = word_end(s, end), *dot = memchr(s, '.', (size_t)(word - s));

	if (r->release || !dot || !isdigit((unsigned char)*s) || !isdigit((unsigned char)dot[1]) ||
	    end - word < 3 || word[1] != '#' || !isdigit((unsigned char)word[2]))
		return;
	r->release = words_copy(r, s, word);
}

static void one_line(struct facts *f, struct report_line *l, uint32_t i)
{
	struct report *r = f->r;
	const char *s = l->text, *end = s + l->n;
	const struct header *h;
	size_t length;

	if (r->kind == KIND_LOCKDEP)
		locks_read(r, &f->lock, s, l->n);
	if (r->kind == KIND_LOCKDEP && !f->any_trace && l->n > 4)
		lockdep_release(r, s, end);
	switch ((enum shape)l->shape) {
	case SHAPE_HEADER:
		h = header_find(s, l->n);
		if (h && !f->any_trace)
			header_facts(r, h, s, l->n);
		else if (h && h->kind == KIND_PANIC)
			header_facts(r, h, s, l->n);
		break;
	case SHAPE_CPU:
		/* the traces of a slab's object end here, and arm's own has no headline */
		if (r->kind == KIND_SLAB)
			f->role = TRACE_MAIN;
		cpu_line(f, s);
		break;
	case SHAPE_TRACE:
		task_words(r, s, end);
		trace_line(f, s, l->n);
		track_line(f, s, end, i);
		if (l->n > 12 && has_prefix(s, l->n, "Call Trace:")) /* m68k, old mips */
			frame_line(f, s + 11, l->n - 11, i);
		break;
	case SHAPE_MARKER:
		marker_line(f, s, l->n);
		break;
	case SHAPE_FRAME:
		length = markers_length(s, l->n);
		if (length)
			marker_line(f, s, length);
		if (!f->breaking)
			frame_line(f, s + length, l->n - length, i);
		f->breaking = false;
		break;
	case SHAPE_PC:
		pc_line(f, s, l->n, i);
		break;
	case SHAPE_REGS:
		regs_line(f, s, l->n, i);
		break;
	case SHAPE_CODE:
		code_line(f, s, l->n);
		break;
	case SHAPE_MODULES:
		modules_line(f, s + 18, end);
		break;
	case SHAPE_FACT:
		fact_line(f, s, l->n);
		break;
	case SHAPE_LOCK:
		lock_line(f, s, end);
		break;
	case SHAPE_END:
	case SHAPE_PANIC_END:
	case SHAPE_RULE:
		f->pair_open = false;
		break;
	default:
		break;
	}
}

/* Is the counter all that else is known? Then the link register has its caller, unless that is the
 * counter's function itself, which has called somebody before. */
static bool links_alone(const struct report *r, const struct report_frame *link)
{
	return r->frames.n == 1 && r->pc == 0 && r->frames.p[0].func &&
	       strcmp(r->frames.p[0].func, link->func) != 0;
}

/* Puts the frame of the link register where its line is: for its place alone, as a frame that says
 * nothing new, where a trace says it. */
static void link_show(struct report *r, const struct report_frame *link)
{
	bool alone;
	size_t at = 0;

	if (!link->func || r->frames.n >= REPORT_FRAMES_MAX || r->chain.n)
		return;
	while (at < r->frames.n && r->frames.p[at].line < link->line)
		at++;
	alone = links_alone(r, link);
	vec_push(&r->frames);
	memmove(&r->frames.p[at + 1], &r->frames.p[at], (r->frames.n - 1 - at) * sizeof(*link));
	r->frames.p[at] = *link;
	r->frames.p[at].duplicate = !alone;
	r->frames.p[at].trace = at ? r->frames.p[at - 1].trace : 0;
	r->pc += r->pc >= (int64_t)at;
}

void facts_read(struct report *r)
{
	struct facts f = { .r = r };

	r->pc = -1;
	for (size_t i = 0; i < r->lines.n; i++)
		if (!r->lines.p[i].foreign)
			one_line(&f, &r->lines.p[i], (uint32_t)i);
	r->n_modules = f.modules.n;
	r->modules = ARENA_ARRAY(&r->arena, const char *, f.modules.n ? f.modules.n : 1);
	if (f.modules.n)
		memcpy((void *)r->modules, f.modules.p, f.modules.n * sizeof(*r->modules));
	r->n_locks = f.locks.n;
	r->locks = ARENA_ARRAY(&r->arena, const char *, f.locks.n ? f.locks.n : 1);
	if (f.locks.n)
		memcpy((void *)r->locks, f.locks.p, f.locks.n * sizeof(*r->locks));
	vec_release(&f.modules);
	vec_release(&f.locks);
	facts_infer(r);
	link_show(r, &f.link);
}
