/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every part of the parser looks for in a line: words and numbers. */
#include <ctype.h>
#include <string.h>

#include "core/base/number.h"
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

	*end = s;
	(void)number_take(end, stop, 16, &v);
	return v;
}

bool number_dec(const char *s, const char *stop, uint64_t *ret, const char **end)
{
	*end = s;
	*ret = 0;
	return number_take(end, stop, 10, ret);
}

const char *words_copy(struct report *r, const char *s, const char *end)
{
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	while (s < end && *s == ' ')
		s++;
	return arena_strndup(&r->arena, s, (size_t)(end - s));
}

const char *word_end(const char *s, const char *end)
{
	while (s < end && *s != ' ')
		s++;
	return s;
}

const char *text_after(const char *s, const char *end, const char *what)
{
	const char *p = find_text(s, (size_t)(end - s), what);

	return p ? p + strlen(what) : NULL;
}
