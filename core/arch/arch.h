/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One const struct arch for each architecture a dump can come from; never an #ifdef on the target.
 */
#ifndef OBIT_ARCH_H
#define OBIT_ARCH_H

#ifndef EM_LOONGARCH /* <elf.h> has it since glibc 2.35 */
#define EM_LOONGARCH 258
#endif

#include "core/base/bytes.h"
#include "core/base/err.h"

/* The values of registers. The index of a register is its number in DWARF, unless the
 * architecture's dwarf_slot() says otherwise; registers that DWARF does not number stand behind
 * those. Bit n of `have` is set when r[n] is known. */
#define REGS_MAX 48
struct regs {
	uint64_t r[REGS_MAX];
	uint64_t have;
};

/* False: register n is not known. */
bool regs_get(const struct regs *regs, unsigned n, uint64_t *ret);
void regs_set(struct regs *regs, unsigned n, uint64_t value);
/* Words of saved registers, one behind the other: how many bytes each has, whether they are
 * big-endian, how many there are, and which register the i-th is; order NULL: it is register i. */
struct regs_words {
	unsigned size;
	bool big;
	unsigned n;
	const uint8_t *order;
};
/* Reads them from offset off of bytes on. No other register is known in *ret. `what` names the
 * bytes in messages. */
bool regs_load(struct span bytes, uint64_t off, struct regs_words words, const char *what,
	       struct regs *ret, struct err *err);

/* What the translation of addresses and unwinding ask of a kernel by name. Both functions are false
 * for a name that is not known. */
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
	bool hashed;      /* PowerPC: the processor has a hash table, and these are Linux's own */
	uint64_t backing; /* beside those, the physical address of `vmemmap_list`; 0: not known */
	/* LoongArch: physical addresses of tables to which an entry leads where there is nothing;
	 * 0: of none */
#define MMU_EMPTY 3
	uint64_t empty[MMU_EMPTY];
	/* reads one 8-byte entry; the error says why a table page is absent */
	bool (*read_entry)(void *self, uint64_t pa, uint64_t *ret, struct err *err);
	void *self;
};

struct mapping {
	/* the block or page that has the address asked for: where it begins, and its bytes */
	uint64_t va, pa, size;
	uint64_t entry; /* the entry of the tables that maps it, as it is stored */
};

struct arch_gdb;    /* gdb.h has it */
struct table_shape; /* table.h has these two */
struct entry_said;

/* What the search for a kernel may use when VMCOREINFO does not say where the kernel was: the
 * vmlinux, and the dump's memory. */
struct arch_hunt {
	/* facts.number as target_facts() has it; facts.symbol gives link-time addresses */
	struct arch_facts facts;
	/* as in struct mmu, with `self` of this */
	bool (*read_entry)(void *self, uint64_t pa, uint64_t *ret, struct err *err);
	/* is the kernel's banner at this physical address? */
	bool (*is_banner)(void *self, uint64_t pa);
	/* Calls at(arg, pa) for each banner in RAM that begins `off` bytes into its page, until
	 * at() returns true, and then returns true. False: at() never was true, or ERR_INTR,
	 * ERR_LIMIT, ERR_NOTFOUND. */
	bool (*banners)(void *self, unsigned off, bool (*at)(void *arg, uint64_t pa), void *arg,
			struct err *err);
	/* the i-th region of RAM, from *first to *last, which is part of it; false: there is none
	 */
	bool (*ram)(void *self, size_t i, uint64_t *first, uint64_t *last);
	/* notes a fact for mmu_init() and image_pa(); a second value of a name is dropped */
	void (*found)(void *self, const char *name, uint64_t value);
	void *self;
};

/* A relocation as debug info has them. It writes S + A, or S + A - P when it is relative: S is the
 * symbol's address, A what is added, P the address of the place that is written. */
