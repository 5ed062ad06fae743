/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A message of the kernel log as lines of text. */
#ifndef OBIT_LOG_TEXT_H
#define OBIT_LOG_TEXT_H

#include "core/base/buf.h"

/* Appends a message behind its prefix, without a newline at the end. Further lines of the message,
 * and of its dictionary, stand below its text and not in the first column: what a program made the
 * kernel print must not look like another message. dict may be NULL. */
void log_text_add(struct buf *b, const char *prefix, const char *text, size_t n, const char *dict,
		  size_t dict_n);

#endif
