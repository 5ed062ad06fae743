/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: a trace in text, and all of its rows. */
#include "readers/trace/trace_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

extern const struct reader reader_tracetext;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	return fuzz_trace(&reader_tracetext, data, n);
}
