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
		fact_arch(f->r, "arm");
		frame_add(f, &v[1], line);
		return;
	}
	f->pair_open = false;
	/* guesses stand within traces alone: this one is another CPU's, unless the head is lost */
	if (!v[0].reliable && !f->in_trace && !f->any_trace && f->r->kind != KIND_NONE)
		return;
	frame_add(f, &v[0], line);
}

static void pc_line(struct facts *f, const char *s, size_t n, uint32_t line)
{
	struct report *r = f->r;
	struct report_frame fr, *to;
	const char *arch, *taint;
	bool user, known = pc_parse(&r->arena, s, n, &fr, &arch, &user);

	if (arch && !(user && r->arch))
		fact_arch(r, arch);
	if (find_text(s, n, " : ") && has_prefix(s, n, "pc : "))
		fact_arch(r, "aarch64");
	if (has_prefix(s, n, "PC is at"))
		fact_arch(r, "arm");
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

static void lock_line(struct facts *f, const char *s, const char *end)
{
	if (f->locks.n < LOCKS_MAX)
		*vec_push(&f->locks) = words_copy(f->r, s, end);
}

/* Is the line's task the one that watches over RCU's grace periods, shown because it did not run?
 */
static bool is_watcher(const struct report *r, uint32_t line)
{
	const struct report_line *before = line ? &r->lines.p[line - 1] : NULL;

	return before && find_text(before->text, before->n, "grace-period kthread stack dump");
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
	fact_arch(r, registers_arch(s, n));
	if (f->any_trace && f->role == TRACE_MAIN && f->in_trace && r->regs.n > 4)
		return; /* of the interrupted context */
	registers_read(r, s, n);
}

/* Of a CPU that was only asked for its trace, or has another process, no more than the kernel's
 * release is taken. */
static void cpu_line(struct facts *f, const char *s)
{
	struct report *r = f->r, old = *r;
	bool other;

	if (f->cpu_line && r->release)
		return;
	facts_cpu(r, s);
	/* whom a headline named is who it was; this line is another report's, or of who found it */
	other = old.has_pid && r->has_pid && r->pid != old.pid;
	/* lockdep's own line is of the task that it named */
	if (other && r->kind == KIND_LOCKDEP && f->role != TRACE_OTHER_CPU)
		r->mixed = "lines of another process";
	if (f->role == TRACE_OTHER_CPU || other) {
		r->has_cpu = old.has_cpu;
		r->cpu = old.cpu;
		r->has_pid = old.has_pid;
		r->pid = old.pid;
		r->comm = old.comm;
		return;
	}
	f->cpu_line = true;
}

/* What panic() was called with stands behind the colon, or where each string became a record of its
 * own, as with PREEMPT_RT in 5.10, in the line below. */
static void panic_facts(struct report *r, const struct header *h, const struct report_line *l,
			uint32_t i)
{
	const struct report_line *next = i + 1 < r->lines.n ? &r->lines.p[i + 1] : NULL;
	size_t n = l->n;
	const char *both;

	while (n && l->text[n - 1] == ' ')
		n--;
	if (!n || l->text[n - 1] != ':' || !next || next->foreign || next->shape != SHAPE_NONE) {
		header_facts(r, h, l->text, l->n);
		return;
	}
	both = arena_printf(&r->arena, "%.*s %.*s", (int)n, l->text, (int)next->n, next->text);
	header_facts(r, h, both, strlen(both));
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
		locks_release(r, s, end);
	switch ((enum shape)l->shape) {
	case SHAPE_HEADER:
		h = header_find(s, l->n);
		if (h && h->kind == KIND_PANIC)
			panic_facts(r, h, l, i);
		else if (h && !f->any_trace)
			header_facts(r, h, s, l->n);
		break;
	case SHAPE_CPU:
		/* the traces of a slab's object end here, and arm's own has no headline; so do
		 * those of a report without its head, which may be of a slab's or KFENCE's */
		if (r->kind == KIND_SLAB ||
		    (r->kind == KIND_NONE && (f->role == TRACE_ALLOC || f->role == TRACE_FREE)))
			f->role = TRACE_MAIN;
		cpu_line(f, s);
		break;
	case SHAPE_TRACE:
		if (!is_watcher(r, i))
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
		f->breaking = has_prefix(s, l->n, "Last Breaking-Event");
		fact_line_read(r, s, l->n);
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

#define STALE_MAX 16u /* frames of calls that ended, which a trace has before the caller's */

/* Does the trace have what the link register tells, the caller of the counter's function? Traces of
 * mips and others are guesses that are printed as if they were sure: what stands before it is what
 * calls left that had ended. */
static bool link_found(struct report *r, const struct report_frame *link)
{
	for (size_t i = (size_t)r->pc + 1; i < r->frames.n && i <= (size_t)r->pc + STALE_MAX; i++) {
		const struct report_frame *f = &r->frames.p[i];

		if (f->role != TRACE_MAIN)
			break;
		if (!f->func || strcmp(f->func, link->func) != 0)
			continue;
		for (size_t k = (size_t)r->pc + 1; k < i && f->off == link->off; k++)
			r->frames.p[k].reliable &= r->frames.p[k].src_inlined;
		return true;
	}
	return false;
}

/* Is the counter in a function that does what others tell it, and often makes no frame, while the
 * link register returns to one that does something of its own? arm's functions may leave a return
 * into what they called there; of arm64 in_leaf() knows. */
static bool link_calls(struct report *r, const struct report_frame *link, const char *line)
{
	enum function_class class =
		function_class(function_plain(&r->arena, r->frames.p[r->pc].func));

	return (class == FUNC_LOCK || class == FUNC_MEMORY || class == FUNC_HELPER) &&
	       function_class(function_plain(&r->arena, link->func)) == FUNC_PLAIN &&
	       strncmp(line, "lr : ", 5) != 0;
}

/* Is the link register all that tells of the caller? It does not where it returns into the
 * counter's function itself, which has called somebody before. */
static bool links_alone(struct report *r, const struct report_frame *link)
{
	const struct report_frame *pc = r->pc >= 0 ? &r->frames.p[r->pc] : NULL;

	if (!pc || !pc->func || !strcmp(pc->func, link->func) || link_found(r, link))
		return false;
	return r->frames.n == 1 || link_calls(r, link, r->lines.p[link->line].text);
}

/* Puts the frame of the link register behind the counter's where it tells the caller; else where
 * its line is, for its place alone, as a frame that says nothing new. */
static void link_show(struct report *r, const struct report_frame *link)
{
	bool alone;
	size_t at = 0;

	if (!link->func || r->frames.n >= REPORT_FRAMES_MAX || r->chain.n)
		return;
	alone = links_alone(r, link);
	while (at < r->frames.n &&
	       (alone ? at <= (size_t)r->pc : r->frames.p[at].line < link->line))
		at++;
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
