/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions: a recursive descent over C's grammar, on typed values. */
#include <ctype.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/types/expr_parser.h"
#include "core/image/target.h"

static bool binary(struct expr_parser *p, unsigned min, struct value *ret, struct err *err);

void expr_skip_space(struct expr_parser *p)
{
	while (isspace((unsigned char)*p->s))
		p->s++;
}

bool expr_at(struct expr_parser *p, const char *where, struct err *err)
{
	return err_wrap(err, "column %zu", (size_t)(where - p->text) + 1);
}

bool expr_unexpected(struct expr_parser *p, const char *wanted, struct err *err)
{
	expr_skip_space(p);
	if (p->s[0] == '=' && p->s[1] != '=')
		err_set(err, ERR_USAGE,
			"nothing can be assigned here: '==' compares, and "
			"'$x = ...' on a line of its own keeps a value");
	else if (*p->s)
		err_set(err, ERR_USAGE, "expected %s, not '%.40s'", wanted, p->s);
	else
		err_set(err, ERR_USAGE, "expected %s, but the expression ends", wanted);
	return expr_at(p, p->s, err);
}

bool expr_take(struct expr_parser *p, const char *token)
{
	size_t n = strlen(token);

	expr_skip_space(p);
	if (strncmp(p->s, token, n) != 0)
		return false;
	p->s += n;
	return true;
}

size_t expr_word_len(const char *s)
{
	size_t n = 0;

	if (isdigit((unsigned char)*s))
		return 0;
	while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '$')
		n++;
	return n;
}

/* Every level of nesting comes through here. */
static bool deeper(struct expr_parser *p, struct err *err)
{
	if (++p->depth > DEPTH_MAX)
		return err_set(err, ERR_LIMIT, "expression is nested too deeply");
	return true;
}

/* ---- members and elements */

static bool expr_deref(struct expr_parser *p, struct value v, struct value *ret, struct err *err)
{
	const struct type *in = type_strip(v.type);

	if (!p->dry || (in->kind != TYPE_POINTER && in->kind != TYPE_ARRAY))
		return value_deref(p->t, v, ret, err);
	*ret = value_ref(type_target(in), 0);
	return true;
}

static bool expr_member(struct expr_parser *p, struct value v, const char *name, struct value *ret,
			struct err *err)
{
	const struct type *in = type_strip(v.type);
	struct member_ref ref;

	if (!p->dry)
		return value_member(p->t, v, name, ret, err);
	if (in->kind == TYPE_POINTER)
		in = type_target(in);
	if (!type_member(in, name, &ref, err))
		return false;
	*ret = value_ref(ref.type, 0);
	ret->bit_off = ref.bit_off % 8;
	ret->bit_size = ref.bit_size;
	return true;
}

static bool member(struct expr_parser *p, struct value *v, struct err *err)
{
	char name[NAME_LEN];
	const char *start;
	size_t n;

	expr_skip_space(p);
	start = p->s;
	n = expr_word_len(start);
	if (!n || n >= sizeof(name))
		return expr_unexpected(p, "a member's name", err);
	memcpy(name, start, n);
	name[n] = '\0';
	p->s += n;
	if (type_strip(v->type)->kind == TYPE_VOID)
		return err_set(err, ERR_NOTYPE,
			       "the type in front of '%.60s' is not known: cast its address, as in "
			       "((struct x *)&y)->%.60s",
			       name, name),
		       expr_at(p, start, err);
	return expr_member(p, *v, name, v, err) || expr_at(p, start, err);
}

static bool one_element(struct expr_parser *p, struct value v, int64_t i, struct value *ret,
			struct err *err)
{
	if (p->dry)
		return expr_deref(p, v, ret, err);
	return value_index(p->t, v, i, ret, err);
}

#define SLICE_MAX 1000000

/* The elements from i up to, and without, j. */
static bool slice(struct expr_parser *p, struct value v, int64_t i, int64_t j, struct value *ret,
		  struct err *err)
{
	const struct type *type;
	struct value last, first;

	if (p->dry && (j <= i || j - i > SLICE_MAX)) {
		i = 0;
		j = 1;
	}
	if (j <= i || j - i > SLICE_MAX)
		return err_set(err, ERR_USAGE, "a slice [a:b] has 1 to %d elements: a to b - 1",
			       SLICE_MAX);
	/* both ends are looked up, so that a slice stays within its array */
	if (!one_element(p, v, i, &first, err) || !one_element(p, v, j - 1, &last, err))
		return false;
	type = type_array_of(p->t, first.type, (uint64_t)(j - i));
	*ret = first;
	ret->type = type;
	return true;
}

