/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions: a recursive descent over C's operators, on typed values. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/target/expr.h"
#include "core/target/target.h"

#define NAME_LEN 512

struct parser {
	struct target *t;
	const struct expr_hooks *hooks;
	const char *text, *s;
	unsigned depth;
};

static const struct type long_type = {
	.kind = TYPE_INT, .is_signed = true, .name = "long int", .size = 8, .filled = true
};
static const struct type ulong_type = {
	.kind = TYPE_INT, .name = "long unsigned int", .size = 8, .filled = true
};
static const struct type void_type = { .kind = TYPE_VOID, .filled = true };

static bool unary(struct parser *p, struct value *ret, struct err *err);
static bool binary(struct parser *p, unsigned min, struct value *ret, struct err *err);

static void skip_space(struct parser *p)
{
	while (isspace((unsigned char)*p->s))
		p->s++;
}

static bool at(struct parser *p, const char *where, struct err *err)
{
	return err_wrap(err, "column %zu", (size_t)(where - p->text) + 1);
}

static bool unexpected(struct parser *p, const char *wanted, struct err *err)
{
	skip_space(p);
	if (*p->s)
		err_set(err, ERR_USAGE, "expected %s, not '%.40s'", wanted, p->s);
	else
		err_set(err, ERR_USAGE, "expected %s, but the expression ends", wanted);
	return at(p, p->s, err);
}

static bool take(struct parser *p, const char *token)
{
	size_t n = strlen(token);

	skip_space(p);
	if (strncmp(p->s, token, n) != 0)
		return false;
	p->s += n;
	return true;
}

static size_t word_len(const char *s)
{
	size_t n = 0;

	if (isdigit((unsigned char)*s))
		return 0;
	while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '$')
		n++;
	return n;
}

/* Every level of nesting comes through here. */
static bool deeper(struct parser *p, struct err *err)
{
	if (++p->depth > DEPTH_MAX)
		return err_set(err, ERR_LIMIT, "expression is nested too deeply");
	return true;
}

/* ---- numbers */

static bool is_pointer(struct value v)
{
	enum type_kind k = type_strip(v.type)->kind;

	return k == TYPE_POINTER || k == TYPE_ARRAY;
}

/* A number for arithmetic: arrays and functions stand for their address. */
static bool number(struct parser *p, struct value v, uint64_t *ret, struct err *err)
{
	enum type_kind k = type_strip(v.type)->kind;

	if ((k == TYPE_ARRAY || k == TYPE_FUNC) && v.addr) {
		*ret = v.addr;
		return true;
	}
	return value_u64(p->t, v, ret, err);
}

static struct value integer(struct parser *p, uint64_t n, bool is_signed)
{
	return value_int(p->t, is_signed ? &long_type : &ulong_type, n);
}

static bool literal(struct parser *p, struct value *ret, struct err *err)
{
	const char *start = p->s;
	unsigned base = 10;
	uint64_t n = 0;
	bool is_unsigned = false;

	if (p->s[0] == '0' && (p->s[1] == 'x' || p->s[1] == 'X')) {
		base = 16;
		p->s += 2;
	} else if (p->s[0] == '0') {
		base = 8;
	}
	for (; isxdigit((unsigned char)*p->s); p->s++) {
		unsigned d = isdigit((unsigned char)*p->s)
				     ? (unsigned)(*p->s - '0')
				     : (unsigned)(tolower((unsigned char)*p->s) - 'a' + 10);

		if (d >= base)
			break;
		if (__builtin_mul_overflow(n, base, &n) || __builtin_add_overflow(n, d, &n)) {
			err_set(err, ERR_LIMIT, "number is larger than 64 bits");
			return at(p, start, err);
		}
	}
	while (*p->s && strchr("uUlL", *p->s))
		is_unsigned |= tolower((unsigned char)*p->s++) == 'u';
	if (p->s == start + 2 * (base == 16) || isalnum((unsigned char)*p->s) || *p->s == '_') {
		err_set(err, ERR_USAGE, "'%.40s' is not a number", start);
		return at(p, start, err);
	}
	*ret = integer(p, n, !is_unsigned && n <= INT64_MAX);
	return true;
}

/* ---- symbols */

