/* SPDX-License-Identifier: GPL-3.0-or-later */
/* KFENCE: a pool in which each object has a page of its own between two guard pages, and what the
 * kernel notes of each. */
#include "core/linux/memory/origin.h"

#include "core/base/guard.h"
#include <string.h>
#include "core/linux/subsystem.h"
#include "core/types/shape.h"

#define OBJECTS_MAX 65535u /* lib/Kconfig.kfence: KFENCE_NUM_OBJECTS */
#define POINTER_BYTES 16u

enum {
	META_STATE,
	META_ADDR,
	META_SIZE,
	META_CACHE,
	META_ALLOC,
	META_FREE,
	META_FIELDS
};
static const struct shape_field meta_fields[META_FIELDS] = {
	[META_STATE] = FIELD("state"),       [META_ADDR] = FIELD("addr"),
	[META_SIZE] = FIELD("size"),         [META_CACHE] = FIELD("cache"),
	[META_ALLOC] = FIELD("alloc_track"), [META_FREE] = FIELD("free_track"),
};
static const struct shape meta_shape = SHAPE("struct kfence_metadata", meta_fields);

enum {
	TRACK_PID,
	TRACK_CPU,
	TRACK_TIME,
	TRACK_COUNT,
	TRACK_ENTRIES,
	TRACK_FIELDS
};
static const struct shape_field track_fields[TRACK_FIELDS] = {
	[TRACK_PID] = FIELD("pid"),
	/* 4bbf04aa9aa8 (v5.17) */
	[TRACK_CPU] = FIELD_MAYBE("cpu"),
	[TRACK_TIME] = FIELD_MAYBE("ts_nsec"),
	[TRACK_COUNT] = FIELD("num_stack_entries"),
	[TRACK_ENTRIES] = FIELD("stack_entries"),
};
static const struct shape track_shape = SHAPE("struct kfence_track", track_fields);

struct pool {
	uint64_t base, metas, size; /* of a struct kfence_metadata */
};

static bool pool_find(struct target *t, struct pool *ret, struct err *err)
{
	const struct type *type;
	struct symbol s;
	uint64_t at;

	if (!subsystem_symbol(t, "__kfence_pool", "KFENCE", &at, err) ||
	    !mem_ptr(t, at, &ret->base, err))
		return false;
	if (!ret->base)
		return err_set(err, ERR_NOTFOUND, "KFENCE: it was off");
	if (!symbol_find(t, "kfence_metadata", &s, err) ||
	    !type_find(t, "struct kfence_metadata", &type, err))
		return err_wrap(err, "KFENCE");
	ret->size = type->size;
	ret->metas = s.addr;
	/* cabdf74e6b31 (v6.6) points to what was an array */
	return (s.size && s.size > POINTER_BYTES) || mem_ptr(t, s.addr, &ret->metas, err);
}

static bool track_read(struct target *t, uint64_t at, struct origin *o, struct err *err)
{
	uint64_t n, pid, entries, *to;
	struct shaped s;

	if (!shape_read(t, &track_shape, at, &s, err) || !shaped_u64(&s, TRACK_COUNT, &n, err) ||
	    !shaped_u64(&s, TRACK_PID, &pid, err) || !shaped_addr(&s, TRACK_ENTRIES, &entries, err))
		return false;
	if (!n)
		return true;
	if (n > ORIGIN_FRAMES_MAX)
		return err_set_addr(err, ERR_CORRUPT, at, "a stack of %u frames", (unsigned)n);
	o->pid = (int32_t)pid;
	if (shaped_has(&s, TRACK_CPU))
		o->cpu = (int32_t)shaped_u64_or(&s, TRACK_CPU, UINT32_MAX);
	if (shaped_has(&s, TRACK_TIME))
		o->at = shaped_u64_or(&s, TRACK_TIME, ORIGIN_UNKNOWN);
	to = ARENA_ARRAY(t->scratch, uint64_t, n);
	for (size_t i = 0; i < n; i++)
		if (!mem_ptr(t, entries + i * t->arch->word, &to[i], err))
			return false;
	o->frames = to;
	o->n = (size_t)n;
	return true;
}

