/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slab allocator (SLUB): caches, their slabs, and whether an object is allocated or free. */
#ifndef OBIT_SLAB_H
#define OBIT_SLAB_H

#include "core/linux/memory/struct_page.h"

/* The objects of one slab, at most: struct slab counts them in 15 bits. */
#define SLAB_OBJECTS_MAX 32768u
#define SLAB_MAP_BYTES (SLAB_OBJECTS_MAX / 8)

/* What a CPU holds of a cache: a slab it allocates from, and the free objects it took of it. */
struct slab_cpu {
	unsigned cpu;
	uint64_t slab, freelist;
};

/* A free object in a sheaf, of a CPU or, with -1, of a node. */
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
	uint64_t free_off;    /* in a free object: the pointer to the next */
	uint64_t random;      /* what that pointer is disguised with */
	bool disguised;
	uint64_t flags;
	unsigned order;   /* a slab is of 2^order pages */
	unsigned objects; /* of a slab of that order */
	/* as its nodes count; has_counts: they do (CONFIG_SLUB_DEBUG) */
	bool has_counts;
	uint64_t slabs, total;
	const struct slab_cpu *cpus; /* those that hold a slab */
	size_t n_cpus;
	bool cpus_ok;
	struct err cpus_err;          /* why that is not known */
	const struct slab_kept *kept; /* by their addresses */
	size_t n_kept;
	bool kept_ok;
	struct err kept_err; /* why not all of them are known */
};

struct slab {
	uint64_t addr; /* struct slab; struct page before d122019bf061 (v5.17) */
	uint64_t base; /* address of its first byte */
	uint64_t bytes;
	const struct slab_cache *cache;
	unsigned objects, inuse; /* inuse: as it counts; a CPU's free objects are in use to it */
	bool frozen;
	uint64_t freelist;
};

enum slab_state {
	SLAB_UNKNOWN,
	SLAB_ALLOCATED,
	SLAB_FREE,
	SLAB_OUTSIDE /* no object: what is left behind the last */
};

struct slab_object {
	struct slab slab;
	unsigned index;
	uint64_t addr;   /* of the object */
	uint64_t offset; /* of the address asked for, in it */
	enum slab_state state;
	bool on_cpu; /* free, and kept by a CPU: */
	unsigned cpu;
	struct err why; /* why the state is unknown */
};

/* ---- slab.c */
/* Which cache is the object at an address from: "task_struct", "kmalloc-64"? The simple question,
 * which reads no freelist. ERR_NOTFOUND: addr is in no slab. The name lives as long as the target.
 */
bool slab_name_of(struct target *t, uint64_t addr, const char **ret, struct err *err) MUST_CHECK;
/* All about the object that addr lies in. ERR_NOTFOUND: addr is in no slab. */
bool slab_at(struct target *t, uint64_t addr, struct slab_object *ret, struct err *err) MUST_CHECK;
/* A cache by its struct kmem_cache; read once. */
bool slab_cache_read(struct target *t, uint64_t addr, const struct slab_cache **ret,
		     struct err *err) MUST_CHECK;
/* A slab by its struct slab (or page); base is that of the map of all memory. */
bool slab_read(struct target *t, uint64_t addr, struct slab *ret, struct err *err) MUST_CHECK;
/* A bit for each object that is free; map has SLAB_MAP_BYTES. False: a freelist is broken, and what
 * stood before the break is marked. */
bool slab_free_map(struct target *t, const struct slab *slab, uint8_t *map,
		   struct err *err) MUST_CHECK;
uint64_t slab_object_addr(const struct slab *slab, unsigned i);

/* ---- slab_sheaf.c */
/* Who keeps the object at an address, or NULL where no sheaf has it. */
const struct slab_kept *slab_kept_at(const struct slab_cache *cache, uint64_t object);

/* ---- slab_walk.c */
/* Every cache, as the kernel lists them. fn returns false to stop. */
bool slab_caches(struct target *t, bool (*fn)(const struct slab_cache *cache, void *arg), void *arg,
		 struct err *err) MUST_CHECK;
/* A cache by its name or its address as a word. ERR_NOTFOUND. */
bool slab_cache_find(struct target *t, const char *word, const struct slab_cache **ret,
		     struct err *err) MUST_CHECK;
/* Every slab of a cache, full ones too: found among the struct pages, which are looked through
 * once. */
bool slabs_each(struct target *t, const struct slab_cache *cache,
		bool (*fn)(const struct slab *slab, void *arg), void *arg,
		struct err *err) MUST_CHECK;
/* Free objects on the nodes' lists of partial slabs, as /proc/slabinfo counts them. */
bool slab_partial_free(struct target *t, const struct slab_cache *cache, uint64_t *ret,
		       struct err *err) MUST_CHECK;

/* Free objects that CPUs keep for themselves: on their own lists and in slabs they took. These are
 * in use to /proc/slabinfo. */
bool slab_cpu_free(struct target *t, const struct slab_cache *cache, uint64_t *ret,
		   struct err *err) MUST_CHECK;

#endif
