/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What became of a device tree since boot, and whether its references hold. */
#include <stdlib.h>
#include <string.h>

#include "core/linux/of/of.h"

typedef bool (*of_change_fn)(const struct of_change *change, void *arg);

static struct of_node *same_path(const struct of_tree *tree, const char *path)
{
	const uint64_t *i = strmap_get(&tree->by_path, path);

	return i ? tree->nodes.p[*i - 1] : NULL;
}

/* Unknown bytes differ from nothing: that they are unknown is in the tree's notes. */
static bool differ(const struct of_property *a, const struct of_property *b)
{
	return a->value.p && b->value.p &&
	       (a->value.n != b->value.n ||
		(a->value.n && memcmp(a->value.p, b->value.p, a->value.n) != 0));
}

static bool diff_properties(const struct of_node *before, const struct of_node *after,
			    of_change_fn fn, void *arg)
{
	struct of_change c = { .before = before, .after = after };

	for (size_t i = 0; i < before->n_props; i++) {
		c.p_old = &before->props[i];
		c.p_new = of_property(after, c.p_old->name);
		c.sign = c.p_new ? '~' : '-';
		if ((!c.p_new || differ(c.p_old, c.p_new)) && !of_is_made(before, c.p_old) &&
		    !fn(&c, arg))
			return false;
	}
	c.p_old = NULL;
	c.sign = '+';
	for (size_t i = 0; i < after->n_props; i++) {
		c.p_new = &after->props[i];
		if (!of_is_made(after, c.p_new) && !of_property(before, c.p_new->name) &&
		    !fn(&c, arg))
			return false;
	}
	return true;
}

/* A node that is there on one side only, as a whole; its properties go without saying when it is
 * gone, and are shown when it is new. */
static bool one_sided(char sign, const struct of_node *before, const struct of_node *after,
		      of_change_fn fn, void *arg)
{
	struct of_change c = { .sign = sign, .before = before, .after = after };

	if (!fn(&c, arg))
		return false;
	for (size_t i = 0; after && i < after->n_props; i++) {
		c.p_new = &after->props[i];
		if (!of_is_made(after, c.p_new) && !fn(&c, arg))
			return false;
	}
	return true;
}

bool of_diff(const struct of_tree *before, const struct of_tree *after, of_change_fn fn, void *arg,
	     struct err *err)
{
	for (size_t i = 0; i < before->nodes.n; i++) {
		struct of_node *old = before->nodes.p[i], *new = same_path(after, old->path);

		if (!interrupt_check(err))
			return false;
		if (new ? !diff_properties(old, new, fn, arg) : !one_sided('-', old, NULL, fn, arg))
			return true;
	}
	for (size_t i = 0; i < after->nodes.n; i++) {
		struct of_node *new = after->nodes.p[i];

		if (!interrupt_check(err))
			return false;
		if (!same_path(before, new->path) && !one_sided('+', NULL, new, fn, arg))
			return true;
	}
	return true;
}

struct of_checking {
	const struct of_tree *tree;
	bool (*fn)(const struct of_problem *problem, void *arg);
	void *arg;
	struct of_counts *counts;
};

static bool problem(struct of_checking *c, const struct of_node *node,
		    const struct of_property *prop, uint32_t phandle, const char *text)
{
	struct of_problem p = { node, prop, phandle, text };

	c->counts->problems++;
	return c->fn(&p, c->arg);
}

static bool check_property(struct of_checking *c, const struct of_node *node,
			   const struct of_property *p)
{
	size_t n = p->value.n / 4;
	uint8_t *roles;
	bool go = true;

	if (of_kind(node, p) != OF_PHANDLES)
		return true;
	roles = xrealloc(NULL, n);
	of_roles(c->tree, node, p, roles);
	for (size_t i = 0; go && i < n; i++) {
		enum of_role role = roles[i] & ~OF_FIRST;

		c->counts->references += role != OF_PLAIN;
		if (role == OF_DANGLING)
			go = problem(c, node, p, of_cell(p->value, i), "no node has this phandle");
		else if (role == OF_UNKNOWN)
			go = problem(c, node, p, of_cell(p->value, i),
				     "its node does not say how many cells follow");
	}
	free(roles);
	return go;
}

static bool check_node(struct of_checking *c, const struct of_node *node)
{
	if (node->phandle && node->phandle != UINT32_MAX) {
		c->counts->phandles++;
		if (of_by_phandle(c->tree, node->phandle) != node &&
		    !problem(c, node, NULL, node->phandle,
			     arena_printf(c->tree->arena, "%s has the same phandle",
					  of_by_phandle(c->tree, node->phandle)->path)))
			return false;
	}
	for (size_t i = 0; i < node->n_props; i++)
		if (!check_property(c, node, &node->props[i]))
			return false;
	return true;
}

bool of_check(const struct of_tree *tree, bool (*fn)(const struct of_problem *problem, void *arg),
	      void *arg, struct of_counts *ret, struct err *err)
{
	struct of_checking c = { tree, fn, arg, ret };

	*ret = (struct of_counts){ 0 };
	for (size_t i = 0; i < tree->nodes.n; i++) {
		if (!interrupt_check(err))
			return false;
		if (!check_node(&c, tree->nodes.p[i]))
			return true;
	}
	return of_check_links(tree, fn, arg, ret, err);
}
