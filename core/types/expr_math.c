/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions: C's conversions and operators, on typed values. */
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/pattern.h"
#include "core/types/expr_parser.h"
#include "core/image/target.h"

const struct type expr_int = {
	.kind = TYPE_INT, .is_signed = true, .name = "int", .size = 4, .filled = true
};
const struct type expr_uint = {
	.kind = TYPE_INT, .name = "unsigned int", .size = 4, .filled = true
};
static const struct type long_32 = {
	.kind = TYPE_INT, .is_signed = true, .name = "long int", .size = 4, .filled = true
};
static const struct type ulong_32 = {
	.kind = TYPE_INT, .name = "long unsigned int", .size = 4, .filled = true
};
static const struct type long_64 = {
	.kind = TYPE_INT, .is_signed = true, .name = "long int", .size = 8, .filled = true
};
static const struct type ulong_64 = {
	.kind = TYPE_INT, .name = "long unsigned int", .size = 8, .filled = true
};
static const struct type llong = {
	.kind = TYPE_INT, .is_signed = true, .name = "long long int", .size = 8, .filled = true
};
static const struct type ullong = {
	.kind = TYPE_INT, .name = "long long unsigned int", .size = 8, .filled = true
};
const struct type expr_char = {
	.kind = TYPE_CHAR, .is_signed = true, .name = "char", .size = 1, .filled = true
};
const struct type expr_void = { .kind = TYPE_VOID, .filled = true };

static bool has_words_of_32(const struct expr_parser *p)
{
	return p->t->arch && p->t->arch->word == 4;
}

const struct type *expr_long(const struct expr_parser *p, bool is_signed)
{
	if (has_words_of_32(p))
		return is_signed ? &long_32 : &ulong_32;
	return is_signed ? &long_64 : &ulong_64;
}

const struct type *expr_64_bits(const struct expr_parser *p, bool is_signed)
{
	if (has_words_of_32(p))
		return is_signed ? &llong : &ullong;
	return is_signed ? &long_64 : &ulong_64;
}

static bool is_pointer(struct value v)
{
	enum type_kind k = type_strip(v.type)->kind;

	return k == TYPE_POINTER || k == TYPE_ARRAY;
}

bool expr_is_number(const struct type *type)
{
	return type_is_integer(type) || type_strip(type)->kind == TYPE_POINTER;
}

static bool is_char(const struct type *type)
{
	type = type_strip(type);
	return type->kind == TYPE_CHAR || (type->kind == TYPE_INT && type->size == 1 &&
					   type->name && strstr(type->name, "char"));
}

bool expr_is_text(const struct type *type)
{
	const struct type *in = type_strip(type);

	return (in->kind == TYPE_POINTER || in->kind == TYPE_ARRAY) && is_char(type_target(in));
}

/* A number for arithmetic: arrays and functions stand for their address. */
bool expr_number(struct expr_parser *p, struct value v, uint64_t *ret, struct err *err)
{
	enum type_kind k = type_strip(v.type)->kind;

	/* what was written there is known even where nothing is read */
	if (p->dry && v.kind == VALUE_BYTES && !v.addr && expr_is_number(v.type))
		return value_u64(p->t, v, ret, err);
	if (p->dry && (k == TYPE_ARRAY || k == TYPE_FUNC || expr_is_number(v.type))) {
		*ret = 1;
		return true;
	}
	if ((k == TYPE_ARRAY || k == TYPE_FUNC) && v.addr) {
		*ret = v.addr;
		return true;
	}
	return value_u64(p->t, v, ret, err);
}

bool expr_truth(struct target *t, struct value v, bool *ret, struct err *err)
{
	const struct expr_scope none = { .name = NULL };
	struct expr_parser p = { .t = t, .scope = &none };

	return expr_true(&p, v, ret, err);
}

bool expr_true(struct expr_parser *p, struct value v, bool *ret, struct err *err)
{
	uint64_t n;

	if (!expr_number(p, v, &n, err))
		return false;
	*ret = n != 0;
	return true;
}

