/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target of what the process that reads a dump with libkdumpfile writes of it: the library is
 * fed by the dump, and may have died at any byte. */
#include "readers/dump/libkdumpfile.h"
#include "readers/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

extern const struct reader reader_libkdumpfile;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct file file = { .path = "fuzz", .fd = -1, .map = { data, size } };
	struct arena scratch = { 0 };
	struct kd_dump d = { 0 };
	struct target t;
	struct err err;
	bool ok;

	target_init(&t, &scratch);
	(void)reader_libkdumpfile.probe(&file);
	ok = kd_take_facts(&t, &d, "fuzz", SPAN(data, size), &err);
	if (!ok && (err.code == ERR_OK || !err.msg[0]))
		__builtin_trap();
	for (size_t i = 0; ok && i < t.ram.n; i++)
		if (t.ram.p[i].last < t.ram.p[i].first || !extents_find(&d.x, t.ram.p[i].first))
			__builtin_trap();
	extents_release(&d.x);
	target_release(&t);
	arena_release(&scratch);
	return 0;
}