enum arch_reloc_how {
	RELOC_SET,
	RELOC_ADD, /* to what stands there */
	RELOC_SUB  /* from what stands there */
};
struct arch_reloc {
	uint16_t type;
	uint8_t bytes; /* how many it writes; 0: none */
	bool relative;
	enum arch_reloc_how how;
	uint8_t keeps; /* the bits of a byte that it leaves as they are */
	/* the place is a ULEB128 number, which keeps its length; bytes is 1, the least it has */
	bool uleb;
};

/* What capstone calls an architecture: a cs_arch and a cs_mode. */
struct arch_capstone {
	int arch, mode;
	/* the first version that knows it; 0: that which obit is built with. Of one with a number
	 * the text alone is read, of which the row tells what branches refer to (insn_leads). */
	unsigned since;
	uint32_t nop; /* with a number: an instruction of four bytes by which a library is tried */
};

/* Where an instruction leads: nowhere that it tells by itself; to code, and how far is the last of
 * its operands; to code, by a register that the instruction before it set; to data. */
enum arch_leads {
	LEADS_NOWHERE,
	LEADS_JUMP,
	LEADS_CODE,
	LEADS_DATA
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
	REGS_LAYOUT_RISCV64,
	REGS_LAYOUT_LOONGARCH64,
	REGS_LAYOUT_PPC64,
	REGS_LAYOUT_S390X,
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
	unsigned link;                /* where a call leaves its return address; 0: on the stack */
	unsigned argument;            /* where a function is given its first argument */
	const char *const *reg_names; /* REGS_MAX entries, NULL where unused */
	enum arch_regs_layout regs_layout;
	const struct arch_gdb *gdb; /* NULL: gdb is not told of its registers */
	/* registers that a function leaves as it found them, a bit each; the stack pointer is not
	 * among them */
	uint64_t callee_saved;
	/* a call leaves its return address on the stack, right below the caller's stack pointer */
	bool call_pushes;
	/* a frame pointer points at the caller's, which the return address lies behind */
	bool frame_records;

	/* ---- memory */

	/* Could va be an address of the kernel's: canonical, and in its half? */
	bool (*is_kernel_va)(uint64_t va);
	/* programs' addresses are of the same numbers as the kernel's */
	bool shares_numbers;
	/* Fills all of *ret but read_entry and self, by which it may look at the tables, or which
	 * are NULL. ERR_NEED says which fact is missing. */
	bool (*mmu_init)(const struct arch_facts *facts, struct mmu *ret, struct err *err);
	/* Changes *mmu, the kernel's tables with the root of a task's, to what those are. NULL:
	 * they have as many levels. */
	void (*task_tables)(struct mmu *mmu);
	/* Translates va. With ERR_UNMAPPED and ERR_NOPGTABLE *ret is set all the same, to the block
	 * that the last entry read stands for, with pa 0. */
	bool (*walk)(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err);
	/* Translates an address in the kernel's image by facts alone, for dumps whose page tables
	 * are lost. */
	bool (*image_pa)(const struct arch_facts *facts, uint64_t va, uint64_t *ret);
	/* Sets *ret to the tables' levels, and *ret to what an entry of a level says; false: there
	 * is no such level. See table.h. NULL: nobody says, and no walk is shown. */
	void (*table_shape)(const struct mmu *mmu, struct table_shape *ret);
	bool (*entry_decode)(const struct mmu *mmu, unsigned level, uint64_t entry,
			     struct entry_said *ret);
	bool big;         /* numbers in memory are big-endian */
	bool big_tables;  /* entries of page tables are big-endian */
	bool linked_here; /* the kernel runs where it was linked to: nothing moves it */
	/* KASLR moves the kernel by a multiple of this, a power of two; 0: it does not move it */
	uint64_t kaslr_step;
	/* names of symbols that may be those of the top page table; NULL ends the list */
	const char *const *roots;
	/* names of other symbols that the two searches below ask for; NULL: none, and ends them */
	const char *const *sought;
	/* keys that the VMCOREINFO of no other architecture has; NULL ends the list, and stands for
	 * an empty one */
	const char *const *vmcoreinfo_keys;
	/* the physical address of a word that has the physical address of VMCOREINFO's note; 0:
	 * nothing tells where that is */
	uint64_t vmcoreinfo_at;
	/* Finds page tables that VMCOREINFO does not tell of, and notes them as facts. ERR_NOSYM,
	 * ERR_NOTFOUND. NULL: VMCOREINFO tells of all. */
	bool (*tables_find)(const struct arch_hunt *hunt, struct err *err);
	/* Finds the kernel in a dump without VMCOREINFO, and sets *moved to its run-time address
	 * minus its link-time address. ERR_NOSYM, ERR_NOTFOUND, ERR_INTR. NULL: tables_find() finds
	 * all there is to find, or nobody knows how. */
	bool (*kernel_find)(const struct arch_hunt *hunt, uint64_t *moved, struct err *err);

