/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the expression files: what the parser knows on its way. */
#ifndef OBIT_EXPR_PARSER_H
#define OBIT_EXPR_PARSER_H

#include "core/types/expr.h"

#define NAME_LEN 512

struct expr_parser {
	struct target *t;
	const struct expr_scope *scope;
	const char *text, *s;
	unsigned depth;
	unsigned colons; /* above 0: a ':' may belong to "?:" or to a slice */
	unsigned dry;    /* above 0: operands that C does not evaluate; nothing is read */
};

extern const struct type expr_int, expr_uint, expr_char, expr_void;
/* C's long of the dead kernel's machine, and its type of 64 bits, which is long or long long;
 * signed or unsigned. */
const struct type *expr_long(const struct expr_parser *p, bool is_signed);
const struct type *expr_64_bits(const struct expr_parser *p, bool is_signed);

/* ---- expr.c: the grammar */
bool expr_unary(struct expr_parser *p, struct value *ret, struct err *err);
bool expr_whole(struct expr_parser *p, struct value *ret, struct err *err);
/* Puts "column 12: " in front of the message of *err, 12 being where `where` is in the text;
 * returns false. */
bool expr_at(struct expr_parser *p, const char *where, struct err *err);
bool expr_unexpected(struct expr_parser *p, const char *wanted, struct err *err);
bool expr_take(struct expr_parser *p, const char *token);
void expr_skip_space(struct expr_parser *p);
size_t expr_word_len(const char *s);

/* ---- expr_name.c: names, literals, types */
bool expr_primary(struct expr_parser *p, struct value *ret, struct err *err);
/* Sets *is_type to whether the text from s to end names a type, and then *ret to that. A word that
 * is a name of the scope or a symbol is no type, as a variable hides a typedef in C. */
bool expr_type_between(struct expr_parser *p, const char *s, const char *end,
		       const struct type **ret, bool *is_type, struct err *err);
/* Where the parenthesis at s is closed; NULL: nowhere. */
const char *expr_closing(const char *s);
bool expr_sizeof(struct expr_parser *p, struct value *ret, struct err *err);

/* ---- expr_variable.c: a name that starts with '$' */
bool expr_variable(struct expr_parser *p, const char *name, struct value *ret, struct err *err);
/* How many characters of s, of which the first n are a name, are that of a part of a variable that
 * has parts with values of their own: "f.file". n: it has none. */
size_t expr_local_part(struct target *t, const char *s, size_t n);
/* A variable of the frame that somebody chose. *found is false when it has none of the name. */
bool expr_local_value(struct expr_parser *p, const char *name, struct value *ret, bool *found,
		      struct err *err);

/* ---- expr_math.c: operators */
bool expr_number(struct expr_parser *p, struct value v, uint64_t *ret, struct err *err);
bool expr_true(struct expr_parser *p, struct value v, bool *ret, struct err *err);
bool expr_cast(struct expr_parser *p, const struct type *type, struct value v, struct value *ret,
	       struct err *err);
/* op: '-', '+', '~', '!' */
bool expr_sign(struct expr_parser *p, char op, struct value v, struct value *ret, struct err *err);
/* op: + - * / % & | ^, 'l' and 'r' for shifts, '<' '>' 'L' (<=) 'G' (>=), '=' 'n' (!=), '~' and
 * 'N' (!~) */
bool expr_binary(struct expr_parser *p, char op, struct value a, struct value b, struct value *ret,
		 struct err *err);

/* What "? b : c" gives: b if first. */
bool expr_choose(struct expr_parser *p, bool first, struct value b, struct value c,
		 struct value *ret, struct err *err);

#endif
