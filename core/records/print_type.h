/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What struct, union, whatis and p share: definitions of types, and values as records. */
#ifndef OBIT_PRINT_TYPE_H
#define OBIT_PRINT_TYPE_H

#include "core/shell/session.h"
#include "core/types/value.h"
#include "core/shell/stage.h"
#include "core/linux/task/expr_hooks.h"
#include "core/types/expr.h"

/* How a definition is written. */
struct definition {
	bool offsets; /* each member's offset stands in front of it: [8] */
	bool sizes;   /* each member's size stands behind it */
	bool hex;     /* offsets and sizes are hexadecimal: [0x8] */
	bool at;      /* addresses take the place of offsets; the struct is at addr */
	uint64_t addr;
	const char *only; /* the path of the only member to show; NULL: all */
};

/* Appends a type's definition, "struct foo {...}\nSIZE: 16"; that of an enum or of what a typedef
 * stands for, too. ERR_NOFIELD: there is no member d->only. */
bool definition_text(struct target *t, struct buf *b, const struct type *type,
		     const struct definition *d, struct err *err) MUST_CHECK;

/* Records. */
extern const struct record_kind type_record, member_record, value_record;
/* Emits a type, and with --json each of its members. d may be NULL. */
bool emit_type(struct ctx *c, const struct type *type, const struct definition *d,
	       struct err *err) MUST_CHECK;

/* One value to show. */
struct shown {
	const char *expr;  /* what was asked for */
	const char *label; /* what stands in front of " = " in text; NULL: nothing */
	unsigned indent;   /* how deep the label is indented, in levels of two blanks */
	const char *head;  /* a line that text has before it; NULL: none */
	bool has_cpu;
	unsigned cpu;
	struct value value;
};
void emit_value(struct ctx *c, const struct shown *s);
/* Sets c->damaged when the value cannot be read as a whole because evidence is missing or damaged.
 */
void value_damage(struct ctx *c, struct value v);
/* The type's name as C writes it, in the command's arena. */
const char *type_name(struct ctx *c, const struct type *type);

/* The options by which a command says how it shows values. style_set() makes them the sink's, and
 * returns the sink's style of before for style_restore(). */
struct style_opts {
	bool hex, dec, raw;
	uint64_t depth; /* 0: as the session has it */
};
#define STYLE_OPTIONS(type, member)                                    \
	OPT_FLAG("x", type, member.hex, "numbers in hexadecimal"),     \
		OPT_FLAG("d", type, member.dec, "numbers in decimal"), \
		OPT_FLAG("r", type, member.raw, "the bytes, as rd"),   \
		OPT_UINT("depth", "levels", type, member.depth,        \
			 "so many levels of structs in structs; {...} for what is deeper")
struct value_style style_set(struct ctx *c, const struct style_opts *o);
void style_restore(struct ctx *c, struct value_style old);

/* The options of struct and union. */
struct struct_opts {
	struct style_opts style;
	bool offsets, sizes, pointers, user, file;
	const char *link;
	uint64_t count;
};
#define STRUCT_OPTIONS                                                                    \
	OPT_FLAG("o", struct struct_opts, offsets,                                        \
		 "with an address: the members' addresses instead of their values"),      \
		OPT_FLAG("s", struct struct_opts, sizes, "each member's size behind it"), \
		OPT_STR("l", "offset", struct struct_opts, link,                          \
			"the address is that of a member, given by its name or offset"),  \
		OPT_FLAG("p", struct struct_opts, pointers,                               \
			 "what members that are pointers point to, behind each"),         \
		OPT_FLAG("u", struct struct_opts, user,                                   \
			 "the address is one of the current task's program"),             \
		OPT_FLAG("f", struct struct_opts, file,                                   \
			 "the address is an offset in the dump's file"),                  \
		OPT_UINT("c", "count", struct struct_opts, count,                         \
			 "so many of them, one behind the other"),                        \
		STYLE_OPTIONS(struct struct_opts, style)
/* What the commands struct and union do; kind is TYPE_STRUCT or TYPE_UNION, or TYPE_VOID for
 * either. */
bool struct_run(struct ctx *c, enum type_kind kind, struct err *err) MUST_CHECK;
bool struct_each(struct ctx *c, struct value v, struct err *err) MUST_CHECK;

#endif
