/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks of XArrays, and of the radix trees and IDRs that are made of them. */
#include "core/base/guard.h"
#include "core/linux/walk.h"

#define SLOTS_MAX 64

enum {
	NODE_SHIFT,
	NODE_SLOTS
};
static const struct shape_field node_fields[] = {
	[NODE_SHIFT] = FIELD("shift"),
	[NODE_SLOTS] = FIELD("slots"),
};
static const struct shape node_shape = SHAPE("struct xa_node", node_fields);

struct xa_walk {
	struct target *t;
	const char *what;
	struct guard guard;
	uint64_t shift_off, slots_off, slots;
	walk_entry_fn *fn;
	void *arg;
	bool stop;
};

/* include/linux/xarray.h: an internal entry has 10 in its lowest bits; above 4096 it is a node. */
static bool is_internal(uint64_t entry)
{
	return (entry & 3) == 2;
}

static bool is_node(uint64_t entry)
{
	return is_internal(entry) && entry > 4096;
}

static bool give(struct xa_walk *w, uint64_t index, uint64_t entry)
{
	struct walk_entry e = { index, index, entry };

	/* siblings, retry and zero entries stand for nothing */
	if (entry && !is_internal(entry))
		w->stop = !w->fn(&e, w->arg);
	return !w->stop;
}

static bool walk_node(struct xa_walk *w, uint64_t node, uint64_t index, unsigned above,
		      struct err *err)
{
	uint64_t slots[SLOTS_MAX];
	uint8_t shift;

	if (!guard_step(&w->guard, node, err))
		return false;
	if (!mem_u8(w->t, node + w->shift_off, &shift, err) ||
	    !mem_words(w->t, node + w->slots_off, slots, w->slots, err))
		return err_wrap(err, "%s: node 0x%llx, at index %llu", w->what,
				(unsigned long long)node, (unsigned long long)index);
	if (shift >= above)
		return err_set_addr(err, ERR_CORRUPT, node,
				    "%s: node 0x%llx covers %u bits of the index, below one of %u",
				    w->what, (unsigned long long)node, shift, above);
	for (uint64_t i = 0; i < w->slots && !w->stop; i++) {
		uint64_t at = index + (i << shift);

		if (!is_node(slots[i]))
			give(w, at, slots[i]);
		else if (!walk_node(w, slots[i] - 2, at, shift, err))
			return false;
	}
	return true;
}

bool xarray_each(struct target *t, uint64_t xa, const char *what, walk_entry_fn *fn, void *arg,
		 struct err *err)
{
	struct xa_walk w = { .t = t, .what = what, .fn = fn, .arg = arg };
	const struct type *type;
	struct member_ref ref;
	uint64_t off, head;

	guard_init(&w.guard, what, 0);
	if (!field_offset(t, "struct xarray", "xa_head", &off, err) ||
	    !shape_offset(t, &node_shape, NODE_SHIFT, &w.shift_off, err) ||
	    !shape_offset(t, &node_shape, NODE_SLOTS, &w.slots_off, err) ||
	    !type_find(t, node_shape.type, &type, err) || !type_member(type, "slots", &ref, err))
		return false;
	w.slots = type_strip(ref.type)->count;
	if (!w.slots || w.slots > SLOTS_MAX)
		return err_set(err, ERR_UNSUPPORTED, "nodes of %llu slots are not known",
			       (unsigned long long)w.slots);
	if (!mem_ptr(t, xa + off, &head, err))
		return err_wrap(err, "%s: head 0x%llx", what, (unsigned long long)xa);
	if (is_node(head))
		return walk_node(&w, head - 2, 0, 64, err);
	give(&w, 0, head);
	return true;
}
