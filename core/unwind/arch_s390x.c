/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How s390x is unwound: by back chains, which every function of the kernel keeps, through the
 * registers that entries leave behind a chain's end. Only of what was interrupted it is not clear
 * whether it has a frame yet: debug info's tables, or its code, tell. */
#include "core/types/shape.h"
#include "core/unwind/step.h"

enum {
	LINK = 14,
	SP = 15,
	PC = 17
};

/* arch/s390/include/asm/stacktrace.h, struct stack_frame of -mpacked-stack: a function saves r6 to
 * r15 in its caller's frame. */
#define FRAME_LINK 136
#define FRAME_CHAIN 152
#define FRAME_SIZE 160
#define PT_REGS_MAX 512
#define CODE_MAX 4096

static bool pt_regs_at(struct unwinder *u, uint64_t at, struct regs *ret, struct err *err)
{
	uint8_t bytes[PT_REGS_MAX];
	size_t n = u->t->arch->pt_regs_size;

	return n <= sizeof(bytes) && mem_read(u->t, at, bytes, n, err) &&
	       u->t->arch->regs_of_pt_regs(SPAN(bytes, n), ret, err);
}

/* A chain ends where an entry begins, which keeps registers behind its frame; a thread's first
 * function has none there. */
static enum step_result step_entry(struct unwinder *u, uint64_t sp, struct step *s, struct err *err)
{
	if (!pt_regs_at(u, sp + FRAME_SIZE, &s->regs, err)) {
		err_wrap(err, "registers behind the end of the back chain");
		return STEP_BROKEN;
	}
	if (!s->regs.r[PC] && !s->regs.r[SP])
		return STEP_END;
	s->how = "pt_regs";
	s->entry = s->exact = s->crosses = true;
	s->user = arch_regs_user(u->t->arch, &s->regs);
	return STEP_FRAME;
}

static enum step_result step_chain(struct unwinder *u, struct step *s, struct err *err)
{
	uint64_t sp = unwinder_sp(u), caller, link;

	if (!u->t->arch->is_kernel_va(sp) || sp & 7) {
		err_set_addr(err, ERR_CORRUPT, sp, "the stack pointer %#lx is no kernel address",
			     (unsigned long)sp);
		return STEP_BROKEN;
	}
	if (!mem_u64(u->t, sp + FRAME_CHAIN, &caller, err)) {
		err_wrap(err, "back chain");
		return STEP_BROKEN;
	}
	if (!caller)
		return step_entry(u, sp, s, err);
	if (!u->t->arch->is_kernel_va(caller) || caller & 7) {
		err_set_addr(err, ERR_CORRUPT, caller, "the back chain leads to %#lx",
			     (unsigned long)caller);
		return STEP_BROKEN;
	}
	if (!mem_u64(u->t, caller + FRAME_LINK, &link, err)) {
		err_wrap(err, "return address");
		return STEP_BROKEN;
	}
	/* function_graph knows a call by the caller's stack pointer */
	*s = (struct step){ .how = "chain", .slot = caller, .crosses = true };
	regs_set(&s->regs, SP, caller);
	regs_set(&s->regs, PC, link);
	return STEP_FRAME;
}

/* ---- what was interrupted */

/* Bytes of an instruction, by its first one. */
static size_t length_of(uint8_t first)
{
	return first < 0x40 ? 2 : first < 0xc0 ? 4 : 6;
}

/*
 * Has the function that pc is in a frame of its own there? It makes one by lay or aghi of %r15, and
 * gives it back by lmg up to %r15; what lies behind br %r14 or a jump away belongs to other paths.
 */
static bool has_frame(struct unwinder *u, uint64_t pc)
{
	uint8_t code[CODE_MAX];
	struct symbol sym;
	uint64_t off, n;
	struct err err;
	bool made = false, gone = false;

	if (!symbol_at(u->t, pc, &sym, &off, &err))
		return true;
	n = off < CODE_MAX ? off : CODE_MAX;
	if (mem_read_some(u->t, sym.addr, code, n, &err) < n)
		return true;
	for (size_t i = 0; i + length_of(code[i]) <= n; i += length_of(code[i])) {
		const uint8_t *p = code + i;

		if ((p[0] == 0xe3 && p[1] >> 4 == SP && p[2] >> 4 == SP && p[5] == 0x71) ||
		    (p[0] == 0xa7 && p[1] == (SP << 4 | 0xb)))
			made = true;
		else if (p[0] == 0xeb && (p[1] & 15) == SP && p[5] == 0x04)
			gone = true;
		else if ((p[0] == 0x07 && p[1] == (0xf0 | LINK)) || (p[0] == 0xc0 && p[1] == 0xf4))
			gone = false;
	}
	return made && !gone;
}

static enum step_result step_first(struct unwinder *u, struct step *s)
{
	uint64_t pc = unwinder_pc(u), link;
	struct err ignored;

	if (step_cfi(u, s, &ignored) == STEP_FRAME)
		return STEP_FRAME;
	*s = (struct step){ 0 };
	if (!regs_get(&u->regs, LINK, &link) || !symbol_is_text(u->t, link - 1) ||
	    (!follows_call(u->t, link) && !is_hijacked(u->t, link)) ||
	    (symbol_is_text(u->t, pc) && has_frame(u, pc)))
		return STEP_NONE;
	s->how = "lr";
	s->leaf = true;
	s->regs = u->regs;
	s->regs.have &= ~(UINT64_C(1) << LINK);
	s->slot = unwinder_sp(u);
	regs_set(&s->regs, PC, link);
	return STEP_FRAME;
}

static enum step_result step(struct unwinder *u, struct step *s, struct err *err)
{
	enum step_result r = u->exact ? step_first(u, s) : STEP_NONE;
	struct err ignored;

	if (r == STEP_NONE)
		r = step_chain(u, s, err);
	if (r == STEP_BROKEN && !s->entry && step_cfi(u, s, &ignored) == STEP_FRAME)
		r = STEP_FRAME;
	return r;
}

const struct unwind_arch unwind_arch_s390x = {
	.arch = &arch_s390x,
	.step = step,
};
