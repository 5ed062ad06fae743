/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SLUB's view of one address: its cache, its slab, and whether its object is free. */
#include <string.h>

#include "core/linux/memory/slab_impl.h"
#include "core/linux/task/cpu.h"
#include "core/linux/linux.h"
#include "core/types/shape.h"

#define NAME_MAX_LEN 128u
/* SLUB's largest objects are pages of 2^10; a cache of others is nonsense. */
#define CACHE_SIZE_MAX (64u << 20)
#define CACHE_ORDER_MAX 20u

enum {
	CACHE_NAME,
	CACHE_SIZE,
	CACHE_OBJECT_SIZE,
	CACHE_OFFSET,
	CACHE_OO,
	CACHE_PAD,
	CACHE_RANDOM,
	CACHE_FLAGS,
	CACHE_CPU,
	CACHE_SHEAVES,
	CACHE_CAPACITY,
	CACHE_FIELDS
};
static const struct shape_field cache_fields[CACHE_FIELDS] = {
	[CACHE_NAME] = FIELD("name"),
	[CACHE_SIZE] = FIELD("size"),
	[CACHE_OBJECT_SIZE] = FIELD("object_size"),
	[CACHE_OFFSET] = FIELD("offset"),
	[CACHE_OO] = FIELD("oo.x"),
	[CACHE_PAD] = FIELD("red_left_pad"),
	[CACHE_RANDOM] = FIELD_MAYBE("random"), /* CONFIG_SLAB_FREELIST_HARDENED */
	[CACHE_FLAGS] = FIELD("flags"),
	/* v7.2 has sheaves only, v6.18 for some caches both */
	[CACHE_CPU] = FIELD_MAYBE("cpu_slab"),
	[CACHE_SHEAVES] = FIELD_MAYBE("cpu_sheaves"),
	[CACHE_CAPACITY] = FIELD_MAYBE("sheaf_capacity"),
};
static const struct shape cache_shape = SHAPE("struct kmem_cache", cache_fields);

enum {
	SLAB_CACHE,
	SLAB_FREELIST,
	SLAB_INUSE,
	SLAB_OBJECTS,
	SLAB_FROZEN,
	SLAB_FIELDS
};
static const struct shape_field slab_fields[SLAB_FIELDS] = {
	[SLAB_CACHE] = FIELD("slab_cache"), [SLAB_FREELIST] = FIELD("freelist"),
	[SLAB_INUSE] = FIELD("inuse"),      [SLAB_OBJECTS] = FIELD("objects"),
	[SLAB_FROZEN] = FIELD("frozen"),
};
/* d122019bf061 (v5.17) */
static const struct shape slab_shape = SHAPE("struct slab", slab_fields);
static const struct shape slab_page_shape = SHAPE("struct page", slab_fields);

enum {
	CPU_FREELIST,
	CPU_SLAB,
	CPU_FIELDS
};
static const struct shape_field cpu_fields[CPU_FIELDS] = {
	[CPU_FREELIST] = FIELD("freelist"), [CPU_SLAB] = FIELD_ALT("slab", "page"), /* bb192ed9aa71
										       (v5.17) */
};
static const struct shape cpu_shape = SHAPE("struct kmem_cache_cpu", cpu_fields);

struct slab_state_cell {
	struct map caches; /* struct kmem_cache -> struct slab_cache * */
};

static struct slab_state_cell *state_of(struct target *t)
{
	void **cell = &t->linux_state->of[LINUX_SLAB];

	if (!*cell)
		*cell = ARENA_NEW(&t->arena, struct slab_state_cell);
	return *cell;
}

/* ---- caches */

static void read_cpus(struct target *t, struct slab_cache *c, uint64_t percpu)
{
	struct slab_cpu *cpus;
	unsigned n;

	if (!cpus_count(t, &n, &c->cpus_err))
		return;
	c->cpus = cpus = ARENA_ARRAY(&t->arena, struct slab_cpu, n);
	c->cpus_ok = true;
	for (unsigned cpu = 0; percpu && cpu < n; cpu++) {
		struct slab_cpu *at = &cpus[c->n_cpus];
		struct shaped s;
		uint64_t off;

		if (!cpu_is_possible(t, cpu))
			continue;
		at->cpu = cpu;
		if (!percpu_offset(t, cpu, &off, &c->cpus_err) ||
		    !shape_read(t, &cpu_shape, percpu + off, &s, &c->cpus_err) ||
		    !shaped_u64(&s, CPU_SLAB, &at->slab, &c->cpus_err) ||
		    !shaped_u64(&s, CPU_FREELIST, &at->freelist, &c->cpus_err)) {
			c->cpus_ok = false;
			err_wrap(&c->cpus_err, "CPU %u's slab of '%s'", cpu, c->name);
			continue;
		}
		c->n_cpus += at->slab != 0;
	}
}

