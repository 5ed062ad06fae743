/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A JSON object's members, found by walking over it once. */
#include "core/base/json.h"

#include <string.h>

#include "core/base/number.h"

#define DEPTH 32

static size_t skip_blanks(const char *s, size_t n, size_t at)
{
	while (at < n && (s[at] == ' ' || s[at] == '\t' || s[at] == '\r' || s[at] == '\n'))
		at++;
	return at;
}

/* Behind the string that begins at `at`; n: it has no end. */
static size_t skip_string(const char *s, size_t n, size_t at)
{
	for (at++; at < n && s[at] != '"'; at++)
		at += s[at] == '\\';
	return at < n ? at + 1 : n;
}

/* Behind the value that begins at `at`; n: it has no end, or is too deep. */
static size_t skip_value(const char *s, size_t n, size_t at)
{
	unsigned depth = 0;

	while (at < n) {
		char c = s[at];

		if (c == '"') {
			at = skip_string(s, n, at);
		} else if (c == '{' || c == '[') {
			if (++depth > DEPTH)
				return n;
			at++;
			continue;
		} else if (c == '}' || c == ']') {
			if (!depth)
				return at;
			depth--;
			at++;
		} else if (depth && (c == ',' || c == ':' || c == ' ')) {
			at++;
			continue;
		} else {
			for (at++; at < n && !strchr(",]}: \t\r\n\"[{", s[at]);)
				at++;
		}
		if (!depth)
			return at;
	}
	return n;
}

/* Walks over the object; true: the member was found. *end is set behind the object when all of it
 * was walked. */
static bool walk(const char *s, size_t n, const char *key, const char **ret, size_t *len,
		 size_t *end)
{
	size_t at = skip_blanks(s, n, 0), key_n = key ? strlen(key) : 0;

	*end = 0;
	if (at >= n || s[at] != '{')
		return false;
	at = skip_blanks(s, n, at + 1);
	while (at < n && s[at] == '"') {
		size_t name = at + 1, name_end = skip_string(s, n, at), value;

		at = skip_blanks(s, n, name_end);
		if (at >= n || s[at] != ':')
			return false;
		value = skip_blanks(s, n, at + 1);
		at = skip_value(s, n, value);
		if (at >= n || at == value)
			return false;
		if (key && name_end - 1 - name == key_n && !memcmp(s + name, key, key_n)) {
			*ret = s + value;
			*len = at - value;
			return true;
		}
		at = skip_blanks(s, n, at);
		if (at < n && s[at] == ',')
			at = skip_blanks(s, n, at + 1);
		else
			break;
	}
	if (at < n && s[at] == '}')
		*end = skip_blanks(s, n, at + 1);
	return false;
}

bool json_member(const char *s, size_t n, const char *key, const char **ret, size_t *len)
{
	size_t end;

	return walk(s, n, key, ret, len, &end);
}

/* A key and the value behind it; at is at its first quote. */
static bool take_pair(const char *s, size_t n, size_t *at, struct json_pair *ret)
{
	size_t end = skip_string(s, n, *at);

	ret->key = s + *at + 1;
	if (end <= *at + 1)
		return false;
	ret->key_n = end - *at - 2;
	*at = skip_blanks(s, n, end);
	if (*at >= n || s[*at] != ':')
		return false;
	*at = skip_blanks(s, n, *at + 1);
	ret->value = s + *at;
	return *at < n;
}

bool json_array(const char *s, size_t n, const char *key, size_t *at)
{
	struct json_pair p;

	*at = skip_blanks(s, n, 0);
	if (*at < n && s[*at] == '[') {
		++*at;
		return true;
	}
	if (*at >= n || s[*at] != '{')
		return false;
	*at = skip_blanks(s, n, *at + 1);
	while (*at < n && s[*at] == '"' && take_pair(s, n, at, &p)) {
		if (p.key_n == strlen(key) && !memcmp(p.key, key, p.key_n)) {
			++*at;
			return *p.value == '[';
		}
		*at = skip_blanks(s, n, skip_value(s, n, *at));
		if (*at < n && s[*at] == ',')
			*at = skip_blanks(s, n, *at + 1);
	}
	return false;
}

