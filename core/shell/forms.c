/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forms of text that records of several commands share, and lines for people between records. */
#include "core/shell/forms.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/quantity.h"

#define BAR_WIDTH 40u

void form_source(struct buf *b, const struct sink *k, const struct record *r,
		 const struct cell *cell)
{
	(void)k, (void)r;
	if (cell->kind == CELL_NULL) {
		buf_char(b, '-');
		return;
	}
	buf_add(b, cell->str.s, cell->str.n);
	buf_printf(b, ": %" PRIu64, cell[1].kind == CELL_NULL ? 0 : cell[1].u);
}

void form_micros(struct buf *b, const struct sink *k, const struct record *r,
		 const struct cell *cell)
{
	(void)k, (void)r;
	if (cell->kind == CELL_NULL)
		buf_char(b, '-');
	else
		buf_micros(b, cell->u);
}

void form_bar(struct buf *b, const struct sink *k, const struct record *r, const struct cell *cell)
{
	const struct bar *bar = r->of;

	(void)k, (void)cell;
	buf_pad(b, '@', (size_t)((bar->n * BAR_WIDTH + bar->most - 1) / bar->most));
}

enum {
	HEADING_TEXT
};
static const struct record_field heading_fields[] = {
	[HEADING_TEXT] = { "text", NULL, CELL_STR, 0, "a line for people" },
};
static const struct record_kind heading_kind = {
	.name = "heading",
	.layout = LAYOUT_LINE,
	.line = "{text}",
	.fields = heading_fields,
	.n_fields = 1,
	.is_heading = true,
};

void emit_heading(struct ctx *c, const char *text)
{
	struct record r;

	record_init(&r, &heading_kind);
	record_str(&r, HEADING_TEXT, text);
	emit(c, &r);
}

void emit_lines(struct ctx *c, const struct record_kind *kind, const char *text)
{
	for (const char *nl; *text; text = nl + (*nl == '\n')) {
		struct record r;

		nl = strchrnul(text, '\n');
		record_init(&r, kind);
		record_strn(&r, 0, text, (size_t)(nl - text));
		emit(c, &r);
	}
}
