/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A made-up architecture's row in core/linux: every CPU has a stack of a page for interrupts. */
#include "core/linux/arch.h"

static bool stacks(struct target *t, unsigned cpu, stack_fn *fn, void *arg)
{
	uint64_t at;

	return !symbol_addr(t, "toy_irq_stacks", &at) ||
	       stack_tell(at + cpu * 4096, 4096, "IRQ", fn, arg);
}

extern const struct arch arch_toy;
const struct linux_arch linux_arch_toy = {
	.arch = &arch_toy,
	.stacks = stacks,
};
