/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of packed pages, in each way that makedumpfile packs them, by the libraries it does it
 * with.
 */
#include <lzo/lzo1x.h>
#include <snappy-c.h>
#include <zlib.h>
#include <zstd.h>

#include "core/base/test.h"
#include "core/base/vec.h"
#include "readers/inflate.h"

static const unsigned ways[] = { PAGE_ZLIB, PAGE_LZO, PAGE_SNAPPY, PAGE_ZSTD };

static size_t pack(unsigned way, const uint8_t *page, size_t n, uint8_t *out, size_t size)
{
	static uint8_t work[LZO1X_1_MEM_COMPRESS] __attribute__((aligned(16)));
	uLongf zlib = size;
	lzo_uint lzo = size;
	size_t snappy = size;

	switch (way) {
	case PAGE_ZLIB:
		return compress(out, &zlib, page, n) == Z_OK ? zlib : 0;
	case PAGE_LZO:
		return lzo1x_1_compress(page, n, out, &lzo, work) == LZO_E_OK ? lzo : 0;
	case PAGE_SNAPPY:
		return snappy_compress((const char *)page, n, (char *)out, &snappy) == SNAPPY_OK
			       ? snappy
			       : 0;
	default:
		return ZSTD_compress(out, size, page, n, 1);
	}
}

/* A page comes out as it went in; one that has another size than a page is damaged. */
TEST(pages_in_each_way)
{
	static const char *const names[] = { "zlib", "lzo", "snappy", "zstd" };
	static uint8_t page[8192], packed[16384], out[8192];
	struct inflater in = { 0 };
	struct err err;

	for (size_t i = 0; i < sizeof(page); i++)
		page[i] = (uint8_t)(i * i >> 6);
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		size_t n = pack(ways[i], page, 4096, packed, sizeof(packed));

		CHECK_STR(inflate_name(ways[i]), names[i]);
		REQUIRE(n > 0);
		for (unsigned again = 0; again < 2; again++) {
			memset(out, 0, sizeof(out));
			CHECK_OK(page_inflate(&in, ways[i], SPAN(packed, n), out, 4096, &err), err);
			CHECK_MEM(out, page, 4096);
		}
		CHECK(!page_inflate(&in, ways[i], SPAN(packed, n - 1), out, 4096, &err));
		CHECK_ERR(err, ERR_CORRUPT);
		CHECK_CONTAINS(err.msg, names[i]);
		CHECK(!page_inflate(&in, ways[i], SPAN(packed, 0), out, 4096, &err));
		/* too short for a block of 8192 bytes, and too long for one of 4096 */
		CHECK(!page_inflate(&in, ways[i], SPAN(packed, n), out, 8192, &err));
		n = pack(ways[i], page, 4097, packed, sizeof(packed));
		CHECK(!page_inflate(&in, ways[i], SPAN(packed, n), out, 4096, &err));
	}
	inflater_release(&in);
}

TEST(no_way_that_is_known)
{
	struct inflater in = { 0 };
	uint8_t out[16];
	struct err err;

	CHECK(!inflate_name(0));
	CHECK(!page_inflate(&in, 0x40, SPAN((const uint8_t *)"x", 1), out, sizeof(out), &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_CONTAINS(err.msg, "unknown way (0x40)");
	inflater_release(&in);
}

TEST_MAIN
