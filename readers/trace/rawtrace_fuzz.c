/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: pages as trace_pipe_raw gives them. */
#include "readers/trace/trace_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

extern const struct reader reader_rawtrace;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	return fuzz_trace(&reader_rawtrace, data, n);
}
