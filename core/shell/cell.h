/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the renderer of text: cells and templates as people read them. */
#ifndef OBIT_CELL_H
#define OBIT_CELL_H

#include "core/base/buf.h"
#include "core/shell/record.h"

/* Text of the dead kernel, made safe for a terminal: control characters but newline and tab are
 * printed as \x1b. */
void text_add(struct buf *b, const char *s, size_t n);
void cell_to_text(struct buf *b, struct sink *k, const struct cell *c);
/* A record by a template as record_kind.line describes it; no newline is added. */
void template_render(struct buf *b, struct sink *k, const struct record *r, const char *line);

#endif
