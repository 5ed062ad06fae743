/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the growing string: its limit, and the escaping that JSON needs (RFC 8259, section 7).
 */
#include "core/base/buf.h"
#include "core/base/test.h"

static void check_json(const char *in, size_t n, const char *want)
{
	struct buf b = { 0 };

	buf_json_str(&b, in, n);
	CHECK_STR(buf_text(&b), want);
	buf_release(&b);
}
#define JSON(in, want) check_json(in, sizeof(in) - 1, want)

TEST(grows)
{
	struct buf b = { 0 };

	CHECK_STR(buf_text(&b), "");
	buf_str(&b, "pid ");
	buf_printf(&b, "%d", 124);
	buf_char(&b, ':');
	buf_pad(&b, ' ', 3);
	buf_add(&b, "xyz", 2);
	CHECK_STR(buf_text(&b), "pid 124:   xy");
	CHECK_U64(b.n, strlen(b.s));
	buf_reset(&b);
	CHECK_STR(buf_text(&b), "");
	for (int i = 0; i < 10000; i++)
		buf_str(&b, "0123456789");
	CHECK_U64(b.n, 100000);
	CHECK_U64(strlen(b.s), 100000);
	CHECK(!b.cut);
	buf_release(&b);
	CHECK_STR(buf_text(&b), "");
}

TEST(the_limit_cuts_and_is_remembered)
{
	struct buf b = { .max = 10 };

	buf_str(&b, "0123456789");
	CHECK(!b.cut);
	buf_char(&b, 'x');
	CHECK(b.cut);
	/* once cut nothing is added, or the text would have a hole */
	buf_str(&b, "");
	buf_printf(&b, "%d", 1);
	buf_pad(&b, ' ', SIZE_MAX);
	CHECK_STR(buf_text(&b), "0123456789");
	buf_release(&b);
	CHECK_U64(b.max, 10);
	buf_str(&b, "again");
	CHECK_STR(buf_text(&b), "again");
	buf_release(&b);
}

/* As printf does it. */
TEST(numbers)
{
	static const uint64_t numbers[] = { 0, 9, 10, 999999, 1000000, UINT64_MAX };
	char want[64];

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		unsigned long long v = numbers[i];
		struct buf b = { 0 };

		buf_dec(&b, v, 6, '0');
		buf_char(&b, '|');
		buf_dec(&b, v, 5, ' ');
		buf_char(&b, '|');
		buf_hex(&b, v);
		snprintf(want, sizeof(want), "%06llu|%5llu|%llx", v, v, v);
		CHECK_STR(buf_text(&b), want);
		buf_release(&b);
	}
}

/* What does not fit into what is allocated, and what fits exactly. */
TEST(printf_of_any_length)
{
	for (int n = 0; n < 300; n++) {
		struct buf b = { .max = 400 };

		buf_str(&b, "x");
		buf_printf(&b, "%*d", n, 7);
		CHECK_U64(b.n, (size_t)(n > 1 ? n : 1) + 1);
		CHECK_U64(strlen(b.s), b.n);
		buf_printf(&b, "%*d", 400, 7);
		CHECK(b.cut);
		CHECK_U64(strlen(b.s), b.n);
		buf_release(&b);
	}
}

TEST(json_plain)
{
	JSON("", "\"\"");
	JSON("swapper/0", "\"swapper/0\"");
	JSON("a\"b\\c/d", "\"a\\\"b\\\\c/d\"");
	JSON("a\nb\tc", "\"a\\nb\\tc\"");
	JSON("\0\1\x1f\x7f", "\"\\u0000\\u0001\\u001f\\u007f\"");
}

TEST(json_utf8_stays)
{
	JSON("\xc3\xa9", "\"\xc3\xa9\"");                 /* U+00E9 */
	JSON("\xe2\x82\xac", "\"\xe2\x82\xac\"");         /* U+20AC */
	JSON("\xf0\x9f\x92\xa5", "\"\xf0\x9f\x92\xa5\""); /* U+1F4A5 */
	JSON("\xf4\x8f\xbf\xbf", "\"\xf4\x8f\xbf\xbf\""); /* U+10FFFF, the last one */
}

/* What is no UTF-8 is shown byte by byte (RFC 3629, section 4, says what is). */
TEST(json_bytes_that_are_no_utf8)
{
	JSON("\x80", "\"\\u0080\"");                                  /* continuation alone */
	JSON("\xff\xfe", "\"\\u00ff\\u00fe\"");                       /* never in UTF-8 */
	JSON("\xc3", "\"\\u00c3\"");                                  /* cut at the end */
	JSON("\xe2\x82", "\"\\u00e2\\u0082\"");                       /* cut at the end */
	JSON("\xc3(", "\"\\u00c3(\"");                                /* no continuation */
	JSON("\xc0\xaf", "\"\\u00c0\\u00af\"");                       /* overlong '/' */
	JSON("\xe0\x80\xaf", "\"\\u00e0\\u0080\\u00af\"");            /* overlong '/' */
	JSON("\xed\xa0\x80", "\"\\u00ed\\u00a0\\u0080\"");            /* a surrogate */
	JSON("\xf4\x90\x80\x80", "\"\\u00f4\\u0090\\u0080\\u0080\""); /* above U+10FFFF */
}

/* JSON is read on terminals too: a terminal obeys U+009B, and U+202E turns what follows. */
TEST(json_of_characters_that_act)
{
	JSON("\xc2\x9b", "\"\\u009b\"");
	JSON("\xe2\x80\xae", "\"\\u202e\"");
	JSON("\xe2\x80\xa8", "\"\\u2028\"");
}

TEST(json_does_not_look_past_its_length)
{
	check_json("\xe2\x82\xac", 2, "\"\\u00e2\\u0082\"");
	check_json("abc", 1, "\"a\"");
}

TEST_MAIN
