/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hostile strings inside the languages of other programs. */
#include "core/base/markup.h"

#include <string.h>

#include "core/base/text.h"

/* What a reader of invisible text puts between two characters that must not stand together. */
#define APART "&#8203;"

/* A character that is shown: appends what stands for it. at is its place among the n bytes at s. */
typedef void put_char(struct buf *b, const char *s, size_t n, size_t at, size_t len);

/* XML has no U+FFFE and U+FFFF, nor has HTML; the others of their kind are controls in both. */
static bool is_no_character(const char *s, size_t len)
{
	uint32_t c = text_number(s, len);

	return (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef);
}

static void put_all(struct buf *b, const char *s, size_t n, put_char *put)
{
	for (size_t i = 0; i < n;) {
		size_t len = text_shown(s + i, n - i);
		char escape[TEXT_ESCAPE_SIZE];

		if (!len || is_no_character(s + i, len)) {
			/* a backslash is a character that languages may know, too */
			size_t m = text_escape((unsigned char)s[i], escape);

			for (size_t k = 0; k < m; k++)
				put(b, escape, m, k, 1);
			i++;
			continue;
		}
		put(b, s, n, i, len);
		i += len;
	}
}

static void put_markup(struct buf *b, const char *s, size_t n, size_t at, size_t len)
{
	(void)n;
	switch (s[at]) {
	case '&':
		buf_str(b, "&amp;");
		break;
	case '<':
		buf_str(b, "&lt;");
		break;
	case '>': /* "]]>" may not stand in XML's text */
		buf_str(b, "&gt;");
		break;
	case '"':
		buf_str(b, "&quot;");
		break;
	case '\'':
		buf_str(b, "&#39;");
		break;
	default:
		buf_add(b, s + at, len);
	}
}

void buf_markup(struct buf *b, const char *s, size_t n)
{
	put_all(b, s, n, put_markup);
}

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '_' || (c & 0x80);
}

/* "@name", "#12", "!12", "%12", "~bug", "GH-12" and the like refer to something where they stand;
 * "://" and "www." begin a link. All of that is found after escapes were read. */
static bool must_part(const char *s, size_t n, size_t at)
{
	const char *p = s + at;
	size_t left = n - at;

	if (strchr("@#!%$&^~", *p))
		return left > 1 && (is_word(p[1]) || p[1] == '"');
	if (*p == '-')
		return left > 1 && at > 1 && p[1] >= '0' && p[1] <= '9' && (p[-2] | 0x20) == 'g' &&
		       (p[-1] | 0x20) == 'h';
	return (left > 1 && *p == ':' && p[1] == '/') ||
	       (left > 3 && (*p == 'w' || *p == 'W') && (p[1] | 0x20) == 'w' &&
		(p[2] | 0x20) == 'w' && p[3] == '.');
}

static void put_markdown(struct buf *b, const char *s, size_t n, size_t at, size_t len)
{
	if (len == 1 && strchr("\\`*_[]<>#|~$&", s[at]))
		buf_char(b, '\\');
	buf_add(b, s + at, len);
	if (len == 1 && must_part(s, n, at))
		buf_str(b, APART);
}

void buf_markdown(struct buf *b, const char *s, size_t n)
{
	put_all(b, s, n, put_markdown);
}

static size_t longest_run(const char *s, size_t n)
{
	size_t run = 0, most = 0;

	for (size_t i = 0; i < n; i++) {
		run = s[i] == '`' ? run + 1 : 0;
		most = run > most ? run : most;
	}
	return most;
}

size_t markdown_fence(const char *s, size_t n)
{
	size_t run = longest_run(s, n);

	return run < 3 ? 3 : run + 1;
}

static void put_code(struct buf *b, const char *s, size_t n, size_t at, size_t len)
{
	/* a table's cell ends at a bar even in a code span; outside of a table the backslash would
	 * be seen. One that stood there before would escape that backslash, and not the bar. */
	if (s[at] == '|')
		buf_char(b, '\\');
	if (s[at] == '\\' && at + 1 < n && s[at + 1] == '|')
		buf_str(b, "\\x5c");
	else
		buf_add(b, s + at, len);
}

void buf_markdown_code(struct buf *b, const char *s, size_t n)
{
	size_t ticks = longest_run(s, n) + 1;
	bool blank = n && (s[0] == '`' || s[n - 1] == '`' || s[0] == ' ' || s[n - 1] == ' ');

	if (!n)
		return;
	buf_pad(b, '`', ticks);
	if (blank)
		buf_char(b, ' ');
	put_all(b, s, n, put_code);
	if (blank)
		buf_char(b, ' ');
	buf_pad(b, '`', ticks);
}

static void put_message(struct buf *b, const char *s, size_t n, size_t at, size_t len)
{
	(void)n;
	if (s[at] == '%')
		buf_str(b, "%25");
	else
		buf_add(b, s + at, len);
}

static void put_property(struct buf *b, const char *s, size_t n, size_t at, size_t len)
{
	if (s[at] == ':')
		buf_str(b, "%3A");
	else if (s[at] == ',')
		buf_str(b, "%2C");
	else
		put_message(b, s, n, at, len);
}

void buf_workflow(struct buf *b, const char *s, size_t n, bool property)
{
	put_all(b, s, n, property ? put_property : put_message);
}

void buf_uri(struct buf *b, const char *s, size_t n)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-._~/";

	for (size_t i = 0; i < n; i++)
		if (s[i] && strchr(plain, s[i]))
			buf_char(b, s[i]);
		else
			buf_printf(b, "%%%02X", (unsigned char)s[i]);
}
