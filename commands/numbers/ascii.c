/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ascii: the characters in a word, or all there are.
 */
#include "core/obit.h"
#include "core/base/buf.h"
#include "core/image/target.h"

enum {
	WORD,
	TEXT
};
static const struct record_field fields[] = {
	[WORD] = { "word", NULL, CELL_ADDR, 0, "the number" },
	[TEXT] = { "text", NULL, CELL_STR, 0, "its bytes as they lie in memory" },
};
static const struct record_kind ascii_kind = { "ascii",     "the characters in a word",
					       LAYOUT_LINE, "{word}: {text}",
					       fields,      ARRAY_SIZE(fields) };
static const struct record_field row_fields[] = {
	{ "text", NULL, CELL_STR, 0, "a row of the table of characters" },
};
static const struct record_kind row_kind = { "ascii_row", "a row of the table of characters",
					     LAYOUT_LINE, "{text}",
					     row_fields,  ARRAY_SIZE(row_fields) };

/* Appends a character as ASCII names it: "<NUL>" for what does not print. */
static void char_add(struct buf *b, uint8_t c, bool brackets)
{
	static const char names[33][4] = { "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK",
					   "BEL", "BS",  "HT",  "LF",  "VT",  "FF",  "CR",
					   "SO",  "SI",  "DLE", "DC1", "DC2", "DC3", "DC4",
					   "NAK", "SYN", "ETB", "CAN", "EM",  "SUB", "ESC",
					   "FS",  "GS",  "RS",  "US",  "SP" };
	const char *open = brackets ? "<" : "", *close = brackets ? ">" : "";

	if (c < ' ' || (c == ' ' && !brackets))
		buf_printf(b, "%s%s%s", open, names[c], close);
	else if (c == 0x7f)
		buf_printf(b, "%sDEL%s", open, close);
	else if (c > 0x7f)
		buf_printf(b, "%s%02x%s", open, c, close);
	else
		buf_char(b, (char)c);
}

static void emit_row(struct ctx *c, struct buf *b)
{
	struct record r;

	record_init(&r, &row_kind);
	record_str(&r, 0, arena_strndup(c->arena, b->s, b->n));
	emit(c, &r);
	buf_reset(b);
}

static void emit_table(struct ctx *c)
{
	struct buf b = { 0 }, name = { 0 };

	buf_str(&b, "      0    1    2    3    4    5    6    7");
	emit_row(c, &b);
	for (unsigned low = 0; low < 16; low++) {
		buf_printf(&b, "%X |", low);
		for (unsigned high = 0; high < 8; high++) {
			buf_reset(&name);
			char_add(&name, (uint8_t)(high * 16 + low), false);
			buf_printf(&b, "%5s", buf_text(&name));
		}
		emit_row(c, &b);
	}
	buf_release(&b);
	buf_release(&name);
}

static void emit_word(struct ctx *c, uint64_t n)
{
	unsigned bytes = c->t->arch ? c->t->arch->word : 8;
	bool big = c->t->arch && target_big(c->t);
	struct buf b = { 0 };
	struct record r;

	for (unsigned i = 0; i < bytes; i++)
		char_add(&b, (uint8_t)(n >> 8 * (big ? bytes - 1 - i : i)), true);
	record_init(&r, &ascii_kind);
	record_uint(&r, WORD, n);
	record_str(&r, TEXT, arena_strndup(c->arena, b.s, b.n));
	emit(c, &r);
	buf_release(&b);
}

static bool ascii_run(struct ctx *c, struct err *err)
{
	uint64_t n;

	if (!c->argc)
		emit_table(c);
	for (int i = 0; i < c->argc; i++) {
		if (!parse_number(c->argv[i], true, &n) ||
		    (c->t->arch && c->t->arch->word == 4 && n > UINT32_MAX))
			return err_set(err, ERR_USAGE, "'%.60s' is no hexadecimal word",
				       c->argv[i]);
		emit_word(c, n);
	}
	return true;
}

static const struct example examples[] = {
	{ "ascii 62696c2f7273752f", "the text in a word" },
	{ "ascii", "all characters by their numbers" },
};
const struct command cmd_ascii = {
	.name = "ascii",
	.group = "numbers",
	.summary = "characters in a word",
	.operands = "[word]...",
	.emits = (const struct record_kind *const[]){ &ascii_kind, &row_kind, NULL },
	.help = "Words are hexadecimal; their bytes are shown as they lie in the dead kernel's memory. Without a word, the "
		"table of all characters.",
	EXAMPLES(examples),
	.run = ascii_run,
};
