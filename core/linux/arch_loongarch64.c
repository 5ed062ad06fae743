/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linux on LoongArch: stacks of interrupts, sleeping tasks, system calls. */
#include "core/linux/arch.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/types/shape.h"

/* IRQ_STACK_SIZE is THREAD_SIZE; the last words have the stack pointer that was left
 * (arch/loongarch/include/asm/irq.h). */
static bool stacks(struct target *t, unsigned cpu, stack_fn *fn, void *arg)
{
	uint64_t size, base;
	struct err err;

	return !task_stack_size(t, &size, &err) || !percpu_ptr(t, "irq_stack", 0, cpu, &base) ||
	       stack_tell(base, size, "IRQ", fn, arg);
}

/* struct thread_struct */
static const struct saved_reg saved[] = {
	{ "reg22", 22 }, { "reg23", 23 }, { "reg24", 24 }, { "reg25", 25 }, { "reg26", 26 },
	{ "reg27", 27 }, { "reg28", 28 }, { "reg29", 29 }, { "reg30", 30 }, { "reg31", 31 },
};

static bool sleeping(struct target *t, uint64_t task, struct regs *regs, struct err *err)
{
	const struct type *type;
	uint64_t off, sp;

	if (!field_offset(t, "struct task_struct", "thread", &off, err) ||
	    !type_find(t, "struct thread_struct", &type, err) ||
	    !field_u64(t, "struct thread_struct", task + off, "reg03", &sp, err) ||
	    !saved_read(t, type, task + off, saved, ARRAY_SIZE(saved), "reg01", regs, err))
		return false;
	regs_set(regs, t->arch->sp, sp);
	return true;
}

/* ---- system calls */

#define ECODE(estat) ((estat) >> 16 & 63)
#define ECODE_SYS 11

static bool syscall_of(struct target *t, uint64_t regs, struct syscall_now *ret, bool *user)
{
	static const char *const args[SYSCALL_ARGS_MAX] = { "orig_a0", "regs[5]", "regs[6]",
							    "regs[7]", "regs[8]", "regs[9]" };

	*user = (pt_regs_member(t, regs, "csr_prmd") & 3) == 3;
	ret->compat = false;
	ret->nr = (int64_t)pt_regs_member(t, regs, "regs[11]");
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		ret->args[i] = pt_regs_member(t, regs, args[i]);
	return ECODE(pt_regs_member(t, regs, "csr_estat")) == ECODE_SYS && ret->nr >= 0;
}

/* ---- page tables */

/* arch/loongarch/include/asm/pgtable.h: a page that PROT_NONE keeps from its program has bit 10; of
 * a swap entry bits 16 to 22 are the type, and the offset begins at bit 24. Bit 6 alone is nothing.
 */
static void hidden(struct target *t, const struct mmu *mmu, uint64_t entry, struct user_page *p)
{
	(void)t;
	if (!(entry & ~UINT64_C(0x40))) {
		p->state = USER_NONE;
	} else if (entry & 0x400) {
		p->state = USER_BARRED;
		p->pa = entry & mmu->phys_mask & ~(p->size - 1);
	} else {
		p->state = USER_SWAPPED;
		p->has_swap = true;
		p->swap_type = (unsigned)(entry >> 16 & 0x7f);
		p->swap_offset = entry >> 24;
	}
}

/* ---- programs */

#define PRMD 36 /* index into struct regs */

static bool program_mode(const struct regs *regs, bool *compat)
{
	uint64_t prmd;

	*compat = false;
	return regs_get(regs, PRMD, &prmd) && (prmd & 3) == 3;
}

const struct linux_arch linux_arch_loongarch64 = {
	.arch = &arch_loongarch64,
	.stacks = stacks,
	.sleeping = sleeping,
	.syscall = syscall_of,
	.syscall_member = "orig_a0",
	.hidden = hidden,
	.program_mode = program_mode,
};
