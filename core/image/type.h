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

/* Fields up to `id` are always set; the rest is filled by type_*() accessors. */
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
	/* kind STRUCT, UNION, ENUM, TYPEDEF or INT (any base type). ERR_NOTYPE. */
	bool (*find)(struct type_source *s, enum type_kind kind, const char *name,
		     const struct type **ret, struct err *err);
	/* How many types of that kind and name it has: names repeat, one source file's struct is
	 * not another's. NULL: one. */
	unsigned (*namesakes)(struct type_source *s, enum type_kind kind, const char *name);
	/* Fills target, members, enums of a type of this source. */
	bool (*fill)(struct type_source *s, struct type *type, struct err *err);
	/* The type of a global variable; addr is link-time, 0 unknown. May be NULL. ERR_NOTYPE. */
	bool (*variable)(struct type_source *s, const char *name, uint64_t addr,
			 const struct type **ret, struct err *err);
	/* Where the only variable of that name in a section lies. NULL: it does not tell. */
	bool (*placed)(struct type_source *s, const char *section, const char *name,
		       struct variable_place *ret);
	/* Every enum, and each struct, union and typedef that has a name, for search and
	 * completion. May be NULL. */
	bool (*each)(struct type_source *s, bool (*fn)(const struct type *type, void *arg),
		     void *arg, struct err *err);
	bool partial; /* a module's: what it does not have says nothing of the kernel's types */
	bool repeats; /* says, more slowly, what a source before it says */
	struct target *t;
	void *self;
};

struct types {
	VEC(struct type_source *) sources; /* in order of preference */
	struct strmap cache;               /* "struct foo" -> const struct type * */
	struct map shapes;                 /* see shape.h */
	struct strmap members;             /* shape.c's own: "struct foo.bar" */
};

void types_add(struct target *t, struct type_source *s);
bool types_available(struct target *t);

/* "struct foo", "union foo", "enum foo", a typedef or base type name, each followed by any number
 * of
 * '*' and "[n]". A bare tag that is no typedef is looked up as struct, union, enum. ERR_NOTYPE. */
bool type_find(struct target *t, const char *name, const struct type **ret,
	       struct err *err) MUST_CHECK;
/* The same, and what the first source lacks is sought in the others: DWARF has types that BTF left
 * out, and takes a quarter of a second to be searched. For names that people typed. */
bool type_find_deep(struct target *t, const char *name, const struct type **ret,
		    struct err *err) MUST_CHECK;
/* The declared type of a global or per-CPU variable: BTF, DWARF, then the built-in table of
 * well-known globals. ERR_NOTYPE. */
bool type_of_symbol(struct target *t, const struct symbol *sym, const struct type **ret,
		    struct err *err) MUST_CHECK;

/* Where the only variable of that name in a section lies, as the types' first source that knows
 * says. */
bool variable_place(struct target *t, const char *section, const char *name,
		    struct variable_place *ret) MUST_CHECK;

/* How many types its source has of its kind and name, itself included. */
unsigned type_namesakes(const struct type *type);

/* Without typedefs and qualifiers. */
const struct type *type_strip(const struct type *type);
/* What a pointer points to, an array is made of, a typedef or qualifier names, a function returns.
 */
const struct type *type_target(const struct type *type);
/* Members of a struct or union, parameters of a function; *n is 0 when there are none. */
const struct member *type_members(const struct type *type, size_t *n);
const struct enumerator *type_enumerators(const struct type *type, size_t *n);
bool type_is_signed(const struct type *type);
bool type_is_integer(const struct type *type); /* int, char, bool, enum, after stripping */
/* Pointer to, array of: made on the fly, in the target's arena. */
const struct type *type_pointer_to(struct target *t, const struct type *type);
const struct type *type_array_of(struct target *t, const struct type *type, uint64_t count);

struct member_ref {
	const struct type *type;
	uint64_t offset;   /* bytes; of the storage unit for a bit-field */
	uint16_t bit_off;  /* from `offset`, little-endian numbering */
	uint16_t bit_size; /* 0: not a bit-field */
};
/* A path "a.b[3].c" from a struct or union; anonymous members are looked through. ERR_NOFIELD. */
bool type_member(const struct type *type, const char *path, struct member_ref *ret,
		 struct err *err) MUST_CHECK;

/* The declaration as C writes it: "struct list_head *next", "char comm[16]". name may be NULL. */
struct buf;
void type_declare(struct buf *b, const struct type *type, const char *name);
void types_release(struct target *t);

#endif
