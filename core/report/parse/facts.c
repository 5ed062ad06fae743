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
		cpu_line; /* cpu_line: its facts are taken */
	bool breaking;    /* s390: the next line tells of a jump, and is no frame */
	struct lock_reader lock;
	VEC(const char *) modules;
	VEC(const char *) locks;
};

static const char *copy(struct report *r, const char *s, const char *end)
{
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	while (s < end && *s == ' ')
		s++;
	return arena_strndup(&r->arena, s, (size_t)(end - s));
}

static const char *word_end(const char *s, const char *end)
{
	while (s < end && *s != ' ')
		s++;
	return s;
}

static const char *after(const char *s, const char *end, const char *what)
{
	const char *p = find_text(s, (size_t)(end - s), what);

	return p ? p + strlen(what) : NULL;
}

/* Letters of the taint mask, spaced by position: "G        W I". */
static const char *taint_flags(struct report *r, const char *s, const char *end)
{
	const char *p = s, *last = s;

	while (p < end) {
		const char *e = word_end(p, end), *c = p;

		while (c < e && isupper((unsigned char)*c))
			c++;
		if (c != e)
			break;
		last = e;
		p = e;
		while (p < end && *p == ' ')
			p++;
	}
	r->taint = copy(r, s, last);
	r->tainted = true;
	return p;
}

/* What follows the process: "[Kdump: loaded ]{Not tainted|Tainted: FLAGS} RELEASE #N ...". */
static void taint_release(struct report *r, const char *p, const char *end)
{
	const char *e;

	if (has_prefix(p, (size_t)(end - p), "Not tainted"))
		p += 11;
	else
		p = taint_flags(r, p + 8 < end ? p + 8 + (p[8] == ' ') : end, end);
	r->has_taint = true;
	while (p < end && *p == ' ')
		p++;
	e = word_end(p, end);
	if (e > p && (isdigit((unsigned char)*p) || find_text(p, (size_t)(e - p), ".")))
		r->release = copy(r, p, e);
	p = end;
	while (p > e && p[-1] == ' ')
		p--;
	for (e = p; e > end - 41 && e > p - 40 && isxdigit((unsigned char)e[-1]); e--)
		;
	if (p - e == 40)
		r->build_id = copy(r, e, p);
}

static void facts_cpu(struct report *r, const char *s)
{
	const char *end = s + strlen(s), *p, *q, *taint;
	uint64_t v;

	if ((p = after(s, end, "CPU: ")) && number_dec(p, end, &v, &q)) {
		r->has_cpu = true;
		r->cpu = (int64_t)v;
	}
	if (((p = after(s, end, "PID: ")) || (p = after(s, end, "Pid: "))) &&
	    number_dec(p, end, &v, &q)) {
		r->has_pid = true;
		r->pid = (int64_t)v;
	}
	taint = find_text(s, (size_t)(end - s), "Not tainted");
	if (!taint)
		taint = find_text(s, (size_t)(end - s), "Tainted:");
	if ((p = after(s, end, "Comm: ")) || (p = after(s, end, "comm: "))) {
		const char *stop = taint && taint > p ? taint : end;
		const char *kdump = find_text(p, (size_t)(stop - p), "Kdump: loaded");

		r->comm = copy(r, p, kdump ? kdump : stop);
	}
	if (taint)
		taint_release(r, taint, end);
}

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
			/* "Allocated in f age=1 cpu=0 pid=1" names it itself */
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
	if (has_prefix(s, n, "<IRQ>") || has_prefix(s, n, "<TASK>"))
		set_arch(f->r, NULL);
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

