/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PowerPC's calls, jumps and frames: Power ISA, book I; 64-Bit ELF V2 ABI Specification, 2.2.3. */
#include "core/arch/powerpc.h"

/* v, of which the lowest `bits` bits are a number with a sign. */
static uint64_t with_sign(uint64_t v, unsigned bits)
{
	uint64_t sign = UINT64_C(1) << (bits - 1);

	return ((v & (2 * sign - 1)) ^ sign) - sign;
}

/* The word whose last byte is the last of code. */
static uint32_t last_word(struct span code)
{
	return code.n >= 4 ? load_le32(code.p + code.n - 4) : 0;
}

/* bl, bla, bcl, bctrl, blrl */
bool powerpc_call_before(struct span code, uint64_t pc)
{
	uint32_t w = last_word(code);

	(void)pc;
	return (w & 0xfc000001) == 0x48000001 || (w & 0xfc000001) == 0x40000001 ||
	       (w & 0xfc0007ff) == 0x4c000421 || (w & 0xfc0007ff) == 0x4c000021;
}

bool powerpc_call_target(struct span code, uint64_t pc, uint64_t *ret)
{
	uint32_t w = last_word(code);

	*ret = pc - 4 + with_sign(w & 0x03fffffc, 26);
	return (w & 0xfc000003) == 0x48000001;
}

/* b */
bool powerpc_jump_next(struct span code, uint64_t addr, size_t *from, uint64_t *ret)
{
	for (size_t i = *from; i + 4 <= code.n; i += 4) {
		uint32_t w = load_le32(code.p + i);

		if ((w & 0xfc000003) != 0x48000000)
			continue;
		*ret = addr + i + with_sign(w & 0x03fffffc, 26);
		*from = i + 4;
		return true;
	}
	return false;
}

enum powerpc_frame_insn powerpc_frame_insn(uint32_t w)
{
	if (w == 0x7c0802a6)
		return POWERPC_LR_TO_R0;
	if (w == 0xf8010010)
		return POWERPC_R0_TO_STACK;
	if ((w & 0xffff8003) == 0xf8218001 || (w & 0xffff07ff) == 0x7c21016a)
		return POWERPC_PUSH;
	if ((w & 0xffff8000) == 0x38210000)
		return POWERPC_POP;
	return w == 0x4e800020 ? POWERPC_RETURN : POWERPC_OTHER;
}
