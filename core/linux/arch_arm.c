/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linux on 32-bit ARM: stacks of interrupts and overflows, sleeping tasks, the modules' exception
 * index tables. */
#include "core/base/guard.h"
#include "core/linux/task/cpu.h"
#include "core/linux/container/list.h"
#include "core/linux/task/task.h"
#include "core/linux/module/module.h"
#include "core/types/shape.h"
#include "core/linux/arch.h"

#define OVERFLOW_STACK_SIZE 4096u /* arch/arm/include/asm/thread_info.h */
#define TABLES_MAX 65536u

/* Both pointers lead behind the end of their stack (d4664b6c987f, a1c510d0adc6, v5.18). */
static bool stacks(struct target *t, unsigned cpu, stack_fn *fn, void *arg)
{
	static const struct {
		const char *pointer, *name;
	} kinds[] = { { "irq_stack_ptr", "IRQ" }, { "overflow_stack_ptr", "OVERFLOW" } };
	uint64_t at, hi, size;
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!percpu_addr(t, kinds[i].pointer, cpu, &at, &err) || !mem_ptr(t, at, &hi, &err))
			continue;
		size = OVERFLOW_STACK_SIZE;
		if ((i == 0 && !task_stack_size(t, &size, &err)) || hi < size)
			continue;
		if (!stack_tell(hi - size, size, kinds[i].name, fn, arg))
			return false;
	}
	return true;
}

enum {
	TABLE_START,
	TABLE_STOP,
	TABLE_BEGIN,
	TABLE_END,
	TABLE_FIELDS
};
static const struct shape_field table_fields[TABLE_FIELDS] = {
	[TABLE_START] = FIELD("start"),
	[TABLE_STOP] = FIELD("stop"),
	[TABLE_BEGIN] = FIELD("begin_addr"),
	[TABLE_END] = FIELD("end_addr"),
};
static const struct shape table_shape = SHAPE("struct unwind_table", table_fields);

struct arm_search {
	struct target *t;
	uint64_t pc, start, stop;
	bool found;
};

static bool try_table(uint64_t addr, void *arg)
{
	struct arm_search *s = arg;
	struct shaped k;
	struct err err;
	uint64_t begin, end;

	if (!shape_read(s->t, &table_shape, addr, &k, &err) ||
	    !shaped_u64(&k, TABLE_BEGIN, &begin, &err) || !shaped_u64(&k, TABLE_END, &end, &err) ||
	    s->pc < begin || s->pc >= end || !shaped_u64(&k, TABLE_START, &s->start, &err) ||
	    !shaped_u64(&k, TABLE_STOP, &s->stop, &err))
		return true;
	s->found = true;
	return false;
}

/* Each section of a module with code has its own table, in a list of all of them. */
bool module_exidx(struct target *t, uint64_t pc, uint64_t *start, uint64_t *stop)
{
	struct arm_search s = { .t = t, .pc = pc };
	const struct kmodule *m;
	uint64_t head, off;
	struct err err;

	if (!module_at(t, pc, &m) || !symbol_addr(t, "unwind_tables", &head) ||
	    !field_offset(t, "struct unwind_table", "list", &off, &err) ||
	    (!list_each(t, head, off, "unwind_tables", try_table, &s, &err) && !s.found))
		return false;
	*start = s.start;
	*stop = s.stop;
	return s.found;
}

/* struct cpu_context_save of thread_info */
static const struct saved_reg saved[] = {
	{ "r4", 4 }, { "r5", 5 }, { "r6", 6 },  { "r7", 7 },
	{ "r8", 8 }, { "r9", 9 }, { "sl", 10 }, { "fp", 11 },
};

/* thread_info lies in the task, or at the bottom of its stack (until 18ed1c01a7dd, v5.16). */
static bool sleeping(struct target *t, uint64_t task, struct regs *regs, struct err *err)
{
	const struct type *type;
	uint64_t info = task, off, sp;
	struct err absent;

	if (!field_offset(t, "struct task_struct", "thread_info", &off, &absent) &&
	    !field_u64(t, "struct task_struct", task, "stack", &info, err))
		return false;
	if (!field_offset(t, "struct thread_info", "cpu_context", &off, err) ||
	    !type_find(t, "struct cpu_context_save", &type, err) ||
	    !field_u64(t, "struct cpu_context_save", info + off, "sp", &sp, err) ||
	    !saved_read(t, type, info + off, saved, ARRAY_SIZE(saved), "pc", regs, err))
		return false;
	regs_set(regs, t->arch->sp, sp);
	return true;
}

/* ---- programs */

