/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what may be shown of a hostile string. Expectations are Unicode's and ISO 6429's: which
 * characters are controls, separators of lines or marks of direction (UAX #9). */
#include <stdio.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/base/text.h"

static size_t shown(const char *s)
{
	return text_shown(s, strlen(s));
}

static size_t utf8(char *s, uint32_t c)
{
	if (c < 0x80) {
		s[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		s[0] = (char)(0xc0 | c >> 6);
		s[1] = (char)(0x80 | (c & 63));
		return 2;
	}
	s[0] = (char)(0xe0 | c >> 12);
	s[1] = (char)(0x80 | (c >> 6 & 63));
	s[2] = (char)(0x80 | (c & 63));
	return 3;
}

static bool is_direction(uint32_t c)
{
	static const uint32_t marks[] = { 0x61c,  0x200e, 0x200f, 0x202a, 0x202b, 0x202c,
					  0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069 };

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (marks[i] == c)
			return true;
	return false;
}

/* Each character of Unicode's first plane but the surrogates: what is a control (general category
 * Cc), a line or paragraph separator, or a mark of direction is not shown; all else is. */
TEST(what_acts_is_not_shown)
{
	for (uint32_t c = 0; c < 0x10000; c = c == 0xd7ff ? 0xe000 : c + 1) {
		bool acts = c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x2028 || c == 0x2029 ||
			    is_direction(c);
		char s[4];
		size_t n = utf8(s, c);

		CHECK_U64(text_char(s, n), n);
		CHECK_U64(text_number(s, n), c);
		if (!CHECK_U64(text_shown(s, n), acts ? 0 : n))
			printf("  U+%04x\n", (unsigned)c);
	}
}

TEST(readable_text_stays)
{
	CHECK_U64(shown("\xc3\xa9"), 2);         /* U+00E9 */
	CHECK_U64(shown("\xe2\x82\xac"), 3);     /* U+20AC */
	CHECK_U64(shown("\xf0\x9f\x92\xa5"), 4); /* U+1F4A5 */
	CHECK_U64(text_number("\xf0\x9f\x92\xa5", 4), 0x1f4a5);
	CHECK_U64(text_number("\xf4\x8f\xbf\xbf", 4), 0x10ffff);
	CHECK(text_is_plain("K\xc3\xb6nig \\x1b %s\"'"));
	CHECK(text_is_plain(""));
	CHECK(!text_is_plain("a\nb"));
	CHECK(!text_is_plain("a\xff"));
	CHECK(!text_is_plain("cut \xe2\x82"));
}

static void check_plain(const char *in, size_t n, const char *inside, const char *lines)
{
	struct buf b = { 0 };

	buf_plain(&b, in, n);
	CHECK_STR(buf_text(&b), inside);
	buf_reset(&b);
	buf_plain_lines(&b, in, n);
	CHECK_STR(buf_text(&b), lines);
	buf_release(&b);
}
#define PLAIN(in, inside, lines) check_plain(in, sizeof(in) - 1, inside, lines)

TEST(escapes_are_by_byte)
{
	PLAIN("", "", "");
	PLAIN("napper", "napper", "napper");
	PLAIN("a\nb\tc\rd", "a\\nb\\tc\\rd", "a\nb\tc\\rd");
	PLAIN("\0\x1b[2J\x7f", "\\x00\\x1b[2J\\x7f", "\\x00\\x1b[2J\\x7f");
	PLAIN("\x9b[2J", "\\x9b[2J", "\\x9b[2J");               /* CSI as one byte */
	PLAIN("\xc2\x9b[2J", "\\xc2\\x9b[2J", "\\xc2\\x9b[2J"); /* CSI as U+009B */
	PLAIN("\xe2\x80\xae"
	      "exe",
	      "\\xe2\\x80\\xae"
	      "exe",
	      "\\xe2\\x80\\xae"
	      "exe");
	PLAIN("\xc3\xa9\xff\xc3", "\xc3\xa9\\xff\\xc3", "\xc3\xa9\\xff\\xc3");
	PLAIN("back\\slash", "back\\slash", "back\\slash");
}

TEST(one_line_of_what_was_added)
{
	struct buf b = { 0 };

	buf_one_line(&b, 0);
	buf_str(&b, "first\n");
	buf_one_line(&b, b.n);
	buf_str(&b, "\na\n\nb\tc\n");
	buf_one_line(&b, 6);
	CHECK_STR(buf_text(&b), "first\n\\na\\n\\nb\tc\\n");
	buf_release(&b);
}

TEST_MAIN
