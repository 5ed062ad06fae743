/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linux on 64-bit PowerPC: stacks of interrupts and emergencies, sleeping tasks, system calls. */
#include "core/linux/arch.h"
#include "core/linux/task/task.h"
#include "core/types/shape.h"

/* ---- stacks, each of which has THREAD_SIZE bytes (arch/powerpc/kernel/irq.c, setup_64.c) */

/* Arrays of where they begin, an entry for each CPU. */
static bool interrupt_stack(struct target *t, unsigned cpu, uint64_t size, stack_fn *fn, void *arg)
{
	static const char *const arrays[][2] = { { "hardirq_ctx", "IRQ" },
						 { "softirq_ctx", "SOFTIRQ" } };
	uint64_t at, lo;
	struct err ignored;

	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++)
		if (symbol_addr(t, arrays[i][0], &at) &&
		    mem_ptr(t, at + (uint64_t)cpu * 8, &lo, &ignored) &&
		    !stack_tell(lo, size, arrays[i][1], fn, arg))
			return false;
	return true;
}

/* Members of the CPU's struct paca_struct, which have where they end. */
static bool emergency_stack(struct target *t, unsigned cpu, uint64_t size, stack_fn *fn, void *arg)
{
	static const char *const members[][2] = { { "emergency_sp", "EMERGENCY" },
						  { "nmi_emergency_sp", "NMI" },
						  { "mc_emergency_sp", "MCE" } };
	uint64_t at, paca, hi;
	struct err ignored;

	if (!symbol_addr(t, "paca_ptrs", &at) || !mem_ptr(t, at, &at, &ignored) ||
	    !mem_ptr(t, at + (uint64_t)cpu * 8, &paca, &ignored))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (field_u64(t, "struct paca_struct", paca, members[i][0], &hi, &ignored) &&
		    hi > size && !stack_tell(hi - size, size, members[i][1], fn, arg))
			return false;
	return true;
}

static bool stacks(struct target *t, unsigned cpu, stack_fn *fn, void *arg)
{
	uint64_t size;
	struct err ignored;

	return !task_stack_size(t, &size, &ignored) ||
	       (interrupt_stack(t, cpu, size, fn, arg) && emergency_stack(t, cpu, size, fn, arg));
}

/* ---- a sleeping task */

#define LR_SAVE 16
#define R14 14
#define R31 31

/* Where _switch() keeps the registers of a task in its frame: what the frame has besides them is 48
 * bytes, or up to v6.1 112. */
static bool switch_regs(struct target *t, uint64_t ksp, uint64_t caller, uint64_t *ret)
{
	const struct type *type;
	struct err ignored;
	uint64_t head;

	if (!type_find(t, "struct pt_regs", &type, &ignored) || caller - ksp < type->size)
		return false;
	head = caller - ksp - type->size;
	*ret = ksp + head;
	return head == 48 || head == 112;
}

static bool sleeping(struct target *t, uint64_t task, struct regs *regs, struct err *err)
{
	uint64_t ksp, caller, pc, at, v;
	struct err ignored;

	if (!field_u64(t, "struct task_struct", task, "thread.ksp", &ksp, err) ||
	    !mem_u64(t, ksp, &caller, err) || !mem_u64(t, caller + LR_SAVE, &pc, err))
		return false;
	regs_set(regs, t->arch->pc, pc);
	regs_set(regs, t->arch->sp, caller);
	if (switch_regs(t, ksp, caller, &at))
		for (unsigned r = R14; r <= R31; r++)
			if (mem_u64(t, at + (uint64_t)r * 8, &v, &ignored))
				regs_set(regs, r, v);
	return true;
}

/* ---- programs */

#define MSR 33 /* index into struct regs */
#define MSR_PR UINT64_C(0x4000)
#define MSR_SF (UINT64_C(1) << 63) /* of 64 bits */
#define TRAP_SC 0xc00
#define TRAP_SCV 0x3000

static bool syscall_of(struct target *t, uint64_t regs, struct syscall_now *ret, bool *user)
{
	static const char *const args[SYSCALL_ARGS_MAX] = { "orig_gpr3", "gpr[4]", "gpr[5]",
							    "gpr[6]",    "gpr[7]", "gpr[8]" };
	uint64_t msr = pt_regs_member(t, regs, "msr"), trap = pt_regs_member(t, regs, "trap");

	trap &= ~UINT64_C(15); /* flags */
	*user = msr & MSR_PR;
	ret->compat = !(msr & MSR_SF);
	ret->nr = (int64_t)pt_regs_member(t, regs, "gpr[0]");
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		ret->args[i] = pt_regs_member(t, regs, args[i]);
	return (trap == TRAP_SC || trap == TRAP_SCV) && ret->nr >= 0;
}

static bool program_mode(const struct regs *regs, bool *compat)
{
	uint64_t msr;

	if (!regs_get(regs, MSR, &msr))
		return false;
	*compat = !(msr & MSR_SF);
	return msr & MSR_PR;
}

/* Entries of pages that are not there are those of swap; what bits of them mean has changed. */
static void hidden(struct target *t, const struct mmu *mmu, uint64_t entry, struct user_page *p)
{
	(void)t, (void)mmu;
	p->state = entry ? USER_SWAPPED : USER_NONE;
}

const struct linux_arch linux_arch_ppc64le = {
	.arch = &arch_ppc64le,
	.stacks = stacks,
	.sleeping = sleeping,
	.syscall = syscall_of,
	.syscall_member = "orig_gpr3",
	.hidden = hidden,
	.program_mode = program_mode,
};
