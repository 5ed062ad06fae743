/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A unit's line table: the row of one address, and the files that rows name by number. Source:
 * DWARF 2 to 5, 6.2. */
#ifndef OBIT_DWARF_ROW_H
#define OBIT_DWARF_ROW_H

#include "core/dwarf/dwarf_form.h"

struct dwarf_row {
	uint64_t file, line; /* line 0: of none in particular */
	bool odd; /* the unit's table has what none can have, here or elsewhere: it is damaged */
};

/* The row that pc (link-time) is covered by; of several at one address the last that begins a
 * statement, as debuggers choose: compilers add others for what was moved there. False: the table
 * does not say. */
bool dwarf_row_at(const struct dwarf_unit *u, uint64_t pc, struct dwarf_row *ret) MUST_CHECK;

/* A file of the unit's table as a path: the directory it was compiled in, its own, and its name, as
 * many of them as it needs. Parts are in place; false: there is no such number. */
struct dwarf_file_name {
	const char *comp_dir, *dir, *name; /* the first two NULL: not needed, or not known */
};
bool dwarf_file_at_number(const struct dwarf_unit *u, uint64_t number,
			  struct dwarf_file_name *ret) MUST_CHECK;

#endif