static bool count_node(struct target *t, const struct slab_node *node, void *arg, struct err *err)
{
	static const char type[] = "struct kmem_cache_node";
	struct slab_cache *c = arg;
	uint64_t slabs, total;

	if (!field_u64(t, type, node->node, "nr_slabs.counter", &slabs, err) ||
	    !field_u64(t, type, node->node, "total_objects.counter", &total, err))
		return false;
	c->slabs += slabs;
	c->total += total;
	c->has_counts = true;
	return true;
}

/* All nodes' numbers, or none: a part of them would be no number of the cache. */
static bool read_counts(struct target *t, struct slab_cache *c, struct err *err)
{
	return slab_nodes(t, c->addr, count_node, c, err) &&
	       (c->has_counts ||
		err_set_addr(err, ERR_CORRUPT, c->addr, "slab cache 0x%llx has no node",
			     (unsigned long long)c->addr));
}

/* What CPUs keep for themselves: slabs, sheaves, or both. */
static void read_kept(struct target *t, struct slab_cache *c, const struct shaped *s)
{
	struct err err;
	uint64_t none;

	if (shaped_has(s, CACHE_SHEAVES))
		slab_sheaves_read(t, c, shaped_u64_or(s, CACHE_SHEAVES, 0),
				  shaped_u64_or(s, CACHE_CAPACITY, 0));
	else
		c->kept_ok = true;
	if (shaped_has(s, CACHE_CPU) || !shaped_has(s, CACHE_SHEAVES)) {
		if (!shaped_has(s, CACHE_CPU) && !shaped_u64(s, CACHE_CPU, &none, &err))
			target_lacks(t, &err);
		read_cpus(t, c, shaped_u64_or(s, CACHE_CPU, 0));
	} else {
		c->cpus_ok = true;
	}
}

static bool cache_fill(struct target *t, struct slab_cache *c, struct err *err)
{
	struct shaped s;
	uint64_t name, oo;

	if (!shape_read(t, &cache_shape, c->addr, &s, err) ||
	    !shaped_u64(&s, CACHE_NAME, &name, err) || !shaped_u64(&s, CACHE_SIZE, &c->size, err) ||
	    !shaped_u64(&s, CACHE_OBJECT_SIZE, &c->object_size, err) ||
	    !shaped_u64(&s, CACHE_OFFSET, &c->free_off, err) ||
	    !shaped_u64(&s, CACHE_OO, &oo, err) ||
	    !mem_str(t, name, NAME_MAX_LEN, &t->arena, &c->name, err))
		return false;
	c->left_pad = shaped_u64_or(&s, CACHE_PAD, 0);
	c->flags = shaped_u64_or(&s, CACHE_FLAGS, 0);
	c->disguised = shaped_has(&s, CACHE_RANDOM);
	if (c->disguised && !shaped_u64(&s, CACHE_RANDOM, &c->random, err))
		return false;
	/* mm/slub.c: OO_SHIFT */
	c->order = (unsigned)(oo >> 16);
	c->objects = (unsigned)(oo & 0xffff);
	if (!c->size || c->size > CACHE_SIZE_MAX || c->object_size > c->size ||
	    c->free_off + t->arch->word > c->size || c->left_pad > c->size ||
	    c->order > CACHE_ORDER_MAX)
		return err_set_addr(err, ERR_CORRUPT, c->addr,
				    "objects of %llu bytes, %llu apart, in 2^%u pages",
				    (unsigned long long)c->object_size, (unsigned long long)c->size,
				    c->order);
	read_kept(t, c, &s);
	if (!read_counts(t, c, err)) {
		c->has_counts = false;
		target_lacks(t, err);
	}
	return true;
}

bool slab_cache_read(struct target *t, uint64_t addr, const struct slab_cache **ret,
		     struct err *err)
{
	struct slab_state_cell *st = state_of(t);
	const uint64_t *known = map_get(&st->caches, addr);
	struct slab_cache *c;

	if (known) {
		*ret = (const struct slab_cache *)(uintptr_t)*known;
		return true;
	}
	c = ARENA_NEW(&t->arena, struct slab_cache);
	c->addr = addr;
	if (!cache_fill(t, c, err))
		return err_wrap(err, "slab cache 0x%llx", (unsigned long long)addr);
	*map_put(&st->caches, addr, NULL) = (uintptr_t)c;
	*ret = c;
	return true;
}

void linux_slab_release(struct target *t)
{
	struct slab_state_cell *st = t->linux_state->of[LINUX_SLAB];

	if (st)
		map_release(&st->caches);
}

/* ---- slabs */

