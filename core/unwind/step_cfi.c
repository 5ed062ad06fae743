/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps by debug info's frame tables, and the registers they recover for variables. */
#include <string.h>

#include "core/unwind/step.h"
#include "core/types/frame_info.h"

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

void recover(struct unwinder *u, const struct step *s, struct frame *f)
{
	const struct arch *arch = u->t->arch;
	struct frame_at at = { .pc = unwinder_pc(u), .exact = u->exact, .regs = u->known };
	struct regs *known = ARENA_NEW(u->t->scratch, struct regs), next = { .have = 0 };
	uint64_t cfa, fp, pc;

	*known = u->known;
	f->known = known;
	if (s && s->entry) {
		u->known = s->regs;
		return;
	}
	if (s && arch->call_pushes) {
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
	if (u->arch->recover)
		u->arch->recover(u, s, f, &next);
	if (!s)
		return;
	regs_get(&s->regs, arch->pc, &pc);
	regs_set(&next, arch->pc, pc);
	if (regs_get(&s->regs, arch->fp, &fp) && !s->doubt)
		regs_set(&next, arch->fp, fp);
	if (!u->arch->sp_unknown)
		regs_set(&next, arch->sp, s->regs.r[arch->sp]);
	u->known = next;
}

/* ---- a strategy of its own */

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
	s.crosses = u->arch->back_from_stack && u->arch->back_from_stack(u, &at);
	if (!frame_caller(u->t, &at, &s.regs, &cfa, err))
		return STEP_NONE;
	*pc = stripped(u->t, *pc);
	if (!is_hijacked(u->t, *pc) && !was_init(u->t, *pc) && !follows_call(u->t, *pc)) {
		err_set_addr(err, ERR_CORRUPT, *pc, "%#lx is no return address",
			     (unsigned long)*pc);
		return STEP_NONE;
	}
	/* what function_graph knows it by */
	if (arch->call_pushes)
		s.slot = cfa - arch->word;
	else if (!regs_get(&s.regs, arch->cfa_above_sp ? arch->sp : arch->fp, &s.slot))
		s.slot = 0;
	s.leaf = cfa - arch->cfa_above_sp == unwinder_sp(u);
	*ret = s;
	return STEP_FRAME;
}
