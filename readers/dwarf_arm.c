/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where gcc's debug info is wrong on 32-bit ARM, seen in Debian's 6.1 (gcc 12). */
#include <dwarf.h>

#include "readers/dwarf_frame.h"

#define PARTS_MAX 8
#define PART_MAX 65536u

/*
 * What lies in the frame for good is placed where it is; but lists of places and call sites count
 * offsets that are off by a few words: ksys_write() has its pos at CFA-40 and hands over its
 * address, which the list of ppos says is CFA-48.
 */
bool dwarf_arm_frame_doubt(const struct dwarf_file *f, Dwarf_Attribute *attr)
{
	unsigned form = dwarf_whatform(attr), what = dwarf_whatattr(attr);

	return f->t->arch == &arch_arm && what != DW_AT_frame_base &&
	       (what != DW_AT_location || (form != DW_FORM_exprloc && form != DW_FORM_block1));
}

static bool loads_word(uint32_t insn)
{
	return (insn & 0x0c100000) == 0x04100000;
}

/* The second register of the pair that an instruction writes, the first being even; 0: none such.
 */
static unsigned second(uint32_t insn, uint32_t next)
{
	unsigned to = insn >> 12 & 15, other = insn >> 16 & 15, next_to = next >> 12 & 15;

	if ((insn & 0x0e1000f0) == 0x000000d0 || (insn & 0x0ff00fff) == 0x01b00f9f)
		return to + 1; /* ldrd, ldrexd */
	if (((insn & 0x0ff00000) == 0x0c500000 || (insn & 0x0f8000f0) == 0x00800090) &&
	    other == (to | 1))
		return other; /* mrrc, vmov; umull and the like */
	if (loads_word(insn) && loads_word(next) && (insn & 0x000f0000) == (next & 0x000f0000) &&
	    (to ^ next_to) == 1)
		return to | 1; /* ldr, ldr */
	return 0;
}

/* ldm, but not pop: it may be one load of two words */
static uint32_t seconds_of_block(uint32_t insn)
{
	if ((insn & 0x0e100000) != 0x08100000 || (insn & 0x000f0000) == 0x000d0000)
		return 0;
	return insn & (insn << 1) & 0xaaaa;
}

/*
 * A value of 64 bits that is loaded into two registers ends the life of what was in the first, but
 * not of what was in the second: ksys_write() loads f_pos over its buf in r7, and the list of buf
 * goes on. All such second registers of a function are in doubt everywhere in it.
 */
uint64_t dwarf_arm_doubtful(struct dwarf_file *f, Dwarf_Die *func)
{
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;
	uint64_t ret = 0;

	if (f->t->arch != &arch_arm)
		return 0;
	for (unsigned parts = 0; parts < PARTS_MAX; parts++) {
		uint32_t insn = 0, next;
		struct err err;

		at = dwarf_ranges(func, at, &base, &lo, &hi);
		if (at <= 0)
			return ret;
		if (hi - lo > PART_MAX)
			break;
		for (Dwarf_Addr pc = lo; pc < hi; pc += 4, insn = next) {
			if (!mem_u32(f->t, pc + dwarf_slide(f), &next, &err))
				return UINT64_MAX;
			ret |= UINT64_C(1) << second(insn, next) | seconds_of_block(next);
		}
	}
	return UINT64_MAX; /* too much to look at */
}
