/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RISC-V's calls, jumps and addresses of data: The RISC-V Instruction Set Manual, volume I. */
#include "core/arch/riscv.h"

enum {
	AUIPC = 0x17,
	JAL = 0x6f,
	JALR = 0x67,
	BRANCH = 0x63,
	LOAD = 0x03,
	STORE = 0x23,
	ADDI = 0x13, /* with the three bits of its function, which are 0 */
	RA = 1
};

/* The word whose last byte lies `back` - 4 bytes before the end of code. */
static uint32_t word_at(struct span code, size_t back)
{
	return code.n >= back ? load_le32(code.p + code.n - back) : 0;
}

/* v, of which the lowest `bits` bits are a number with a sign. */
static uint64_t with_sign(uint64_t v, unsigned bits)
{
	uint64_t sign = UINT64_C(1) << (bits - 1);

	return ((v & (2 * sign - 1)) ^ sign) - sign;
}

/* Where a jal leads, from itself. */
static uint64_t jal_distance(uint32_t w)
{
	uint32_t off = (w >> 31) << 20 | (w >> 12 & 0xff) << 12 | (w >> 20 & 1) << 11 |
		       (w >> 21 & 0x3ff) << 1;

	return with_sign(off, 21);
}

/* Is it auipc rd, high; jalr link, low(rd)? Then *ret is how far it leads from the first. */
static bool far_distance(uint32_t high, uint32_t low, unsigned link, uint64_t *ret)
{
	*ret = with_sign(high & 0xfffff000, 32) + with_sign(low >> 20, 12);
	return (low & 0x7fff) == (JALR | link << 7) && (high & 0x7f) == AUIPC &&
	       (high >> 7 & 31) == (low >> 15 & 31);
}

/* jal ra; jalr ra; c.jalr */
bool riscv_call_before(struct span code, uint64_t pc)
{
	uint32_t w = word_at(code, 4), half = w >> 16;

	(void)pc;
	return (w & 0xfff) == (JAL | RA << 7) || (w & 0x7fff) == (JALR | RA << 7) ||
	       ((half & 0xf07f) == 0x9002 && (half & 0xf80));
}

/* jal, and the pair auipc, jalr */
bool riscv_call_target(struct span code, uint64_t pc, uint64_t *ret)
{
	uint32_t w = word_at(code, 4);
	uint64_t off;

	if ((w & 0xfff) == (JAL | RA << 7)) {
		*ret = pc - 4 + jal_distance(w);
		return true;
	}
	if (!far_distance(word_at(code, 8), w, RA, &off))
		return false;
	*ret = pc - 8 + off;
	return true;
}

/* c.j */
static uint64_t short_distance(uint32_t half)
{
	uint32_t off = (half >> 12 & 1) << 11 | (half >> 11 & 1) << 4 | (half >> 9 & 3) << 8 |
		       (half >> 8 & 1) << 10 | (half >> 7 & 1) << 6 | (half >> 6 & 1) << 7 |
		       (half >> 3 & 7) << 1 | (half >> 2 & 1) << 5;

	return with_sign(off, 12);
}

bool riscv_jump_next(struct span code, uint64_t addr, size_t *from, uint64_t *ret)
{
	for (size_t i = *from; i + 2 <= code.n; i += 2) {
		uint32_t half = load_le16(code.p + i);
		uint32_t w = i + 4 <= code.n ? load_le32(code.p + i) : 0;
		uint64_t off;

		if ((half & 0xe003) == 0xa001)
			off = short_distance(half);
		else if ((w & 0xfff) == JAL)
			off = jal_distance(w);
		else if (i + 8 > code.n || !far_distance(w, load_le32(code.p + i + 4), 0, &off))
			continue;
		*ret = addr + i + off;
		*from = i + 2;
		return true;
	}
	return false;
}

/* The lowest bits of the first two bytes say whether two more belong to them. */
unsigned riscv_insn_size(struct span code)
{
	return (code.p[0] & 3) == 3 ? 4 : 2;
}

/* c.j, c.beqz, c.bnez */
static enum arch_leads short_leads(uint32_t half, uint64_t addr, uint64_t *ret)
{
	uint32_t off = (half >> 12 & 1) << 8 | (half >> 10 & 3) << 3 | (half >> 5 & 3) << 6 |
		       (half >> 3 & 3) << 1 | (half >> 2 & 1) << 5;

	if ((half & 0xe003) == 0xa001)
		*ret = addr + short_distance(half);
	else if ((half & 0xc003) == 0xc001)
		*ret = addr + with_sign(off, 9);
	else
		return LEADS_NOWHERE;
	return LEADS_JUMP;
}

/* What is added to a register: by a load, addi and jalr; by a store. */
static uint64_t low_part(uint32_t w)
{
	bool store = (w & 0x7f) == STORE;

	return with_sign(store ? (w >> 25) << 5 | (w >> 7 & 31) : w >> 20, 12);
}

enum arch_leads riscv_insn_leads(struct span before, struct span code, uint64_t addr, uint64_t *ret)
{
	uint32_t high = before.n == 4 ? load_le32(before.p) : 0, w, off;
	unsigned op;

	if (code.n < 2)
		return LEADS_NOWHERE;
	if (riscv_insn_size(code) == 2)
		return short_leads(load_le16(code.p), addr, ret);
	if (code.n < 4)
		return LEADS_NOWHERE;
	w = load_le32(code.p);
	op = w & 0x7f;
	if (op == JAL) {
		*ret = addr + jal_distance(w);
		return LEADS_JUMP;
	}
	if (op == BRANCH) {
		off = (w >> 31) << 12 | (w >> 7 & 1) << 11 | (w >> 25 & 0x3f) << 5 |
		      (w >> 8 & 15) << 1;
		*ret = addr + with_sign(off, 13);
		return LEADS_JUMP;
	}
	if ((high & 0x7f) != AUIPC || (high >> 7 & 31) != (w >> 15 & 31))
		return LEADS_NOWHERE;
	*ret = addr - 4 + with_sign(high & 0xfffff000, 32) + low_part(w);
	if (op == JALR)
		return LEADS_CODE;
	return op == LOAD || op == STORE || (w & 0x707f) == ADDI ? LEADS_DATA : LEADS_NOWHERE;
}

/* auipc rd, high; then what adds the rest to rd: addi, a load, or a store. */
bool riscv_place_next(struct span code, uint64_t addr, size_t *from, uint64_t *ret)
{
	for (size_t i = *from; i + 8 <= code.n; i += 2) {
		uint32_t high = load_le32(code.p + i), low = load_le32(code.p + i + 4);
		unsigned opcode = low & 0x7f;

		if ((high & 0x7f) != AUIPC || (high >> 7 & 31) != (low >> 15 & 31) ||
		    (opcode != STORE && (low & 0x707f) != ADDI && opcode != LOAD))
			continue;
		*ret = addr + i + with_sign(high & 0xfffff000, 32) + low_part(low);
		*from = i + 4;
		return true;
	}
	return false;
}
