/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of tables: alignment, what streams, and long cells. */
#include "core/base/test.h"
#include "core/shell/render/table.h"

static void begin(struct text_table *t)
{
	table_column(t, "N", true);
	table_column(t, "NAME", false);
	table_column(t, "REST", false);
}

static void cell(struct text_table *t, const char *s, struct buf *out)
{
	buf_str(table_open(t, out), s);
	table_close(t, out);
}

static void row(struct text_table *t, const char *n, const char *name, const char *rest,
		struct buf *out)
{
	cell(t, n, out);
	cell(t, name, out);
	if (rest)
		cell(t, rest, out);
	table_row(t, out);
}

TEST(all_rows_set_the_widths_while_they_are_few)
{
	struct text_table t = { 0 };
	struct buf out = { 0 };

	begin(&t);
	table_end(&t, &out);
	CHECK_U64(out.n, 0); /* no row, no head */
	row(&t, "1", "a", "x", &out);
	row(&t, "1000", "", NULL, &out);
	CHECK_U64(out.n, 0);
	table_end(&t, &out);
	CHECK_STR(buf_text(&out), "   N  NAME  REST\n"
				  "   1  a     x\n"
				  "1000\n");
	table_reset(&t);
	buf_reset(&out);
	t.headless = true;
	begin(&t);
	row(&t, "7", "b", "y", &out);
	table_end(&t, &out);
	CHECK_STR(buf_text(&out), "7  b     y\n");
	table_release(&t);
	buf_release(&out);
}

/* Row 20,001 prints all that waited; what is wider behind it makes its column wider from there on.
 */
TEST(many_rows_stream)
{
	struct text_table t = { 0 };
	struct buf out = { 0 };

	begin(&t);
	for (unsigned i = 0; i < TABLE_ROWS; i++)
		row(&t, "12", "abc", "z", &out);
	CHECK_U64(out.n, 0);
	row(&t, "12", "abcdef", "z", &out);
	/* a line of head and rows: 2 + 2 + 6 + 2, for the widest name was seen, then REST or z */
	CHECK_U64(out.n, 12 + 5 + (TABLE_ROWS + 1) * (12 + 2));
	buf_reset(&out);
	row(&t, "123", "abc", "z", &out);
	CHECK_STR(buf_text(&out), "123  abc     z\n");
	row(&t, "1", "a", "z", &out);
	CHECK_STR(buf_text(&out), "123  abc     z\n"
				  "  1  a       z\n");
	buf_reset(&out);
	row(&t, "", "", "", &out); /* nothing but blanks is an empty line */
	table_row(&t, &out);
	row(&t, "4", "", NULL, &out);
	row(&t, "4", "", "z  ", &out);
	CHECK_STR(buf_text(&out), "\n\n  4\n  4          z\n");
	buf_reset(&out);
	for (int i = 0; i < 5; i++)
		cell(&t, "c", &out); /* behind the last column */
	table_row(&t, &out);
	CHECK_STR(buf_text(&out), "  c  c       c\n");
	buf_reset(&out);
	table_end(&t, &out);
	CHECK_U64(out.n, 0);
	table_release(&t);
	buf_release(&out);
}

/* A cell of 5 MB neither waits nor makes a thousand rows as long as itself. */
TEST(a_long_cell_makes_no_flood)
{
	struct text_table t = { 0 };
	struct buf out = { 0 }, cell = { 0 };

	buf_pad(&cell, 'x', 5 << 20);
	begin(&t);
	row(&t, "1", "a", "b", &out);
	row(&t, "2", cell.s, "b", &out);
	CHECK_U64(out.n > cell.n, true);
	buf_reset(&out);
	row(&t, "3", "a", "b", &out);
	CHECK_U64(out.n, 1 + 2 + TABLE_WIDTH + 2 + 2);
	table_end(&t, &out);
	table_release(&t);
	buf_release(&cell);
	buf_release(&out);
}

TEST(cells_behind_the_last_column_are_dropped)
{
	struct text_table t = { 0 };
	struct buf out = { 0 };

	begin(&t);
	for (int i = 0; i < 5; i++)
		cell(&t, "c", &out);
	table_row(&t, &out);
	table_end(&t, &out);
	CHECK_STR(buf_text(&out), "N  NAME  REST\nc  c     c\n");
	table_release(&t);
	buf_release(&out);
}

TEST_MAIN
