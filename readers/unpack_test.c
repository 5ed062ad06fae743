/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of unpacking what the libraries themselves packed: one part, several, cut, and too large.
 */
#include <lzma.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "core/base/buf.h"
#include "core/base/vec.h"
#include "core/base/test.h"
#include "readers/unpack.h"

#define ROOM 4096

static const char first[] = "what was said first, ", second[] = "and what was said then";

/* Appends one packed part to out, of which n bytes are filled; returns how many are then. */
static size_t pack_into(const char *how, const char *text, uint8_t *out, size_t n, size_t room)
{
	size_t len = strlen(text), at = n;
	z_stream z = { .next_in = (Bytef *)text,
		       .avail_in = (uInt)len,
		       .next_out = out + n,
		       .avail_out = (uInt)(room - n) };

	switch (*how) {
	case 'g':
		if (deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
			return 0;
		(void)deflate(&z, Z_FINISH);
		at = n + z.total_out;
		deflateEnd(&z);
		return at;
	case 'x':
		return lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, (const uint8_t *)text,
					       len, out, &at, room) == LZMA_OK
			       ? at
			       : 0;
	default:
		return n + ZSTD_compress(out + n, room - n, text, len, 1);
	}
}

static size_t pack(const char *how, const char *text, uint8_t *out, size_t n)
{
	return pack_into(how, text, out, n, ROOM);
}

static void check_parts(const char *how)
{
	uint8_t packed[ROOM], head[64];
	size_t one = pack(how, first, packed, 0), n = pack(how, second, packed, one);
	size_t whole = strlen(first) + strlen(second);
	struct unpacked u;
	struct err err;

	CHECK_STR(unpack_name(SPAN(packed, n)), how);
	REQUIRE_OK(unpack_bytes(SPAN(packed, one), 1000, &u, &err), err);
	CHECK_U64(u.n, strlen(first));
	unpack_release(&u);
	/* several that were put together are one, as their own tools have it */
	REQUIRE_OK(unpack_bytes(SPAN(packed, n), whole + 1, &u, &err), err);
	REQUIRE(u.n == whole);
	CHECK_MEM(u.p, first, strlen(first));
	CHECK_MEM(u.p + strlen(first), second, strlen(second));
	unpack_release(&u);
	CHECK(!unpack_bytes(SPAN(packed, n), whole - 1, &u, &err));
	CHECK_ERR(err, ERR_LIMIT);
	for (size_t cut = 6; cut < one; cut++) {
		CHECK(!unpack_bytes(SPAN(packed, cut), 1000, &u, &err));
		CHECK_ERR(err, ERR_CORRUPT);
	}
	CHECK_U64(unpack_head(SPAN(packed, n), head, 10), 10);
	CHECK_MEM(head, first, 10);
}

TEST(parts_that_were_put_together)
{
	check_parts("gzip");
	check_parts("xz");
	check_parts("zstd");
}

/* Piece by piece into a file: the same bytes. */
TEST(into_a_file)
{
	static const char *const hows[] = { "gzip", "xz", "zstd" };

	for (size_t i = 0; i < ARRAY_SIZE(hows); i++) {
		uint8_t packed[ROOM];
		size_t n = pack(hows[i], second, packed, pack(hows[i], first, packed, 0));
		size_t whole = strlen(first) + strlen(second);
		char got[64] = "";
		FILE *f = tmpfile();
		struct err err;

		REQUIRE(f);
		REQUIRE_OK(unpack_to(SPAN(packed, n), fileno(f), 1000, NULL, NULL, &err), err);
		CHECK_U64((uint64_t)pread(fileno(f), got, sizeof(got), 0), whole);
		CHECK_MEM(got + strlen(first), second, strlen(second));
		CHECK(!unpack_to(SPAN(packed, n), fileno(f), whole - 1, NULL, NULL, &err));
		CHECK_ERR(err, ERR_LIMIT);
		CHECK(!unpack_to(SPAN(first, 5), fileno(f), 1000, NULL, NULL, &err));
		CHECK_ERR(err, ERR_FORMAT);
		fclose(f);
	}
}

static void keep(struct span piece, void *arg)
{
	buf_add(arg, piece.p, piece.n);
}

/* A long text, cut in the middle: what was handed over is its beginning, and most of what was
 * there. The letters are of a generator that compresses badly. */
TEST(pieces_before_a_cut_are_handed_over)
{
	static const char *const hows[] = { "gzip", "xz" };
	static uint8_t packed[(size_t)2 << 20];
	static char text[(size_t)1 << 20];
	uint32_t x = 1;

	for (size_t i = 0; i < sizeof(text) - 1; i++) {
		x = x * 1664525 + 1013904223;
		text[i] = (char)('a' + (x >> 28));
	}
	for (size_t i = 0; i < ARRAY_SIZE(hows); i++) {
		size_t n = pack_into(hows[i], text, packed, 0, sizeof(packed));
		struct buf got = { 0 };
		struct err err;

		REQUIRE_OK(unpack_pieces(SPAN(packed, n), sizeof(text), keep, &got, &err), err);
		REQUIRE(got.n == sizeof(text) - 1);
		CHECK_MEM(got.s, text, got.n);
		buf_reset(&got);
		CHECK(!unpack_pieces(SPAN(packed, n / 2), sizeof(text), keep, &got, &err));
		CHECK_ERR(err, ERR_CORRUPT);
		REQUIRE(got.n > sizeof(text) / 3 && got.n < sizeof(text) * 2 / 3);
		CHECK_MEM(got.s, text, got.n);
		buf_reset(&got);
		CHECK(!unpack_pieces(SPAN(packed, n), sizeof(text) / 2, keep, &got, &err));
		CHECK_ERR(err, ERR_LIMIT);
		buf_release(&got);
	}
}

TEST(what_is_not_packed_is_copied)
{
	struct unpacked u;
	struct err err;

	CHECK(!unpack_name(SPAN(first, sizeof(first))));
	REQUIRE_OK(unpack_bytes(SPAN(first, sizeof(first)), sizeof(first), &u, &err), err);
	CHECK_U64(u.n, sizeof(first));
	CHECK_MEM(u.p, first, sizeof(first));
	u.p[0] = 'W'; /* the bytes are one's own */
	CHECK(first[0] == 'w');
	unpack_release(&u);
	CHECK(!unpack_bytes(SPAN(first, sizeof(first)), sizeof(first) - 1, &u, &err));
	CHECK_ERR(err, ERR_LIMIT);
	CHECK(!unpack_bytes(SPAN(first, 0), 100, &u, &err));
}

TEST_MAIN
