/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modules as the kernel had them, and the files that tell more of them: lines, types, symbols. */
#ifndef OBIT_TARGET_MODULE_H
#define OBIT_TARGET_MODULE_H

#include "core/base/map.h"
#include "core/base/vec.h"
#include "core/image/build_id.h"

struct arch;
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

/* The range that all of a module's memory lies in: from lo on, before hi. */
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
	const char *release;            /* of the kernel that it was made for; NULL unknown */
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
	/* every module's, in the order of the kernel's list; in the target's arena */
	bool (*extents)(struct target *t, const struct module_extent **ret, size_t *n,
			struct err *err);
	/* where the kernel kept the BTF of the i-th of those modules that have any; false: they are
	 * fewer */
	bool (*btf)(struct target *t, size_t i, const char **name, uint64_t *addr, uint64_t *size);
};

/* Files of modules; filled by readers/symbol/module.c. */
struct module_reader {
	/* Opens the file of module m: the one at path, or, when path is NULL, the best among those
	 * that were given, those in the folders that were given, and those in `folder` unless it is
	 * NULL. Without a dump m->n_sections is 0, and the file's sections get made-up addresses.
	 * ERR_NEED: there is no file. ERR_MISMATCH: there are files, of another build. */
	bool (*open)(struct target *t, const struct loaded_module *m, const char *path,
		     const char *folder, struct module_debug **ret, struct err *err);
	/* Is there a file of that name among the given ones, or in the folders? */
	bool (*has)(struct target *t, const char *name);
	/* Fills tab with the file's symbols, at run-time addresses. */
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
	const char *release;           /* modules_expect_kernel()'s; NULL: the vmlinux's, */
	const struct arch *arch;       /* and so is the architecture */
	bool expanded;                 /* files' symbols are among the tables */
};

/* A module's name as the kernel has it, with '_' for each '-' of the first n bytes of s; in the
 * arena. */
const char *module_name(struct arena *a, const char *s, size_t n);

/* What its file says of a module. The file is searched, opened and relocated when it is first asked
 * for; the answer is kept, a failure too. A file that does not belong to the module that was loaded
 * is refused (ERR_MISMATCH) unless t->force is set. ERR_NOTFOUND: no such module was loaded.
 * ERR_NEED: there is no file of it. */
bool module_debug(struct target *t, const char *name, const struct module_debug **ret,
		  struct err *err) MUST_CHECK;
/* Says that without a dump the module `name` is the one with this build-id: from then on only a
 * file with that id is taken for it. A report's text says so of its modules. Does nothing when a
 * dump is loaded, or when build_id is no build-id. */
void module_expect(struct target *t, const char *name, const char *build_id);
/* Says that without a dump modules are of the kernel of a report's text, whatever vmlinux is
 * loaded: of this release and architecture. release NULL: of the vmlinux's; arch NULL: unknown.
 * Does nothing when a dump is loaded. */
void modules_expect_kernel(struct target *t, const char *release, const struct arch *arch);
/* The same of the module that a run-time address lies in. ERR_NOTFOUND: it lies in none. */
bool module_debug_at(struct target *t, uint64_t addr, const struct module_debug **ret,
		     struct err *err) MUST_CHECK;
/* The same, if it is open already; NULL: it is not. */
const struct module_debug *module_debug_loaded(const struct target *t, const char *name);
/* Opens the file at path, or the module's file in `folder`, in place of what was open for it. */
bool module_debug_open(struct target *t, const char *name, const char *path, const char *folder,
		       const struct module_debug **ret, struct err *err) MUST_CHECK;
/* Forgets what the module's file said. From then on only module_debug_open() opens one for it.
 * False: nothing was open. */
bool module_debug_close(struct target *t, const char *name);
/* Opens the files of modules that were given by name, and warns of those that do not belong to the
 * dead kernel. */
void modules_check_given(struct target *t);
/* For symbol.c, when a lookup needs them: adds the symbols of every module that has a file, and of
 * one module, to the symbol tables. */
void modules_symbols(struct target *t);
void module_symbols(struct target *t, const char *name);
/* Calls fn for every module whose file is open, or, when search is set, for every module that a
 * file can be found for. fn returns false to stop. */
void modules_each_debug(struct target *t, bool search,
			bool (*fn)(const struct module_debug *d, void *arg), void *arg);
/* The type of a variable of a module. ERR_NOTYPE. */
bool module_variable(struct target *t, const struct symbol *sym, const struct type **ret,
		     struct err *err) MUST_CHECK;
void modules_release(struct target *t);

#endif
