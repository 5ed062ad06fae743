/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slab allocator (SLUB): caches, their slabs, and whether an object is allocated or free. */
#ifndef OBIT_SLAB_H
#define OBIT_SLAB_H

#include "core/linux/memory/struct_page.h"

/* How many objects a slab can have: struct slab counts them in 15 bits. */
#define SLAB_OBJECTS_MAX 32768u
#define SLAB_MAP_BYTES (SLAB_OBJECTS_MAX / 8)

/* What a CPU has of a cache: the slab that it allocates from, and the first of the free objects
 * that it took from that. */
struct slab_cpu {
	unsigned cpu;
	uint64_t slab, freelist;
};

/* A free object in a sheaf: of a CPU, or, when cpu is -1, of a node. */
struct slab_kept {
	uint64_t addr;
	int cpu;
};

struct slab_cache {
	uint64_t addr; /* struct kmem_cache */
	const char *name;
	uint64_t size;        /* from one object to the next */
	uint64_t object_size; /* bytes that are the user's */
	uint64_t left_pad;    /* before each object: a red zone */
	uint64_t free_off;    /* where a free object has the pointer to the next one */
	uint64_t random;      /* what that pointer is disguised with */
	bool disguised;
	uint64_t flags;
	unsigned order;   /* a slab is of 2^order pages */
	unsigned objects; /* of a slab of that order */
	/* how many slabs and objects its nodes count, when they do (CONFIG_SLUB_DEBUG) */
	bool has_counts;
	uint64_t slabs, total;
	const struct slab_cpu *cpus; /* the CPUs that have a slab */
	size_t n_cpus;
	bool cpus_ok;
	struct err cpus_err;          /* !cpus_ok: why they are not known */
	const struct slab_kept *kept; /* sorted by address */
	size_t n_kept;
	bool kept_ok;
	struct err kept_err; /* why not all of them are known */
};

struct slab {
	uint64_t addr; /* struct slab; struct page before d122019bf061 (v5.17) */
	uint64_t base; /* address of its first byte */
	uint64_t bytes;
	const struct slab_cache *cache;
	unsigned objects, inuse; /* inuse counts free objects that a CPU took as in use */
	bool frozen;
	uint64_t freelist;
};

enum slab_state {
	SLAB_UNKNOWN,
	SLAB_ALLOCATED,
	SLAB_FREE,
	SLAB_OUTSIDE /* no object: the address is in what is left behind the last one */
};

struct slab_object {
	struct slab slab;
	unsigned index;
	uint64_t addr;   /* of the object */
	uint64_t offset; /* of the address that was asked for, in the object */
	enum slab_state state;
	bool on_cpu; /* it is free, and `cpu` keeps it for itself */
	unsigned cpu;
	struct err why; /* why the state is unknown */
};

/* ---- slab.c */
/* Sets *ret to the name of the cache that the object at addr is of: "task_struct", "kmalloc-64". It
 * lives as long as the target. Reads no freelist, and so is quick. ERR_NOTFOUND: addr is in no
 * slab. */
bool slab_name_of(struct target *t, uint64_t addr, const char **ret, struct err *err) MUST_CHECK;
/* The same, and sets *off to how many bytes behind the start of its object addr is. */
bool slab_place_of(struct target *t, uint64_t addr, const char **ret, uint64_t *off,
		   struct err *err) MUST_CHECK;
/* Sets *ret to all that is known of the object that addr lies in. ERR_NOTFOUND: addr is in no slab.
 */
bool slab_at(struct target *t, uint64_t addr, struct slab_object *ret, struct err *err) MUST_CHECK;
/* Sets *ret to the cache whose struct kmem_cache is at addr; each is read once. */
bool slab_cache_read(struct target *t, uint64_t addr, const struct slab_cache **ret,
		     struct err *err) MUST_CHECK;
/* Reads the struct slab, or struct page, at addr; ret->base is an address in the kernel's map of
 * all memory. */
bool slab_read(struct target *t, uint64_t addr, struct slab *ret, struct err *err) MUST_CHECK;
/* Sets a bit in map, which has SLAB_MAP_BYTES, for each object of the slab that is free. False: a
 * freelist is broken, and the bits are set for the objects before the break. */
bool slab_free_map(struct target *t, const struct slab *slab, uint8_t *map,
		   struct err *err) MUST_CHECK;
uint64_t slab_object_addr(const struct slab *slab, unsigned i);

/* ---- slab_sheaf.c */
/* The entry of the sheaf that has the free object at an address; NULL: no sheaf has it. */
const struct slab_kept *slab_kept_at(const struct slab_cache *cache, uint64_t object);

/* ---- slab_walk.c */
/* Calls fn for every cache in the order of the kernel's list, until fn returns false. */
bool slab_caches(struct target *t, bool (*fn)(const struct slab_cache *cache, void *arg), void *arg,
		 struct err *err) MUST_CHECK;
/* Sets *ret to the cache that a person's word means, by its name or its address. ERR_NOTFOUND. */
bool slab_cache_find(struct target *t, const char *word, const struct slab_cache **ret,
		     struct err *err) MUST_CHECK;
/* Calls fn for every slab of a cache, full ones too, until fn returns false. They are found among
 * all struct pages, which are read once. */
bool slabs_each(struct target *t, const struct slab_cache *cache,
		bool (*fn)(const struct slab *slab, void *arg), void *arg,
		struct err *err) MUST_CHECK;
/* Sets *ret to how many free objects the nodes' lists of partial slabs have, as /proc/slabinfo
 * counts them. */
bool slab_partial_free(struct target *t, const struct slab_cache *cache, uint64_t *ret,
		       struct err *err) MUST_CHECK;

/* Sets *ret to how many free objects CPUs keep for themselves, on lists of their own and in slabs
 * that they took. /proc/slabinfo counts these as in use. */
bool slab_cpu_free(struct target *t, const struct slab_cache *cache, uint64_t *ret,
		   struct err *err) MUST_CHECK;

#endif
