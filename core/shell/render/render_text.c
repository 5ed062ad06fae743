/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records as text for people: aligned tables, lines by a template, labelled pairs, C values. */
#include <stdlib.h>
#include <string.h>

#include "core/shell/render/cell.h"
#include "core/shell/render/paint.h"
#include "core/shell/render/table.h"

struct text_state {
	const struct record_kind *kind; /* of the pending table, or of the record printed last */
	struct text_table table;        /* without columns: none pending */
	bool headed;       /* the table's head was printed by an earlier go, or is not wanted */
	struct buf notes;  /* notes that came while a table was pending: printed behind it */
	bool pairs_before; /* the last thing printed was a block of pairs */
	/* lines of a kind's own, as it wrote them and as they are shown: kept, for there may be
	 * millions of them */
	struct buf own, shown;
	struct buf rows; /* of a table, kept for the same reason */
};

static struct text_state *state_of(struct sink *k)
{
	if (!k->state) {
		k->state = xrealloc(NULL, sizeof(struct text_state));
		memset(k->state, 0, sizeof(struct text_state));
	}
	return k->state;
}

/* Hands finished text of a record on; r may be NULL. What b holds afterwards is undefined. */
static void put(struct sink *k, struct buf *b, const struct record *r, enum meaning meaning)
{
	if (!b->n)
		return;
	if (k->links && r)
		paint_link(b, k, r);
	if (k->colour)
		paint(b, 0, meaning);
	if (k->ascii)
		paint_ascii(b);
	k->write(k->self, b->s, b->n);
}

