/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How x86-64 is unwound: by ORC, and where that says nothing, by what else knows. */
#include <string.h>

#include "core/unwind/orc.h"
#include "core/types/frame_info.h"
#include "core/unwind/step.h"

/* Code of ftrace's: it keeps the frame pointer of whom it was called by, and is not done with it.
 */
static bool in_trampoline(struct target *t, uint64_t pc)
{
	const struct unwind_hooks *h = t->unwind_hooks;
	uint64_t original;

	return h && h->trampoline_of && h->trampoline_of(t, pc, &original);
}

static bool contradicted(const struct unwinder *u, const struct step *s)
{
	uint64_t pc = unwinder_pc(u);

	return !s->entry && !s->guess &&
	       call_contradicts(u->t, s->regs.r[u->t->arch->pc], u->exact ? pc : pc - 1);
}

/* What the code contradicts is a guess, unless debug info's tables know a caller that it does not
 * contradict. */
static void settle(struct unwinder *u, struct step *s)
{
	struct step other = { 0 };
	struct err ignored;

	if (!contradicted(u, s))
		return;
	if (step_cfi(u, &other, &ignored) == STEP_FRAME && !contradicted(u, &other)) {
		orc_doubt(u->t, unwinder_pc(u), "debug info's frame tables are used");
		*s = other;
		return;
	}
	orc_doubt(u->t, unwinder_pc(u), "its callers are guesses");
	s->guess = true;
}

static enum step_result step(struct unwinder *u, struct step *s, struct err *err)
{
	uint64_t pc = unwinder_pc(u);
	enum step_result r = step_orc(u, s, err);
	struct err why = *err, other;

	if (r == STEP_FRAME)
		settle(u, s);
	if (r != STEP_NONE)
		return r;
	/* a frame pointer is one only in code made at run time, and in kernels without ORC:
	 * otherwise compiled code uses rbp as it likes */
	if (!symbol_is_text(u->t, u->exact ? pc : pc - 1)) {
		if (in_trampoline(u->t, pc))
			return STEP_BROKEN;
		r = step_fp_x86(u, s, err);
		return r == STEP_NONE ? step_frame_x86(u, s, err) : r;
	}
	r = step_cfi(u, s, &other);
	if (r == STEP_FRAME)
		settle(u, s);
	if (r == STEP_NONE)
		r = step_entry_x86(u, s, &other);
	if (r == STEP_NONE)
		r = step_frame_x86(u, s, &other);
	if (r == STEP_NONE)
		r = step_call_x86(u, s, &other);
	*err = r == STEP_BROKEN ? other : why;
	return r;
}

/* A function that calls on the IRQ stack leaves its own stack pointer in the last word there
 * (call_on_stack() in arch/x86/include/asm/irq_stack.h), which no table knows. */
static bool back_from_irq_stack(struct unwinder *u, struct frame_at *at)
{
	const struct arch *arch = u->t->arch;
	uint64_t sp = unwinder_sp(u), word;
	struct err ignored;

	if (u->exact || !u->has_stack || strcmp(u->stack.name, "IRQ") != 0 ||
	    sp + 8 != u->stack.hi || !mem_u64(u->t, sp, &word, &ignored))
		return false;
	regs_set(&at->regs, arch->sp, word);
	return true;
}

const struct unwind_arch unwind_arch_x86_64 = {
	.arch = &arch_x86_64,
	.step = step,
	.back_from_stack = back_from_irq_stack,
};
