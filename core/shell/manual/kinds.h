/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of the kinds of records. */
#ifndef OBIT_KINDS_H
#define OBIT_KINDS_H

#include "core/shell/command.h"

/* Appends a section with the names of the kinds that a command prints; nothing when it has none. */
void kinds_names(struct buf *b, const struct command *cmd);
/* Append a page with the fields of these, and of every kind, by name, with the commands that print
 * it. */
void kinds_page(struct buf *b, const struct command *cmd);
void kinds_all(struct buf *b);

#endif
