/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who asked for memory, and who gave it back, where the kernel notes it: the stack depot, tracks of
 * slab objects, KFENCE, page_owner, kmemleak. */
#ifndef OBIT_ORIGIN_H
#define OBIT_ORIGIN_H

#include "core/linux/memory/slab.h"

#define ORIGIN_UNKNOWN UINT64_MAX
#define ORIGIN_FRAMES_MAX 256u

/* One who asked for memory or gave it back. */
struct origin {
	int64_t pid, tgid; /* -1: not noted */
	int cpu;           /* -1: not noted */
	const char *comm;  /* NULL: not noted; in the scratch arena */
	uint64_t at;       /* nanoseconds of the kernel's clock, as its log's; ORIGIN_UNKNOWN */
	uint64_t age;      /* nanoseconds before the end; ORIGIN_UNKNOWN */
	const uint64_t *frames; /* addresses behind calls, the innermost first; scratch arena */
	size_t n;
	struct err why; /* why the stack is not known; ERR_OK: it is, or none was noted */
};

/* ---- stack_depot.c */
/* Sets *frames to the stack that a handle of the kernel's stack depot stands for; in the scratch
 * arena. The record must name the handle itself, or it is ERR_CORRUPT. Handle 0 is no stack: *n is
 * 0. */
bool stack_depot_read(struct target *t, uint32_t handle, const uint64_t **frames, size_t *n,
		      struct err *err) MUST_CHECK;
/* Fills o->frames from a handle, or o->why. */
void origin_stack(struct target *t, uint32_t handle, struct origin *o);
/* An origin of which nothing is noted. */
void origin_init(struct origin *o);

/* ---- slab_track.c */
/* Sets *alloc and *freed to who took the object last and who gave it back last; an origin without
 * frames was not noted. ERR_NOTFOUND: the cache notes nobody (slub_debug=U). */
bool slab_track_read(struct target *t, const struct slab_cache *cache, uint64_t object,
		     struct origin *alloc, struct origin *freed, struct err *err) MUST_CHECK;

/* ---- kfence.c */
struct kfence_object {
	uint64_t meta;     /* struct kfence_metadata */
	uint64_t index;    /* "kfence-#3" */
	uint64_t page;     /* the page that it may lie in; the one behind it is a guard */
	const char *state; /* "unused", "allocated", "rcu_freeing", "freed" */
	uint64_t addr;     /* the object; its size in bytes */
	uint64_t size;
	const char *cache; /* NULL: never used, or its cache is gone */
	bool guard;        /* the address that was asked for is in a guard page */
	struct origin alloc, freed;
};
/* Sets *ret to the object whose page, or the guard page behind it, addr lies in. ERR_NOTFOUND: addr
 * is not in KFENCE's pool, or there is none. */
bool kfence_at(struct target *t, uint64_t addr, struct kfence_object *ret,
	       struct err *err) MUST_CHECK;
/* Calls fn for each object of the pool, unused ones too, until fn returns false. */
bool kfence_each(struct target *t, bool (*fn)(const struct kfence_object *o, void *arg),
		 void (*flaw)(const struct err *e, void *arg), void *arg,
		 struct err *err) MUST_CHECK;

/* ---- page_owner.c */
struct page_owner {
	bool allocated; /* else it is free, and `alloc` is who had it last */
	unsigned order; /* it was asked for with 2^order pages */
	uint64_t gfp;   /* how it was asked for */
	uint32_t handle;
	struct origin alloc, freed;
};
/* Sets *ret to who owns a page. ERR_NOTFOUND: this kernel does not note it (page_owner=on), or did
 * not of this page. */
bool page_owner_at(struct target *t, uint64_t pfn, struct page_owner *ret,
		   struct err *err) MUST_CHECK;
/* Pages that were asked for on one way. */
struct owner_sum {
	uint32_t handle;
	uint64_t pages;  /* all */
	uint64_t blocks; /* how often one asked */
	const uint64_t *frames;
	size_t n;
	struct err why; /* why the stack is not known */
};
/* Sets *ret to all allocated pages, summed by stack, the most pages first; in the scratch arena. */
bool page_owners(struct target *t, const struct owner_sum **ret, size_t *n,
		 void (*flaw)(const struct err *e, void *arg), void *arg,
		 struct err *err) MUST_CHECK;

/* ---- kmemleak.c */
struct leaked {
	uint64_t addr;   /* struct kmemleak_object */
	uint64_t object; /* what nobody points to */
	uint64_t size;
	int64_t count, min_count; /* pointers found by the last scan, and how many it should have */
	struct origin alloc;
};
/* Calls fn for each object that kmemleak's last whole scan found nobody to point to, as its file
 * lists them, until fn returns false. */
bool leaks_each(struct target *t, bool (*fn)(const struct leaked *l, void *arg),
		void (*flaw)(const struct err *e, void *arg), void *arg,
		struct err *err) MUST_CHECK;

#endif
