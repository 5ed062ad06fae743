/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How LoongArch is unwound: by debug info's tables, and where there are none by the instructions
 * that a function begins with, which make its frame; through the registers that entries leave on
 * the stack. */
#include <string.h>

#include "core/types/shape.h"
#include "core/unwind/step.h"

enum {
	ZERO,
	RA,
	SP = 3,
	T0 = 12,
	FP = 22,
	S8 = 31,
	PC = 33
};

#define PT_REGS_SIZE 320
#define PT_SP (SP * 8)
#define PT_ERA (PC * 8)
#define WORD 4
/* Where a frame's return address lies in the registers that ftrace_caller keeps right below that
 * frame, which is what function_graph notes (arch/loongarch/kernel/ftrace_dyn.c). */
#define FGRAPH_BELOW (PT_REGS_SIZE - RA * 8)

static const char *function_of(struct target *t, uint64_t pc)
{
	struct symbol sym;
	uint64_t off;
	struct err ignored;

	return symbol_at(t, pc, &sym, &off, &ignored) ? sym.name : "";
}

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(name, *names))
			return true;
	return false;
}

/* ---- entries: arch/loongarch/kernel/entry.S and genex.S */

static bool pt_regs_at(struct unwinder *u, uint64_t at, struct regs *ret)
{
	uint8_t bytes[PT_REGS_SIZE];
	struct err err;

	return mem_read(u->t, at, bytes, sizeof(bytes), &err) &&
	       u->t->arch->regs_of_pt_regs(SPAN(bytes, sizeof(bytes)), ret, &err);
}

static enum step_result entered(struct unwinder *u, const struct regs *saved, struct step *s)
{
	s->regs = *saved;
	s->how = "pt_regs";
	s->entry = s->exact = s->crosses = true;
	s->user = arch_regs_user(u->t->arch, saved);
	return STEP_FRAME;
}

/*
 * Exceptions are served by copies of code, whose functions have no names: the
 * kernel makes one for all CPUs, or, with NUMA, one for each. What calls from there has the
 * registers where the stack pointer is: those of a program, or those of the kernel, whose stack
 * pointer was right above them.
 */
static bool in_handler(struct unwinder *u, const char *name, struct regs *saved)
{
	uint64_t at = unwinder_sp(u), sp;

	if (u->exact ||
	    (strcmp(name, "exception_handlers") != 0 && symbol_is_text(u->t, unwinder_pc(u) - 1)) ||
	    !pt_regs_at(u, at, saved))
		return false;
	return arch_regs_user(u->t->arch, saved) ||
	       (regs_get(saved, SP, &sp) && sp == at + PT_REGS_SIZE);
}

/* A thread's first code keeps registers at the stack's very end: those of a program, or zeroes.
 * Since v6.16 what has these names without "_asm" is a plain function, with a frame of its own. */
static enum step_result step_start(struct unwinder *u, struct step *s)
{
	struct regs saved;

	if (!u->has_stack || u->stack.hi - unwinder_sp(u) != PT_REGS_SIZE ||
	    !pt_regs_at(u, unwinder_sp(u), &saved))
		return STEP_NONE;
	return saved.r[PC] ? entered(u, &saved, s) : STEP_END;
}

static const char *const starts[] = { "ret_from_fork", "ret_from_fork_asm",
				      "ret_from_kernel_thread", "ret_from_kernel_thread_asm",
				      NULL };
/* arch/loongarch/kernel/head.S: nobody called it */
static const char *const heads[] = { "kernel_entry", "smpboot_entry", NULL };
static const char *const serves[] = { "handle_syscall", "handle_sys", NULL };

/* ---- tracers: arch/loongarch/kernel/mcount_dyn.S */

static const char *const tracing[] = { "ftrace_common",     "ftrace_common_return", "ftrace_call",
				       "ftrace_graph_call", "ftrace_graph_caller",  NULL };
static const char *const traced[] = { "ftrace_caller", "ftrace_regs_caller", NULL };

