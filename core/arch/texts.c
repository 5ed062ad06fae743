/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Architectures of whose kernels texts are read, and the vmlinux and modules that belong to them:
 * what their addresses and calls look like. Dumps of them are not read. Their processors' manuals
 * and ELF supplements have the encodings. */
#include <elf.h>
#include <string.h>

#include "core/arch/powerpc.h"
#include "core/arch/riscv.h"
#include "core/base/buf.h"

/* ---- what dumps would ask for */

static bool refuse(struct err *err)
{
	return err_set(err, ERR_UNSUPPORTED, "dumps of this architecture are not read");
}

static bool no_mmu(const struct arch_facts *facts, struct mmu *ret, struct err *err)
{
	(void)facts, (void)ret;
	return refuse(err);
}

static bool no_walk(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	(void)mmu, (void)va, (void)ret;
	return refuse(err);
}

static bool no_registers(struct span bytes, struct regs *ret, struct err *err)
{
	(void)bytes, (void)ret;
	return refuse(err);
}

static bool no_note(struct span desc, bool big, struct regs *ret, struct err *err)
{
	(void)big;
	return no_registers(desc, ret, err);
}

static bool no_image_pa(const struct arch_facts *facts, uint64_t va, uint64_t *ret)
{
	(void)facts, (void)va, (void)ret;
	return false;
}

static uint64_t no_signature(const struct arch_facts *facts, uint64_t pc)
{
	(void)facts;
	return pc;
}

static const char *const no_names[REGS_MAX];

#define TEXTS_ALONE                                                                          \
	.reg_names = no_names, .mmu_init = no_mmu, .walk = no_walk, .image_pa = no_image_pa, \
	.regs_of_prstatus = no_note, .regs_of_pt_regs = no_registers, .strip_pac = no_signature

/* ---- addresses */

static bool upper_half(uint64_t va)
{
	return va >> 63;
}

/* Where the kernel begins is a choice of those who build it, from 0x40000000 on. */
static bool upper_quarters(uint64_t va)
{
	return va >= 0x40000000 && va <= UINT32_MAX;
}

static bool from_kseg0(uint64_t va)
{
	return va >= 0x80000000 && va <= UINT32_MAX;
}

/* ---- calls */

/* The word whose last byte lies `back` - 4 bytes before the end of code. */
static uint32_t word_at(struct span code, size_t back)
{
	return code.n >= back ? load_le32(code.p + code.n - back) : 0;
}

/* jal, jalx, jalr $ra, bltzal, bgezal; what stands behind them runs before the call. */
static bool mips_call_before(struct span code, uint64_t pc)
{
	uint32_t w = word_at(code, 8), op = w >> 26;

	(void)pc;
	return op == 0x03 || op == 0x1d || (w & 0xfc00f83f) == 0x0000f809 ||
	       (w & 0xfc1e0000) == 0x04100000;
}

static bool mips_call_target(struct span code, uint64_t pc, uint64_t *ret)
{
	uint32_t w = word_at(code, 8);

	*ret = ((pc - 4) & ~UINT64_C(0x0fffffff)) | (uint64_t)(w & 0x03ffffff) << 2;
	return w >> 26 == 0x03;
}

/* call rel32; call of a register, or of what lies at an address without an index, or of a table */
static bool i386_call_before(struct span code, uint64_t pc)
{
	const uint8_t *end = code.p + code.n;

	(void)pc;
	return (code.n >= 5 && end[-5] == 0xe8) ||
	       (code.n >= 2 && end[-2] == 0xff && (end[-1] & 0xf8) == 0xd0) ||
	       (code.n >= 2 && end[-2] == 0xff && (end[-1] & 0xf8) == 0x10) ||
	       (code.n >= 3 && end[-3] == 0xff && (end[-2] & 0xf8) == 0x50) ||
	       (code.n >= 6 && end[-6] == 0xff && (end[-5] & 0xb8) == 0x90) ||
	       (code.n >= 6 && end[-6] == 0xff && end[-5] == 0x15) ||
	       (code.n >= 7 && end[-7] == 0xff && end[-6] == 0x14);
}

static bool i386_call_target(struct span code, uint64_t pc, uint64_t *ret)
{
	const uint8_t *end = code.p + code.n;

	if (code.n < 5 || end[-5] != 0xe8)
		return false;
	*ret = (uint32_t)(pc + load_le32(end - 4));
	return true;
}

