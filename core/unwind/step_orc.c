/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The x86-64 strategies: a step by ORC, and for code that ORC does not know, by frame pointer. */
#include <string.h>

#include "core/unwind/orc.h"
#include "core/unwind/step.h"

/* DWARF numbers, as struct regs has them. */
enum {
	RDX = 1,
	RDI = 5,
	RBP = 6,
	RSP = 7,
	R10 = 10,
	R13 = 13,
	RIP = 16,
	RAX = 0
};

static bool known(const struct unwinder *u, unsigned n, uint64_t *ret, struct err *err)
{
	if (regs_get(&u->regs, n, ret))
		return true;
	return err_set_addr(err, ERR_NEED, unwinder_pc(u),
			    "the caller is found through register '%s', whose value is not known",
			    u->t->arch->reg_names[n]);
}

/* The caller's stack pointer, or where the registers are. */
static bool find_sp(const struct unwinder *u, const struct orc *o, uint64_t *ret, struct err *err)
{
	static const uint8_t reg_of[ORC_BASE_BAD] = {
		[ORC_DX] = RDX,          [ORC_DI] = RDI,          [ORC_BP] = RBP,
		[ORC_SP] = RSP,          [ORC_R10] = R10,         [ORC_R13] = R13,
		[ORC_BP_INDIRECT] = RBP, [ORC_SP_INDIRECT] = RSP, [ORC_AX] = RAX
	};
	uint64_t off = (uint64_t)(int64_t)o->sp_off;
	uint64_t base;

	if (o->sp_base == ORC_UNDEFINED || o->sp_base == ORC_PREV_SP || o->sp_base >= ORC_BASE_BAD)
		return err_set_addr(err, ERR_CORRUPT, unwinder_pc(u), "unknown ORC entry");
	if (!known(u, reg_of[o->sp_base], &base, err))
		return false;
	switch (o->sp_base) {
	case ORC_SP:
	case ORC_BP:
		*ret = base + off;
		return true;
	case ORC_SP_INDIRECT: /* the offset is added to what was read, see __unwind_next_frame's
				 order */
		if (!mem_u64(u->t, base, ret, err))
			return err_wrap(err, "stack");
		*ret += off;
		return true;
	case ORC_BP_INDIRECT:
		if (!mem_u64(u->t, base + off, ret, err))
			return err_wrap(err, "stack");
		return true;
	default: /* a register that holds it as it is */
		*ret = base;
		return true;
	}
}

static bool find_bp(const struct unwinder *u, const struct orc *o, uint64_t sp, struct step *s,
		    struct err *err)
{
	uint64_t off = (uint64_t)(int64_t)o->bp_off;
	uint64_t base, bp;

	switch (o->bp_base) {
	case ORC_UNDEFINED: /* unchanged; after ORC_REGS it is among the registers */
		if (!s->entry && regs_get(&u->regs, RBP, &bp))
			regs_set(&s->regs, RBP, bp);
		return true;
	case ORC_PREV_SP:
		base = sp;
		break;
	case ORC_BP:
		if (!known(u, RBP, &base, err))
			return false;
		break;
	default:
		return err_set_addr(err, ERR_CORRUPT, unwinder_pc(u), "unknown ORC entry");
	}
	if (!mem_u64(u->t, base + off, &bp, err))
		return err_wrap(err, "stack");
	regs_set(&s->regs, RBP, bp);
	return true;
}

static bool regs_user(struct target *t, const struct regs *r)
{
	uint64_t cs;

	for (unsigned i = 0; i < REGS_MAX; i++) {
		const char *name = t->arch->reg_names[i];

		if (name && strcmp(name, "cs") == 0 && regs_get(r, i, &cs))
			return (cs & 3) == 3;
	}
	return !t->arch->is_kernel_va(r->r[RIP]);
}

/* struct pt_regs at sp; only the last five words of it where the CPU alone saved
 * (ORC_REGS_PARTIAL). */
static bool take_regs(const struct unwinder *u, const struct orc *o, uint64_t sp, struct step *s,
		      struct err *err)
{
	enum {
		IRET_WORDS = 5
	};
	const struct arch *arch = u->t->arch;
	uint8_t bytes[512] = { 0 };
	size_t skip = arch->pt_regs_size - 8 * IRET_WORDS;
	struct regs r;

