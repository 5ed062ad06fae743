/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing string with a limit. What does not fit is dropped, and `cut` is set. */
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

/* Each of these appends: n bytes, a string, a character, n times the character c, and what printf()
 * would write. */
void buf_add(struct buf *b, const void *p, size_t n);
void buf_str(struct buf *b, const char *s);
/* buf_add() for who writes to anything: struct sink.write for a struct buf. Returns true. */
bool buf_write(void *buf, const char *s, size_t n);
void buf_char(struct buf *b, char c);
void buf_pad(struct buf *b, char c, size_t n);
void buf_printf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(struct buf *b, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);
/* These append what buf_printf() would with "%*u" (with "%0*u" when fill is '0') and with "%x", and
 * are faster: traces have millions of numbers. */
void buf_dec(struct buf *b, uint64_t v, size_t width, char fill);
void buf_hex(struct buf *b, uint64_t v);
/* Append the n bytes at s, a string of a dead kernel, of a file or of a person, so that they harm
 * neither a terminal nor whoever reads line by line: bytes that text_shown() refuses are escaped.
 * buf_plain() is for a string inside a line. buf_plain_lines() leaves newlines and tabs as they
 * are, and is for text that consists of lines. */
void buf_plain(struct buf *b, const char *s, size_t n);
void buf_plain_lines(struct buf *b, const char *s, size_t n);
/* Replaces each newline behind the first `start` bytes by a backslash and an n. For a row of a
 * listing that was put together of names: none of them may begin a row of its own. */
void buf_one_line(struct buf *b, size_t start);
/* Appends the n bytes at s as a JSON string, quotes included. A character that text_shown() refuses
 * becomes \uXXXX. A byte that is no UTF-8 becomes the character that has the byte's number: 0xe9
 * becomes \u00e9. */
void buf_json_str(struct buf *b, const char *s, size_t n);
/* The text, ended by a NUL; never NULL. It is good until something is added. */
const char *buf_text(const struct buf *b);
/* Drops what stands behind the first n bytes. */
void buf_shrink(struct buf *b, size_t n);
/* buf_reset() empties the text and keeps the memory; buf_release() frees it as well. */
void buf_reset(struct buf *b);
void buf_release(struct buf *b);

#endif
