/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 32-bit ARM: page tables of short and of long descriptors, saved registers. */
#include "core/arch/arch.h"

enum {
	R0,
	FP = 11,
	SP = 13,
	LR,
	PC,
	/* not as DWARF numbers them */
	CPSR,
	ORIG_R0
};

static const char *const reg_names[REGS_MAX] = {
	"r0", "r1",  "r2", "r3", "r4", "r5", "r6", "r7",   "r8",
	"r9", "r10", "fp", "ip", "sp", "lr", "pc", "cpsr", "orig_r0",
};

#define SAVED_WORDS 18   /* struct pt_regs: r0-r15, cpsr, orig_r0 */
#define PRSTATUS_REGS 72 /* offset of pr_reg in struct elf_prstatus */

/* Where modules begin in a kernel with 2 GiB of its own (CONFIG_VMSPLIT_2G). Nothing at hand says
 * how this one splits memory; with 3 GiB of user space the page tables refuse what is a program's.
 */
#define KERNEL_LOWEST UINT64_C(0x7f000000)

static bool is_kernel_va(uint64_t va)
{
	return va >= KERNEL_LOWEST && va <= UINT32_MAX;
}

/* The kernel says in VMCOREINFO where neither its tables nor RAM lie; readers search: see
 * readers/kaslr.c. */
static bool mmu_init(const struct arch_facts *facts, struct mmu *ret, struct err *err)
{
	uint64_t root, lpae = 0;

	if (!facts->number(facts->self, "pgtable_root", &root))
		return err_set(err, ERR_NEED,
			       "the page tables were not found in the dump: give its vmlinux");
	facts->number(facts->self, "arm_lpae", &lpae);
	arm_mmu(ret, root, lpae);
	return true;
}

void arm_mmu(struct mmu *ret, uint64_t root, bool lpae)
{
	ret->root = root;
	ret->va_bits = 32;
	ret->page_shift = 12;
	ret->phys_mask = lpae ? UINT64_C(0xfffffff000) : UINT64_C(0xfffff000);
	ret->long_entries = lpae;
}

static bool unmapped(uint64_t va, struct err *err)
{
	return err_set_addr(err, ERR_UNMAPPED, va, "no page table entry maps 0x%llx",
			    (unsigned long long)va);
}

/* The block of 2^shift bytes that va is in. */
static void block(uint64_t va, unsigned shift, struct mapping *ret)
{
	*ret = (struct mapping){ .va = va >> shift << shift, .size = UINT64_C(1) << shift };
}

static bool mapped(uint64_t va, uint64_t pa, unsigned shift, uint64_t entry, struct mapping *ret)
{
	block(va, shift, ret);
	ret->pa = pa >> shift << shift;
	ret->entry = entry;
	return true;
}

/* A word of a table, out of the pair it is in. */
static bool read_word(const struct mmu *mmu, uint64_t pa, uint32_t *ret, struct err *err)
{
	uint64_t pair;

	if (!mmu->read_entry(mmu->self, pa & ~UINT64_C(7), &pair, err))
		return false;
	*ret = (uint32_t)(pa & 4 ? pair >> 32 : pair);
	return true;
}

/*
 * The kernel's own table lies 2048 bytes before the hardware's (arch/arm/include/asm/
 * pgtable-2level.h). A page that was not touched lately (L_PTE_YOUNG) has no entry in the latter.
 */
#define SOFT_TABLE 2048u
#define SOFT_PRESENT 1u

static bool walk_soft(const struct mmu *mmu, uint64_t va, uint64_t pa, struct mapping *ret,
		      struct err *err)
{
	uint32_t entry;

	if (!mmu->low)
		return unmapped(va, err);
	if (!read_word(mmu, pa - SOFT_TABLE, &entry, err))
		return false;
	ret->entry = entry;
	return entry & SOFT_PRESENT ? mapped(va, entry, 12, entry, ret) : unmapped(va, err);
}