/* The function that called ftrace_caller, whose registers are kept where the stack pointer is. */
static bool step_traced(struct unwinder *u, struct step *s)
{
	uint64_t at = unwinder_sp(u);
	struct regs saved;

	if (!pt_regs_at(u, at, &saved) || saved.r[SP] != at + PT_REGS_SIZE)
		return false;
	s->regs = u->regs;
	regs_set(&s->regs, PC, saved.r[PC]);
	regs_set(&s->regs, RA, saved.r[RA]);
	regs_set(&s->regs, SP, saved.r[SP]);
	regs_set(&s->regs, FP, saved.r[FP]);
	s->how = "call";
	s->exact = true;
	return symbol_is_text(u->t, s->regs.r[PC]);
}

/* The same before it has kept them: its own return address is in ra, and that of the function that
 * called it in t0. */
static bool step_tracing(struct unwinder *u, struct step *s)
{
	uint64_t sp = unwinder_sp(u), kept;
	struct err ignored;

	s->regs = u->regs;
	s->regs.have &= ~(UINT64_C(1) << T0);
	if ((u->regs.have & (1u << RA | 1u << T0)) != (1u << RA | 1u << T0))
		return false;
	if (mem_u64(u->t, sp + PT_SP, &kept, &ignored) && kept == sp + PT_REGS_SIZE)
		regs_set(&s->regs, SP, kept);
	regs_set(&s->regs, PC, u->regs.r[RA]);
	regs_set(&s->regs, RA, u->regs.r[T0]);
	s->how = "call";
	s->exact = s->leaf = true;
	return symbol_is_text(u->t, s->regs.r[PC]);
}

/* return_to_handler while it asks where to return to. */
static bool step_returning(struct unwinder *u, struct step *s)
{
	const struct unwind_hooks *h = u->t->unwind_hooks;
	uint64_t below = unwinder_sp(u), slot = below + RA * 8, pc;
	struct err ignored;

	if (u->exact || !h || !h->fgraph_pop ||
	    !h->fgraph_pop(u->t, u->task, &slot, 8, &pc, &ignored))
		return false;
	s->regs = u->regs;
	regs_set(&s->regs, SP, below + PT_REGS_SIZE);
	regs_set(&s->regs, PC, pc);
	s->how = "fgraph";
	return true;
}

/* ---- prologues */

/* A function's frame is made by its first addi.d of sp, or the first few; what it saves lies there
 * before it branches. */
#define CODE_MAX 16384
#define SAVES_MAX 64 /* instructions between the first and the last */

struct prologue {
	uint64_t size;      /* of the frame; 0: none is made before the address asked for */
	uint32_t saved;     /* registers that lie in it, a bit each */
	uint64_t below[32]; /* how far below the frame's upper end */
	bool unknown;       /* its size is not in the code */
};

static bool is_branch(uint32_t w)
{
	return w >> 26 >= 0x10 && w >> 26 <= 0x1b;
}

/* addi.d sp, sp, by a number, of which *ret is what the frame grows by */
static bool is_alloc(uint32_t w, uint64_t *ret)
{
	*ret = -((uint64_t)(w >> 10 & 0xfff) ^ 0x800) + 0x800;
	return (w & 0xffc003ff) == 0x02c00063;
}

/* st.d, or stptr.d of a register to the stack; *off is how far above sp */
static bool is_save(uint32_t w, unsigned *reg, uint64_t *off)
{
	*reg = w & 31;
	*off = w >> 24 == 0x27 ? (uint64_t)(w >> 10 & 0x3fff) << 2 : w >> 10 & 0xfff;
	return (w >> 5 & 31) == SP && (w >> 24 == 0x27 || w >> 22 == 0xa7) && *off < 0x800;
}

static void saves(struct prologue *p, uint32_t w)
{
	unsigned reg;
	uint64_t off;

	if (!is_save(w, &reg, &off) || off >= p->size || (reg != RA && reg < FP) ||
	    p->saved >> reg & 1)
		return;
	p->saved |= UINT32_C(1) << reg;
	p->below[reg] = p->size - off;
}

