/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: a blob of BTF, and everything that its types can be asked. */
#include "readers/symbol/btf_fake.h"
#include "readers/symbol/btf_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct target t;
	struct arena scratch = { 0 };
	struct err err;

	target_init(&t, &scratch);
	t.arch = &arch_x86_64;
	if (n && n < 1 << 20 && fake_btf_open(&t, data, n, &err))
		walk_all(&t, 5000);
	target_release(&t);
	arena_release(&scratch);
	return 0;
}
