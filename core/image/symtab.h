/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One table of symbols: its loading, and what is found in it by name and by address. */
#ifndef OBIT_SYMTAB_H
#define OBIT_SYMTAB_H

#include "core/image/symbol.h"

/* Loads the table when it is called for the first time; later calls say what that one found. */
bool symtab_load(struct target *t, struct symtab *tab, struct err *err) MUST_CHECK;
void symtab_release(struct symtab *tab);

/* All that follows is asked of tables that are loaded. */

/* How many symbols there are, those included that are none for people. */
size_t symtab_count(const struct symtab *tab);
/* Sets *ret to the i-th symbol. False: it is none for people. */
bool symtab_get(const struct symtab *tab, size_t i, struct symbol *ret) MUST_CHECK;

/* Its name alone, which costs less; NULL: it is none for people. */
const char *symtab_name(const struct symtab *tab, size_t i);

/* Is it a symbol of code, by its letter? */
bool symtab_is_text(const struct symbol *s);

/* Finds the symbol whose name is the first n bytes of name. Of several, as static functions may be,
 * a global one is taken, else the first of the table. */
bool symtab_find(struct symtab *tab, const char *name, size_t n, struct symbol *ret) MUST_CHECK;
/* The address of the symbol of that name; 0: there is none. */
uint64_t symtab_value(struct symtab *tab, const char *name);
/* Calls fn for every symbol of that name in the table's order, until fn returns false; then returns
 * false. room is as symbol_each_named() has it. */
bool symtab_each_named(struct target *t, struct symtab *tab, const char *name,
		       bool (*fn)(const struct symbol *sym, uint64_t room, void *arg), void *arg);

/* Sets *ret to the symbol that contains addr. */
bool symtab_at(struct target *t, struct symtab *tab, uint64_t addr, struct symbol *ret) MUST_CHECK;
/* Is addr between the first and the last symbol that has an address in memory? */
bool symtab_covers(struct target *t, struct symtab *tab, uint64_t addr);
/* Writes the numbers of all symbols for people into v, in the order of their addresses, and returns
 * how many there are. v has room for symtab_count(). */
size_t symtab_order(struct symtab *tab, uint32_t *v);

#endif
