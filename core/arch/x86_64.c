/* SPDX-License-Identifier: GPL-3.0-or-later */
/* x86-64: page tables of four and five levels, saved registers. */
#include "core/arch/arch.h"

enum {
	RAX,
	RDX,
	RCX,
	RBX,
	RSI,
	RDI,
	RBP,
	RSP,
	R8,
	R9,
	R10,
	R11,
	R12,
	R13,
	R14,
	R15,
	RIP,
	/* not as DWARF numbers them */
	RFLAGS,
	CS,
	SS,
	ORIG_RAX,
	FS_BASE,
	GS_BASE,
	DS,
	ES,
	FS,
	GS
};

static const char *const reg_names[REGS_MAX] = {
	[RAX] = "rax",         [RDX] = "rdx",         [RCX] = "rcx",
	[RBX] = "rbx",         [RSI] = "rsi",         [RDI] = "rdi",
	[RBP] = "rbp",         [RSP] = "rsp",         [R8] = "r8",
	[R9] = "r9",           [R10] = "r10",         [R11] = "r11",
	[R12] = "r12",         [R13] = "r13",         [R14] = "r14",
	[R15] = "r15",         [RIP] = "rip",         [RFLAGS] = "rflags",
	[CS] = "cs",           [SS] = "ss",           [ORIG_RAX] = "orig_rax",
	[FS_BASE] = "fs_base", [GS_BASE] = "gs_base", [DS] = "ds",
	[ES] = "es",           [FS] = "fs",           [GS] = "gs",
};

/* arch/x86/include/uapi/asm/ptrace.h: struct pt_regs; struct user_regs_struct goes on after ss. */
static const uint8_t saved_order[] = { R15,    R14, R13, R12,     RBP,     RBX, R11,      R10, R9,
				       R8,     RAX, RCX, RDX,     RSI,     RDI, ORIG_RAX, RIP, CS,
				       RFLAGS, RSP, SS,  FS_BASE, GS_BASE, DS,  ES,       FS,  GS };
#define PT_REGS_WORDS 21
#define PRSTATUS_REGS 112 /* offset of pr_reg in struct elf_prstatus */

#define KERNEL_TEXT UINT64_C(0xffffffff80000000) /* __START_KERNEL_map */
#define PHYS_MASK UINT64_C(0x000ffffffffff000)
#define PRESENT UINT64_C(1)
#define PAGE_LARGE UINT64_C(0x80)

static bool is_kernel_va(uint64_t va)
{
	/* the upper half of five-level paging, the wider one; walk() checks against the levels in
	 * use */
	return va >= UINT64_C(0xff00000000000000);
}

static bool mmu_init(const struct arch_facts *facts, struct mmu *ret, struct err *err)
{
	uint64_t root, phys_base, l5 = 0, sme = 0;

	if (!facts->number(facts->self, "pgtable_root", &root)) {
		/* init_level4_pgt until 65ade2f872b4 (v4.13) */
		if (!facts->symbol(facts->self, "init_top_pgt", &root) &&
		    !facts->symbol(facts->self, "init_level4_pgt", &root))
			return err_set(err, ERR_NEED,
				       "the page tables' root 'init_top_pgt' is not known: "
				       "give the vmlinux of this dump");
		if (!facts->number(facts->self, "phys_base", &phys_base))
			return err_set(err, ERR_NEED,
				       "'phys_base' is not known: the dump has no VMCOREINFO");
		root = root - KERNEL_TEXT + phys_base;
	}
	facts->number(facts->self, "pgtable_l5_enabled", &l5);
	facts->number(facts->self, "sme_mask", &sme);
	ret->root = root & PHYS_MASK & ~sme;
	ret->va_bits = l5 ? 57 : 48;
	ret->page_shift = 12;
	ret->phys_mask = PHYS_MASK & ~sme;
	return true;
}

static bool canonical(uint64_t va, unsigned bits)
{
	uint64_t high = va >> (bits - 1);

	return high == 0 || high == UINT64_MAX >> (bits - 1);
}

static bool walk(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	uint64_t table = mmu->root;
	int level = mmu->va_bits == 57 ? 4 : 3;

	if (!canonical(va, mmu->va_bits))
		return err_set_addr(err, ERR_BADADDR, va,
				    "0x%llx is not an address with %u-bit paging",
				    (unsigned long long)va, mmu->va_bits);
	for (;; level--) {
		unsigned shift = 12 + 9 * (unsigned)level;
		uint64_t entry, pa, size = UINT64_C(1) << shift;

		pa = table + (va >> shift & 511) * 8;
		*ret = (struct mapping){ .va = va & ~(size - 1), .size = size };
		if (!mmu->read_entry(mmu->self, pa, &entry, err))
			return false;
		ret->entry = entry;
		if (!(entry & PRESENT))
			return err_set_addr(err, ERR_UNMAPPED, va,
					    "no page table entry maps 0x%llx",
					    (unsigned long long)va);
		if (level == 0 || (level <= 2 && (entry & PAGE_LARGE))) {
			ret->pa = entry & mmu->phys_mask & ~(size - 1);
			return true;
		}
		table = entry & mmu->phys_mask;
	}
}

static bool image_pa(const struct arch_facts *facts, uint64_t va, uint64_t *ret)
{
	uint64_t phys_base, size = UINT64_C(512) << 20; /* without KASLR */

	facts->number(facts->self, "KERNEL_IMAGE_SIZE", &size);
	if (va < KERNEL_TEXT || va - KERNEL_TEXT >= size ||
	    !facts->number(facts->self, "phys_base", &phys_base))
		return false;
	*ret = va - KERNEL_TEXT + phys_base;
	return true;
}

static bool regs_of_prstatus(struct span desc, struct regs *ret, struct err *err)
{
	return regs_load(desc, PRSTATUS_REGS, 8, saved_order, sizeof(saved_order),
			 "NT_PRSTATUS note", ret, err);
}

static bool regs_of_pt_regs(struct span bytes, struct regs *ret, struct err *err)
{
	return regs_load(bytes, 0, 8, saved_order, PT_REGS_WORDS, "pt_regs", ret, err);
}

static uint64_t strip_pac(const struct arch_facts *facts, uint64_t pc)
{
	(void)facts;
	return pc;
}

static bool call_target(struct span code, uint64_t pc, uint64_t *ret)
{
	if (code.n < 5 || code.p[code.n - 5] != 0xe8)
		return false;
	*ret = pc + (uint64_t)(int64_t)(int32_t)load_le32(code.p + code.n - 4);
	return true;
}

const struct arch arch_x86_64 = {
	.name = "x86_64",
	.machine = "AMD x86-64",
	.elf_machine = 62,
	.word = 8,
	.pc = RIP,
	.sp = RSP,
	.fp = RBP,
	.reg_names = reg_names,
	.call_target = call_target,
	.callee_saved = 1 << 3 | 1 << 6 | 0xf << 12, /* rbx, rbp, r12 to r15 */
	.is_kernel_va = is_kernel_va,
	.mmu_init = mmu_init,
	.walk = walk,
	.image_pa = image_pa,
	.regs_of_prstatus = regs_of_prstatus,
	.regs_of_pt_regs = regs_of_pt_regs,
	.pt_regs_size = PT_REGS_WORDS * 8,
	.strip_pac = strip_pac,
};
