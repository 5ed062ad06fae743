/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: stored bytes of one record; the first byte is its kind. */
#include "readers/pstore/pstore_fuzz.h"
#include "readers/pstore/pstore_record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct target t;
	struct arena scratch = { 0 };
	struct survivor *s;
	unsigned kind;

	if (size < 2)
		return 0;
	kind = data[0];
	target_init(&t, &scratch);
	s = record_add(&t, (enum survivor_type)(kind % SURVIVOR_TYPES), "fuzz", NULL);
	s->stored = SPAN(data + 1, size - 1);
	if (kind & 0x40)
		record_strip_notice(s);
	if (s->type == SURVIVOR_DMESG && kind & 0x80)
		record_dmesg(&t, s, s->stored, PACKED_MAYBE, kind & 0x20 ? size / 2 : SIZE_MAX);
	else if (s->type == SURVIVOR_FTRACE && kind & 0x80)
		record_ftrace(&t, s, true);
	else
		record_fill(&t, s, kind & 0x20 ? size / 2 : SIZE_MAX);
	if (!fuzz_records(&t))
		__builtin_trap();
	target_release(&t);
	arena_release(&scratch);
	return 0;
}
