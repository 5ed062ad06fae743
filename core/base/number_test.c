/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of numbers. Expectations: what the header says, and the limits of 64 bits. */
#include <string.h>

#include "core/base/number.h"
#include "core/base/test.h"

/* How many characters of s are the number, 0 for none; *n is the number. */
static size_t taken(const char *s, unsigned base, uint64_t *n)
{
	const char *p = s;

	*n = 99;
	return number_take(&p, NULL, base, n) ? (size_t)(p - s) : 0;
}

TEST(each_base_takes_its_digits)
{
	uint64_t n;

	CHECK_U64(taken("12ab", 10, &n), 2);
	CHECK_U64(n, 12);
	CHECK_U64(taken("0x12", 10, &n), 1);
	CHECK_U64(n, 0);
	CHECK_U64(taken("12aBg", 16, &n), 4);
	CHECK_U64(n, 0x12ab);
	CHECK_U64(taken("0X12", 16, &n), 4);
	CHECK_U64(n, 0x12);
	CHECK_U64(taken("012f", 0, &n), 3);
	CHECK_U64(n, 12);
	CHECK_U64(taken("0x1fg", 0, &n), 4);
	CHECK_U64(n, 0x1f);
}

TEST(no_digit_is_no_number)
{
	static const char *const v[] = { "", " 1", "-1", "+1", "x1", "/", ":", "@", "g" };
	uint64_t n;

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++)
		for (unsigned base = 0; base <= 16; base += base ? 6 : 10) {
			CHECK_U64(taken(v[i], base, &n), 0);
			CHECK_U64(n, 99);
		}
	CHECK_U64(taken("a", 10, &n), 0);
	CHECK_U64(taken("a", 0, &n), 0);
}

/* "0x" without a digit is the number 0 and a letter. */
TEST(a_prefix_needs_a_digit)
{
	const char *s = "0x1";
	const char *p = s;
	uint64_t n;

	CHECK_U64(taken("0xg", 16, &n), 1);
	CHECK_U64(n, 0);
	CHECK(number_take(&p, s + 2, 0, &n));
	CHECK_U64(p - s, 1);
	CHECK_U64(n, 0);
	CHECK(!number_parse("0x", 16, &n));
}

TEST(what_64_bits_hold)
{
	uint64_t n;

	CHECK(number_parse("18446744073709551615", 10, &n));
	CHECK_U64(n, UINT64_MAX);
	CHECK(!number_parse("18446744073709551616", 10, &n));
	CHECK(number_parse("ffffffffffffffff", 16, &n));
	CHECK_U64(n, UINT64_MAX);
	CHECK(!number_parse("10000000000000000", 16, &n));
	CHECK(number_parse("0000000000000000000000000001", 16, &n));
	CHECK_U64(n, 1);
}

TEST(the_end_is_not_read)
{
	const char s[] = { '1', '2', '3' };
	const char *p = s;
	uint64_t n;

	CHECK(number_take(&p, s + 2, 10, &n));
	CHECK_U64(n, 12);
	CHECK_U64(p - s, 2);
	CHECK(!number_take(&p, s + 2, 10, &n));
	CHECK(number_take(&p, s + 3, 10, &n));
	CHECK_U64(n, 3);
}

TEST(the_whole_is_a_number)
{
	uint64_t n = 99;

	CHECK(!number_parse("12 ", 10, &n));
	CHECK(!number_parse("12a", 0, &n));
	CHECK(!number_parse("", 16, &n));
	CHECK_U64(n, 99);
	CHECK(number_parse("12", 0, &n));
	CHECK_U64(n, 12);
}

TEST_MAIN