	if (arch->pt_regs_size > sizeof(bytes))
		return err_set(err, ERR_UNSUPPORTED, "pt_regs of %zu bytes", arch->pt_regs_size);
	if (o->type == ORC_REGS)
		skip = 0;
	if (!mem_read(u->t, sp, bytes + skip, arch->pt_regs_size - skip, err))
		return err_wrap(err, "saved registers");
	if (!arch->regs_of_pt_regs(SPAN(bytes, arch->pt_regs_size), &r, err))
		return false;
	if (skip) { /* rip, cs, rflags, rsp, ss are new, what was known of the others still holds */
		struct regs all = u->regs;

		for (unsigned i = 0; i < REGS_MAX; i++) {
			const char *name = arch->reg_names[i];

			if (i == RIP || i == RSP ||
			    (name && (!strcmp(name, "cs") || !strcmp(name, "ss") ||
				      !strcmp(name, "rflags"))))
				regs_set(&all, i, r.r[i]);
		}
		r = all;
	}
	s->regs = r;
	s->entry = s->crosses = true;
	s->exact = o->signal;
	s->how = "pt_regs";
	s->user = regs_user(u->t, &r);
	return true;
}

/* Marked as the end of a stack, though it is only the end of what the compiler knows. */
static bool in_return_to_handler(struct target *t, uint64_t pc)
{
	enum {
		SIZE_MAX_ = 128
	};
	uint64_t at;

	return symbol_addr(t, "return_to_handler", &at) && pc >= at && pc - at < SIZE_MAX_ &&
	       strncmp(symbol_text(t, pc, t->scratch), "return_to_handler", 17) == 0;
}

/* What return_to_handler saves below the slot whose address it is about to return to. */
#define HANDLER_FRAME 64

static enum step_result step_handler(struct unwinder *u, struct step *ret, struct err *err)
{
	const struct unwind_hooks *h = u->t->unwind_hooks;
	uint64_t slot = unwinder_sp(u), ip, bp;
	struct step s = { .how = "fgraph" };

	if (!h || !h->fgraph_pop || !h->fgraph_pop(u->t, u->task, &slot, HANDLER_FRAME, &ip, err))
		return STEP_NONE;
	regs_set(&s.regs, RIP, ip);
	regs_set(&s.regs, RSP, slot + 8);
	if (regs_get(&u->regs, RBP, &bp))
		regs_set(&s.regs, RBP, bp);
	*ret = s;
	return STEP_FRAME;
}

/* The function that a direct call before pc enters; 0: none such. */
static uint64_t call_target(struct target *t, uint64_t pc)
{
	uint8_t code[5];
	uint64_t to;
	struct err err;

	return mem_read(t, pc - 5, code, 5, &err) && t->arch->call_target(SPAN(code, 5), pc, &to)
		       ? to
		       : 0;
}

/* Bytes of stack that a function without unwind data may use. */
#define UNKNOWN_FRAME 2048

/*
 * __crash_kexec() is kept out of ORC on purpose, and the registers of a kdump are its. Its return
 * address follows a direct call of this very function: where only one word of the stack does, it is
 * that; where several do, some are left from earlier calls, and the first is a guess.
 */
enum step_result step_call_x86(struct unwinder *u, struct step *ret, struct err *err)
{
	uint64_t pc = unwinder_pc(u), sp = unwinder_sp(u), hi = sp + UNKNOWN_FRAME, off, word;
	struct step s = { .how = "call", .doubt = true };
	unsigned found = 0;
	struct symbol sym;
	struct err why;

	if (in_return_to_handler(u->t, pc))
		return step_handler(u, ret, err);
	if (!symbol_at(u->t, u->exact ? pc : pc - 1, &sym, &off, &why))
		return STEP_NONE;
	if (u->has_stack && hi > u->stack.hi)
		hi = u->stack.hi;
	for (uint64_t at = sp & ~UINT64_C(7); at + 8 <= hi; at += 8) {
		unsigned i = u->fgraph;
		uint64_t ip, bp;

		if (!mem_u64(u->t, at, &word, &why)) {
			s.guess = true; /* what cannot be read might follow one too */
			break;
		}
		ip = word;
		if (!put_back(u, at, at, &i, &ip, &why))
			continue;
		if (!symbol_is_text(u->t, ip) || call_target(u->t, ip) != sym.addr)
			continue;
		if (found++) {
			s.guess = true;
			break;
		}
		regs_set(&s.regs, RIP, word); /* a hijacked one is put back in its turn */
		regs_set(&s.regs, RSP, at + 8);
		if (regs_get(&u->regs, RBP, &bp))
			regs_set(&s.regs, RBP, bp);
		s.slot = at;
	}
	if (!found)
		return STEP_NONE;
	*ret = s;
	return STEP_FRAME;
}

