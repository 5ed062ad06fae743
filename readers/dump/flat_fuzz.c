/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: flattened dumps, from the first byte to pages and symbols. */
#include "readers/open_fuzz.h"

extern const struct reader reader_flat;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!fuzz_open(&reader_flat, data, size))
		__builtin_trap();
	return 0;
}
