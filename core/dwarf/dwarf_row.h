/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A unit's line table: the row of one address, and the files that rows name by number. Source:
 * DWARF 2 to 5, 6.2. */
#ifndef OBIT_DWARF_ROW_H
#define OBIT_DWARF_ROW_H

#include "core/dwarf/dwarf_form.h"

struct dwarf_row {
	uint64_t file, line; /* line 0: the code belongs to no line in particular */
	bool odd;            /* somewhere in the table is what no table can have: it is damaged */
};

/* Sets *ret to the row that covers the link-time address pc. Of several rows with one address it is
 * the last that begins a statement, as debuggers choose: compilers add rows of other lines for code
 * that they moved there. False: no row covers pc. */
bool dwarf_row_at(const struct dwarf_unit *u, uint64_t pc, struct dwarf_row *ret) MUST_CHECK;

/* A file's path in three parts, of which the first two may not be needed: where the unit was
 * compiled, the file's directory, and its name. Each points into the section. */
struct dwarf_file_name {
	const char *comp_dir, *dir, *name; /* the first two NULL: not needed, or not known */
};
/* Sets *ret to the file that rows of the table call `number`. False: there is no such number. */
bool dwarf_file_at_number(const struct dwarf_unit *u, uint64_t number,
			  struct dwarf_file_name *ret) MUST_CHECK;

/* ---- dwarf_line.c */
/*
 * A file's path as the kernel's tree has it, "kernel/panic.c": without the directory it was
 * compiled in, which may be NULL, or, when that one lies inside the tree, without what the two have
 * in common. It lives in the arena.
 */
const char *dwarf_path_text(struct arena *a, const char *dir, const char *path);

#endif
