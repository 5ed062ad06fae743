/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the renderer of text: cells and templates as people read them. */
#ifndef OBIT_CELL_H
#define OBIT_CELL_H

#include "core/base/buf.h"
#include "core/shell/record.h"

/* What a cell of r says, harmless for a terminal. Only a field with FIELD_LINES has newlines of its
 * own; in others they are escaped. */
void cell_to_text(struct buf *b, struct sink *k, const struct record *r,
		  const struct record_field *f, const struct cell *c);
/* A record by a template as record_kind.line describes it; no newline is added. */
void template_render(struct buf *b, struct sink *k, const struct record *r, const char *line);

#endif