static bool index_number(struct expr_parser *p, int64_t *ret, struct err *err)
{
	struct value index;
	uint64_t n;

	if (!expr_whole(p, &index, err) || !expr_number(p, index, &n, err))
		return false;
	*ret = (int64_t)n;
	return true;
}

static bool element(struct expr_parser *p, struct value *v, struct err *err)
{
	const char *start = p->s;
	int64_t i, j = 0;
	bool is_slice, ok;

	p->colons++;
	ok = index_number(p, &i, err);
	is_slice = ok && expr_take(p, ":");
	ok = ok && (!is_slice || index_number(p, &j, err));
	p->colons--;
	if (!ok)
		return false;
	if (!expr_take(p, "]"))
		return expr_unexpected(p, "']'", err);
	if (is_slice ? !slice(p, *v, i, j, v, err) : !one_element(p, *v, i, v, err))
		return expr_at(p, start, err);
	return true;
}

/* ---- operators in front and behind */

/* "(type) x" and "(x)"; the parenthesis is at p->s. */
static bool parenthesis(struct expr_parser *p, struct value *ret, bool *done, struct err *err)
{
	const char *start = p->s, *end = expr_closing(p->s);
	const struct type *type = NULL;
	bool is_type;

	*done = false;
	if (!end)
		return err_set(err, ERR_USAGE, "'(' is not closed"), expr_at(p, start, err);
	if (!expr_type_between(p, start + 1, end, &type, &is_type, err))
		return false;
	if (is_type) {
		struct value v;

		p->s = end + 1;
		*done = true;
		if (!expr_unary(p, &v, err))
			return false;
		return expr_cast(p, type, v, ret, err) || expr_at(p, start, err);
	}
	p->s++;
	if (!expr_whole(p, ret, err))
		return false;
	return expr_take(p, ")") || expr_unexpected(p, "')'", err);
}

static bool postfix(struct expr_parser *p, struct value *ret, struct err *err)
{
	bool done = false;

	expr_skip_space(p);
	if (*p->s == '(' ? !parenthesis(p, ret, &done, err) : !expr_primary(p, ret, err))
		return false;
	while (!done) {
		if (expr_take(p, "->") || expr_take(p, ".")) {
			if (!member(p, ret, err))
				return false;
		} else if (expr_take(p, "[")) {
			if (!element(p, ret, err))
				return false;
		} else {
			break;
		}
	}
	return true;
}

static bool address_of(struct expr_parser *p, struct value v, struct value *ret, struct err *err)
{
	if (v.bit_size)
		return err_set(err, ERR_USAGE, "a bit-field has no address");
	if (v.kind != VALUE_REF && !v.addr)
		return err_set(err, ERR_USAGE, "this value is not in memory: it has no address");
	*ret = value_int(p->t, type_pointer_to(p->t, v.type), v.addr);
	return true;
}

static bool unary_apply(struct expr_parser *p, char op, struct value v, struct value *ret,
			struct err *err)
{
	uint64_t n;

	if (op == '&')
		return address_of(p, v, ret, err);
	if (op != '*')
		return expr_sign(p, op, v, ret, err);
	if (type_strip(v.type)->kind == TYPE_FUNC) {
		*ret = v;
		return true;
	}
	if (type_is_integer(v.type)) { /* as gdb: a bare address points to a long */
		if (p->dry && type_strip(v.type)->size < expr_long(p, true)->size)
			return err_set(err, ERR_USAGE, "this is a %s, too short to be an address",
				       v.type->name ? v.type->name : "number");
		if (!expr_number(p, v, &n, err))
			return false;
		*ret = value_ref(expr_long(p, true), n);
		return true;
	}
	return expr_deref(p, v, ret, err);
}

static bool unary_one(struct expr_parser *p, struct value *ret, struct err *err)
{
	const char *start;
	struct value v;

	expr_skip_space(p);
	start = p->s;
	if (*start && strchr("*&-+~!", *start)) {
		p->s++;
		if (!expr_unary(p, &v, err))
			return false;
		return unary_apply(p, *start, v, ret, err) || expr_at(p, start, err);
	}
	if (expr_word_len(start) == 6 && memcmp(start, "sizeof", 6) == 0) {
		p->s += 6;
		return expr_sizeof(p, ret, err);
	}
	return postfix(p, ret, err);
}

bool expr_unary(struct expr_parser *p, struct value *ret, struct err *err)
{
	if (!deeper(p, err) || !unary_one(p, ret, err))
		return false;
	p->depth--;
	return true;
}

/* ---- operators between */