/*
 * Up to v5.11 asm_call_on_stack() keeps its own stack pointer in rbp, by which its table tells the
 * caller, and leaves it in the last word of the IRQ stack too: where both agree, the way out of
 * that stack is proven.
 */
static bool leaves_irq_stack(const struct unwinder *u)
{
	uint64_t sp = unwinder_sp(u), bp, word;
	struct err ignored;

	return !u->exact && u->has_stack && !strcmp(u->stack.name, "IRQ") &&
	       sp + 8 == u->stack.hi && regs_get(&u->regs, RBP, &bp) &&
	       mem_u64(u->t, sp, &word, &ignored) && word == bp;
}

enum step_result step_orc(struct unwinder *u, struct step *ret, struct err *err)
{
	uint64_t pc = unwinder_pc(u), sp, ip;
	struct step s = { .how = "orc" };
	struct orc o;

	if (!orc_find(u->t, u->exact ? pc : pc - 1, &o, err))
		return STEP_NONE;
	if (o.type == ORC_NOTHING || o.type == ORC_TYPE_BAD || in_return_to_handler(u->t, pc)) {
		err_set_addr(err, ERR_NOTFOUND, pc, "ORC says nothing of the stack at '%s'",
			     symbol_text(u->t, pc, u->t->scratch));
		return STEP_NONE;
	}
	if (o.type == ORC_END)
		return STEP_END;
	if (!find_sp(u, &o, &sp, err))
		return STEP_BROKEN;
	if (o.type == ORC_CALL) {
		if (!mem_u64(u->t, sp - 8, &ip, err)) {
			err_wrap(err, "stack");
			return STEP_BROKEN;
		}
		if (u->doubt && o.sp_base == ORC_BP && !is_hijacked(u->t, ip) &&
		    !follows_call(u->t, ip)) {
			err_set_addr(err, ERR_CORRUPT, ip, "the frame pointer is not known in '%s'",
				     symbol_text(u->t, pc, u->t->scratch));
			return STEP_BROKEN;
		}
		regs_set(&s.regs, RIP, ip);
		regs_set(&s.regs, RSP, sp);
		s.slot = sp - 8;
		s.crosses = o.sp_base == ORC_BP ? leaves_irq_stack(u) : o.sp_base != ORC_SP;
	} else if (!take_regs(u, &o, sp, &s, err)) {
		return STEP_BROKEN;
	}
	if (!s.user && !find_bp(u, &o, sp, &s, err))
		return STEP_BROKEN;
	*ret = s;
	return STEP_FRAME;
}

/* Code outside of any table: a call through a wild pointer, or code made at run time (BPF,
 * trampolines). */
enum step_result step_fp_x86(struct unwinder *u, struct step *ret, struct err *err)
{
	uint64_t sp = unwinder_sp(u), bp, ip;
	struct step s = { .how = "call" };

	if (u->exact && mem_u64(u->t, sp, &ip, err) && symbol_is_text(u->t, ip) &&
	    follows_call(u->t, ip)) {
		regs_set(&s.regs, RIP, ip);
		regs_set(&s.regs, RSP, sp + 8);
		if (regs_get(&u->regs, RBP, &bp))
			regs_set(&s.regs, RBP, bp);
		s.slot = sp;
		*ret = s;
		return STEP_FRAME;
	}
	s.how = "fp";
	if (!regs_get(&u->regs, RBP, &bp) || bp < sp || bp & 7 || !u->has_stack ||
	    bp + 16 > u->stack.hi || !mem_u64(u->t, bp + 8, &ip, err) || !follows_call(u->t, ip))
		return STEP_NONE;
	regs_set(&s.regs, RIP, ip);
	regs_set(&s.regs, RSP, bp + 16);
	s.slot = bp + 8;
	if (!mem_u64(u->t, bp, &bp, err))
		return STEP_BROKEN;
	regs_set(&s.regs, RBP, bp);
	*ret = s;
	return STEP_FRAME;
}
