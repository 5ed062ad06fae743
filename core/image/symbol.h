/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of addresses and addresses of names, of the kernel and of its modules. */
#ifndef OBIT_SYMBOL_H
#define OBIT_SYMBOL_H

#include "core/base/keyed.h"
#include "core/base/map.h"
#include "core/base/vec.h"

struct target;

struct symbol {
	const char *name; /* lives as long as the target */
	/* at run-time, as KASLR moved it; of a per-CPU variable of the kernel the offset in each
	 * CPU's area */
	uint64_t addr;
	uint64_t size; /* bytes; 0 unknown */
	/* as nm and kallsyms print it: 'T', 't', 'D', ... ; '?': not known, and in a table of the
	 * kernel it is not known either what lies around such a symbol */
	char type;
	const char *module; /* NULL: the kernel itself */
};

/* One table, loaded on first use: vmlinux's symtab, kallsyms of the dump, or one module's. */
struct symtab {
	const char *origin; /* "vmlinux", "kallsyms", or the module's name */
	const char *module; /* NULL for the kernel */
	uint64_t lo, hi;    /* it answers for addresses from lo on, before hi; hi 0: for any */
	/* Called once, when symbols are first asked for. Either pushes all symbols to syms, in any
	 * order and with names that live as long as the target, or sets count, in_place,
	 * and all that ends in _in_place. */
	bool (*load)(struct target *t, struct symtab *tab, struct err *err);
	VEC(struct symbol) syms;
	/* Reads the i-th of count symbols where it lies; false: it is none that people ask for,
	 * such as a section's. The i-th is the same one each time. */
	bool (*in_place)(const struct symtab *tab, size_t i, struct symbol *ret);
	/* The name of the i-th symbol alone, which costs less; NULL: it is none that people ask
	 * for. */
	const char *(*name_in_place)(const struct symtab *tab, size_t i);
	/* Its address alone; false: it is none that people ask for. True does not say that it is
	 * one. */
	bool (*addr_in_place)(const struct symtab *tab, size_t i, uint64_t *ret);
	/* Says that a pass over all is at its end, or so far that what was read is megabytes: of
	 * those passed few are asked for again. */
	void (*passed_in_place)(const struct symtab *tab);
	size_t count;
	void *self;   /* the loader's own */
	bool partial; /* some names are lost, so one that is not found may have been there */

	/* private to symtab.c */
	bool tried, ok;
	struct err err;
	uint32_t *heads, *chain; /* a hash of names: the first symbol of a bucket, the next of each;
				    + 1, 0: none */
	uint32_t mask;           /* buckets - 1 */
	/* the symbols that have an address in memory, by it; of several at one address the one that
	 * is shown stands first */
	struct keyed places;
	bool placed;
};

struct symbols {
	VEC(struct symtab *) tabs; /* the kernel's first; the first kernel table that loads wins */
	/* Adds the tables of modules. Called once, when a lookup needs more than the kernel's
	 * symbols. core/linux sets it. */
	bool (*expand)(struct target *t, struct err *err);
	bool expanded;
	/* Finds a variable of the kernel that a partial table does not name, by what proves where
	 * it is; false: nothing does. Set by core/linux. */
	bool (*prove)(struct target *t, const char *name, struct symbol *ret);
};

/* Adds an empty table, which is in the target's arena. The caller sets its load() and what that
 * needs. */
struct symtab *symbols_add(struct target *t, const char *origin);
bool symbols_available(struct target *t); /* is there a kernel table that loads? */
/* Is there one, and does it have every name, so that a name that is not found does not exist? */
bool symbols_complete(struct target *t);

/* Finds a symbol by its name, among the kernel's and then among the modules'; "name@module" is
 * sought in that module alone. ERR_NOSYM. */
bool symbol_find(struct target *t, const char *name, struct symbol *ret,
		 struct err *err) MUST_CHECK;
/* Calls fn for every symbol of a name in the kernel, or in a module when `module` is not NULL,
 * until fn returns false. room is how many bytes it is to the next symbol, which is the size that
 * the kernel prints in its traces; 0: not known. */
bool symbol_each_named(struct target *t, const char *name, const char *module,
		       bool (*fn)(const struct symbol *sym, uint64_t room, void *arg), void *arg,
		       struct err *err) MUST_CHECK;
/* The address of a symbol alone, without an error: for data that a kernel may lack. A name without
 * "@module" is sought in the kernel only. */
bool symbol_addr(struct target *t, const char *name, uint64_t *ret) MUST_CHECK;
/* Sets *ret to the symbol, of code or data, that contains addr, and *offset to the bytes between
 * its start and addr. Of several symbols at one address of the kernel it is one that is not weak
 * before a weak one, one of the sources before a label of the linker's, then the one with the
 * fewest leading underscores, then the first by name; of several in a module it is the first of its
 * table. ERR_NOSYM. */
bool symbol_at(struct target *t, uint64_t addr, struct symbol *ret, uint64_t *offset,
	       struct err *err) MUST_CHECK;
/* The address as "name+0x1f" or "name+0x1f [module]"; "" when no symbol contains it. In the arena.
 */
const char *symbol_text(struct target *t, uint64_t addr, struct arena *a);
/* Does addr lie in code of the kernel or of a module? */
bool symbol_is_text(struct target *t, uint64_t addr);
/* Calls fn for every symbol, the kernel's in the order of their addresses and then each module's,
 * until fn returns false. module chooses: "ext4" those of that module, "" those of the kernel, NULL
 * all. */
bool symbol_each(struct target *t, const char *module,
		 bool (*fn)(const struct symbol *sym, void *arg), void *arg,
		 struct err *err) MUST_CHECK;
/* Calls fn with the name of every symbol, those of modules included, in no order and as often as
 * there are symbols of that name, until fn returns false: it costs a tenth of symbol_each(). */
bool symbol_each_name(struct target *t, bool (*fn)(const char *name, void *arg), void *arg,
		      struct err *err) MUST_CHECK;
void symbols_release(struct target *t);

#endif
