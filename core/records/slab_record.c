/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slab caches as rows, and the objects of one. */
#include "core/base/guard.h"
#include "core/types/value.h"
#include "core/records/slab_record.h"
#include "core/shell/stage.h"

enum {
	CACHE,
	OBJSIZE,
	ALLOCATED,
	TOTAL,
	SLABS,
	SLAB_BYTES,
	NAME,
	SIZE,
	ACTIVE,
	PER_SLAB,
	PAGES
};
static const struct record_field cache_fields[] = {
	[CACHE] = { "addr", "CACHE", CELL_ADDR, 0, "address of its struct kmem_cache" },
	[OBJSIZE] = { "object_size", "OBJSIZE", CELL_UINT, FIELD_RIGHT,
		      "bytes of an object that are its user's" },
	[ALLOCATED] = { "allocated", NULL, CELL_UINT, FIELD_RIGHT, "objects that are in use" },
	[TOTAL] = { "total", NULL, CELL_UINT, FIELD_RIGHT, "objects there is room for" },
	[SLABS] = { "slabs", NULL, CELL_UINT, FIELD_RIGHT, "slabs" },
	[SLAB_BYTES] = { "slab_size", "SSIZE", CELL_SIZE, FIELD_RIGHT, "bytes of a slab" },
	[NAME] = { "name", NULL, CELL_STR, 0, "name" },
	[SIZE] = { "size", NULL, CELL_UINT, FIELD_JSON,
		   "bytes from one object to the next, the objsize of /proc/slabinfo" },
	[ACTIVE] = { "active", NULL, CELL_UINT, FIELD_JSON,
		     "the active_objs of /proc/slabinfo, to which free objects that a CPU keeps are "
		     "in use" },
	[PER_SLAB] = { "per_slab", NULL, CELL_UINT, FIELD_JSON, "objects of a slab" },
	[PAGES] = { "pages", NULL, CELL_UINT, FIELD_JSON, "pages of a slab" },
};
const struct record_kind slab_cache_kind = { "slab_cache", "a slab cache (kmem -s)",
					     LAYOUT_TABLE, NULL,
					     cache_fields, ARRAY_SIZE(cache_fields) };

enum {
	OBJ_ADDR,
	OBJ_STATE,
	OBJ_SLAB,
	OBJ_INDEX
};
static const struct record_field object_fields[] = {
	[OBJ_ADDR] = { "object", NULL, CELL_ADDR, 0, "its address" },
	[OBJ_STATE] = { "state", NULL, CELL_STR, 0,
			"allocated, free, or unknown where the freelist is broken" },
	[OBJ_SLAB] = { "slab", NULL, CELL_ADDR, 0, "the slab's struct slab" },
	[OBJ_INDEX] = { "index", NULL, CELL_UINT, FIELD_RIGHT, "its place in the slab" },
};
const struct record_kind slab_object_kind = { "slab_object", "an object of a slab",
					      LAYOUT_TABLE,  NULL,
					      object_fields, ARRAY_SIZE(object_fields) };

void emit_slab_cache(struct ctx *c, const struct slab_cache *cache)
{
	uint64_t partial, cpu;
	struct record r;
	struct err err;
	bool ok = slab_partial_free(c->t, cache, &partial, &err);

	record_init(&r, &slab_cache_kind);
	record_uint(&r, CACHE, cache->addr);
	record_uint(&r, OBJSIZE, cache->object_size);
	record_uint(&r, SLAB_BYTES, c->t->page_size << cache->order);
	record_str(&r, NAME, cache->name);
	record_uint(&r, SIZE, cache->size);
	record_uint(&r, PER_SLAB, cache->objects);
	record_uint(&r, PAGES, 1ull << cache->order);
	if (cache->has_counts) {
		record_uint(&r, SLABS, cache->slabs);
		record_uint(&r, TOTAL, cache->total);
		if (ok)
			record_uint(&r, ACTIVE, cache->total - partial);
		ok = ok && slab_cpu_free(c->t, cache, &cpu, &err);
		if (ok)
			record_uint(&r, ALLOCATED, cache->total - partial - cpu);
	}
	emit(c, &r);
	if (!ok) {
		err_wrap(&err, "'%s'", cache->name);
		note(c, &err);
	}
}

struct objects_walk {
	struct ctx *c;
	enum slab_choice choice;
	const struct type *type;
	struct err *err;
	bool ok;
};

static bool emit_objects(const struct slab *slab, void *arg)
{
	struct objects_walk *w = arg;
	uint8_t map[SLAB_MAP_BYTES];
	struct err err;
	bool whole = slab_free_map(w->c->t, slab, map, &err);

	if (!whole)
		note(w->c, &err);
	for (unsigned i = 0; i < slab->objects && w->ok; i++) {
		bool is_free = map[i / 8] >> i % 8 & 1;
		struct record r;

		if (!interrupt_check(w->err)) {
			w->ok = false;
			break;
		}
		if ((w->choice == SLABS_ALLOCATED && is_free) ||
		    (w->choice == SLABS_FREE && !is_free))
			continue;
		if (w->type) {
			w->ok = stage_show(w->c, value_ref(w->type, slab_object_addr(slab, i)),
					   w->err);
			continue;
		}
		record_init(&r, &slab_object_kind);
		record_uint(&r, OBJ_ADDR, slab_object_addr(slab, i));
		record_str(&r, OBJ_STATE, is_free ? "free" : whole ? "allocated" : "unknown");
		record_uint(&r, OBJ_SLAB, slab->addr);
		record_uint(&r, OBJ_INDEX, i);
		emit(w->c, &r);
	}
	return w->ok;
}

bool slab_objects(struct ctx *c, const struct slab_cache *cache, enum slab_choice choice,
		  const struct type *type, struct err *err)
{
	struct objects_walk w = { .c = c, .choice = choice, .type = type, .err = err, .ok = true };
	struct err why;

	if (!slabs_each(c->t, cache, emit_objects, &w, &why) && w.ok) {
		if (why.code == ERR_INTR) {
			*err = why;
			return false;
		}
		note(c, &why);
	}
	return w.ok;
}

bool slab_objects_of(struct ctx *c, const struct slab *slab, struct err *err)
{
	struct objects_walk w = { .c = c, .choice = SLABS_ALL, .err = err, .ok = true };

	return emit_objects(slab, &w);
}
