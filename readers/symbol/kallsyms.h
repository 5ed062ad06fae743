/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's symbol table in its own memory, by the addresses of its parts. */
#ifndef OBIT_KALLSYMS_H
#define OBIT_KALLSYMS_H

#include "core/image/target.h"

/* Addresses of the variables; either offsets or addresses is 0. relative_base is 0 where offsets
 * are from where each lies, as they are since a081b5789255 (v7.0). */
struct kallsyms {
	uint64_t names, num_syms, token_table, token_index;
	uint64_t offsets, relative_base;
	uint64_t addresses;
	unsigned align; /* bytes that tables are aligned to at most; 0: a word */
};

#define KALLSYMS_MAX (UINT32_C(4) << 20)         /* symbols */
#define KALLSYMS_NAMES_MAX (UINT64_C(128) << 20) /* bytes of all names and their markers */

/* Fills tab->syms. What comes before damage is kept, with a warning. */
bool kallsyms_load(struct target *t, const struct kallsyms *k, struct symtab *tab,
		   struct err *err) MUST_CHECK;
/* Finds the tables behind `text`, the start of the kernel's text, and fills tab->syms of them; in
 * VMCOREINFO's symbols they must agree. ERR_NEED: there are none. */
bool kallsyms_carve(struct target *t, uint64_t text, struct symtab *tab,
		    struct err *err) MUST_CHECK;
/* n bytes of memory, zeroes for what is absent of them; to be freed. */
uint8_t *kallsyms_bytes(struct target *t, uint64_t va, uint64_t n);

#endif