/* What of the function from `start` on was done before `end`, read in a straight line. */
static bool prologue_read(struct target *t, uint64_t start, uint64_t end, struct prologue *ret,
			  struct err *err)
{
	unsigned left = SAVES_MAX;
	uint64_t grows;
	uint32_t w;

	*ret = (struct prologue){ .size = 0 };
	for (uint64_t at = start; at < end && left; at += WORD) {
		if (at - start > CODE_MAX)
			return err_set_addr(err, ERR_LIMIT, start, "no frame is made in %d bytes",
					    CODE_MAX);
		if (!mem_u32(t, at, &w, err))
			return false;
		left -= ret->size != 0;
		if (ret->size && is_branch(w))
			break;
		if (is_alloc(w, &grows) && grows >> 63 == 0) {
			/* what was saved is further below the end than it was */
			ret->size += grows;
			left = left ? left : 1;
		} else if ((w & 0xffff83ff) == 0x00118063) { /* sub.d sp, sp, reg */
			ret->unknown = true;
			break;
		} else {
			saves(ret, w);
		}
	}
	return true;
}

/* Is the frame gone, or about to go with nothing left to do but to return? From an interrupted
 * instruction on, in a straight line, a ret comes, and no addi.d of sp before it. */
static bool is_gone(struct target *t, uint64_t pc)
{
	uint64_t grows;
	uint32_t w;
	struct err ignored;

	for (unsigned i = 0; i < 16 && mem_u32(t, pc + i * WORD, &w, &ignored); i++) {
		if (w == 0x4c000020) /* ret */
			return true;
		if (is_alloc(w, &grows) || is_branch(w))
			return false;
	}
	return false;
}

/* Nothing of the function lies on the stack: ra has the return address. */
static enum step_result step_link(struct unwinder *u, uint64_t size, struct step *s)
{
	uint64_t ra;

	if (!u->exact || !regs_get(&u->regs, RA, &ra) || !symbol_is_text(u->t, ra - 1) ||
	    (!follows_call(u->t, ra) && !is_hijacked(u->t, ra)))
		return STEP_NONE;
	s->how = "lr";
	s->leaf = !size;
	s->regs = u->regs;
	s->regs.have &= ~(UINT64_C(1) << RA);
	regs_set(&s->regs, SP, unwinder_sp(u) + size);
	regs_set(&s->regs, PC, ra);
	return STEP_FRAME;
}

/* Reads what the function saved in its frame, whose upper end is `cfa`. */
static bool take_saved(struct unwinder *u, const struct prologue *p, uint64_t cfa, struct step *s,
		       struct err *err)
{
	uint64_t v;

	s->regs = u->regs;
	s->regs.have &= u->t->arch->callee_saved;
	for (unsigned i = 0; i < 32; i++) {
		if (!(p->saved >> i & 1))
			continue;
		if (!mem_u64(u->t, cfa - p->below[i], &v, err))
			return false;
		regs_set(&s->regs, i == RA ? PC : i, v);
	}
	regs_set(&s->regs, SP, cfa);
	s->how = "prologue";
	return true;
}

static enum step_result no_caller(struct unwinder *u, struct err *err, const char *why)
{
	err_set_addr(err, ERR_CORRUPT, unwinder_pc(u), "%s", why);
	return STEP_BROKEN;
}

static enum step_result step_prologue(struct unwinder *u, struct step *s, struct err *err)
{
	uint64_t pc = unwinder_pc(u), off;
	struct prologue p;
	struct symbol sym;
	enum step_result r;

