/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantities as people read them. */
#include "core/base/quantity.h"

#include <inttypes.h>
#include <time.h>

#include "core/base/vec.h"

#define NS 1000000000u

void buf_size(struct buf *b, uint64_t bytes)
{
	static const char *const units[] = { "bytes", "KB", "MB", "GB", "TB", "PB", "EB" };
	double d = (double)bytes;
	size_t i = 0;

	for (; d >= 1024 && i + 1 < sizeof(units) / sizeof(units[0]); i++)
		d /= 1024;
	if (d == (double)(uint64_t)d)
		buf_printf(b, "%" PRIu64 " %s", (uint64_t)d, units[i]);
	else
		buf_printf(b, "%.1f %s", d, units[i]);
}

/* "03:04:05" of a day */
static void clock_add(struct buf *b, uint64_t sec)
{
	buf_printf(b, "%02u:%02u:%02u", (unsigned)(sec / 3600 % 24), (unsigned)(sec / 60 % 60),
		   (unsigned)(sec % 60));
}

void buf_uptime(struct buf *b, uint64_t ns)
{
	uint64_t sec = ns / NS, days = sec / 86400;

	if (days)
		buf_printf(b, "%" PRIu64 " days, ", days);
	clock_add(b, sec);
}

void buf_duration(struct buf *b, uint64_t ns)
{
	uint64_t sec = ns / NS;

	buf_printf(b, "%" PRIu64 " ", sec / 86400);
	clock_add(b, sec);
	buf_printf(b, ".%03u", (unsigned)(ns % NS / 1000000));
}

void buf_micros(struct buf *b, uint64_t ns)
{
	buf_printf(b, "%" PRIu64 ".%03u", ns / 1000, (unsigned)(ns % 1000));
}

void buf_span(struct buf *b, uint64_t ns)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" } };

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (ns >= units[i].ns) {
			buf_printf(b, "%" PRIu64 ".%03" PRIu64 " %s", ns / units[i].ns,
				   ns % units[i].ns / (units[i].ns / 1000), units[i].name);
			return;
		}
	buf_printf(b, "%" PRIu64 " ns", ns);
}

void buf_stamp(struct buf *b, uint64_t ns)
{
	buf_char(b, '[');
	buf_dec(b, ns / NS, 5, ' ');
	buf_char(b, '.');
	buf_dec(b, ns % NS / 1000, 6, '0');
	buf_char(b, ']');
}

void buf_date(struct buf *b, int64_t sec)
{
	time_t at = (time_t)sec;
	char text[64];
	struct tm tm;

	if (localtime_r(&at, &tm) && strftime(text, sizeof(text), "%a %b %e %T %Z %Y", &tm))
		buf_str(b, text);
	else
		buf_printf(b, "%" PRId64 " seconds since 1970", sec);
}

void buf_hundredths(struct buf *b, uint64_t u)
{
	buf_printf(b, "%" PRIu64 ".%0*" PRIu64, u / 100, u % 10 ? 2 : 1,
		   u % 10 ? u % 100 : u / 10 % 10);
}
