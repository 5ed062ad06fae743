/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows in aligned columns. The first rows wait until they are so many, or are all; they set the
 * widths of the columns. From there on rows stream, and what is wider makes its column wider for
 * the rows behind it. */
#ifndef OBIT_TABLE_H
#define OBIT_TABLE_H

#include "core/base/buf.h"
#include "core/base/vec.h"
#include "core/shell/record.h"

/* How many rows set the widths: fewer when they have more bytes than TABLE_BYTES. */
#define TABLE_ROWS 20000
#define TABLE_BYTES ((size_t)4 << 20)
/* What is longer than this makes no column wider. */
#define TABLE_WIDTH 1000

struct table_column {
	size_t width;
	bool right; /* aligned on the right */
};

struct text_table {
	VEC(struct table_column) columns; /* and their heads are the first cells that wait */
	struct buf waiting;               /* cells that wait, one behind the other */
	VEC(uint32_t) lengths;            /* of each of them */
	/* the row that is being made, as long as it waits: its cells, and their lengths */
	struct buf row;
	VEC(uint32_t) row_lengths;
	size_t column, cell;   /* how many cells it has, and where the one that is open begins */
	size_t blanks, margin; /* streams: what stands in front of the next cell, and of that one */
	size_t start;          /* streams: where the row begins in *out */
	size_t rows;           /* how many were made, without the head */
	bool headless, streams;
	bool colour;           /* the head, and rows by their meaning */
	enum meaning meaning;  /* of the row that is being made: set it before it ends */
	VEC(uint8_t) meanings; /* of the rows that wait */
};

/* Adds a column; all of them before the first row. The head is copied. */
void table_column(struct text_table *t, const char *head, bool right);
/* Begins a cell of the row: what is appended to the buffer that is returned, until table_close() is
 * called, is in it. Each byte counts as one column of the screen, and none is a newline. Cells
 * behind the last column are dropped. *out is the same for all of a row, and is not touched in
 * between. */
struct buf *table_open(struct text_table *t, struct buf *out);
void table_close(struct text_table *t, struct buf *out);
/* Ends the row; cells that it lacks are empty. Appends to *out what can be printed. */
void table_row(struct text_table *t, struct buf *out);
/* Appends to *out the rows that still wait; without any row nothing. */
void table_end(struct text_table *t, struct buf *out);
/* Makes it a table without columns and rows, and keeps its memory. */
void table_reset(struct text_table *t);
void table_release(struct text_table *t);

#endif
