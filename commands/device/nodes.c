/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nodes: the nodes of the device tree, for pipelines. */
#include <string.h>

#include "core/obit.h"
#include "core/types/value.h"
#include "core/linux/device/device_node.h"
#include "core/linux/of/of.h"
#include "core/records/node_record.h"

static bool nodes_show(struct ctx *c, const struct type *type, const struct of_node *node,
		       struct err *err)
{
	if (type)
		return yield(c, value_ref(type, node->addr), err);
	emit_node(c, node);
	return interrupt_check(err);
}

/* A node and all below it. */
static bool show_below(struct ctx *c, const struct type *type, const struct of_node *top,
		       struct err *err)
{
	const struct of_node *node = top;

	while (node) {
		if (!nodes_show(c, type, node, err))
			return false;
		if (node->child) {
			node = node->child;
			continue;
		}
		while (node != top && !node->next)
			node = node->parent;
		node = node == top ? NULL : node->next;
	}
	return true;
}

static bool nodes_run(struct ctx *c, struct err *err)
{
	const struct type *type = NULL;
	struct of_tree *tree;

	if (!of_live(c->t, &tree, err) ||
	    (piped(c) && !type_find(c->t, "struct device_node", &type, err)))
		return false;
	devices_of_tree(c->t, tree);
	if (!c->argc && !show_below(c, type, tree->nodes.p[0], err))
		return false;
	for (int i = 0; i < c->argc; i++) {
		struct of_node *node;
		struct err missing;

		if (!of_find(tree, c->argv[i], &node, &missing))
			complain(c, &missing);
		else if (!show_below(c, type, node, err))
			return false;
	}
	note_tree(c, tree);
	return true;
}

static const struct record_kind *const emits[] = { &node_kind, NULL };
static const struct example examples[] = {
	{ "nodes", "every node, with its driver" },
	{ "nodes /cpus", "the CPUs' nodes" },
	{ "nodes /chosen | dt", "their properties" },
};
const struct command cmd_nodes = {
	.name = "nodes",
	.group = "system",
	.summary = "nodes of the device tree",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "struct device_node",
	.operands = "[path]...",
	.emits = emits,
	.none = "no such node",
	.help = "Prints the nodes of the live device tree, or those at and below each path, as `dt` "
		"does. Before | of an obit command it yields them.",
	EXAMPLES(examples),
	.run = nodes_run,
};
