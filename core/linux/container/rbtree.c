/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks of red-black trees in order, which believe no node that names another parent. */
#include "core/base/guard.h"
#include "core/types/shape.h"
#include "core/linux/container/walk.h"

/* A tree of 2^48 nodes is no deeper. */
#define RB_DEPTH_MAX 100

enum {
	RB_PARENT,
	RB_LEFT,
	RB_RIGHT
};
static const struct shape_field rb_fields[] = {
	[RB_PARENT] = FIELD("__rb_parent_color"),
	[RB_LEFT] = FIELD("rb_left"),
	[RB_RIGHT] = FIELD("rb_right"),
};
static const struct shape rb_shape = SHAPE("struct rb_node", rb_fields);

struct rb_offsets {
	uint64_t parent, left, right;
	uint64_t root; /* where the walk starts */
};

/* Checks the node that `parent` points to, and remembers it with all that is left of it. */
static bool descend(struct target *t, const struct rb_offsets *o, uint64_t node, uint64_t parent,
		    uint64_t *stack, unsigned *depth, struct guard *g, struct err *err)
{
	while (node) {
		uint64_t up;

		if (*depth == RB_DEPTH_MAX)
			return err_set_addr(err, ERR_CORRUPT, node,
					    "%s: deeper than any balanced tree", g->what);
		if (!guard_step(g, node, err))
			return false;
		if (node % t->arch->word)
			return err_set_addr(err, ERR_CORRUPT, parent ? parent : o->root,
					    "%s: %s 0x%llx points to misaligned 0x%llx", g->what,
					    parent ? "node" : "root",
					    (unsigned long long)(parent ? parent : o->root),
					    (unsigned long long)node);
		if (!mem_ptr(t, node + o->parent, &up, err))
			return err_wrap(err, "%s: node 0x%llx, below %s0x%llx", g->what,
					(unsigned long long)node, parent ? "" : "root ",
					(unsigned long long)(parent ? parent : o->root));
		if ((up & ~3ull) != parent)
			return err_set_addr(err, ERR_CORRUPT, node,
					    "%s: node 0x%llx is below 0x%llx, but names 0x%llx its "
					    "parent",
					    g->what, (unsigned long long)node,
					    (unsigned long long)parent,
					    (unsigned long long)(up & ~3ull));
		stack[(*depth)++] = node;
		parent = node;
		if (!mem_ptr(t, node + o->left, &node, err))
			return err_wrap(err, "%s: node 0x%llx", g->what,
					(unsigned long long)parent);
	}
	return true;
}

bool rbtree_walk(struct target *t, const struct walk_plan *w, struct err *err)
{
	uint64_t stack[RB_DEPTH_MAX], node = w->head, above = 0;
	struct rb_offsets o;
	unsigned depth = 0;
	struct guard g;

	guard_init(&g, w->what, 0);
	o.root = w->head;
	if (!shape_offset(t, &rb_shape, RB_PARENT, &o.parent, err) ||
	    !shape_offset(t, &rb_shape, RB_LEFT, &o.left, err) ||
	    !shape_offset(t, &rb_shape, RB_RIGHT, &o.right, err))
		return false;
	if (w->direct ? !mem_ptr(t, w->head + o.parent, &above, err)
		      : !mem_ptr(t, w->head, &node, err))
		return err_wrap(err, "%s: root 0x%llx", w->what, (unsigned long long)w->head);
	if (!descend(t, &o, node, above & ~3ull, stack, &depth, &g, err))
		return false;
	while (depth) {
		uint64_t right;

		node = stack[--depth];
		if (!w->node(node - w->link, w->arg))
			return true;
		if (!mem_ptr(t, node + o.right, &right, err))
			return err_wrap(err, "%s: node 0x%llx", w->what, (unsigned long long)node);
		if (!descend(t, &o, right, node, stack, &depth, &g, err))
			return false;
	}
	return true;
}
