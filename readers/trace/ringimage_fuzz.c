/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: memory of a persistent ring buffer. */
#include "readers/trace/trace_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

extern const struct reader reader_ringimage;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	return fuzz_trace(&reader_ringimage, data, n);
}