/* "name", and behind it what belongs to some symbols' names: "name@module", "name.isra.0". */
static bool symbol_name(struct parser *p, struct symbol *ret, struct err *err)
{
	const char *start = p->s;
	char name[NAME_LEN];
	size_t n = word_len(start);
	struct err other;

	if (start[n] == '@')
		n += 1 + word_len(start + n + 1);
	for (bool first = true;; first = false) {
		if (n >= sizeof(name))
			return err_set(err, ERR_NOSYM, "symbol name is too long");
		memcpy(name, start, n);
		name[n] = '\0';
		if (symbol_find(p->t, name, ret, first ? err : &other)) {
			p->s = start + n;
			return true;
		}
		if (start[n] != '.' || !isalnum((unsigned char)start[n + 1]))
			return false;
		for (n++; isalnum((unsigned char)start[n]) || start[n] == '_';)
			n++;
	}
}

static bool symbol_cpu(struct parser *p, struct symbol *sym, struct err *err)
{
	const char *start = p->s;
	unsigned cpu = 0;
	uint64_t addr;

	for (p->s++; isdigit((unsigned char)*p->s); p->s++) {
		if (cpu > 100000) {
			err_set(err, ERR_NOTFOUND, "no such CPU");
			return at(p, start, err);
		}
		cpu = cpu * 10 + (unsigned)(*p->s - '0');
	}
	if (p->s == start + 1)
		return unexpected(p, "a CPU's number", err);
	if (!p->hooks || !p->hooks->is_percpu(p->t, sym)) {
		err_set(err, ERR_USAGE, "'%.100s' is not a per-CPU variable", sym->name);
		return at(p, start, err);
	}
	if (!p->hooks->percpu(p->t, sym, cpu, &addr, err))
		return at(p, start, err);
	sym->addr = addr;
	return true;
}

static bool variable(struct parser *p, struct value *ret, struct err *err)
{
	const char *start = p->s;
	const struct type *type;
	struct symbol sym;

	if (!symbol_name(p, &sym, err))
		return at(p, start, err);
	if (!type_of_symbol(p->t, &sym, &type, err)) {
		if (err->code == ERR_INTR)
			return false;
		type = &void_type;
	}
	if (*p->s == ':' && !symbol_cpu(p, &sym, err))
		return false;
	*ret = value_ref(type, sym.addr);
	return true;
}

/* ---- casts */

/* The parenthesis that closes the one at s; NULL: none. */
static const char *closing(const char *s)
{
	unsigned depth = 0;

	for (; *s; s++) {
		depth += *s == '(';
		if (*s == ')' && --depth == 0)
			return s;
	}
	return NULL;
}

static bool starts_with_tag(const char *s)
{
	static const char *const words[] = { "struct", "union", "enum",    "const", "unsigned",
					     "signed", "char",  "short",   "int",   "long",
					     "void",   "bool",  "volatile" };
	size_t n = word_len(s);

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i]) == n && memcmp(words[i], s, n) == 0)
			return true;
	return false;
}

/* Is what stands between s and end a type? A symbol of that name wins, as a variable does in C. */
static bool type_between(struct parser *p, const char *s, const char *end, const struct type **ret,
			 bool *is_type, struct err *err)
{
	char name[NAME_LEN];
	struct symbol sym;
	struct err why;
	size_t n;

	*is_type = false;
	while (isspace((unsigned char)*s))
		s++;
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	n = (size_t)(end - s);
	if (!n || n >= sizeof(name) || !word_len(s))
		return true;
	memcpy(name, s, n);
	name[n] = '\0';
	if (!starts_with_tag(s) && strspn(name + word_len(s), " *") + word_len(s) != n)
		return true;
	if (!starts_with_tag(s) && end[-1] != '*' && symbol_find(p->t, name, &sym, &why))
		return true;
	if (type_find_deep(p->t, name, ret, &why)) {
		*is_type = true;
	} else if (starts_with_tag(s) || end[-1] == '*') {
		*err = why;
		return at(p, s, err);
	}
	return true;
}

static bool cast(struct parser *p, const struct type *type, struct value v, struct value *ret,
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
	if (!number(p, v, &n, err))
		return false;
	if (to->kind == TYPE_BOOL)
		n = n != 0;
	*ret = value_int(p->t, type, n);
	return true;
}

