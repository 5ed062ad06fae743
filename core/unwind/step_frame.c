/* SPDX-License-Identifier: GPL-3.0-or-later */
/* x86-64 without ORC: frame pointers, where functions keep them, and the registers that entry code
 * saved. Facts: arch/x86/kernel/unwind_frame.c and ENCODE_FRAME_POINTER in arch/x86/entry. */
#include <string.h>

#include "core/unwind/orc.h"
#include "core/unwind/step.h"

enum {
	RBP = 6,
	RSP = 7,
	RIP = 16
};

/* ---- registers that an entry saved */

static bool reg_named(struct target *t, const struct regs *r, const char *name, uint64_t *ret)
{
	for (unsigned i = 0; i < REGS_MAX; i++) {
		const char *n = t->arch->reg_names[i];

		if (n && !strcmp(n, name))
			return regs_get(r, i, ret);
	}
	return false;
}

/* struct pt_regs at an address, if what lies there can be one. */
static bool regs_at(struct unwinder *u, uint64_t addr, struct step *s)
{
	const struct arch *arch = u->t->arch;
	uint64_t cs, flags;
	uint8_t bytes[512];
	struct err ignored;

	if (arch->pt_regs_size > sizeof(bytes) ||
	    !mem_read(u->t, addr, bytes, arch->pt_regs_size, &ignored) ||
	    !arch->regs_of_pt_regs(SPAN(bytes, arch->pt_regs_size), &s->regs, &ignored) ||
	    !reg_named(u->t, &s->regs, "cs", &cs) || !reg_named(u->t, &s->regs, "rflags", &flags))
		return false;
	/* __USER_CS, __USER32_CS and __KERNEL_CS; bit 1 of the flags is always set */
	s->user = cs == 0x33 || cs == 0x23;
	if ((!s->user && cs != 0x10) || !(flags & 2) || flags >> 22)
		return false;
	s->entry = s->exact = s->crosses = true;
	s->how = "pt_regs";
	return s->user || arch->is_kernel_va(s->regs.r[RSP]);
}

static bool in_entry_text(struct target *t, uint64_t pc)
{
	uint64_t lo, hi;

	return symbol_addr(t, "__entry_text_start", &lo) &&
	       symbol_addr(t, "__entry_text_end", &hi) && pc >= lo && pc < hi;
}

/* A thread's first function; what lies behind it are registers that were never anybody's. */
static bool is_first(struct target *t, uint64_t pc)
{
	static const char *const names[] = { "ret_from_fork", "secondary_startup_64",
					     "start_cpu0" };
	const char *name = symbol_text(t, pc, t->scratch);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

enum step_result step_entry_x86(struct unwinder *u, struct step *ret, struct err *err)
{
	uint64_t pc = unwinder_pc(u) - (u->exact ? 0 : 1);
	struct step s = { .how = "pt_regs" };

	(void)err;
	if (orc_loaded(u->t) || u->exact)
		return STEP_NONE;
	/* entry code calls with nothing but the registers on its stack */
	if ((in_entry_text(u->t, pc) || is_first(u->t, pc)) && regs_at(u, unwinder_sp(u), &s)) {
		*ret = s;
		return STEP_FRAME;
	}
	return is_first(u->t, pc) ? STEP_END : STEP_NONE;
}

/* ---- frame pointers */

/* Where push %rbp ends, behind endbr64 and the call or nop of ftrace; 0: the function keeps no
 * frame pointer. */
static uint64_t pushed_at(struct target *t, uint64_t pc)
{
	static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	static const uint8_t frame[] = { 0x55, 0x48, 0x89, 0xe5 }; /* push %rbp; mov %rsp,%rbp */
	uint8_t code[16] = { 0 };
	struct symbol sym;
	struct err err;
	uint64_t off;
	size_t i = 0;

	if (!symbol_at(t, pc, &sym, &off, &err) ||
	    mem_read_some(t, sym.addr, code, sizeof(code), &err) < sizeof(code))
		return 0;
	if (!memcmp(code, endbr, sizeof(endbr)))
		i += sizeof(endbr);
	if (code[i] == 0xe8 || (code[i] == 0x0f && code[i + 1] == 0x1f))
		i += 5;
	return memcmp(code + i, frame, sizeof(frame)) ? 0 : sym.addr + i + 1;
}

/* The return address at `slot`, and the caller's frame pointer. */
static enum step_result from_slot(struct unwinder *u, uint64_t slot, uint64_t bp, struct step *ret,
				  struct err *err)
{
	struct step s = { .how = "fp", .slot = slot };
	uint64_t ip;

	if (!mem_u64(u->t, slot, &ip, err)) {
		err_wrap(err, "stack");
		return STEP_BROKEN;
	}
	if (!is_hijacked(u->t, ip) && !follows_call(u->t, ip)) {
		err_set_addr(err, ERR_CORRUPT, slot,
			     "the frame pointer of '%s' leads to no return address",
			     symbol_text(u->t, unwinder_pc(u), u->t->scratch));
		return STEP_BROKEN;
	}
	regs_set(&s.regs, RIP, ip);
	regs_set(&s.regs, RSP, slot + 8);
	regs_set(&s.regs, RBP, bp);
	*ret = s;
	return STEP_FRAME;
}

enum step_result step_frame_x86(struct unwinder *u, struct step *ret, struct err *err)
{
	uint64_t pc = unwinder_pc(u), sp = unwinder_sp(u), bp, pushed;
	struct step s = { .how = "pt_regs" };

	if (orc_loaded(u->t) || !regs_get(&u->regs, RBP, &bp))
		return STEP_NONE;
	if (bp & 1 && !u->exact) { /* an entry's mark: the registers lie at the address beside it */
		if (!regs_at(u, bp & ~UINT64_C(1), &s))
			return STEP_NONE;
		*ret = s;
		return STEP_FRAME;
	}
	pushed = pushed_at(u->t, u->exact ? pc : pc - 1);
	if (!pushed)
		return STEP_NONE;
	if (u->exact && pc < pushed)
		return from_slot(u, sp, bp, ret, err);
	if (u->exact && pc == pushed)
		return from_slot(u, sp + 8, bp, ret, err);
	if (bp & 7 || bp < sp || !u->has_stack || bp + 16 > u->stack.hi ||
	    !mem_u64(u->t, bp, &bp, err)) {
		err_set_addr(err, ERR_CORRUPT, bp, "the frame pointer %#lx is outside of the stack",
			     (unsigned long)bp);
		return STEP_BROKEN;
	}
	return from_slot(u, u->regs.r[RBP] + 8, bp, ret, err);
}
