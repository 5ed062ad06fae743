/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sheaves: arrays of free objects that a CPU, or a node's barn, keeps of a slab cache, 2d517aa09bbc
 * (v6.18). To their slabs these objects are in use. */
#include <stdlib.h>

#include "core/base/vec.h"
#include "core/linux/container/list.h"
#include "core/linux/memory/slab_impl.h"
#include "core/linux/task/cpu.h"
#include "core/types/shape.h"
#include "core/types/value.h"

/* Sheaves in a barn: MAX_FULL_SHEAVES is 10. */
#define SHEAVES_MAX 4096u
/* calculate_sheaf_capacity() makes at most 60 of them, unless a cache asks for more. */
#define CAPACITY_MAX 65536u

/* rcu_free has what was given to kfree_rcu(). */
static const char *const of_cpu[] = { "main", "spare", "rcu_free" };

struct sheaves {
	struct target *t;
	struct slab_cache *cache;
	uint64_t capacity;
	int cpu;
	VEC(struct slab_kept) kept;
	unsigned seen;
};

static void missed(struct sheaves *w, struct err *why)
{
	if (w->cpu >= 0)
		err_wrap(why, "CPU %d's sheaf of '%s'", w->cpu, w->cache->name);
	else
		err_wrap(why, "a node's sheaf of '%s'", w->cache->name);
	if (w->cache->kept_ok)
		w->cache->kept_err = *why;
	w->cache->kept_ok = false;
}

/* Its objects, which are cache's. An empty one may be the sheaf that caches share at the boot. */
static bool sheaf_read(struct sheaves *w, uint64_t sheaf, struct err *err)
{
	static const char type[] = "struct slab_sheaf";
	uint64_t size, cache, objects;

	if (!field_u64(w->t, type, sheaf, "size", &size, err) || !size)
		return !err->code;
	if (!field_u64(w->t, type, sheaf, "cache", &cache, err) ||
	    !field_offset(w->t, type, "objects", &objects, err))
		return false;
	if (cache != w->cache->addr || size > w->capacity)
		return err_set_addr(err, ERR_CORRUPT, sheaf,
				    "sheaf 0x%llx: %llu objects of cache 0x%llx",
				    (unsigned long long)sheaf, (unsigned long long)size,
				    (unsigned long long)cache);
	for (uint64_t i = 0; i < size; i++) {
		uint64_t object;

		if (!mem_ptr(w->t, sheaf + objects + i * w->t->arch->word, &object, err))
			return false;
		*vec_push(&w->kept) = (struct slab_kept){ object, w->cpu };
	}
	return true;
}

static bool barn_sheaf(uint64_t sheaf, void *arg)
{
	struct sheaves *w = arg;
	struct err err = { 0 };

	if (!sheaf_read(w, sheaf, &err))
		missed(w, &err);
	return w->seen++ < SHEAVES_MAX;
}

static bool barn_read(struct target *t, const struct slab_node *node, void *arg, struct err *err)
{
	struct sheaves *w = arg;
	uint64_t full, link;

	w->seen = 0;
	return !node->barn ||
	       (field_offset(t, "struct node_barn", "sheaves_full", &full, err) &&
		field_offset(t, "struct slab_sheaf", "barn_list", &link, err) &&
		list_each(t, node->barn + full, link, "sheaves of a node", barn_sheaf, w, err));
}

static void cpu_read(struct sheaves *w, uint64_t percpu)
{
	struct err err = { 0 };
	uint64_t off, sheaf;

	if (!percpu_offset(w->t, (unsigned)w->cpu, &off, &err)) {
		missed(w, &err);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(of_cpu); i++) {
		err = (struct err){ 0 };
		if (!field_u64(w->t, "struct slub_percpu_sheaves", percpu + off, of_cpu[i], &sheaf,
			       &err) ||
		    (sheaf && !sheaf_read(w, sheaf, &err)))
			missed(w, &err);
	}
}

static int by_addr(const void *a, const void *b)
{
	uint64_t x = ((const struct slab_kept *)a)->addr, y = ((const struct slab_kept *)b)->addr;

	return x < y ? -1 : x > y;
}

void slab_sheaves_read(struct target *t, struct slab_cache *c, uint64_t percpu, uint64_t capacity)
{
	struct sheaves w = { .t = t, .cache = c, .capacity = capacity };
	struct slab_kept *kept;
	struct err err = { 0 };
	unsigned n;

	c->kept_ok = true;
	if (w.capacity > CAPACITY_MAX)
		w.capacity = CAPACITY_MAX;
	if (percpu && cpus_count(t, &n, &err)) {
		for (unsigned cpu = 0; cpu < n; cpu++) {
			w.cpu = (int)cpu;
			if (cpu_is_possible(t, cpu))
				cpu_read(&w, percpu);
		}
	}
	w.cpu = -1;
	if (err.code || !slab_nodes(t, c->addr, barn_read, &w, &err))
		missed(&w, &err);
	kept = ARENA_ARRAY(&t->arena, struct slab_kept, w.kept.n + 1);
	for (size_t i = 0; i < w.kept.n; i++)
		kept[i] = w.kept.p[i];
	qsort(kept, w.kept.n, sizeof(*kept), by_addr);
	c->kept = kept;
	c->n_kept = w.kept.n;
	vec_release(&w.kept);
}

const struct slab_kept *slab_kept_at(const struct slab_cache *cache, uint64_t object)
{
	struct slab_kept key = { .addr = object };

	return cache->n_kept ? bsearch(&key, cache->kept, cache->n_kept, sizeof(key), by_addr)
			     : NULL;
}
