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
/* Text for JSON, with its quotes: control characters and invalid UTF-8 are escaped (as \u00XX). */
void buf_json_str(struct buf *b, const char *s, size_t n);
const char *buf_text(const struct buf *b); /* never NULL */
/* Forgets what is behind the first n bytes. */
void buf_shrink(struct buf *b, size_t n);
void buf_reset(struct buf *b);
void buf_release(struct buf *b);

#endif
