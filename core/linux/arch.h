/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What core/linux knows of one architecture, and what its rows share. */
#ifndef OBIT_LINUX_ARCH_H
#define OBIT_LINUX_ARCH_H

#include "core/linux/stack/stack_impl.h"
#include "core/linux/misc/irq.h"
#include "core/linux/task/syscall.h"
#include "core/linux/memory/user.h"

typedef void core_note_fn(const char *owner, uint32_t type, const void *bytes, size_t n, void *arg);

/* Code to which a signal handler returns, and which has the kernel take the registers back that it
 * saved: those lie so many bytes above the stack pointer with which that code begins. */
#define SIGNAL_CODE_MAX 12
struct signal_return {
	uint8_t code[SIGNAL_CODE_MAX];
	uint8_t n;
	uint16_t regs;
};

/*
 * How Linux runs on one architecture. core/linux/arch_NAME.c defines it as linux_arch_NAME and the
 * Makefile collects it. A function is NULL where the architecture has no such thing, or where
 * nobody knows how to find it.
 */
struct linux_arch {
	const struct arch *arch;
	/* Calls fn for each stack that the CPU has of its own, until fn returns false: then it
	 * returns false, too. */
	bool (*stacks)(struct target *t, unsigned cpu, stack_fn *fn, void *arg);
	/* see exception_stacks() */
	bool (*exception_stacks)(struct target *t, unsigned cpu, uint64_t *lo, uint64_t *size);
	/* sets *ret to the registers that a sleeping task will go on with, as the switch saved them
	 */
	bool (*sleeping)(struct target *t, uint64_t task, struct regs *ret, struct err *err);
	/* Sets *ret, all but ret->info, to the system call that the struct pt_regs at `regs` was
	 * saved for, and *user to whether a program was interrupted. False: for no system call.
	 * Only asked when struct pt_regs has the member syscall_member. */
	bool (*syscall)(struct target *t, uint64_t regs, struct syscall_now *ret, bool *user);
	const char *syscall_member;
	/* Do the registers say that a program was interrupted? *compat: a 32-bit one on a 64-bit
	 * kernel. NULL: nobody knows where the kernel saves those of a program. */
	bool (*program_mode)(const struct regs *regs, bool *compat);
	/* adds to *regs those registers of a program that its task_struct keeps */
	void (*program_regs)(struct target *t, uint64_t task, struct regs *regs);
	/* Calls note() for each note about a thread's registers that a core file has besides
	 * NT_PRSTATUS, with its owner, type and bytes. False: *err says which are missing, and why.
	 */
	bool (*core_notes)(struct target *t, const struct task *task, core_note_fn *note, void *arg,
			   struct err *err);
	/* bytes at a stack's end that are free behind the user's registers, in some kernels or
	 * in all of them */
	uint64_t above_pt_regs;
	bool above_always;
	/* what a program's signal handler returns to */
	const struct signal_return *signal_returns;
	size_t n_signal_returns;
	/* the registers that the kernel puts on the program's stack before it calls a handler, one
	 * word behind the other, as indices into struct regs */
	const uint8_t *signal_regs;
	size_t n_signal_regs;
	/* sets in *p what an entry of a task's page table means that maps no page, such as the
	 * place in swap; NULL: nobody knows its layout */
	void (*hidden)(struct target *t, const struct mmu *mmu, uint64_t entry,
		       struct user_page *p);
	/* Sets *ret to the 256 entries of the table by which the CPU finds what handles an
	 * exception or interrupt, in the scratch arena; see cpu_vectors(). */
	bool (*vectors)(struct target *t, const struct cpu_vector **ret, size_t *n,
			struct err *err);
	/* function_graph does not record where a return address stood, but, as `fp`, the stack
	 * pointer that the function's caller will have */
	bool fgraph_by_fp;
};
/* Every one; NULL ends the list. scripts/dev/lists collects it from the files of this folder. */
extern const struct linux_arch *const linux_archs[];

/* The row of an architecture; one whose functions are all NULL when there is none. Never NULL. */
const struct linux_arch *linux_arch_of(const struct arch *arch);

/* Calls fn for the stack `name` of `size` bytes at lo; there is none when either is 0. */
bool stack_tell(uint64_t lo, uint64_t size, const char *name, stack_fn *fn, void *arg);
/* Sets *ret to the pointer at offset off of a per-CPU variable. False: it is 0, or cannot be read.
 */
bool percpu_ptr(struct target *t, const char *symbol, uint64_t off, unsigned cpu, uint64_t *ret);

/* The member `name` of the struct pt_regs at `regs`; 0: it cannot be read. */
uint64_t pt_regs_member(struct target *t, uint64_t regs, const char *name);

/* A member in which the kernel saved a register when it switched to another task. */
struct saved_reg {
	const char *member;
	unsigned reg; /* index into struct regs */
};
/* Reads n saved registers from the struct of this type at addr into *regs; the member pc_member has
 * the address to go on at. */
bool saved_read(struct target *t, const struct type *type, uint64_t addr,
		const struct saved_reg *saved, size_t n, const char *pc_member, struct regs *regs,
		struct err *err);

#endif
