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

static uint64_t load_be(const uint8_t *b, size_t n)
{
	uint64_t v = 0;

	for (size_t i = 0; i < n; i++)
		v = v << 8 | b[i];
	return v;
}

uint64_t load_be64(const void *p)
{
	return load_be(p, 8);
}

void cursor_init(struct cursor *c, struct span s, const char *what, struct err *err)
{
	*c = (struct cursor){ .s = s, .what = what, .err = err };
}

bool cursor_ok(const struct cursor *c)
{
	return !c->failed;
}

static void fail(struct cursor *c, const char *why)
{
	if (c->failed)
		return;
	c->failed = true;
	err_set_addr(c->err, ERR_FORMAT, c->pos, "%s: %s at offset %zu of %zu", c->what, why,
		     c->pos, c->s.n);
}

size_t cursor_left(const struct cursor *c)
{
	return c->failed ? 0 : c->s.n - c->pos;
}

struct span cursor_take(struct cursor *c, uint64_t n)
{
	struct span ret = { NULL, 0 };

	if (c->failed)
		return ret;
	if (n > c->s.n - c->pos) {
		fail(c, "ends too early");
		return ret;
	}
	ret = SPAN(c->s.p + c->pos, n);
	c->pos += n;
	return ret;
}

static uint64_t take_uint(struct cursor *c, size_t n)
{
	struct span s = cursor_take(c, n);

	if (s.n != n)
		return 0;
	return c->big ? load_be(s.p, n) : load_le(s.p, n);
}

uint8_t cursor_u8(struct cursor *c)
{
	return (uint8_t)take_uint(c, 1);
}

uint16_t cursor_u16(struct cursor *c)
{
	return (uint16_t)take_uint(c, 2);
}

uint32_t cursor_u32(struct cursor *c)
{
	return (uint32_t)take_uint(c, 4);
}

uint64_t cursor_u64(struct cursor *c)
{
	return take_uint(c, 8);
}

uint64_t cursor_uleb(struct cursor *c)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 70; shift += 7) {
		uint8_t b = cursor_u8(c);

		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
	fail(c, "a number does not end");
	return 0;
}

int64_t cursor_sleb(struct cursor *c)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 70; shift += 7) {
		uint8_t b = cursor_u8(c);

		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		if (b & 0x80)
			continue;
		if (b & 0x40 && shift + 7 < 64)
			v |= UINT64_MAX << (shift + 7);
		return (int64_t)v;
	}
	fail(c, "a number does not end");
	return 0;
}

void cursor_skip(struct cursor *c, uint64_t n)
{
	(void)cursor_take(c, n);
}

void cursor_seek(struct cursor *c, uint64_t pos)
{
	if (c->failed)
		return;
	if (pos > c->s.n)
		fail(c, "points past the end");
	else
		c->pos = pos;
}

void cursor_align(struct cursor *c, size_t align)
{
	size_t rest = c->pos % align;

	if (rest)
		cursor_skip(c, align - rest);
}

const char *cursor_str(struct cursor *c)
{
	const uint8_t *end;
	const char *ret;

	if (c->failed)
		return "";
	end = c->s.n > c->pos ? memchr(c->s.p + c->pos, 0, c->s.n - c->pos) : NULL;
	if (!end) {
		fail(c, "a string does not end");
		return "";
	}
	ret = (const char *)c->s.p + c->pos;
	c->pos = (size_t)(end - c->s.p) + 1;
	return ret;
}
