/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of spans and cursors: nothing is read past the end, and the first failure is remembered. */
#include "core/base/bytes.h"
#include "core/base/test.h"

static const uint8_t eight[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };

TEST(sub_within_and_at_the_end)
{
	struct span s = SPAN(eight, 8), sub;
	struct err err = { 0 };

	REQUIRE_OK(span_sub(s, 2, 3, "x", &sub, &err), err);
	CHECK(sub.p == eight + 2);
	CHECK_U64(sub.n, 3);
	REQUIRE_OK(span_sub(s, 8, 0, "x", &sub, &err), err);
	CHECK_U64(sub.n, 0);
	REQUIRE_OK(span_sub(s, 0, 8, "x", &sub, &err), err);
}

TEST(sub_outside_fails_without_overflow)
{
	static const uint64_t bad[][2] = {
		{ 0, 9 },          { 8, 1 },          { 9, 0 },
		{ UINT64_MAX, 1 }, { 1, UINT64_MAX }, { UINT64_MAX, UINT64_MAX },
	};
	struct span s = SPAN(eight, 8), sub = { NULL, 77 };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = { 0 };

		CHECK(!span_sub(s, bad[i][0], bad[i][1], "header", &sub, &err));
		CHECK_ERR(err, ERR_FORMAT);
		CHECK_U64(err.addr, bad[i][0]);
		CHECK_CONTAINS(err.msg, "header");
	}
	CHECK_U64(sub.n, 77);
}

TEST(loads)
{
	CHECK_U64(load_le16(eight), 0x0201);
	CHECK_U64(load_le32(eight), 0x04030201);
	CHECK_U64(load_le64(eight), 0x0807060504030201);
	CHECK_U64(load_be64(eight), 0x0102030405060708);
	CHECK_U64(load_le(eight, 3), 0x030201);
	CHECK_U64(load_le32(eight + 1), 0x05040302); /* unaligned */
}

/* What is stored in an order reads back in it alone, and nothing beside it changes. */
TEST(stores)
{
	uint8_t b[6] = { 0xee, 0xee, 0xee, 0xee, 0xee, 0xee };

	store_uint(b + 1, 4, true, 0x1122334455667788);
	CHECK_MEM(b, "\xee\x55\x66\x77\x88\xee", 6);
	CHECK_U64(load_uint(b + 1, 4, true), 0x55667788);
	CHECK_U64(load_uint(b + 1, 4, false), 0x88776655);
	store_uint(b + 1, 3, false, 0x010203);
	CHECK_MEM(b, "\xee\x03\x02\x01\x88\xee", 6);
	bytes_reverse(b, 5);
	CHECK_MEM(b, "\x88\x01\x02\x03\xee\xee", 6);
}

TEST(cursor_reads_both_endians)
{
	struct err err = { 0 };
	struct cursor c;

	cursor_init(&c, SPAN(eight, 8), "x", &err);
	CHECK_U64(cursor_u8(&c), 1);
	CHECK_U64(cursor_u16(&c), 0x0302);
	CHECK_U64(cursor_u32(&c), 0x07060504);
	CHECK_U64(cursor_left(&c), 1);
	cursor_init(&c, SPAN(eight, 8), "x", &err);
	c.big = true;
	CHECK_U64(cursor_u8(&c), 1);
	CHECK_U64(cursor_u16(&c), 0x0203);
	CHECK_U64(cursor_u32(&c), 0x04050607);
	CHECK(cursor_ok(&c));
	cursor_seek(&c, 0);
	CHECK_U64(cursor_u64(&c), 0x0102030405060708);
	CHECK_U64(cursor_left(&c), 0);
}

TEST(cursor_fails_once_and_then_reads_zero)
{
	struct err err = { 0 };
	struct cursor c;
	char first[sizeof(err.msg)];

	cursor_init(&c, SPAN(eight, 8), "kdump header", &err);
	cursor_skip(&c, 6);
	CHECK_U64(cursor_u32(&c), 0);
	CHECK(!cursor_ok(&c));
	CHECK_ERR(err, ERR_FORMAT);
	CHECK_CONTAINS(err.msg, "kdump header");
	memcpy(first, err.msg, sizeof(first));
	/* two bytes are left, but after a failure nothing is given any more */
	CHECK_U64(cursor_u8(&c), 0);
	CHECK_U64(cursor_left(&c), 0);
	CHECK_STR(cursor_str(&c), "");
	cursor_seek(&c, 0);
	CHECK_U64(cursor_u64(&c), 0);
	CHECK_STR(err.msg, first);
}

