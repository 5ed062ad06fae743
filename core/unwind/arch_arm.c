/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How 32-bit ARM is unwound: by exception index tables, or frame pointers where a kernel has none.
 */
#include <string.h>

#include "core/unwind/exidx.h"
#include "core/unwind/step.h"

enum {
	FP = 11,
	SP = 13,
	LR,
	PC
};

#define REGS_ALL 0xffffu
#define CALLEE_SAVED 0xff0u /* r4 to r11 */
/* Above pt_regs at the top of a task's stack: arch/arm/include/asm/thread_info.h, THREAD_START_SP
 */
#define STACK_RESERVED 8u
/* The first function of a stack keeps next to nothing above it. */
#define BOTTOM_MAX 256u

static bool in_entry_text(struct target *t, uint64_t pc)
{
	uint64_t lo, hi;

	return symbol_addr(t, "__entry_text_start", &lo) &&
	       symbol_addr(t, "__entry_text_end", &hi) && pc >= lo && pc < hi;
}

/* The entry code makes system calls return to ret_fast_syscall, whose first instruction follows no
 * call: a label of its own that is where it goes on. */
static bool arm_entry_label(struct target *t, uint64_t pc)
{
	struct symbol sym;
	uint64_t off;
	struct err err;

	return in_entry_text(t, pc) && symbol_at(t, pc, &sym, &off, &err) && off == 0;
}

static bool pt_regs_at(struct unwinder *u, uint64_t va, struct regs *ret)
{
	uint8_t bytes[72];
	struct err err;

	return mem_read(u->t, va, bytes, sizeof(bytes), &err) &&
	       u->t->arch->regs_of_pt_regs(SPAN(bytes, sizeof(bytes)), ret, &err);
}

static enum step_result step_regs(const struct unwinder *u, const struct regs *r, struct step *s)
{
	s->regs = *r;
	s->entry = s->exact = s->crosses = true;
	s->how = "pt_regs";
	s->user = u->t->arch->regs_user(r);
	return STEP_FRAME;
}

/* ---- where stacks begin */

/* What nobody can unwind: the entry from user space, or a thread's first function. The registers of
 * user space lie at the stack's top; a kernel thread has zeros there. */
static enum step_result step_bottom(struct unwinder *u, struct step *s)
{
	struct regs r;

	if (u->has_stack && in_entry_text(u->t, unwinder_pc(u) - !u->exact) &&
	    pt_regs_at(u, u->stack.hi - STACK_RESERVED - u->t->arch->pt_regs_size, &r) &&
	    u->t->arch->regs_user(&r))
		return step_regs(u, &r, s);
	return STEP_END;
}

/* Idle tasks come from head.S, which runs at physical addresses and leaves such a one, or zero, in
 * lr. */
static bool from_head(struct unwinder *u, uint64_t pc, uint64_t sp)
{
	return u->has_stack && u->stack.hi - sp <= BOTTOM_MAX && !symbol_is_text(u->t, pc);
}

/* ---- by the tables */

static bool read_stack(void *self, uint64_t va, uint32_t *ret, struct err *err)
{
	struct unwinder *u = self;

	return mem_u32(u->t, va, ret, err);
}

#define FUNCTION_MAX 65536u

/* Does the function return anywhere? In those that never do, gcc saves no registers but what it
 * pushes for the stack's alignment. */
static bool returns(struct target *t, uint64_t pc)
{
	struct symbol sym;
	uint64_t off, end;
	uint32_t insn;
	struct err err;

	if (!symbol_at(t, pc, &sym, &off, &err))
		return false;
	end = sym.addr + (sym.size < FUNCTION_MAX ? sym.size : FUNCTION_MAX);
	for (uint64_t at = sym.addr & ~UINT64_C(3); at < end; at += 4) {
		if (!mem_u32(t, at, &insn, &err))
			return false;
		insn &= 0x0fffffff;
		/* ldm sp, {..., pc}; ldr pc, [sp], #4; bx lr; mov pc, lr */
		if ((insn & 0x0fdf8000) == 0x089d8000 || insn == 0x049df004 || insn == 0x012fff1e ||
		    insn == 0x01a0f00e)
			return true;
	}
	return false;
}

