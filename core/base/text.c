/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which bytes of a string may be shown as they are, and how the others are. */
#include <string.h>

#include "core/base/text.h"

size_t text_char(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t len = s[0] < 0x80                   ? 1
		     : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
		     : (s[0] & 0xf0) == 0xe0       ? 3
		     : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
						   : 0;

	if (!len || len > n)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return len;
}

uint32_t text_number(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;
	uint32_t number = n == 1 ? s[0] : s[0] & (0x7fu >> n);

	for (size_t i = 1; i < n; i++)
		number = number << 6 | (s[i] & 0x3f);
	return number;
}

/* Unicode's controls, its separators of lines, and its marks of direction (UAX #9, section 2). */
static bool acts(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

size_t text_shown(const char *s, size_t n)
{
	size_t len;

	if (*s >= 0x20 && *s < 0x7f)
		return 1;
	len = text_char(s, n);
	return len && acts(text_number(s, len)) ? 0 : len;
}

bool text_is_plain(const char *s)
{
	for (size_t n = strlen(s), len; n; s += len, n -= len) {
		len = text_shown(s, n);
		if (!len)
			return false;
	}
	return true;
}

size_t text_escape(unsigned char c, char to[TEXT_ESCAPE_SIZE])
{
	static const char digits[] = "0123456789abcdef", plain[] = "\n\r\t", letters[] = "nrt";
	const char *at = c ? strchr(plain, c) : NULL;
	size_t n = 0;

	to[n++] = '\\';
	if (at) {
		to[n++] = letters[at - plain];
	} else {
		to[n++] = 'x';
		to[n++] = digits[c >> 4];
		to[n++] = digits[c & 15];
	}
	to[n] = '\0';
	return n;
}
