/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How 64-bit RISC-V is unwound: by frame pointers, through the registers that an exception's entry
 * leaves right below its handler's frame. The first frame, which may have no record yet, is known
 * by debug info's tables. */
#include <string.h>

#include "core/arch/riscv.h"
#include "core/types/shape.h"
#include "core/unwind/step.h"

enum {
	RA = 1,
	SP = 2,
	S0 = 8, /* the frame pointer: where the stack pointer was at the call */
	PC = 32
};

/* Below it lie the return address and, below that, the caller's frame pointer. */
#define RECORD_SIZE 16
#define PT_REGS_MAX 512
#define FTRACE_ROOM 16 /* bytes of instructions that a function begins with for ftrace */

/* ---- who is who */

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(name, *names))
			return true;
	return false;
}

/* arch/riscv/kernel/entry.S, up to v6.3 with labels of their own for system calls; ret_from_fork
 * became two in v6.16. Each keeps struct pt_regs where its stack pointer is. */
static const char *const entries[] = { "handle_exception", "ret_from_exception",
				       "handle_syscall",   "check_syscall_nr",
				       "ret_from_syscall", "ret_from_syscall_rejected",
				       "resume_userspace", "ret_from_fork_user_asm",
				       "ret_from_fork",    "ret_from_fork_kernel_asm",
				       "restore_all",      NULL };
/* A thread's first code, where its entry tells of no program. */
static const char *const starts[] = { "ret_from_fork", "ret_from_fork_kernel_asm",
				      "ret_from_kernel_thread", NULL };

static const char *function_of(struct target *t, uint64_t pc)
{
	struct symbol sym;
	uint64_t off;
	struct err ignored;

	return symbol_at(t, pc, &sym, &off, &ignored) ? sym.name : "";
}

/* Code in front of the kernel's text, where a CPU begins: nobody called it. */
static bool in_head(struct target *t, uint64_t pc)
{
	uint64_t lo, hi;

	return symbol_addr(t, "_start", &lo) && symbol_addr(t, "_stext", &hi) && pc >= lo &&
	       pc < hi;
}

/* ---- entries */

static bool pt_regs_at(struct unwinder *u, uint64_t at, struct regs *ret)
{
	uint8_t bytes[PT_REGS_MAX];
	size_t n = u->t->arch->pt_regs_size;
	struct err err;

	return n <= sizeof(bytes) && mem_read(u->t, at, bytes, n, &err) &&
	       u->t->arch->regs_of_pt_regs(SPAN(bytes, n), ret, &err);
}

static enum step_result step_entry(struct unwinder *u, uint64_t at, const char *name,
				   struct step *s, struct err *err)
{
	if (!pt_regs_at(u, at, &s->regs)) {
		err_set_addr(err, ERR_CORRUPT, at, "the registers that '%s' saved at %#lx", name,
			     (unsigned long)at);
		return STEP_BROKEN;
	}
	s->how = "pt_regs";
	s->entry = s->exact = s->crosses = true;
	s->user = arch_regs_user(u->t->arch, &s->regs);
	return !s->user && is_one_of(name, starts) ? STEP_END : STEP_FRAME;
}

/*
 * A CPU at the entry's first instructions, where none of the registers is saved yet and the
 * exception's pc is in a register that no note has. What was interrupted is known by its frame: the
 * function that the return address there was the call of.
 */
static enum step_result step_entered(struct unwinder *u, const char *name, struct step *s,
				     struct err *err)
{
	uint64_t sp = unwinder_sp(u), fp, ra, func;
	uint8_t code[RISCV_CALL_BYTES];
	struct regs saved;