static void put_record(struct sink *k, struct buf *b, const struct record *r)
{
	enum meaning m = r->meaning;

	put(k, b, r, m == MEANING_NONE && r->kind->is_heading ? MEANING_HEADING : m);
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

static bool table_pends(const struct text_state *st)
{
	return st->table.columns.n;
}

static void table_start(struct sink *k, struct text_state *st, const struct record_kind *kind)
{
	st->table.headless = st->headed;
	st->table.colour = k->colour;
	if (k->head && !st->headed)
		k->head(k->self);
	for (size_t i = 0; i < kind->n_fields; i++) {
		const struct record_field *f = &kind->fields[i];
		char head[64];

		if (field_shown(f))
			table_column(&st->table, field_head(f, head, sizeof(head)),
				     f->flags & FIELD_RIGHT);
	}
	st->kind = kind;
}

static void rows_write(struct sink *k, struct text_state *st)
{
	if (st->rows.n)
		k->write(k->self, st->rows.s, st->rows.n);
	buf_reset(&st->rows);
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

/* Prints what is left of the pending table, and the notes that waited for its end. */
static void table_flush(struct sink *k)
{
	struct text_state *st = state_of(k);

	if (table_pends(st)) {
		table_end(&st->table, &st->rows);
		rows_write(k, st);
		st->headed = st->table.rows != 0;
		table_reset(&st->table);
	}
	put(k, &st->notes, NULL, MEANING_NOTE);
	buf_reset(&st->notes);
}

/* Cells of a table are ASCII, so that each byte takes one column of any screen: makes that of what
 * b has from `start` on. */
static void cell_plain(struct buf *b, size_t start)
{
	static const char hex[] = "0123456789abcdef";
	size_t n = b->n, strange = 0;

	for (size_t i = start; i < n; i++)
		strange += (unsigned char)b->s[i] >= 0x80;
	if (!strange)
		return;
	buf_pad(b, ' ', strange * 3);
	for (size_t from = n, to = b->n; from > start && to > from;) {
		unsigned char c = (unsigned char)b->s[--from];

		if (c < 0x80) {
			b->s[--to] = (char)c;
		} else {
			b->s[--to] = hex[c & 15];
			b->s[--to] = hex[c >> 4];
			b->s[--to] = 'x';
			b->s[--to] = '\\';
		}
	}
}

static void row_begin(struct sink *k, struct text_state *st, const struct record_kind *kind,
		      bool headless)
{
	if (table_pends(st))
		return;
	st->headed |= headless;
	table_start(k, st, kind);
}

static void row_end(struct sink *k, struct text_state *st, enum meaning meaning)
{
	st->table.meaning = meaning;
	table_row(&st->table, &st->rows);
	rows_write(k, st);
}

/* A struct in a cell: on one line, without its type, which would be the same in each row. Returns
 * what the style was. */
static struct value_style row_style(struct sink *k)
{
	struct value_style old = k->style;

	k->style.flat = k->style.labelled = true;
	return old;
}

/* Appends the text of a cell to b. */
static void row_cell(struct buf *b, struct sink *k, const struct record *r, size_t i)
{
	size_t start = b->n;

	cell_to_text(b, k, r, &r->kind->fields[i], &r->cells[i]);
	cell_plain(b, start);
}

static void table_record(struct sink *k, const struct record *r)
{
	struct text_state *st = state_of(k);
	struct value_style old = row_style(k);

	row_begin(k, st, r->kind, r->headless);
	for (size_t i = 0; i < r->kind->n_fields && i < RECORD_FIELDS_MAX; i++) {
		if (!field_shown(&r->kind->fields[i]))
			continue;
		row_cell(table_open(&st->table, &st->rows), k, r, i);
		table_close(&st->table, &st->rows);
	}
	row_end(k, st, r->meaning);
	k->style = old;
}

/* What a row means, and its cells, each behind its length. */
static void row_make(struct sink *k, const struct record *r, struct buf *to)
{
	struct value_style old = row_style(k);

	buf_char(to, (char)r->meaning);
	for (size_t i = 0; i < r->kind->n_fields && i < RECORD_FIELDS_MAX; i++) {
		size_t at = to->n;
		uint32_t n = 0;

		if (!field_shown(&r->kind->fields[i]))
			continue;
		buf_add(to, &n, sizeof(n));
		row_cell(to, k, r, i);
		n = (uint32_t)(to->n - at - sizeof(n));
		if (!to->cut)
			memcpy(to->s + at, &n, sizeof(n));
	}
	k->style = old;
}

static void row_made(struct sink *k, const struct record_kind *kind, bool headless, const char *s,
		     size_t n)
{
	struct text_state *st = state_of(k);
	enum meaning meaning = n ? (enum meaning)(unsigned char)*s : MEANING_NONE;
	const char *end = s + n;
	uint32_t len;

	row_begin(k, st, kind, headless);
	for (s += n != 0; (size_t)(end - s) >= sizeof(len); s += len) {
		memcpy(&len, s, sizeof(len));
		s += sizeof(len);
		if (len > (size_t)(end - s))
			break;
		buf_add(table_open(&st->table, &st->rows), s, len);
		table_close(&st->table, &st->rows);
	}
	row_end(k, st, meaning);
}

static void line_print(struct sink *k, const struct record *r)
{
	struct buf b = { 0 };

	buf_pad(&b, ' ', r->indent);
	template_render(&b, k, r, r->kind->line);
	buf_char(&b, '\n');
	put_record(k, &b, r);
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
	buf_shrink(&b, trim_lines(b.s, b.n));
	put_record(k, &b, r);
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
	put_record(k, &b, r);
	buf_release(&b);
}

static void own_print(struct sink *k, const struct record *r)
{
	struct text_state *st = state_of(k);

	buf_reset(&st->own);
	r->kind->text(&st->own, k, r, NULL);
	buf_reset(&st->shown);
	buf_plain_lines(&st->shown, buf_text(&st->own), st->own.n);
	put_record(k, &st->shown, r);
}

/* A record of the kind comes next. */
static void turn_to(struct sink *k, const struct record_kind *kind)
{
	struct text_state *st = state_of(k);

	if (table_pends(st) && st->kind != kind)
		table_flush(k);
	if (st->kind != kind || kind->layout != LAYOUT_PAIRS) {
		st->headed = st->kind == kind && st->headed;
		st->pairs_before = false;
	}
	st->kind = kind;
}

static void text_record(struct sink *k, const struct record *r)
{
	if (r->kind->layout == LAYOUT_NONE)
		return;
	turn_to(k, r->kind);
	switch (r->kind->layout) {
	case LAYOUT_TABLE:
		table_record(k, r);
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
	struct buf b = { 0 }, *to = table_pends(st) ? &st->notes : &b;

	buf_str(to, "note: ");
	buf_plain(to, why->msg, strlen(why->msg));
	buf_char(to, '\n');
	if (to == &b)
		put(k, &b, NULL, MEANING_NOTE);
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
	put(k, &b, NULL, MEANING_NONE);
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
	table_release(&st->table);
	buf_release(&st->notes);
	buf_release(&st->own);
	buf_release(&st->shown);
	buf_release(&st->rows);
	free(st);
	k->state = NULL;
}

/* All but rows of tables are the same wherever they stand, as if nothing stood before them. */
static void text_make(struct sink *k, const struct record *r, struct buf *to)
{
	struct sink into = *k;

	if (r->kind->layout == LAYOUT_TABLE) {
		row_make(k, r, to);
		return;
	}
	into.write = buf_write;
	into.self = to;
	into.state = NULL;
	text_record(&into, r);
	text_release(&into);
}

static void text_made(struct sink *k, const struct record_kind *kind, bool headless, const char *s,
		      size_t n)
{
	struct text_state *st = state_of(k);

	if (kind->layout == LAYOUT_NONE)
		return;
	turn_to(k, kind);
	if (kind->layout == LAYOUT_TABLE) {
		row_made(k, kind, headless, s, n);
		return;
	}
	if (st->pairs_before)
		k->write(k->self, "\n", 1);
	if (n)
		k->write(k->self, s, n);
	st->pairs_before = kind->layout == LAYOUT_PAIRS;
}

const struct sink_ops render_text = {
	.for_people = true,
	.record = text_record,
	.note = text_note,
	.text = text_text,
	.flush = text_flush,
	.release = text_release,
	.make = text_make,
	.made = text_made,
};
