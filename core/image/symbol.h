/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of addresses and addresses of names, of the kernel and of its modules. */
#ifndef OBIT_SYMBOL_H
#define OBIT_SYMBOL_H

#include "core/base/map.h"
#include "core/base/vec.h"

struct target;

struct symbol {
	const char *name; /* lives as long as the target */
	uint64_t addr; /* run-time, KASLR included; an offset for per-CPU symbols of the kernel */
	uint64_t size; /* bytes; 0 unknown */
	/* as nm and kallsyms print it: 'T', 't', 'D', ... ; '?' unknown, and in a kernel's table
	 * unknown what lies around it as well */
	char type;
	const char *module; /* NULL: the kernel itself */
};

/* One table, loaded on first use: vmlinux's symtab, kallsyms of the dump, or one module's. */
struct symtab {
	const char *origin; /* "vmlinux", "kallsyms", or the module's name */
	const char *module; /* NULL for the kernel */
	uint64_t lo, hi;    /* run-time range [lo, hi) it answers for; hi 0: any */
	/* Fills syms (vec_push; names must outlive the target), in any order; or sets count and
	 * in_place. Called once. */
	bool (*load)(struct target *t, struct symtab *tab, struct err *err);
	VEC(struct symbol) syms;
	/* Reads the i-th of count where it lies, the same each time; false: none for people. */
	bool (*in_place)(const struct symtab *tab, size_t i, struct symbol *ret);
	/* Its name alone, or NULL, which costs less. */
	const char *(*name_in_place)(const struct symtab *tab, size_t i);
	size_t count;
	void *self;   /* the loader's own */
	bool partial; /* some names are lost: that one is not there does not mean that none was */

	/* private to symtab.c */
	bool tried, ok;
	struct err err;
	uint32_t *heads,
		*chain; /* by name: first symbol + 1 of each bucket, and the next + 1 in it */
	uint32_t mask;  /* buckets - 1 */
	/* those that lookups by address consider, in order; the preferred alias first */
	struct sort_item *places; /* address and number */
	size_t placed;
};

struct symbols {
	VEC(struct symtab *) tabs; /* the kernel's first; the first kernel table that loads wins */
	/* Adds the modules' tables, once, when a lookup needs more than the kernel's. Set by
	 * core/linux. */
	bool (*expand)(struct target *t, struct err *err);
	bool expanded;
	/* Finds a variable of the kernel that a partial table does not name, by what proves where it
	 * is; false: nothing does. Set by core/linux. */
	bool (*prove)(struct target *t, const char *name, struct symbol *ret);
};

/* A table of the target's arena; the caller fills it before the first lookup. */
struct symtab *symbols_add(struct target *t, const char *origin);
bool symbols_available(struct target *t); /* is there a kernel table that loads? */
/* And does it have every name, so that one that is not found does not exist? */
bool symbols_complete(struct target *t);

/* By name: the kernel's first, then the modules'; "name@module" asks one module. ERR_NOSYM. */
bool symbol_find(struct target *t, const char *name, struct symbol *ret,
		 struct err *err) MUST_CHECK;
/* Every symbol of that name in the kernel (module NULL) or in a module. room: bytes up to the next
 * symbol, which is the size that the kernel prints in its traces; 0 unknown. */
bool symbol_each_named(struct target *t, const char *name, const char *module,
		       bool (*fn)(const struct symbol *sym, uint64_t room, void *arg), void *arg,
		       struct err *err) MUST_CHECK;
/* The address alone, quietly: for optional data. A plain name is sought in the kernel only. */
bool symbol_addr(struct target *t, const char *name, uint64_t *ret) MUST_CHECK;
/* The symbol that contains addr; *offset from its start. Data and text alike; among several at one
 * address, the global and the longest-named without leading underscores is not preferred: the first
 * by (global, function, then name) is. ERR_NOSYM. */
bool symbol_at(struct target *t, uint64_t addr, struct symbol *ret, uint64_t *offset,
	       struct err *err) MUST_CHECK;
/* As "name+0x1f" or "name+0x1f [module]", or "" when unknown; in the arena. */
const char *symbol_text(struct target *t, uint64_t addr, struct arena *a);
/* Is addr in kernel or module text? */
bool symbol_is_text(struct target *t, uint64_t addr);
/* Every symbol, the kernel's by address, then each module's; stops when fn returns false. module:
 * only that one's; "" only the kernel's; NULL all. */
bool symbol_each(struct target *t, const char *module,
		 bool (*fn)(const struct symbol *sym, void *arg), void *arg,
		 struct err *err) MUST_CHECK;
void symbols_release(struct target *t);

#endif
