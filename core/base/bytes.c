/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes of a file or of memory, read only where they are. */
#include <inttypes.h>
#include <string.h>

#include "core/base/bytes.h"

bool span_sub(struct span s, uint64_t off, uint64_t n, const char *what, struct span *ret,
	      struct err *err)
{
	if (off > s.n || n > s.n - off)
		return err_set_addr(err, ERR_FORMAT, off,
				    "%s: %" PRIu64 " bytes at offset %" PRIu64 " of only %zu", what,
				    n, off, s.n);
	*ret = SPAN(s.p + off, n);
	return true;
}

uint64_t load_le(const void *p, size_t n)
{
	const uint8_t *b = p;
	uint64_t v = 0;

	while (n--)
		v = v << 8 | b[n];
	return v;
}

uint64_t load_be(const void *p, size_t n)
{
	const uint8_t *b = p;
	uint64_t v = 0;

	for (size_t i = 0; i < n; i++)
		v = v << 8 | b[i];
	return v;
}

void bytes_reverse(void *p, size_t n)
{
	uint8_t *b = p;

	for (size_t i = 0; i < n / 2; i++) {
		uint8_t x = b[i];

		b[i] = b[n - 1 - i];
		b[n - 1 - i] = x;
	}
}

void store_uint(void *p, size_t n, bool big, uint64_t v)
{
	uint8_t *b = p;

	for (size_t i = 0; i < n; i++)
		b[i] = (uint8_t)(v >> 8 * (big ? n - 1 - i : i));
}

uint64_t load_be64(const void *p)
{
	return load_be(p, 8);
}

void cursor_init(struct cursor *c, struct span s, const char *what, struct err *err)
{
	*c = (struct cursor){
		.p = s.p, .end = s.n ? s.p + s.n : s.p, .start = s.p, .what = what, .err = err
	};
}

bool cursor_ok(const struct cursor *c)
{
	return !c->failed;
}

void cursor_fail(struct cursor *c, const char *why)
{
	if (!c->failed && c->err)
		err_set_addr(c->err, ERR_FORMAT, cursor_pos(c), "%s: %s at offset %zu of %zu",
			     c->what, why, cursor_pos(c), (size_t)(c->end - c->start));
	cursor_stop(c);
}

size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->p);
}

struct span cursor_take(struct cursor *c, uint64_t n)
{
	struct span ret = { NULL, 0 };

	if (c->failed || !cursor_has(c, n))
		return ret;
	ret = SPAN(c->p, n);
	c->p += n;
	return ret;
}

uint8_t cursor_u8(struct cursor *c)
{
	return (uint8_t)cursor_uint(c, 1);
}

uint16_t cursor_u16(struct cursor *c)
{
	return (uint16_t)cursor_uint(c, 2);
}

uint32_t cursor_u32(struct cursor *c)
{
	return (uint32_t)cursor_uint(c, 4);
}

uint64_t cursor_u64(struct cursor *c)
{
	return cursor_uint(c, 8);
}

uint64_t cursor_leb(struct cursor *c, bool with_sign)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t byte;

		if (!cursor_has(c, 1))
			return 0;
		byte = *c->p++;
		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte & 0x80)
			continue;
		if (with_sign && byte & 0x40 && shift + 7 < 64)
			v |= UINT64_MAX << (shift + 7);
		return v;
	}
	cursor_fail(c, "a number does not end");
	return 0;
}

void cursor_seek(struct cursor *c, uint64_t pos)
{
	if (c->failed)
		return;
	if (pos > (uint64_t)(c->end - c->start))
		cursor_fail(c, "points past the end");
	else
		c->p = c->start + pos;
}

void cursor_align(struct cursor *c, size_t align)
{
	size_t rest = cursor_pos(c) % align;

	if (rest)
		cursor_skip(c, align - rest);
}

const char *cursor_str(struct cursor *c)
{
	const uint8_t *end;
	const char *ret;

	if (c->failed)
		return "";
	end = c->end > c->p ? memchr(c->p, 0, cursor_left(c)) : NULL;
	if (!end) {
		cursor_fail(c, "a string does not end");
		return "";
	}
	ret = (const char *)c->p;
	c->p = end + 1;
	return ret;
}
