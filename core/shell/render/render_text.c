/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records as text for people: aligned tables, lines by a template, labelled pairs, C values. */
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/vec.h"
#include "core/shell/render/cell.h"

/* More rows than this are laid out in several goes, so that no table grows without bound. */
#define TABLE_ROWS_MAX 20000

struct text_state {
	const struct record_kind *kind; /* of the pending table, or of the record printed last */
	struct libscols_table *table;   /* NULL: none pending */
	size_t rows;
	bool headed;       /* the table's head was printed by an earlier go, or is not wanted */
	struct buf notes;  /* notes that came while a table was pending: printed behind it */
	bool pairs_before; /* the last thing printed was a block of pairs */
	/* lines of a kind's own, as it wrote them and as they are shown: kept, for there may be
	 * millions of them */
	struct buf own, shown;
};

static struct text_state *state_of(struct sink *k)
{
	if (!k->state) {
		k->state = xrealloc(NULL, sizeof(struct text_state));
		memset(k->state, 0, sizeof(struct text_state));
	}
	return k->state;
}

static const char *field_head(const struct record_field *f, char *buf, size_t size)
{
	size_t i = 0;

	if (f->head)
		return f->head;
	for (; f->name[i] && i + 1 < size; i++)
		buf[i] = f->name[i] >= 'a' && f->name[i] <= 'z' ? (char)(f->name[i] - 32)
			 : f->name[i] == '_'                    ? ' '
								: f->name[i];
	buf[i] = '\0';
	return buf;
}

static bool field_shown(const struct record_field *f)
{
	return !(f->flags & FIELD_JSON);
}

static bool table_start(struct text_state *st, const struct record_kind *kind)
{
	struct libscols_table *tb = scols_new_table();

	if (!tb)
		return false;
	/* never cut to the terminal's width: what is printed is evidence */
	scols_table_set_termforce(tb, SCOLS_TERMFORCE_NEVER);
	scols_table_enable_noheadings(tb, st->headed);
	scols_table_enable_noencoding(tb, 1); /* the cells are plain */
	scols_table_set_column_separator(tb, "  ");
	for (size_t i = 0; i < kind->n_fields; i++) {
		const struct record_field *f = &kind->fields[i];
		char head[64];
		int flags = f->flags & FIELD_RIGHT ? SCOLS_FL_RIGHT : 0;

		if (field_shown(f) &&
		    !scols_table_new_column(tb, field_head(f, head, sizeof(head)), 0, flags)) {
			scols_unref_table(tb);
			return false;
		}
	}
	st->table = tb;
	st->kind = kind;
	return true;
}

/* Takes blanks from the ends of lines, in place. */
static size_t trim_lines(char *s, size_t n)
{
	size_t out = 0;

	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\n')
			while (out && s[out - 1] == ' ')
				out--;
		s[out++] = s[i];
	}
	while (out && s[out - 1] == ' ')
		out--;
	return out;
}

/* Prints the pending table, and the notes that waited for its end. */
static void table_flush(struct sink *k)
{
	struct text_state *st = state_of(k);
	char *text = NULL;

	if (st->table) {
		if (st->rows && !scols_print_table_to_string(st->table, &text) && text) {
			size_t n = trim_lines(text, strlen(text));

			k->write(k->self, text, n);
			if (n && text[n - 1] != '\n')
				k->write(k->self, "\n", 1);
		}
		free(text);
		scols_unref_table(st->table);
		st->headed = st->rows != 0;
	}
	st->table = NULL;
	st->rows = 0;
	if (st->notes.n)
		k->write(k->self, st->notes.s, st->notes.n);
	buf_reset(&st->notes);
}

/* Table cells are ASCII: libsmartcols counts columns by the locale, and a character that the locale
 * does not know sends it round for ever. */
static void cell_plain(struct buf *to, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if ((unsigned char)s[i] >= 0x80)
			buf_printf(to, "\\x%02x", (unsigned char)s[i]);
		else
			buf_char(to, s[i]);
	}
}

/* A struct in a cell: on one line, without its type, which would be the same in each row. */
static void table_cell(struct buf *b, struct sink *k, const struct record *r,
		       const struct record_field *f, const struct cell *cell)
{
	struct value_style old = k->style;

	k->style.flat = k->style.labelled = true;
	cell_to_text(b, k, r, f, cell);
	k->style = old;
}

static void table_row(struct sink *k, const struct record *r)
{
	struct text_state *st = state_of(k);
	struct libscols_line *ln;
	struct buf b = { 0 }, plain = { 0 };
	size_t col = 0;

	if (st->rows >= TABLE_ROWS_MAX)
		table_flush(k);
	if (!st->table) {
		st->headed |= r->headless;
		if (!table_start(st, r->kind))
			return;
	}
	ln = scols_table_new_line(st->table, NULL);
	if (!ln)
		return;
	for (size_t i = 0; i < r->kind->n_fields && i < RECORD_FIELDS_MAX; i++) {
		if (!field_shown(&r->kind->fields[i]))
			continue;
		buf_reset(&b);
		table_cell(&b, k, r, &r->kind->fields[i], &r->cells[i]);
		buf_reset(&plain);
		cell_plain(&plain, buf_text(&b), b.n);
		if (scols_line_set_data(ln, col++, buf_text(&plain)))
			break;
	}
	buf_release(&b);
	buf_release(&plain);
	st->rows++;
}

static void line_print(struct sink *k, const struct record *r)
{
	struct buf b = { 0 };

	buf_pad(&b, ' ', r->indent);
	template_render(&b, k, r, r->kind->line);
	buf_char(&b, '\n');
	k->write(k->self, b.s, b.n);
	buf_release(&b);
}