/* What survives a call: r4 to r11, and what the function itself had saved. */
static void frame_to_regs(const struct exidx_frame *f, struct regs *ret)
{
	uint32_t keep = (f->popped | CALLEE_SAVED | 1u << SP | 1u << PC) & f->known & ~(1u << LR);

	*ret = (struct regs){ 0 };
	for (unsigned i = 0; i < 16; i++)
		if (keep >> i & 1)
			regs_set(ret, i, f->r[i]);
}

static enum step_result step_table(struct unwinder *u, const struct exidx *x, struct step *s,
				   struct err *err)
{
	struct exidx_frame f = { 0 };
	uint64_t at = unwinder_sp(u);
	struct regs r;

	for (unsigned i = 0; i < 16; i++)
		if (u->regs.have >> i & 1) {
			f.r[i] = (uint32_t)u->regs.r[i];
			f.known |= 1u << i;
		}
	if (!u->exact) /* what a call leaves in lr is its own */
		f.known &= ~(1u << LR);
	if (!exidx_run(SPAN(x->code, x->n), &f, read_stack, u, err))
		return err->code == ERR_NOTFOUND ? step_bottom(u, s) : STEP_BROKEN;
	/* an exception's entry saves everything, as struct pt_regs has it; of one that found no
	 * room on the stack (__bad_stack) the table tells sp and pc alone, which must be the same
	 */
	if ((f.popped & (1u << SP | 1u << PC)) == (1u << SP | 1u << PC) && pt_regs_at(u, at, &r) &&
	    (f.popped == REGS_ALL || (r.r[SP] == f.r[SP] && r.r[PC] == f.r[PC])))
		return step_regs(u, &r, s);
	frame_to_regs(&f, &s->regs);
	regs_set(&s->regs, PC, f.r[PC] & ~1u);
	s->how = "exidx";
	s->crosses = f.moved;
	s->leaf = u->exact && !f.popped;
	s->doubt = !(f.popped >> FP & 1);
	if (u->registers &&
	    (follows_call(u->t, f.r[PC] & ~1u) || is_hijacked(u->t, f.r[PC] & ~1u) ||
	     arm_entry_label(u->t, f.r[PC] & ~1u))) {
		s->saved = f.popped & CALLEE_SAVED;
		s->keeps = returns(u->t, unwinder_pc(u) - !u->exact);
	}
	/* kretprobes know a return address by the caller's frame pointer; function_graph by its
	 * order alone */
	s->slot = f.known >> FP & 1 ? f.r[FP] : 0;
	s->exact = arm_entry_label(u->t, s->regs.r[PC]);
	if (from_head(u, s->regs.r[PC], f.r[SP]))
		return STEP_END;
	return STEP_FRAME;
}

/* Nothing has run of this function, or it is no function at all: lr has the return address. */
static enum step_result step_lr(struct unwinder *u, uint64_t lr, struct step *s)
{
	s->how = "lr";
	s->leaf = s->keeps = true;
	s->regs = u->regs;
	s->regs.have &= ~(UINT64_C(1) << LR);
	regs_set(&s->regs, PC, lr & ~UINT64_C(1));
	s->slot = u->regs.have >> FP & 1 ? u->regs.r[FP] : 0;
	s->exact = arm_entry_label(u->t, s->regs.r[PC]);
	return STEP_FRAME;
}

/* ---- by frame pointers */

/*
 * gcc -mapcs-frame pushes fp, sp, lr and pc; fp points at the last. clang pushes fp and lr and
 * points at the first. The saved pc, 8 or 12 bytes into its function, tells them apart.
 */
static enum step_result step_fp(struct unwinder *u, struct step *s, struct err *err)
{
	uint64_t fp, w[5];

