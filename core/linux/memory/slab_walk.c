/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All slab caches, and all slabs of one: SLUB keeps no list of the full ones, so pages are
 * searched. */
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/task/cpu.h"
#include "core/linux/container/list.h"
#include "core/types/shape.h"
#include "core/types/value.h"
#include "core/linux/memory/slab_impl.h"

struct caches_walk {
	struct target *t;
	bool (*fn)(const struct slab_cache *cache, void *arg);
	void *arg;
	bool failed;
	struct err err; /* the first cache that could not be read */
};

static bool cache_found(uint64_t addr, void *arg)
{
	struct caches_walk *w = arg;
	const struct slab_cache *c;
	struct err err;

	if (slab_cache_read(w->t, addr, &c, &err))
		return w->fn(c, w->arg);
	if (!w->failed)
		w->err = err;
	w->failed = true;
	return true;
}

bool slab_caches(struct target *t, bool (*fn)(const struct slab_cache *cache, void *arg), void *arg,
		 struct err *err)
{
	struct caches_walk w = { .t = t, .fn = fn, .arg = arg };
	uint64_t head, off;

	if (!symbol_addr(t, "slab_caches", &head))
		return err_set(err, ERR_NOSYM, "no symbol 'slab_caches'");
	if (!field_offset(t, "struct kmem_cache", "list", &off, err) ||
	    !list_each(t, head, off, "slab caches", cache_found, &w, err))
		return false;
	if (w.failed)
		*err = w.err;
	return !w.failed;
}

struct cache_search {
	const char *name;
	const struct slab_cache *found;
};

static bool cache_named(const struct slab_cache *c, void *arg)
{
	struct cache_search *q = arg;

	if (strcmp(c->name, q->name) != 0)
		return true;
	q->found = c;
	return false;
}

bool slab_cache_find(struct target *t, const char *word, const struct slab_cache **ret,
		     struct err *err)
{
	struct cache_search q = { .name = word };
	struct err why = { 0 };
	bool ok = slab_caches(t, cache_named, &q, &why);

	*ret = q.found;
	if (q.found)
		return true;
	if (!ok) {
		*err = why;
		return false;
	}
	return err_set(err, ERR_NOTFOUND, "no slab cache is called '%.60s'; kmem -s lists them",
		       word);
}

/* ---- slabs */

struct slabs_walk {
	struct target *t;
	const struct slab_cache *cache;
	bool (*fn)(const struct slab *slab, void *arg);
	void *arg;
	uint64_t cache_off; /* of the pointer to the cache */
	bool stopped, failed;
	struct err err; /* the first slab that could not be read, or Ctrl-C */
};

/* The pages [first, last), each compound page in one step. */
static bool run_slabs(uint64_t first, uint64_t last, void *arg)
{
	struct slabs_walk *w = arg;
	struct target *t = w->t;
	uint64_t page, cache;
	struct slab slab;
	struct err err;
	bool is_slab;

	for (uint64_t pfn = first; pfn < last && !w->stopped; pfn++) {
		if (!page_of_phys(t, pfn * t->page_size, &page, &err))
			return true;
		if (!interrupt_check(&err)) {
			w->err = err;
			w->failed = true;
			return false;
		}
		/* cheapest first: the word that would name the cache */
		if (!mem_ptr(t, page + w->cache_off, &cache, &err)) {
			/* no memory behind this part of the array: its pages have none either */
			pfn |= t->page_size / 64 - 1;
			continue;
		}
		if (cache != w->cache->addr || !page_is_slab(t, page, &is_slab, &err) || !is_slab)
			continue;
		if (!slab_read(t, page, &slab, &err)) {
			if (!w->failed)
				w->err = err;
			w->failed = true;
			continue;
		}
		w->stopped = !w->fn(&slab, w->arg);
		pfn += slab.bytes / t->page_size - 1;
	}
	return !w->stopped;
}

