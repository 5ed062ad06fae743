/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Addresses that a report has no function for: how far the kernel was moved, by the report's own
 * words or by where all that its calls return to lies behind calls, and their names. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/report/judge/placing.h"

#define ADDRESSES_MAX 256
#define PIVOTS 8 /* addresses that are tried as one within the kernel: others are of modules */
#define CALLS_LEAST 3
#define CALL_BYTES_MAX 64

/* Code of the vmlinux, at its link-time address. */
struct code_area {
	struct span bytes;
	uint64_t addr;
};

struct bare {
	uint64_t addr;
	bool exact;    /* no return address */
	bool reliable; /* else it may be no return address either */
};

/* What is known of the addresses. */
struct measure {
	struct placing *p;
	struct code_area areas[2];
	uint8_t turned[CALL_BYTES_MAX];
	struct bare v[ADDRESSES_MAX];
	size_t n;
};

/* How well the addresses fit if the kernel was moved so. */
struct trial {
	uint64_t slide;
	unsigned returns, calls;
	unsigned chains; /* calls to the function that the frame before is in */
};

/* Is it the program counter, or the same in a trace that begins with it, as MIPS prints? */
static bool is_exact(const struct report *r, const struct report_frame *f)
{
	return f->exact || (r->pc >= 0 && r->frames.p[r->pc].addr == f->addr);
}

static bool is_bare(const struct report_frame *f)
{
	return !f->func && f->addr && !f->duplicate;
}

static void collect(struct measure *m)
{
	const struct report *r = m->p->r;

	for (size_t i = 0; i < r->frames.n && m->n < ADDRESSES_MAX; i++) {
		const struct report_frame *f = &r->frames.p[i];
		bool seen = false;

		for (size_t k = 0; k < m->n; k++)
			seen |= m->v[k].addr == f->addr;
		if (is_bare(f) && !seen)
			m->v[m->n++] = (struct bare){ f->addr, is_exact(r, f), f->reliable };
	}
}

static void code_areas(struct measure *m)
{
	static const char *const names[] = { ".text", ".init.text" };
	const struct vmlinux *v = &m->p->t->vmlinux;

	for (size_t i = 0; v->section && i < ARRAY_SIZE(names); i++)
		if (!v->section(v->self, names[i], &m->areas[i].bytes, &m->areas[i].addr))
			m->areas[i].bytes.n = 0;
}

/* The n bytes before a link-time address; none: it is not in code. Instructions of four bytes have
 * the lowest one first, whatever the file's order is. */
static struct span code_before(struct measure *m, uint64_t addr, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(m->areas); i++) {
		uint64_t off = addr - m->areas[i].addr;

		if (off > m->areas[i].bytes.n || off < n)
			continue;
		if (!m->p->t->vmlinux.big || m->p->t->arch->insn != 4)
			return SPAN(m->areas[i].bytes.p + off - n, n);
		for (size_t k = 0; k < n; k++)
			m->turned[k] = m->areas[i].bytes.p[off - n + (k ^ 3)];
		return SPAN(m->turned, n);
	}
	return (struct span){ 0 };
}

/* Does the call that returns to the link-time address `to` go to the function of address `from`? */
static bool calls_function_of(struct measure *m, uint64_t to, uint64_t from)
{
	const struct placing *p = m->p;
	const struct arch *arch = p->t->arch;
	struct span code = code_before(m, to, arch->call_bytes);
	uint64_t target, off;
	struct symbol sym;
	struct err err;

	return arch->call_target && code.n && arch->call_target(code, to, &target) &&
	       symbol_at(p->t, from + p->t->kaslr, &sym, &off, &err) &&
	       arch_call_enters(arch, target + p->t->kaslr, sym.addr);
}

static struct trial try_slide(struct measure *m, uint64_t slide)
{
	const struct target *t = m->p->t;
	struct trial ret = { .slide = slide };
	uint64_t before = 0;

	for (size_t i = 0; i < m->n; i++) {
		uint64_t at = m->v[i].addr + slide - t->kaslr;
		struct span code = code_before(m, at, t->arch->call_bytes);

		if (!code.n)
			continue;
		if (!m->v[i].exact) {
			bool call = t->arch->call_before(code, at);

			ret.returns += call || m->v[i].reliable;
			ret.calls += call;
			if (call && before && calls_function_of(m, at, before))
				ret.chains++;
		}
		if (m->v[i].exact || m->v[i].reliable)
			before = m->v[i].exact ? at : at - 1;
	}
	return ret;
}

static unsigned score(const struct trial *x)
{
	return x->calls + 2 * x->chains;
}