	if (!regs_get(&u->regs, FP, &fp) || fp & 3 || fp < 12 || !u->t->arch->is_kernel_va(fp)) {
		err_set_addr(err, ERR_CORRUPT, unwinder_pc(u),
			     "no exception index and no frame pointer tell the caller");
		return STEP_BROKEN;
	}
	if (!mem_words(u->t, fp - 12, w, 5, err)) {
		err_wrap(err, "frame record");
		return STEP_BROKEN;
	}
	s->how = "fp";
	s->crosses = true;
	if (symbol_is_text(u->t, w[3])) {
		regs_set(&s->regs, FP, w[0]);
		regs_set(&s->regs, SP, w[1]);
		regs_set(&s->regs, PC, w[2] & ~UINT64_C(1));
	} else {
		regs_set(&s->regs, FP, w[3]);
		regs_set(&s->regs, SP, fp + 8);
		regs_set(&s->regs, PC, w[4] & ~UINT64_C(1));
	}
	s->slot = s->regs.r[FP];
	s->exact = arm_entry_label(u->t, s->regs.r[PC]);
	return STEP_FRAME;
}

static enum step_result step(struct unwinder *u, struct step *ret, struct err *err)
{
	uint64_t pc = unwinder_pc(u), lr;
	struct step s = { 0 };
	enum step_result r;
	struct exidx x;

	if (arm_tracing_code(u->t, u->exact ? pc : pc - 1))
		r = step_arm_code(u, &s, err);
	else if (u->exact && !symbol_is_text(u->t, pc) && regs_get(&u->regs, LR, &lr) &&
		 symbol_is_text(u->t, lr & ~UINT64_C(1)) && follows_call(u->t, lr & ~UINT64_C(1)))
		r = step_lr(u, lr, &s);
	else if (!symbol_is_text(u->t, u->exact ? pc : pc - 1) ||
		 !exidx_find(u->t, u->exact ? pc : pc - 1, &x, err))
		r = step_fp(u, &s, err);
	else if (x.cantunwind)
		r = step_bottom(u, &s);
	else if (u->exact && pc == x.func && regs_get(&u->regs, LR, &lr) && lr != pc)
		r = step_lr(u, lr, &s);
	else
		r = step_table(u, &x, &s, err);
	*ret = s;
	return r;
}

/* ---- beside a step */

/*
 * prepare_ftrace_return() replaces the address before it records it. Until then the
 * copy has it that was pushed for the call of __gnu_mcount_nc, at a function's start; that call
 * lies right below, as long as it has not returned (arch/arm/kernel/entry-ftrace.S and ftrace.c).
 */
static bool copy_for_mcount(const struct unwinder *u, uint64_t *pc)
{
	uint64_t sp = unwinder_sp(u), call, copy;
	struct err ignored;

	if (!mem_ptr(u->t, sp - 8, &call, &ignored) || call != unwinder_pc(u) ||
	    !mem_ptr(u->t, sp - 4, &copy, &ignored) || is_hijacked(u->t, copy) ||
	    !follows_call(u->t, copy))
		return false;
	*pc = copy;
	return true;
}

/* function_graph knows it by the stack pointer, which frame pointers do not tell. */
static bool put_back_here(struct unwinder *u, struct step *s, struct err *err)
{
	uint64_t *pc = &s->regs.r[PC], sp = strcmp(s->how, "fp") != 0 ? s->regs.r[SP] : 0;

	if (!put_back(u, s->slot, sp, &u->fgraph, pc, err) &&
	    !(err->code == ERR_NOTFOUND && copy_for_mcount(u, pc)))
		return false;
	s->exact = arm_entry_label(u->t, *pc);
	return true;
}

/* What the exception index had read from the stack. Debug info knows no more of it; it
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

const struct unwind_arch unwind_arch_arm = {
	.arch = &arch_arm,
	.step = step,
	.put_back = put_back_here,
	.recover = by_index,
};
