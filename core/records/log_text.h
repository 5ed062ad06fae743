/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A message of the kernel log as lines of text. */
#ifndef OBIT_LOG_TEXT_H
#define OBIT_LOG_TEXT_H

#include "core/base/buf.h"

/* Adds a message behind its prefix. Further lines of it, and of its dictionary, stand below its
 * text and not in the first column: what a program made the kernel say never looks like a message
 * of its own. dict may be NULL. No newline is added. */
void log_text_add(struct buf *b, const char *prefix, const char *text, size_t n, const char *dict,
		  size_t dict_n);

#endif
