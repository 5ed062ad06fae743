/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target of what the process that reads a CTF trace hands over: it may have died at any byte.
 */
#include "readers/ctf/ctf.h"
#include "readers/trace/trace_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena scratch = { 0 };
	struct target t;

	target_init(&t, &scratch);
	ctf_add_records(&t, "fuzz", SPAN(data, size));
	walk_recordings(&t);
	target_release(&t);
	arena_release(&scratch);
	return 0;
}