bool slabs_each(struct target *t, const struct slab_cache *cache,
		bool (*fn)(const struct slab *slab, void *arg), void *arg, struct err *err)
{
	struct slabs_walk w = { .t = t, .cache = cache, .fn = fn, .arg = arg };

	if (!field_offset(t, "struct slab", "slab_cache", &w.cache_off, err) &&
	    !field_offset(t, "struct page", "slab_cache", &w.cache_off, err))
		return false;
	if (!page_runs(t, run_slabs, &w, err))
		return false;
	if (w.failed)
		*err = w.err;
	return !w.failed;
}

struct partial_walk {
	struct target *t;
	uint64_t list, link; /* offsets, of the list in a node and of its link in a slab */
	uint64_t free;
	struct err err;
	bool ok;
};

static bool partial_found(uint64_t addr, void *arg)
{
	struct partial_walk *w = arg;
	struct slab slab;

	w->ok = slab_read(w->t, addr, &slab, &w->err);
	w->free += w->ok ? slab.objects - slab.inuse : 0;
	return w->ok;
}

static bool partial_of_node(struct target *t, const struct slab_node *node, void *arg,
			    struct err *err)
{
	struct partial_walk *w = arg;

	if (!list_each(t, node->node + w->list, w->link, "partial slabs", partial_found, w, err))
		return false;
	if (!w->ok)
		*err = w->err;
	return w->ok;
}

bool slab_partial_free(struct target *t, const struct slab_cache *cache, uint64_t *ret,
		       struct err *err)
{
	struct partial_walk w = { .t = t, .ok = true };

	*ret = 0;
	if (!field_offset(t, "struct kmem_cache_node", "partial", &w.list, err) ||
	    (!field_offset(t, "struct slab", "slab_list", &w.link, err) &&
	     !field_offset(t, "struct page", "slab_list", &w.link, err) &&
	     !field_offset(t, "struct page", "lru", &w.link, err)))
		return false;
	if (!slab_nodes(t, cache->addr, partial_of_node, &w, err))
		return err_wrap(err, "'%s'", cache->name);
	*ret = w.free;
	return true;
}

/* A CPU's slabs that are neither full nor its own yet; they are linked one by one. */
static bool cpu_partial(struct target *t, uint64_t percpu, uint64_t *free, struct err *err)
{
	struct guard g;
	uint64_t at;
	struct err ignored;

	if (!field_u64(t, "struct kmem_cache_cpu", percpu, "partial", &at, &ignored))
		return true; /* CONFIG_SLUB_CPU_PARTIAL is not set */
	guard_init(&g, "partial slabs of a CPU", 100000);
	while (at) {
		struct slab slab;

		if (!guard_step(&g, at, err) || !slab_read(t, at, &slab, err))
			return false;
		*free += slab.objects - slab.inuse;
		if (!field_u64(t, "struct slab", at, "next", &at, &ignored) &&
		    !field_u64(t, "struct page", at, "next", &at, err))
			return false;
	}
	return true;
}

bool slab_cpu_free(struct target *t, const struct slab_cache *cache, uint64_t *ret, struct err *err)
{
	uint8_t map[SLAB_MAP_BYTES];
	uint64_t percpu, off;
	unsigned n;

	*ret = 0;
	if (!cache->cpus_ok) {
		*err = cache->cpus_err;
		return false;
	}
	for (size_t i = 0; i < cache->n_cpus; i++) {
		struct slab slab;

		if (!slab_read(t, cache->cpus[i].slab, &slab, err) ||
		    !slab_free_map(t, &slab, map, err))
			return false;
		for (unsigned k = 0; k < slab.objects; k++)
			*ret += map[k / 8] >> k % 8 & 1;
	}
	if (!cache->kept_ok) {
		*err = cache->kept_err;
		return false;
	}
	*ret += cache->n_kept;
	if (!field_u64(t, "struct kmem_cache", cache->addr, "cpu_slab", &percpu, err))
		return err->code == ERR_NOFIELD; /* v7.2 has sheaves only */
	if (!cpus_count(t, &n, err))
		return false;
	for (unsigned cpu = 0; cpu < n; cpu++)
		if (cpu_is_possible(t, cpu) &&
		    (!percpu_offset(t, cpu, &off, err) || !cpu_partial(t, percpu + off, ret, err)))
			return false;
	return true;
}
