/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two CPUs' reports in one: what one report cannot have twice, or behind its end. */
#include <string.h>

#include "core/report/parse/parse.h"

#define LABELS_MAX 64
#define HEADLINES_MAX 4 /* lines among which two reports' headlines stand */
#define STATE_LINES 120 /* of two machine states, before their traces */
#define TURNS 2         /* one may be a line that looks so by chance */

/* What one description of a machine's state names once: the words before a line's first colon. */
struct block {
	struct {
		const char *s;
		size_t n;
	} label[LABELS_MAX];
	size_t n;
};

/* The functions that every stack begins with, by how the kernel got there. */
enum root {
	ROOT_NONE,
	ROOT_CALL,
	ROOT_FORK,
	ROOT_BOOT
};
static const struct {
	const char *func;
	enum root root;
} roots[] = {
	{ "entry_SYSCALL_64_after_hwframe", ROOT_CALL },
	{ "entry_SYSENTER_compat_after_hwframe", ROOT_CALL },
	{ "entry_INT80_compat", ROOT_CALL },
	{ "entry_INT80_32", ROOT_CALL },
	{ "entry_SYSENTER_32", ROOT_CALL },
	{ "system_call_fastpath", ROOT_CALL },
	{ "el0t_64_sync", ROOT_CALL },
	{ "el0t_32_sync", ROOT_CALL },
	{ "el0_sync", ROOT_CALL },
	{ "ret_fast_syscall", ROOT_CALL },
	{ "system_call_vectored_common", ROOT_CALL },
	{ "system_call_common", ROOT_CALL },
	{ "ret_from_syscall", ROOT_CALL },
	{ "handle_syscall", ROOT_CALL },
	{ "syscall_common", ROOT_CALL },
	{ "ret_from_fork", ROOT_FORK },
	{ "ret_from_fork_asm", ROOT_FORK },
	{ "ret_from_fork_kernel_asm", ROOT_FORK },
	{ "ret_from_kernel_thread", ROOT_FORK },
	{ "ret_from_kernel_user_thread", ROOT_FORK },
	{ "start_kernel_thread", ROOT_FORK },
	{ "secondary_startup_64", ROOT_BOOT },
	{ "secondary_startup_64_no_verify", ROOT_BOOT },
	{ "common_startup_64", ROOT_BOOT },
	{ "__secondary_switched", ROOT_BOOT },
	{ "__primary_switched", ROOT_BOOT },
};

static enum root root_of(const char *func)
{
	for (size_t i = 0; func && i < ARRAY_SIZE(roots); i++)
		if (!strcmp(func, roots[i].func))
			return roots[i].root;
	return ROOT_NONE;
}

/* May the function call what begins a stack too: one root's own neighbour? */
static bool same_root(const struct report_frame *above, const struct report_frame *below)
{
	return root_of(above->func) == root_of(below->func) && strcmp(above->func, below->func);
}

/* Lines that say one thing of one machine state each. */
static bool has_label(const struct report_line *l)
{
	static const char *const single[] = {
		"Hardware name:",   "Workqueue:",    "Kernel Offset:", "Mem abort info:",
		"swapper pgtable:", "user pgtable:", "#PF: error_code"
	};

	switch ((enum shape)l->shape) {
	case SHAPE_REGS:
	case SHAPE_CODE:
	case SHAPE_CPU:
	case SHAPE_MODULES:
		return true;
	case SHAPE_FACT:
		for (size_t i = 0; i < ARRAY_SIZE(single); i++)
			if (has_prefix(l->text, l->n, single[i]))
				return true;
		return false;
	default:
		return false;
	}
}

/* False: it is there already. */
static bool label_add(struct block *b, const struct report_line *l)
{
	const char *s = l->text, *colon = memchr(s, ':', l->n);
	size_t n = colon ? (size_t)(colon - s) : 0;

	if (!n || b->n == LABELS_MAX)
		return true;
	for (size_t i = 0; i < b->n; i++)
		if (b->label[i].n == n && !memcmp(b->label[i].s, s, n))
			return false;
	b->label[b->n].s = s;
	b->label[b->n++].n = n;
	return true;
}

