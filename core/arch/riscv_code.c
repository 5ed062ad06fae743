/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RISC-V's calls, jumps and addresses of data: The RISC-V Instruction Set Manual, volume I. */
#include "core/arch/riscv.h"

enum {
	AUIPC = 0x17,
	JAL = 0x6f,
	JALR = 0x67,
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

/* auipc rd, high; then what adds the rest to rd: addi, a load, or a store. */
bool riscv_place_next(struct span code, uint64_t addr, size_t *from, uint64_t *ret)
{
	for (size_t i = *from; i + 8 <= code.n; i += 2) {
		uint32_t high = load_le32(code.p + i), low = load_le32(code.p + i + 4);
		unsigned opcode = low & 0x7f;
		bool store = opcode == 0x23, add = (low & 0x707f) == 0x13;

		if ((high & 0x7f) != AUIPC || (high >> 7 & 31) != (low >> 15 & 31) ||
		    (!store && !add && opcode != 0x03))
			continue;
		*ret = addr + i + with_sign(high & 0xfffff000, 32) +
		       with_sign(store ? (low >> 25) << 5 | (low >> 7 & 31) : low >> 20, 12);
		*from = i + 4;
		return true;
	}
	return false;
}
