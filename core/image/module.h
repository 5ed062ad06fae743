/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modules as the kernel had them, and the files that tell more of them: lines, types, symbols. */
#ifndef OBIT_TARGET_MODULE_H
#define OBIT_TARGET_MODULE_H

#include "core/base/map.h"
#include "core/base/vec.h"
#include "core/image/build_id.h"

struct target;
struct symbol;
struct type;
struct dwarf_file;
struct type_source;
struct line_source;
struct symtab;

struct module_section {
	const char *name; /* ".text" */
	uint64_t addr;    /* run-time */
};

/* One module that the dead kernel had loaded. */
struct loaded_module {
	const char *name;
	uint8_t build_id[BUILD_ID_MAX];
	size_t build_id_n;      /* 0: unknown */
	const char *srcversion; /* NULL: unknown */
	/* where its sections were; those that are gone again (.init.text) are left out */
	const struct module_section *sections;
	size_t n_sections;
	struct err why; /* n_sections == 0: why they are unknown */
};

/* Where all of a module's areas are between: [lo, hi). */
struct module_extent {
	const char *name;
	uint64_t lo, hi;
};

/* What a file knows of a module, relocated to where the module was. */
struct module_debug {
	const char *name;
	const char *path;               /* the file with its debug info, or the only one */
	uint8_t build_id[BUILD_ID_MAX]; /* the file's */
	size_t build_id_n;              /* 0: it has none */
	bool verified;                  /* build-id or srcversion are the loaded module's */
	bool invented;                  /* no dump says where it was: addresses are made up */
	struct dwarf_file *dwarf;       /* NULL: no debug info in it */
	struct type_source *types;      /* of dwarf; NULL */
	struct type_source *btf;        /* the file's own; NULL */
	struct line_source *lines;      /* of dwarf; NULL */
	uint64_t lo, hi;                /* of all its sections when invented */
	void *self;                     /* readers/symbol/module.c's own */
};

/* What the kernel's data say of modules; filled by core/linux, NULL where nobody can answer. */
struct module_hooks {
	bool (*at)(struct target *t, uint64_t addr, const struct loaded_module **ret);
	bool (*named)(struct target *t, const char *name, const struct loaded_module **ret,
		      struct err *err);
	/* all of them, in the kernel's order; in the target's arena */
	bool (*extents)(struct target *t, const struct module_extent **ret, size_t *n,
			struct err *err);
	/* the BTF that the kernel kept of the i-th module that has any; false: no more */
	bool (*btf)(struct target *t, size_t i, const char **name, uint64_t *addr, uint64_t *size);
};

/* Files of modules; filled by readers/symbol/module.c. */
struct module_reader {
	/* The file of a module: `path`, or with NULL the best among given files and folders (and
	 * those of `folder`, if it is not NULL). m->n_sections 0 without a dump: places are made
	 * up. ERR_NEED: there is none. ERR_MISMATCH: those that there are belong to another
	 * build. */
	bool (*open)(struct target *t, const struct loaded_module *m, const char *path,
		     const char *folder, struct module_debug **ret, struct err *err);
	/* Is there a file of that name among the given ones, or in the folders? */
	bool (*has)(struct target *t, const char *name);
	/* What the file's symbol table says, at run-time addresses. */
	bool (*symbols)(struct target *t, const struct module_debug *d, struct symtab *tab,
			struct err *err);
};

struct module_slot;
struct modules {
	VEC(const char *) folders; /* --modules DIR */
	VEC(const char *) given;   /* names of the modules whose files were given */
	struct module_hooks hooks;
	struct module_reader reader;
	void *reader_state;  /* readers/symbol/module.c's own */
	struct strmap slots; /* name -> struct module_slot *: what was found, or why not */
	VEC(struct module_slot *) all; /* the same */
	bool expanded;                 /* files' symbols are among the tables */
};

/* A name as the kernel has it: '-' is '_'. In the arena. */
const char *module_name(struct arena *a, const char *s, size_t n);

/* What files say of a module; searched, opened and placed on first use, and kept, as is why there
 * is nothing. Any file that does not belong to the loaded module is refused (ERR_MISMATCH) unless
 * t->force. ERR_NOTFOUND: no such module was loaded. ERR_NEED: no file of it. */
bool module_debug(struct target *t, const char *name, const struct module_debug **ret,
		  struct err *err) MUST_CHECK;
/* Without a dump, a text may say by build-id which module it means: from then on only that one's
 * file is taken. Nothing where a dump is loaded, or the id is none. */
void module_expect(struct target *t, const char *name, const char *build_id);
/* Of the module that a run-time address lies in. ERR_NOTFOUND: in none. */
bool module_debug_at(struct target *t, uint64_t addr, const struct module_debug **ret,
		     struct err *err) MUST_CHECK;
/* What is open already; NULL: nothing. */
const struct module_debug *module_debug_loaded(const struct target *t, const char *name);
/* The same from a file or a folder that is named now; replaces what was open. */
bool module_debug_open(struct target *t, const char *name, const char *path, const char *folder,
		       const struct module_debug **ret, struct err *err) MUST_CHECK;
/* Forgets it. False: nothing was open. It is not searched again but by module_debug_open(). */
bool module_debug_close(struct target *t, const char *name);
/* Opens the files that were given as such; those that do not belong here are warned of. */
void modules_check_given(struct target *t);
/* For symbol.c: adds what files know to the symbol tables, of every module that has a file, or of
 * one. They are opened when a lookup needs them. */
void modules_symbols(struct target *t);
void module_symbols(struct target *t, const char *name);
/* Every module whose debug info is open; with search, every one that a file can be found of. fn
 * returns false to stop. */
void modules_each_debug(struct target *t, bool search,
			bool (*fn)(const struct module_debug *d, void *arg), void *arg);
/* The type of a module's variable. ERR_NOTYPE. */
bool module_variable(struct target *t, const struct symbol *sym, const struct type **ret,
		     struct err *err) MUST_CHECK;
void modules_release(struct target *t);

#endif