	if (!u->t->arch->is_kernel_va(sp)) {
		s->how = "regs";
		s->entry = s->user = true;
		s->regs = u->regs;
		s->regs.have &= ~(UINT64_C(1) << PC);
		return STEP_FRAME;
	}
	if (pt_regs_at(u, sp, &saved) && saved.r[SP] == sp + u->t->arch->pt_regs_size)
		return step_entry(u, sp, name, s, err);
	if (!regs_get(&u->regs, S0, &fp) || !u->t->arch->is_kernel_va(fp) ||
	    !mem_u64(u->t, fp - 8, &ra, err) ||
	    !mem_read(u->t, ra - sizeof(code), code, sizeof(code), err) ||
	    !u->t->arch->call_target(SPAN(code, sizeof(code)), ra, &func))
		return STEP_NONE;
	s->how = "call";
	s->leaf = s->exact = s->no_sp = true;
	s->regs = u->regs;
	regs_set(&s->regs, PC, func);
	return STEP_FRAME;
}

/* struct __arch_ftrace_regs, or before v6.14 struct ftrace_regs, lies where the stack pointer is:
 * what a function had in its registers when it called ftrace_caller, first of all. */
static bool step_traced(struct unwinder *u, struct step *s)
{
	static const char *const types[] = { "struct __arch_ftrace_regs", "struct ftrace_regs" };
	static const struct {
		const char *member;
		unsigned reg;
	} kept[] = { { "epc", PC }, { "ra", RA }, { "sp", SP }, { "s0", S0 } };
	uint64_t v, at = unwinder_sp(u);
	size_t n = 0;
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(types) && n < ARRAY_SIZE(kept); i++)
		for (n = 0; n < ARRAY_SIZE(kept) &&
			    field_u64(u->t, types[i], at, kept[n].member, &v, &err);
		     n++)
			regs_set(&s->regs, kept[n].reg, v);
	s->how = "call";
	s->exact = true;
	return n == ARRAY_SIZE(kept) && symbol_is_text(u->t, s->regs.r[PC]);
}

/* ---- the first frame */

static enum step_result step_link(struct unwinder *u, uint64_t ra, struct step *s)
{
	s->how = "lr";
	s->leaf = true;
	s->regs = u->regs;
	s->regs.have &= ~(UINT64_C(1) << RA);
	s->slot = u->regs.have >> S0 & 1 ? u->regs.r[S0] : 0;
	regs_set(&s->regs, PC, ra);
	return STEP_FRAME;
}

/* Has nothing run of the function but what the compiler left for ftrace: nops, or the call of
 * ftrace_caller that leaves its return address in t0? */
static bool is_begun(struct unwinder *u, uint64_t func, uint64_t pc)
{
	struct err err;
	uint32_t w;

	for (unsigned size; func < pc; func += size) {
		if (pc - func > FTRACE_ROOM || !mem_u32(u->t, func, &w, &err))
			return false;
		size = (w & 3) == 3 ? 4 : 2;
		/* nop; auipc t0; jalr t0,t0; c.nop */
		if (size == 4 ? w != 0x13 && (w & 0xfff) != 0x297 && (w & 0xfffff) != 0x282e7
			      : (w & 0xffff) != 1)
			return false;
	}
	return func == pc;
}

static bool on_stack(const struct unwinder *u, uint64_t at)
{
	return u->has_stack && at > u->stack.lo && at <= u->stack.hi && !(at & 7);
}

/* A function that calls nobody saves the frame pointer alone, where others have the return address.
 */
static bool is_leaf(struct unwinder *u, uint64_t fp, uint64_t *caller)
{
	struct err err;

	return on_stack(u, fp) && mem_u64(u->t, fp - 8, caller, &err) && on_stack(u, *caller) &&
	       *caller > fp;
}

/* The registers are all there: ra is the return address as long as nothing saved it. */
static enum step_result step_first(struct unwinder *u, struct step *s)
{
	uint64_t pc = unwinder_pc(u), ra = 0, fp = 0, caller, off;
	struct symbol sym;
	struct err ignored;

