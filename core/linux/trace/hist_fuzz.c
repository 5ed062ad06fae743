/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: a hist trigger's fields and its table. */
#include "core/linux/trace/hist_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(const struct err *e, void *arg)
{
	(void)e;
	(void)arg;
}

/* Changes to a good table: each six bytes are a place from the trigger on, and what is there. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	struct hist_table h = { 0 };
	struct hist_spec spec;
	volatile size_t sum = 0;
	struct err err;

	hist_fake_types(k);
	hist_fake_table(k);
	for (unsigned i = 0; i < 4; i++)
		hist_fake_entry(k, 3 * i, (int32_t)i, i, 10 * i);
	for (; size >= 6; data += 6, size -= 6)
		memcpy(&k->mem[0x1000 + ((data[0] | data[1] << 8) & 0x7fff)], data + 2, 4);
	if (hist_spec_read(&k->t, HIST_DATA, &spec, &err))
		sum += strlen(hist_spec_text(&k->t, &spec, "x"));
	if (hist_read(&k->t, HIST_DATA, &h, ignore, NULL, &err))
		for (size_t i = 0; i < h.n_entries; i++)
			sum += strlen(h.entries[i].saved) + strlen(h.entries[i].keys[0].name);
	kernel_release(k);
	free(k);
	return 0;
}
