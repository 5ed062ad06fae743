/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of the device tree's nodes and properties, the same in every command that shows them.
 */
#ifndef OBIT_NODE_RECORD_H
#define OBIT_NODE_RECORD_H

#include "core/linux/of/of.h"
#include "core/shell/command.h"

extern const struct record_kind node_kind, property_kind;

/* Emits a row of a table of nodes. */
void emit_node(struct ctx *c, const struct of_node *node);
/* Emits a property as a line of a .dts, with `lead` in front of it. */
void emit_property(struct ctx *c, const struct of_tree *tree, const struct of_node *node,
		   const struct of_property *p, const char *lead);
/* The property's value as a .dts has it, in the command's arena; NULL: the property has no value.
 */
const char *property_text(struct ctx *c, const struct of_tree *tree, const struct of_node *node,
			  const struct of_property *p);
/* Notes what could not be read of the tree. */
void note_tree(struct ctx *c, const struct of_tree *tree);

#endif
