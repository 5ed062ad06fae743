/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names in front of rows that say which buffer each is of, where rows of several are merged. */
#ifndef OBIT_ROW_LABEL_H
#define OBIT_ROW_LABEL_H

#include "core/base/buf.h"
#include "core/trace/timeline.h"

struct row_labels {
	const struct trace_buffer *const *buffers;
	const char **names; /* of each; NULL: all rows are of one buffer, and there is no name */
	size_t n, width;
	bool column; /* of all rows, and wide enough for all names; else the first buffer's rows
		      * have none, and the others' stand in the blanks that a row begins with */
};

/* Sets *ret to the names of the timeline's buffers: the instance, "top" for the one of tracefs
 * itself, and "FILE:" in front where several recordings are merged. In the arena. */
void row_labels_init(struct row_labels *ret, const struct timeline *tl, bool column,
		     struct arena *a);
/* Appends the column; nothing where there is none. */
void row_label_add(struct buf *b, const struct row_labels *l, const struct trace_buffer *of);
/* Puts the name in front of each line behind the first `start` bytes of b, but for those of a
 * stack.
 */
void row_label_lines(struct buf *b, size_t start, const struct row_labels *l,
		     const struct trace_buffer *of);
/* Has a head, which is behind the first `start` bytes, say whose rows have no name, or moves its
 * columns to where they are then. */
void row_label_head(struct buf *b, size_t start, const struct row_labels *l);

#endif
