/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: regions of persistent RAM, from the search for zones to the story. */
#include "readers/pstore/pstore_fuzz.h"

extern const struct reader reader_ramoops;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!fuzz_pstore(&reader_ramoops, "ramoops.bin", data, size))
		__builtin_trap();
	return 0;
}