static bool is_call_trace(const struct report_line *l)
{
	return l->shape == SHAPE_TRACE &&
	       (has_prefix(l->text, l->n, "Call Trace") || has_prefix(l->text, l->n, "Call trace"));
}

/* A second set of registers, or of what stands before a trace, before the first one's trace. */
static const char *second_state(const struct report *r)
{
	const struct report_line *last = NULL;
	bool in_task = false;
	struct block b;

	b.n = 0;
	for (size_t i = 0; i < r->lines.n; i++) {
		const struct report_line *l = &r->lines.p[i];

		if (l->foreign || l->shape == SHAPE_EMPTY)
			continue;
		if (has_label(l) && !label_add(&b, l))
			return "a second machine state";
		if (is_call_trace(l)) {
			if (last && is_call_trace(last))
				return "a second call trace";
			in_task = false;
		}
		if (l->shape == SHAPE_MARKER && has_prefix(l->text, l->n, "<TASK>")) {
			if (in_task)
				return "a second call trace";
			in_task = true;
		} else if (l->shape == SHAPE_MARKER && has_prefix(l->text, l->n, "</TASK>")) {
			in_task = false;
		}
		if (l->shape == SHAPE_FRAME || l->shape == SHAPE_TRACE || l->shape == SHAPE_PC ||
		    l->shape == SHAPE_MARKER || l->shape == SHAPE_HEADER || l->shape == SHAPE_END)
			b.n = 0;
		last = l;
	}
	return NULL;
}

/* Does the line say what no line between two frames does? 32-bit ARM's traces have rows of r0 to
 * r10 there. */
static bool is_alien(const struct report_line *l)
{
	if (l->shape == SHAPE_CPU || l->shape == SHAPE_MODULES ||
	    has_prefix(l->text, l->n, "Hardware name:"))
		return true;
	return l->shape == SHAPE_REGS &&
	       !(l->n > 1 && l->text[0] == 'r' && l->text[1] >= '0' && l->text[1] <= '9');
}

/* Is it a line that begins a report, of a kind of which one report has one such line? */
static const struct header *trap_header(const struct report *r, const struct report_line *l)
{
	const struct header *h =
		l->shape == SHAPE_HEADER && !l->foreign ? header_find(l->text, l->n) : NULL;

	return h && h->role == HEAD_START && h->kind == r->kind &&
			       report_kind_is(h->kind, KIND_IS_ACCESS)
		       ? h
		       : NULL;
}

/* A second headline behind the first one. */
static const char *second_headline(const struct report *r)
{
	const struct report_line *first = NULL;

	for (size_t i = 0; i < r->lines.n && i < HEADLINES_MAX; i++) {
		const struct report_line *l = &r->lines.p[i];

		if (!trap_header(r, l))
			continue;
		if (first && trap_header(r, first) == trap_header(r, l))
			return "a second headline";
		first = l;
	}
	return NULL;
}

/* Frames and such lines by turns. */
static const char *by_turns(const struct report *r)
{
	const struct report_line *before = NULL, *mid = NULL;
	unsigned turns = 0;

	for (size_t i = 0; i < r->lines.n; i++) {
		const struct report_line *l = &r->lines.p[i];

		if (l->foreign || l->shape == SHAPE_EMPTY)
			continue;
		turns += before && before->shape == SHAPE_FRAME && l->shape == SHAPE_FRAME &&
			 is_alien(mid);
		before = mid;
		mid = l;
	}
	return turns >= TURNS ? "lines of a machine state between frames" : NULL;
}