bool expr_cast(struct expr_parser *p, const struct type *type, struct value v, struct value *ret,
	       struct err *err)
{
	const struct type *to = type_strip(type);
	uint64_t n;

	if (to->kind == TYPE_VOID || (!type_is_integer(to) && to->kind != TYPE_POINTER)) {
		struct buf b = { .max = 100 };

		type_declare(&b, type, NULL);
		err_set(err, ERR_USAGE, "nothing can be cast to '%s'; '*(%s *)&x' may be meant",
			buf_text(&b), buf_text(&b));
		buf_release(&b);
		return false;
	}
	if (!expr_number(p, v, &n, err))
		return false;
	if (to->kind == TYPE_BOOL)
		n = n != 0;
	*ret = value_int(p->t, type, n);
	return true;
}

/* C's integer promotions: what is narrower than an int becomes one. Pointers count as unsigned
 * long here. */
static const struct type *promoted(const struct expr_parser *p, struct value v)
{
	const struct type *in = type_strip(v.type);
	uint64_t bits = v.bit_size ? v.bit_size : in->size * 8;
	bool is_signed = type_is_signed(in);

	if (is_pointer(v) || in->kind == TYPE_FUNC)
		return expr_long(p, false);
	if (bits < 32 || (bits == 32 && is_signed))
		return &expr_int;
	if (bits == 32)
		return &expr_uint;
	return expr_64_bits(p, is_signed);
}

/* C's usual arithmetic conversions. */
static const struct type *common(const struct expr_parser *p, struct value a, struct value b)
{
	const struct type *x = promoted(p, a), *y = promoted(p, b);

	if (x->size != y->size)
		return x->size > y->size ? x : y;
	return x->is_signed ? y : x;
}

/* n as a number of the type, in 64 bits. */
static uint64_t convert(const struct type *type, uint64_t n)
{
	if (type->size == 8)
		return n;
	return type->is_signed ? (uint64_t)(int64_t)(int32_t)(uint32_t)n : (uint32_t)n;
}

bool expr_sign(struct expr_parser *p, char op, struct value v, struct value *ret, struct err *err)
{
	const struct type *type = op == '!' ? &expr_int : promoted(p, v);
	uint64_t n;

	if (!expr_number(p, v, &n, err))
		return false;
	n = op == '-' ? 0 - n : op == '~' ? ~n : op == '!' ? !n : n;
	*ret = value_int(p->t, type, n);
	return true;
}

/* Bytes a step of pointer arithmetic takes; void counts as one byte, as gcc has it. */
static uint64_t step_of(struct value v)
{
	uint64_t size = type_target(type_strip(v.type))->size;

	return size ? size : 1;
}

static bool pointer_math(struct expr_parser *p, char op, struct value a, struct value b,
			 struct value *ret, struct err *err)
{
	const struct type *to;
	uint64_t x, y;

	if (!expr_number(p, a, &x, err) || !expr_number(p, b, &y, err))
		return false;
	if (is_pointer(a) && is_pointer(b)) {
		if (op != '-')
			return err_set(err, ERR_USAGE, "two pointers cannot be added");
		*ret = value_int(p->t, expr_long(p, true),
				 (uint64_t)((int64_t)(x - y) / (int64_t)step_of(a)));
		return true;
	}
	if (!is_pointer(a) && op == '-')
		return err_set(err, ERR_USAGE, "a pointer cannot be subtracted from a number");
	to = type_target(type_strip(is_pointer(a) ? a.type : b.type));
	if (is_pointer(a))
		y *= step_of(a);
	else
		x *= step_of(b);
	*ret = value_int(p->t, type_pointer_to(p->t, to), op == '+' ? x + y : x - y);
	return true;
}

static bool divide(char op, uint64_t x, uint64_t y, bool is_signed, uint64_t *ret, struct err *err)
{
	bool minus_x = is_signed && (int64_t)x < 0, minus_y = is_signed && (int64_t)y < 0;
	uint64_t a = minus_x ? 0 - x : x, b = minus_y ? 0 - y : y, n;

	if (!y)
		return err_set(err, ERR_USAGE, "division by zero");
	n = op == '/' ? a / b : a % b;
	if (op == '/' ? minus_x != minus_y : minus_x)
		n = 0 - n;
	*ret = n;
	return true;
}

