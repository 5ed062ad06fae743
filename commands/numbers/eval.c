/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eval: a number, computed, in every base.
 */
#include <ctype.h>
#include <string.h>

#include "core/obit.h"
#include "core/base/buf.h"
#include "core/base/quantity.h"
#include "core/linux/task/expr_hooks.h"
#include "core/types/expr.h"
#include "core/types/value.h"

struct eval_opts {
	bool bits, longer;
};
static const struct option opts[] = {
	OPT_FLAG("b", struct eval_opts, bits, "which bits are set, the highest first"),
	OPT_FLAG("l", struct eval_opts, longer,
		 "64 bits: as it always is; crash's way to say so is understood"),
};

enum {
	HEX,
	DECIMAL,
	SIGNED,
	OCTAL,
	BINARY,
	BITS
};

/* "1000  (4KB)": the size in the unit that divides it. */
static void form_hex(struct buf *b, const struct sink *k, const struct record *r,
		     const struct cell *cell)
{
	uint64_t n = cell->u;

	(void)k, (void)r;
	buf_printf(b, "%llx", (unsigned long long)n);
	for (unsigned shift = 30; shift; shift -= 10)
		if (n && !(n & (((uint64_t)1 << shift) - 1))) {
			buf_printf(b, "  (%llu%cB)", (unsigned long long)(n >> shift),
				   "KMG"[shift / 10 - 1]);
			break;
		}
}

static void form_decimal(struct buf *b, const struct sink *k, const struct record *r,
			 const struct cell *cell)
{
	(void)k;
	buf_printf(b, "%llu", (unsigned long long)cell->u);
	if (r->cells[SIGNED].kind != CELL_NULL)
		buf_printf(b, "  (%lld)", (long long)r->cells[SIGNED].i);
}

static const struct record_field fields[] = {
	[HEX] = { "hexadecimal", "hexadecimal", CELL_HEX, 0, "with its size in KB, MB or GB",
		  .text = form_hex },
	[DECIMAL] = { "decimal", "decimal", CELL_UINT, 0, "with what it is as a signed number",
		      .text = form_decimal },
	[SIGNED] = { "signed", NULL, CELL_INT, FIELD_JSON,
		     "as a signed number, where that is negative" },
	[OCTAL] = { "octal", "octal", CELL_STR, 0, "digits" },
	[BINARY] = { "binary", "binary", CELL_STR, 0, "64 digits" },
	[BITS] = { "bits", "bits set", CELL_STR, 0,
		   "numbers of the bits that are set; only with -b" },
};
static const struct record_kind number_kind = { "number",     "a number in every base",
						LAYOUT_PAIRS, NULL,
						fields,       BITS };
static const struct record_kind bits_kind = { "number",     "a number, with its bits (-b)",
					      LAYOUT_PAIRS, NULL,
					      fields,       ARRAY_SIZE(fields) };
/* The length of a word of letters, digits and '_'. */
static size_t word_len(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

/* Appends a word of the expression: "4k" as a product, "ffff8880" as the hexadecimal number that it
 * is unless a symbol has that name, all else as it stands. */
static void word_add(struct ctx *c, struct buf *b, const char *word, size_t n)
{
	static const char units[] = "kmg";
	const char *unit = strchr(units, tolower((unsigned char)word[n - 1]));
	size_t digits = strspn(word, "0123456789"), hex = strspn(word, "0123456789abcdefABCDEF");
	const char *name = arena_strndup(c->arena, word, n);
	struct symbol sym;
	struct err ignored;

	if (digits && digits == n - 1 && unit)
		buf_printf(b, "(%.*sul << %d)", (int)digits, word, (int)(unit - units + 1) * 10);
	else if (hex == n && digits < n && !expr_local(c->t, name) &&
		 !(symbols_available(c->t) && symbol_find(c->t, name, &sym, &ignored)))
		buf_printf(b, "0x%sul", name);
	else
		buf_add(b, word, n);
}

static bool eval_value(struct ctx *c, const char *text, uint64_t *ret, struct err *err)
{
	struct buf b = { 0 };
	struct value v;
	bool ok;

	while (*text) {
		size_t n = word_len(text);

		/* what follows a quote or a member's dot is no number */
		if (n && (b.n == 0 || !strchr(".>'\"$", b.s[b.n - 1])))
			word_add(c, &b, text, n);
		else
			buf_add(&b, text, n ? n : 1);
		text += n ? n : 1;
	}
	ok = expr_eval(c->t, buf_text(&b), &expr_percpu, &v, err) &&
	     (type_is_signed(v.type) ? value_s64(c->t, v, (int64_t *)ret, err)
				     : value_u64(c->t, v, ret, err));
	buf_release(&b);
	return ok;
}

static void fill_digits(struct ctx *c, struct record *r, uint64_t n, bool bits)
{
	char binary[65] = { 0 };
	struct buf b = { 0 };

	for (unsigned i = 0; i < 64; i++)
		binary[i] = n >> (63 - i) & 1 ? '1' : '0';
	record_str(r, OCTAL, arena_printf(c->arena, "%llo", (unsigned long long)n));
	record_str(r, BINARY, arena_strndup(c->arena, binary, 64));
	for (unsigned i = 64; bits && i--;)
		if (n >> i & 1)
			buf_printf(&b, "%s%u", b.n ? " " : "", i);
	if (bits)
		record_str(r, BITS, b.n ? arena_strndup(c->arena, b.s, b.n) : "none");
	buf_release(&b);
}

static bool eval_run(struct ctx *c, struct err *err)
{
	const struct eval_opts *o = c->opts;
	struct record r;
	uint64_t n;

	if (!c->argc)
		return err_set(err, ERR_USAGE, "a number or an expression is wanted");
	if (!eval_value(c, c->rest, &n, err))
		return false;
	record_init(&r, o->bits ? &bits_kind : &number_kind);
	record_uint(&r, HEX, n);
	record_uint(&r, DECIMAL, n);
	if ((int64_t)n < 0)
		record_int(&r, SIGNED, (int64_t)n);
	fill_digits(c, &r, n, o->bits);
	emit(c, &r);
	return true;
}

static const struct example examples[] = {
	{ "eval 1m + 4k", "with k, m and g behind decimal numbers" },
	{ "eval -b ffff8880", "which bits a hexadecimal number has" },
	{ "eval (1 << 20) - 1", "in C's order" },
};
const struct command cmd_eval = {
	.name = "eval",
	.group = "numbers",
	.summary = "a number in hexadecimal, decimal, octal and binary",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.operands = "expression",
	.expression = true,
	OPTS(opts),
	.opts_size = sizeof(struct eval_opts),
	.emits = (const struct record_kind *const[]){ &bits_kind, NULL },
	.help = "Computes an expression as p takes it, in 64 bits. A number may have k, m or g behind it, and one with a "
		"letter of a to f among its digits is hexadecimal.\n\n"
		"In crash a word behind a parenthesis is lost: there (1 << 20) - 1 is 100000.",
	EXAMPLES(examples),
	.run = eval_run,
};