	if (step_cfi(u, s, &ignored) == STEP_FRAME)
		return STEP_FRAME;
	*s = (struct step){ 0 };
	if (!regs_get(&u->regs, RA, &ra) || !symbol_is_text(u->t, ra - 1) ||
	    (!follows_call(u->t, ra) && !is_hijacked(u->t, ra)))
		return STEP_NONE;
	if (!symbol_is_text(u->t, pc))
		return step_link(u, ra, s);
	if (symbol_at(u->t, pc, &sym, &off, &ignored) && is_begun(u, sym.addr, pc))
		return step_link(u, ra, s);
	if (!regs_get(&u->regs, S0, &fp) || !is_leaf(u, fp, &caller))
		return STEP_NONE;
	s->how = "lr";
	s->slot = caller;
	regs_set(&s->regs, S0, caller);
	regs_set(&s->regs, SP, fp);
	regs_set(&s->regs, PC, ra);
	return STEP_FRAME;
}

/* ---- the others */

static enum step_result step_fp(struct unwinder *u, struct step *s, struct err *err)
{
	uint64_t fp, record[2];

	if (!regs_get(&u->regs, S0, &fp)) {
		err_set(err, ERR_NEED, "the frame pointer is not known");
		return STEP_BROKEN;
	}
	if (!u->t->arch->is_kernel_va(fp) || fp & 7) {
		err_set_addr(err, ERR_CORRUPT, fp, "the frame pointer %#lx is no kernel address",
			     (unsigned long)fp);
		return STEP_BROKEN;
	}
	if (!mem_words(u->t, fp - RECORD_SIZE, record, 2, err)) {
		err_wrap(err, "frame record");
		return STEP_BROKEN;
	}
	/* call_on_irq_stack() leaves its record on the stack it came from */
	*s = (struct step){ .how = "fp", .slot = record[0], .crosses = true };
	regs_set(&s->regs, S0, record[0]);
	regs_set(&s->regs, SP, fp);
	regs_set(&s->regs, PC, record[1]);
	return STEP_FRAME;
}

static enum step_result step(struct unwinder *u, struct step *ret, struct err *err)
{
	uint64_t pc = unwinder_pc(u), fp;
	const char *name = function_of(u->t, u->exact ? pc : pc - 1);
	struct step s = { 0 };
	enum step_result r = STEP_NONE;
	struct err ignored;

	if (!u->exact && is_one_of(name, entries))
		r = step_entry(u, unwinder_sp(u), name, &s, err);
	else if (!u->exact && !strcmp(name, "handle_bad_stack") && regs_get(&u->regs, S0, &fp))
		r = step_entry(u, fp, name, &s, err); /* it was jumped to */
	else if (!u->exact && in_head(u->t, pc))
		r = STEP_END;
	else if (!u->exact && !strcmp(name, "ftrace_caller") && step_traced(u, &s))
		r = STEP_FRAME;
	else if (u->exact && !strcmp(name, entries[0]))
		r = step_entered(u, name, &s, err);
	else if (u->exact && !u->no_sp)
		r = step_first(u, &s);
	if (r == STEP_NONE)
		r = step_fp(u, &s, err);
	if (r == STEP_BROKEN && !s.entry && step_cfi(u, &s, &ignored) == STEP_FRAME)
		r = STEP_FRAME;
	*ret = s;
	return r;
}

/* What a function called last has its record right below. Of code that was interrupted that may be
 * the record of somebody who is gone. */
static bool told_fp(struct target *t, uint64_t sp, bool exact, uint64_t *ret)
{
	struct err ignored;

	return !exact && mem_u64(t, sp - RECORD_SIZE, ret, &ignored) && *ret > sp;
}

/* The kernel notes where the return address lay while it was traced, which is no place on the
 * caller's stack; it checks the caller's frame pointer, which it notes as well. */
const struct unwind_arch unwind_arch_riscv64 = {
	.arch = &arch_riscv64,
	.step = step,
	.told_fp = told_fp,
};