bool json_element(const char *s, size_t n, size_t *at, const char **ret, size_t *len)
{
	size_t from = skip_blanks(s, n, *at), end;

	if (from < n && s[from] == ',')
		from = skip_blanks(s, n, from + 1);
	end = from < n ? skip_value(s, n, from) : n;
	/* what goes on to the end of the text may have no end of its own */
	if (from >= n || end == from || (end == n && !json_is_object(s + from, n - from)))
		return false;
	*ret = s + from;
	*len = end - from;
	*at = end;
	return true;
}

bool json_next(const char *s, size_t n, size_t *at, struct json_pair *ret)
{
	size_t end;

	if (!*at) {
		*at = skip_blanks(s, n, 0);
		if (*at >= n || s[*at] != '{')
			return false;
		++*at;
	}
	*at = skip_blanks(s, n, *at);
	if (*at < n && s[*at] == ',')
		*at = skip_blanks(s, n, *at + 1);
	if (*at >= n || s[*at] != '"' || !take_pair(s, n, at, ret))
		return false;
	end = skip_value(s, n, *at);
	if (end >= n || end == *at)
		return false;
	ret->value_n = end - *at;
	*at = end;
	return true;
}

bool json_is_object(const char *s, size_t n)
{
	const char *value;
	size_t len, end;

	walk(s, n, NULL, &value, &len, &end);
	return n && end == n;
}

/* Four hexadecimal digits. */
static bool take_unit(const char *s, const char *end, uint32_t *ret)
{
	*ret = 0;
	if (end - s < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		unsigned d = digit_value(s[i]);

		if (d > 15)
			return false;
		*ret = *ret << 4 | d;
	}
	return true;
}

static char *put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	} else {
		*to++ = (char)(0xf0 | c >> 18);
		*to++ = (char)(0x80 | (c >> 12 & 0x3f));
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	}
	return to;
}

/* The escape behind a backslash at s; moves *s behind it. */
static char *put_escape(char *to, const char **s, const char *end)
{
	static const char letters[] = "bfnrt", means[] = "\b\f\n\r\t";
	uint32_t c, low;
	const char *at;

	if (**s != 'u') {
		at = strchr(letters, **s);
		*to++ = at ? means[at - letters] : **s;
		(*s)++;
		return to;
	}
	(*s)++;
	if (!take_unit(*s, end, &c))
		return to;
	*s += 4;
	if (c >= 0xd800 && c < 0xdc00 && end - *s >= 6 && !memcmp(*s, "\\u", 2) &&
	    take_unit(*s + 2, end, &low) && low >= 0xdc00 && low < 0xe000) {
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		*s += 6;
	}
	return c ? put_utf8(to, c) : to;
}

size_t json_string(const char *value, size_t n, char *to)
{
	const char *end = n < 2 || *value != '"' ? value : value + n - 1;
	char *from = to;

	for (value += n > 0; value < end;) {
		if (*value != '\\' || value + 1 >= end) {
			*to++ = *value++;
			continue;
		}
		value++;
		to = put_escape(to, &value, end);
	}
	*to = '\0';
	return (size_t)(to - from);
}

const char *json_member_str(struct arena *a, const char *s, size_t n, const char *key)
{
	const char *value;
	size_t len;
	char *ret;

	if (!json_member(s, n, key, &value, &len) || len < 2 || *value != '"')
		return NULL;
	ret = arena_alloc(a, len);
	(void)json_string(value, len, ret);
	return ret;
}

bool json_member_uint(const char *s, size_t n, const char *key, uint64_t *ret)
{
	const char *value;
	size_t len;

	return json_member(s, n, key, &value, &len) && number_take(&value, value + len, 10, ret);
}