static bool slab_shaped(struct target *t, uint64_t addr, struct shaped *ret, struct err *err)
{
	const struct type *type;
	struct err ignored;
	bool own = type_find(t, "struct slab", &type, &ignored);

	return shape_read(t, own ? &slab_shape : &slab_page_shape, addr, ret, err);
}

static bool slab_fill(struct target *t, uint64_t addr, unsigned order, struct slab *ret,
		      struct err *err)
{
	uint64_t cache, objects, inuse, frozen;
	struct shaped s;

	ret->addr = addr;
	ret->bytes = t->page_size << order;
	if (!slab_shaped(t, addr, &s, err) || !shaped_u64(&s, SLAB_CACHE, &cache, err) ||
	    !slab_cache_read(t, cache, &ret->cache, err) ||
	    !shaped_u64(&s, SLAB_FREELIST, &ret->freelist, err) ||
	    !shaped_u64(&s, SLAB_OBJECTS, &objects, err) ||
	    !shaped_u64(&s, SLAB_INUSE, &inuse, err) || !shaped_u64(&s, SLAB_FROZEN, &frozen, err))
		return err_wrap(err, "slab 0x%llx", (unsigned long long)addr);
	ret->objects = (unsigned)objects;
	ret->inuse = (unsigned)inuse;
	ret->frozen = frozen;
	if (objects > SLAB_OBJECTS_MAX || objects * ret->cache->size > ret->bytes)
		return err_set_addr(err, ERR_CORRUPT, addr,
				    "slab 0x%llx of '%s': %u objects do not fit into its %llu "
				    "bytes",
				    (unsigned long long)addr, ret->cache->name, ret->objects,
				    (unsigned long long)ret->bytes);
	return true;
}

bool slab_read(struct target *t, uint64_t addr, struct slab *ret, struct err *err)
{
	struct page page;
	uint64_t delta;

	memset(ret, 0, sizeof(*ret));
	if (!page_read(t, addr, &page, err) || !linear_delta(t, &delta, err))
		return false;
	if (page.kind != PAGE_SLAB)
		return err_set_addr(err, ERR_NOTFOUND, addr, "0x%llx is the page of no slab",
				    (unsigned long long)addr);
	ret->base = page.head_pa + delta;
	return slab_fill(t, page.head, page.order, ret, err);
}

uint64_t slab_object_addr(const struct slab *slab, unsigned i)
{
	return slab->base + slab->cache->left_pad + i * slab->cache->size;
}

/* ---- free objects */

static uint64_t swap_bytes(uint64_t n, unsigned word)
{
	return word == 4 ? __builtin_bswap32((uint32_t)n) : __builtin_bswap64(n);
}

static bool object_index(const struct slab *slab, uint64_t addr, unsigned *ret)
{
	uint64_t off = addr - slab_object_addr(slab, 0);

	*ret = (unsigned)(off / slab->cache->size);
	return off % slab->cache->size == 0 && off / slab->cache->size < slab->objects;
}

/* What the free object at addr points to: plain, or mixed with a number of the cache and the
 * pointer's address, that with its bytes swapped since 1ad53d9fa3f6 (v5.7). The one that makes
 * sense is it; as for chance, an object is one address in many. */
static uint64_t next_free(struct target *t, const struct slab *slab, uint64_t at, uint64_t stored)
{
	uint64_t mask = t->arch->word == 4 ? UINT32_MAX : UINT64_MAX, next, older;
	unsigned i;

	if (!slab->cache->disguised)
		return stored;
	next = (stored ^ slab->cache->random ^ swap_bytes(at, t->arch->word)) & mask;
	older = (stored ^ slab->cache->random ^ at) & mask;
	if (next && !object_index(slab, next, &i) && (!older || object_index(slab, older, &i)))
		return older;
	return next;
}

static bool free_list(struct target *t, const struct slab *slab, uint64_t first, uint8_t *map,
		      struct err *err)
{
	uint64_t at = first, from = slab->addr, stored;
	unsigned i;

	while (at) {
		if (!object_index(slab, at, &i))
			return err_set_addr(err, ERR_CORRUPT, from,
					    "slab 0x%llx of '%s': its freelist leads from 0x%llx "
					    "to 0x%llx, which is none of its objects",
					    (unsigned long long)slab->addr, slab->cache->name,
					    (unsigned long long)from, (unsigned long long)at);
		if (map[i / 8] >> i % 8 & 1)
			return err_set_addr(err, ERR_CORRUPT, at,
					    "slab 0x%llx of '%s': its freelist comes back to "
					    "object 0x%llx",
					    (unsigned long long)slab->addr, slab->cache->name,
					    (unsigned long long)at);
		map[i / 8] |= (uint8_t)(1u << i % 8);
		from = at;
		at += slab->cache->free_off;
		if (!mem_ptr(t, at, &stored, err))
			return err_wrap(err, "slab 0x%llx of '%s': freelist",
					(unsigned long long)slab->addr, slab->cache->name);
		at = next_free(t, slab, at, stored);
	}
	return true;
}

