/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What finished text gets that is no text: colours by meaning, and links; and what it must not have
 * where only ASCII may come. */
#ifndef OBIT_PAINT_H
#define OBIT_PAINT_H

#include "core/base/buf.h"
#include "core/shell/record.h"

/* Colours the lines behind the first `start` bytes: each of them, or the first word, as the meaning
 * has it (ECMA-48's SGR). Each line ends as it began, so that a pager may show any alone.
 * Other sequences in it are left alone. */
void paint(struct buf *b, size_t start, enum meaning meaning);
/* Makes a link (OSC 8) of the place in the source that b names, when the record has the fields
 * "file" and "line" and the file lies below a folder of --source: to file:///PATH#LINE. */
void paint_link(struct buf *b, struct sink *k, const struct record *r);
/* Makes of each byte that is no ASCII "\xNN". */
void paint_ascii(struct buf *b);

#endif