/* Arm ARM (ARMv7-A) B3.5: a table of 4096 words, then tables of 256. */
static bool walk_short(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	uint32_t entry;
	uint64_t pa;

	block(va, 20, ret);
	if (!read_word(mmu, mmu->root + (va >> 20) * 4, &entry, err))
		return false;
	ret->entry = entry;
	if ((entry & 3) == 0)
		return unmapped(va, err);
	if (entry & 2) { /* a section; bit 18: a supersection, with bits 39:32 in two places */
		uint64_t high = (uint64_t)(entry >> 20 & 15) << 32 | (uint64_t)(entry >> 5 & 15)
									     << 36;

		if (entry & (1u << 18))
			return mapped(va, (entry & 0xff000000) | high, 24, entry, ret);
		return mapped(va, entry, 20, entry, ret);
	}
	pa = (entry & ~UINT32_C(0x3ff)) + (va >> 12 & 255) * 4;
	block(va, 12, ret);
	if (!read_word(mmu, pa, &entry, err))
		return false;
	if (entry & 3)
		return mapped(va, entry, entry & 2 ? 12 : 16, entry, ret);
	return walk_soft(mmu, va, pa, ret, err);
}

/* Arm ARM (ARMv7-A) B3.6: the top table has four entries, the others 512; 1 is a block, 3 a table
 * or, at the last level, a page. */
static bool walk_long(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	uint64_t table = mmu->root, entry;

	for (unsigned shift = 30;; shift -= 9) {
		uint64_t i = va >> shift & (shift == 30 ? 3 : 511);

		block(va, shift, ret);
		if (!mmu->read_entry(mmu->self, table + i * 8, &entry, err))
			return false;
		ret->entry = entry;
		if (!(entry & 1) || (shift == 12 && !(entry & 2)))
			return unmapped(va, err);
		if (shift == 12 || !(entry & 2))
			return mapped(va, entry & mmu->phys_mask, shift, entry, ret);
		table = entry & mmu->phys_mask;
	}
}

static bool walk(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	if (va > UINT32_MAX)
		return err_set_addr(err, ERR_BADADDR, va, "0x%llx is not an address of 32 bits",
				    (unsigned long long)va);
	return mmu->long_entries ? walk_long(mmu, va, ret, err) : walk_short(mmu, va, ret, err);
}

/* The image is part of the linear map, whose offset the search for the tables has told. */
static bool image_pa(const struct arch_facts *facts, uint64_t va, uint64_t *ret)
{
	uint64_t off, start, end;

	if (!facts->number(facts->self, "linear_offset", &off) ||
	    !facts->symbol(facts->self, "_stext", &start) ||
	    !facts->symbol(facts->self, "_end", &end) || va < start || va >= end)
		return false;
	*ret = (va + off) & UINT64_C(0xffffffffff);
	return true;
}

static bool regs_of_prstatus(struct span desc, struct regs *ret, struct err *err)
{
	return regs_load(desc, PRSTATUS_REGS, 4, NULL, SAVED_WORDS, "NT_PRSTATUS note", ret, err);
}

static bool regs_of_pt_regs(struct span bytes, struct regs *ret, struct err *err)
{
	return regs_load(bytes, 0, 4, NULL, SAVED_WORDS, "pt_regs", ret, err);
}

static bool regs_user(const struct regs *regs)
{
	uint64_t cpsr;

	return regs_get(regs, CPSR, &cpsr) && (cpsr & 0x1f) == 0x10;
}

/* bl of ARM code; Thumb's calls are not decoded. */
static bool call_target(struct span code, uint64_t pc, uint64_t *ret)
{
	uint32_t insn, off;

	if (code.n < 4 || pc & 3)
		return false;
	insn = load_le32(code.p + code.n - 4);
	if ((insn & 0x0f000000) != 0x0b000000 || insn >> 28 == 15)
		return false;
	off = (insn & 0xffffff) << 2;
	if (off & 0x2000000)
		off |= 0xfc000000;
	*ret = (uint32_t)(pc + 4 + off);
	return true;
}

/* Bit 0 says that the caller is Thumb code. */
static uint64_t strip_thumb(const struct arch_facts *facts, uint64_t pc)
{
	(void)facts;
	return pc & ~UINT64_C(1);
}

const struct arch arch_arm = {
	.name = "armv7l",
	.machine = "ARM",
	.elf_machine = 40,
	.word = 4,
	.pc = PC,
	.sp = SP,
	.fp = FP,
	.reg_names = reg_names,
	.callee_saved = 0xff << 4, /* r4 to r11 */
	.is_kernel_va = is_kernel_va,
	.mmu_init = mmu_init,
	.walk = walk,
	.image_pa = image_pa,
	.regs_of_prstatus = regs_of_prstatus,
	.regs_of_pt_regs = regs_of_pt_regs,
	.pt_regs_size = (size_t)SAVED_WORDS * 4,
	.call_target = call_target,
	.regs_user = regs_user,
	.strip_pac = strip_thumb,
};
