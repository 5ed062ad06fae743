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
};

/* Fills tab->syms. What comes before damage is kept, with a warning. */
bool kallsyms_load(struct target *t, const struct kallsyms *k, struct symtab *tab,
		   struct err *err) MUST_CHECK;

#endif