static void frame_line(struct facts *f, const char *s, size_t n, uint32_t line)
{
	struct report_frame v[2];
	size_t k = frames_parse(&f->r->arena, s, n, v);

	if (!k)
		return;
	if (f->user || f->closed)
		f->closed = false;
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
	const char *arch;
	bool user, known = pc_parse(&r->arena, s, n, &fr, &arch, &user);

	if (arch && !(user && r->arch))
		set_arch(r, arch);
	if (find_text(s, n, " : ") && has_prefix(s, n, "pc : "))
		set_arch(r, "aarch64");
	if (has_prefix(s, n, "PC is at"))
		set_arch(r, "arm");
	registers_read(r, s, n);
	if (user) {
		f->user = true;
		return;
	}
	if (!known)
		return;
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
	if (to && r->pc < 0 && (f->role == TRACE_MAIN || !f->any_trace) &&
	    (!f->any_trace || r->kind != KIND_WARNING) &&
	    !(f->in_trace && f->any_trace && f->where != WHERE_TASK)) {
		if (f->any_trace && r->kind >= KIND_KASAN_UAF && r->kind < KIND_RCU_STALL)
			return; /* what was interrupted, long before */
		to->pc = true;
		r->pc = to - r->frames.p;
	}
}

static void code_line(struct facts *f, const char *s, size_t n)
{
	struct report *r = f->r;
	const char *p = memchr(s, ':', n);

	if (!p || (r->has_code && (f->user || !r->user_code)))
		return;
	p++;
	if (find_text(p, (size_t)(s + n - p), "Bad ") ||
	    find_text(p, (size_t)(s + n - p), "Unable"))
		return;
	r->code = copy(r, p, s + n);
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
		*vec_push(&f->modules) = copy(f->r, p, e);
		p = e;
	}
}

/* "Read of size 8 at addr ffff... by task comm/pid" */
static void access_line(struct facts *f, const char *s, const char *end)
{
	struct report *r = f->r;
	const char *p = after(s, end, " size "), *q;
	uint64_t v;

	r->access = *s == 'R' ? "read" : *s == 'W' ? "write" : "free";
	if (p && number_dec(p, end, &v, &q)) {
		r->has_access_size = true;
		r->access_size = v;
	}
	if ((p = after(s, end, " addr "))) {
		r->address = number_hex(p, end, &q);
		r->has_address = q > p;
	}
	if ((p = after(s, end, " by task ")) && !r->comm) {
		const char *slash = memrchr(p, '/', (size_t)(end - p));

		if (slash && number_dec(slash + 1, end, &v, &q)) {
			r->comm = copy(r, p, slash);
			r->has_pid = true;
			r->pid = (int64_t)v;
		}
	}
}

static void fact_line(struct facts *f, const char *s, size_t n)
{
	const char *end = s + n, *p, *q;
	struct report *r = f->r;
	uint64_t v;

	f->breaking = has_prefix(s, n, "Last Breaking-Event");
	if ((has_prefix(s, n, "Read of size") || has_prefix(s, n, "Write of size") ||
	     has_prefix(s, n, "Free of addr"))) {
		access_line(f, s, end);
	} else if ((p = after(s, end, "Hardware name: ")) && !r->hardware) {
		r->hardware = copy(r, p, end);
	} else if (has_prefix(s, n, "Workqueue: ") && !r->workqueue) {
		r->workqueue = copy(r, s + 11, end);
	} else if ((p = after(s, end, "Kernel Offset: "))) {
		r->has_offset = true;
		r->kernel_offset = isdigit((unsigned char)*p) ? number_hex(p, end, &q) : 0;
	} else if (has_prefix(s, n, "#PF: ") && (p = after(s, end, "supervisor "))) {
		r->access = *p == 'i' ? "execute" : *p == 'w' ? "write" : "read";
	} else if ((p = after(s, end, "error_code(")) && !r->has_error) {
		r->error = number_hex(p, end, &q);
		r->has_error = true;
		r->error_name = "error_code";
	} else if (has_prefix(s, n, "ESR = ")) {
		r->error = number_hex(s + 6, end, &q);
		r->has_error = true;
		r->error_name = "ESR";
		set_arch(r, "aarch64");
	} else if ((p = after(s, end, "WnR = ")) && !r->access && p < end) {
		r->access = *p == '1' ? "write" : "read";
	} else if ((p = after(s, end, "Failing address: "))) {
		v = number_hex(p, end, &q);
		if (!r->has_address) {
			r->has_address = true;
			r->address = v;
		}
		if ((p = after(s, end, "TEID: "))) {
			r->error = number_hex(p, end, &q);
			r->has_error = true;
			r->error_name = "TEID";
		}
		set_arch(r, "s390x");
	} else if (has_prefix(s, n, "Process ") && !r->comm && (p = after(s, end, "(pid: "))) {
		r->comm = copy(r, s + 8, p - 7);
		if (number_dec(p, end, &v, &q)) {
			r->has_pid = true;
			r->pid = (int64_t)v;
		}
	} else if ((p = after(s, end, "belongs to the object at "))) {
		r->object = copy(r, p, end);
	} else if (has_prefix(s, n, "comm \"") && !r->comm &&
		   ((p = find_text(s + 6, n - 6, "\", pid ")) || (p = memchr(s + 6, '"', n - 6)))) {
		r->comm = copy(r, s + 6, p);
		if ((p = after(s, end, ", pid ")) && number_dec(p, end, &v, &q)) {
			r->has_pid = true;
			r->pid = (int64_t)v;
		}
	} else if (has_prefix(s, n, "Mem abort") || has_prefix(s, n, "swapper pgtable") ||
		   has_prefix(s, n, "user pgtable")) {
		set_arch(r, "aarch64");
	}
}

