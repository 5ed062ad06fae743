/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events printed by phrases. */
#include "core/trace/print/phrase.h"

#include <string.h>

/* What is printed now. */
struct phrase_run {
	const struct phrase *of;
	struct buf *b;
	struct span data;
	bool failed;
};

/* ---- numbers */

static uint64_t phrase_load(const struct phrase_run *r, uint64_t at, uint32_t size)
{
	const uint8_t *p = r->data.p + at;
	uint16_t half;
	uint32_t word;
	uint64_t v;

	if (at > r->data.n || size > r->data.n - at)
		return 0;
	switch (size) {
	case 1:
		return *p;
	case 2:
		memcpy(&half, p, sizeof(half));
		return r->of->swapped ? __builtin_bswap16(half) : half;
	case 4:
		memcpy(&word, p, sizeof(word));
		return r->of->swapped ? __builtin_bswap32(word) : word;
	case 8:
		memcpy(&v, p, sizeof(v));
		return r->of->swapped ? __builtin_bswap64(v) : v;
	default:
		return 0;
	}
}

/* Where the word at an offset says that a dynamic array is; false: it is empty, or not whole. */
static bool dynamic(const struct phrase_run *r, uint32_t offset, struct span *ret)
{
	uint32_t word = (uint32_t)phrase_load(r, offset, 4), at = word & 0xffff, n = word >> 16;

	*ret = SPAN(r->data.p, 0);
	if (!n || (size_t)at + n > r->data.n)
		return false;
	*ret = SPAN(r->data.p + at, n);
	return true;
}

static uint64_t phrase_value(struct phrase_run *r, const struct phrase_number *n);

static uint64_t divided(struct phrase_run *r, const struct phrase_number *n, uint64_t x)
{
	uint64_t y = phrase_value(r, n->right);

	if (!y) {
		r->failed = true;
		return 0;
	}
	return n->op == PHRASE_DIVIDED ? x / y : x % y;
}

/* Those of two operands. */
static uint64_t combined(struct phrase_run *r, const struct phrase_number *n)
{
	uint64_t x = phrase_value(r, n->left), y;

	if (n->op == PHRASE_DIVIDED || n->op == PHRASE_REMAINDER)
		return divided(r, n, x);
	y = phrase_value(r, n->right);
	switch (n->op) {
	case PHRASE_AND:
		return x && y;
	case PHRASE_OR:
		return x || y;
	case PHRASE_BITS_AND:
		return x & y;
	case PHRASE_BITS_OR:
		return x | y;
	case PHRASE_EQUAL:
		return x == y;
	case PHRASE_UNEQUAL:
		return x != y;
	case PHRASE_LESS:
		return x < y;
	case PHRASE_LESS_EQUAL:
		return x <= y;
	case PHRASE_MORE:
		return x > y;
	case PHRASE_MORE_EQUAL:
		return x >= y;
	case PHRASE_LEFT: /* processors look at six bits */
		return x << (y & 63);
	case PHRASE_RIGHT:
		return x >> (y & 63);
	case PHRASE_PLUS:
		return x + y;
	case PHRASE_MINUS:
		return x - y;
	default:
		return x * y;
	}
}

static uint64_t phrase_value(struct phrase_run *r, const struct phrase_number *n)
{
	struct span s;

	switch (n->op) {
	case PHRASE_CONSTANT:
		return n->value;
	case PHRASE_FIELD:
		return phrase_load(r, n->offset, n->size);
	case PHRASE_ELEMENT: {
		uint64_t i = phrase_value(r, n->left);

		return i < r->data.n ? phrase_load(r, n->offset + i * n->size, n->size) : 0;
	}
	case PHRASE_LENGTH:
		dynamic(r, n->offset, &s);
		return s.n;
	case PHRASE_MASK:
		return phrase_value(r, n->left) & n->value;
	case PHRASE_EITHER:
		return phrase_value(r, phrase_value(r, n->left) ? n->right : n->other);
	case PHRASE_NOT:
		return !phrase_value(r, n->right);
	case PHRASE_INVERSE:
		return ~phrase_value(r, n->right);
	default:
		return combined(r, n);
	}
}

/* ---- printf()'s forms */

static void put_string(struct buf *b, const struct phrase_form *f, const char *s, size_t n)
{
	size_t blanks;

	if (f->precision >= 0 && (size_t)f->precision < n)
		n = (size_t)f->precision;
	blanks = f->width > n ? f->width - n : 0;
	if (!f->left)
		buf_pad(b, ' ', blanks);
	buf_add(b, s, n);
	if (f->left)
		buf_pad(b, ' ', blanks);
}

/* Digits in front of `end`; returns where they begin. */
static char *digits(char *end, const struct phrase_form *f, uint64_t v)
{
	const char *set = f->kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
	unsigned base = f->kind == 'd' || f->kind == 'u' ? 10 : f->kind == 'o' ? 8 : 16;

	for (; v; v /= base)
		*--end = set[v % base];
	return end;
}

/* The sign, or what tells the base, of the value v that has digits. */
static const char *prefix(const struct phrase_form *f, uint64_t v, bool negative)
{
	if (f->kind == 'd')
		return negative ? "-" : "";
	if (!f->alternate || !v || f->kind == 'u' || f->kind == 'o')
		return "";
	return f->kind == 'x' ? "0x" : "0X";
}

