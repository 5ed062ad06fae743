/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stack depot: stacks that are stored once, and the handles that stand for them. */
#include <string.h>

#include "core/linux/memory/origin.h"
#include "core/types/shape.h"

/* lib/stackdepot.c: a record lies at a multiple of 16 bytes, in a pool of 4 pages */
#define RECORD_ALIGN 4u
#define POOL_PAGES 4u
/* an array of pools is longer than this, a pointer to one is not */
#define POINTER_BYTES 16u

/* A handle's parts, whose widths the type has. */
struct handle_part {
	unsigned first, bits;
};

static bool part_of(const struct target *t, const struct type *type, const char *name,
		    struct handle_part *ret)
{
	struct member_ref ref;
	struct err ignored;

	if (!type_member(type, name, &ref, &ignored) || !ref.bit_size || ref.bit_size > 31)
		return false;
	ret->first = (unsigned)(ref.offset * 8 + ref.bit_off);
	ret->bits = ref.bit_size;
	if (ret->first + ret->bits > 32)
		return false;
	if (target_big(t))
		ret->first = 32 - ret->first - ret->bits;
	return true;
}

static uint32_t part_get(const struct handle_part *p, uint32_t handle)
{
	return handle >> p->first & ((1u << p->bits) - 1);
}

/* Where the record of a handle is, and which bits of the handle are the users' own. */
struct place {
	uint64_t pool, offset;
	uint32_t own;
};

static bool pools_addr(struct target *t, uint64_t *ret, struct err *err)
{
	struct symbol s;

	/* 424cafee9a29 (v6.3) renamed them; in v7.2 the variable points to the array */
	if (!symbol_find(t, "stack_pools", &s, err) && !symbol_find(t, "stack_slabs", &s, err))
		return err_set(err, ERR_NOSYM, "no symbol 'stack_pools' or 'stack_slabs'");
	*ret = s.addr;
	return !s.size || s.size > POINTER_BYTES || mem_ptr(t, s.addr, ret, err);
}

static bool handle_place(struct target *t, uint32_t handle, struct place *ret, struct err *err)
{
	struct handle_part pool, offset, extra = { 0, 0 };
	const struct type *type;
	uint64_t pools;
	uint32_t index;

	if (!type_find(t, "union handle_parts", &type, err))
		return false;
	if (!part_of(t, type, "offset", &offset))
		return err_set(err, ERR_NOFIELD, "'union handle_parts' has no 'offset'");
	if (part_of(t, type, "extra", &extra))
		ret->own = ((1u << extra.bits) - 1) << extra.first;
	else
		ret->own = 0;
	/* 3ee34eabac2a (v6.9): a number of 0 is no stack */
	if (part_of(t, type, "pool_index_plus_1", &pool)) {
		index = part_get(&pool, handle);
		if (!index--)
			return err_set(err, ERR_CORRUPT, "stack 0x%x is of no pool", handle);
	} else if (part_of(t, type, "pool_index", &pool) || part_of(t, type, "slabindex", &pool)) {
		index = part_get(&pool, handle);
	} else {
		return err_set(err, ERR_NOFIELD, "'union handle_parts' has no 'pool_index'");
	}
	ret->offset = (uint64_t)part_get(&offset, handle) << RECORD_ALIGN;
	if (ret->offset >= POOL_PAGES * t->page_size)
		return err_set(err, ERR_CORRUPT, "stack 0x%x is behind its pool", handle);
	return pools_addr(t, &pools, err) &&
	       mem_ptr(t, pools + (uint64_t)index * t->arch->word, &ret->pool, err);
}

enum {
	RECORD_SIZE,
	RECORD_HANDLE,
	RECORD_ENTRIES,
	RECORD_FIELDS
};
static const struct shape_field record_fields[RECORD_FIELDS] = {
	[RECORD_SIZE] = FIELD("size"),
	[RECORD_HANDLE] = FIELD("handle.handle"),
	[RECORD_ENTRIES] = FIELD("entries"),
};
static const struct shape record_shape = SHAPE("struct stack_record", record_fields);

static bool record_read(struct target *t, uint32_t handle, const struct place *p,
			const uint64_t **frames, size_t *n, struct err *err)
{
	uint64_t size, own, entries, record = p->pool + p->offset, *to;
	struct shaped s;

	if (!shape_read(t, &record_shape, record, &s, err) ||
	    !shaped_u64(&s, RECORD_SIZE, &size, err) || !shaped_u64(&s, RECORD_HANDLE, &own, err) ||
	    !shaped_addr(&s, RECORD_ENTRIES, &entries, err))
		return false;
	if (((uint32_t)own ^ handle) & ~p->own)
		return err_set_addr(err, ERR_CORRUPT, record,
				    "the record of stack 0x%x is another one's, 0x%x", handle,
				    (uint32_t)own);
	if (size > ORIGIN_FRAMES_MAX)
		return err_set_addr(err, ERR_CORRUPT, record, "stack 0x%x has %u frames", handle,
				    (unsigned)size);
	to = ARENA_ARRAY(t->scratch, uint64_t, size + 1);
	for (size_t i = 0; i < size; i++)
		if (!mem_ptr(t, entries + i * t->arch->word, &to[i], err))
			return false;
	*frames = to;
	*n = (size_t)size;
	return true;
}

bool stack_depot_read(struct target *t, uint32_t handle, const uint64_t **frames, size_t *n,
		      struct err *err)
{
	struct place p;

	*frames = NULL;
	*n = 0;
	if (!handle)
		return true;
	if (!handle_place(t, handle, &p, err))
		return err_wrap(err, "stack depot");
	if (!p.pool)
		return err_set(err, ERR_CORRUPT,
			       "stack depot: stack 0x%x is of a pool that is not there", handle);
	return record_read(t, handle, &p, frames, n, err) || err_wrap(err, "stack depot");
}

void origin_init(struct origin *o)
{
	memset(o, 0, sizeof(*o));
	o->pid = o->tgid = -1;
	o->cpu = -1;
	o->at = o->age = ORIGIN_UNKNOWN;
}

void origin_stack(struct target *t, uint32_t handle, struct origin *o)
{
	struct err err;

	if (!stack_depot_read(t, handle, &o->frames, &o->n, &err))
		o->why = err;
}
