/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes what reads slabs: hostile caches, struct pages, CPUs' slabs and freelists. */
#include <stddef.h>

#include "core/linux/memory/slab_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct take {
	struct target *t;
	unsigned n;
};

static bool take_slab(const struct slab *slab, void *arg)
{
	struct take *take = arg;
	uint8_t map[SLAB_MAP_BYTES];
	struct err err;

	if (slab_free_map(take->t, slab, map, &err))
		take->n++;
	return ++take->n < 1000;
}

/* Writes of 2 bytes of place and 8 of value over a kernel that makes sense. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	struct take take = { .t = &k->t };
	const struct slab_cache *c;
	struct slab_object o;
	const char *name;
	uint64_t n;
	struct err err;

	slab_setup(k);
	for (size_t i = 0; i + 10 <= size; i += 10)
		put64(k, KERNEL_BASE + 0x10000 + load_le16(data + i) % (0x30000 / 8) * 8u,
		      load_le64(data + i + 2));
	for (uint64_t at = SLAB_AT; at < SLAB_AT + 0x2000; at += 0x180)
		if (!slab_at(&k->t, at, &o, &err) || !slab_name_of(&k->t, at, &name, &err))
			break;
	if (slab_cache_find(&k->t, "widget", &c, &err) &&
	    (!slabs_each(&k->t, c, take_slab, &take, &err) ||
	     !slab_partial_free(&k->t, c, &n, &err)))
		take.n = 0;
	kernel_release(k);
	free(k);
	return 0;
}
