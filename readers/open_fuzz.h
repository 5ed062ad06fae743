/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For fuzz targets: opens bytes as one file with one reader, attaches, and asks what people would.
 */
#ifndef OBIT_OPEN_FUZZ_H
#define OBIT_OPEN_FUZZ_H

#include "readers/reader.h"

extern const struct reader reader_vmcoreinfo, reader_match;

static inline bool fuzz_open(const struct reader *reader, const uint8_t *data, size_t size)
{
	struct file file = { .path = "fuzz", .fd = -1, .map = { data, size } };
	struct target t;
	struct arena scratch = { 0 };
	struct err err;
	bool kept = true;
	uint64_t x;

	target_init(&t, &scratch);
	if (size && reader->probe(&file) && reader->open(&t, &file, &err) &&
	    reader_vmcoreinfo.attach(&t, &err) && reader_match.attach(&t, &err)) {
		uint8_t page[4096];
		struct symbol sym;
		unsigned read = 0;

		for (size_t i = 0; i < t.ram.n && read < 256; i++)
			for (uint64_t pa = t.ram.p[i].first; pa <= t.ram.p[i].last && read < 256;
			     pa += 4096, read++)
				if (!mem_read_phys(&t, pa, page, sizeof(page), &err) &&
				    !err_is_absent(err.code))
					kept = false;
		for (uint64_t va = UINT64_C(0xffffffff81200000); va < UINT64_C(0xffffffff81800000);
		     va += 0x41000)
			if (!mem_u64(&t, va, &x, &err) && err.code == ERR_OK)
				kept = false;
		if (symbol_find(&t, "start_kernel", &sym, &err))
			(void)symbol_at(&t, sym.addr, &sym, &x, &err);
	}
	target_release(&t);
	arena_release(&scratch);
	return kept;
}

#endif