/* Frames of the same trace, line by line behind the one that its stack began with. */
static const char *second_stack(const struct report *r)
{
	const struct report_frame *root = NULL;
	uint32_t line = 0; /* of the last frame behind the root, or the root's own */

	for (size_t i = 0; i < r->frames.n; i++) {
		const struct report_frame *f = &r->frames.p[i];

		if (f->duplicate || !f->func || r->lines.p[f->line].shape != SHAPE_FRAME)
			continue;
		if (root && f->trace == root->trace && f->line <= line + 1) {
			line = f->line;
			if (f->reliable && f->line != root->line && !same_root(root, f))
				return "a second call trace";
			continue;
		}
		root = f->reliable && root_of(f->func) != ROOT_NONE ? f : NULL;
		line = f->line;
	}
	return NULL;
}

const char *woven_find(const struct report *r)
{
	const char *why = second_headline(r);

	if (!why)
		why = second_state(r);
	if (!why)
		why = second_stack(r);
	return why ? why : by_turns(r);
}

/* Do both lines say the same of their CPUs' processes? */
static bool same_process(const struct report_line *a, const struct report_line *b)
{
	const char *p = text_after(a->text, a->text + a->n, "PID:");
	const char *q = text_after(b->text, b->text + b->n, "PID:");
	uint64_t v = 0, w = 0;

	if (!p || !q)
		return true;
	p += strspn(p, " ");
	q += strspn(q, " ");
	return !number_dec(p, a->text + a->n, &v, &p) || !number_dec(q, b->text + b->n, &w, &q) ||
	       v == w;
}

/* Takes back what the line tells, of which another one tells otherwise. */
static void forget(struct report *r, const struct report_line *l)
{
	r->untold = true;
	switch ((enum shape)l->shape) {
	case SHAPE_REGS:
		r->regs.n = 0;
		break;
	case SHAPE_CODE:
		r->has_code = false;
		r->code = NULL;
		break;
	case SHAPE_CPU:
		r->comm = NULL;
		r->has_pid = r->has_cpu = false;
		break;
	case SHAPE_FACT:
		if (has_prefix(l->text, l->n, "Workqueue:"))
			r->workqueue = NULL;
		if (has_prefix(l->text, l->n, "#PF: error_code"))
			r->has_error = false;
		break;
	case SHAPE_HEADER:
		r->has_address = false;
		r->access = NULL;
		break;
	default:
		break;
	}
}

/* The function of a second program counter before any trace; NULL: there is none. */
static const char *second_pc(struct report *r, const struct report_line *l)
{
	const char *first = r->pc >= 0 ? r->frames.p[r->pc].func : NULL, *arch;
	struct report_frame f;
	bool user;

	if (l->shape != SHAPE_PC || !first || !pc_parse(&r->arena, l->text, l->n, &f, &arch, &user))
		return NULL;
	return !user && f.func && strcmp(f.func, first) != 0 ? f.func : NULL;
}

void woven_forget(struct report *r)
{
	for (size_t i = 0; i < r->lines.n && i < STATE_LINES; i++) {
		const struct report_line *l = &r->lines.p[i];
		const char *colon = memchr(l->text, ':', l->n);
		size_t n = colon ? (size_t)(colon - l->text) : 0;

		if (!l->foreign && (l->shape == SHAPE_FRAME || is_call_trace(l)))
			break;
		if (l->foreign || (!has_label(l) && !trap_header(r, l) && l->shape != SHAPE_PC))
			continue;
		if (!r->rival)
			r->rival = second_pc(r, l);
		for (size_t k = 0; k < i; k++) {
			const struct report_line *o = &r->lines.p[k];

			if (o->foreign || o->shape != l->shape || o->n < n ||
			    memcmp(o->text, l->text, n) != 0 || l->shape == SHAPE_PC ||
			    (o->n == l->n && !memcmp(o->text, l->text, l->n)))
				continue;
			if (l->shape != SHAPE_CPU || !same_process(o, l))
				forget(r, l);
		}
	}
}