	/* ---- saved registers */

	size_t prstatus_size; /* of struct elf_prstatus */
	/* QEMU's notes have no program counter, but where the last exception came from */
	bool notes_lack_pc;
	/* The words of its pr_reg, of `word` bytes each: how many, and the index of each into
	 * struct regs; order NULL: the i-th is register i. 0 words: core files of programs are not
	 * made for it. */
	unsigned prstatus_words;
	const uint8_t *prstatus_order;
	/* ELF dumps of it, and the notes in them, may be of another order of bytes than its memory:
	 * QEMU's are, which asks the processor and not the kernel */
	bool swapped_dumps;
	/* the registers in desc, the struct elf_prstatus of an NT_PRSTATUS note, whose numbers are
	 * big-endian or not whatever those in memory are */
	bool (*regs_of_prstatus)(struct span desc, bool big, struct regs *ret, struct err *err);
	/* the registers in bytes, a struct pt_regs as it lies on a stack */
	bool (*regs_of_pt_regs)(struct span bytes, struct regs *ret, struct err *err);
	size_t pt_regs_size;
	/* Do the registers say that the CPU ran a program and not the kernel? NULL: their program
	 * counter tells. */
	bool (*regs_user)(const struct regs *regs);
	/* the return address pc without what is no part of the address: a pointer authentication
	 * code, the Thumb bit */
	uint64_t (*strip_pac)(const struct arch_facts *facts, uint64_t pc);
	/* Calls found() for each fact in desc, QEMU's own note of qemu_note_size bytes about a CPU.
	 * NULL: QEMU writes none for this architecture. */
	void (*qemu_note)(struct span desc,
			  void (*found)(void *self, const char *name, uint64_t value), void *self);
	size_t qemu_note_size;

	/* ---- code */

	unsigned insn; /* bytes of an instruction; of the shortest, where lengths differ */
	const struct arch_capstone *capstone; /* NULL: nothing disassembles it */
	/* bytes of the instruction that code, which is not empty, begins with; NULL: `insn` */
	unsigned (*insn_size)(struct span code);
	/* What the instruction that code begins with refers to, an address in *ret; code lies at
	 * addr, and before it the instruction before, of which nothing may be there. NULL: the
	 * disassembler tells. */
	enum arch_leads (*insn_leads)(struct span before, struct span code, uint64_t addr,
				      uint64_t *ret);
	/* Does an instruction that calls end at pc? code is the call_bytes bytes in front of pc. */
	bool (*call_before)(struct span code, uint64_t pc);
	unsigned call_bytes;
	/* Where the direct call that returns to pc goes; code ends at pc. False: no direct call
	 * ends there. NULL: nobody can tell. */
	bool (*call_target)(struct span code, uint64_t pc, uint64_t *ret);
	/* how many bytes of a function a direct call may leave out: ELFv2's set up what a caller
	 * from another module lacks */
	unsigned local_entry;
	/* Finds the next direct jump in code, which lies at addr, from its byte *from on. *ret is
	 * where the jump leads, and *from is moved to where the search for one more begins. May
	 * find jumps that are none. NULL: no jump is ever found. */
	bool (*jump_next)(struct span code, uint64_t addr, size_t *from, uint64_t *ret);
	/* the next address of data that code, which lies at addr, makes of its own place; from byte
	 * *from on, which becomes where to look for one more. NULL: none is found. */
	bool (*place_next)(struct span code, uint64_t addr, size_t *from, uint64_t *ret);

