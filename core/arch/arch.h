/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One const struct arch for each architecture a dump can come from; never an #ifdef on the target.
 */
#ifndef OBIT_ARCH_H
#define OBIT_ARCH_H

#include "core/base/bytes.h"
#include "core/base/err.h"

/* Registers in an order of the architecture's: by DWARF number, unless struct arch.dwarf_slot says
 * otherwise, then those DWARF does not number; `have` has a bit for each one known. */
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

/* What the search for a kernel has that noted nothing of where it is: its vmlinux and memory. */
struct arch_hunt {
	/* number: as target_facts(); symbol: the address that it was linked to */
	struct arch_facts facts;
	/* as in struct mmu, with `self` of this */
	bool (*read_entry)(void *self, uint64_t pa, uint64_t *ret, struct err *err);
	/* is the kernel's banner at this physical address? */
	bool (*is_banner)(void *self, uint64_t pa);
	/* at(arg, pa) for each banner in RAM that lies `off` into its page, until that is true.
	 * False: it never was; ERR_INTR, ERR_LIMIT, ERR_NOTFOUND. */
	bool (*banners)(void *self, unsigned off, bool (*at)(void *arg, uint64_t pa), void *arg,
			struct err *err);
	/* region i of RAM, *last inclusive; false: there are no more */
	bool (*ram)(void *self, size_t i, uint64_t *first, uint64_t *last);
	/* notes a fact for mmu_init() and image_pa(); the first of a name is kept */
	void (*found)(void *self, const char *name, uint64_t value);
	void *self;
};

/* A relocation that debug info is made of: it writes S + A, or S + A - P when it is relative to its
 * place. */
struct arch_reloc {
	uint16_t type;
	uint8_t bytes; /* 0: it writes nothing */
	bool relative;
};

/* What capstone calls an architecture: a cs_arch and a cs_mode. */
struct arch_capstone {
	int arch, mode;
};

/* Who numbers open(2)'s flags: strace.c has the names. */
enum arch_open_flags {
	OPEN_FLAGS_UNKNOWN,
	OPEN_FLAGS_GENERIC, /* include/uapi/asm-generic/fcntl.h alone */
	OPEN_FLAGS_ARM,
};

/* How people read the registers that an entry saved: regs_record.c has the layouts. */
enum arch_regs_layout {
	REGS_LAYOUT_EACH, /* a line for each register, which any architecture can have */
	REGS_LAYOUT_X86_64,
	REGS_LAYOUT_ARM64,
	REGS_LAYOUT_ARM,
	REGS_LAYOUTS
};

/*
 * One architecture: data and questions of bytes alone. core/arch/NAME.c defines it as arch_NAME and
 * the Makefile collects it. What needs frames or the kernel's types stands in the tables keyed by
 * it: struct unwind_arch and struct linux_arch. A question that may be NULL says what NULL means;
 * the others every architecture answers.
 */
struct arch {
	const char *name; /* as uname -m: "x86_64", "aarch64", "armv7l" */
	/* fnmatch(3)'s pattern of uname -m, where a kernel names the CPU; NULL: it is the name */
	const char *uname;
	const char *report;           /* as reports are said to be of: "arm"; NULL: the name */
	const char *machine;          /* as ELF tools say: "AMD x86-64" */
	uint16_t elf_machine;         /* EM_X86_64, ... */
	unsigned word;                /* bytes of a pointer */
	unsigned pc, sp, fp;          /* indices into struct regs */
	const char *const *reg_names; /* REGS_MAX entries, NULL where unused */
	enum arch_regs_layout regs_layout;
	/* registers that a function leaves as it found them, a bit each; the stack pointer is not
	 * among them */
	uint64_t callee_saved;
	/* a call leaves its return address on the stack, right below the caller's stack pointer */
	bool call_pushes;
	/* a frame pointer points at the caller's, which the return address lies behind */
	bool frame_records;

	/* ---- memory */

	/* could this be a kernel address (canonical, upper half)? */
	bool (*is_kernel_va)(uint64_t va);
	/* finds the page-table root; ERR_NEED says which fact is missing */
	bool (*mmu_init)(const struct arch_facts *facts, struct mmu *ret, struct err *err);
	/* ERR_UNMAPPED, ERR_NOPGTABLE: *ret is the block that the last entry stands for, with pa 0
	 */
	bool (*walk)(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err);
	/* where the kernel's image lies, without page tables: for when theirs are lost */
	bool (*image_pa)(const struct arch_facts *facts, uint64_t va, uint64_t *ret);
	bool big_tables;  /* entries of page tables are big-endian */
	bool linked_here; /* the kernel runs where it was linked to: nothing moves it */
	/* symbols that may be the top page table's, NULL at the end */
	const char *const *roots;
	/* keys of VMCOREINFO that no other architecture's has, NULL at the end; NULL: none */
	const char *const *vmcoreinfo_keys;
	/* finds the page tables that VMCOREINFO does not tell of, and notes them as facts; NULL:
	 * VMCOREINFO is enough. ERR_NOSYM, ERR_NOTFOUND. */
	bool (*tables_find)(const struct arch_hunt *hunt, struct err *err);
	/* finds the kernel without VMCOREINFO, and how far it was moved; NULL: tables_find()'s are
	 * all there is to find, or nothing knows how. ERR_NOSYM, ERR_NOTFOUND, ERR_INTR. */
	bool (*kernel_find)(const struct arch_hunt *hunt, uint64_t *moved, struct err *err);