	if (u->exact && !symbol_is_text(u->t, pc)) {
		/* a jump into nowhere has run nothing since its call */
		r = step_link(u, 0, s);
		return r == STEP_NONE
			       ? no_caller(u, err, "it is no code, and ra is no return address")
			       : r;
	}
	if (!symbol_at(u->t, pc - !u->exact, &sym, &off, err))
		return STEP_BROKEN;
	if (!prologue_read(u->t, sym.addr, u->exact ? pc : pc - WORD, &p, err)) {
		err_wrap(err, "code of '%s'", sym.name);
		return STEP_BROKEN;
	}
	if (u->exact && p.size && is_gone(u->t, pc))
		p = (struct prologue){ .size = 0 };
	if (p.unknown)
		return no_caller(u, err, "no debug info and no instruction tells its frame's size");
	if (!(p.saved >> RA & 1)) {
		r = step_link(u, p.size, s);
		return r == STEP_NONE
			       ? no_caller(u, err, "it saved no return address, and ra has none")
			       : r;
	}
	if (!take_saved(u, &p, unwinder_sp(u) + p.size, s, err)) {
		err_wrap(err, "frame of '%s'", sym.name);
		return STEP_BROKEN;
	}
	return STEP_FRAME;
}

/* ---- from the stack of interrupts */

/* do_vint() leaves its stack pointer's value at the entry in the word where that of interrupts
 * begins, 16 bytes from its end: there its frame ends (arch/loongarch/kernel/traps.c). */
static enum step_result step_from_irq(struct unwinder *u, struct step *s, struct err *err)
{
	uint64_t pc = unwinder_pc(u), off, cfa;
	struct prologue p;
	struct symbol sym;

	if (u->exact || !u->has_stack || strcmp(u->stack.name, "IRQ") != 0 ||
	    u->stack.hi - unwinder_sp(u) != 16)
		return STEP_NONE;
	if (!mem_u64(u->t, unwinder_sp(u), &cfa, err) ||
	    !symbol_at(u->t, pc - 1, &sym, &off, err) ||
	    !prologue_read(u->t, sym.addr, pc - WORD, &p, err) || !(p.saved >> RA & 1) ||
	    !take_saved(u, &p, cfa, s, err))
		return STEP_BROKEN;
	s->crosses = true;
	return STEP_FRAME;
}

/* do_syscall() moves its stack pointer by chance (RANDOMIZE_KSTACK_OFFSET), and what tells by how
 * much is in a register that functions which never return do not keep. It was called where the
 * registers of the program lie, at the stack's end. */
static enum step_result step_syscall(struct unwinder *u, struct step *s)
{
	uint64_t pc = unwinder_pc(u), off, cfa, ra;
	struct prologue p;
	struct symbol sym;
	struct err err;

	if (u->exact || !u->has_stack || u->stack.hi - unwinder_sp(u) <= PT_REGS_SIZE)
		return STEP_NONE;
	cfa = u->stack.hi - PT_REGS_SIZE;
	if (!symbol_at(u->t, pc - 1, &sym, &off, &err) ||
	    !prologue_read(u->t, sym.addr, pc - WORD, &p, &err) || !(p.saved >> RA & 1) ||
	    !take_saved(u, &p, cfa, s, &err) || !regs_get(&s->regs, PC, &ra) ||
	    !is_one_of(function_of(u->t, ra - 1), serves))
		return STEP_NONE;
	return STEP_FRAME;
}

/* ---- all of it */

/* What has a name of the kernel's assembly. */
static enum step_result step_named(struct unwinder *u, const char *name, struct step *s)
{
	struct regs saved;

	if (is_one_of(name, starts))
		return step_start(u, s);
	if (!u->exact && is_one_of(name, heads))
		return STEP_END;
	if (!u->exact && is_one_of(name, serves) && pt_regs_at(u, unwinder_sp(u), &saved))
		return entered(u, &saved, s);
	if (is_one_of(name, tracing) && step_traced(u, s))
		return STEP_FRAME;
	if (u->exact && is_one_of(name, traced) && step_tracing(u, s))
		return STEP_FRAME;
	if (!strcmp(name, "return_to_handler") && step_returning(u, s))
		return STEP_FRAME;
	return STEP_NONE;
}

static enum step_result step(struct unwinder *u, struct step *ret, struct err *err)
{
	uint64_t pc = unwinder_pc(u), sp;
	const char *name = function_of(u->t, u->exact ? pc : pc - 1);
	struct step s = { 0 };
	enum step_result r;
	struct regs saved;
	struct err ignored;

