/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows in aligned columns: the first ones set the widths, the others stream. */
#include <string.h>

#include "core/shell/render/paint.h"
#include "core/shell/render/table.h"

#define GAP 2 /* blanks between columns */

void table_column(struct text_table *t, const char *head, bool right)
{
	size_t n = strlen(head);

	*vec_push(&t->columns) = (struct table_column){ n, right };
	buf_add(&t->waiting, head, n);
	*vec_push(&t->lengths) = (uint32_t)n;
}

struct buf *table_open(struct text_table *t, struct buf *out)
{
	struct buf *to = t->streams ? out : &t->row;

	if (t->streams) {
		if (!t->column)
			t->start = out->n;
		t->margin = t->blanks + (t->column ? GAP : 0);
		if (t->margin)
			buf_pad(out, ' ', t->margin);
	}
	t->cell = to->n;
	return to;
}

/* Sets the cell that streams in its column. */
static void set_cell(struct text_table *t, const struct table_column *c, size_t n, struct buf *out)
{
	size_t pad = c->width > n ? c->width - n : 0;

	t->blanks = c->right ? 0 : pad;
	if (!c->right || !pad)
		return;
	buf_pad(out, ' ', pad);
	if (out->cut)
		return;
	memmove(out->s + t->cell + pad, out->s + t->cell, n);
	memset(out->s + t->cell, ' ', pad);
}

void table_close(struct text_table *t, struct buf *out)
{
	struct buf *to = t->streams ? out : &t->row;
	size_t n = to->n - t->cell, width = n < TABLE_WIDTH ? n : TABLE_WIDTH;
	struct table_column *c;

	if (t->column == t->columns.n) {
		buf_shrink(to, t->streams ? t->cell - t->margin : t->cell);
		return;
	}
	c = &t->columns.p[t->column++];
	if (c->width < width)
		c->width = width;
	if (t->streams)
		set_cell(t, c, n, out);
	else
		*vec_push(&t->row_lengths) = (uint32_t)n;
}

/* Ends a line that begins at `start`; blanks at its end are left away. */
static void end_line(struct buf *out, size_t start)
{
	size_t n = out->n;

	while (n > start && out->s[n - 1] == ' ')
		n--;
	buf_shrink(out, n);
	buf_char(out, '\n');
}

/* Appends a line of cells, whose lengths are those of the columns. */
static void print(const struct text_table *t, const char *cells, const uint32_t *lengths,
		  struct buf *out)
{
	size_t start = out->n;

	for (size_t i = 0; i < t->columns.n; i++) {
		size_t width = t->columns.p[i].width,
		       pad = width > lengths[i] ? width - lengths[i] : 0;

		if (i)
			buf_pad(out, ' ', GAP);
		if (t->columns.p[i].right)
			buf_pad(out, ' ', pad);
		buf_add(out, cells, lengths[i]);
		if (!t->columns.p[i].right)
			buf_pad(out, ' ', pad);
		cells += lengths[i];
	}
	end_line(out, start);
}

/* Prints what waits, the head in front. */
static void print_waiting(struct text_table *t, struct buf *out)
{
	const char *cells = buf_text(&t->waiting);

	for (size_t i = 0, row = 0; i < t->lengths.n; i += t->columns.n, row++) {
		size_t start = out->n;

		if (i || !t->headless)
			print(t, cells, t->lengths.p + i, out);
		if (t->colour)
			paint(out, start,
			      row ? (enum meaning)t->meanings.p[row - 1] : MEANING_HEADING);
		for (size_t k = 0; k < t->columns.n; k++)
			cells += t->lengths.p[i + k];
	}
	buf_reset(&t->waiting);
	t->lengths.n = t->meanings.n = 0;
}

void table_row(struct text_table *t, struct buf *out)
{
	if (t->streams) {
		size_t start = t->column ? t->start : out->n;

		end_line(out, start);
		if (t->colour)
			paint(out, start, t->meaning);
	} else {
		while (t->row_lengths.n < t->columns.n)
			*vec_push(&t->row_lengths) = 0;
		buf_add(&t->waiting, t->row.s, t->row.n);
		for (size_t i = 0; i < t->row_lengths.n; i++)
			*vec_push(&t->lengths) = t->row_lengths.p[i];
		buf_reset(&t->row);
		t->row_lengths.n = 0;
		*vec_push(&t->meanings) = (uint8_t)t->meaning;
		t->streams = t->rows == TABLE_ROWS || t->waiting.n > TABLE_BYTES;
		if (t->streams)
			print_waiting(t, out);
	}
	t->rows++;
	t->column = t->blanks = 0;
}

void table_end(struct text_table *t, struct buf *out)
{
	if (t->rows && !t->streams)
		print_waiting(t, out);
}

void table_reset(struct text_table *t)
{
	t->columns.n = t->lengths.n = t->row_lengths.n = t->meanings.n = 0;
	buf_reset(&t->waiting);
	buf_reset(&t->row);
	t->rows = t->column = t->blanks = 0;
	t->headless = t->streams = t->colour = false;
	t->meaning = MEANING_NONE;
}

void table_release(struct text_table *t)
{
	vec_release(&t->columns);
	vec_release(&t->lengths);
	vec_release(&t->row_lengths);
	vec_release(&t->meanings);
	buf_release(&t->waiting);
	buf_release(&t->row);
}
