/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing string with a stated limit; what does not fit is dropped and remembered in `cut`. */
#ifndef OBIT_BUF_H
#define OBIT_BUF_H

#include <stddef.h>

#include "core/base/err.h"

struct buf {
	char *s; /* NUL-terminated once anything was added; NULL before */
	size_t n, cap;
	size_t max; /* 0: BUF_MAX */
	bool cut;
};
#define BUF_MAX ((size_t)256 << 20)

void buf_add(struct buf *b, const void *p, size_t n);
void buf_str(struct buf *b, const char *s);
void buf_char(struct buf *b, char c);
void buf_pad(struct buf *b, char c, size_t n);
void buf_printf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(struct buf *b, const char *fmt, va_list ap);
/* The same as "%*u" (fill '0': "%0*u") and "%x", for what is printed by the million. */
void buf_dec(struct buf *b, uint64_t v, size_t width, char fill);
void buf_hex(struct buf *b, uint64_t v);
/* A string of a dead kernel, of a file or of a person, made harmless for a terminal and for whoever
 * reads line by line: what text_shown() refuses is escaped. buf_plain() is for what stands inside
 * a line; buf_plain_lines() lets newline and tab through, for text whose lines are its own. */
void buf_plain(struct buf *b, const char *s, size_t n);
void buf_plain_lines(struct buf *b, const char *s, size_t n);
/* Newlines that were added behind the first `start` bytes become "\n": for a row that is put
 * together of names and stands among others. */
void buf_one_line(struct buf *b, size_t start);
/* Text for JSON, with its quotes. What text_shown() refuses becomes \uXXXX when it is a character;
 * a byte that is no UTF-8 becomes the character of its number, \u0080 to \u00ff. */
void buf_json_str(struct buf *b, const char *s, size_t n);
const char *buf_text(const struct buf *b); /* never NULL */
/* Forgets what is behind the first n bytes. */
void buf_shrink(struct buf *b, size_t n);
void buf_reset(struct buf *b);
void buf_release(struct buf *b);

#endif
