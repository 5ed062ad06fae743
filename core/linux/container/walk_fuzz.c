/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the walks of containers: any memory must do. */
#include <stdlib.h>

#include "core/base/guard.h"
#include "core/linux/container/walk_fake.h"

#define VALUES_MAX 20000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool count(void *arg)
{
	return ++*(unsigned *)arg < VALUES_MAX;
}

static bool fuzz_node(uint64_t addr, void *arg)
{
	(void)addr;
	return count(arg);
}

static bool fuzz_entry(const struct walk_entry *e, void *arg)
{
	if (e->last < e->first || !e->entry)
		abort();
	return count(arg);
}

static bool fuzz_element(uint64_t index, uint64_t addr, void *arg)
{
	(void)index;
	(void)addr;
	return count(arg);
}

static void fuzz_flaw(const struct err *e, void *arg)
{
	(void)arg;
	if (!*e->msg)
		abort();
}

/* Byte 0 the walker, byte 1 absent pages, byte 2 the count and whether flaws are heard; the rest is
 * memory from KERNEL_BASE + 0x1000 on, where the container is. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fake_kernel *k;
	unsigned seen = 0;
	size_t n = 0;
	struct err err;

	if (size < 3 || size - 3 > KERNEL_SIZE - 0x1000)
		return 0;
	while (walkers[n])
		n++;
	k = xrealloc(NULL, sizeof(*k));
	walk_fake_init(k);
	memcpy(k->mem + 0x1000, data + 3, size - 3);
	k->holes = (uint64_t)data[1] << 2;
	{
		const struct walker *walker = walkers[data[0] % n];
		const struct walk_plan w = { .what = walker->what,
					     .head = KERNEL_BASE + 0x1000,
					     .link = 8,
					     .count = data[2] & 0x7f,
					     .size = 8,
					     .node = fuzz_node,
					     .number = fuzz_node,
					     .entry = fuzz_entry,
					     .element = fuzz_element,
					     .flaw = data[2] & 0x80 ? fuzz_flaw : NULL,
					     .arg = &seen };

		if (!walker->walk(&k->t, &w, &err) && !*err.msg)
			abort();
	}
	kernel_release(k);
	free(k);
	return 0;
}
