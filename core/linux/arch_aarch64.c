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

static bool stacks(struct target *t, unsigned cpu, stack_fn *fn, void *arg)
{
	static const char *const pointers[][2] = { { "irq_stack_ptr", "IRQ" },
						   { "sdei_stack_normal_ptr", "SDEI" },
						   { "sdei_stack_critical_ptr", "SDEI" } };
	uint64_t size, base;
	struct err err;

	if (!task_stack_size(t, &size,
			     &err)) /* IRQ_STACK_SIZE and SDEI_STACK_SIZE are THREAD_SIZE */
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(pointers); i++)
		if (percpu_ptr(t, pointers[i][0], 0, cpu, &base) &&
		    !stack_tell(base, size, pointers[i][1], fn, arg))
			return false;
	return !overflow_stack(t, cpu, &base, &size) || stack_tell(base, size, "OVERFLOW", fn, arg);
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

#define PSTATE 33 /* index into struct regs */

static bool program_mode(const struct regs *regs, bool *compat)
{
	uint64_t mode;

	if (!regs_get(regs, PSTATE, &mode))
		return false;
	*compat = (mode & 0x1f) == 0x10;
	return !(mode & 0x1f) || *compat;
}

/* mov x8, #139; svc #0. The stack pointer is at struct rt_sigframe then: 128 bytes about the signal
 * and 176 of struct ucontext are in front of sigcontext, whose registers stand behind a word
 * (arch/arm64/include/uapi/asm/sigcontext.h). */
static const struct signal_return signal_returns[] = {
	{ { 0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4 }, 8, 128 + 176 + 8 },
};
static const uint8_t signal_regs[] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
				       12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
				       24, 25, 26, 27, 28, 29, 30, 31, 32, 33 };

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

#define AUXV_WORDS_MAX 128u
#define HWCAP_PACA (UINT64_C(1) << 30) /* arch/arm64/include/uapi/asm/hwcap.h */

/* Does the program have signed return addresses? The kernel told it so when it started. */
static bool may_sign(struct target *t, const struct task *task)
{
	uint64_t words[2], off;
	struct err ignored;

	if (!field_offset(t, "struct mm_struct", "saved_auxv", &off, &ignored))
		return false;
	for (unsigned i = 0; i < AUXV_WORDS_MAX; i += 2) {
		if (!mem_words(t, task->mm + off + (uint64_t)i * 8, words, 2, &ignored) ||
		    words[0] == AT_NULL)
			return false;
		if (words[0] == AT_HWCAP)
			return words[1] & HWCAP_PACA;
	}
	return false;
}

/* The bits of an address that a signature is in: those above a program's addresses, but for bit 55
 * and the tag (arch/arm64/include/asm/pointer_auth.h). Debuggers ask it of code and of data. */
static void note_signature(struct target *t, const struct task *task, core_note_fn *note, void *arg)
{
	uint64_t size, mask[2];
	struct err ignored;

	if (!may_sign(t, task) ||
	    !field_u64(t, "struct mm_struct", task->mm, "task_size", &size, &ignored) || !size)
		return;
	mask[0] = mask[1] = ((UINT64_C(1) << 55) - 1) & ~(size - 1);
	note("LINUX", NT_ARM_PAC_MASK, mask, sizeof(mask), arg);
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
	note_signature(t, task, note, arg);
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
	.stacks = stacks,
	.exception_stacks = overflow_stack,
	.sleeping = sleeping,
	.syscall = syscall_of,
	.syscall_member = "syscallno",
	.hidden = hidden,
	.program_mode = program_mode,
	.core_notes = core_notes,
	.signal_returns = signal_returns,
	.n_signal_returns = ARRAY_SIZE(signal_returns),
	.signal_regs = signal_regs,
	.n_signal_regs = sizeof(signal_regs),
};
