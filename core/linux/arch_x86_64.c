/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linux on x86-64: stacks of interrupts and exceptions, sleeping tasks, system calls, entries that
 * map nothing. */
#include <elf.h>
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
static bool irq_stack(struct target *t, unsigned cpu, stack_fn *fn, void *arg)
{
	uint64_t top, off, size;
	struct err err;

	if (!symbol_addr(t, "hardirq_stack_ptr", &top) ||
	    !percpu_ptr(t, "hardirq_stack_ptr", 0, cpu, &top)) {
		if (!field_offset(t, "struct pcpu_hot", "hardirq_stack_ptr", &off, &err) ||
		    !percpu_ptr(t, "pcpu_hot", off, cpu, &top))
			return true;
	}
	top = (top + 4095) & ~UINT64_C(4095);
	size = type_size(t, "struct irq_stack", IRQ_STACK_SIZE);
	return stack_tell(top - size, size, "IRQ", fn, arg);
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
static bool exception_stack(struct target *t, unsigned cpu, stack_fn *fn, void *arg)
{
	const struct type *type;
	const struct member *m;
	uint64_t base;
	size_t n;

	if (!exception_area(t, cpu, &base, &type))
		return true;
	m = type_members(type, &n);
	for (size_t i = 0; i < n; i++) {
		const char *name = m[i].name ? m[i].name : "";
		size_t len = strlen(name);

		if (len <= 6 || strcmp(name + len - 6, "_stack") != 0)
			continue;
		if (!stack_tell(base + m[i].bit_off / 8, m[i].type->size,
				exception_name(t, name, len - 6), fn, arg))
			return false;
	}
	return true;
}

static bool stacks(struct target *t, unsigned cpu, stack_fn *fn, void *arg)
{
	return irq_stack(t, cpu, fn, arg) && exception_stack(t, cpu, fn, arg);
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

/* ---- programs */

/* the numbers are those of struct regs */
static bool program_mode(const struct regs *regs, bool *compat)
{
	uint64_t cs, ss;

	if (!regs_get(regs, 18, &cs) || !regs_get(regs, 19, &ss))
		return false;
	*compat = (cs & 0xffff) == 0x23;
	return (cs & 3) == 3 && (ss & 3) == 3;
}

/* mov $15,%rax; syscall. The stack pointer is at struct ucontext then, in which the registers
 * stand at offset 40: arch/x86/include/uapi/asm/sigcontext.h. */
static const struct signal_return signal_returns[] = {
	{ { 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05 }, 9, 40 },
};
static const uint8_t signal_regs[] = {
	8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7, 16, 17
};

/* struct thread_struct; the numbers are those of struct regs. What a CPU had in its own registers
 * is newer, and stays. */
static const struct saved_reg thread_saved[] = {
	{ "thread.fsbase", 21 }, { "thread.gsbase", 22 },  { "thread.ds", 23 },
	{ "thread.es", 24 },     { "thread.fsindex", 25 }, { "thread.gsindex", 26 },
};

static void program_regs(struct target *t, uint64_t task, struct regs *regs)
{
	for (size_t i = 0; i < ARRAY_SIZE(thread_saved); i++) {
		uint64_t v;
		struct err ignored;

		if (!regs_get(regs, thread_saved[i].reg, &v) &&
		    field_u64(t, "struct task_struct", task, thread_saved[i].member, &v, &ignored))
			regs_set(regs, thread_saved[i].reg, v);
	}
}

/* The floating point registers as the CPU's xsave instructions lay them out: Intel's manual, volume
 * 1, 13.4. The kernel keeps them in thread.fpu.state; since v5.16 where
 * thread.fpu.fpstate points to; since v6.16 struct fpu lies behind task_struct. */
static bool fpu_state(struct target *t, uint64_t task, uint64_t *ret, struct err *err)
{
	const struct type *type;
	uint64_t off;

	if (field_offset(t, "struct task_struct", "thread.fpu.state", &off, err))
		return *ret = task + off, true;
	if (field_u64(t, "struct task_struct", task, "thread.fpu.fpstate", ret, err))
		return field_offset(t, "struct fpstate", "regs", &off, err) && (*ret += off, true);
	if (err->code != ERR_NOFIELD || !type_find(t, "struct task_struct", &type, err) ||
	    !field_u64(t, "struct fpu", task + type->size, "fpstate", ret, err) ||
	    !field_offset(t, "struct fpstate", "regs", &off, err))
		return false;
	*ret += off;
	return true;
}

#define TIF_NEED_FPU_LOAD 14 /* arch/x86/include/asm/thread_info.h, since v5.2 */
#define FXSAVE_SIZE 512u
#define XSAVE_HEAD 576u /* with the header behind it */
#define XSAVE_MAX 16384u
#define XSAVE_SW 464u /* the kernel puts the features there for signal frames and core files */

/* How many bytes of it a program may see, and *features: which parts those are; 0: the CPU has no
 * xsave, and there are FXSAVE_SIZE bytes alone. */
static bool xsave_layout(struct target *t, uint64_t state, uint64_t *size, uint64_t *features,
			 struct err *err)
{
	uint64_t symbol, off;
	uint32_t n;

	/* the first word is what the kernel writes into signal frames */
	if (!symbol_addr(t, "xstate_fx_sw_bytes", &symbol))
		return err_set(err, ERR_NOSYM, "no symbol 'xstate_fx_sw_bytes'");
	if (!mem_u64(t, symbol, features, err))
		return false;
	*size = FXSAVE_SIZE;
	if (!*features)
		return true;
	if (symbol_addr(t, "fpu_user_xstate_size", &symbol)) {
		if (!mem_u32(t, symbol, &n, err))
			return false;
		*size = n;
	} else if (!field_offset(t, "struct fpstate", "regs", &off, err) ||
		   !field_u64(t, "struct fpstate", state - off, "user_size", size, err)) {
		return false;
	}
	return (*size >= XSAVE_HEAD && *size <= XSAVE_MAX) ||
	       err_set_addr(err, ERR_CORRUPT, state, "%llu bytes of vector registers",
			    (unsigned long long)*size);
}

/* Parts that were never used are not saved: what lies there is older. They are as at the start of a
 * program. */
static void fxsave_settle(uint8_t *fx, uint64_t features)
{
	static const uint8_t control[2] = { 0x7f, 0x03 }, mxcsr[4] = { 0x80, 0x1f, 0, 0 };

	if (!(features & 1)) {
		memset(fx, 0, 24);
		memset(fx + 32, 0, 128);
		memcpy(fx, control, sizeof(control));
	}
	if (!(features & 2))
		memset(fx + 160, 0, 256);
	if (!(features & 6))
		memcpy(fx + 24, mxcsr, sizeof(mxcsr));
}

static bool core_notes(struct target *t, const struct task *task, core_note_fn *note, void *arg,
		       struct err *err)
{
	uint8_t *state = arena_alloc(t->scratch, XSAVE_MAX);
	uint64_t at, flags, size, features;

	if (!field_u64(t, "struct task_struct", task->addr, "thread_info.flags", &flags, err))
		return false;
	if (task->active && !(flags >> TIF_NEED_FPU_LOAD & 1))
		return err_set(err, ERR_NEED, "its floating point registers were in the CPU");
	if (!fpu_state(t, task->addr, &at, err) || !xsave_layout(t, at, &size, &features, err) ||
	    !mem_read(t, at, state, (size_t)size, err))
		return err_wrap(err, "floating point registers");
	if (features)
		fxsave_settle(state, load_le64(state + FXSAVE_SIZE));
	note("CORE", NT_FPREGSET, state, FXSAVE_SIZE, arg);
	if (!features)
		return true;
	if (load_le64(state + FXSAVE_SIZE + 8) >> 63)
		return err_set(err, ERR_UNSUPPORTED,
			       "its vector registers are stored compacted: only the lower halves "
			       "are there");
	for (unsigned i = 0; i < 8; i++)
		state[XSAVE_SW + i] = (uint8_t)(features >> 8 * i);
	note("LINUX", NT_X86_XSTATE, state, (size_t)size, arg);
	return true;
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

/* ---- interrupt descriptors */

/* Intel's manual, volume 3, 6.14.1: a gate is of 16 bytes; its type and who may call it are in the
 * byte 5. */
#define GATES 256u
#define GATE_SIZE 16u

static bool vectors(struct target *t, const struct cpu_vector **ret, size_t *n, struct err *err)
{
	struct cpu_vector *all = ARENA_ARRAY(t->scratch, struct cpu_vector, GATES);
	uint8_t gates[GATES * GATE_SIZE];
	uint64_t at;

	if (!symbol_addr(t, "idt_table", &at))
		return err_set(err, ERR_NOSYM, "no symbol 'idt_table'");
	if (!mem_read(t, at, gates, sizeof(gates), err))
		return err_wrap(err, "idt_table");
	for (unsigned i = 0; i < GATES; i++) {
		const uint8_t *g = gates + i * GATE_SIZE;
		unsigned type = g[5] & 15;

		all[i].nr = i;
		all[i].handler = load_le16(g) | (uint64_t)load_le16(g + 6) << 16 |
				 (uint64_t)load_le32(g + 8) << 32;
		all[i].selector = load_le16(g + 2);
		all[i].ist = g[4] & 7;
		all[i].type = type == 14 ? "interrupt" : type == 15 ? "trap" : NULL;
		all[i].dpl = g[5] >> 5 & 3;
		all[i].present = g[5] >> 7;
	}
	*ret = all;
	*n = GATES;
	return true;
}

const struct linux_arch linux_arch_x86_64 = {
	.arch = &arch_x86_64,
	.stacks = stacks,
	.exception_stacks = all_exception_stacks,
	.sleeping = sleeping,
	.syscall = syscall_of,
	.syscall_member = "orig_ax",
	.program_mode = program_mode,
	.program_regs = program_regs,
	.core_notes = core_notes,
	.above_pt_regs = 16, /* room for more of them */
	.signal_returns = signal_returns,
	.n_signal_returns = ARRAY_SIZE(signal_returns),
	.signal_regs = signal_regs,
	.n_signal_regs = sizeof(signal_regs),
	.hidden = hidden,
	.vectors = vectors,
};
