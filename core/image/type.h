/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C types of the dead kernel: one shape, whether BTF or DWARF told of it. Lazy and interned. */
#ifndef OBIT_TYPE_H
#define OBIT_TYPE_H

#include "core/base/map.h"
#include "core/base/vec.h"

struct target;
struct symbol;
struct type_source;

enum type_kind {
	TYPE_VOID,
	TYPE_INT, /* signed or unsigned integer, by is_signed */
	TYPE_CHAR,
	TYPE_BOOL,
	TYPE_FLOAT,
	TYPE_ENUM,
	TYPE_POINTER,
	TYPE_ARRAY,
	TYPE_STRUCT,
	TYPE_UNION,
	TYPE_FUNC,
	TYPE_TYPEDEF,
	TYPE_CONST,
	TYPE_VOLATILE,
	TYPE_RESTRICT,
	TYPE_FORWARD /* declared and never defined here */
};

struct member {
	const char *name;        /* NULL: anonymous struct or union, or unnamed parameter */
	const struct type *type; /* never NULL once type_members() returned it */
	uint64_t bit_off;        /* from the start of the struct */
	uint16_t bit_size;       /* of a bit-field; 0: not one */
};

struct enumerator {
	const char *name;
	uint64_t value; /* sign-extended when the enum is signed */
};

/* The fields up to `id` are always set. The others are filled when the functions below first ask
 * for them. */
struct type {
	enum type_kind kind;
	bool is_signed;
	const char *name; /* tag, typedef or base name without "struct"; NULL: anonymous */
	uint64_t size;    /* bytes; 0 for void, functions, incomplete types */
	uint64_t count;   /* elements of an array */
	struct type_source *source;
	uint64_t id; /* the source's own: BTF id, DIE offset */

	bool filled;               /* private */
	const struct type *target; /* private: see type_target() */
	struct member *members;    /* private: members or parameters */
	size_t n_members;
	struct enumerator *enums; /* private */
	size_t n_enums;
};

/* Of a variable in a section, in bytes. */
struct variable_place {
	uint64_t offset, size, section; /* from the section's start; the section's size */
};

/* BTF of vmlinux or of the dump, DWARF; a reader provides it. Loading is lazy: `find` does it. */
struct type_source {
	const char *origin; /* "BTF in vmlinux", "BTF in the dump", "DWARF" */
	/* Finds a type by its name. kind is TYPE_STRUCT, TYPE_UNION, TYPE_ENUM, TYPE_TYPEDEF, or
	 * TYPE_INT for any base type. ERR_NOTYPE. */
	bool (*find)(struct type_source *s, enum type_kind kind, const char *name,
		     const struct type **ret, struct err *err);
	/* How many types of that kind and name there are: two source files may each have a struct
	 * of one name. NULL: there is one. */
	unsigned (*namesakes)(struct type_source *s, enum type_kind kind, const char *name);
	/* Sets what type, which is of this source, refers to: its target, members and enumerators.
	 */
	bool (*fill)(struct type_source *s, struct type *type, struct err *err);
	/* The type of a global variable; addr is its link-time address, 0 when that is not known.
	 * ERR_NOTYPE. NULL: the source has no variables. */
	bool (*variable)(struct type_source *s, const char *name, uint64_t addr,
			 const struct type **ret, struct err *err);
	/* The source file, as the compiler was given it, that defines the variable at a link-time
	 * address outside of functions. ERR_NOTYPE. NULL: the source does not tell. */
	bool (*file)(struct type_source *s, uint64_t addr, const char **ret, struct err *err);
	/* Where the only variable of that name in a section lies. NULL: it does not tell. */
	bool (*placed)(struct type_source *s, const char *section, const char *name,
		       struct variable_place *ret);
	/* Calls fn for every enum, and for each struct, union and typedef that has a name, until fn
	 * returns false; for search and completion. May be NULL. */
	bool (*each)(struct type_source *s, bool (*fn)(const struct type *type, void *arg),
		     void *arg, struct err *err);
	bool partial; /* of a module: a type that it does not have may be one of the kernel's */
	bool repeats; /* it says, more slowly, what a source before it says too */
	struct target *t;
	void *self;
};

