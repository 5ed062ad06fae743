/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fuzz target of a reader, READER: bytes are opened as one file, and whatever that holds is
 * asked what people would. */
#include "readers/open_fuzz.h"
#include "readers/pstore/pstore_fuzz.h"
#include "readers/trace/trace_fuzz.h"

extern const struct reader READER;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct file file = { .path = "fuzz", .fd = -1, .map = { data, size } };
	struct arena scratch = { 0 };
	struct target t;
	struct err err;
	bool kept = true;

	target_init(&t, &scratch);
	if (size && READER.probe(&file) && READER.open(&t, &file, &err) &&
	    fuzz_attach(&READER, &t)) {
		kept = fuzz_memory(&t) && fuzz_records(&t);
		walk_recordings(&t);
	}
	target_release(&t);
	arena_release(&scratch);
	if (!kept)
		__builtin_trap();
	return 0;
}
