/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For fuzz targets of readers: what the loader does behind opening, and what people ask of memory.
 */
#ifndef OBIT_OPEN_FUZZ_H
#define OBIT_OPEN_FUZZ_H

#include "readers/reader.h"

extern const struct reader reader_vmcoreinfo, reader_match;

static inline bool fuzz_attach(const struct reader *reader, struct target *t)
{
	struct err err;

	return (!reader->attach || reader->attach(t, &err)) && reader_vmcoreinfo.attach(t, &err) &&
	       reader_match.attach(t, &err);
}

/* Pages, addresses and symbols, where the file has any; false: an error without a reason. */
static inline bool fuzz_memory(struct target *t)
{
	bool kept = true;
	uint8_t page[4096];
	struct symbol sym;
	unsigned read = 0;
	struct err err;
	uint64_t x;

	for (size_t i = 0; i < t->ram.n && read < 256; i++)
		for (uint64_t pa = t->ram.p[i].first; pa <= t->ram.p[i].last && read < 256;
		     pa += 4096, read++)
			if (!mem_read_phys(t, pa, page, sizeof(page), &err) &&
			    !err_is_absent(err.code))
				kept = false;
	for (uint64_t va = UINT64_C(0xffffffff81200000); va < UINT64_C(0xffffffff81800000);
	     va += 0x41000)
		if (!mem_u64(t, va, &x, &err) && err.code == ERR_OK)
			kept = false;
	if (symbol_find(t, "start_kernel", &sym, &err))
		(void)!symbol_at(t, sym.addr, &sym, &x, &err);
	return kept;
}

#endif
