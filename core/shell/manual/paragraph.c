/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paragraphs of pages, wrapped. */
#include <string.h>

#include "core/shell/manual/paragraph.h"

#define PAGE_WIDTH 78

void manual_wrap(struct buf *b, const char *text, size_t indent)
{
	while (*text) {
		size_t line = strcspn(text, "\n"), col = 0;

		if (*text == ' ' || *text == '\t') {
			buf_pad(b, ' ', indent);
			buf_add(b, text, line);
			text += line;
		}
		while (*text && *text != '\n') {
			size_t n = strcspn(text, " \n");

			if (col && indent + col + 1 + n > PAGE_WIDTH) {
				buf_char(b, '\n');
				col = 0;
			}
			if (!col)
				buf_pad(b, ' ', indent);
			else
				buf_char(b, ' ');
			buf_add(b, text, n);
			col += n + (col != 0);
			text += n;
			if (*text == '\n' && text[1] && !strchr(" \t\n", text[1]))
				text++; /* the next line goes on with the paragraph */
			else
				text += strspn(text, " ");
		}
		buf_char(b, '\n');
		text += *text == '\n';
	}
}

void manual_hang(struct buf *b, const char *text, size_t indent)
{
	size_t col = indent;

	while (*text) {
		size_t n = strcspn(text, " \n");

		if (col > indent && col + 1 + n > PAGE_WIDTH) {
			buf_char(b, '\n');
			buf_pad(b, ' ', indent);
			col = indent;
		} else if (col > indent) {
			buf_char(b, ' ');
			col++;
		}
		buf_add(b, text, n);
		col += n;
		text += n;
		text += strspn(text, " \n");
	}
	buf_char(b, '\n');
}
