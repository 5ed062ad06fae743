/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's symbol table in its own memory, by the addresses of its parts. */
#ifndef OBIT_KALLSYMS_H
#define OBIT_KALLSYMS_H

#include "core/image/target.h"

/* The addresses of the kernel's variables for its symbol table; of offsets and addresses one is 0.
 * relative_base is 0 when each offset is relative to where it lies itself, as since v7.0. */
struct kallsyms {
	uint64_t names, num_syms, token_table, token_index;
	uint64_t offsets, relative_base;
	uint64_t addresses;
	unsigned align; /* bytes that tables are aligned to at most; 0: a word */
};

#define KALLSYMS_MAX (UINT32_C(4) << 20)         /* symbols */
#define KALLSYMS_NAMES_MAX (UINT64_C(128) << 20) /* bytes of all names and their markers */

/* Fills tab->syms. When the table is damaged, the symbols before the damage are kept, and the
 * person is warned. */
bool kallsyms_load(struct target *t, const struct kallsyms *k, struct symtab *tab,
		   struct err *err) MUST_CHECK;
/* Finds the table in memory behind `text`, where the kernel's text begins, and fills tab->syms. The
 * symbols of VMCOREINFO must have the same addresses in it. ERR_NEED: there is none. */
bool kallsyms_carve(struct target *t, uint64_t text, struct symtab *tab,
		    struct err *err) MUST_CHECK;
/* Copies n bytes of memory, with zeros for those that are absent. The caller frees them. */
uint8_t *kallsyms_bytes(struct target *t, uint64_t va, uint64_t n);

#endif
