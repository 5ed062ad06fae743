/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One const struct arch for each architecture a dump can come from; never an #ifdef on the target.
 */
#ifndef OBIT_ARCH_H
#define OBIT_ARCH_H

#include "core/base/bytes.h"
#include "core/base/err.h"

/* Registers by DWARF number, then those DWARF does not number; `have` has a bit for each one known.
 */
#define REGS_MAX 48
struct regs {
	uint64_t r[REGS_MAX];
	uint64_t have;
};

bool regs_get(const struct regs *regs, unsigned n, uint64_t *ret);
void regs_set(struct regs *regs, unsigned n, uint64_t value);
/* Little-endian words of `size` bytes from off on, as the kernel saved them; order: each one's
 * number, NULL: 0, 1, 2 ... Forgets what was known before. */
bool regs_load(struct span bytes, uint64_t off, unsigned size, const uint8_t *order, unsigned words,
	       const char *what, struct regs *ret, struct err *err);

/* What translation and unwinding need to know of the kernel; unknown names return false. */
struct arch_facts {
	bool (*number)(void *self, const char *name, uint64_t *ret); /* see target_facts() */
	bool (*symbol)(void *self, const char *name, uint64_t *ret); /* run-time address */
	void *self;
};

/* The page tables, as a walk needs them. */
struct mmu {
	uint64_t root;       /* physical address of the top table */
	unsigned va_bits;    /* 48, 57, ... */
	unsigned page_shift; /* 12, 14, 16 */
	uint64_t phys_mask;  /* address bits of an entry */
	bool long_entries;   /* 32-bit ARM: LPAE's entries of 64 bits, not words */
	bool low;            /* a task's: arm64 has tables of their own for the lower half */
	/* reads one 8-byte entry; the error says why a table page is absent */
	bool (*read_entry)(void *self, uint64_t pa, uint64_t *ret, struct err *err);
	void *self;
};

struct mapping {
	uint64_t va, pa, size; /* the whole block that contains the address asked for */
	uint64_t entry;        /* of the tables, as it is there */
};

struct arch {
	const char *name;             /* as uname -m: "x86_64", "aarch64", "armv7l" */
	const char *machine;          /* as ELF tools say: "AMD x86-64" */
	uint16_t elf_machine;         /* EM_X86_64, ... */
	unsigned word;                /* bytes of a pointer */
	unsigned pc, sp, fp;          /* indices into struct regs */
	const char *const *reg_names; /* REGS_MAX entries, NULL where unused */
	/* registers that a function leaves as it found them, a bit each; the stack pointer is not
	 * among them */
	uint64_t callee_saved;

	/* could this be a kernel address (canonical, upper half)? */
	bool (*is_kernel_va)(uint64_t va);
	/* finds the page-table root; ERR_NEED says which fact is missing */
	bool (*mmu_init)(const struct arch_facts *facts, struct mmu *ret, struct err *err);
	/* ERR_UNMAPPED, ERR_NOPGTABLE: *ret is the block that the last entry stands for, with pa 0
	 */
	bool (*walk)(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err);
	/* where the kernel's image lies, without page tables: for when theirs are lost */
	bool (*image_pa)(const struct arch_facts *facts, uint64_t va, uint64_t *ret);
	/* registers of an NT_PRSTATUS descriptor (struct elf_prstatus of this architecture) */
	bool (*regs_of_prstatus)(struct span desc, struct regs *ret, struct err *err);
	/* registers of a struct pt_regs as it lies on a stack */
	bool (*regs_of_pt_regs)(struct span bytes, struct regs *ret, struct err *err);
	size_t pt_regs_size;
	/* where a direct call goes, by the code up to its return address pc; false: it is none */
	bool (*call_target)(struct span code, uint64_t pc, uint64_t *ret);
	/* do they say that the CPU ran a program? NULL: their addresses tell */
	bool (*regs_user)(const struct regs *regs);
	/* a return address without pointer authentication code or Thumb bit */
	uint64_t (*strip_pac)(const struct arch_facts *facts, uint64_t pc);
};

extern const struct arch arch_x86_64, arch_aarch64, arch_arm;

/* 32-bit ARM's tables at root, for who searches them: all but read_entry and self. */
void arm_mmu(struct mmu *ret, uint64_t root, bool lpae);

/* Did the CPU run a program? */
bool arch_regs_user(const struct arch *arch, const struct regs *regs);

/* NULL for a machine obit does not know. */
const struct arch *arch_of_elf(uint16_t elf_machine);
const struct arch *arch_of_name(const char *uname_machine);
struct buf;
/* Adds those that obit knows, as ELF tools call them: "AMD x86-64, AArch64 and ARM". */
void arch_list(struct buf *b);

#endif
