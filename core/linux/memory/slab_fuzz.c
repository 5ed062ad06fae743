/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes what reads slabs, and who asked for memory: hostile caches, struct pages, CPUs' slabs and
 * freelists, stack depots, tracks, KFENCE's pools, owners of pages and leaks. */
#include <stddef.h>

#include "core/linux/memory/origin_fake.h"

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

static bool take_kfence(const struct kfence_object *o, void *arg)
{
	struct take *take = arg;

	(void)o;
	return ++take->n < 1000;
}

static bool take_leak(const struct leaked *l, void *arg)
{
	struct take *take = arg;

	(void)l;
	return ++take->n < 1000;
}

static void ask_origins(struct fake_kernel *k, struct take *take)
{
	const struct slab_cache *c;
	const struct owner_sum *sums;
	const uint64_t *frames;
	struct origin alloc, freed;
	struct page_owner o;
	struct err err;
	size_t n;

	if (!stack_depot_read(&k->t, (uint32_t)ORIGIN_HANDLE(0x40), &frames, &n, &err) ||
	    !slab_cache_find(&k->t, "widget", &c, &err) ||
	    !slab_track_read(&k->t, c, SLAB_AT, &alloc, &freed, &err))
		take->n++;
	if (!kfence_each(&k->t, take_kfence, NULL, take, &err) ||
	    !page_owners(&k->t, &sums, &n, NULL, NULL, &err) ||
	    !page_owner_at(&k->t, 5, &o, &err) || !leaks_each(&k->t, take_leak, NULL, take, &err))
		take->n++;
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

	origin_setup(k, "pool_index_plus_1");
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
	take.n = 0;
	ask_origins(k, &take);
	kernel_release(k);
	free(k);
	return 0;
}