static const char *state_name(struct target *t, uint64_t state)
{
	const struct enumerator *e = NULL;
	const struct type *type;
	struct err ignored;
	size_t n = 0, skip = sizeof("KFENCE_OBJECT_") - 1;
	char *name;

	if (type_find(t, "enum kfence_object_state", &type, &ignored))
		e = type_enumerators(type, &n);
	for (size_t i = 0; i < n; i++) {
		if (e[i].value != state || !e[i].name)
			continue;
		name = arena_strdup(t->scratch, strncmp(e[i].name, "KFENCE_OBJECT_", skip)
							? e[i].name
							: e[i].name + skip);
		for (char *c = name; *c; c++)
			if (*c >= 'A' && *c <= 'Z')
				*c = (char)(*c | 0x20);
		return name;
	}
	return NULL;
}

/* Each object's address is of its own page from the begin on: what has another is none. */
static bool object_read(struct target *t, const struct pool *p, uint64_t index,
			struct kfence_object *o, struct err *err)
{
	uint64_t state, cache, alloc, freed;
	struct err ignored;
	struct shaped s;

	memset(o, 0, sizeof(*o));
	origin_init(&o->alloc);
	origin_init(&o->freed);
	o->index = index;
	o->meta = p->metas + index * p->size;
	o->page = p->base + (index + 1) * 2 * t->page_size;
	if (!shape_read(t, &meta_shape, o->meta, &s, err) ||
	    !shaped_u64(&s, META_STATE, &state, err) || !shaped_u64(&s, META_ADDR, &o->addr, err) ||
	    !shaped_u64(&s, META_SIZE, &o->size, err) || !shaped_u64(&s, META_CACHE, &cache, err) ||
	    !shaped_addr(&s, META_ALLOC, &alloc, err) || !shaped_addr(&s, META_FREE, &freed, err))
		return err_wrap(err, "KFENCE object %u", (unsigned)index);
	if (o->addr - o->page >= t->page_size)
		return err_set_addr(err, ERR_NOTFOUND, o->meta, "KFENCE has no object %u",
				    (unsigned)index);
	o->state = state_name(t, state);
	if (!o->state)
		return err_set_addr(err, ERR_CORRUPT, o->meta, "KFENCE object %u is of state %u",
				    (unsigned)index, (unsigned)state);
	/* 5.12 noted objects at the right end of their page with a negative size */
	if (o->size > t->page_size)
		o->size = (uint32_t) - (int32_t)o->size;
	if (o->size > t->page_size)
		o->size = 0;
	if (cache && !subsystem_text(t, "struct kmem_cache", cache, "name", &o->cache, &ignored))
		o->cache = NULL;
	if (!track_read(t, alloc, &o->alloc, &o->alloc.why))
		err_wrap(&o->alloc.why, "KFENCE object %u", (unsigned)index);
	/* an object that is in use keeps who gave back what was there before it */
	if (strcmp(o->state, "allocated") != 0 && !track_read(t, freed, &o->freed, &o->freed.why))
		err_wrap(&o->freed.why, "KFENCE object %u", (unsigned)index);
	return true;
}

bool kfence_at(struct target *t, uint64_t addr, struct kfence_object *ret, struct err *err)
{
	uint64_t page;
	struct pool p;

	if (!pool_find(t, &p, err))
		return false;
	/* the first two pages are guards of the pool */
	page = (addr - p.base) / t->page_size;
	if (addr < p.base || page < 2 || page / 2 - 1 >= OBJECTS_MAX)
		return err_set_addr(err, ERR_NOTFOUND, addr, "0x%llx is not in KFENCE's pool",
				    (unsigned long long)addr);
	if (!object_read(t, &p, page / 2 - 1, ret, err)) {
		/* far behind the pool other memory lies behind the metadata */
		return false;
	}
	ret->guard = page % 2;
	return true;
}

bool kfence_each(struct target *t, bool (*fn)(const struct kfence_object *o, void *arg),
		 void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct kfence_object o;
	struct pool p;

	if (!pool_find(t, &p, err))
		return false;
	for (uint64_t i = 0; i < OBJECTS_MAX; i++) {
		struct err why;

		if (!interrupt_check(err))
			return false;
		if (object_read(t, &p, i, &o, &why)) {
			if (!fn(&o, arg))
				return true;
			continue;
		}
		/* the first that is none is the end; where memory is absent, that cannot be known
		 */
		if (why.code == ERR_NOTFOUND)
			return true;
		if (flaw)
			flaw(&why, arg);
		if (why.code != ERR_CORRUPT)
			return true;
	}
	return true;
}