	/* ---- files */

	bool mapping_symbols; /* assemblers mark code and data by symbols as "$a", "$d", "$x" */
	const struct arch_reloc *relocs; /* of debug info in modules */
	size_t n_relocs;
	enum arch_open_flags open_flags;

	/* ---- debug info, and where it is wrong */

	/* The index into struct regs of the register that DWARF gives this number; REGS_MAX: of
	 * none. NULL: index and number are the same, up to that of the program counter. */
	unsigned (*dwarf_slot)(uint64_t number);
	/* how far the CFA lies above the stack pointer that a function's caller had */
	unsigned cfa_above_sp;
	/* call frame instruction 0x2d says from where on the return address is signed, or is not */
	bool signs_returns;
	/* functions that never return do not save the registers that they overwrite, and debug info
	 * does not say of each that it never returns */
	bool noreturn_forgets;
	/* in gcc's location lists and call sites, offsets from the frame may be wrong */
	bool frame_doubt;
	/* The registers, a bit each, that a function with this code overwrites while gcc's location
	 * lists still have variables in them. NULL: there is no such case. */
	uint64_t (*doubtful)(struct span code);
};

/* Every architecture; NULL ends the list. scripts/dev/lists collects it from the files of this
 * folder. */
extern const struct arch *const archs[];
/* Some of them by name, for tests; nothing else asks for one by its name. */
extern const struct arch arch_x86_64, arch_aarch64, arch_arm, arch_riscv64, arch_ppc64le,
	arch_loongarch64, arch_s390x;

/* Are a and b the same architecture? */
bool arch_same(const struct arch *a, const struct arch *b);
/* The index into struct regs of the register that DWARF gives this number; REGS_MAX: of none. */
unsigned arch_dwarf_slot(const struct arch *arch, uint64_t number);
/* The architecture's name in records of reports: "arm" for armv7l. */
const char *arch_report_name(const struct arch *arch);
/* The architecture of an ELF file that belongs to a text, of a machine, of this many bytes in a
 * pointer, big-endian or not: one of archs[], or one of those whose dumps are not read. Its memory
 * and its registers are refused with ERR_UNSUPPORTED. NULL: obit does not know it. */
const struct arch *arch_of_texts(uint16_t elf_machine, unsigned word, bool big);
/* Is this where a direct call of the function that begins at `func` leads? */
bool arch_call_enters(const struct arch *arch, uint64_t target, uint64_t func);
/* What relocation `type` of an ELF file for this architecture does. NULL: it is not known. */
const struct arch_reloc *arch_reloc_of(const struct arch *arch, uint32_t type);

/* For tests: fills all of *ret but read_entry and self, for 32-bit ARM's tables at root. */
void arm_mmu(struct mmu *ret, uint64_t root, bool lpae);

/* Do the registers say that the CPU ran a program and not the kernel? */
bool arch_regs_user(const struct arch *arch, const struct regs *regs);

/* The architecture of an ELF machine, of a name as uname -m has it, of a name that reports have.
 * NULL: obit does not know it. */
const struct arch *arch_of_elf(uint16_t elf_machine);
const struct arch *arch_of_name(const char *uname_machine);
const struct arch *arch_of_report(const char *name);
struct buf;
/* Appends the architectures that obit knows, as ELF tools call them: "AArch64, ARM and AMD x86-64".
 */
void arch_list(struct buf *b);
/* The same with those that arch_of_texts() knows besides. */
void arch_list_texts(struct buf *b);

#endif