static void put_formed(struct buf *b, const struct phrase_form *f, uint64_t v, bool negative)
{
	char text[32], *end = text + sizeof(text), *s = digits(end, f, v);
	const char *front = prefix(f, v, negative);
	size_t n = (size_t)(end - s), zeros = f->precision < 0 ? !n : 0, all;

	if (f->precision >= 0 && (size_t)f->precision > n)
		zeros = (size_t)f->precision - n;
	if (f->kind == 'o' && f->alternate && !zeros)
		zeros = 1;
	all = strlen(front) + zeros + n;
	if (f->zero && !f->left && f->precision < 0 && f->width > all) {
		zeros += f->width - all;
		all = f->width;
	}
	if (!f->left && f->width > all)
		buf_pad(b, ' ', f->width - all);
	buf_str(b, front);
	buf_pad(b, '0', zeros);
	buf_add(b, s, n);
	if (f->left && f->width > all)
		buf_pad(b, ' ', f->width - all);
}

static void put_number(struct buf *b, const struct phrase_form *f, uint64_t v)
{
	bool negative = false;

	if (f->bits < 64)
		v &= ((uint64_t)1 << f->bits) - 1;
	if (f->kind == 'd' && v >> (f->bits - 1)) {
		negative = true;
		v = -v;
		if (f->bits < 64)
			v &= ((uint64_t)1 << f->bits) - 1;
	}
	if (!f->simple) {
		put_formed(b, f, v, negative);
	} else if (f->kind == 'x') {
		buf_hex(b, v);
	} else {
		if (negative)
			buf_char(b, '-');
		buf_dec(b, v, 0, ' ');
	}
}

/* ---- steps */

static void put_hex(struct buf *b, uint64_t v)
{
	buf_add(b, "0x", 2);
	buf_hex(b, v);
}

static void put_flags(struct buf *b, const struct phrase_step *s, uint64_t v)
{
	bool any = false;

	for (size_t i = 0; i < s->n_names && v; i++) {
		const struct phrase_name *f = &s->names[i];

		if (!f->value || (v & f->value) != f->value)
			continue;
		if (any)
			buf_add(b, s->text, s->n);
		put_string(b, &s->form, f->name, f->n);
		any = true;
		v &= ~f->value;
	}
	if (!v)
		return;
	if (any)
		buf_add(b, s->text, s->n);
	put_hex(b, v);
}

static void put_symbol(struct buf *b, const struct phrase_step *s, uint64_t v)
{
	for (size_t i = 0; i < s->n_names; i++)
		if (s->names[i].value == v) {
			put_string(b, &s->form, s->names[i].name, s->names[i].n);
			return;
		}
	put_hex(b, v);
}

static void put_code(struct phrase_run *r, const struct phrase_step *s, uint64_t v)
{
	const struct recording *rec = r->of->rec;
	struct trace_symbol sym;

	if (!rec->ops->symbol || !rec->ops->symbol(rec, v, &sym)) {
		put_hex(r->b, v);
		return;
	}
	buf_str(r->b, sym.name);
	if (s->wide) {
		buf_char(r->b, '+');
		put_hex(r->b, sym.offset);
		if (sym.size) {
			buf_char(r->b, '/');
			put_hex(r->b, sym.size);
		}
	}
	if (sym.module && *sym.module) {
		buf_str(r->b, " [");
		buf_str(r->b, sym.module);
		buf_char(r->b, ']');
	}
}

static void put_text_at(struct phrase_run *r, const struct phrase_step *s, const uint8_t *p)
{
	size_t room = (size_t)(r->data.p + r->data.n - p);

	if (s->kind == PHRASE_STRING && room > s->size)
		room = s->size;
	put_string(r->b, &s->form, (const char *)p, strnlen((const char *)p, room));
}

static void put_steps(struct phrase_run *r, const struct phrase_step *s);

static void put_step(struct phrase_run *r, const struct phrase_step *s)
{
	uint64_t v = s->number ? phrase_value(r, s->number) : 0;
	struct span at;

	switch (s->kind) {
	case PHRASE_TEXT:
		buf_add(r->b, s->text, s->n);
		break;
	case PHRASE_NUMBER:
		put_number(r->b, &s->form, v);
		break;
	case PHRASE_STRING:
		if (s->offset <= r->data.n)
			put_text_at(r, s, r->data.p + s->offset);
		break;
	case PHRASE_DYNAMIC:
		/* the place of a relative one counts from behind the word */
		if (dynamic(r, s->offset, &at) &&
		    (!s->is_relative ||
		     (size_t)(at.p - r->data.p) + s->offset + 4 + at.n <= r->data.n))
			put_text_at(r, s, at.p + (s->is_relative ? s->offset + 4 : 0));
		break;
	case PHRASE_FLAGS:
		put_flags(r->b, s, v);
		break;
	case PHRASE_SYMBOL:
		put_symbol(r->b, s, v);
		break;
	case PHRASE_CODE:
		put_code(r, s, v);
		break;
	case PHRASE_CHOICE:
		put_steps(r, v ? s->yes : s->no);
		break;
	}
}

static void put_steps(struct phrase_run *r, const struct phrase_step *s)
{
	for (; s; s = s->next)
		put_step(r, s);
}

bool phrase_put(const struct phrase *ph, struct buf *b, struct span data)
{
	struct phrase_run r = { .of = ph, .b = b, .data = data };
	size_t start = b->n, n;

	put_steps(&r, ph->first);
	for (n = b->n; n > start && b->s[n - 1] == '\n';)
		n--;
	buf_shrink(b, n);
	return !r.failed;
}
