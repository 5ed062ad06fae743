/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: a filter of events, and two events that it is asked about. */
#include <stdlib.h>
#include <string.h>

#include "core/trace/filter/filter_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* The filter's text up to a zero byte, and a record behind it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const uint8_t *zero = n ? memchr(data, 0, n) : NULL;
	struct trace_filter *f;
	struct err err;

	if (!zero)
		return 0;
	if (!trace_filter_new(&filter_fake_traces, (const char *)data, &f, &err))
		return 0;
	n -= (size_t)(zero + 1 - data);
	for (unsigned i = 0; i < 2; i++) {
		struct trace_event ev = filter_fake_event(i, zero + 1, n);

		if (trace_filter_match(f, &ev) != trace_filter_match(f, &ev))
			abort();
	}
	trace_filter_release(f);
	return 0;
}
