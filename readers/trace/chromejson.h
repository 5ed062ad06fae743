/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One event of Chrome's trace event format, taken apart. */
#ifndef OBIT_CHROMEJSON_H
#define OBIT_CHROMEJSON_H

#include "core/base/bytes.h"

/* An event. Spans are JSON values where they lie in the text; empty ones are not there. */
struct chrome_event {
	char phase; /* 'X', 'B', 'E', 'i', 'C', 'M', ...; 0: it has none */
	struct span name, category, id, args;
	uint64_t ts, duration; /* nanoseconds */
	bool has_ts, has_duration;
	int64_t pid, tid; /* -1: not told, or no number */
};

/* Takes the object of n bytes at s apart. False: it is none, or has no phase. */
bool chrome_event_parse(const char *s, size_t n, struct chrome_event *ret);
/* A number of microseconds, with or without fraction and exponent, in nanoseconds. False: it is
 * none, is negative, or does not fit. */
bool chrome_time_parse(const char *s, size_t n, uint64_t *ret);

#endif
