/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes call frame information: a section, and rules at every address it speaks of. */
#include <stdlib.h>

#include "core/dwarf/dwarf_cfi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first byte says which kind of section, word and architecture; two give the addresses. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct cfi_table *tab;
	static struct cfi_rules rules;
	struct err err = { 0 };

	if (size < 3)
		return 0;
	if (cfi_open(&a, SPAN(data + 3, size - 3), 0x9000, data[0] & 1, data[0] & 4,
		     data[0] & 2 ? 4 : 8, NULL, &tab, &err))
		for (uint64_t i = 0; i < 64; i++) {
			uint64_t pc = load_le16(data + 1) + i * (1 + (data[0] >> 3));

			err.code = ERR_OK;
			if (!cfi_find(tab, pc, data[0] & 4, &rules, &err) && !err.code)
				abort();
		}
	arena_release(&a);
	return 0;
}
