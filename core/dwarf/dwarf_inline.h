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
	bool noreturn;                 /* it is declared to never return */
	uint64_t call_file, call_line; /* of an inlined one, in the one around it; 0 unknown */
};

/* Outermost first. */
struct dwarf_chain {
	struct dwarf_func func[DWARF_INLINE_MAX];
	size_t n;
};

/* Those of the unit that contain pc (link-time); none where no function does. `a` is behind the
 * unit's DIE. What is damaged ends the search. */
void dwarf_chain_at(const struct dwarf_unit *u, struct dwarf_at a, uint64_t pc,
		    struct dwarf_chain *ret);

#endif
