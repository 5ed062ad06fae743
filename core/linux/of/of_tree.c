/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A device tree at hand: how it is put together within limits, and how its nodes are found. */
#include <stdlib.h>
#include <string.h>

#include "core/linux/of/of.h"

void of_tree_init(struct of_tree *tree, struct arena *a)
{
	*tree = (struct of_tree){ .arena = a };
}

void of_overlays_release(struct of_overlays *o)
{
	vec_release(&o->all);
	map_release(&o->by_addr);
}

void of_tree_release(struct of_tree *tree)
{
	vec_release(&tree->nodes);
	vec_release(&tree->notes);
	strmap_release(&tree->by_path);
	map_release(&tree->by_phandle);
	if (tree->overlays)
		of_overlays_release(tree->overlays);
}

void of_tree_note(struct of_tree *tree, const struct err *why)
{
	struct err *e;

	if (tree->notes.n > OF_NOTES_MAX)
		return;
	e = vec_push(&tree->notes);
	*e = *why;
	if (tree->notes.n > OF_NOTES_MAX)
		err_set(e, ERR_CORRUPT, "device tree: more is broken than these %u notes say",
			OF_NOTES_MAX);
}

bool of_tree_charge(struct of_tree *tree, size_t n, struct err *err)
{
	if (n > OF_TOTAL_MAX - tree->bytes)
		return err_set(err, ERR_LIMIT, "device tree: more than %zu bytes", OF_TOTAL_MAX);
	tree->bytes += n;
	return true;
}

bool of_tree_add(struct of_tree *tree, struct of_node *parent, const char *name,
		 struct of_node **ret, struct err *err)
{
	size_t n = strnlen(name, OF_NAME_MAX), up = parent ? strlen(parent->path) : 0;
	struct of_node *node;
	uint64_t *at;
	bool isnew;

	if (tree->nodes.n >= OF_NODES_MAX)
		return err_set(err, ERR_LIMIT, "device tree: more than %u nodes", OF_NODES_MAX);
	if (parent && parent->depth + 1 >= OF_DEPTH_MAX)
		return err_set(err, ERR_LIMIT, "device tree: deeper than %u levels", OF_DEPTH_MAX);
	if (!of_tree_charge(tree, sizeof(*node) + n + up + n + 2, err))
		return false;
	node = ARENA_NEW(tree->arena, struct of_node);
	node->name = arena_strndup(tree->arena, name, n);
	node->parent = parent;
	node->path = !parent          ? "/"
		     : parent->parent ? arena_printf(tree->arena, "%s/%s", parent->path, node->name)
				      : arena_printf(tree->arena, "/%s", node->name);
	if (parent) {
		node->depth = parent->depth + 1;
		*(parent->last ? &parent->last->next : &parent->child) = node;
		parent->last = node;
	}
	*vec_push(&tree->nodes) = node;
	at = strmap_put(&tree->by_path, node->path, &isnew);
	if (isnew) {
		*at = tree->nodes.n;
	} else {
		struct err e;

		err_set_addr(&e, ERR_CORRUPT, node->addr, "device tree: two nodes are '%s'",
			     node->path);
		of_tree_note(tree, &e);
	}
	*ret = node;
	return true;
}

void of_tree_index(struct of_tree *tree)
{
	for (size_t i = 0; i < tree->nodes.n; i++) {
		struct of_node *node = tree->nodes.p[i];
		uint64_t *at;
		bool isnew;

		if (!node->phandle && !of_number(node, "phandle", &node->phandle))
			(void)of_number(node, "linux,phandle", &node->phandle);
		if (!node->phandle || node->phandle == UINT32_MAX)
			continue;
		at = map_put(&tree->by_phandle, node->phandle, &isnew);
		if (isnew)
			*at = i + 1;
	}
}

const struct of_property *of_property(const struct of_node *node, const char *name)
{
	for (size_t i = 0; i < node->n_props; i++)
		if (!strcmp(node->props[i].name, name))
			return &node->props[i];
	return NULL;
}

bool of_number(const struct of_node *node, const char *name, uint32_t *ret)
{
	const struct of_property *p = of_property(node, name);

	if (!p || !p->value.p || p->value.n < 4)
		return false;
	*ret = of_cell(p->value, 0);
	return true;
}

const char *of_string(const struct of_property *p)
{
	return p && p->value.p && memchr(p->value.p, 0, p->value.n) ? (const char *)p->value.p
								    : NULL;
}

const char *of_status(const struct of_node *node)
{
	const char *s = of_string(of_property(node, "status"));

	return s ? s : "okay";
}

static struct of_node *at_index(const struct of_tree *tree, const uint64_t *i)
{
	return i && *i && *i <= tree->nodes.n ? tree->nodes.p[*i - 1] : NULL;
}

struct of_node *of_by_phandle(const struct of_tree *tree, uint32_t phandle)
{
	return at_index(tree, map_get(&tree->by_phandle, phandle));
}

static struct of_node *by_path(const struct of_tree *tree, const char *path)
{
	return at_index(tree, strmap_get(&tree->by_path, path));
}

/* A path through /aliases or /__symbols__, whose properties hold paths: "serial0/child". */
static struct of_node *by_label(const struct of_tree *tree, const char *table, const char *word)
{
	const struct of_node *labels = by_path(tree, table);
	size_t n = strcspn(word, "/");
	struct of_node *found = NULL;

	for (size_t i = 0; labels && i < labels->n_props; i++) {
		const struct of_property *p = &labels->props[i];
		const char *path = of_string(p);
		struct buf b = { .max = 1 << 16 };

		if (!path || strncmp(p->name, word, n) != 0 || p->name[n])
			continue;
		/* what stands behind ':' are options */
		buf_add(&b, path, strcspn(path, ":"));
		buf_str(&b, word + n);
		found = by_path(tree, buf_text(&b));
		buf_release(&b);
		break;
	}
	return found;
}

/* Nodes of that name, with or without its unit address. */
static size_t by_name(const struct of_tree *tree, const char *word, struct of_node **ret)
{
	size_t n = strlen(word), count = 0;

	for (size_t i = 0; i < tree->nodes.n; i++) {
		const char *name = tree->nodes.p[i]->name;

		if (strncmp(name, word, n) != 0 || (name[n] && name[n] != '@'))
			continue;
		if (!count++)
			*ret = tree->nodes.p[i];
	}
	return count;
}

bool of_find(const struct of_tree *tree, const char *word, struct of_node **ret, struct err *err)
{
	const char *label = *word == '&' ? word + 1 : word;
	struct of_node *node = NULL;
	size_t n;

	if (*word == '/') {
		n = strlen(word);
		if (n > 1 && n < OF_TOTAL_MAX && word[n - 1] == '/')
			word = arena_strndup(tree->arena, word, n - 1);
		node = by_path(tree, word);
	} else if (*label) {
		node = *word == '&' ? NULL : by_label(tree, "/aliases", label);
		if (!node)
			node = by_label(tree, "/__symbols__", label);
		n = node ? 1 : by_name(tree, label, &node);
		if (n > 1)
			return err_set(err, ERR_NOTFOUND,
				       "%zu nodes are called '%s', the first is '%s'; give a path",
				       n, word, node->path);
	}
	if (!node)
		return err_set(err, ERR_NOTFOUND,
			       "no node '%s' in the device tree; `dt -s TEXT` searches", word);
	*ret = node;
	return true;
}
