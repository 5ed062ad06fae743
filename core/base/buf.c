/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing string with a stated limit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/buf.h"
#include "core/base/text.h"

/* Makes room for n more bytes and the NUL; false (and cut) when that would pass the limit. */
static bool grow(struct buf *b, size_t n)
{
	size_t max = b->max ? b->max : BUF_MAX, cap;

	if (b->cut || n > max - b->n) {
		b->cut = true;
		return false;
	}
	if (b->n + n + 1 <= b->cap)
		return true;
	cap = b->cap ? b->cap : 128;
	while (cap < b->n + n + 1)
		cap *= 2;
	b->s = xrealloc(b->s, cap);
	b->cap = cap;
	return true;
}

/* The same: nearly always it is there. */
static inline bool room(struct buf *b, size_t n)
{
	return (n < b->cap - b->n && n <= (b->max ? b->max : BUF_MAX) - b->n && !b->cut) ||
	       grow(b, n);
}

void buf_add(struct buf *b, const void *p, size_t n)
{
	if (!room(b, n))
		return;
	if (n)
		memcpy(b->s + b->n, p, n);
	b->n += n;
	b->s[b->n] = '\0';
}

bool buf_write(void *buf, const char *s, size_t n)
{
	buf_add(buf, s, n);
	return true;
}

void buf_str(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_char(struct buf *b, char c)
{
	if (!room(b, 1))
		return;
	b->s[b->n++] = c;
	b->s[b->n] = '\0';
}

void buf_pad(struct buf *b, char c, size_t n)
{
	if (!room(b, n))
		return;
	if (n <= 8) /* as a rule: less than a call of memset() */
		for (size_t i = 0; i < n; i++)
			b->s[b->n + i] = c;
	else
		memset(b->s + b->n, c, n);
	b->n += n;
	b->s[b->n] = '\0';
}

void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	size_t left = b->s ? b->cap - b->n : 0;
	va_list again;
	int n;

	/* into what is there; it fits as a rule */
	va_copy(again, ap);
	n = vsnprintf(left ? b->s + b->n : NULL, left, fmt, again);
	va_end(again);
	if (n < 0 || !room(b, (size_t)n)) {
		if (left)
			b->s[b->n] = '\0';
		return;
	}
	if ((size_t)n >= left)
		vsnprintf(b->s + b->n, (size_t)n + 1, fmt, ap);
	b->n += (size_t)n;
}

void buf_dec(struct buf *b, uint64_t v, size_t width, char fill)
{
	char digits[20];
	size_t n = sizeof(digits);

	do
		digits[--n] = (char)('0' + v % 10);
	while ((v /= 10));
	if (sizeof(digits) - n < width)
		buf_pad(b, fill, width - (sizeof(digits) - n));
	buf_add(b, digits + n, sizeof(digits) - n);
}

void buf_hex(struct buf *b, uint64_t v)
{
	char digits[16];
	size_t n = sizeof(digits);

	do
		digits[--n] = "0123456789abcdef"[v & 15];
	while ((v >>= 4));
	buf_add(b, digits + n, sizeof(digits) - n);
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

static void plain(struct buf *b, const char *s, size_t n, bool lines)
{
	char escape[TEXT_ESCAPE_SIZE];
	size_t start = 0;

	for (size_t i = 0; i < n;) {
		size_t len;

		while (i < n && s[i] >= 0x20 && s[i] < 0x7f) /* nearly always */
			i++;
		if (i == n)
			break;
		len = text_shown(s + i, n - i);
		if (len || (lines && (s[i] == '\n' || s[i] == '\t'))) {
			i += len ? len : 1;
			continue;
		}
		buf_add(b, s + start, i - start);
		buf_add(b, escape, text_escape((unsigned char)s[i++], escape));
		start = i;
	}
	buf_add(b, s + start, n - start);
}

void buf_plain(struct buf *b, const char *s, size_t n)
{
	plain(b, s, n, false);
}

void buf_plain_lines(struct buf *b, const char *s, size_t n)
{
	plain(b, s, n, true);
}

void buf_one_line(struct buf *b, size_t start)
{
	size_t n = b->n - start;
	const char *nl;
	char *copy;

	if (b->n <= start || !memchr(b->s + start, '\n', n))
		return;
	copy = xrealloc(NULL, n);
	memcpy(copy, b->s + start, n);
	buf_shrink(b, start);
	for (const char *s = copy; n; n -= (size_t)(nl - s) + 1, s = nl + 1) {
		nl = memchr(s, '\n', n);
		if (!nl) {
			buf_add(b, s, n);
			break;
		}
		buf_add(b, s, (size_t)(nl - s));
		buf_str(b, "\\n");
	}
	free(copy);
}

void buf_json_str(struct buf *b, const char *s, size_t n)
{
	buf_char(b, '"');
	for (size_t i = 0; i < n;) {
		size_t len = text_char(s + i, n - i);

		if (s[i] == '"' || s[i] == '\\')
			buf_printf(b, "\\%c", s[i]);
		else if (s[i] == '\n')
			buf_str(b, "\\n");
		else if (s[i] == '\t')
			buf_str(b, "\\t");
		else if (!len)
			buf_printf(b, "\\u%04x", (unsigned char)s[i]);
		else if (!text_shown(s + i, len))
			buf_printf(b, "\\u%04x", text_number(s + i, len));
		else
			buf_add(b, s + i, len);
		i += len ? len : 1;
	}
	buf_char(b, '"');
}

const char *buf_text(const struct buf *b)
{
	return b->s ? b->s : "";
}

void buf_shrink(struct buf *b, size_t n)
{
	if (n >= b->n)
		return;
	b->n = n;
	b->s[n] = '\0';
}

void buf_reset(struct buf *b)
{
	b->n = 0;
	b->cut = false;
	if (b->s)
		b->s[0] = '\0';
}

void buf_release(struct buf *b)
{
	free(b->s);
	*b = (struct buf){ .max = b->max };
}