/* "(type) x" and "(x)"; the parenthesis is at p->s. */
static bool parenthesis(struct parser *p, struct value *ret, bool *done, struct err *err)
{
	const char *start = p->s, *end = closing(p->s);
	const struct type *type = NULL;
	bool is_type;

	*done = false;
	if (!end)
		return err_set(err, ERR_USAGE, "'(' is not closed"), at(p, start, err);
	if (!type_between(p, start + 1, end, &type, &is_type, err))
		return false;
	if (is_type) {
		struct value v;

		p->s = end + 1;
		*done = true;
		if (!unary(p, &v, err))
			return false;
		return cast(p, type, v, ret, err) || at(p, start, err);
	}
	p->s++;
	if (!binary(p, 1, ret, err))
		return false;
	return take(p, ")") || unexpected(p, "')'", err);
}

static bool size_of(struct parser *p, struct value *ret, struct err *err)
{
	const struct type *type = NULL;
	const char *end = NULL;
	struct value v;
	bool is_type = false;

	skip_space(p);
	if (*p->s == '(') {
		end = closing(p->s);
		if (end && !type_between(p, p->s + 1, end, &type, &is_type, err))
			return false;
	}
	if (is_type) {
		p->s = end + 1;
	} else {
		if (!unary(p, &v, err))
			return false;
		type = v.type;
	}
	*ret = integer(p, type->size, false);
	return true;
}

/* ---- operators */

static bool primary(struct parser *p, struct value *ret, struct err *err)
{
	skip_space(p);
	if (isdigit((unsigned char)*p->s))
		return literal(p, ret, err);
	if (word_len(p->s))
		return variable(p, ret, err);
	return unexpected(p, "a value", err);
}

static bool member(struct parser *p, struct value *v, struct err *err)
{
	char name[NAME_LEN];
	const char *start;
	size_t n;

	skip_space(p);
	start = p->s;
	n = word_len(start);
	if (!n || n >= sizeof(name))
		return unexpected(p, "a member's name", err);
	memcpy(name, start, n);
	name[n] = '\0';
	p->s += n;
	if (type_strip(v->type)->kind == TYPE_VOID)
		return err_set(err, ERR_NOTYPE,
			       "the type in front of '%.60s' is not known: cast its address, as in "
			       "((struct x *)&y)->%.60s",
			       name, name),
		       at(p, start, err);
	return value_member(p->t, *v, name, v, err) || at(p, start, err);
}

static bool element(struct parser *p, struct value *v, struct err *err)
{
	const char *start = p->s;
	struct value index;
	int64_t i;

	if (!binary(p, 1, &index, err))
		return false;
	if (!take(p, "]"))
		return unexpected(p, "']'", err);
	if (!value_s64(p->t, index, &i, err) || !value_index(p->t, *v, i, v, err))
		return at(p, start, err);
	return true;
}

static bool postfix(struct parser *p, struct value *ret, struct err *err)
{
	bool done = false;

	skip_space(p);
	if (*p->s == '(' ? !parenthesis(p, ret, &done, err) : !primary(p, ret, err))
		return false;
	while (!done) {
		if (take(p, "->") || take(p, ".")) {
			if (!member(p, ret, err))
				return false;
		} else if (take(p, "[")) {
			if (!element(p, ret, err))
				return false;
		} else {
			break;
		}
	}
	return true;
}

static bool address_of(struct parser *p, struct value v, struct value *ret, struct err *err)
{
	if (v.bit_size)
		return err_set(err, ERR_USAGE, "a bit-field has no address");
	if (v.kind != VALUE_REF && !v.addr)
		return err_set(err, ERR_USAGE, "this value is not in memory: it has no address");
	*ret = value_int(p->t, type_pointer_to(p->t, v.type), v.addr);
	return true;
}

static bool unary_apply(struct parser *p, char op, struct value v, struct value *ret,
			struct err *err)
{
	uint64_t n;

	if (op == '&')
		return address_of(p, v, ret, err);
	if (op == '*') {
		if (type_strip(v.type)->kind == TYPE_FUNC) {
			*ret = v;
			return true;
		}
		if (type_is_integer(v.type)) { /* as gdb: a bare address points to a long */
			if (!value_u64(p->t, v, &n, err))
				return false;
			*ret = value_ref(&long_type, n);
			return true;
		}
		return value_deref(p->t, v, ret, err);
	}
	if (!number(p, v, &n, err))
		return false;
	n = op == '-' ? 0 - n : op == '~' ? ~n : !n;
	*ret = integer(p, n, op == '!' || type_is_signed(v.type));
	return true;
}

