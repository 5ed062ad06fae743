/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers out of text. */
#include "core/base/number.h"

#include <stddef.h>

unsigned digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A') + 10;
	return 16;
}

/* The digit at s; 16 at the end. A NUL is no digit, so text that ends with one needs no end. */
static unsigned digit_at(const char *s, const char *end)
{
	return s == end ? 16 : digit_value(*s);
}

bool number_take(const char **s, const char *end, unsigned base, uint64_t *ret)
{
	const char *p = *s;
	uint64_t n = 0;

	if (base != 10 && digit_at(p, end) == 0 && p + 1 != end && (p[1] | 0x20) == 'x' &&
	    digit_at(p + 2, end) < 16) {
		base = 16;
		p += 2;
	}
	if (!base)
		base = 10;
	if (digit_at(p, end) >= base)
		return false;
	for (unsigned d; (d = digit_at(p, end)) < base; p++)
		if (__builtin_mul_overflow(n, base, &n) || __builtin_add_overflow(n, d, &n))
			return false;
	*s = p;
	*ret = n;
	return true;
}

bool number_parse(const char *s, unsigned base, uint64_t *ret)
{
	uint64_t n;

	if (!number_take(&s, NULL, base, &n) || *s)
		return false;
	*ret = n;
	return true;
}