bool slab_free_map(struct target *t, const struct slab *slab, uint8_t *map, struct err *err)
{
	const struct slab_cache *c = slab->cache;
	bool ok;

	memset(map, 0, SLAB_MAP_BYTES);
	ok = free_list(t, slab, slab->freelist, map, err);
	for (size_t i = 0; ok && i < c->n_cpus; i++)
		if (c->cpus[i].slab == slab->addr)
			ok = free_list(t, slab, c->cpus[i].freelist, map, err);
	for (unsigned i = 0; c->n_kept && i < slab->objects; i++)
		if (slab_kept_at(c, slab_object_addr(slab, i)))
			map[i / 8] |= (uint8_t)(1u << i % 8);
	if (ok && !c->kept_ok) {
		*err = c->kept_err;
		ok = false;
	}
	if (ok && slab->frozen && !c->cpus_ok) {
		*err = c->cpus_err;
		ok = false;
	}
	return ok;
}

/* ---- an address */

/* The slab around an address. Its objects are known by their place in the map of all memory, and so
 * are the pointers in them mixed with it: *addr becomes that, whatever else leads there. */
static bool slab_of(struct target *t, uint64_t *addr, struct slab *ret, struct err *err)
{
	struct page page;
	struct err ignored;
	uint64_t pa, at, delta;

	memset(ret, 0, sizeof(*ret));
	if (!mem_virt_to_phys(t, *addr, &pa, err) || !page_of_phys(t, pa, &at, err) ||
	    !page_read(t, at, &page, err))
		return false;
	if (page.kind != PAGE_SLAB)
		return err_set_addr(err, ERR_NOTFOUND, *addr, "0x%llx is in no slab",
				    (unsigned long long)*addr);
	if (linear_delta(t, &delta, &ignored))
		*addr = pa + delta;
	ret->base = *addr - (pa - page.head_pa);
	return slab_fill(t, page.head, page.order, ret, err);
}

bool slab_name_of(struct target *t, uint64_t addr, const char **ret, struct err *err)
{
	struct slab slab;

	if (!slab_of(t, &addr, &slab, err))
		return false;
	*ret = slab.cache->name;
	return true;
}

bool slab_place_of(struct target *t, uint64_t addr, const char **ret, uint64_t *off,
		   struct err *err)
{
	struct slab slab;

	if (!slab_of(t, &addr, &slab, err))
		return false;
	if (!slab.cache->size || (addr - slab.base) % slab.cache->size < slab.cache->left_pad)
		return err_set_addr(err, ERR_NOTFOUND, addr, "0x%llx is in no object",
				    (unsigned long long)addr);
	*ret = slab.cache->name;
	*off = (addr - slab.base) % slab.cache->size - slab.cache->left_pad;
	return true;
}

/* map is scratch. */
static bool on_cpu_list(struct target *t, struct slab_object *o, uint8_t map[SLAB_MAP_BYTES])
{
	const struct slab_kept *kept = slab_kept_at(o->slab.cache, o->addr);
	struct err ignored;

	if (kept) {
		o->cpu = (unsigned)kept->cpu;
		return kept->cpu >= 0;
	}
	memset(map, 0, SLAB_MAP_BYTES);
	for (size_t i = 0; i < o->slab.cache->n_cpus; i++) {
		const struct slab_cpu *c = &o->slab.cache->cpus[i];

		if (c->slab != o->slab.addr)
			continue;
		o->cpu = c->cpu;
		return !free_list(t, &o->slab, c->freelist, map, &ignored) ||
		       map[o->index / 8] >> o->index % 8 & 1;
	}
	return false;
}

bool slab_at(struct target *t, uint64_t addr, struct slab_object *ret, struct err *err)
{
	uint8_t map[SLAB_MAP_BYTES];
	uint64_t off;
	bool whole;

	memset(ret, 0, sizeof(*ret));
	if (!slab_of(t, &addr, &ret->slab, err))
		return false;
	off = addr - ret->slab.base;
	ret->index = (unsigned)(off / ret->slab.cache->size);
	if (ret->index >= ret->slab.objects) {
		ret->state = SLAB_OUTSIDE;
		return true;
	}
	ret->addr = slab_object_addr(&ret->slab, ret->index);
	ret->offset = addr - ret->addr;
	whole = slab_free_map(t, &ret->slab, map, &ret->why);
	if (map[ret->index / 8] >> ret->index % 8 & 1) {
		ret->state = SLAB_FREE;
		ret->on_cpu = on_cpu_list(t, ret, map);
	} else {
		ret->state = whole ? SLAB_ALLOCATED : SLAB_UNKNOWN;
	}
	return true;
}
