/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks of XArrays, and of the radix trees and IDRs that are made of them. */
#include "core/base/guard.h"
#include "core/types/shape.h"
#include "core/linux/container/walk.h"

#define SLOTS_MAX 64

enum {
	NODE_SHIFT,
	NODE_SLOTS,
	NODE_OFFSET,
	NODE_COUNT,
	NODE_PARENT
};
static const struct shape_field node_fields[] = {
	[NODE_SHIFT] = FIELD("shift"),   [NODE_SLOTS] = FIELD("slots"),
	[NODE_OFFSET] = FIELD("offset"), [NODE_COUNT] = FIELD("count"),
	[NODE_PARENT] = FIELD("parent"),
};
static const struct shape node_shape = SHAPE("struct xa_node", node_fields);

struct xa_walk {
	struct target *t;
	const struct walk_plan *w;
	struct guard guard;
	uint64_t shift_off, slots_off, slots;
	uint64_t offset_off, count_off, parent_off;
	bool checks; /* the last three are known, and somebody listens */
	bool stop;
};

/* include/linux/xarray.h: an internal entry has 10 in its lowest bits; above 4096 it is a node, and
 * below the number of slots (of 64 at most) a sibling: it says whose entry reaches to here. */
static bool is_internal(uint64_t entry)
{
	return (entry & 3) == 2;
}

static bool is_node(uint64_t entry)
{
	return is_internal(entry) && entry > 4096;
}

static bool is_sibling_of(uint64_t entry, uint64_t slot)
{
	return is_internal(entry) && entry >> 2 == slot;
}

static void xarray_give(struct xa_walk *x, uint64_t first, uint64_t last, uint64_t entry)
{
	struct walk_entry e = { first, last, entry };

	/* siblings, retry and zero entries stand for nothing */
	if (entry && !is_internal(entry))
		x->stop = !x->w->entry(&e, x->w->arg);
}

/* What a node says of itself, against how it was found. */
static bool node_check(struct xa_walk *x, uint64_t node, uint64_t parent, uint64_t slot,
		       const uint64_t *slots, struct err *err)
{
	uint64_t said, used = 0;
	uint8_t offset, count;
	struct err why;

	if (!x->checks || !mem_u8(x->t, node + x->offset_off, &offset, &why) ||
	    !mem_u8(x->t, node + x->count_off, &count, &why) ||
	    !mem_ptr(x->t, node + x->parent_off, &said, &why))
		return true;
	for (uint64_t i = 0; i < x->slots; i++)
		used += slots[i] != 0;
	if (said != parent || (parent && offset != slot))
		err_set_addr(err, ERR_CORRUPT, node,
			     "%s: node 0x%llx, in slot %llu of 0x%llx, says it is in slot %u of "
			     "0x%llx",
			     x->w->what, (unsigned long long)node, (unsigned long long)slot,
			     (unsigned long long)parent, offset, (unsigned long long)said);
	else if (count != used)
		err_set_addr(err, ERR_CORRUPT, node,
			     "%s: node 0x%llx counts %u slots in use, and has %llu", x->w->what,
			     (unsigned long long)node, count, (unsigned long long)used);
	else
		return true;
	return walk_flaw(x->w, err);
}

static bool walk_node(struct xa_walk *x, uint64_t node, uint64_t parent, uint64_t slot,
		      uint64_t index, unsigned above, struct err *err)
{
	uint64_t slots[SLOTS_MAX];
	uint8_t shift;

	if (!guard_step(&x->guard, node, err))
		return false;
	if (!mem_u8(x->t, node + x->shift_off, &shift, err) ||
	    !mem_words(x->t, node + x->slots_off, slots, x->slots, err))
		return err_wrap(err, "%s: node 0x%llx, at index %llu", x->w->what,
				(unsigned long long)node, (unsigned long long)index);
	if (shift >= above)
		return err_set_addr(err, ERR_CORRUPT, node,
				    "%s: node 0x%llx covers %u bits of the index, below one of %u",
				    x->w->what, (unsigned long long)node, shift, above);
	if (!node_check(x, node, parent, slot, slots, err))
		return false;
	for (uint64_t i = 0; i < x->slots && !x->stop; i++) {
		uint64_t first = index + (i << shift), end = i + 1;

		if (is_node(slots[i])) {
			if (!walk_node(x, slots[i] - 2, node, i, first, shift, err) &&
			    (err->code == ERR_INTR || err->code == ERR_LIMIT ||
			     !walk_flaw(x->w, err)))
				return false;
			continue;
		}
		while (end < x->slots && slots[i] && is_sibling_of(slots[end], i))
			end++;
		xarray_give(x, first, index + (end << shift) - 1, slots[i]);
	}
	return true;
}

static bool resolve(struct xa_walk *x, uint64_t *head_off, struct err *err)
{
	const struct type *type;
	struct member_ref ref;
	struct err why;

	if (!field_offset(x->t, "struct xarray", "xa_head", head_off, err) ||
	    !shape_offset(x->t, &node_shape, NODE_SHIFT, &x->shift_off, err) ||
	    !shape_offset(x->t, &node_shape, NODE_SLOTS, &x->slots_off, err) ||
	    !type_find(x->t, node_shape.type, &type, err) || !type_member(type, "slots", &ref, err))
		return false;
	x->slots = type_strip(ref.type)->count;
	x->checks = x->w->flaw &&
		    shape_offset(x->t, &node_shape, NODE_OFFSET, &x->offset_off, &why) &&
		    shape_offset(x->t, &node_shape, NODE_COUNT, &x->count_off, &why) &&
		    shape_offset(x->t, &node_shape, NODE_PARENT, &x->parent_off, &why);
	return (x->slots && x->slots <= SLOTS_MAX) ||
	       err_set(err, ERR_UNSUPPORTED, "nodes of %llu slots are not known",
		       (unsigned long long)x->slots);
}

bool xarray_walk(struct target *t, const struct walk_plan *w, struct err *err)
{
	struct xa_walk x = { .t = t, .w = w };
	uint64_t off, head;

	guard_init(&x.guard, w->what, 0);
	if (!resolve(&x, &off, err))
		return false;
	if (w->direct) {
		x.checks = false;
		return walk_node(&x, w->head & ~3ull, 0, 0, 0, 64, err);
	}
	if (!mem_ptr(t, w->head + off, &head, err))
		return err_wrap(err, "%s: head 0x%llx", w->what, (unsigned long long)w->head);
	if (is_node(head))
		return walk_node(&x, head - 2, 0, 0, 0, 64, err);
	xarray_give(&x, 0, 0, head);
	return true;
}

bool xarray_each(struct target *t, uint64_t xa, const char *what, walk_entry_fn *fn, void *arg,
		 struct err *err)
{
	const struct walk_plan w = { .what = what, .head = xa, .entry = fn, .arg = arg };

	return xarray_walk(t, &w, err);
}
