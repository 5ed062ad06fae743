/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One table of symbols: its loading, and what is found in it by name and by address. */
#ifndef OBIT_SYMTAB_H
#define OBIT_SYMTAB_H

#include "core/image/symbol.h"

/* Once; why it failed is kept. */
bool symtab_load(struct target *t, struct symtab *tab, struct err *err) MUST_CHECK;
void symtab_release(struct symtab *tab);

/* The rest is asked of tables that are loaded. */

/* How many there are; some of them may be none for people. */
size_t symtab_count(const struct symtab *tab);
/* False: the i-th is none for people. */
bool symtab_get(const struct symtab *tab, size_t i, struct symbol *ret) MUST_CHECK;

/* Is it one of code, by its letter? */
bool symtab_is_text(const struct symbol *s);

/* By the first n bytes of name. Static functions may share a name: a global one is meant first,
 * then the first of the table. */
bool symtab_find(struct symtab *tab, const char *name, size_t n, struct symbol *ret) MUST_CHECK;
/* The address of a name; 0: none. */
uint64_t symtab_value(struct symtab *tab, const char *name);
/* Every symbol of that name in the table's order, until fn returns false; then false. room as
 * symbol_each_named's. */
bool symtab_each_named(struct target *t, struct symtab *tab, const char *name,
		       bool (*fn)(const struct symbol *sym, uint64_t room, void *arg), void *arg);

/* The symbol that contains addr. */
bool symtab_at(struct target *t, struct symtab *tab, uint64_t addr, struct symbol *ret) MUST_CHECK;
/* Is addr between the first and the last of those that have a place in memory? */
bool symtab_covers(struct target *t, struct symtab *tab, uint64_t addr);
/* Numbers of all symbols for people, by address, into v, which has room for symtab_count(). */
size_t symtab_order(struct target *t, struct symtab *tab, uint32_t *v);

#endif
