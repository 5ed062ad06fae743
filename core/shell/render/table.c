/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows in aligned columns: the first ones set the widths, the others stream. */
#include <string.h>

#include "core/shell/render/table.h"

#define GAP 2 /* blanks between columns */

void table_column(struct text_table *t, const char *head, bool right)
{
	size_t n = strlen(head);

	*vec_push(&t->columns) = (struct table_column){ n, right };
	buf_add(&t->waiting, head, n);
	*vec_push(&t->lengths) = (uint32_t)n;
}

void table_cell(struct text_table *t, const char *s, size_t n)
{
	size_t column = t->row_lengths.n, before = t->row.n,
	       width = n < TABLE_WIDTH ? n : TABLE_WIDTH;

	if (column == t->columns.n)
		return;
	if (t->columns.p[column].width < width)
		t->columns.p[column].width = width;
	buf_add(&t->row, s, n);
	*vec_push(&t->row_lengths) = (uint32_t)(t->row.n - before);
}

/* Appends a line of cells, whose lengths are those of the columns; blanks at its end are left away.
 */
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
	while (out->n > start && out->s[out->n - 1] == ' ')
		buf_shrink(out, out->n - 1);
	buf_char(out, '\n');
}

/* Prints what waits, the head in front. */
static void print_waiting(struct text_table *t, struct buf *out)
{
	const char *cells = buf_text(&t->waiting);

	for (size_t i = 0; i < t->lengths.n; i += t->columns.n) {
		if (i || !t->headless)
			print(t, cells, t->lengths.p + i, out);
		for (size_t k = 0; k < t->columns.n; k++)
			cells += t->lengths.p[i + k];
	}
	buf_reset(&t->waiting);
	t->lengths.n = 0;
}

void table_row(struct text_table *t, struct buf *out)
{
	while (t->row_lengths.n < t->columns.n)
		*vec_push(&t->row_lengths) = 0;
	t->rows++;
	if (!t->streams && (t->rows > TABLE_ROWS || t->waiting.n + t->row.n > TABLE_BYTES)) {
		print_waiting(t, out);
		t->streams = true;
	}
	if (t->streams) {
		print(t, buf_text(&t->row), t->row_lengths.p, out);
	} else {
		buf_add(&t->waiting, t->row.s, t->row.n);
		for (size_t i = 0; i < t->row_lengths.n; i++)
			*vec_push(&t->lengths) = t->row_lengths.p[i];
	}
	buf_reset(&t->row);
	t->row_lengths.n = 0;
}

void table_end(struct text_table *t, struct buf *out)
{
	if (t->rows && !t->streams)
		print_waiting(t, out);
}

void table_reset(struct text_table *t)
{
	t->columns.n = t->lengths.n = t->row_lengths.n = 0;
	buf_reset(&t->waiting);
	buf_reset(&t->row);
	t->rows = 0;
	t->headless = t->streams = false;
}

void table_release(struct text_table *t)
{
	vec_release(&t->columns);
	vec_release(&t->lengths);
	vec_release(&t->row_lengths);
	buf_release(&t->waiting);
	buf_release(&t->row);
}
