/* SPDX-License-Identifier: GPL-3.0-or-later */
/* s390x, IBM Z in its 64-bit mode: big-endian memory, page tables of three to five levels, saved
 * registers, and what its calls look like. */
#include <capstone/capstone.h>
#include <elf.h>

#include "core/arch/gdb.h"
#include "core/arch/table.h"
#include "core/base/vec.h"

/* The general registers are those that DWARF numbers so. */
enum {
	LINK = 14,
	SP = 15,
	PSW_MASK = 16, /* not as DWARF numbers it, nor what follows */
	PC,            /* the PSW's address */
	ORIG_GPR2
};

static const char *const reg_names[REGS_MAX] = {
	[0] = "r0",
	[1] = "r1",
	[2] = "r2",
	[3] = "r3",
	[4] = "r4",
	[5] = "r5",
	[6] = "r6",
	[7] = "r7",
	[8] = "r8",
	[9] = "r9",
	[10] = "r10",
	[11] = "r11",
	[12] = "r12",
	[13] = "r13",
	[LINK] = "r14",
	[SP] = "r15",
	[PSW_MASK] = "psw_mask",
	[PC] = "pc",
	[ORIG_GPR2] = "orig_gpr2",
};

/* arch/s390/include/asm/ptrace.h: what struct pt_regs has behind its `args`, which is how s390_regs
 * of a note begins, too; there access registers lie between these and orig_gpr2. */
static const uint8_t saved_order[] = { PSW_MASK, PC, 0,  1,  2,  3,  4,    5,  6,        7,
				       8,        9,  10, 11, 12, 13, LINK, SP, ORIG_GPR2 };
#define PT_REGS_PSW 8
#define PRSTATUS_REGS 112 /* offset of pr_reg in struct elf_prstatus */
#define PRSTATUS_WORDS (sizeof(saved_order) - 1)

/* Programs and the kernel have address spaces of their own, so the kernel's addresses are any
 * numbers: its identity mapping begins at 0. Below lie the two pages that are each CPU's own
 * (Principles of Operation, 3: Prefixing), of which no pointer is of use. */
#define PREFIX_AREA UINT64_C(0x2000)
#define VA_END (UINT64_C(1) << 53) /* four levels are the most that the kernel's tables have */

static bool is_kernel_va(uint64_t va)
{
	return va >= PREFIX_AREA && va < VA_END;
}

/* ---- page tables: Principles of Operation, 3: Dynamic Address Translation */

#define INVALID 0x20u       /* of a region or a segment */
#define PAGE_INVALID 0x400u /* of a page */
#define PAGE_KEPT 0x11u     /* software: present, and readable by its program */
#define LARGE 0x400u        /* a region-third or a segment entry that is no table */
#define TABLE_TYPE(entry) ((unsigned)((entry) >> 2 & 3))
#define SEGMENT_SHIFT 20
#define REGION3_SHIFT 31
#define INDEX_MASK 0x7ffu /* of regions and segments */
#define PAGE_INDEX_MASK 0xffu

/* An entry of a region or segment table says of which kind of table it is, even an invalid one. */
static unsigned bits_of_root(const struct mmu *mmu, uint64_t root_va)
{
	uint64_t entry;
	struct err ignored;

	if (mmu->read_entry && mmu->read_entry(mmu->self, mmu->root, &entry, &ignored))
		return 31 + 11 * TABLE_TYPE(entry);
	/* the image lies at the end of what the tables can map */
	return root_va >> 42 ? 53 : 42;
}

/* A program's tables have the levels that it needs. */
static void task_tables(struct mmu *mmu)
{
	mmu->va_bits = bits_of_root(mmu, 0);
}

/* Until c98d2ecae08f (v6.10) the image is mapped to where it lies. */
static bool place_of_image(const struct arch_facts *facts, uint64_t va, uint64_t *ret)
{
	uint64_t off, phys;

	*ret = va;
	if (!facts->number(facts->self, "KERNELOFFPHYS", &phys))
		return true;
	*ret = va + phys;
	if (!facts->number(facts->self, "KERNELOFFSET", &off))
		return false;
	*ret -= off;
	return true;
}

static bool image_pa(const struct arch_facts *facts, uint64_t va, uint64_t *ret)
{
	uint64_t start, end;

	return facts->symbol(facts->self, "_stext", &start) &&
	       facts->symbol(facts->self, "_end", &end) && va >= start && va < end &&
	       place_of_image(facts, va, ret);
}

