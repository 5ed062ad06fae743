/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: images that pstore-blk wrote. */
#include "readers/pstore/pstore_fuzz.h"

extern const struct reader reader_pstoreblk;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!fuzz_pstore(&reader_pstoreblk, "device", data, size))
		__builtin_trap();
	return 0;
}
