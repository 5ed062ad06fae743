/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What core/linux knows of one architecture, and what its rows share. */
#ifndef OBIT_LINUX_ARCH_H
#define OBIT_LINUX_ARCH_H

#include "core/linux/stack/stack_impl.h"
#include "core/linux/task/syscall.h"
#include "core/linux/memory/user.h"

/*
 * How Linux runs on one architecture. core/linux/arch_NAME.c defines it as linux_arch_NAME and the
 * Makefile collects it. What is NULL it has not, or nobody knows.
 */
struct linux_arch {
	const struct arch *arch;
	/* the stack of a CPU's own that sp is on */
	bool (*stack_of)(struct target *t, unsigned cpu, uint64_t sp, struct stack_range *ret);
	/* see exception_stacks() */
	bool (*exception_stacks)(struct target *t, unsigned cpu, uint64_t *lo, uint64_t *size);
	/* with which registers a sleeping task goes on: those that the switch saved */
	bool (*sleeping)(struct target *t, uint64_t task, struct regs *ret, struct err *err);
	/* the system call that a user's struct pt_regs is of, but for ->info; *user: it is a
	 * user's. False: of none. Asked where struct pt_regs has syscall_member. */
	bool (*syscall)(struct target *t, uint64_t regs, struct syscall_now *ret, bool *user);
	const char *syscall_member;
	/* bytes at a stack's end that some kernels leave free behind the user's registers */
	uint64_t above_pt_regs;
	/* what an entry of a task's page table says that maps nothing; NULL: but for 0 its
	 * layout is the kernel's own business, and changes */
	void (*hidden)(const struct mmu *mmu, uint64_t entry, struct user_page *p);
	/* function_graph records no slot of a return address, but as `fp` the stack pointer that
	 * the function will leave behind */
	bool fgraph_by_fp;
};
/* All of them, NULL at the end: collected from this folder by scripts/dev/lists. */
extern const struct linux_arch *const linux_archs[];

/* Never NULL: of an architecture without a row every member is. */
const struct linux_arch *linux_arch_of(const struct arch *arch);

/* Sets *ret when sp is on the stack of `size` bytes at lo, its end included. */
bool stack_within(uint64_t lo, uint64_t size, uint64_t sp, const char *name,
		  struct stack_range *ret);
/* The pointer at `off` in a CPU's variable; false: it is 0, or cannot be read. */
bool percpu_ptr(struct target *t, const char *symbol, uint64_t off, unsigned cpu, uint64_t *ret);

/* A member of a struct pt_regs; 0 where it cannot be read. */
uint64_t pt_regs_member(struct target *t, uint64_t regs, const char *name);

/* A member that a switch saved a register in. */
struct saved_reg {
	const char *member;
	unsigned reg; /* index into struct regs */
};
/* Registers of a structure at addr, where pc_member is the one to go on at. */
bool saved_read(struct target *t, const struct type *type, uint64_t addr,
		const struct saved_reg *saved, size_t n, const char *pc_member, struct regs *regs,
		struct err *err);

#endif
