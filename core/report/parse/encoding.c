/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of two bytes a character, as some editors and consoles save them, and byte order marks. */
#include <string.h>

#include "core/report/parse/parse.h"

#define PIECE 1024u

/* What the first bytes of a text say of it. Without a mark it is one of two bytes a character when
 * every other byte of them is zero. */
static enum encoding_kind kind_of(const uint8_t *p, size_t n, size_t *mark)
{
	*mark = 0;
	if (n >= 3 && !memcmp(p, "\xef\xbb\xbf", 3)) {
		*mark = 3;
		return ENCODING_BYTES;
	}
	if (n >= 2 && p[0] == 0xff && p[1] == 0xfe) {
		*mark = 2;
		return ENCODING_UTF16_LE;
	}
	if (n >= 2 && p[0] == 0xfe && p[1] == 0xff) {
		*mark = 2;
		return ENCODING_UTF16_BE;
	}
	if (n >= 4 && p[0] && !p[1] && p[2] && !p[3])
		return ENCODING_UTF16_LE;
	if (n >= 4 && !p[0] && p[1] && !p[2] && p[3])
		return ENCODING_UTF16_BE;
	return ENCODING_BYTES;
}

/* Appends a character to to[*n], in UTF-8; of two surrogates the second ends it. */
static void put(struct encoding *e, char *to, size_t *n, uint32_t c)
{
	if (c >= 0xd800 && c < 0xdc00) {
		e->high = (uint16_t)c;
		return;
	}
	if (c >= 0xdc00 && c < 0xe000) {
		if (!e->high)
			return;
		c = 0x10000 + ((uint32_t)(e->high - 0xd800) << 10) + (c - 0xdc00);
	}
	e->high = 0;
	if (c < 0x80) {
		to[(*n)++] = (char)c;
	} else if (c < 0x800) {
		to[(*n)++] = (char)(0xc0 | c >> 6);
		to[(*n)++] = (char)(0x80 | (c & 63));
	} else {
		if (c < 0x10000) {
			to[(*n)++] = (char)(0xe0 | c >> 12);
		} else {
			to[(*n)++] = (char)(0xf0 | c >> 18);
			to[(*n)++] = (char)(0x80 | (c >> 12 & 63));
		}
		to[(*n)++] = (char)(0x80 | (c >> 6 & 63));
		to[(*n)++] = (char)(0x80 | (c & 63));
	}
}

static void pass_on(struct encoding *e, const uint8_t *p, size_t n, encoding_fn fn, void *arg)
{
	char to[PIECE + 4];
	size_t k = 0;

	if (e->kind == ENCODING_BYTES) {
		if (n)
			fn((const char *)p, n, arg);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (!e->has_half) {
			e->half = p[i];
			e->has_half = true;
			continue;
		}
		e->has_half = false;
		put(e, to, &k,
		    e->kind == ENCODING_UTF16_LE ? (uint32_t)(p[i] << 8 | e->half)
						 : (uint32_t)(e->half << 8 | p[i]));
		if (k >= PIECE) {
			fn(to, k, arg);
			k = 0;
		}
	}
	if (k)
		fn(to, k, arg);
}

void encoding_feed(struct encoding *e, const char *s, size_t n, encoding_fn fn, void *arg)
{
	const uint8_t *p = (const uint8_t *)s;

	while (e->kind == ENCODING_UNKNOWN && n) {
		e->head[e->n_head++] = *p++;
		n--;
		if (e->n_head == sizeof(e->head))
			encoding_end(e, fn, arg);
	}
	if (n)
		pass_on(e, p, n, fn, arg);
}

void encoding_end(struct encoding *e, encoding_fn fn, void *arg)
{
	size_t mark;

	if (e->kind != ENCODING_UNKNOWN)
		return;
	e->kind = kind_of(e->head, e->n_head, &mark);
	pass_on(e, e->head + mark, e->n_head - mark, fn, arg);
}
