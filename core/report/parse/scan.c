/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every part of the parser looks for in a line: words and numbers. */
#include <ctype.h>
#include <string.h>

#include "core/report/parse/parse.h"

bool has_prefix(const char *s, size_t n, const char *prefix)
{
	size_t k = strlen(prefix);

	return n >= k && !memcmp(s, prefix, k);
}

const char *find_text(const char *s, size_t n, const char *what)
{
	return n ? memmem(s, n, what, strlen(what)) : NULL;
}

uint64_t number_hex(const char *s, const char *stop, const char **end)
{
	uint64_t v = 0;
	const char *p = s;

	if (stop - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		p += 2;
	for (; p < stop && isxdigit((unsigned char)*p); p++)
		v = v << 4 | (uint64_t)(*p <= '9' ? *p - '0' : (*p | 0x20) - 'a' + 10);
	*end = p;
	return v;
}

bool number_dec(const char *s, const char *stop, uint64_t *ret, const char **end)
{
	uint64_t v = 0;
	const char *p = s;

	for (; p < stop && *p >= '0' && *p <= '9'; p++)
		if (v < UINT64_MAX / 10 - 1)
			v = v * 10 + (uint64_t)(*p - '0');
	*end = p;
	*ret = v;
	return p > s;
}
