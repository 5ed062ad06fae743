/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks of maple trees: ranges of indices in B-tree nodes. */
#include "core/base/guard.h"
#include "core/types/shape.h"
#include "core/linux/container/walk.h"

/* Far deeper than 2^64 indices need with the smallest nodes. */
#define MAPLE_DEPTH_MAX 31
#define MAPLE_SLOTS_MAX 64

/* include/linux/maple_tree.h: enum maple_type, in bits 3 to 6 of a pointer to a node, which is
 * aligned to 256 bytes. */
enum {
	MAPLE_DENSE,
	MAPLE_LEAF_64,
	MAPLE_RANGE_64,
	MAPLE_ARANGE_64
};

struct maple_layout {
	uint64_t pivots_off, slots_off;
	uint64_t pivots, slots;
};

struct maple_walk {
	struct target *t;
	const struct walk_plan *w;
	struct guard guard;
	struct maple_layout dense, range, arange;
	bool stop;
};

/* Of the root alone: pointers to the nodes below lack the 2, and whether they are nodes is told by
 * the kind of the node they are in. */
static bool is_node(uint64_t entry)
{
	return (entry & 3) == 2 && entry > 4096;
}

static void maple_give(struct maple_walk *m, uint64_t first, uint64_t last, uint64_t entry)
{
	struct walk_entry e = { first, last, entry };

	if (entry && (entry & 3) != 2)
		m->stop = !m->w->entry(&e, m->w->arg);
}

static const struct maple_layout *layout_of(const struct maple_walk *m, unsigned type)
{
	switch (type) {
	case MAPLE_DENSE:
		return &m->dense;
	case MAPLE_LEAF_64:
	case MAPLE_RANGE_64:
		return &m->range;
	case MAPLE_ARANGE_64:
		return &m->arange;
	}
	return NULL;
}

/* A node's first word leads to the one above: its address, and bits of the slot; in the root it is
 * marked by its lowest bit. A node that was freed names itself. */
static bool parent_check(struct maple_walk *m, uint64_t node, uint64_t parent, struct err *err)
{
	uint64_t said;
	struct err why;

	if (!m->w->flaw || (!parent && m->w->direct) || !mem_ptr(m->t, node, &said, &why))
		return true;
	if (parent ? (said & ~0xffull) == parent : said & 1)
		return true;
	err_set_addr(err, ERR_CORRUPT, node, "%s: node 0x%llx is %s 0x%llx, but %s 0x%llx%s",
		     m->w->what, (unsigned long long)node, parent ? "below" : "the root of",
		     (unsigned long long)(parent ? parent : m->w->head), "names",
		     (unsigned long long)(said & ~0xffull),
		     (said & ~0xffull) == node ? ", itself: it was freed" : "");
	return walk_flaw(m->w, err);
}

static bool walk_node(struct maple_walk *m, uint64_t entry, uint64_t parent, uint64_t min,
		      uint64_t max, unsigned depth, struct err *err);

/* Where range i ends: the last one where the node does, and need not say so. */
static uint64_t range_last(unsigned type, const struct maple_layout *l, const uint64_t *pivots,
			   uint64_t i, uint64_t min, uint64_t max)
{
	uint64_t last = type == MAPLE_DENSE ? min : i < l->pivots ? pivots[i] : max;

	return !last && type != MAPLE_DENSE && i ? max : last;
}

/* Do the ranges follow each other, within the node's own? If not, none of them is worth a word: the
 * node was overwritten. */
static bool ranges_check(const struct maple_walk *m, uint64_t node, unsigned type,
			 const struct maple_layout *l, const uint64_t *pivots, uint64_t min,
			 uint64_t max, struct err *err)
{
	for (uint64_t i = 0; i < l->slots; i++) {
		uint64_t last = range_last(type, l, pivots, i, min, max);

		if (last < min || last > max)
			return err_set_addr(err, ERR_CORRUPT, node,
					    "%s: node 0x%llx has a range from 0x%llx to 0x%llx",
					    m->w->what, (unsigned long long)node,
					    (unsigned long long)min, (unsigned long long)last);
		if (last == max)
			break;
		min = last + 1;
	}
	return true;
}