/* ---- relocations of debug info: what needs more than a sum is unknown */

static const struct arch_reloc i386_relocs[] = { { R_386_NONE, 0, false },
						 { R_386_32, 4, false },
						 { R_386_PC32, 4, true } };
static const struct arch_reloc mips_relocs[] = { { R_MIPS_NONE, 0, false },
						 { R_MIPS_32, 4, false } };
static const struct arch_reloc ppc_relocs[] = { { R_PPC_NONE, 0, false },
						{ R_PPC_ADDR32, 4, false },
						{ R_PPC_REL32, 4, true } };
static const struct arch_reloc ppc64_relocs[] = { { R_PPC64_NONE, 0, false },
						  { R_PPC64_ADDR32, 4, false },
						  { R_PPC64_ADDR64, 8, false },
						  { R_PPC64_REL32, 4, true } };

#define RELOCS(of) .relocs = of, .n_relocs = sizeof(of) / sizeof((of)[0])

/* ---- the rows */

static const struct arch rows[] = {
	{
		.name = "i386",
		.machine = "Intel 80386",
		.elf_machine = EM_386,
		.word = 4,
		.is_kernel_va = upper_quarters,
		.insn = 1,
		.call_before = i386_call_before,
		.call_target = i386_call_target,
		.call_bytes = 7,
		RELOCS(i386_relocs),
		TEXTS_ALONE,
	},
	{
		.name = "mips",
		.machine = "MIPS",
		.elf_machine = EM_MIPS,
		.word = 4,
		.is_kernel_va = from_kseg0,
		.insn = 4,
		.call_before = mips_call_before,
		.call_target = mips_call_target,
		.call_bytes = 8,
		RELOCS(mips_relocs),
		TEXTS_ALONE,
	},
	{
		.name = "mips64",
		.report = "mips",
		.machine = "MIPS64",
		.elf_machine = EM_MIPS,
		.word = 8,
		.is_kernel_va = upper_half,
		.insn = 4,
		.call_before = mips_call_before,
		.call_target = mips_call_target,
		.call_bytes = 8,
		TEXTS_ALONE,
	},
	{
		.name = "ppc",
		.machine = "PowerPC",
		.elf_machine = EM_PPC,
		.word = 4,
		.is_kernel_va = upper_quarters,
		.insn = 4,
		.call_before = powerpc_call_before,
		.call_target = powerpc_call_target,
		.call_bytes = POWERPC_CALL_BYTES,
		RELOCS(ppc_relocs),
		TEXTS_ALONE,
	},
	{
		.name = "ppc64",
		.machine = "PowerPC64",
		.elf_machine = EM_PPC64,
		.word = 8,
		.is_kernel_va = upper_half,
		.insn = 4,
		.call_before = powerpc_call_before,
		.call_target = powerpc_call_target,
		.call_bytes = POWERPC_CALL_BYTES,
		RELOCS(ppc64_relocs),
		TEXTS_ALONE,
	},
	{
		.name = "riscv32",
		.machine = "RISC-V 32",
		.elf_machine = EM_RISCV,
		.word = 4,
		.is_kernel_va = from_kseg0,
		.insn = 2,
		.call_before = riscv_call_before,
		.call_target = riscv_call_target,
		.call_bytes = RISCV_CALL_BYTES,
		.mapping_symbols = true,
		TEXTS_ALONE,
	},
};

const struct arch *arch_of_texts(uint16_t elf_machine, unsigned word, bool big)
{
	const struct arch *dumped = arch_of_elf(elf_machine);

	if (dumped && dumped->word == word && dumped->big == big)
		return dumped;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].elf_machine == elf_machine && rows[i].word == word)
			return &rows[i];
	return dumped && dumped->word == word ? dumped : NULL;
}

void arch_list_texts(struct buf *b)
{
	for (size_t i = 0; archs[i]; i++)
		buf_printf(b, "%s, ", archs[i]->machine);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		buf_printf(b, "%s%s",
			   !i                                       ? ""
			   : i + 1 < sizeof(rows) / sizeof(rows[0]) ? ", "
								    : " and ",
			   rows[i].machine);
}
