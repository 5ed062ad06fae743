/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an entry of a page table means that maps nothing: swap, migration, PROT_NONE. */
#ifndef OBIT_LINUX_ENTRY_H
#define OBIT_LINUX_ENTRY_H

#include "core/arch/table.h"
#include "core/linux/memory/user.h"

/* Asks the architecture's row what an entry of a task's tables means that maps p->size bytes of
 * nothing. Sets p->state, p->entry, and what the state implies. */
void entry_hidden(struct target *t, const struct mmu *mmu, uint64_t entry, struct user_page *p);
/* What an entry of ENTRY_NONE means, in words, in the arena: "nothing", "PROT_NONE: in RAM at
 * 0x1234000", "swapped out: page 52 of swap area 0", "migration: ...". size is what the entry is
 * for; mmu->low says that the tables are a task's. */
const char *entry_meaning(struct target *t, const struct mmu *mmu, uint64_t entry, uint64_t size,
			  struct arena *a);
/* What the entries of a swap type are when no swap area has it: "migration", ...; NULL: the type is
 * one of swap areas. "special" when nothing at hand tells which. */
const char *swap_type_name(struct target *t, unsigned type);

#endif