/* Every multiple of the step that puts one of the addresses into the kernel's code is tried. */
static void fit_slide(struct measure *m)
{
	struct placing *p = m->p;
	uint64_t step = p->t->arch->kaslr_step, lo = m->areas[0].addr;
	uint64_t hi = lo + m->areas[0].bytes.n;
	struct trial best = { 0 };
	unsigned next = 0;

	for (size_t i = 0, pivots = 0; i < m->n && pivots < PIVOTS; i++) {
		/* the move is from link-time addresses to those of the text */
		uint64_t first = (m->v[i].addr - hi + step - 1) & ~(step - 1);

		if (m->v[i].exact || !p->t->arch->is_kernel_va(m->v[i].addr))
			continue;
		pivots++;
		for (uint64_t moved = first;
		     m->v[i].addr - moved >= lo && m->v[i].addr - moved <= hi; moved += step) {
			struct trial x = try_slide(m, p->t->kaslr - moved);

			if (moved >> 63 || (x.slide == best.slide && best.calls))
				continue;
			if (score(&x) > score(&best)) {
				next = score(&best);
				best = x;
			} else if (score(&x) > next) {
				next = score(&x);
			}
		}
	}
	if (best.calls < CALLS_LEAST || best.calls * 10 < best.returns * 8 ||
	    next * 2 > score(&best)) {
		p->slide_why = "no line says how far KASLR moved the kernel, and no one place fits";
		return;
	}
	p->has_slide = true;
	p->slide = best.slide;
	p->slide_why = arena_printf(
		&p->r->arena,
		"found by fit: of %u return addresses %u are behind calls, %u of these to the "
		"frame before; the next best place has %u of such signs, this one %u",
		best.returns, best.calls, best.chains, next, score(&best));
}

/* As "Kernel Offset: ... from ..." has it. False: it does not say enough. */
static bool slide_of_text(struct placing *p)
{
	const struct report *r = p->r;
	uint64_t text;

	if (!r->has_offset)
		return false;
	if (p->t->vmlinux.file || mem_loaded(p->t))
		p->slide = p->t->kaslr - r->kernel_offset;
	else if (r->linked_at && symbol_addr(p->t, "_text", &text))
		p->slide = text - r->linked_at - r->kernel_offset;
	else
		return false;
	p->slide_why = "as the line Kernel Offset says";
	return p->has_slide = true;
}

static void slide_assume(struct placing *p, const char *why)
{
	p->has_slide = p->slide_assumed = true;
	p->slide = p->t->kaslr;
	p->slide_why = why;
}

void address_measure(struct placing *p)
{
	struct measure *m = arena_alloc(p->t->scratch, sizeof(*m));
	const struct arch *arch = p->t->arch;
	bool code;

	memset(m, 0, sizeof(*m));
	m->p = p;
	collect(m);
	if (!m->n || !p->symbols)
		return;
	code_areas(m);
	code = arch && arch->call_before && arch->call_bytes &&
	       arch->call_bytes <= CALL_BYTES_MAX && m->areas[0].bytes.n;
	if (!p->has_slide && !slide_of_text(p)) {
		if (code && arch->kaslr_step)
			fit_slide(m);
		else if (arch && arch->linked_here)
			slide_assume(p, "nothing moves kernels of this architecture");
		else
			slide_assume(p, "nothing tells of a move");
	}
	if (p->has_slide && code) {
		struct trial x = try_slide(m, p->slide);

		p->returns = x.returns;
		p->calls = x.calls;
	}
}

/* Has the code before this address no line, and that at it has one? Nobody called from there: ARM's
 * system calls are jumped to, and return to the first instruction of ret_fast_syscall(). */
static bool is_first(struct placing *p, uint64_t addr)
{
	const struct line *lines;
	struct err err;
	size_t n;

	return !line_find(p->t, addr - 1, &lines, &n, &err) &&
	       line_find(p->t, addr, &lines, &n, &err);
}

static bool name_frame(struct placing *p, struct report_frame *f)
{
	bool exact = is_exact(p->r, f);
	uint64_t addr = f->addr + p->slide, off;
	uint64_t in = exact || is_first(p, addr) ? addr : addr - 1;
	struct symbol sym;
	struct err err;

	if (!symbol_at(p->t, in, &sym, &off, &err) || !strchr("tTwWi", sym.type) ||
	    (sym.module && p->slide))
		return false;
	f->func = sym.name;
	f->module = sym.module;
	f->off = off + (addr - in);
	f->size = sym.size;
	f->has_off = true;
	f->exact = exact;
	f->resolved = true;
	return true;
}

bool address_names(struct placing *p)
{
	struct report *r = p->r;
	size_t named = 0, all = 0;
	uint64_t moved = p->t->kaslr - p->slide;

	for (size_t i = 0; i < r->frames.n; i++)
		if (is_bare(&r->frames.p[i])) {
			all++;
			named += p->has_slide && name_frame(p, &r->frames.p[i]);
		}
	if (!all || !p->symbols)
		return false;
	if (!p->has_slide)
		r->addresses_why =
			arena_printf(&r->arena, "none of %zu named: %s", all, p->slide_why);
	else if (!named && p->slide_assumed)
		r->addresses_why = arena_printf(
			&r->arena,
			"none of %zu named: they lie outside of the kernel's code, and no line says "
			"how far KASLR moved it",
			all);
	else if (!moved)
		r->addresses_why = arena_printf(&r->arena, "%zu of %zu named as they stand: %s",
						named, all, p->slide_why);
	else
		r->addresses_why = arena_printf(
			&r->arena, "%zu of %zu named, moved by %s0x%" PRIx64 ": %s", named, all,
			moved >> 63 ? "-" : "", moved >> 63 ? -moved : moved, p->slide_why);
	return named != 0;
}