/* Strings of a field that wants each on a line of its own. */
static void lines_add(struct buf *b, struct sink *k, const struct record *r,
		      const struct record_field *f, const struct cell *c)
{
	for (size_t i = 0; i < c->strs.n; i++) {
		struct cell one = *c;

		one.strs.v += i;
		one.strs.n = 1;
		if (i)
			buf_char(b, '\n');
		cell_to_text(b, k, r, f, &one);
	}
}

/* "       LABEL: text", further lines of the text below the first. */
static void pairs_print(struct sink *k, const struct record *r)
{
	struct text_state *st = state_of(k);
	struct buf b = { 0 }, cell = { 0 };
	size_t width = 0;
	char head[64];

	if (st->pairs_before)
		buf_char(&b, '\n');
	for (size_t i = 0; i < r->kind->n_fields; i++) {
		size_t n = strlen(field_head(&r->kind->fields[i], head, sizeof(head)));

		if (field_shown(&r->kind->fields[i]) && n > width)
			width = n;
	}
	for (size_t i = 0; i < r->kind->n_fields && i < RECORD_FIELDS_MAX; i++) {
		const char *label = field_head(&r->kind->fields[i], head, sizeof(head)), *s;

		if (!field_shown(&r->kind->fields[i]))
			continue;
		buf_reset(&cell);
		if (r->kind->fields[i].flags & FIELD_LINES && !r->kind->fields[i].text &&
		    r->cells[i].kind == CELL_STRS)
			lines_add(&cell, k, r, &r->kind->fields[i], &r->cells[i]);
		else
			cell_to_text(&cell, k, r, &r->kind->fields[i], &r->cells[i]);
		buf_pad(&b, ' ', width - strlen(label));
		buf_printf(&b, "%s: ", label);
		for (s = buf_text(&cell); strchr(s, '\n'); s = strchr(s, '\n') + 1) {
			buf_add(&b, s, strcspn(s, "\n") + 1);
			buf_pad(&b, ' ', width + 2);
		}
		buf_str(&b, s);
		buf_char(&b, '\n');
	}
	k->write(k->self, b.s, trim_lines(b.s, b.n));
	buf_release(&b);
	buf_release(&cell);
	st->pairs_before = true;
}

static void tree_print(struct sink *k, const struct record *r)
{
	struct buf b = { 0 };

	if (r->kind->line) {
		template_render(&b, k, r, r->kind->line);
	} else {
		for (size_t i = 0; i < r->kind->n_fields && i < RECORD_FIELDS_MAX; i++)
			if (r->kind->fields[i].kind == CELL_VALUE &&
			    field_shown(&r->kind->fields[i]))
				cell_to_text(&b, k, r, &r->kind->fields[i], &r->cells[i]);
	}
	buf_char(&b, '\n');
	k->write(k->self, b.s, b.n);
	buf_release(&b);
}

static void own_print(struct sink *k, const struct record *r)
{
	struct text_state *st = state_of(k);

	buf_reset(&st->own);
	r->kind->text(&st->own, k, r, NULL);
	buf_reset(&st->shown);
	buf_plain_lines(&st->shown, buf_text(&st->own), st->own.n);
	if (st->shown.n)
		k->write(k->self, st->shown.s, st->shown.n);
}

static void text_record(struct sink *k, const struct record *r)
{
	struct text_state *st = state_of(k);

	if (r->kind->layout == LAYOUT_NONE)
		return;
	if (st->table && st->kind != r->kind)
		table_flush(k);
	if (st->kind != r->kind || r->kind->layout != LAYOUT_PAIRS) {
		st->headed = st->kind == r->kind && st->headed;
		st->pairs_before = false;
	}
	st->kind = r->kind;
	switch (r->kind->layout) {
	case LAYOUT_TABLE:
		table_row(k, r);
		break;
	case LAYOUT_LINE:
		line_print(k, r);
		break;
	case LAYOUT_PAIRS:
		pairs_print(k, r);
		break;
	case LAYOUT_TREE:
		tree_print(k, r);
		break;
	case LAYOUT_OWN:
		own_print(k, r);
		break;
	case LAYOUT_NONE:
		break;
	}
}

static void text_note(struct sink *k, const struct err *why)
{
	struct text_state *st = state_of(k);
	struct buf b = { 0 }, *to = st->table ? &st->notes : &b;

	buf_str(to, k->colour ? "\033[2mnote: " : "note: ");
	buf_plain(to, why->msg, strlen(why->msg));
	buf_str(to, k->colour ? "\033[0m\n" : "\n");
	if (to == &b)
		k->write(k->self, b.s, b.n);
	buf_release(&b);
}

static void text_text(struct sink *k, const char *s)
{
	size_t n = strlen(s);
	struct buf b = { 0 };

	table_flush(k);
	buf_plain_lines(&b, s, n);
	if (!n || s[n - 1] != '\n')
		buf_char(&b, '\n');
	k->write(k->self, b.s, b.n);
	buf_release(&b);
}

static void text_flush(struct sink *k)
{
	struct text_state *st = state_of(k);

	table_flush(k);
	st->kind = NULL;
	st->headed = st->pairs_before = false;
}

static void text_release(struct sink *k)
{
	struct text_state *st = k->state;

	if (!st)
		return;
	if (st->table)
		scols_unref_table(st->table);
	buf_release(&st->notes);
	buf_release(&st->own);
	buf_release(&st->shown);
	free(st);
	k->state = NULL;
}

const struct sink_ops render_text = {
	.for_people = true,
	.record = text_record,
	.note = text_note,
	.text = text_text,
	.flush = text_flush,
	.release = text_release,
};
