/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of gdb's packets: sums were added up by hand, forms are those of the GDB manual, E.1. */
#include "core/base/test.h"
#include "core/shell/gdb/gdb_packet.h"

struct read {
	enum gdb_event event;
	size_t taken, len;
	char text[64];
};

/* What the n bytes of `bytes` begin with. */
static struct read next(const char *bytes, size_t n)
{
	struct read r = { 0 };
	char room[64];
	const char *text = NULL;

	memcpy(room, bytes, n);
	r.event = gdb_packet_next(room, n, &r.taken, &text, &r.len);
	if (r.event == GDB_PACKET)
		memcpy(r.text, text, r.len + 1);
	return r;
}

#define NEXT(bytes) next(bytes, sizeof(bytes) - 1)

TEST(a_packet_is_read)
{
	struct read r = NEXT("$OK#9a+$g#67"); /* 0x4f + 0x4b = 0x9a */

	CHECK_U64(r.event, GDB_PACKET);
	CHECK_U64(r.taken, 6);
	CHECK_STR(r.text, "OK");
	r = NEXT("$#00");
	CHECK_U64(r.event, GDB_PACKET);
	CHECK_U64(r.taken, 4);
	CHECK_U64(r.len, 0);
	r = NEXT("$m0#9D"); /* 0x6d + 0x30 = 0x9d */
	CHECK_U64(r.event, GDB_PACKET);
	/* 0xff twice is 0x1fe, of which 0xfe counts */
	r = NEXT("$\377\377#fe");
	CHECK_U64(r.event, GDB_PACKET);
}

TEST(a_wrong_sum_is_damage)
{
	CHECK_U64(NEXT("$OK#9b").event, GDB_DAMAGED);
	CHECK_U64(NEXT("$OK#9b+").taken, 6);
	CHECK_U64(NEXT("$OK#9g").event, GDB_DAMAGED);
	/* a digit that is none must not be taken for one: 0x10 is the sum */
	CHECK_U64(NEXT("$\020#0g").event, GDB_DAMAGED);
	CHECK_U64(NEXT("$\020#10").event, GDB_PACKET);
	CHECK_U64(NEXT("$OK#  ").event, GDB_DAMAGED);
}

TEST(half_a_packet_waits)
{
	static const char whole[] = "$OK#9a";

	CHECK_U64(next(whole, 0).event, GDB_MORE);
	for (size_t n = 1; n < sizeof(whole) - 1; n++) {
		CHECK_U64(next(whole, n).event, GDB_MORE);
		CHECK_U64(next(whole, n).taken, 0);
	}
}

TEST(another_packet_ends_one_without_end)
{
	struct read r = NEXT("$m12$OK#9a");

	CHECK_U64(r.event, GDB_DAMAGED);
	CHECK_U64(r.taken, 4);
}

TEST(escapes_are_undone)
{
	/* 0x7d 0x03 is '#', 0x7d 0x04 '$', 0x7d 0x5d '}': the sum is of what was sent */
	struct read r = NEXT("$X}\003}\004}]#33");

	CHECK_U64(r.event, GDB_PACKET);
	CHECK_STR(r.text, "X#$}");
	CHECK_U64(r.taken, 11);
	/* one that escapes nothing stays */
	r = NEXT("$}#7d");
	CHECK_STR(r.text, "}");
}

TEST(single_bytes_mean_something_or_are_strange)
{
	CHECK_U64(NEXT("+$").event, GDB_ACK);
	CHECK_U64(NEXT("+$").taken, 1);
	CHECK_U64(NEXT("-").event, GDB_RESEND);
	CHECK_U64(NEXT("\003").event, GDB_INTERRUPT);
	CHECK_U64(NEXT("GET / HTTP/1.1").event, GDB_STRANGE);
	CHECK_U64(NEXT("POST").event, GDB_STRANGE);
	CHECK_U64(NEXT("\026\003\001").event, GDB_STRANGE); /* TLS */
	CHECK_U64(next("", 1).event, GDB_STRANGE);
	CHECK_U64(NEXT("%").event, GDB_STRANGE);
}

TEST(what_is_too_long_is_strange)
{
	size_t n = GDB_PACKET_MAX + 4, taken, len;
	char *s = malloc(n);
	const char *text;

	REQUIRE(s);
	memset(s, 'a', n);
	s[0] = '$';
	/* as long as may be, and still without its end */
	CHECK_U64(gdb_packet_next(s, GDB_PACKET_MAX, &taken, &text, &len), GDB_MORE);
	CHECK_U64(gdb_packet_next(s, GDB_PACKET_MAX + 1, &taken, &text, &len), GDB_STRANGE);
	CHECK_U64(gdb_packet_next(s, n, &taken, &text, &len), GDB_STRANGE);
	free(s);
}

TEST(packets_are_made)
{
	struct buf b = { 0 };

	gdb_packet_add(&b, "OK", 2);
	gdb_packet_add(&b, "", 0);
	CHECK_STR(buf_text(&b), "$OK#9a$#00");
	buf_reset(&b);
	gdb_hex_add(&b, "\0\x7f\xff", 3);
	CHECK_STR(buf_text(&b), "007fff");
	buf_release(&b);
}

TEST(digits_are_pairs)
{
	struct buf b = { 0 };

	CHECK(gdb_hex_read(&b, "62742031", 8));
	CHECK_STR(buf_text(&b), "bt 1");
	CHECK(gdb_hex_read(&b, "", 0));
	CHECK(!gdb_hex_read(&b, "627", 3));
	CHECK(!gdb_hex_read(&b, "6g", 2));
	CHECK(!gdb_hex_read(&b, "0x", 2));
	buf_release(&b);
}

TEST(numbers_have_a_limit)
{
	uint64_t a = 0, b = 0;

	REQUIRE(gdb_two_numbers("ffffffffffffffff,10", &a, &b));
	CHECK_U64(a, UINT64_MAX);
	CHECK_U64(b, 16);
	CHECK(!gdb_two_numbers("10000000000000000,1", &a, &b));
	CHECK(!gdb_two_numbers("1,10000000000000000", &a, &b));
	CHECK(!gdb_two_numbers("1", &a, &b));
	CHECK(!gdb_two_numbers("1,", &a, &b));
	CHECK(!gdb_two_numbers(",1", &a, &b));
	CHECK(!gdb_two_numbers("1,2:", &a, &b));
	CHECK(!gdb_two_numbers("-1,2", &a, &b));
}

TEST_MAIN
