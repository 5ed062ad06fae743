/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tracks of slab objects: who took each and who gave it back, which SLUB notes behind the objects
 * of caches with SLAB_STORE_USER. */
#include "core/linux/memory/origin.h"
#include "core/linux/misc/irq.h"
#include "core/types/shape.h"

#define STORE_USER_BIT 16u /* include/linux/slab.h, before the bits had an enum */
#define ADDRS_MAX 16u

enum {
	TRACK_ADDR,
	TRACK_HANDLE,
	TRACK_CPU,
	TRACK_PID,
	TRACK_WHEN,
	TRACK_FIELDS
};
static const struct shape_field track_fields[TRACK_FIELDS] = {
	[TRACK_ADDR] = FIELD("addr"),
	/* 5cf909c553e9 (v5.19), before it the stack itself in addrs[]; without STACKDEPOT none */
	[TRACK_HANDLE] = FIELD_MAYBE("handle"),
	[TRACK_CPU] = FIELD("cpu"),
	[TRACK_PID] = FIELD("pid"),
	[TRACK_WHEN] = FIELD("when"),
};
static const struct shape track_shape = SHAPE("struct track", track_fields);

/* The stack as it was before the depot: up to a 0. */
static void track_addrs(struct target *t, uint64_t track, struct origin *o)
{
	uint64_t off, *to = ARENA_ARRAY(t->scratch, uint64_t, ADDRS_MAX);
	struct err ignored;

	if (!field_offset(t, "struct track", "addrs", &off, &ignored))
		return;
	o->frames = to;
	while (o->n < ADDRS_MAX) {
		if (!mem_ptr(t, track + off + o->n * t->arch->word, &to[o->n], &o->why) ||
		    !to[o->n])
			return;
		o->n++;
	}
}

static bool track_read(struct target *t, uint64_t track, struct origin *o, struct err *err)
{
	uint64_t addr, handle, pid, cpu, when, *caller;
	struct shaped s;
	struct err ignored;

	origin_init(o);
	if (!shape_read(t, &track_shape, track, &s, err) ||
	    !shaped_u64(&s, TRACK_ADDR, &addr, err) || !shaped_u64(&s, TRACK_CPU, &cpu, err) ||
	    !shaped_u64(&s, TRACK_PID, &pid, err) || !shaped_u64(&s, TRACK_WHEN, &when, err))
		return false;
	if (!addr)
		return true; /* nobody yet */
	o->pid = (int32_t)pid;
	o->cpu = (int32_t)cpu;
	if (!jiffies_since(t, when, &o->age, &ignored))
		o->age = ORIGIN_UNKNOWN;
	if (!shaped_has(&s, TRACK_HANDLE))
		track_addrs(t, track, o);
	else if (shaped_u64(&s, TRACK_HANDLE, &handle, err))
		origin_stack(t, (uint32_t)handle, o);
	else
		return false;
	if (o->n)
		return true;
	/* the caller alone is always noted */
	caller = ARENA_NEW(t->scratch, uint64_t);
	*caller = addr;
	o->frames = caller;
	o->n = 1;
	return true;
}

bool slab_track_read(struct target *t, const struct slab_cache *cache, uint64_t object,
		     struct origin *alloc, struct origin *freed, struct err *err)
{
	uint64_t bit, inuse, end;
	const struct type *type;

	if (!enum_value(t, "enum _slab_flag_bits", "_SLAB_STORE_USER", &bit))
		bit = STORE_USER_BIT;
	if (bit >= 64 || !(cache->flags >> bit & 1))
		return err_set(err, ERR_NOTFOUND, "cache '%s' notes nobody", cache->name);
	if (!type_find(t, "struct track", &type, err) ||
	    !field_u64(t, "struct kmem_cache", cache->addr, "inuse", &inuse, err))
		return false;
	/* behind the object, and behind the pointer to the next free one if that is there */
	end = cache->free_off >= inuse ? inuse + t->arch->word : inuse;
	if (end + 2 * type->size > cache->size)
		return err_set_addr(err, ERR_CORRUPT, cache->addr,
				    "cache '%s': no room for tracks in %llu bytes", cache->name,
				    (unsigned long long)cache->size);
	return track_read(t, object + end, alloc, err) &&
	       track_read(t, object + end + type->size, freed, err);
}