struct types {
	VEC(struct type_source *) sources; /* in order of preference */
	struct strmap cache;               /* "struct foo" -> const struct type * */
	struct map pointers;               /* type -> pointer to it */
	struct map shapes;                 /* see shape.h */
	struct strmap members;             /* shape.c's own: "struct foo.bar" */
};

/* Adds a source behind those that are there. */
void types_add(struct target *t, struct type_source *s);
/* Is there a source of types? */
bool types_available(struct target *t);

/* Finds a type by its name as C writes it: "struct foo", "union foo", "enum foo", or the name of a
 * typedef or base type, with any number of '*' and "[n]" behind it. A name that is none of a
 * typedef or base type is sought as that of a struct, a union, an enum. ERR_NOTYPE. */
bool type_find(struct target *t, const char *name, const struct type **ret,
	       struct err *err) MUST_CHECK;
/* The same, and a type that the first source lacks is sought in the others as well: DWARF has types
 * that BTF left out, but takes a quarter of a second to be searched. For names that people typed.
 */
bool type_find_deep(struct target *t, const char *name, const struct type **ret,
		    struct err *err) MUST_CHECK;
/* The declared type of a global or per-CPU variable, by BTF, by DWARF, or by the table in
 * variable.c of variables that every kernel has. ERR_NOTYPE. */
bool type_of_symbol(struct target *t, const struct symbol *sym, const struct type **ret,
		    struct err *err) MUST_CHECK;

/* Finds the kernel's variable of this name that is defined in a source file, of which `file` is the
 * whole path or its end: "core.c", "sched/core.c". ERR_NOSYM: there is none, or several; the
 * message names the files that have one. */
struct symbol;
bool variable_of_file(struct target *t, const char *file, const char *name, struct symbol *ret,
		      struct err *err) MUST_CHECK;
/* When several files have a variable of the symbol's name, the files as "'a.c', 'b.c'", that of the
 * symbol itself first; NULL: there is one, or they are not known. In the arena. */
const char *variable_files(struct target *t, const struct symbol *sym, struct arena *a);

/* Where the only variable of that name in a section lies, as the types' first source that knows
 * says. */
bool variable_place(struct target *t, const char *section, const char *name,
		    struct variable_place *ret) MUST_CHECK;

/* How many types of the same kind and name the type's source has, the type itself included. */
unsigned type_namesakes(const struct type *type);

/* The type that is left when typedefs and qualifiers are taken off. */
const struct type *type_strip(const struct type *type);
/* The type that a pointer points to, that an array consists of, that a typedef or qualifier stands
 * for, that a function returns. */
const struct type *type_target(const struct type *type);
/* The members of a struct or union, or the parameters of a function; *n is how many. */
const struct member *type_members(const struct type *type, size_t *n);
const struct enumerator *type_enumerators(const struct type *type, size_t *n);
bool type_is_signed(const struct type *type);
bool type_is_integer(const struct type *type); /* int, char, bool, enum, after stripping */
/* The type of pointers to `type`, and of arrays of `count` of it; made in the target's arena. */
const struct type *type_pointer_to(struct target *t, const struct type *type);
const struct type *type_array_of(struct target *t, const struct type *type, uint64_t count);

struct member_ref {
	const struct type *type;
	uint64_t offset;   /* bytes; of the storage unit for a bit-field */
	uint16_t bit_off;  /* from `offset`; bit 0 is the lowest one of the first byte */
	uint16_t bit_size; /* 0: not a bit-field */
};
/* Finds the member that a path as "a.b[3].c" leads to in a struct or union; members of anonymous
 * structs and unions count as its own. ERR_NOFIELD. */
bool type_member(const struct type *type, const char *path, struct member_ref *ret,
		 struct err *err) MUST_CHECK;

/* Appends a declaration as C writes it: "struct list_head *next", "char comm[16]". name NULL: the
 * type alone. */
struct buf;
void type_declare(struct buf *b, const struct type *type, const char *name);
void types_release(struct target *t);

#endif
