/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A message of the kernel log as lines of text. */
#include <string.h>

#include "core/records/log_text.h"

#define INDENT 4 /* where there is no prefix to stand below */

static void lines_add(struct buf *b, const char *s, size_t n, size_t indent, bool first)
{
	const char *end = s + n, *nl;

	for (;; s = nl + 1, first = false) {
		nl = s < end ? memchr(s, '\n', (size_t)(end - s)) : NULL;
		if (!first) {
			buf_char(b, '\n');
			buf_pad(b, ' ', indent);
		}
		buf_add(b, s, (size_t)((nl ? nl : end) - s));
		if (!nl)
			break;
	}
}

void log_text_add(struct buf *b, const char *prefix, const char *text, size_t n, const char *dict,
		  size_t dict_n)
{
	size_t indent = *prefix ? strlen(prefix) : INDENT;

	buf_str(b, prefix);
	lines_add(b, text, n, indent, true);
	if (dict)
		lines_add(b, dict, dict_n, indent, false);
}