static bool unary_one(struct parser *p, struct value *ret, struct err *err)
{
	const char *start;
	struct value v;

	skip_space(p);
	start = p->s;
	if (*start && strchr("*&-~!", *start)) {
		p->s++;
		if (!unary(p, &v, err))
			return false;
		return unary_apply(p, *start, v, ret, err) || at(p, start, err);
	}
	if (word_len(start) == 6 && memcmp(start, "sizeof", 6) == 0) {
		p->s += 6;
		return size_of(p, ret, err);
	}
	return postfix(p, ret, err);
}

static bool unary(struct parser *p, struct value *ret, struct err *err)
{
	if (!deeper(p, err) || !unary_one(p, ret, err))
		return false;
	p->depth--;
	return true;
}

/* Bytes a step of pointer arithmetic takes; void counts as one byte, as gcc has it. */
static uint64_t step_of(struct value v)
{
	uint64_t size = type_target(type_strip(v.type))->size;

	return size ? size : 1;
}

static bool pointer_math(struct parser *p, char op, struct value a, struct value b,
			 struct value *ret, struct err *err)
{
	const struct type *to;
	uint64_t x, y;

	if (!number(p, a, &x, err) || !number(p, b, &y, err))
		return false;
	if (is_pointer(a) && is_pointer(b)) {
		if (op != '-')
			return err_set(err, ERR_USAGE, "two pointers cannot be added");
		*ret = integer(p, (uint64_t)((int64_t)(x - y) / (int64_t)step_of(a)), true);
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

struct op {
	const char *token;
	unsigned level;
	char code;
};
static const struct op ops[] = {
	{ "<<", 4, 'l' }, { ">>", 4, 'r' }, { "|", 1, '|' }, { "^", 2, '^' }, { "&", 3, '&' },
	{ "+", 5, '+' },  { "-", 5, '-' },  { "*", 6, '*' }, { "/", 6, '/' }, { "%", 6, '%' },
};

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

static bool math(struct parser *p, char op, struct value a, struct value b, struct value *ret,
		 struct err *err)
{
	bool is_signed = type_is_signed(a.type) && type_is_signed(b.type);
	uint64_t x, y, n = 0;

	if ((op == '+' || op == '-') && (is_pointer(a) || is_pointer(b)))
		return pointer_math(p, op, a, b, ret, err);
	if (!number(p, a, &x, err) || !number(p, b, &y, err))
		return false;
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
	case 'l':
		n = y < 64 ? x << y : 0;
		break;
	case 'r':
		if (type_is_signed(a.type) && (int64_t)x < 0)
			n = y < 64 ? ~(~x >> y) : ~UINT64_C(0);
		else
			n = y < 64 ? x >> y : 0;
		is_signed = type_is_signed(a.type);
		break;
	default:
		if (!divide(op, x, y, is_signed, &n, err))
			return false;
	}
	*ret = integer(p, n, is_signed);
	return true;
}

static const struct op *next_op(struct parser *p)
{
	skip_space(p);
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		if (strncmp(p->s, ops[i].token, strlen(ops[i].token)) == 0)
			return &ops[i];
	return NULL;
}

static bool binary(struct parser *p, unsigned min, struct value *ret, struct err *err)
{
	struct value a, b;
	const struct op *op;

	if (!unary(p, &a, err))
		return false;
	while ((op = next_op(p)) && op->level >= min) {
		const char *start = p->s;

		p->s += strlen(op->token);
		if (!deeper(p, err) || !binary(p, op->level + 1, &b, err))
			return false;
		p->depth--;
		if (!math(p, op->code, a, b, &a, err))
			return at(p, start, err);
	}
	*ret = a;
	return true;
}

bool expr_eval(struct target *t, const char *text, const struct expr_hooks *hooks,
	       struct value *ret, struct err *err)
{
	struct parser p = { .t = t, .hooks = hooks, .text = text, .s = text };

	if (!binary(&p, 1, ret, err))
		return false;
	skip_space(&p);
	return !*p.s || unexpected(&p, "an operator", err);
}
