/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: a table of names, and what it says of addresses. */
#include "core/image/symtab.h"
#include "readers/reader.h"

extern const struct reader reader_nametable;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static bool look(const struct symbol *s, void *arg)
{
	struct symbol found;
	uint64_t off;
	struct err err;

	if (!s->name[0])
		__builtin_trap();
	(void)!symbol_at(arg, s->addr, &found, &off, &err);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct file f = { .path = "fuzz", .fd = -1, .map = SPAN(data, n) };
	struct arena scratch = { 0 };
	struct target t;
	struct err err;

	target_init(&t, &scratch);
	(void)reader_nametable.probe(&f);
	if (n < 1 << 16 && reader_nametable.open(&t, &f, &err) && reader_nametable.attach(&t, &err))
		(void)!symbol_each(&t, NULL, look, &t, &err);
	target_release(&t);
	arena_release(&scratch);
	return 0;
}
