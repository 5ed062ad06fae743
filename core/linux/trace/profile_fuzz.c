/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: the function profiler's pages. */
#include "core/linux/trace/profile_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Changes to two good pages: each six bytes are a place from the CPUs' heads on, and what is there.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	volatile uint64_t sum = 0;
	struct trace_profile p;
	struct arena a = { 0 };
	struct err err;
	uint64_t v;

	profile_fake(k, !size || data[0] & 1);
	put64(k, PROFILE_STAT + 24, PROFILE_PAGE(0));
	profile_fake_page(k, 0, 2, PROFILE_PAGE(1));
	profile_fake_page(k, 1, 1, 0);
	profile_fake_put(k, 0, 0, 1, 3, 15, 101);
	profile_fake_put(k, 0, 1, 2, 1, 30, 900);
	profile_fake_put(k, 1, 0, 3, 2, 20, 200);
	for (; size >= 6; data += 6, size -= 6)
		memcpy(&k->mem[0x2000 + ((data[0] | data[1] << 8) & 0x7fff)], data + 2, 4);
	for (unsigned cpu = 0; cpu < 2; cpu++) {
		if (!trace_profile_read(&k->t, cpu, &a, &p, &err))
			sum += strlen(err.msg);
		for (size_t i = 0; i < p.n; i++)
			sum += trace_profile_variance(&p.functions[i], &v) ? v : p.functions[i].ip;
	}
	arena_release(&a);
	kernel_release(k);
	free(k);
	return 0;
}
