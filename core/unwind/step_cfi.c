/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps by debug info's frame tables, and the registers they recover for variables. */
#include <string.h>

#include "core/unwind/step.h"

static uint64_t stripped(struct target *t, uint64_t pc)
{
	struct arch_facts facts = target_facts(t);

	return t->arch->strip_pac ? t->arch->strip_pac(&facts, pc) : pc;
}

/* ---- registers, beside a walk that another strategy does */

static bool agree(const struct regs *a, const struct regs *b, unsigned n)
{
	uint64_t x, y;

	return !regs_get(a, n, &x) || !regs_get(b, n, &y) || x == y;
}

/* A call into nowhere: nothing has run since, and every register is still its caller's. */
static bool nothing_ran(struct unwinder *u, const struct step *s)
{
	uint64_t pc = unwinder_pc(u), off;
	struct symbol sym;
	struct err ignored;

	return s && u->exact && !s->guess && (!strcmp(s->how, "call") || !strcmp(s->how, "lr")) &&
	       !symbol_is_text(u->t, pc) && !symbol_at(u->t, pc, &sym, &off, &ignored);
}

/* Tables that say otherwise than what the walk is sure of are not to be trusted. */
static bool by_tables(struct unwinder *u, const struct step *s, const struct frame_at *at,
		      struct regs *ret, uint64_t *cfa)
{
	const struct arch *arch = u->t->arch;
	struct err ignored;

	if (!frame_caller(u->t, at, ret, cfa, &ignored))
		return false;
	return !s || (!s->guess && stripped(u->t, ret->r[arch->pc]) == s->regs.r[arch->pc] &&
		      agree(ret, &s->regs, arch->fp));
}

/* 32-bit ARM: what the exception index had read from the stack. Debug info knows no more of it; it
 * may place variables where its frame is the index's. */
static void by_index(const struct unwinder *u, const struct step *s, struct frame *f,
		     struct regs *next)
{
	uint64_t v;

	f->has_cfa = f->has_cfa && s && f->cfa == s->regs.r[u->t->arch->sp];
	next->have = 0;
	if (!s)
		return;
	for (unsigned i = 0; i < 16; i++) {
		if (!(u->t->arch->callee_saved >> i & 1))
			continue;
		if (s->saved >> i & 1)
			regs_set(next, i, s->regs.r[i]);
		else if (s->keeps && regs_get(&u->known, i, &v))
			regs_set(next, i, v);
	}
}

void recover(struct unwinder *u, const struct step *s, struct frame *f)
{
	const struct arch *arch = u->t->arch;
	/* on arm64 a step by frame pointers knows no stack pointer */
	bool sp_known = arch->elf_machine != arch_aarch64.elf_machine;
	bool arm = arch->elf_machine == arch_arm.elf_machine;
	struct frame_at at = { .pc = unwinder_pc(u), .exact = u->exact, .regs = u->known };
	struct regs *known = ARENA_NEW(u->t->scratch, struct regs), next = { .have = 0 };
	uint64_t cfa, fp, pc;

	*known = u->known;
	f->known = known;
	if (s && s->entry) {
		u->known = s->regs;
		return;
	}
	if (s && sp_known && !arm) {
		at.has_cfa = f->has_cfa = true;
		at.cfa = f->cfa = s->regs.r[arch->sp];
	}
	if (nothing_ran(u, s)) {
		next = u->known;
		next.have &= arch->callee_saved | UINT64_C(1) << arch->sp;
	} else if (by_tables(u, s, &at, &next, &cfa)) {
		f->has_cfa = true;
		f->cfa = cfa;
	} else {
		next.have = 0;
	}
	if (arm)
		by_index(u, s, f, &next);
	if (!s)
		return;
	regs_get(&s->regs, arch->pc, &pc);
	regs_set(&next, arch->pc, pc);
	if (regs_get(&s->regs, arch->fp, &fp) && !s->doubt)
		regs_set(&next, arch->fp, fp);
	if (sp_known)
		regs_set(&next, arch->sp, s->regs.r[arch->sp]);
	u->known = next;
}

/* ---- a strategy of its own */

/* A function that calls on the IRQ stack leaves its own stack pointer in the last word there
 * (call_on_stack() in arch/x86/include/asm/irq_stack.h), which no table knows. */
static bool back_from_irq_stack(struct unwinder *u, struct frame_at *at)
{
	const struct arch *arch = u->t->arch;
	uint64_t sp = unwinder_sp(u), word;
	struct err ignored;

	if (arch->elf_machine != arch_x86_64.elf_machine || u->exact || !u->has_stack ||
	    strcmp(u->stack.name, "IRQ") != 0 || sp + 8 != u->stack.hi ||
	    !mem_u64(u->t, sp, &word, &ignored))
		return false;
	regs_set(&at->regs, arch->sp, word);
	return true;
}

/* Code that ran at boot and is gone; what lies there now tells nothing. */
static bool was_init(struct target *t, uint64_t pc)
{
	uint64_t lo, hi;

	return symbol_addr(t, "_sinittext", &lo) && symbol_addr(t, "_einittext", &hi) && pc >= lo &&
	       pc < hi;
}

enum step_result step_cfi(struct unwinder *u, struct step *ret, struct err *err)
{
	const struct arch *arch = u->t->arch;
	struct frame_at at = { .pc = unwinder_pc(u), .exact = u->exact, .regs = u->regs };
	struct step s = { .how = "cfi" };
	uint64_t cfa, *pc = &s.regs.r[arch->pc];

	if (u->no_sp)
		at.regs.have &= ~(UINT64_C(1) << arch->sp);
	s.crosses = back_from_irq_stack(u, &at);
	if (!frame_caller(u->t, &at, &s.regs, &cfa, err))
		return STEP_NONE;
	*pc = stripped(u->t, *pc);
	if (!is_hijacked(u->t, *pc) && !was_init(u->t, *pc) && !follows_call(u->t, *pc)) {
		err_set_addr(err, ERR_CORRUPT, *pc, "%#lx is no return address",
			     (unsigned long)*pc);
		return STEP_NONE;
	}
	/* what function_graph knows it by */
	if (arch->elf_machine == arch_x86_64.elf_machine)
		s.slot = cfa - 8;
	else if (!regs_get(&s.regs, arch->fp, &s.slot))
		s.slot = 0;
	s.leaf = cfa == unwinder_sp(u);
	*ret = s;
	return STEP_FRAME;
}
