/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How 64-bit PowerPC is unwound: by the back chain that each frame begins with, through the
 * registers that an interrupt's entry leaves behind a mark in its frame. The first frame, whose
 * function may have none yet, is known by debug info's tables or by the function's code. */
#include "core/arch/powerpc.h"
#include "core/base/vec.h"
#include "core/unwind/step.h"

enum {
	SP = 1,
	MSR = 33,
	LINK = 36,
	TRAP = 40
};

/* 64-Bit ELF V2 ABI Specification, 2.2.3: a frame begins with the address of its caller's, and a
 * function keeps its return address in its caller's. */
#define LR_SAVE 16
#define CODE_MAX 65536u /* bytes of a function that are looked through */

/* ---- entries */

/* arch/powerpc/include/asm/ptrace.h: "REGS", and the registers, behind the frame's head; up to
 * v6.1 the head was the larger one of the older ABI (ed7ff8d4bd91, v6.2). */
#define MARK UINT64_C(0x53474552)
#define PT_REGS_MAX 512
static const struct {
	uint64_t mark, regs;
} entry_layouts[] = { { 32, 48 }, { 96, 112 } };

static bool pt_regs_at(struct unwinder *u, uint64_t at, struct regs *ret)
{
	uint8_t bytes[PT_REGS_MAX];
	size_t n = u->t->arch->pt_regs_size;
	struct err err;

	return n <= sizeof(bytes) && mem_read(u->t, at, bytes, n, &err) &&
	       u->t->arch->regs_of_pt_regs(SPAN(bytes, n), ret, &err);
}

/* A mark alone may be what another entry left, or the one of the frame above: the number of the
 * interrupt must be one, and the frame must lead to where the stack pointer was; that of a program
 * that was just made leads nowhere. */
static bool is_entry(struct unwinder *u, const struct regs *regs, uint64_t chain)
{
	uint64_t trap = regs->r[TRAP];

	return trap >= 0x100 && trap < 0x4000 &&
	       (chain == regs->r[SP] || (!chain && arch_regs_user(u->t->arch, regs)));
}

static bool step_entry(struct unwinder *u, struct step *s)
{
	uint64_t sp = unwinder_sp(u), mark, chain;
	struct err ignored;

	for (size_t i = 0; i < ARRAY_SIZE(entry_layouts); i++) {
		if (!mem_u64(u->t, sp, &chain, &ignored) ||
		    !mem_u64(u->t, sp + entry_layouts[i].mark, &mark, &ignored) || mark != MARK ||
		    !pt_regs_at(u, sp + entry_layouts[i].regs, &s->regs) ||
		    !is_entry(u, &s->regs, chain))
			continue;
		s->how = "pt_regs";
		s->entry = s->exact = s->crosses = true;
		s->user = arch_regs_user(u->t->arch, &s->regs);
		return true;
	}
	return false;
}

/* Did the call that the link register returns to enter the function that the first frame is in?
 * Then what lies where the stack pointer is, is its caller's. */
static bool was_called(struct unwinder *u)
{
	const struct arch *arch = u->t->arch;
	uint8_t code[POWERPC_CALL_BYTES];
	uint64_t lr, target, off;
	struct symbol sym;
	struct err ignored;

	return regs_get(&u->regs, LINK, &lr) && symbol_is_text(u->t, lr) &&
	       mem_read(u->t, lr - sizeof(code), code, sizeof(code), &ignored) &&
	       arch->call_target(SPAN(code, sizeof(code)), lr, &target) &&
	       symbol_at(u->t, unwinder_pc(u), &sym, &off, &ignored) &&
	       arch_call_enters(arch, target, sym.addr);
}

/* ---- the chain */

/* The caller whose frame is at sp, and who goes on at pc. */
static enum step_result step_to(struct unwinder *u, uint64_t sp, uint64_t pc, const char *how,
				struct step *s)
{
	/* stacks of interrupts hang on the chain of the stack that was interrupted */
	*s = (struct step){ .how = how, .slot = sp, .crosses = true };
	s->leaf = sp == unwinder_sp(u);
	regs_set(&s->regs, u->t->arch->sp, sp);
	regs_set(&s->regs, u->t->arch->pc, pc);
	return STEP_FRAME;
}