static void lock_line(struct facts *f, const char *s, const char *end)
{
	if (f->locks.n < LOCKS_MAX)
		*vec_push(&f->locks) = copy(f->r, s, end);
}

/* "task:foo state:D stack:0 pid:12 ..." */
static void task_words(struct report *r, const char *s, const char *end)
{
	const char *p, *q;
	uint64_t v;

	if (has_prefix(s, (size_t)(end - s), "task:") && !r->comm) {
		p = after(s, end, " state:");
		r->comm = copy(r, s + 5, p ? p - 7 : word_end(s + 5, end));
		if ((p = after(s, end, " pid:"))) {
			while (p < end && *p == ' ')
				p++;
			if (number_dec(p, end, &v, &q)) {
				r->has_pid = true;
				r->pid = (int64_t)v;
			}
		}
	}
}

/* "Allocated in f age=3 cpu=1 pid=2": the slab's tracks name their first frame here. */
static void track_line(struct facts *f, const char *s, const char *end, uint32_t line)
{
	struct report_frame fr = { .reliable = true };
	const char *p = after(s, end, " in "), *q;

	if (!p || !find_text(p, (size_t)(end - p), " age="))
		return;
	if (frame_symbol(&f->r->arena, p, end, &fr, &q))
		frame_add(f, &fr, line);
	else if ((q = word_end(p, end)) > p) {
		fr.func = copy(f->r, p, q);
		frame_add(f, &fr, line);
	}
}

