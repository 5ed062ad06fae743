/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a pass over the compile units' outermost DIEs has found so far. */
#ifndef OBIT_DWARF_SCAN_H
#define OBIT_DWARF_SCAN_H

#include "core/base/map.h"
#include "core/dwarf/dwarf.h"
#include "core/dwarf/dwarf_index.h"

/* The kinds of types that names are kept apart by. */
enum dwarf_table {
	DWARF_STRUCT,
	DWARF_UNION,
	DWARF_ENUM,
	DWARF_TYPEDEF,
	DWARF_BASE,
	DWARF_TABLES
};

struct dwarf_types {
	struct map by_die; /* DIE offset -> struct type * */

	/* the pass: it stops at each hit, and goes on from there */
	struct dwarf_index index;
	bool done;
	struct map seen;        /* names, by where their text lies and what they name */
	struct map by_addr;     /* a variable's link-time address -> DIE offset */
	struct strmap declared; /* an extern variable -> DIE offset of a declaration */
	struct strmap names[DWARF_TABLES];
	VEC(Dwarf_Off) tagged; /* the types in these, but for base types */
};

#endif