static bool chain_of(struct unwinder *u, uint64_t *ret, struct err *err)
{
	return mem_u64(u->t, unwinder_sp(u), ret, err) || err_wrap(err, "back chain");
}

static enum step_result step_chain(struct unwinder *u, struct step *s, struct err *err)
{
	uint64_t sp, pc;

	if (!chain_of(u, &sp, err))
		return STEP_BROKEN;
	if (!sp)
		return STEP_END;
	if (!u->t->arch->is_kernel_va(sp) || sp & 15) {
		err_set_addr(err, ERR_CORRUPT, sp,
			     "the back chain leads to %#lx, which is no stack", (unsigned long)sp);
		return STEP_BROKEN;
	}
	if (!mem_u64(u->t, sp + LR_SAVE, &pc, err)) {
		err_wrap(err, "frame");
		return STEP_BROKEN;
	}
	return step_to(u, sp, pc, "chain", s);
}

/* ---- the first frame */

/* What a function has done to its frame before pc. Code behind a return goes on where the frame
 * still is. */
struct ppc64_frame {
	bool pushed; /* it has a frame of its own */
	bool saved;  /* its return address is in its caller's frame */
};

static bool frame_at_pc(struct unwinder *u, uint64_t pc, struct ppc64_frame *ret)
{
	struct ppc64_frame full = { false, false };
	struct symbol sym;
	struct err ignored;
	uint64_t off;
	uint32_t w;

	*ret = full;
	if (!symbol_at(u->t, pc, &sym, &off, &ignored) || off > CODE_MAX)
		return false;
	for (uint64_t at = sym.addr; at < pc; at += 4) {
		if (!mem_u32(u->t, at, &w, &ignored))
			return false;
		switch (powerpc_frame_insn(w)) {
		case POWERPC_R0_TO_STACK:
			ret->saved |= !ret->pushed;
			break;
		case POWERPC_PUSH:
			ret->pushed = true;
			full = *ret;
			break;
		case POWERPC_POP:
			ret->pushed = false;
			break;
		case POWERPC_RETURN:
			*ret = full;
			break;
		default:
			break;
		}
	}
	return true;
}

static bool is_return(struct unwinder *u, uint64_t pc)
{
	return symbol_is_text(u->t, pc - 1) && (follows_call(u->t, pc) || is_hijacked(u->t, pc));
}

/* The registers are all there: the link register has the return address as long as nothing else was
 * called. */
static enum step_result step_first(struct unwinder *u, struct step *s)
{
	uint64_t pc = unwinder_pc(u), lr = 0, sp = unwinder_sp(u);
	bool linked = regs_get(&u->regs, LINK, &lr) && is_return(u, lr);
	struct ppc64_frame frame;
	struct err ignored;

	if (step_cfi(u, s, &ignored) == STEP_FRAME) {
		s->slot = s->regs.r[u->t->arch->sp];
		return STEP_FRAME;
	}
	/* a call into nowhere; firmware has its own frames, and no return address of ours */
	if (!symbol_is_text(u->t, pc))
		return linked ? step_to(u, sp, lr, "lr", s) : STEP_NONE;
	if (!frame_at_pc(u, pc, &frame))
		return STEP_NONE;
	if (frame.pushed && !chain_of(u, &sp, &ignored))
		return STEP_NONE;
	if (!frame.saved)
		return linked && sp ? step_to(u, sp, lr, "lr", s) : STEP_NONE;
	return !frame.pushed && mem_u64(u->t, sp + LR_SAVE, &pc, &ignored) && is_return(u, pc)
		       ? step_to(u, sp, pc, "chain", s)
		       : STEP_NONE;
}

static enum step_result step(struct unwinder *u, struct step *ret, struct err *err)
{
	*ret = (struct step){ 0 };
	if ((!u->exact || !was_called(u)) && step_entry(u, ret))
		return STEP_FRAME;
	*ret = (struct step){ 0 };
	if (u->exact && step_first(u, ret) == STEP_FRAME)
		return STEP_FRAME;
	return step_chain(u, ret, err);
}

/* function_graph records the frame in which the return address is kept. */
const struct unwind_arch unwind_arch_ppc64le = {
	.arch = &arch_ppc64le,
	.step = step,
};