static bool mmu_init(const struct arch_facts *facts, struct mmu *ret, struct err *err)
{
	uint64_t va;

	if (!facts->symbol(facts->self, "swapper_pg_dir", &va))
		return err_set(err, ERR_NEED,
			       "the page tables' root 'swapper_pg_dir' is not known: the dump has "
			       "no VMCOREINFO");
	if (!place_of_image(facts, va, &ret->root))
		return err_set(err, ERR_NEED,
			       "'KERNELOFFSET' is not known: the dump's VMCOREINFO does not say "
			       "where the kernel is");
	ret->page_shift = 12;
	ret->phys_mask = ~UINT64_C(0xfff);
	ret->va_bits = bits_of_root(ret, va);
	return true;
}

/* An entry of a program's page that was not touched lately is invalid, so that the next touch is
 * seen: the page is there all the same (arch/s390/include/asm/pgtable.h). */
static bool is_invalid(const struct mmu *mmu, unsigned level, uint64_t entry)
{
	return level ? entry & INVALID
		     : entry & PAGE_INVALID && (!mmu->low || (entry & PAGE_KEPT) != PAGE_KEPT);
}

static bool s390x_walk(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	uint64_t table = mmu->root;

	if (mmu->va_bits < 64 && va >> mmu->va_bits)
		return err_set_addr(err, ERR_BADADDR, va, "0x%llx is not an address of %u bits",
				    (unsigned long long)va, mmu->va_bits);
	for (unsigned shift = mmu->va_bits - 11;;) {
		unsigned mask = shift == 12 ? PAGE_INDEX_MASK : INDEX_MASK;
		uint64_t entry, size = UINT64_C(1) << shift;

		*ret = (struct mapping){ .va = va & ~(size - 1), .size = size };
		if (!mmu->read_entry(mmu->self, table + (va >> shift & mask) * 8, &entry, err))
			return false;
		ret->entry = entry;
		if (is_invalid(mmu, shift != 12, entry))
			return err_set_addr(err, ERR_UNMAPPED, va,
					    "no page table entry maps 0x%llx",
					    (unsigned long long)va);
		if (shift == 12 || (shift <= REGION3_SHIFT && entry & LARGE)) {
			ret->pa = entry & ~(size - 1);
			return true;
		}
		/* a table of pages has 2 KiB, the others four pages */
		table = entry & (shift == SEGMENT_SHIFT ? ~UINT64_C(0x7ff) : ~UINT64_C(0xfff));
		shift = shift == SEGMENT_SHIFT ? 12 : shift - 11;
	}
}

/* arch/s390/include/asm/pgtable.h has the names of the bits that are the kernel's. */
static const struct entry_flag entry_flags[] = {
	{ 0x200, 0x200, ENTRY_MAPS | ENTRY_TABLE, "read-only" },
	{ 0x200, 0, ENTRY_MAPS, "writable" },
	{ 0x100, 0x100, ENTRY_MAPS, "no-exec" },
	{ 0x4, 0x4, ENTRY_PAGE, "accessed" },
	{ 0x8, 0x8, ENTRY_PAGE, "dirty" },
	{ 0x40, 0x40, ENTRY_PAGE, "special" },
};

static void table_shape(const struct mmu *mmu, struct table_shape *ret)
{
	*ret = (struct table_shape){ .levels = (mmu->va_bits - 31) / 11 + 2,
				     .bytes = 8,
				     .shift = { 12, SEGMENT_SHIFT, REGION3_SHIFT, 42, 53 } };
}

static bool entry_decode(const struct mmu *mmu, unsigned level, uint64_t entry,
			 struct entry_said *ret)
{
	struct table_shape shape;

	table_shape(mmu, &shape);
	if (level >= shape.levels)
		return false;
	*ret = (struct entry_said){ .form = ENTRY_NONE,
				    .size = UINT64_C(1) << shape.shift[level],
				    .flags = entry_flags,
				    .n_flags = ARRAY_SIZE(entry_flags) };
	if (is_invalid(mmu, level, entry))
		return true;
	ret->form = !level ? ENTRY_PAGE : level <= 2 && (entry & LARGE) ? ENTRY_BLOCK : ENTRY_TABLE;
	if (ret->form != ENTRY_TABLE)
		ret->pa = entry & ~(ret->size - 1);
	else
		ret->pa = entry & (level == 1 ? ~UINT64_C(0x7ff) : ~UINT64_C(0xfff));
	return true;
}

static const char *const roots[] = { "swapper_pg_dir", NULL };
static const char *const vmcoreinfo_keys[] = { "SYMBOL(lowcore_ptr)", NULL };

/* ---- saved registers */

static bool regs_of_prstatus(struct span desc, bool big, struct regs *ret, struct err *err)
{
	return regs_load(desc, PRSTATUS_REGS,
			 (struct regs_words){ 8, big, PRSTATUS_WORDS, saved_order },
			 "NT_PRSTATUS note", ret, err);
}

static bool regs_of_pt_regs(struct span bytes, struct regs *ret, struct err *err)
{
	return regs_load(bytes, PT_REGS_PSW,
			 (struct regs_words){ 8, true, sizeof(saved_order), saved_order },
			 "pt_regs", ret, err);
}

