/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fast pass over the outermost DIEs of .debug_info, to find types and variables by name: a
 * kernel has some millions of them, of which a question needs a few. Source: DWARF 2 to 5. */
#ifndef OBIT_DWARF_INDEX_H
#define OBIT_DWARF_INDEX_H

#include "core/dwarf/dwarf_form.h"

/* An outermost DIE: a struct, union, enum, typedef, base type or variable. */
struct dwarf_top {
	uint64_t off;     /* in .debug_info */
	unsigned tag;     /* DW_TAG_* */
	const char *name; /* NULL: none, or in another file. One text has one address, but for short
			     ones. */
	const char *first; /* of an enum without a name: its first constant; NULL otherwise */
	bool declaration, external;
	bool has_addr; /* a variable with an address: a definition */
	uint64_t addr;
};

struct dwarf_index {
	struct dwarf_sections s;
	uint64_t next;                /* offset of the next unit */
	bool damaged;                 /* some unit could not be read to its end */
	struct dwarf_abbrevs abbrevs; /* private */
};

void dwarf_index_init(struct dwarf_index *x, const struct dwarf_sections *s);
/* Shows one unit's DIEs. False: there are no more units. */
bool dwarf_index_unit(struct dwarf_index *x, void (*see)(const struct dwarf_top *die, void *arg),
		      void *arg);
void dwarf_index_release(struct dwarf_index *x);

#endif