/* The type of a shift is its left side's; what is shifted further than its width is gone. */
static bool shift(struct expr_parser *p, char op, struct value a, struct value b, struct value *ret,
		  struct err *err)
{
	const struct type *type = promoted(p, a);
	uint64_t x, y, width = type->size * 8;

	if (!expr_number(p, a, &x, err) || !expr_number(p, b, &y, err))
		return false;
	x = convert(type, x);
	if (op == 'l')
		x = y < width ? x << y : 0;
	else if (type->is_signed && (int64_t)x < 0)
		x = y < width ? ~(~x >> y) : ~UINT64_C(0);
	else
		x = y < width ? x >> y : 0;
	*ret = value_int(p->t, type, x);
	return true;
}

static bool less(const struct type *type, uint64_t x, uint64_t y)
{
	return type->is_signed ? (int64_t)x < (int64_t)y : x < y;
}

static bool arithmetic(struct expr_parser *p, char op, struct value a, struct value b,
		       struct value *ret, struct err *err)
{
	const struct type *type = common(p, a, b), *result = type;
	uint64_t x, y, n = 0;

	if (!expr_number(p, a, &x, err) || !expr_number(p, b, &y, err))
		return false;
	x = convert(type, x);
	y = convert(type, y);
	if (strchr("<>LG=n", op))
		result = &expr_int;
	switch (op) {
	case '+':
		n = x + y;
		break;
	case '-':
		n = x - y;
		break;
	case '*':
		n = x * y;
		break;
	case '&':
		n = x & y;
		break;
	case '|':
		n = x | y;
		break;
	case '^':
		n = x ^ y;
		break;
	case '<':
		n = less(type, x, y);
		break;
	case '>':
		n = less(type, y, x);
		break;
	case 'L':
		n = !less(type, y, x);
		break;
	case 'G':
		n = !less(type, x, y);
		break;
	case '=':
		n = x == y;
		break;
	case 'n':
		n = x != y;
		break;
	default:
		if (!divide(op, x, p->dry && !y ? 1 : y, type->is_signed, &n, err))
			return false;
	}
	*ret = value_int(p->t, result, n);
	return true;
}

/* ---- text */

static bool is_function(struct value v)
{
	return type_strip(v.type)->kind == TYPE_FUNC;
}

/* An error that names both types. */
static bool no_comparison(struct value a, struct value b, struct err *err)
{
	bool text = expr_is_text(a.type) || expr_is_text(b.type);
	bool function = is_function(a) || is_function(b);
	struct buf x = { .max = 100 }, y = { .max = 100 };

	type_declare(&x, a.type, NULL);
	type_declare(&y, b.type, NULL);
	err_set(err, ERR_USAGE, "%s is compared with a %s: '%s' and '%s'%s",
		text ? "text" : "an array", function ? "function" : "number", buf_text(&x),
		buf_text(&y), text && function ? "; text goes in \"\"" : "");
	buf_release(&x);
	buf_release(&y);
	return false;
}

static bool is_array(struct value v)
{
	return type_strip(v.type)->kind == TYPE_ARRAY;
}

#define TEXT_MAX 4096

struct expr_regex {
	char *pattern;
	regex_t re;
};

void expr_cache_release(struct expr_cache *cache)
{
	if (!cache->regex)
		return;
	regfree(&cache->regex->re);
	free(cache->regex->pattern);
	free(cache->regex);
	cache->regex = NULL;
}

/* The regular expression, compiled once. Its size is limited: nested counts cost memory without
 * end. */
static bool compile(struct expr_cache *cache, const char *pattern, struct err *err)
{
	struct expr_regex *r;

	if (cache->regex && !strcmp(cache->regex->pattern, pattern))
		return true;
	expr_cache_release(cache);
	r = xrealloc(NULL, sizeof(*r));
	if (!pattern_compile(pattern, 0, &r->re, err)) {
		free(r);
		return false;
	}
	r->pattern = xrealloc(NULL, strlen(pattern) + 1);
	memcpy(r->pattern, pattern, strlen(pattern) + 1);
	cache->regex = r;
	return true;
}

