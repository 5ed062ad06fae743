/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A made-up architecture's row in core/arch: nothing of it is like those that exist. */
#include "core/arch/arch.h"

enum {
	R0,
	R5 = 5, /* the frame pointer */
	SP,
	PC,
	MODE
};

static const char *const reg_names[REGS_MAX] = { "g0", "g1", "g2", "g3",  "g4",
						 "gf", "gs", "gp", "mode" };
/* as notes have them */
static const uint8_t saved_order[] = { PC, SP, R5, R0, 1, 2, 3, 4, MODE };
#define PRSTATUS_REGS 112

/* Its kernel lies in one quarter of the address space, and not in the last. */
#define KERNEL UINT64_C(0x4000000000000000)

static bool is_kernel_va(uint64_t va)
{
	return va >> 62 == 1;
}

static bool mmu_init(const struct arch_facts *facts, struct mmu *ret, struct err *err)
{
	if (!facts->number(facts->self, "toy_root", &ret->root))
		return err_set(err, ERR_NEED, "'toy_root' is not known");
	ret->va_bits = 62;
	ret->page_shift = 12;
	ret->phys_mask = UINT64_C(0xfffffffff000);
	return true;
}

/* Two levels of 512 entries; the lowest bit says that there is something. */
static bool walk(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	uint64_t table = mmu->root, entry = 0;

	if ((va & ~KERNEL) >> 30)
		return err_set_addr(err, ERR_BADADDR, va, "0x%llx is no address of this machine",
				    (unsigned long long)va);
	for (unsigned shift = 21; shift >= 12; shift -= 9) {
		*ret = (struct mapping){ .va = va >> shift << shift, .size = UINT64_C(1) << shift };
		if (!mmu->read_entry(mmu->self, table + (va >> shift & 511) * 8, &entry, err))
			return false;
		ret->entry = entry;
		if (!(entry & 1))
			return err_set_addr(err, ERR_UNMAPPED, va,
					    "no page table entry maps 0x%llx",
					    (unsigned long long)va);
		table = entry & mmu->phys_mask;
	}
	ret->pa = table;
	return true;
}

static bool image_pa(const struct arch_facts *facts, uint64_t va, uint64_t *ret)
{
	(void)facts;
	(void)va;
	(void)ret;
	return false;
}

static bool regs_of_prstatus(struct span desc, bool big, struct regs *ret, struct err *err)
{
	struct regs_words words = { 8, big, sizeof(saved_order), saved_order };

	return regs_load(desc, PRSTATUS_REGS, words, "NT_PRSTATUS note", ret, err);
}

static bool regs_of_pt_regs(struct span bytes, struct regs *ret, struct err *err)
{
	struct regs_words words = { 8, false, sizeof(saved_order), saved_order };

	return regs_load(bytes, 0, words, "pt_regs", ret, err);
}

/* A call is 0xca11 with the distance, in words, before it in memory. */
static bool call_before(struct span code, uint64_t pc)
{
	return !(pc & 3) && load_le32(code.p) >> 16 == 0xca11;
}

static bool call_target(struct span code, uint64_t pc, uint64_t *ret)
{
	uint32_t insn = code.n < 4 ? 0 : load_le32(code.p + code.n - 4);

	if (insn >> 16 != 0xca11)
		return false;
	*ret = pc + (uint64_t)(int64_t)(int16_t)insn * 4;
	return true;
}

static const char *const vmcoreinfo_keys[] = { "NUMBER(toy_root)", NULL };

const struct arch arch_toy = {
	.name = "toy62",
	.machine = "Toy",
	.elf_machine = 4711,
	.word = 8,
	.pc = PC,
	.sp = SP,
	.fp = R5,
	.reg_names = reg_names,
	.frame_records = true,
	.is_kernel_va = is_kernel_va,
	.mmu_init = mmu_init,
	.walk = walk,
	.image_pa = image_pa,
	.big_tables = true,
	.linked_here = true,
	.vmcoreinfo_keys = vmcoreinfo_keys,
	.prstatus_size = 192,
	.regs_of_prstatus = regs_of_prstatus,
	.regs_of_pt_regs = regs_of_pt_regs,
	.pt_regs_size = sizeof(saved_order) * 8,
	.insn = 4,
	.call_before = call_before,
	.call_bytes = 4,
	.call_target = call_target,
};
