/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A made-up architecture's row in core/unwind: a chain of frame pointers, and nothing else. */
#include "core/unwind/step.h"

/* At the frame pointer lie the caller's, which is 0 at the end, and the return address. */
static enum step_result step(struct unwinder *u, struct step *ret, struct err *err)
{
	const struct arch *arch = u->t->arch;
	uint64_t fp, next, pc;

	if (!regs_get(&u->regs, arch->fp, &fp)) {
		err_set(err, ERR_NEED, "the frame pointer is not known");
		return STEP_BROKEN;
	}
	if (!fp)
		return STEP_END;
	if (!mem_u64(u->t, fp, &next, err) || !mem_u64(u->t, fp + 8, &pc, err))
		return STEP_BROKEN;
	if (!follows_call(u->t, pc)) {
		err_set_addr(err, ERR_CORRUPT, pc, "%#lx follows no call", (unsigned long)pc);
		return STEP_BROKEN;
	}
	*ret = (struct step){ .how = "fp", .crosses = true };
	regs_set(&ret->regs, arch->pc, pc);
	regs_set(&ret->regs, arch->sp, fp + 16);
	regs_set(&ret->regs, arch->fp, next);
	return STEP_FRAME;
}

extern const struct arch arch_toy;
const struct unwind_arch unwind_arch_toy = {
	.arch = &arch_toy,
	.step = step,
};
