/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linux on arm64: stacks of interrupts and overflows, sleeping tasks, system calls. */
#include "core/linux/arch.h"
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

const struct linux_arch linux_arch_aarch64 = {
	.arch = &arch_aarch64,
	.stack_of = stack_of,
	.exception_stacks = overflow_stack,
	.sleeping = sleeping,
	.syscall = syscall_of,
	.syscall_member = "syscallno",
};
