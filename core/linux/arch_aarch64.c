/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linux on arm64: stacks of interrupts and overflows, sleeping tasks, system calls. */
#include <elf.h>

#include "core/linux/arch.h"
#include "core/linux/memory/struct_page.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/types/shape.h"

#define OVERFLOW_STACK_SIZE 4096

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

static bool stack_of(struct target *t, unsigned cpu, uint64_t sp, struct stack_range *ret)
{
	static const char *const pointers[][2] = { { "irq_stack_ptr", "IRQ" },
						   { "sdei_stack_normal_ptr", "SDEI" },
						   { "sdei_stack_critical_ptr", "SDEI" } };
	uint64_t size, base;
	struct err err;

	if (!task_stack_size(t, &size,
			     &err)) /* IRQ_STACK_SIZE and SDEI_STACK_SIZE are THREAD_SIZE */
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(pointers); i++)
		if (percpu_ptr(t, pointers[i][0], 0, cpu, &base) &&
		    stack_within(base, size, sp, pointers[i][1], ret))
			return true;
	return overflow_stack(t, cpu, &base, &size) &&
	       stack_within(base, size, sp, "OVERFLOW", ret);
}

/* struct cpu_context */
static const struct saved_reg saved[] = {
	{ "x19", 19 }, { "x20", 20 }, { "x21", 21 }, { "x22", 22 }, { "x23", 23 }, { "x24", 24 },
	{ "x25", 25 }, { "x26", 26 }, { "x27", 27 }, { "x28", 28 }, { "fp", 29 },
};

static bool sleeping(struct target *t, uint64_t task, struct regs *regs, struct err *err)
{
	const struct type *type;
	uint64_t off, sp;

	if (!field_offset(t, "struct task_struct", "thread.cpu_context", &off, err) ||
	    !type_find(t, "struct cpu_context", &type, err) ||
	    !field_u64(t, "struct cpu_context", task + off, "sp", &sp, err) ||
	    !saved_read(t, type, task + off, saved, ARRAY_SIZE(saved), "pc", regs, err))
		return false;
	regs_set(regs, t->arch->sp, sp);
	return true;
}

/* ---- system calls */

/* pstate's mode is EL0t, or, of 32-bit programs, has bit 4 set. */
static bool syscall_of(struct target *t, uint64_t regs, struct syscall_now *ret, bool *user)
{
	static const char *const args[SYSCALL_ARGS_MAX] = { "orig_x0", "regs[1]", "regs[2]",
							    "regs[3]", "regs[4]", "regs[5]" };
	uint64_t mode = pt_regs_member(t, regs, "pstate") & 0x1f;

	*user = !mode || mode == 0x10;
	ret->compat = mode == 0x10;
	ret->nr = (int64_t)(int32_t)pt_regs_member(t, regs, "syscallno");
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		ret->args[i] = pt_regs_member(t, regs, args[i]);
	return ret->nr >= 0;
}

/* ---- page tables */

/*
 * arch/arm64/include/asm/pgtable.h: a page that PROT_NONE keeps from its program has bit 58, and a
 * swap entry its type in bits 7:2 and its offset from bit 8 on; the type has bits 7:3 since bit 2
 * tells of PG_anon_exclusive (v5.19). Since v6.11 such a page has bit 11, the type bits 10:6, and
 * the offset begins at bit 12. Which of them holds is what the protection that the kernel gives to
 * pages without rights, protection_map[0], says.
 */
static void hidden(struct target *t, const struct mmu *mmu, uint64_t entry, struct user_page *p)
{
	const uint64_t barred = UINT64_C(1) << 58, not_global = 1u << 11;
	uint64_t map, none, ignored;
	struct err err;

	p->state = entry ? USER_SWAPPED : USER_NONE;
	if (!entry || !symbol_addr(t, "protection_map", &map) || !mem_u64(t, map, &none, &err) ||
	    (none & 1) || !(none & (barred | not_global)))
		return;
	if (entry & (none & barred ? barred : not_global)) {
		p->state = USER_BARRED;
		p->pa = entry & mmu->phys_mask & ~(p->size - 1);
		return;
	}
	p->has_swap = true;
	if (!(none & barred)) {
		p->swap_type = (unsigned)(entry >> 6 & 31);
		p->swap_offset = entry >> 12 & ((UINT64_C(1) << 50) - 1);
		return;
	}
	p->swap_type = (unsigned)(enum_value(t, "enum pageflags", "PG_anon_exclusive", &ignored)
					  ? entry >> 3 & 31
					  : entry >> 2 & 63);
	p->swap_offset = entry >> 8 & ((UINT64_C(1) << 50) - 1);
}

/* ---- programs */

#define TIF_FOREIGN_FPSTATE 3 /* arch/arm64/include/asm/thread_info.h */
#define TIF_SVE 23
#define FPSIMD_SIZE 528u /* struct user_fpsimd_state */

/* Do SVE's registers hold what the plain ones are a part of? Since v6.2 the task
 * says which are good, before it a flag does. */
static bool sve_holds(struct target *t, uint64_t task, uint64_t flags)
{
	struct err ignored;
	uint64_t type, sve;

	if (field_u64(t, "struct task_struct", task, "thread.fp_type", &type, &ignored) &&
	    enum_value(t, "enum fp_type", "FP_STATE_SVE", &sve))
		return type == sve;
	return flags >> TIF_SVE & 1;
}

static bool core_notes(struct target *t, const struct task *task, core_note_fn *note, void *arg,
		       struct err *err)
{
	uint8_t bytes[FPSIMD_SIZE];
	uint64_t flags, off;

	if (!field_u64(t, "struct task_struct", task->addr, "thread_info.flags", &flags, err))
		return false;
	/* a program sets its thread pointer itself, so a running one's is in the CPU */
	if (!task->active &&
	    (!field_offset(t, "struct task_struct", "thread.uw.tp_value", &off, err) ||
	     !mem_read(t, task->addr + off, bytes, 8, err)))
		return err_wrap(err, "thread pointer");
	if (!task->active)
		note("LINUX", NT_ARM_TLS, bytes, 8, arg);
	if (task->active && !(flags >> TIF_FOREIGN_FPSTATE & 1))
		return err_set(err, ERR_NEED, "its floating point registers were in the CPU");
	if (sve_holds(t, task->addr, flags))
		return err_set(err, ERR_UNSUPPORTED,
			       "its floating point registers are in those of SVE");
	if (!field_offset(t, "struct task_struct", "thread.uw.fpsimd_state", &off, err) ||
	    !mem_read(t, task->addr + off, bytes, sizeof(bytes), err))
		return err_wrap(err, "floating point registers");
	note("CORE", NT_FPREGSET, bytes, sizeof(bytes), arg);
	return true;
}

const struct linux_arch linux_arch_aarch64 = {
	.arch = &arch_aarch64,
	.stack_of = stack_of,
	.exception_stacks = overflow_stack,
	.sleeping = sleeping,
	.syscall = syscall_of,
	.syscall_member = "syscallno",
	.hidden = hidden,
	.core_notes = core_notes,
};