struct op {
	const char *token;
	unsigned level;
	char code; /* see expr_binary(); 'o' and 'a' are || and && */
};
/* Longer ones before those they begin with. */
static const struct op ops[] = {
	{ "||", 1, 'o' }, { "&&", 2, 'a' }, { "==", 6, '=' }, { "!=", 6, 'n' }, { "!~", 6, 'N' },
	{ "<<", 8, 'l' }, { ">>", 8, 'r' }, { "<=", 7, 'L' }, { ">=", 7, 'G' }, { "<", 7, '<' },
	{ ">", 7, '>' },  { "|", 3, '|' },  { "^", 4, '^' },  { "&", 5, '&' },  { "~", 6, '~' },
	{ "@", 9, '@' },  { "+", 10, '+' }, { "-", 10, '-' }, { "*", 11, '*' }, { "/", 11, '/' },
	{ "%", 11, '%' },
};

static const struct op *next_op(struct expr_parser *p)
{
	expr_skip_space(p);
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		if (*p->s == ops[i].token[0] &&
		    strncmp(p->s, ops[i].token, strlen(ops[i].token)) == 0)
			return &ops[i];
	return NULL;
}

/* The right side of || and && is not evaluated where the left one decides. */
static bool logic(struct expr_parser *p, const struct op *op, struct value *a, struct err *err)
{
	const char *start = p->s - strlen(op->token);
	bool x, y, decided;
	struct value b;

	if (!expr_true(p, *a, &x, err))
		return expr_at(p, start, err);
	decided = x == (op->code == 'o');
	p->dry += decided;
	if (!binary(p, op->level + 1, &b, err))
		return false;
	if (!expr_true(p, b, &y, err))
		return expr_at(p, start, err);
	p->dry -= decided;
	*a = value_int(p->t, &expr_int, decided ? x : y);
	return true;
}

/* gdb's "a @ n": the n values that lie where a does, and behind it. */
static bool many(struct expr_parser *p, struct value a, struct value count, struct value *ret,
		 struct err *err)
{
	uint64_t n;

	if (a.bit_size || (a.kind != VALUE_REF && !a.addr))
		return err_set(err, ERR_USAGE, "only what is in memory has others behind it");
	if (!expr_number(p, count, &n, err))
		return false;
	if (p->dry && (!n || n > SLICE_MAX))
		n = 1;
	if (!n || n > SLICE_MAX)
		return err_set(err, ERR_USAGE, "1 to %d values stand behind '@'", SLICE_MAX);
	*ret = value_ref(type_array_of(p->t, a.type, n), a.addr);
	return true;
}

static bool binary(struct expr_parser *p, unsigned min, struct value *ret, struct err *err)
{
	struct value a, b;
	const struct op *op;

	if (!expr_unary(p, &a, err))
		return false;
	while ((op = next_op(p)) && op->level >= min) {
		const char *start = p->s;
		bool is_logic = op->code == 'o' || op->code == 'a';

		p->s += strlen(op->token);
		if (!deeper(p, err))
			return false;
		if (is_logic ? !logic(p, op, &a, err) : !binary(p, op->level + 1, &b, err))
			return false;
		p->depth--;
		if (op->code == '@' ? !many(p, a, b, &a, err)
				    : !is_logic && !expr_binary(p, op->code, a, b, &a, err))
			return expr_at(p, start, err);
	}
	*ret = a;
	return true;
}

/* "a ? b : c"; only one of b and c is evaluated. Numbers get the type that both have in common. */
static bool choice(struct expr_parser *p, struct value *ret, struct err *err)
{
	struct value b, c;
	bool first;

	if (!expr_true(p, *ret, &first, err))
		return expr_at(p, p->s - 1, err);
	p->colons++;
	p->dry += !first;
	if (!expr_whole(p, &b, err))
		return false;
	p->dry -= !first;
	p->colons--;
	if (!expr_take(p, ":"))
		return expr_unexpected(p, "':'", err);
	p->dry += first;
	if (!expr_whole(p, &c, err))
		return false;
	p->dry -= first;
	return expr_choose(p, first, b, c, ret, err);
}

bool expr_whole(struct expr_parser *p, struct value *ret, struct err *err)
{
	if (!deeper(p, err) || !binary(p, 1, ret, err))
		return false;
	if (expr_take(p, "?") && !choice(p, ret, err))
		return false;
	p->depth--;
	return true;
}

bool expr_eval_in(struct target *t, const char *text, const struct expr_scope *scope,
		  struct value *ret, struct err *err)
{
	struct expr_parser p = {
		.t = t, .scope = scope, .text = text, .s = text, .dry = scope->dry
	};

	if (!expr_whole(&p, ret, err))
		return false;
	expr_skip_space(&p);
	return !*p.s || expr_unexpected(&p, "an operator", err);
}

bool expr_eval(struct target *t, const char *text, const struct expr_hooks *hooks,
	       struct value *ret, struct err *err)
{
	const struct expr_scope scope = { .hooks = hooks };

	return expr_eval_in(t, text, &scope, ret, err);
}
