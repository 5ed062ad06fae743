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
/* Does the expression make sense for values of the type c->in_type? Sets *ret to the type that it
 * gives; NULL: that cannot be known before it is evaluated. Messages begin with the command's name.
 */
bool stage_expr_type(struct stage_expr *x, const struct type **ret, struct err *err) MUST_CHECK;
/* Evaluates the expression for the value v; the result is in the command's arena. */
bool stage_expr_eval(struct stage_expr *x, struct value v, struct value *ret,
		     struct err *err) MUST_CHECK;
/* The same, and sets *ret to whether the result is true; it takes no memory that lasts. */
bool stage_expr_true(struct stage_expr *x, struct value v, bool *ret, struct err *err) MUST_CHECK;
/* Did an evaluation fail because a pointer that it follows is NULL? Then there is no value, and no
 * evidence is missing. */
bool stage_is_null(const struct err *err);

/* Hands v to the next stage. The last stage shows it: as the command that is for its type shows
 * such values, or as C prints it. */
bool stage_show(struct ctx *c, struct value v, struct err *err) MUST_CHECK;
extern const struct record_kind item_record, pick_record;

/* Reads a word as "module.list": sets *type to the struct, and *offset to where the member is in
 * it, or to 0 when the word names no member. */
bool stage_link(struct ctx *c, const char *word, const struct type **type, uint64_t *offset,
		struct err *err) MUST_CHECK;
/* Sets *ret to the address that a word means: one that parse_address() takes, or an expression. An
 * expression that gives a pointer means where that points, and one that gives another value in
 * memory means where that lies. */
bool stage_place(struct ctx *c, const char *word, uint64_t *ret, struct err *err) MUST_CHECK;
/* Sets *ret to the offset that a word means, as crash has it: a number, or struct.member. */
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
/* Called by a command's types(). show is what follows -s, as "struct.member,member", and link the
 * offset that follows -o; each NULL when it was not given. */
bool stage_entries_init(struct stage_entries *e, struct ctx *c, const char *show, const char *link,
			struct err *err) MUST_CHECK;
void stage_entries_begin(struct stage_entries *e, bool hex, bool dec);
bool stage_entry(struct stage_entries *e, uint64_t addr, struct err *err) MUST_CHECK;
/* Ends what stage_entries_begin() began. went says that showing did not fail; if it did, *err says
 * why. walked says that the walk did not fail; if it did, *why says why. */
bool stage_entries_end(struct stage_entries *e, bool went, bool walked, const struct err *why,
		       struct err *err) MUST_CHECK;

/* Runs a command line, for the stage that has one for each value. False: Ctrl-C stopped it. */
bool stage_run(struct ctx *c, const char *line);

/* Sets a cell to a value: a number to a number, text to a string, an enumeration to its name. */
void stage_cell(struct ctx *c, struct record *r, unsigned field, struct value v);
/* Makes a kind of record whose n fields have these labels and types; in the command's arena. */
struct record_kind *stage_kind(struct ctx *c, const char *name, const char *const *labels,
			       const struct type *const *types, size_t n);
/* Splits a text as "a, b.c, f(x, y)" at the commas that are in no brackets and quotes: here into
 * three parts. */
bool stage_split(struct ctx *c, const char *text, const char *const **ret, size_t *n,
		 struct err *err) MUST_CHECK;

/* What a value is sorted by: a number, or text. */
struct stage_key {
	const char *text; /* NULL: a number */
	bool is_signed;
	uint64_t n;
};
bool stage_key(struct ctx *c, struct value v, struct stage_key *ret, struct err *err) MUST_CHECK;
int stage_key_compare(const struct stage_key *a, const struct stage_key *b);

/* Values that a stage keeps until the last one came, at most STAGE_VALUES_MAX. */
#define STAGE_VALUES_MAX 4000000u
typedef VEC(struct value) stage_values;

/* ---- stage_name.c */
/* Sets *ret to what a name that is no member means of the struct v of this type, and *found to
 * true: "state" of a task; path, bus, class, driver, node and reason of a device; path, status,
 * compatible, device and driver of a node of the device tree. *found is false when the name means
 * nothing. With dry nothing may be read, and only the type of *ret counts. */
bool stage_name(struct target *t, const struct type *type, struct value v, const char *name,
		bool dry, struct value *ret, bool *found, struct err *err) MUST_CHECK;

#endif