/* What text stands for: characters, or the name of an enumeration's value. */
static bool is_textual(struct value v)
{
	return type_strip(v.type)->kind == TYPE_ENUM || expr_is_text(v.type);
}

static bool text_of(struct expr_parser *p, struct value v, const char **ret, struct err *err)
{
	const struct type *in = type_strip(v.type);
	const struct enumerator *e;
	uint64_t x;
	size_t n;

	*ret = "";
	if (in->kind != TYPE_ENUM)
		return p->dry || value_str(p->t, v, TEXT_MAX, p->t->scratch, ret, err);
	if (p->dry)
		return true;
	if (!value_u64(p->t, v, &x, err))
		return false;
	e = type_enumerators(in, &n);
	for (size_t i = 0; i < n; i++)
		if (e[i].value == x)
			*ret = e[i].name;
	return true;
}

static bool text_compare(struct expr_parser *p, char op, struct value a, struct value b,
			 struct value *ret, struct err *err)
{
	struct expr_cache local = { NULL };
	struct expr_cache *cache = p->scope->cache ? p->scope->cache : &local;
	const char *x, *y;
	bool same = false;

	if (!is_textual(a) || !is_textual(b))
		return no_comparison(a, b, err);
	if (!text_of(p, a, &x, err) || !text_of(p, b, &y, err))
		return false;
	if (op == '=' || op == 'n') {
		same = !strcmp(x, y);
	} else {
		/* a pattern that is written there is checked before anything runs */
		if (p->dry && b.kind == VALUE_BYTES && b.type->kind == TYPE_ARRAY)
			y = (const char *)b.bytes;
		if (!compile(cache, y, err))
			return false;
		same = !regexec(&cache->regex->re, x, 0, NULL, 0);
		expr_cache_release(&local);
	}
	*ret = value_int(p->t, &expr_int, same == (op == '=' || op == '~'));
	return true;
}

/* A string that was written in the expression. */
static bool is_literal(struct value v)
{
	return v.type->kind == TYPE_ARRAY && v.type->target == &expr_char &&
	       v.kind == VALUE_BYTES && !v.addr;
}

bool expr_binary(struct expr_parser *p, char op, struct value a, struct value b, struct value *ret,
		 struct err *err)
{
	if (op == '~' || op == 'N')
		return text_compare(p, op, a, b, ret, err);
	if ((op == '=' || op == 'n') && (is_literal(a) || is_literal(b)))
		return text_compare(p, op, a, b, ret, err);
	if ((op == '+' || op == '-') && (is_pointer(a) || is_pointer(b)))
		return pointer_math(p, op, a, b, ret, err);
	if (op == 'l' || op == 'r')
		return shift(p, op, a, b, ret, err);
	/* an array's address is never the number that is meant, nor is a task's name, as in
	 * comm == kthreadd, ever the function's address */
	if (strchr("<>LG=n", op) && ((is_array(a) && (type_is_integer(b.type) || is_function(b))) ||
				     (is_array(b) && (type_is_integer(a.type) || is_function(a)))))
		return no_comparison(a, b, err);
	return arithmetic(p, op, a, b, ret, err);
}

bool expr_choose(struct expr_parser *p, bool first, struct value b, struct value c,
		 struct value *ret, struct err *err)
{
	const struct type *type;
	uint64_t n;

	*ret = first ? b : c;
	if (!type_is_integer(b.type) || !type_is_integer(c.type))
		return true;
	/* an enumeration's values keep their names */
	if (type_strip(b.type) == type_strip(c.type) && type_strip(b.type)->kind == TYPE_ENUM)
		return true;
	type = common(p, b, c);
	if (!expr_number(p, *ret, &n, err))
		return false;
	*ret = value_int(p->t, type, convert(type, n));
	return true;
}
