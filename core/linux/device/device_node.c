/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices and the device tree: those of its nodes, and the one that a person means by a word. */
#include <string.h>

#include "core/linux/device/device_node.h"
#include "core/types/shape.h"

/* What could not be read of a device concerns the tree when it stands for one of its nodes, or
 * might. */
static void note_devices(struct target *t, struct of_tree *tree, const struct device *const *all,
			 size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct err e = all[i]->why;

		if (e.code == ERR_OK || (all[i]->node && !of_by_addr(t, all[i]->node)))
			continue;
		err_wrap(&e, "device '%.80s'", all[i]->name);
		of_tree_note(tree, &e);
	}
}

/* Where the list of all devices is lost: the one that a node itself knows. */
static void add_of_nodes(struct target *t, const struct of_tree *tree)
{
	for (size_t i = 0; i < tree->nodes.n; i++) {
		const struct of_node *node = tree->nodes.p[i];
		uint64_t dev;
		struct err e;

		if (!device_of_node(t, node->addr) &&
		    field_u64(t, "struct device_node", node->addr, "fwnode.dev", &dev, &e) && dev)
			device_of_node_add(t, node->addr, dev);
	}
}

void devices_of_tree(struct target *t, struct of_tree *tree)
{
	const struct device *const *all;
	struct err why, e;
	size_t n;

	if (tree->devices_read)
		return;
	tree->devices_read = true;
	if (devices_all(t, &all, &n, &why, &e)) {
		note_devices(t, tree, all, n);
		if (why.code == ERR_OK)
			return;
		err_wrap(&why, "devices of nodes");
		of_tree_note(tree, &why);
	} else {
		of_tree_note(tree, &e);
	}
	add_of_nodes(t, tree);
}

static bool is_named(const struct device *d, const char *word)
{
	return !strcmp(d->name, word) || !strcmp(d->path, word) ||
	       (!strncmp(word, "/sys/", 5) && !strcmp(d->path, word + 4));
}

static const struct device *device_at_path(struct target *t, const char *path)
{
	struct of_node *node;
	struct of_tree *tree;
	struct err ignored;

	return of_live(t, &tree, &ignored) && of_find(tree, path, &node, &ignored)
		       ? device_of_node(t, node->addr)
		       : NULL;
}

/* A node that nobody made a device of is what a person may well ask about. */
static bool no_device(struct target *t, const char *word, struct err *err)
{
	struct of_tree *tree;
	struct of_node *node;
	struct err ignored;

	if (*word != '/' || !of_live(t, &tree, &ignored) || !of_find(tree, word, &node, &ignored))
		return err_set(err, ERR_NOTFOUND, "no device '%.100s'", word);
	if (strcmp(of_status(node), "okay") != 0 && strcmp(of_status(node), "ok") != 0)
		return err_set(err, ERR_NOTFOUND,
			       "node '%.100s' has no device: its status is '%.40s'", node->path,
			       of_status(node));
	return err_set(err, ERR_NOTFOUND, "node '%.100s' has no device: %s", node->path,
		       of_property(node, "compatible")
			       ? "the driver of the one above, whose work it is, made none"
			       : "it has no 'compatible', by which devices are made");
}

bool device_find(struct target *t, const char *word, const struct device **ret, struct err *err)
{
	const struct device *const *all;
	struct err why;
	size_t n, found = 0;

	if (!devices_all(t, &all, &n, &why, err))
		return false;
	for (size_t i = 0; i < n; i++)
		if (is_named(all[i], word) && !found++)
			*ret = all[i];
	if (found > 1)
		return err_set(err, ERR_USAGE,
			       "%zu devices are called '%.80s': give the path or the address",
			       found, word);
	if (!found && *word == '/' && (*ret = device_at_path(t, word)))
		return true;
	return found || no_device(t, word, err);
}