	/* ---- saved registers */

	size_t prstatus_size; /* of struct elf_prstatus */
	/* registers of an NT_PRSTATUS descriptor (struct elf_prstatus of this architecture) */
	bool (*regs_of_prstatus)(struct span desc, struct regs *ret, struct err *err);
	/* registers of a struct pt_regs as it lies on a stack */
	bool (*regs_of_pt_regs)(struct span bytes, struct regs *ret, struct err *err);
	size_t pt_regs_size;
	/* do they say that the CPU ran a program? NULL: their addresses tell */
	bool (*regs_user)(const struct regs *regs);
	/* a return address without pointer authentication code or Thumb bit */
	uint64_t (*strip_pac)(const struct arch_facts *facts, uint64_t pc);
	/* facts of QEMU's own note about a CPU; NULL: it has none of qemu_note_size bytes */
	void (*qemu_note)(struct span desc,
			  void (*found)(void *self, const char *name, uint64_t value), void *self);
	size_t qemu_note_size;

	/* ---- code */

	unsigned insn; /* bytes of an instruction; of the shortest, where they differ */
	const struct arch_capstone *capstone; /* NULL: nothing disassembles it */
	/* is what ends at pc a call? The code is of call_bytes bytes. */
	bool (*call_before)(struct span code, uint64_t pc);
	unsigned call_bytes;
	/* where a direct call goes, by the code up to its return address pc; false: it is none.
	 * NULL: nobody can tell. */
	bool (*call_target)(struct span code, uint64_t pc, uint64_t *ret);
	/* where the next direct jump in code, which lies at addr, leads; from byte *from on, which
	 * becomes where to look for one more. May find too many. NULL: none is found. */
	bool (*jump_next)(struct span code, uint64_t addr, size_t *from, uint64_t *ret);
	/* the next address of data that code, which lies at addr, makes of its own place; from byte
	 * *from on, which becomes where to look for one more. NULL: none is found. */
	bool (*place_next)(struct span code, uint64_t addr, size_t *from, uint64_t *ret);

	/* ---- files */

	bool mapping_symbols; /* assemblers mark code and data by symbols that begin with '$' */
	const struct arch_reloc *relocs; /* of debug info in modules */
	size_t n_relocs;
	enum arch_open_flags open_flags;

	/* ---- debug info, and where it is wrong */

	/* index into struct regs of the register that DWARF gives a number, REGS_MAX: none; NULL:
	 * they are the same up to the program counter */
	unsigned (*dwarf_slot)(uint64_t number);
	bool signs_returns; /* call frame instruction 0x2d: the return address is signed, or not */
	/* functions that never return save no registers, and debug info does not say so of all */
	bool noreturn_forgets;
	/* gcc's lists of places, and call sites, count offsets from the frame wrongly */
	bool frame_doubt;
	/* registers that a function of this code overwrites where gcc's lists of places miss it, a
	 * bit each; NULL: none */
	uint64_t (*doubtful)(struct span code);
};

/* All of them, NULL at the end: collected from this folder by scripts/dev/lists. */
extern const struct arch *const archs[];
/* Those that tests are made of; nothing else asks for one by name. */
extern const struct arch arch_x86_64, arch_aarch64, arch_arm;

/* Are two the same architecture? */
bool arch_same(const struct arch *a, const struct arch *b);
/* Index into struct regs of the register that DWARF gives a number; REGS_MAX: none. */
unsigned arch_dwarf_slot(const struct arch *arch, uint64_t number);
/* As reports are said to be of. */
const char *arch_report_name(const struct arch *arch);
/* How a relocation of this ELF machine works, be it of one that has no row; NULL: unknown. */
const struct arch_reloc *arch_reloc_of(uint16_t elf_machine, uint32_t type);

/* 32-bit ARM's tables at root, for tests: all but read_entry and self. */
void arm_mmu(struct mmu *ret, uint64_t root, bool lpae);

/* Did the CPU run a program? */
bool arch_regs_user(const struct arch *arch, const struct regs *regs);

/* NULL for a machine obit does not know. */
const struct arch *arch_of_elf(uint16_t elf_machine);
const struct arch *arch_of_name(const char *uname_machine);
const struct arch *arch_of_report(const char *name);
struct buf;
/* Adds those that obit knows, as ELF tools call them: "AArch64, ARM and AMD x86-64". */
void arch_list(struct buf *b);

#endif
