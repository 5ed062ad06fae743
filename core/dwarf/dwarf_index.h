/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fast pass over the outermost DIEs of .debug_info, to find types and variables by name: a
 * kernel has some millions of them, of which a question needs a few. Source: DWARF 2 to 5. */
#ifndef OBIT_DWARF_INDEX_H
#define OBIT_DWARF_INDEX_H

#include "core/base/mapping.h"
#include "core/dwarf/dwarf_form.h"

/* An outermost DIE: a struct, union, enum, typedef, base type or variable. */
struct dwarf_top {
	uint64_t off; /* in .debug_info */
	unsigned tag; /* DW_TAG_* */
	/* NULL: it has none, or one in another file. Equal names are mostly one string at one
	 * address; short ones need not be. */
	const char *name;
	const char *first; /* the first constant of an enum without a name; else NULL */
	bool declaration, external;
	bool has_addr; /* it is the definition of a variable, and addr is where that is */
	uint64_t addr;
};

struct dwarf_index {
	struct dwarf_sections s;
	uint64_t next;                /* offset of the next unit */
	bool damaged;                 /* some unit could not be read to its end */
	struct dwarf_abbrevs abbrevs; /* private, as is the rest */
	struct mapping_stream stream;
	bool fetched; /* the names are being read */
};

void dwarf_index_init(struct dwarf_index *x, const struct dwarf_sections *s);
/* Calls see for each outermost DIE of the next unit. False: there is no further unit. */
bool dwarf_index_unit(struct dwarf_index *x, void (*see)(const struct dwarf_top *die, void *arg),
		      void *arg);
void dwarf_index_release(struct dwarf_index *x);

#endif
