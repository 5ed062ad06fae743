/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where gcc's debug info is wrong, on architectures that say so: seen on 32-bit ARM, in
 * Debian's 6.1 (gcc 12). */
#include <dwarf.h>

#include "core/dwarf/dwarf_frame.h"

#define PARTS_MAX 8
#define PART_MAX 65536u

/*
 * What lies in the frame for good is placed where it is; but lists of places and call sites count
 * offsets that are off by a few words: ksys_write() has its pos at CFA-40 and hands over its
 * address, which the list of ppos says is CFA-48.
 */
bool dwarf_frame_doubt(const struct dwarf_file *f, Dwarf_Attribute *attr)
{
	unsigned form = dwarf_whatform(attr), what = dwarf_whatattr(attr);

	return f->t->arch && f->t->arch->frame_doubt && what != DW_AT_frame_base &&
	       (what != DW_AT_location || (form != DW_FORM_exprloc && form != DW_FORM_block1));
}

uint64_t dwarf_doubtful(struct dwarf_file *f, Dwarf_Die *func)
{
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;
	uint64_t ret = 0;

	if (!f->t->arch || !f->t->arch->doubtful)
		return 0;
	for (unsigned parts = 0; parts < PARTS_MAX; parts++) {
		struct span code;
		struct err err;

		at = dwarf_ranges(func, at, &base, &lo, &hi);
		if (at <= 0)
			return ret;
		if (hi - lo > PART_MAX)
			break;
		if (!mem_bytes(f->t, lo + dwarf_slide(f), hi - lo, PART_MAX, f->t->scratch, &code,
			       &err))
			return UINT64_MAX;
		ret |= f->t->arch->doubtful(code);
	}
	return UINT64_MAX; /* too much to look at */
}
