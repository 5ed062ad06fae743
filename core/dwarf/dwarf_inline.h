/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions around an address: the real one, and those inlined there. Source: DWARF 2 to 5,
 * 2.17 and 3.3. */
#ifndef OBIT_DWARF_INLINE_H
#define OBIT_DWARF_INLINE_H

#include "core/dwarf/dwarf_form.h"

#define DWARF_INLINE_MAX 64

struct dwarf_func {
	const char *name; /* in place; NULL unknown */
	uint64_t low;     /* link-time address of its first instruction; 0 unknown */
	bool inlined;
	bool noreturn; /* it is declared to never return */
	/* where an inlined function is called in the function around it; 0: not known */
	uint64_t call_file, call_line;
};

/* Functions within each other, the outermost first. */
struct dwarf_chain {
	struct dwarf_func func[DWARF_INLINE_MAX];
	size_t n;
};

/* Sets *ret to the functions of the unit that contain the link-time address pc; ret->n is 0 when
 * none does. `a` is behind the unit's DIE. Damage ends the search. */
void dwarf_chain_at(const struct dwarf_unit *u, struct cursor a, uint64_t pc,
		    struct dwarf_chain *ret);

#endif
