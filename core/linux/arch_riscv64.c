/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linux on 64-bit RISC-V: stacks of interrupts and overflows, sleeping tasks, system calls. */
#include <elf.h>
#include <stdio.h>

#include "core/linux/arch.h"
#include "core/linux/program/program.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/types/shape.h"

#define OVERFLOW_STACK_SIZE 4096 /* arch/riscv/include/asm/thread_info.h */

static bool overflow_stack(struct target *t, unsigned cpu, uint64_t *lo, uint64_t *size)
{
	struct symbol sym;
	struct err err;

	if (!symbol_find(t, "overflow_stack", &sym, &err) ||
	    !percpu_addr(t, "overflow_stack", cpu, lo, &err))
		return false;
	*size = sym.size ? sym.size : OVERFLOW_STACK_SIZE;
	return true;
}

/* IRQ_STACK_SIZE is THREAD_SIZE (163e76cc6ef4, v6.6). */
static bool stacks(struct target *t, unsigned cpu, stack_fn *fn, void *arg)
{
	uint64_t size, base;
	struct err err;

	if (task_stack_size(t, &size, &err) && percpu_ptr(t, "irq_stack_ptr", 0, cpu, &base) &&
	    !stack_tell(base, size, "IRQ", fn, arg))
		return false;
	return !overflow_stack(t, cpu, &base, &size) || stack_tell(base, size, "OVERFLOW", fn, arg);
}

/* The registers that struct thread_struct has in its array s. */
static const unsigned saved[] = { 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27 };

static bool sleeping(struct target *t, uint64_t task, struct regs *regs, struct err *err)
{
	uint64_t ra, sp, v;
	struct err ignored;

	if (!field_u64(t, "struct task_struct", task, "thread.ra", &ra, err) ||
	    !field_u64(t, "struct task_struct", task, "thread.sp", &sp, err))
		return false;
	regs_set(regs, t->arch->pc, ra);
	regs_set(regs, t->arch->sp, sp);
	for (size_t i = 0; i < ARRAY_SIZE(saved); i++) {
		char name[24];

		snprintf(name, sizeof(name), "thread.s[%zu]", i);
		if (field_u64(t, "struct task_struct", task, name, &v, &ignored))
			regs_set(regs, saved[i], v);
	}
	return true;
}

/* ---- system calls */

#define STATUS_SPP 0x100                        /* the kernel was interrupted, and no program */
#define STATUS_UXL(status) ((status) >> 32 & 3) /* 1: the program has 32 bits */
#define CAUSE_ECALL 8

static bool syscall_of(struct target *t, uint64_t regs, struct syscall_now *ret, bool *user)
{
	static const char *const args[SYSCALL_ARGS_MAX] = {
		"orig_a0", "a1", "a2", "a3", "a4", "a5"
	};
	uint64_t status = pt_regs_member(t, regs, "status");

	*user = !(status & STATUS_SPP);
	ret->compat = STATUS_UXL(status) == 1;
	ret->nr = (int64_t)pt_regs_member(t, regs, "a7");
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		ret->args[i] = pt_regs_member(t, regs, args[i]);
	return pt_regs_member(t, regs, "cause") == CAUSE_ECALL && ret->nr >= 0;
}

/* ---- page tables */

/* arch/riscv/include/asm/pgtable.h: a page that PROT_NONE keeps from its program has bit 5, and not
 * bit 0. Where a swap entry's type begins changed in v6.3, and nothing at hand tells which holds.
 */
static void hidden(struct target *t, const struct mmu *mmu, uint64_t entry, struct user_page *p)
{
	(void)t;
	p->state = !entry ? USER_NONE : entry & 0x20 ? USER_BARRED : USER_SWAPPED;
	if (p->state == USER_BARRED)
		p->pa = entry << 2 & mmu->phys_mask & ~(p->size - 1);
}

/* ---- programs */

#define STATUS 33 /* index into struct regs */

static bool program_mode(const struct regs *regs, bool *compat)
{
	uint64_t status;

	if (!regs_get(regs, STATUS, &status))
		return false;
	*compat = STATUS_UXL(status) == 1;
	return !(status & STATUS_SPP);
}

/* li a7,139; ecall. The stack pointer is at struct rt_sigframe then: 128 bytes about the signal and
 * 176 of struct ucontext are in front of struct user_regs_struct, which begins with the program
 * counter (arch/riscv/include/uapi/asm/ucontext.h). */
static const struct signal_return signal_returns[] = {
	{ { 0x93, 0x08, 0xb0, 0x08, 0x73, 0x00, 0x00, 0x00 }, 8, 128 + 176 },
};
static const uint8_t signal_regs[] = { 32, 1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
				       11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
				       22, 23, 24, 25, 26, 27, 28, 29, 30, 31 };

#define STATUS_FS_DIRTY(status) (((status) >> 13 & 3) == 3)
#define FP_SIZE 264u /* 32 registers and fcsr: struct __riscv_d_ext_state */

static bool core_notes(struct target *t, const struct task *task, core_note_fn *note, void *arg,
		       struct err *err)
{
	uint8_t bytes[FP_SIZE];
	struct program_regs regs;
	uint64_t off, status;

	if (task->active && program_regs(t, task, &regs, err) &&
	    regs_get(&regs.regs, STATUS, &status) && STATUS_FS_DIRTY(status))
		return err_set(err, ERR_NEED, "its floating point registers were in the CPU");
	if (!field_offset(t, "struct task_struct", "thread.fstate", &off, err) ||
	    !mem_read(t, task->addr + off, bytes, sizeof(bytes), err))
		return err_wrap(err, "floating point registers");
	note("CORE", NT_FPREGSET, bytes, sizeof(bytes), arg);
	return true;
}

const struct linux_arch linux_arch_riscv64 = {
	.arch = &arch_riscv64,
	.stacks = stacks,
	.exception_stacks = overflow_stack,
	.sleeping = sleeping,
	.syscall = syscall_of,
	.syscall_member = "orig_a0",
	.hidden = hidden,
	.program_mode = program_mode,
	.core_notes = core_notes,
	.signal_returns = signal_returns,
	.n_signal_returns = ARRAY_SIZE(signal_returns),
	.signal_regs = signal_regs,
	.n_signal_regs = sizeof(signal_regs),
	.fgraph_by_fp = true,
};
