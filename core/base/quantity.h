/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantities as people read them; each has this one form in all of obit. */
#ifndef OBIT_QUANTITY_H
#define OBIT_QUANTITY_H

#include <stdint.h>

#include "core/base/buf.h"

/* Bytes in the largest unit of 1,024 that leaves a whole or a decimal: "512 bytes", "16 KB",
 * "1.9 GB". */
void buf_size(struct buf *b, uint64_t bytes);
/* A span of time to the second, as crash has an uptime: "00:01:12", "12 days, 03:04:05". */
void buf_uptime(struct buf *b, uint64_t ns);
/* A span of time to the millisecond, as crash has a task's: "0 00:01:12.345". */
void buf_duration(struct buf *b, uint64_t ns);
/* A span of time in microseconds without a unit, for a column that names it: "12.345". */
void buf_micros(struct buf *b, uint64_t ns);
/* A span of time in the largest unit of which it has one, with three decimals: "999 ns", "1.500
 * us", "20.012 ms", "7.000 s". */
void buf_span(struct buf *b, uint64_t ns);
/* A time since boot in seconds and microseconds, as the kernel stamps its log: "[   12.345678]". */
void buf_stamp(struct buf *b, uint64_t ns);
/* Seconds since 1970 in the local time zone, as date(1) has them in the C locale with the year
 * last: "Sun Nov 22 22:54:26 UTC 2026"; a number where the C library has no date for it. */
void buf_date(struct buf *b, int64_t sec);
/* Hundredths with one or two decimals: "0.24", "0.4", "1.0". */
void buf_hundredths(struct buf *b, uint64_t u);

#endif