/* The ranges of a node whose words were read. */
static bool walk_ranges(struct maple_walk *m, uint64_t node, unsigned type,
			const struct maple_layout *l, const uint64_t *pivots, const uint64_t *slots,
			uint64_t min, uint64_t max, unsigned depth, struct err *err)
{
	for (uint64_t i = 0; i < l->slots && !m->stop; i++) {
		uint64_t last = range_last(type, l, pivots, i, min, max);

		if (type <= MAPLE_LEAF_64)
			maple_give(m, min, last, slots[i]);
		else if (slots[i] && !walk_node(m, slots[i], node, min, last, depth + 1, err) &&
			 (err->code == ERR_INTR || err->code == ERR_LIMIT || !walk_flaw(m->w, err)))
			return false;
		if (last == max)
			break;
		min = last + 1;
	}
	return true;
}

static bool walk_node(struct maple_walk *m, uint64_t entry, uint64_t parent, uint64_t min,
		      uint64_t max, unsigned depth, struct err *err)
{
	uint64_t node = entry & ~0xffull, pivots[MAPLE_SLOTS_MAX], slots[MAPLE_SLOTS_MAX];
	unsigned type = entry >> 3 & 0xf;
	const struct maple_layout *l = entry & 3 ? NULL : layout_of(m, type);

	if (!l || depth > MAPLE_DEPTH_MAX)
		return err_set_addr(err, ERR_CORRUPT, node, "%s: node 0x%llx is %s", m->w->what,
				    (unsigned long long)node, l ? "too deep" : "of no known type");
	if (!guard_step(&m->guard, node, err))
		return false;
	if (!mem_words(m->t, node + l->pivots_off, pivots, l->pivots, err) ||
	    !mem_words(m->t, node + l->slots_off, slots, l->slots, err))
		return err_wrap(err, "%s: node 0x%llx, from index 0x%llx", m->w->what,
				(unsigned long long)node, (unsigned long long)min);
	return parent_check(m, node, parent, err) &&
	       ranges_check(m, node, type, l, pivots, min, max, err) &&
	       walk_ranges(m, node, type, l, pivots, slots, min, max, depth, err);
}

/* Where a kind of node has its pivots and slots. */
static bool layout(struct target *t, const char *type_name, const char *pivot, const char *slot,
		   struct maple_layout *ret, struct err *err)
{
	const struct type *type;
	struct member_ref ref;

	if (!type_find(t, type_name, &type, err))
		return false;
	if (pivot) {
		if (!type_member(type, pivot, &ref, err))
			return false;
		ret->pivots_off = ref.offset;
		ret->pivots = type_strip(ref.type)->count;
	}
	if (!type_member(type, slot, &ref, err))
		return false;
	ret->slots_off = ref.offset;
	ret->slots = type_strip(ref.type)->count;
	return (ret->slots <= MAPLE_SLOTS_MAX && ret->pivots < ret->slots) ||
	       err_set(err, ERR_UNSUPPORTED, "'%s' is larger than any known", type_name);
}

bool maple_walk(struct target *t, const struct walk_plan *w, struct err *err)
{
	struct maple_walk m = { .t = t, .w = w };
	uint64_t off, root = w->head;

	guard_init(&m.guard, w->what, 0);
	if (!field_offset(t, "struct maple_tree", "ma_root", &off, err) ||
	    !layout(t, "struct maple_node", NULL, "slot", &m.dense, err) ||
	    !layout(t, "struct maple_range_64", "pivot", "slot", &m.range, err) ||
	    !layout(t, "struct maple_arange_64", "pivot", "slot", &m.arange, err))
		return false;
	if (!w->direct && !mem_ptr(t, w->head + off, &root, err))
		return err_wrap(err, "%s: root 0x%llx", w->what, (unsigned long long)w->head);
	if (is_node(root))
		return walk_node(&m, root & ~2ull, 0, 0,
				 t->arch->word == 8 ? UINT64_MAX : UINT32_MAX, 0, err);
	maple_give(&m, 0, 0, root);
	return true;
}
