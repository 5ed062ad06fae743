/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The live device tree: device_node and property under of_root. */
#include <string.h>

#include "core/linux/of/of.h"
#include "core/linux/linux.h"
#include "core/linux/subsystem.h"
#include "core/types/shape.h"

/* include/linux/of.h */
enum {
	NODE_PHANDLE,
	NODE_FULL_NAME,
	NODE_PROPERTIES,
	NODE_PARENT,
	NODE_CHILD,
	NODE_SIBLING,
	NODE_FIELDS
};
static const struct shape_field node_fields[NODE_FIELDS] = {
	[NODE_PHANDLE] = FIELD("phandle"),
	/* older kernels keep the whole path here */
	[NODE_FULL_NAME] = FIELD("full_name"),
	[NODE_PROPERTIES] = FIELD("properties"),
	[NODE_PARENT] = FIELD("parent"),
	[NODE_CHILD] = FIELD("child"),
	[NODE_SIBLING] = FIELD("sibling"),
};
static const struct shape node_shape = SHAPE("struct device_node", node_fields);

enum {
	PROP_NAME,
	PROP_LENGTH,
	PROP_VALUE,
	PROP_NEXT,
	PROP_FIELDS
};
static const struct shape_field prop_fields[PROP_FIELDS] = {
	[PROP_NAME] = FIELD("name"),
	[PROP_LENGTH] = FIELD("length"),
	[PROP_VALUE] = FIELD("value"),
	[PROP_NEXT] = FIELD("next"),
};
static const struct shape prop_shape = SHAPE("struct property", prop_fields);

struct of_walk {
	struct target *t;
	struct of_tree *tree;
	struct map seen; /* nodes and properties: none can be met twice */
	struct map by_addr;
	struct guard guard;
};

static bool visit(struct of_walk *w, uint64_t addr, const char *what, struct err *err)
{
	bool isnew;

	map_put(&w->seen, addr, &isnew);
	return isnew || err_set_addr(err, ERR_CORRUPT, addr, "%s 0x%llx is in the tree twice", what,
				     (unsigned long long)addr);
}

static bool text_at(struct target *t, struct of_tree *tree, const struct shaped *s, unsigned field,
		    const char **ret, struct err *err)
{
	uint64_t addr;

	return shaped_u64(s, field, &addr, err) &&
	       mem_str(t, addr, OF_NAME_MAX, tree->arena, ret, err) &&
	       of_tree_charge(tree, strlen(*ret) + 1, err);
}

static bool read_value(struct target *t, struct of_tree *tree, const struct shaped *s,
		       struct of_property *p, struct err *err)
{
	uint64_t length, value;

	if (!shaped_u64(s, PROP_LENGTH, &length, err))
		return false;
	length = (uint32_t)length;
	if (!length) {
		p->value = SPAN("", 0);
		return true;
	}
	return shaped_u64(s, PROP_VALUE, &value, err) &&
	       (length > OF_PROPERTY_MAX || of_tree_charge(tree, (size_t)length, err)) &&
	       mem_bytes(t, value, (size_t)length, OF_PROPERTY_MAX, tree->arena, &p->value, err);
}

bool of_property_read(struct target *t, struct of_tree *tree, uint64_t addr, const char *path,
		      struct of_property *ret, uint64_t *next, struct err *err)
{
	struct shaped s;
	struct err e;

	*ret = (struct of_property){ .addr = addr };
	if (!shape_read(t, &prop_shape, addr, &s, err) || !shaped_u64(&s, PROP_NEXT, next, err))
		return false;
	if (!text_at(t, tree, &s, PROP_NAME, &ret->name, &e)) {
		ret->name = NULL;
		err_wrap(&e, "%s: a property's name", path);
		of_tree_note(tree, &e);
	} else if (!read_value(t, tree, &s, ret, &e)) {
		ret->why = e.code;
		ret->value = (struct span){ 0 };
		err_wrap(&e, "%s: '%s'", path, ret->name);
		of_tree_note(tree, &e);
	}
	return true;
}

/* A property without a readable name is lost, and so are those behind it when it is not readable
 * at all. */
static bool read_properties(struct of_walk *w, uint64_t addr, struct of_node *node, struct err *err)
{
	VEC(struct of_property) found = { 0 };
	struct of_property *kept;
	bool ok = true;

	while (addr && ok) {
		struct of_property p;

		ok = guard_step(&w->guard, addr, err) && visit(w, addr, "property", err) &&
		     of_tree_charge(w->tree, sizeof(p), err) &&
		     of_property_read(w->t, w->tree, addr, node->path, &p, &addr, err);
		if (!ok)
			break;
		if (!p.name)
			continue;
		*vec_push(&found) = p;
		ok = found.n < OF_PROPERTIES_MAX ||
		     err_set_addr(err, ERR_LIMIT, addr, "more than %u properties",
				  OF_PROPERTIES_MAX);
	}
	kept = ARENA_ARRAY(w->tree->arena, struct of_property, found.n + 1);
	if (found.n)
		memcpy(kept, found.p, found.n * sizeof(*kept));
	node->props = kept;
	node->n_props = found.n;
	vec_release(&found);
	return ok;
}

