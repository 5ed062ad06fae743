/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of quantities. Expectations: date(1) with TZ=UTC for dates, arithmetic for the others. */
#include <stdlib.h>
#include <time.h>

#include "core/base/quantity.h"
#include "core/base/test.h"

#define IS(call, want)                         \
	do {                                   \
		struct buf b = { 0 };          \
		call;                          \
		CHECK_STR(buf_text(&b), want); \
		buf_release(&b);               \
	} while (0)

TEST(sizes)
{
	IS(buf_size(&b, 0), "0 bytes");
	IS(buf_size(&b, 1023), "1023 bytes");
	IS(buf_size(&b, 1024), "1 KB");
	IS(buf_size(&b, 1536), "1.5 KB");
	IS(buf_size(&b, 3 << 20), "3 MB");
	IS(buf_size(&b, UINT64_MAX), "16 EB");
}

TEST(spans_of_time)
{
	const uint64_t s = 1000000000, day = 86400 * s;

	IS(buf_uptime(&b, 72 * s + s / 2), "00:01:12");
	IS(buf_uptime(&b, day - 1), "23:59:59");
	IS(buf_uptime(&b, 12 * day + 3 * 3600 * s + 4 * 60 * s + 5 * s), "12 days, 03:04:05");
	IS(buf_duration(&b, 72 * s + 345678901), "0 00:01:12.345");
	IS(buf_duration(&b, 2 * day + 5 * s), "2 00:00:05.000");
	IS(buf_micros(&b, 12345), "12.345");
	IS(buf_micros(&b, 7), "0.007");
	IS(buf_stamp(&b, 12 * s + 345678901), "[   12.345678]");
	IS(buf_stamp(&b, 123456 * s + 1000), "[123456.000001]");
}

TEST(dates)
{
	setenv("TZ", "UTC", 1);
	tzset();
	IS(buf_date(&b, 0), "Thu Jan  1 00:00:00 UTC 1970");
	IS(buf_date(&b, 1795388066), "Sun Nov 22 22:54:26 UTC 2026");
	IS(buf_date(&b, INT64_MAX), "9223372036854775807 seconds since 1970");
}

TEST(hundredths)
{
	IS(buf_hundredths(&b, 24), "0.24");
	IS(buf_hundredths(&b, 40), "0.4");
	IS(buf_hundredths(&b, 100), "1.0");
	IS(buf_hundredths(&b, 1205), "12.05");
}

/* The unit changes where there is one of the next; what is cut off is not rounded up. */
TEST(span)
{
	IS(buf_span(&b, 0), "0 ns");
	IS(buf_span(&b, 999), "999 ns");
	IS(buf_span(&b, 1000), "1.000 us");
	IS(buf_span(&b, 1001), "1.001 us");
	IS(buf_span(&b, 999999), "999.999 us");
	IS(buf_span(&b, 1000000), "1.000 ms");
	IS(buf_span(&b, 20012999), "20.012 ms");
	IS(buf_span(&b, 999999999), "999.999 ms");
	IS(buf_span(&b, 7000000000), "7.000 s");
	IS(buf_span(&b, UINT64_MAX), "18446744073.709 s");
}

TEST_MAIN
