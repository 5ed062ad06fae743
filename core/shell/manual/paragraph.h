/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paragraphs of pages, wrapped. */
#ifndef OBIT_PARAGRAPH_H
#define OBIT_PARAGRAPH_H

#include "core/base/buf.h"

/* Words of a paragraph, indented and wrapped; a line that starts with a blank is kept as it is. */
void manual_wrap(struct buf *b, const char *text, size_t indent);
/* Words behind what the line holds already; further lines are indented. */
void manual_hang(struct buf *b, const char *text, size_t indent);

#endif
