/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions: parsed by descent into a tree, and evaluated over what an event has. */
#include "core/trace/filter/condition.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/pattern.h"
#include "core/trace/key.h"

enum op {
	OP_NONE,
	OP_OR,
	OP_AND,
	OP_EQ,
	OP_NE,
	OP_LE,
	OP_GE,
	OP_LT,
	OP_GT,
	OP_REGEX,
	OP_NOT_REGEX,
	OP_LIKE,
	OP_BITOR,
	OP_XOR,
	OP_BITAND,
	OP_SHL,
	OP_SHR,
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_DIV,
	OP_MOD,
	/* of one operand, or none */
	OP_NOT,
	OP_MINUS,
	OP_NAME,
	OP_NUMBER,
	OP_TEXT
};

/* How close each binds. A sign that another one begins with stands behind it. */
enum {
	LEVEL_LOGIC = 1,
	LEVEL_COMPARE = 3
};
static const struct {
	const char *sign;
	enum op op;
	unsigned level;
} operators[] = {
	{ "||", OP_OR, LEVEL_LOGIC },
	{ "&&", OP_AND, LEVEL_LOGIC + 1 },
	{ "==", OP_EQ, LEVEL_COMPARE },
	{ "=~", OP_REGEX, LEVEL_COMPARE },
	{ "=", OP_EQ, LEVEL_COMPARE },
	{ "!=", OP_NE, LEVEL_COMPARE },
	{ "!~", OP_NOT_REGEX, LEVEL_COMPARE },
	{ "<=", OP_LE, LEVEL_COMPARE },
	{ ">=", OP_GE, LEVEL_COMPARE },
	{ "<<", OP_SHL, 7 },
	{ ">>", OP_SHR, 7 },
	{ "<", OP_LT, LEVEL_COMPARE },
	{ ">", OP_GT, LEVEL_COMPARE },
	{ "~", OP_LIKE, LEVEL_COMPARE },
	{ "|", OP_BITOR, 4 },
	{ "^", OP_XOR, 5 },
	{ "&", OP_BITAND, 6 },
	{ "+", OP_ADD, 8 },
	{ "-", OP_SUB, 8 },
	{ "*", OP_MUL, 9 },
	{ "/", OP_DIV, 9 },
	{ "%", OP_MOD, 9 },
};

struct condition_node {
	enum op op;
	bool may_be_text; /* a name behind == or != */
	const char *text; /* of a name, of a text, of a pattern */
	size_t at;        /* its place in the condition's text */
	uint64_t num;
	struct condition_node *left, *right;
	regex_t *regex;
	struct condition_node *next; /* all nodes of the condition */
};

struct condition {
	struct condition_node *root;
	struct condition_node *all;
	size_t column; /* of the text's first byte */
};

/* ---- parsing */

struct condition_parser {
	const char *text, *s;
	const char *begin; /* of the whole text, blanks in front too */
	const char *wrong; /* where it is wrong; NULL: at s */
	struct arena *a;
	struct condition *c;
	unsigned depth, operators;
	struct err *err;
};

static struct condition_node *node_new(struct condition_parser *p, enum op op)
{
	struct condition_node *n = ARENA_NEW(p->a, struct condition_node);

	n->op = op;
	n->at = (size_t)(p->s - p->begin);
	n->next = p->c->all;
	p->c->all = n;
	return n;
}

static void skip_blanks(struct condition_parser *p)
{
	p->s += strspn(p->s, " \t\n");
}

static bool at_end(const struct condition_parser *p)
{
	return !*p->s || *p->s == ';';
}

/* Says what stands where `wanted` should. */
static bool expected(struct condition_parser *p, const char *wanted)
{
	if (at_end(p) && p->s == p->text)
		return err_set(p->err, ERR_USAGE, "nothing stands where %s is wanted", wanted);
	if (at_end(p))
		return err_set(p->err, ERR_USAGE, "'%.100s' ends where %s is wanted", p->text,
			       wanted);
	return err_set(p->err, ERR_USAGE, "'%.20s' stands where %s is wanted", p->s, wanted);
}

