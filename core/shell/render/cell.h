/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the renderer of text: cells and templates as people read them. */
#ifndef OBIT_CELL_H
#define OBIT_CELL_H

#include "core/base/buf.h"
#include "core/shell/record.h"

/* Appends what the cell c of r says, harmless for a terminal. f is its field: without FIELD_LINES
 * newlines are escaped. */
void cell_to_text(struct buf *b, struct sink *k, const struct record *r,
		  const struct record_field *f, const struct cell *c);
/* Appends a record by a template as record_kind.line describes it, without a newline behind it. */
void template_render(struct buf *b, struct sink *k, const struct record *r, const char *line);

#endif