/* Where a jump to nowhere came from: the link register, which traces leave out. */
static void link_line(struct facts *f, const char *s, size_t n, uint32_t line)
{
	static const char *const heads[] = { "lr : ", "LR is at ", "ra : ", "LR [", "ra    : " };
	struct report *r = f->r;
	struct report_frame fr;
	const char *p = s, *end = s + n, *q;

	if (f->any_trace || r->pc < 0 || r->frames.p[r->pc].func)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		if (has_prefix(s, n, heads[i]))
			p = s + strlen(heads[i]);
	while (p > s && p < end) {
		memset(&fr, 0, sizeof(fr));
		fr.reliable = true;
		if (frame_symbol(&r->arena, p, end, &fr, &q)) {
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

	link_line(f, s, n, line);

	if (f->user && r->regs.n)
		return;
	if (has_prefix(s, n, "pstate:") || has_prefix(s, n, "x29:"))
		set_arch(r, "aarch64");
	else if (has_prefix(s, n, "EAX:") || has_prefix(s, n, "ESI:"))
		set_arch(r, "i386");
	else if (has_prefix(s, n, "RSP:") || has_prefix(s, n, "RAX:"))
		set_arch(r, "x86_64");
	else if (has_prefix(s, n, "status:") && find_text(s, n, "badaddr"))
		set_arch(r, "riscv64");
	else if (has_prefix(s, n, "GPR") || has_prefix(s, n, "REGS:"))
		set_arch(r, "ppc64");
	else if (has_prefix(s, n, "$ 0"))
		set_arch(r, "mips");
	else if (has_prefix(s, n, "CRMD") || has_prefix(s, n, "ESTAT"))
		set_arch(r, "loongarch64");
	else if (has_prefix(s, n, "Krnl GPRS"))
		set_arch(r, "s390x");
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

static void one_line(struct facts *f, struct report_line *l, uint32_t i)
{
	struct report *r = f->r;
	const char *s = l->text, *end = s + l->n;
	const struct header *h;

	if (r->kind == KIND_LOCKDEP)
		locks_read(r, &f->lock, s, l->n);
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
		break;
	case SHAPE_MARKER:
		marker_line(f, s, l->n);
		break;
	case SHAPE_FRAME:
		if (!f->breaking)
			frame_line(f, s, l->n, i);
		f->breaking = false;
		break;
	case SHAPE_PC:
		pc_line(f, s, l->n, i);
		break;
	case SHAPE_REGS:
		regs_line(f, s, l->n, i);
		/* riscv prints its trace behind the registers, without a title */
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

static const char *arch_of_frames(const struct report *r)
{
	static const struct {
		const char *part, *arch;
	} marks[] = {
		{ "do_syscall_64", "x86_64" },
		{ "entry_SYSCALL", "x86_64" },
		{ "asm_exc_", "x86_64" },
		{ "asm_sysvec", "x86_64" },
		{ "asm_common_interrupt", "x86_64" },
		{ "ret_from_fork_asm", "x86_64" },
		{ "__x64_sys", "x86_64" },
		{ "do_fast_syscall_32", "i386" },
		{ "entry_INT80", "i386" },
		{ "entry_SYSENTER", "i386" },
		{ "el0_svc", "aarch64" },
		{ "el0t_", "aarch64" },
		{ "el1h_", "aarch64" },
		{ "el0_sync", "aarch64" },
		{ "el1_irq", "aarch64" },
		{ "__arm64_sys", "aarch64" },
		{ "ret_fast_syscall", "arm" },
		{ "__irq_svc", "arm" },
		{ "system_call_exception", "ppc64" },
		{ "system_call_common", "ppc64" },
		{ "ret_from_kernel_user_thread", "ppc64" },
		{ "__s390x_sys", "s390x" },
		{ "do_trap_ecall", "riscv64" },
		{ "__riscv_sys", "riscv64" },
		{ "handle_syscall", "loongarch64" },
		{ "syscall_common", "mips" },
		{ "__warn_thunk", "x86_64" },
		{ "asm_", "x86_64" },
	};

	for (size_t k = 0; k < ARRAY_SIZE(marks); k++)
		for (size_t i = 0; i < r->frames.n && i < 200; i++)
			if (r->frames.p[i].func &&
			    has_prefix(r->frames.p[i].func, strlen(r->frames.p[i].func),
				       marks[k].part))
				return marks[k].arch;
	/* only x86 prints these */
	for (size_t i = 0; i < r->lines.n; i++)
		if (r->lines.p[i].shape == SHAPE_MARKER)
			return "x86_64";
	return NULL;
}

static const char *arch_of_release(const char *release)
{
	static const char *const v[][2] = { { "amd64", "x86_64" },    { "x86_64", "x86_64" },
					    { "aarch64", "aarch64" }, { "arm64", "aarch64" },
					    { "armmp", "arm" },       { "ppc64", "ppc64" },
					    { "powerpc64", "ppc64" }, { "s390x", "s390x" },
					    { "riscv64", "riscv64" }, { "loong", "loongarch64" },
					    { "686", "i386" } };

	for (size_t i = 0; release && i < ARRAY_SIZE(v); i++)
		if (strstr(release, v[i][0]))
			return v[i][1];
	return NULL;
}

/* What follows from the other facts. */
static void derive(struct report *r)
{
	static const char *const faults[] = { "cr2", "dar", "badaddr", "badva", "badv" };
	bool x86;

	if (!r->arch)
		r->arch = arch_of_frames(r);
	if (!r->arch)
		r->arch = arch_of_release(r->release);
	x86 = r->arch && (!strcmp(r->arch, "x86_64") || !strcmp(r->arch, "i386"));
	for (size_t i = 0; i < ARRAY_SIZE(faults) && !r->has_address; i++)
		if (r->kind == KIND_PAGE_FAULT || r->kind == KIND_NULL_DEREF)
			r->has_address = report_reg(r, faults[i], &r->address);
	if (r->has_error && x86 && !r->access &&
	    (r->kind == KIND_PAGE_FAULT || r->kind == KIND_NULL_DEREF))
		r->access = r->error & 16 ? "execute" : r->error & 2 ? "write" : "read";
	if (r->has_error && r->arch && !strcmp(r->arch, "aarch64")) {
		unsigned ec = (unsigned)(r->error >> 26 & 0x3f);

		r->error_name = "ESR";
		if (!r->access && ec == 0x25)
			r->access = r->error & 0x40 ? "write" : "read";
		else if (!r->access && ec == 0x21)
			r->access = "execute";
	}
	if (!r->access && (r->kind == KIND_PAGE_FAULT || r->kind == KIND_NULL_DEREF))
		r->access = registers_access(r);
	if (r->kind == KIND_PAGE_FAULT && r->has_address && r->address < 4096)
		r->kind = KIND_NULL_DEREF;
	/* KASAN's hardware tags do not say which kind it was: freed memory was freed */
	if (r->kind == KIND_KASAN_OOB && r->subject && strstr(r->subject, "invalid-access"))
		for (size_t i = 0; i < r->frames.n; i++)
			if (r->frames.p[i].role == TRACE_FREE)
				r->kind = KIND_KASAN_UAF;
}

/* "RIP: ..." once more behind the end mark. */
static void drop_repeated(struct report *r)
{
	const struct report_frame *pc = r->pc >= 0 ? &r->frames.p[r->pc] : NULL;

	for (size_t i = pc ? (size_t)r->pc + 1 : 0; pc && i < r->frames.n; i++) {
		struct report_frame *f = &r->frames.p[i];

		if (pc->func && f->func && r->lines.p[f->line].shape == SHAPE_PC &&
		    !strcmp(f->func, pc->func) && f->off == pc->off)
			f->duplicate = true;
	}
}

/* The PC is often the first frame of the trace again. */
static void merge_pc(struct report *r)
{
	struct report_frame *pc = r->pc >= 0 ? &r->frames.p[r->pc] : NULL;

	if (!pc || !pc->func)
		return;
	for (size_t i = (size_t)r->pc + 1; i < r->frames.n; i++) {
		struct report_frame *f = &r->frames.p[i];

		if (f->role != TRACE_MAIN || !f->func || !f->reliable || f->duplicate)
			continue;
		if (!f->has_off && !f->src_line && !strcmp(f->func, pc->func) &&
		    i == (size_t)r->pc + 1) {
			f->duplicate = true; /* arm names the callee of each line */
			continue;
		}
		if (!strcmp(f->func, pc->func) && f->off == pc->off) {
			pc->duplicate = true;
			pc->pc = false;
			f->pc = f->exact = true;
			r->pc = (int64_t)i;
			return;
		}
		if (i > (size_t)r->pc + 3)
			return;
	}
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
	derive(r);
	drop_repeated(r);
	merge_pc(r);
}
