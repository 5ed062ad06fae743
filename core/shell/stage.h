/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the stages of a pipeline share: expressions over the value at hand, and how it is shown. */
#ifndef OBIT_STAGE_H
#define OBIT_STAGE_H

#include "core/base/vec.h"
#include "core/types/value.h"
#include "core/linux/container/walk.h"
#include "core/shell/command.h"
#include "core/types/expr.h"

/*
 * Names in a stage's expression are the members of what comes (a pointer is followed), then names
 * of our own: a task's state is an enumeration of the kernel's letters, whatever the member is
 * called; `it` is the value itself, and so is the name of the field that was picked. Then come
 * symbols and enumeration constants.
 */
struct stage_expr {
	struct ctx *c;
	const char *text;
	struct expr_cache cache;
	struct arena arena; /* of one evaluation */
};
void stage_expr_init(struct stage_expr *x, struct ctx *c, const char *text);
void stage_expr_release(struct stage_expr *x);
/* Does it make sense for the type that comes (c->in_type)? *ret is its type, NULL when that cannot
 * be known. Errors are told as of the command. */
bool stage_expr_type(struct stage_expr *x, const struct type **ret, struct err *err) MUST_CHECK;
/* For a value; the result lives in the command's arena. */
bool stage_expr_eval(struct stage_expr *x, struct value v, struct value *ret,
		     struct err *err) MUST_CHECK;
/* The same, and whether it is true; nothing is kept. */
bool stage_expr_true(struct stage_expr *x, struct value v, bool *ret, struct err *err) MUST_CHECK;
/* Did an evaluation fail because a pointer on its way is NULL? Then there is nothing, and nothing
 * is lost. */
bool stage_is_null(const struct err *err);

/* To the next stage; at the end it is shown as its type's own command does, else in short. */
bool stage_show(struct ctx *c, struct value v, struct err *err) MUST_CHECK;
extern const struct record_kind item_record, pick_record;

/* "module.list": a struct, and where a member is in it; without a member at 0. */
bool stage_link(struct ctx *c, const char *word, const struct type **type, uint64_t *offset,
		struct err *err) MUST_CHECK;
/* The address a person means: as parse_address(), or an expression; what is in memory stands for
 * its address, a pointer for where it points. */
bool stage_place(struct ctx *c, const char *word, uint64_t *ret, struct err *err) MUST_CHECK;
/* An offset as crash takes it: a number, a struct.member. */
bool stage_offset(struct ctx *c, const char *word, uint64_t *ret, struct err *err) MUST_CHECK;

/* The entries that list and tree show, each as an address, or as a struct's members (-s). */
struct stage_entries {
	struct ctx *c;
	const struct type *type; /* NULL: not known */
	uint64_t offset;         /* of the link in the struct */
	uint64_t embedded;       /* of what an entry's address is, in its struct (list -l) */
	const char *position;    /* of the next entry, told under its address; NULL: none */
	struct ctx shown;        /* of the struct command, for -s; cmd NULL: addresses */
	struct value_style old;
};
extern const struct record_kind link_record;
/* show: "struct.member,member" of -s or NULL; link: offset of -o or NULL. In a command's types. */
bool stage_entries_init(struct stage_entries *e, struct ctx *c, const char *show, const char *link,
			struct err *err) MUST_CHECK;
void stage_entries_begin(struct stage_entries *e, bool hex, bool dec);
bool stage_entry(struct stage_entries *e, uint64_t addr, struct err *err) MUST_CHECK;
/* went: nothing failed in showing; else err is set. walked: nothing failed in walking; else why
 * is. */
bool stage_entries_end(struct stage_entries *e, bool went, bool walked, const struct err *why,
		       struct err *err) MUST_CHECK;

/* Runs a command line for a value. False: Ctrl-C stopped it. */
bool stage_run(struct ctx *c, const char *line);

/* A cell of a value: numbers as numbers, text as text, enumerations by name. */
void stage_cell(struct ctx *c, struct record *r, unsigned field, struct value v);
/* A kind of records with these columns; in the command's arena. */
struct record_kind *stage_kind(struct ctx *c, const char *name, const char *const *labels,
			       const struct type *const *types, size_t n);
/* "a, b.c, f(x, y)": its parts at the commas outside of brackets and quotes. */
bool stage_split(struct ctx *c, const char *text, const char *const **ret, size_t *n,
		 struct err *err) MUST_CHECK;

/* What sorts a value: a number, or text. */
struct stage_key {
	const char *text; /* NULL: a number */
	bool is_signed;
	uint64_t n;
};
bool stage_key(struct ctx *c, struct value v, struct stage_key *ret, struct err *err) MUST_CHECK;
int stage_key_compare(const struct stage_key *a, const struct stage_key *b);

/* Values that a stage keeps until the end. */
#define STAGE_VALUES_MAX 4000000u
typedef VEC(struct value) stage_values;

/* ---- stage_name.c */
/* What a name means of a struct of this type beyond its members: "state" of a task, path, bus,
 * class, driver, node and reason of a device, path, status, compatible, device and driver of a node
 * of the device tree. v is the struct; dry: nothing may be read, and only the type of *ret counts.
 * *found false: it means nothing. */
bool stage_name(struct target *t, const struct type *type, struct value v, const char *name,
		bool dry, struct value *ret, bool *found, struct err *err) MUST_CHECK;

#endif