#define PROBLEM_STATE (UINT64_C(1) << 48) /* PSW bit 15 */

static bool regs_user(const struct regs *regs)
{
	uint64_t mask;

	return regs_get(regs, PSW_MASK, &mask) && mask & PROBLEM_STATE;
}

static uint64_t strip_nothing(const struct arch_facts *facts, uint64_t pc)
{
	(void)facts;
	return pc;
}

/* 16 to 63 are registers of floating point, control and access (ELF ABI s390x supplement). */
static unsigned dwarf_slot(uint64_t number)
{
	return number < 16    ? (unsigned)number
	       : number == 64 ? PSW_MASK
	       : number == 65 ? PC
			      : REGS_MAX;
}

/* ---- code */

/* brasl, bras, basr, all with %r14 */
static bool call_before(struct span code, uint64_t pc)
{
	const uint8_t *end = code.p + code.n;

	(void)pc;
	return (code.n >= 6 && end[-6] == 0xc0 && end[-5] == 0xe5) ||
	       (code.n >= 4 && end[-4] == 0xa7 && end[-3] == 0xe5) ||
	       (code.n >= 2 && end[-2] == 0x0d && end[-1] >> 4 == 0xe);
}

static bool call_target(struct span code, uint64_t pc, uint64_t *ret)
{
	const uint8_t *end = code.p + code.n;

	if (code.n < 6 || end[-6] != 0xc0 || end[-5] != 0xe5)
		return false;
	*ret = pc - 6 + 2 * (uint64_t)(int64_t)(int32_t)load_be(end - 4, 4);
	return true;
}

static const struct arch_capstone capstone = { CS_ARCH_SYSZ, (int)CS_MODE_BIG_ENDIAN };

static const struct arch_reloc relocs[] = { { R_390_NONE, 0, false },
					    { R_390_32, 4, false },
					    { R_390_64, 8, false },
					    { R_390_PC32, 4, true } };

/* ---- gdb */

static const struct gdb_regs gdb_core[] = {
	{ "pswm", PSW_MASK, 1, 64 },
	{ "pswa", PC, 1, 64 },
	{ "r", 0, 16, 64 },
};
static const struct gdb_regs gdb_acr[] = { { "acr", REGS_MAX, 16, 32 } };
static const struct gdb_regs gdb_fpr[] = {
	{ "fpc", REGS_MAX, 1, 32 },
	{ "f", REGS_MAX, 16, 64, "ieee_double" },
};
static const struct gdb_feature gdb_features[] = {
	{ "org.gnu.gdb.s390.core", gdb_core, ARRAY_SIZE(gdb_core) },
	{ "org.gnu.gdb.s390.acr", gdb_acr, ARRAY_SIZE(gdb_acr) },
	{ "org.gnu.gdb.s390.fpr", gdb_fpr, ARRAY_SIZE(gdb_fpr) },
};
static const struct arch_gdb gdb = { "s390:64-bit", gdb_features, ARRAY_SIZE(gdb_features) };

const struct arch arch_s390x = {
	.name = "s390x",
	.machine = "IBM S/390",
	.elf_machine = EM_S390,
	.word = 8,
	.big = true,
	.big_tables = true,
	.pc = PC,
	.sp = SP,
	.fp = 11,
	.link = LINK,
	.argument = 2,
	.reg_names = reg_names,
	.regs_layout = REGS_LAYOUT_S390X,
	.gdb = &gdb,
	.callee_saved = UINT64_C(0xff) << 6,
	.is_kernel_va = is_kernel_va,
	.shares_numbers = true,
	.mmu_init = mmu_init,
	.task_tables = task_tables,
	.walk = s390x_walk,
	.table_shape = table_shape,
	.entry_decode = entry_decode,
	.image_pa = image_pa,
	.kaslr_step = UINT64_C(16) << 10, /* THREAD_SIZE: arch/s390/boot/startup.c */
	.roots = roots,
	.vmcoreinfo_keys = vmcoreinfo_keys,
	.vmcoreinfo_at = 0xe0c, /* struct lowcore.vmcore_info, of absolute 0 */
	.prstatus_size = 336,
	.regs_of_prstatus = regs_of_prstatus,
	.regs_of_pt_regs = regs_of_pt_regs,
	.pt_regs_size = 200,
	.regs_user = regs_user,
	.strip_pac = strip_nothing,
	.insn = 2,
	.capstone = &capstone,
	.call_before = call_before,
	.call_bytes = 6,
	.call_target = call_target,
	.relocs = relocs,
	.n_relocs = ARRAY_SIZE(relocs),
	.open_flags = OPEN_FLAGS_GENERIC,
	.dwarf_slot = dwarf_slot,
	.cfa_above_sp = 160, /* where a callee saves registers (ELF ABI s390x supplement) */
};
