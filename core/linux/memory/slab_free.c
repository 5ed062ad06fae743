/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Free objects of slabs: whether their lists lead from one to the next, and whether each still
 * holds the pattern that slub_debug=P fills it with. */
#include "core/linux/memory/slab_free.h"

#include <string.h>

#include "core/base/guard.h"
#include "core/linux/container/list.h"
#include "core/linux/memory/slab_impl.h"
#include "core/types/shape.h"

/* include/linux/poison.h */
#define POISON_FREE 0x6bu
#define POISON_END 0xa5u
/* include/linux/slab.h and mm/slub.c before they became an enum, v6.9 */
#define OBJECT_POISON_OLD UINT64_C(0x80000000)
#define OBJECT_SIZE_MAX 65536u

struct health_walk {
	struct target *t;
	struct slab_health *ret;
	const struct slab_cache *cache;
	uint64_t list, link; /* offsets, of the list in a node and of its link in a slab */
	uint64_t poison;     /* the flag of a cache that fills its free objects */
	size_t limit, left;
	uint8_t map[SLAB_MAP_BYTES];
	uint8_t bytes[OBJECT_SIZE_MAX];
};

/* Did the kernel fill the free objects of the cache, and keep its own pointer out of them? */
static bool fills(const struct health_walk *w)
{
	const struct slab_cache *c = w->cache;

	return (c->flags & w->poison) && c->free_off >= c->object_size &&
	       c->object_size <= OBJECT_SIZE_MAX && c->object_size;
}

static void object_see(struct health_walk *w, uint64_t object)
{
	uint64_t n = w->cache->object_size;
	struct err why;

	if (!mem_read(w->t, object, w->bytes, n, &why)) {
		w->ret->why = why;
		return;
	}
	w->ret->patterned++;
	for (uint64_t i = 0; i < n; i++)
		if (w->bytes[i] != (i + 1 < n ? POISON_FREE : POISON_END)) {
			if (!w->ret->written++) {
				w->ret->object = object;
				w->ret->offset = i;
				w->ret->cache = w->cache;
			}
			return;
		}
}

static void slab_see(struct health_walk *w, const struct slab *slab)
{
	bool whole, filled = fills(w);
	struct err why;

	w->ret->slabs++;
	whole = slab_free_map(w->t, slab, w->map, &why);
	if (!whole && why.code == ERR_CORRUPT && !w->ret->broken++)
		w->ret->first_broken = why;
	else if (!whole && why.code != ERR_CORRUPT)
		w->ret->why = why;
	for (unsigned i = 0; i < slab->objects; i++) {
		if (!(w->map[i / 8] >> i % 8 & 1))
			continue;
		w->ret->free++;
		if (filled)
			object_see(w, slab_object_addr(slab, i));
	}
}

static bool partial_found(uint64_t addr, void *arg)
{
	struct health_walk *w = arg;
	struct slab slab;
	struct err why;

	if (!w->left) {
		w->ret->cut = true;
		return false;
	}
	w->left--;
	if (slab_read(w->t, addr, &slab, &why))
		slab_see(w, &slab);
	else
		w->ret->why = why;
	return interrupt_check(&why);
}

static bool node_see(struct target *t, const struct slab_node *node, void *arg, struct err *err)
{
	struct health_walk *w = arg;

	w->left = w->limit;
	return list_each(t, node->node + w->list, w->link, "partial slabs", partial_found, w, err);
}

static bool cache_see(const struct slab_cache *cache, void *arg)
{
	struct health_walk *w = arg;
	struct slab slab;
	struct err why;

	w->cache = cache;
	for (size_t i = 0; i < cache->n_cpus; i++)
		if (slab_read(w->t, cache->cpus[i].slab, &slab, &why))
			slab_see(w, &slab);
		else
			w->ret->why = why;
	if (!slab_nodes(w->t, cache->addr, node_see, w, &why)) {
		if (why.code == ERR_CORRUPT && !w->ret->broken++)
			w->ret->first_broken = why;
		else if (why.code != ERR_CORRUPT)
			w->ret->why = why;
		err_wrap(why.code == ERR_CORRUPT ? &w->ret->first_broken : &w->ret->why, "'%s'",
			 cache->name);
	}
	return interrupt_check(&why);
}

bool slab_health(struct target *t, size_t limit, struct slab_health *ret, struct err *err)
{
	struct health_walk *w = ARENA_NEW(t->scratch, struct health_walk);
	uint64_t bit;
	struct err why;

	memset(ret, 0, sizeof(*ret));
	memset(w, 0, sizeof(*w));
	w->t = t;
	w->ret = ret;
	w->limit = limit;
	w->poison = enum_value(t, "enum _slab_flag_bits", "_SLAB_OBJECT_POISON", &bit) && bit < 64
			    ? UINT64_C(1) << bit
			    : OBJECT_POISON_OLD;
	if (!field_offset(t, "struct kmem_cache_node", "partial", &w->list, err) ||
	    (!field_offset(t, "struct slab", "slab_list", &w->link, err) &&
	     !field_offset(t, "struct page", "slab_list", &w->link, err) &&
	     !field_offset(t, "struct page", "lru", &w->link, err)))
		return false;
	if (!slab_caches(t, cache_see, w, &why)) {
		if (!ret->slabs) {
			*err = why;
			return false;
		}
		ret->why = why;
	}
	return true;
}