#define CPSR 16 /* index into struct regs */
#define VFP_REGS                                                                        \
	256u /* bytes of d0 to d31 in struct user_vfp, and so in struct vfp_hard_struct \
	      */
#define NT_ARM_VFP 0x400 /* include/uapi/linux/elf.h */

static bool program_mode(const struct regs *regs, bool *compat)
{
	uint64_t mode;

	*compat = false;
	return regs_get(regs, CPSR, &mode) && (mode & 0x1f) == 0x10;
}

/*
 * mov r7, #173 or #119; svc: as the kernel has it on its own page
 * (arch/arm/kernel/sigreturn_codes.S) and as the C library has it, in ARM code and in Thumb.
 * Registers stand behind 20 bytes of struct ucontext and three words; what was called with a
 * siginfo has one of 128 bytes in front.
 */
#define UCONTEXT_REGS 32
#define RT_REGS (128 + UCONTEXT_REGS)
static const struct signal_return signal_returns[] = {
	{ { 0xad, 0x70, 0xa0, 0xe3, 0xad, 0x00, 0x90, 0xef }, 8, RT_REGS },
	{ { 0xad, 0x70, 0xa0, 0xe3, 0x00, 0x00, 0x00, 0xef }, 8, RT_REGS },
	{ { 0xad, 0x27, 0x00, 0xdf }, 4, RT_REGS },
	{ { 0x4f, 0xf0, 0xad, 0x07, 0x00, 0xdf }, 6, RT_REGS },
	{ { 0x77, 0x70, 0xa0, 0xe3, 0x77, 0x00, 0x90, 0xef }, 8, UCONTEXT_REGS },
	{ { 0x77, 0x70, 0xa0, 0xe3, 0x00, 0x00, 0x00, 0xef }, 8, UCONTEXT_REGS },
	{ { 0x77, 0x27, 0x00, 0xdf }, 4, UCONTEXT_REGS },
	{ { 0x4f, 0xf0, 0x77, 0x07, 0x00, 0xdf }, 6, UCONTEXT_REGS },
};
static const uint8_t signal_regs[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };

/* A task's vector registers are saved when it leaves its CPU, if it used any. */
static bool core_notes(struct target *t, const struct task *task, core_note_fn *note, void *arg,
		       struct err *err)
{
	uint8_t bytes[VFP_REGS + 4];
	uint64_t regs, control;

	if (task->active)
		return err_set(err, ERR_NEED, "its floating point registers were in the CPU");
	if (!field_offset(t, "struct task_struct", "thread_info.vfpstate.hard.fpregs", &regs,
			  err) ||
	    !field_offset(t, "struct task_struct", "thread_info.vfpstate.hard.fpscr", &control,
			  err) ||
	    !mem_read(t, task->addr + regs, bytes, VFP_REGS, err) ||
	    !mem_read(t, task->addr + control, bytes + VFP_REGS, 4, err))
		return err_wrap(err, "floating point registers");
	note("LINUX", NT_ARM_VFP, bytes, sizeof(bytes), arg);
	return true;
}

/* ---- page tables */

/*
 * arch/arm/include/asm/pgtable-3level.h: a page that PROT_NONE keeps from its program has bits 1
 * and 57, and not bit 0; a huge page, which has bit 1 never, bit 57 alone, for the kernel swaps
 * none out as a whole and moves none (no ARCH_ENABLE_THP_MIGRATION). Without LPAE it has an entry
 * of the kernel's own. Where a swap entry's offset begins changed in v6.3, and nothing at hand
 * tells which holds.
 */
static void hidden(struct target *t, const struct mmu *mmu, uint64_t entry, struct user_page *p)
{
	const uint64_t none = UINT64_C(1) << 57, type = p->size > 4096 ? 0 : 2;

	(void)t;
	p->state = entry ? USER_SWAPPED : USER_NONE;
	if (mmu->long_entries && (entry & 3) == type && (entry & none)) {
		p->state = USER_BARRED;
		p->pa = entry & mmu->phys_mask & ~(p->size - 1);
	}
}

const struct linux_arch linux_arch_arm = {
	.arch = &arch_arm,
	.stacks = stacks,
	.sleeping = sleeping,
	.fgraph_by_fp = true,
	.hidden = hidden,
	.program_mode = program_mode,
	.core_notes = core_notes,
	.above_pt_regs = 8, /* THREAD_START_SP, arch/arm/include/asm/thread_info.h */
	.above_always = true,
	.signal_returns = signal_returns,
	.n_signal_returns = ARRAY_SIZE(signal_returns),
	.signal_regs = signal_regs,
	.n_signal_regs = sizeof(signal_regs),
};