TEST(cursor_moves_stay_inside)
{
	struct err err = { 0 };
	struct cursor c;

	cursor_init(&c, SPAN(eight, 8), "x", &err);
	cursor_seek(&c, 8);
	CHECK(cursor_ok(&c));
	cursor_seek(&c, 9);
	CHECK(!cursor_ok(&c));
	cursor_init(&c, SPAN(eight, 8), "x", &err);
	cursor_skip(&c, UINT64_MAX);
	CHECK(!cursor_ok(&c));
	cursor_init(&c, SPAN(eight, 7), "x", &err);
	cursor_skip(&c, 5);
	cursor_align(&c, 4); /* to 8, one past the end of 7 */
	CHECK(!cursor_ok(&c));
	cursor_init(&c, SPAN(eight, 8), "x", &err);
	cursor_align(&c, 4);
	CHECK_U64(cursor_pos(&c), 0);
	cursor_skip(&c, 1);
	cursor_align(&c, 4);
	CHECK_U64(cursor_pos(&c), 4);
	CHECK_U64(cursor_take(&c, 5).n, 0);
	CHECK(!cursor_ok(&c));
}

TEST(cursor_leb128)
{
	/* 624485 is DWARF's own example; ten bytes hold 64 bits */
	static const uint8_t leb[] = { 0xe5, 0x8e, 0x26, 0x7f, 0x80, 0x01 };
	static const uint8_t max[] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01 };
	static const uint8_t endless[] = { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
					   0x80, 0x80, 0x80, 0x80, 0x80, 0x00 };
	struct err err = { 0 };
	struct cursor c;

	cursor_init(&c, SPAN(leb, sizeof(leb)), "x", &err);
	CHECK_U64(cursor_uleb(&c), 624485);
	CHECK_U64(cursor_uleb(&c), 127);
	CHECK_U64(cursor_uleb(&c), 128);
	CHECK(cursor_ok(&c));
	cursor_init(&c, SPAN(max, sizeof(max)), "x", &err);
	CHECK_U64(cursor_uleb(&c), UINT64_MAX);
	CHECK(cursor_ok(&c));
	cursor_init(&c, SPAN(endless, sizeof(endless)), "x", &err);
	CHECK_U64(cursor_uleb(&c), 0);
	CHECK(!cursor_ok(&c));
	cursor_init(&c, SPAN(endless, 3), "x", &err);
	CHECK_U64(cursor_uleb(&c), 0);
	CHECK(!cursor_ok(&c));
}

TEST(cursor_strings)
{
	struct err err = { 0 };
	struct cursor c;

	cursor_init(&c, SPAN("ab\0\0cd", 6), "names", &err);
	CHECK_STR(cursor_str(&c), "ab");
	CHECK_STR(cursor_str(&c), "");
	CHECK_U64(cursor_pos(&c), 4);
	CHECK_STR(cursor_str(&c), ""); /* "cd" has no NUL inside the span */
	CHECK(!cursor_ok(&c));
	cursor_init(&c, SPAN(NULL, 0), "names", &err);
	CHECK_STR(cursor_str(&c), "");
	CHECK(!cursor_ok(&c));
	cursor_init(&c, SPAN(NULL, 0), "names", &err);
	CHECK_U64(cursor_take(&c, 0).n, 0);
	CHECK(cursor_ok(&c));
}

TEST(signed_leb128)
{
	/* the examples of DWARF 5, figure 7.22 */
	static const uint8_t bytes[] = {
		0x02, 0x7e, 0xff, 0x00, 0x81, 0x7f, 0x80, 0x01, 0x80, 0x7f
	};
	static const int64_t want[] = { 2, -2, 127, -127, 128, -128 };
	static const uint8_t endless[] = { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
					   0x80, 0x80, 0x80, 0x80, 0x80 };
	struct cursor c;
	struct err err;

	cursor_init(&c, SPAN(bytes, sizeof(bytes)), "test", &err);
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		CHECK_U64((uint64_t)cursor_sleb(&c), (uint64_t)want[i]);
	CHECK(cursor_ok(&c));
	cursor_init(&c, SPAN(endless, sizeof(endless)), "test", &err);
	(void)cursor_sleb(&c);
	CHECK(!cursor_ok(&c));
}

TEST_MAIN
