/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linux on s390x: the stacks that a CPU's lowcore tells of, sleeping tasks, system calls. */
#include "core/linux/arch.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/types/shape.h"

/* Absolute, and mapped where it lies: the address of each CPU's lowcore is in an array. */
static bool lowcore_of(struct target *t, unsigned cpu, uint64_t *ret)
{
	uint64_t at;
	struct err err;

	return symbol_addr(t, "lowcore_ptr", &at) &&
	       mem_ptr(t, at + (uint64_t)cpu * t->arch->word, ret, &err) && *ret;
}

/* What a lowcore has is where a stack begins to be used, some way below its end; each has the size
 * of a task's, and is aligned to that (arch/s390/kernel/setup.c). */
static bool stacks(struct target *t, unsigned cpu, stack_fn *fn, void *arg)
{
	static const char *const kinds[][2] = { { "async_stack", "IRQ" },
						{ "nodat_stack", "NODAT" },
						{ "mcck_stack", "MCCK" },
						{ "restart_stack", "RESTART" } };
	uint64_t size, lowcore, at;
	struct err err;

	if (!task_stack_size(t, &size, &err) || !lowcore_of(t, cpu, &lowcore))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (field_u64(t, "struct lowcore", lowcore, kinds[i][0], &at, &err) && at &&
		    !stack_tell(at & ~(size - 1), size, kinds[i][1], fn, arg))
			return false;
	return true;
}

#define SAVED_AT 72 /* r6 to r15, in the frame of what called __switch_to() */
#define SAVED_FIRST 6
#define SAVED_N 10

static bool sleeping(struct target *t, uint64_t task, struct regs *regs, struct err *err)
{
	uint64_t sp, saved[SAVED_N];

	if (!field_u64(t, "struct task_struct", task, "thread.ksp", &sp, err))
		return false;
	if (!mem_words(t, sp + SAVED_AT, saved, SAVED_N, err))
		return err_wrap(err, "registers that the switch saved");
	for (unsigned i = 0; i < SAVED_N; i++)
		if (SAVED_FIRST + i < t->arch->link)
			regs_set(regs, SAVED_FIRST + i, saved[i]);
	regs_set(regs, t->arch->pc, saved[t->arch->link - SAVED_FIRST]);
	regs_set(regs, t->arch->sp, sp);
	return true;
}

/* ---- system calls */

#define PSW_PROBLEM (UINT64_C(1) << 48)
#define PSW_EXTENDED (UINT64_C(1) << 32) /* addresses have 64 bits */
#define PIF_SYSCALL 1u                   /* arch/s390/include/asm/ptrace.h */

static bool syscall_of(struct target *t, uint64_t regs, struct syscall_now *ret, bool *user)
{
	static const char *const args[SYSCALL_ARGS_MAX] = { "orig_gpr2", "gprs[3]", "gprs[4]",
							    "gprs[5]",   "gprs[6]", "gprs[7]" };
	uint64_t mask = pt_regs_member(t, regs, "psw.mask"), nr;

	*user = mask & PSW_PROBLEM;
	ret->compat = !(mask & PSW_EXTENDED);
	/* svc 0: the number is in a register */
	nr = pt_regs_member(t, regs, "int_code") & 0xffff;
	ret->nr = (int64_t)(nr ? nr : pt_regs_member(t, regs, "gprs[1]") & 0xffff);
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		ret->args[i] = pt_regs_member(t, regs, args[i]);
	return pt_regs_member(t, regs, "flags") & PIF_SYSCALL;
}

/* ---- page tables */

#define PAGE_PRESENT 1u
#define ENTRY_EMPTY UINT64_C(0x42c) /* the bits that an entry of nothing may have */

/* arch/s390/include/asm/pgtable.h: a page that PROT_NONE keeps from its program is in RAM. */
static void hidden(struct target *t, const struct mmu *mmu, uint64_t entry, struct user_page *p)
{
	bool page = p->size == UINT64_C(1) << mmu->page_shift;

	(void)t;
	p->state = !(entry & ~ENTRY_EMPTY)          ? USER_NONE
		   : page && (entry & PAGE_PRESENT) ? USER_BARRED
						    : USER_SWAPPED;
	if (p->state == USER_BARRED)
		p->pa = entry & mmu->phys_mask;
	p->has_swap = page && p->state == USER_SWAPPED;
	if (p->has_swap) {
		p->swap_type = (unsigned)(entry >> 2 & 31);
		p->swap_offset = entry >> 12;
	}
}

/* ---- programs */

#define PSW_MASK 16 /* index into struct regs */

static bool program_mode(const struct regs *regs, bool *compat)
{
	uint64_t mask;

	if (!regs_get(regs, PSW_MASK, &mask))
		return false;
	*compat = !(mask & PSW_EXTENDED);
	return mask & PSW_PROBLEM;
}

const struct linux_arch linux_arch_s390x = {
	.arch = &arch_s390x,
	.stacks = stacks,
	.sleeping = sleeping,
	.syscall = syscall_of,
	.syscall_member = "orig_gpr2",
	.hidden = hidden,
	.program_mode = program_mode,
};
