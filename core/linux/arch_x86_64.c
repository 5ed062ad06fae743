/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linux on x86-64: stacks of interrupts and exceptions, sleeping tasks, system calls, entries that
 * map nothing. */
#include <string.h>

#include "core/linux/arch.h"
#include "core/types/shape.h"

/* arch/x86/include/asm/page_64_types.h: IRQ_STACK_SIZE, where no type tells */
#define IRQ_STACK_SIZE 16384

/* ---- stacks */

static uint64_t type_size(struct target *t, const char *name, uint64_t otherwise)
{
	const struct type *type;
	struct err err;

	return type_find(t, name, &type, &err) && type->size ? type->size : otherwise;
}

/* hardirq_stack_ptr points at the last word of the stack; it was in pcpu_hot from c063a217bc07
 * (v6.2) to 6.14. */
static bool irq_stack(struct target *t, unsigned cpu, uint64_t sp, struct stack_range *ret)
{
	uint64_t top, off, size;
	struct err err;

	if (!symbol_addr(t, "hardirq_stack_ptr", &top) ||
	    !percpu_ptr(t, "hardirq_stack_ptr", 0, cpu, &top)) {
		if (!field_offset(t, "struct pcpu_hot", "hardirq_stack_ptr", &off, &err) ||
		    !percpu_ptr(t, "pcpu_hot", off, cpu, &top))
			return false;
	}
	top = (top + 4095) & ~UINT64_C(4095);
	size = type_size(t, "struct irq_stack", IRQ_STACK_SIZE);
	return stack_within(top - size, size, sp, "IRQ", ret);
}

/* Members of struct cea_exception_stacks, named as the kernel does (exception_stack_names[] in
 * arch/x86/kernel/dumpstack_64.c). */
static const char *exception_name(struct target *t, const char *name, size_t len)
{
	static const char *const names[][2] = { { "DF", "#DF" },   { "DB", "#DB" },
						{ "MCE", "#MC" },  { "VC", "#VC" },
						{ "VC2", "#VC2" }, { "NMI", "NMI" } };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i][0]) == len && !strncmp(names[i][0], name, len))
			return names[i][1];
	return arena_strndup(t->scratch, name, len);
}

static bool exception_area(struct target *t, unsigned cpu, uint64_t *base, const struct type **type)
{
	struct err err;

	return percpu_ptr(t, "cea_exception_stacks", 0, cpu, base) &&
	       type_find(t, "struct cea_exception_stacks", type, &err);
}

/* Every "XYZ_stack" of struct cea_exception_stacks, but their guards. */
static bool exception_stack(struct target *t, unsigned cpu, uint64_t sp, struct stack_range *ret)
{
	const struct type *type;
	const struct member *m;
	uint64_t base;
	size_t n;

	if (!exception_area(t, cpu, &base, &type))
		return false;
	if (sp < base || sp - base > type->size)
		return false;
	m = type_members(type, &n);
	for (size_t i = 0; i < n; i++) {
		const char *name = m[i].name ? m[i].name : "";
		size_t len = strlen(name);

		if (len <= 6 || strcmp(name + len - 6, "_stack") != 0)
			continue;
		if (stack_within(base + m[i].bit_off / 8, m[i].type->size, sp, NULL, ret)) {
			ret->name = exception_name(t, name, len - 6);
			return true;
		}
	}
	return false;
}

static bool stack_of(struct target *t, unsigned cpu, uint64_t sp, struct stack_range *ret)
{
	return irq_stack(t, cpu, sp, ret) || exception_stack(t, cpu, sp, ret);
}

static bool all_exception_stacks(struct target *t, unsigned cpu, uint64_t *lo, uint64_t *size)
{
	const struct type *type;

	if (!exception_area(t, cpu, lo, &type))
		return false;
	*size = type->size;
	return true;
}

/* ---- sleeping tasks */

/* struct inactive_task_frame, 0100301bfdf5 (v4.9) */
static const struct saved_reg saved[] = {
	{ "bx", 3 }, { "bp", 6 }, { "r12", 12 }, { "r13", 13 }, { "r14", 14 }, { "r15", 15 },
};

static bool sleeping(struct target *t, uint64_t task, struct regs *regs, struct err *err)
{
	const struct type *type;
	uint64_t sp;

	if (!field_u64(t, "struct task_struct", task, "thread.sp", &sp, err) ||
	    !type_find(t, "struct inactive_task_frame", &type, err) ||
	    !saved_read(t, type, sp, saved, ARRAY_SIZE(saved), "ret_addr", regs, err))
		return false;
	/* __switch_to_asm() pops the frame and returns */
	regs_set(regs, t->arch->sp, sp + type->size);
	return true;
}

/* ---- system calls */

/* -1 in orig_ax for what is no system call; 0x23 is the code segment of 32-bit programs. */
static bool syscall_of(struct target *t, uint64_t regs, struct syscall_now *ret, bool *user)
{
	static const char *const args[2][SYSCALL_ARGS_MAX] = {
		{ "di", "si", "dx", "r10", "r8", "r9" }, { "bx", "cx", "dx", "si", "di", "bp" }
	};
	uint64_t nr = pt_regs_member(t, regs, "orig_ax"), cs = pt_regs_member(t, regs, "cs");

	*user = (cs & 3) == 3 && (pt_regs_member(t, regs, "ss") & 3) == 3;
	ret->compat = (cs & 0xffff) == 0x23;
	ret->nr = (int64_t)nr;
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		ret->args[i] = pt_regs_member(t, regs, args[ret->compat][i]);
	return ret->nr >= 0;
}

/* ---- page tables */

/*
 * arch/x86/include/asm/pgtable_64.h: an entry that is not present and not 0 has its upper bits the
 * other way round (6b28baca9b1f, v4.18); bit 8 is _PAGE_PROTNONE; a swap entry has its type in bits
 * 63:59, its offset from bit 9 on. Bits 5 and 6 alone are an erratum's, and mean nothing.
 */
#define PROTNONE 0x100u
#define ERRATUM 0x60u

static void hidden(struct target *t, const struct mmu *mmu, uint64_t entry, struct user_page *p)
{
	(void)t;
	if (!(entry & ~(uint64_t)ERRATUM)) {
		p->state = USER_NONE;
	} else if (entry & PROTNONE) {
		p->state = USER_BARRED;
		p->pa = ~entry & mmu->phys_mask & ~(p->size - 1);
	} else {
		p->state = USER_SWAPPED;
		p->has_swap = true;
		p->swap_type = (unsigned)(entry >> 59);
		p->swap_offset = ~entry << 5 >> 14;
	}
}

const struct linux_arch linux_arch_x86_64 = {
	.arch = &arch_x86_64,
	.stack_of = stack_of,
	.exception_stacks = all_exception_stacks,
	.sleeping = sleeping,
	.syscall = syscall_of,
	.syscall_member = "orig_ax",
	.above_pt_regs = 16, /* room for more of them */
	.hidden = hidden,
};