/* One node with its properties. False: its links are lost too. */
static bool read_node(struct of_walk *w, uint64_t addr, struct of_node *parent,
		      struct of_node **ret, uint64_t *child, uint64_t *sibling, struct err *err)
{
	uint64_t phandle = 0, up, props;
	struct of_node *node;
	const char *name;
	struct shaped s;
	struct err e;

	if (!guard_step(&w->guard, addr, err) || !visit(w, addr, "node", err) ||
	    !shape_read(w->t, &node_shape, addr, &s, err) ||
	    !shaped_u64(&s, NODE_SIBLING, sibling, err) || !shaped_u64(&s, NODE_CHILD, child, err))
		return false;
	if (!text_at(w->t, w->tree, &s, NODE_FULL_NAME, &name, &e)) {
		err_wrap(&e, "a node's name");
		of_tree_note(w->tree, &e);
		name = arena_printf(w->tree->arena, "?%llx", (unsigned long long)addr);
	}
	if (strrchr(name, '/'))
		name = strrchr(name, '/') + 1;
	if (!of_tree_add(w->tree, parent, name, &node, err))
		return false;
	*ret = node;
	node->addr = addr;
	*map_put(&w->by_addr, addr, NULL) = w->tree->nodes.n;
	if (shaped_u64(&s, NODE_PHANDLE, &phandle, &e))
		node->phandle = (uint32_t)phandle;
	if (shaped_u64(&s, NODE_PARENT, &up, &e) && up != (parent ? parent->addr : 0)) {
		err_set_addr(&e, ERR_CORRUPT, addr, "%s: its parent pointer is 0x%llx", node->path,
			     (unsigned long long)up);
		of_tree_note(w->tree, &e);
	}
	if (!shaped_u64(&s, NODE_PROPERTIES, &props, &e) || !read_properties(w, props, node, &e)) {
		if (e.code == ERR_INTR) {
			*err = e;
			return false;
		}
		err_wrap(&e, "%s", node->path);
		of_tree_note(w->tree, &e);
	}
	return true;
}

/* A broken link loses the siblings behind it; the walk goes on above. False: Ctrl-C. */
static bool walk_level(struct of_walk *w, uint64_t addr, struct of_node *parent, struct err *err)
{
	while (addr) {
		uint64_t child = 0, sibling = 0;
		struct of_node *node = NULL;

		if (!read_node(w, addr, parent, &node, &child, &sibling, err)) {
			if (err->code == ERR_INTR)
				return false;
			err_wrap(err, "%s: a child", parent ? parent->path : "of_root");
			of_tree_note(w->tree, err);
			return true;
		}
		/* no deeper than of_tree_add() lets it */
		if (!walk_level(w, child, node, err))
			return false;
		/* the root has no siblings */
		addr = parent ? sibling : 0;
	}
	return true;
}

static bool root_addr(struct target *t, uint64_t *ret, struct err *err)
{
	uint64_t at;

	if (!subsystem_symbol(t, "of_root", "device tree", &at, err))
		return err->code != ERR_NOTFOUND
			       ? false
			       : err_set(err, ERR_NOTFOUND,
					 "no device tree: this kernel has no 'of_root' (built "
					 "without CONFIG_OF, as is usual on x86)");
	if (!mem_ptr(t, at, ret, err))
		return err_wrap(err, "of_root");
	return *ret ||
	       err_set(err, ERR_NOTFOUND,
		       "no device tree: 'of_root' is NULL, this machine booted without one");
}

/* What is kept of the tree, for later commands. */
struct of_state {
	struct of_tree tree;
	struct map by_addr;
};

void linux_of_release(struct target *t)
{
	struct of_state *st = t->linux_state->of[LINUX_OF];

	if (!st)
		return;
	of_tree_release(&st->tree);
	map_release(&st->by_addr);
}

bool of_live(struct target *t, struct of_tree **ret, struct err *err)
{
	struct of_state *st = t->linux_state->of[LINUX_OF];
	struct of_walk w = { .t = t };
	uint64_t root;
	bool ok;

	if (st) {
		*ret = &st->tree;
		return true;
	}
	if (!root_addr(t, &root, err))
		return false;
	st = ARENA_NEW(&t->arena, struct of_state);
	of_tree_init(&st->tree, &t->arena);
	w.tree = &st->tree;
	guard_init(&w.guard, "device tree", 0);
	ok = walk_level(&w, root, NULL, err);
	map_release(&w.seen);
	st->by_addr = w.by_addr;
	if (ok && !st->tree.nodes.n) {
		*err = st->tree.notes.p[0];
		ok = false;
	}
	if (!ok) {
		of_tree_release(&st->tree);
		map_release(&st->by_addr);
		return false;
	}
	of_tree_index(&st->tree);
	t->linux_state->of[LINUX_OF] = st;
	*ret = &st->tree;
	return true;
}

struct of_node *of_by_addr(struct target *t, uint64_t addr)
{
	struct of_state *st = t->linux_state->of[LINUX_OF];
	const uint64_t *i = st ? map_get(&st->by_addr, addr) : NULL;

	return i ? st->tree.nodes.p[*i - 1] : NULL;
}
