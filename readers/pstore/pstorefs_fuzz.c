/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: files of pstore; the first line is the name. */
#include <string.h>

#include "readers/pstore/pstore_fuzz.h"

extern const struct reader reader_pstorefs;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nl = memchr(data, '\n', size < 128 ? size : 128);
	char name[129];
	size_t n = nl ? (size_t)(nl - data) : 0;

	memcpy(name, data, n);
	name[n] = '\0';
	if (nl)
		n++;
	if (!fuzz_pstore(&reader_pstorefs, name, data + n, size - n))
		__builtin_trap();
	return 0;
}