	r = in_handler(u, name, &saved) ? entered(u, &saved, &s) : step_named(u, name, &s);
	if (r == STEP_NONE && !strcmp(name, "do_vint"))
		r = step_from_irq(u, &s, err);
	if (r == STEP_NONE && !strcmp(name, "do_syscall"))
		r = step_syscall(u, &s);
	if (r == STEP_NONE)
		r = step_cfi(u, &s, &ignored);
	if (r == STEP_NONE) {
		s = (struct step){ 0 };
		r = step_prologue(u, &s, err);
	}
	/* code of the start is gone: only its name is left */
	if (r == STEP_BROKEN && !u->exact && !strcmp(name, "start_kernel"))
		r = STEP_END;
	if (r == STEP_FRAME && !s.entry && regs_get(&s.regs, SP, &sp))
		s.slot = sp - FGRAPH_BELOW;
	*ret = s;
	return r;
}

/* ---- where a CPU was, whose note has no program counter */

/* Does the call before the return address `ra` lead to the function that `pc` is in? */
static bool is_called_from(struct target *t, uint64_t ra, uint64_t pc)
{
	struct symbol sym;
	uint8_t code[WORD];
	uint64_t off, to;
	struct err ignored;

	return mem_read(t, ra - WORD, code, WORD, &ignored) &&
	       t->arch->call_target(SPAN(code, WORD), ra, &to) &&
	       symbol_at(t, pc, &sym, &off, &ignored) && sym.addr == to;
}

/* The return address that is found from here; 0: none. */
static uint64_t caller_of(const struct unwinder *from)
{
	struct unwinder u = *from;
	struct step s = { 0 };
	struct err ignored;
	uint64_t pc;

	return step(&u, &s, &ignored) == STEP_FRAME && !s.entry && regs_get(&s.regs, PC, &pc) ? pc
											      : 0;
}

/* The function at pc is on the stack, or what it called last returned to it. */
static bool borne_out(struct unwinder *u, uint64_t pc, uint64_t ra)
{
	struct symbol sym;
	uint64_t off, from;
	struct err ignored;

	if (!symbol_is_text(u->t, pc) || !symbol_at(u->t, pc, &sym, &off, &ignored))
		return false;
	from = caller_of(u);
	return from && is_called_from(u->t, from, pc) &&
	       (ra == from || (ra - sym.addr <= sym.size && follows_call(u->t, ra)));
}

/*
 * The note's pc is that of the last exception: older than all other registers, unless the CPU was
 * nowhere else since. ra has the address to which the function that ran returns, or to which what
 * it called last did; the stack pointer is below the frame of what that address is in by the frame
 * of what was called from there, if it has one by now.
 */
static void settle(struct unwinder *u)
{
	uint64_t pc = unwinder_pc(u), sp = unwinder_sp(u), ra, callee;
	uint8_t code[WORD];
	struct prologue p;
	struct err ignored;

	if (!regs_get(&u->regs, RA, &ra) || !symbol_is_text(u->t, ra - 1) ||
	    !follows_call(u->t, ra) || borne_out(u, pc, ra))
		return;
	u->exact = false;
	regs_set(&u->regs, PC, ra);
	u->regs.have &= ~(UINT64_C(1) << RA);
	u->known = u->regs;
	if (is_called_from(u->t, caller_of(u), ra - 1) ||
	    !mem_read(u->t, ra - WORD, code, WORD, &ignored) ||
	    !u->t->arch->call_target(SPAN(code, WORD), ra, &callee) ||
	    !prologue_read(u->t, callee, callee + CODE_MAX, &p, &ignored) || !p.size)
		return;
	regs_set(&u->regs, SP, sp + p.size);
	if (!is_called_from(u->t, caller_of(u), ra - 1))
		regs_set(&u->regs, SP, sp);
	u->known = u->regs;
}

const struct unwind_arch unwind_arch_loongarch64 = {
	.arch = &arch_loongarch64,
	.step = step,
	.settle = settle,
};