static size_t word_len(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

static bool parse_quoted(struct condition_parser *p, const char **ret)
{
	const char *end = strchr(p->s + 1, *p->s);

	if (!end)
		return err_set(p->err, ERR_USAGE, "the quoted text %.60s does not end", p->s);
	*ret = arena_strndup(p->a, p->s + 1, (size_t)(end - p->s - 1));
	p->s = end + 1;
	return true;
}

static bool parse_number_word(struct condition_parser *p, size_t n, struct condition_node **ret)
{
	const char *word = arena_strndup(p->a, p->s, n);
	char *end;

	*ret = node_new(p, OP_NUMBER);
	errno = 0;
	(*ret)->num = strtoull(word, &end, 0);
	if (*end || errno == ERANGE)
		return err_set(p->err, ERR_USAGE, "'%.40s' is no number", word);
	p->s += n;
	return true;
}

static bool parse_operand(struct condition_parser *p, struct condition_node **ret)
{
	size_t n;

	skip_blanks(p);
	n = word_len(p->s);
	if (*p->s == '"' || *p->s == '\'') {
		*ret = node_new(p, OP_TEXT);
		return parse_quoted(p, &(*ret)->text);
	}
	if (!n)
		return expected(p, "a field, a number or a quoted text");
	if (isdigit((unsigned char)*p->s))
		return parse_number_word(p, n, ret);
	*ret = node_new(p, OP_NAME);
	(*ret)->text = arena_strndup(p->a, p->s, n);
	p->s += n;
	return true;
}

static bool is_compare(enum op op)
{
	return op >= OP_EQ && op <= OP_LIKE;
}

/* May it stand for true or false by itself? What is no operator says nothing: a slip. */
static bool check_test(struct condition_parser *p, const struct condition_node *n)
{
	if (n->op < OP_MINUS)
		return true;
	p->wrong = p->begin + n->at;
	return err_set(p->err, ERR_USAGE,
		       "'%.60s' has a value with nothing to compare it to: 'cpu != 0' has",
		       p->text);
}

static bool parse_level(struct condition_parser *p, unsigned level, struct condition_node **ret);

static bool parse_unary(struct condition_parser *p, struct condition_node **ret)
{
	struct condition_node *n;
	bool ok;

	skip_blanks(p);
	if (*p->s != '(' && *p->s != '!' && *p->s != '-')
		return parse_operand(p, ret);
	if (++p->depth > CONDITION_DEPTH_MAX)
		return err_set(p->err, ERR_LIMIT, "parentheses nest deeper than %u",
			       CONDITION_DEPTH_MAX);
	if (*p->s == '(') {
		p->s++;
		if (!parse_level(p, LEVEL_LOGIC, ret))
			return false;
		skip_blanks(p);
		ok = *p->s == ')' || expected(p, "')'");
		p->s += ok;
	} else {
		n = node_new(p, *p->s == '!' ? OP_NOT : OP_MINUS);
		p->s++;
		ok = parse_unary(p, &n->left) && (n->op == OP_MINUS || check_test(p, n->left));
		*ret = n;
	}
	p->depth--;
	return ok;
}

/* What is behind ~, =~ and !~: quoted, or up to a blank or the end of what it stands in. */
static bool parse_pattern(struct condition_parser *p, struct condition_node *n)
{
	const char *begin;
	regex_t *regex;

	skip_blanks(p);
	begin = p->s;
	if (*p->s == '"' || *p->s == '\'') {
		if (!parse_quoted(p, &n->text))
			return false;
	} else {
		size_t len = 0;

		while (p->s[len] && !strchr(" \t\n);&|", p->s[len]))
			len++;
		if (!len)
			return expected(p, "a pattern");
		n->text = arena_strndup(p->a, p->s, len);
		p->s += len;
	}
	if (n->op == OP_LIKE)
		return true;
	regex = ARENA_NEW(p->a, regex_t);
	if (!pattern_compile(n->text, PATTERN_ICASE, regex, p->err)) {
		p->wrong = begin;
		return false;
	}
	n->regex = regex;
	return true;
}

static size_t operator_at(const struct condition_parser *p)
{
	size_t i;

	for (i = 0; i < sizeof(operators) / sizeof(*operators); i++)
		if (!strncmp(p->s, operators[i].sign, strlen(operators[i].sign)))
			break;
	return i;
}

/* Operands and the operators between them that bind at least this close. */
static bool parse_level(struct condition_parser *p, unsigned level, struct condition_node **ret)
{
	struct condition_node *left, *n;
	bool compared = false;

	if (!parse_unary(p, &left))
		return false;
	for (;;) {
		unsigned own;
		size_t i;

		skip_blanks(p);
		i = operator_at(p);
		if (i == sizeof(operators) / sizeof(*operators) || operators[i].level < level)
			break;
		own = operators[i].level;
		if (++p->operators > CONDITION_OPERATORS_MAX)
			return err_set(p->err, ERR_LIMIT, "more than %u operators",
				       CONDITION_OPERATORS_MAX);
		if (own == LEVEL_COMPARE && compared)
			return expected(p, "'&&', '||' or the end");
		compared |= own == LEVEL_COMPARE;
		n = node_new(p, operators[i].op);
		p->s += strlen(operators[i].sign);
		n->left = left;
		if (n->op == OP_LIKE || n->op == OP_REGEX || n->op == OP_NOT_REGEX) {
			if (!parse_pattern(p, n))
				return false;
		} else if (!parse_level(p, own + 1, &n->right)) {
			return false;
		}
		if (own < LEVEL_COMPARE && (!check_test(p, left) || !check_test(p, n->right)))
			return false;
		if ((n->op == OP_EQ || n->op == OP_NE) && n->right->op == OP_NAME)
			n->right->may_be_text = true;
		left = n;
	}
	*ret = left;
	return true;
}

bool condition_parse(const char *text, size_t column, struct arena *a, struct condition **ret,
		     const char **end, struct err *err)
{
	struct condition *c = ARENA_NEW(a, struct condition);
	const char *start = text + strspn(text, " \t\n");
	struct condition_parser p = {
		.text = start, .s = start, .begin = text, .a = a, .c = c, .err = err
	};
	bool ok = strlen(text) <= CONDITION_TEXT_MAX ||
		  err_set(err, ERR_LIMIT, "a condition of more than %u bytes", CONDITION_TEXT_MAX);

	ok = ok && parse_level(&p, LEVEL_LOGIC, &c->root);
	skip_blanks(&p);
	if (ok && (!at_end(&p) || (*p.s && !end)))
		ok = expected(&p, "'&&', '||' or the end");
	ok = ok && check_test(&p, c->root);
	c->column = column;
	if (!ok) {
		condition_release(c);
		return err_wrap(err, "column %zu",
				column + (size_t)((p.wrong ? p.wrong : p.s) - text));
	}
	if (end)
		*end = p.s;
	*ret = c;
	return true;
}

void condition_release(struct condition *c)
{
	for (struct condition_node *n = c ? c->all : NULL; n; n = n->next)
		if (n->regex)
			regfree(n->regex);
}

const char *condition_unknown(const struct condition *c,
			      bool (*is_known)(const char *name, void *arg), void *arg,
			      size_t *column)
{
	const char *found = NULL;

	/* the newest node is the first; the leftmost name reads best in a message */
	for (const struct condition_node *n = c->all; n; n = n->next)
		if (n->op == OP_NAME && !n->may_be_text && strcmp(n->text, "COMM") != 0 &&
		    strcmp(n->text, "CPU") != 0 && strcmp(n->text, "TIMESTAMP") != 0 &&
		    !trace_value_is_context(n->text) && !is_known(n->text, arg)) {
			found = n->text;
			*column = c->column + n->at;
		}
	return found;
}

/* ---- evaluating */

/* What a part of a condition is worth for an event. */
struct worth {
	enum {
		ABSENT,
		NUMBER,
		TEXT
	} kind;
	uint64_t num;
	bool minus;                      /* num is that number less 2^64 */
	const struct trace_field *field; /* that it was read of; else NULL */
	const char *text;
};

static struct worth condition_number(uint64_t v, bool is_signed)
{
	return (struct worth){ .kind = NUMBER, .num = v, .minus = is_signed && v >> 63 };
}

static struct worth name_worth(const struct condition_node *n, const struct trace_event *ev,
			       struct arena *a)
{
	const struct trace_field *f = trace_field_find(ev->format, n->text);
	const char *name = n->text;
	struct trace_value v;
	struct worth w;

	if (!f && !strcmp(name, "TIMESTAMP"))
		return condition_number(ev->ts, false);
	if (!f && !strcmp(name, "COMM"))
		name = "common_comm";
	else if (!f && !strcmp(name, "CPU"))
		name = "common_cpu";
	if (trace_value_of(ev, name, a, &v)) {
		w = condition_number(v.num, v.is_signed);
		w.field = f;
		if (v.str)
			w = (struct worth){ .kind = TEXT, .text = v.str };
		return w;
	}
	if (n->may_be_text && !f)
		return (struct worth){ .kind = TEXT, .text = name };
	return (struct worth){ .kind = ABSENT };
}

/* Mathematically: a field of 64 bits without a sign is never below zero. */
static int number_order(struct worth a, struct worth b)
{
	if (a.minus != b.minus)
		return a.minus ? -1 : 1;
	return a.num < b.num ? -1 : a.num > b.num;
}

static struct worth divide(struct worth a, struct worth b, bool is_signed, bool rest)
{
	uint64_t x = is_signed && a.minus ? -a.num : a.num;
	uint64_t y = is_signed && b.minus ? -b.num : b.num;
	bool minus = is_signed && (rest ? a.minus : a.minus != b.minus);
	uint64_t v;

	if (!y)
		return (struct worth){ .kind = ABSENT };
	v = rest ? x % y : x / y;
	return condition_number(minus ? -v : v, is_signed);
}

static struct worth calculate(enum op op, struct worth a, struct worth b)
{
	/* with an operand that only an unsigned number can be, the result is one */
	bool is_signed = (a.minus || !(a.num >> 63)) && (b.minus || !(b.num >> 63));

	if (a.kind != NUMBER || b.kind != NUMBER)
		return (struct worth){ .kind = ABSENT };
	switch (op) {
	case OP_BITOR:
		return condition_number(a.num | b.num, is_signed);
	case OP_XOR:
		return condition_number(a.num ^ b.num, is_signed);
	case OP_BITAND:
		return condition_number(a.num & b.num, is_signed);
	case OP_SHL:
		return condition_number(b.num < 64 ? a.num << b.num : 0, is_signed);
	case OP_SHR:
		if (a.minus)
			return condition_number(b.num < 64 ? ~(~a.num >> b.num) : UINT64_MAX, true);
		return condition_number(b.num < 64 ? a.num >> b.num : 0, is_signed);
	case OP_ADD:
		return condition_number(a.num + b.num, is_signed);
	case OP_SUB:
		return condition_number(a.num - b.num, is_signed);
	case OP_MUL:
		return condition_number(a.num * b.num, is_signed);
	default:
		return divide(a, b, is_signed, op == OP_MOD);
	}
}

/* Does any text that stands for the number pass? It is read of a field as large as an address: the
 * function there, the string there; else its digits. */
static bool any_text(const struct worth *w, const struct trace_event *ev,
		     bool (*passes)(const char *text, const void *arg), const void *arg)
{
	const struct recording *rec = ev->buffer->recording;
	struct trace_symbol sym;
	const char *string;
	char digits[32];

	if (w->kind == TEXT)
		return passes(w->text, arg);
	if (w->field && w->field->size == rec->word_size) {
		if (rec->ops->symbol && rec->ops->symbol(rec, w->num, &sym) &&
		    passes(sym.name, arg))
			return true;
		string = rec->ops->string && strstr(w->field->type, "char")
				 ? rec->ops->string(rec, w->num)
				 : NULL;
		if (string && passes(string, arg))
			return true;
	}
	snprintf(digits, sizeof(digits), w->minus ? "%" PRId64 : "%" PRIu64, w->num);
	return passes(digits, arg);
}

static bool passes_equal(const char *text, const void *arg)
{
	return !strcmp(text, arg);
}

static bool passes_pattern(const char *text, const void *arg)
{
	const struct condition_node *n = arg;

	if (n->op == OP_LIKE)
		return !fnmatch(n->text, text, 0);
	return !regexec(n->regex, text, 0, NULL, 0);
}

static bool holds_order(enum op op, int order)
{
	switch (op) {
	case OP_LT:
		return order < 0;
	case OP_LE:
		return order <= 0;
	case OP_GT:
		return order > 0;
	default:
		return order >= 0;
	}
}

/* A text that is a number, "0x40". */
static bool text_number(struct worth *w)
{
	char *end;

	if (w->kind != TEXT || !isdigit((unsigned char)w->text[*w->text == '-']))
		return false;
	*w = condition_number(*w->text == '-' ? (uint64_t)strtoll(w->text, &end, 0)
					      : strtoull(w->text, &end, 0),
			      *w->text == '-');
	return !*end;
}

static bool compare(enum op op, struct worth a, struct worth b, const struct trace_event *ev)
{
	struct worth digits = a.kind == TEXT ? a : b;
	bool equal;

	if (a.kind == ABSENT || b.kind == ABSENT)
		return false;
	if (a.kind != b.kind && text_number(&digits))
		*(a.kind == TEXT ? &a : &b) = digits;
	if (op != OP_EQ && op != OP_NE) {
		if (a.kind != b.kind)
			return false;
		return holds_order(op,
				   a.kind == NUMBER ? number_order(a, b) : strcmp(a.text, b.text));
	}
	if (a.kind == NUMBER && b.kind == NUMBER)
		equal = a.num == b.num;
	else if (b.kind == TEXT)
		equal = any_text(&a, ev, passes_equal, b.text);
	else
		equal = any_text(&b, ev, passes_equal, a.text);
	return equal == (op == OP_EQ);
}

static bool is_true(struct worth w)
{
	return w.kind == NUMBER && w.num;
}

static struct worth worth_of(const struct condition_node *n, const struct trace_event *ev,
			     struct arena *a)
{
	struct worth left;

	switch (n->op) {
	case OP_NAME:
		return name_worth(n, ev, a);
	case OP_NUMBER:
		return condition_number(n->num, false);
	case OP_TEXT:
		return (struct worth){ .kind = TEXT, .text = n->text };
	case OP_AND:
		return condition_number(is_true(worth_of(n->left, ev, a)) &&
						is_true(worth_of(n->right, ev, a)),
					false);
	case OP_OR:
		return condition_number(is_true(worth_of(n->left, ev, a)) ||
						is_true(worth_of(n->right, ev, a)),
					false);
	default:
		break;
	}
	left = worth_of(n->left, ev, a);
	switch (n->op) {
	case OP_NOT:
		return condition_number(!is_true(left), false);
	case OP_MINUS:
		return left.kind == NUMBER ? condition_number(-left.num, true)
					   : (struct worth){ .kind = ABSENT };
	case OP_LIKE:
	case OP_REGEX:
	case OP_NOT_REGEX:
		return condition_number(left.kind != ABSENT &&
						any_text(&left, ev, passes_pattern, n) ==
							(n->op != OP_NOT_REGEX),
					false);
	default:
		break;
	}
	if (is_compare(n->op))
		return condition_number(compare(n->op, left, worth_of(n->right, ev, a), ev), false);
	return calculate(n->op, left, worth_of(n->right, ev, a));
}

bool condition_holds(const struct condition *c, const struct trace_event *ev, struct arena *scratch)
{
	return is_true(worth_of(c->root, ev, scratch));
}
