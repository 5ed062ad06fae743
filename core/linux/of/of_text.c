/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A device tree as its source, DTS: one value, or a whole file that dtc takes. */
#include <stdlib.h>
#include <string.h>

#include "core/linux/of/of.h"

static void string_add(struct buf *b, const uint8_t *s, size_t n)
{
	buf_char(b, '"');
	for (size_t i = 0; i < n; i++) {
		uint8_t c = s[i];

		if (c == '"' || c == '\\')
			buf_printf(b, "\\%c", c);
		else if (c == '\n' || c == '\t')
			buf_str(b, c == '\n' ? "\\n" : "\\t");
		else if (c < 0x20 || c > 0x7e)
			buf_printf(b, "\\x%02x", c);
		else
			buf_char(b, (char)c);
	}
	buf_char(b, '"');
}

static void strings_add(struct buf *b, struct span v)
{
	for (size_t i = 0; i < v.n;) {
		size_t n = strnlen((const char *)v.p + i, v.n - i);

		if (i)
			buf_str(b, ", ");
		string_add(b, v.p + i, n);
		i += n + 1;
	}
}

/* What dtc's lexer takes as a name of a node or property. */
static bool is_name(const char *s, bool slash)
{
	for (; *s; s++)
		if (!(*s >= 'a' && *s <= 'z') && !(*s >= 'A' && *s <= 'Z') &&
		    !(*s >= '0' && *s <= '9') && !strchr(",._+*#?@-", *s) && !(slash && *s == '/'))
			return false;
	return true;
}

/* In groups, each phandle as the path of its node: &{/path} is the same number to dtc. */
static void refs_add(struct buf *b, const struct of_tree *tree, const struct of_node *node,
		     const struct of_property *p)
{
	size_t n = p->value.n / 4;
	uint8_t *roles = xrealloc(NULL, n);

	of_roles(tree, node, p, roles);
	buf_char(b, '<');
	for (size_t i = 0; i < n; i++) {
		const struct of_node *to = NULL;

		if (i)
			buf_str(b, roles[i] & OF_FIRST ? ">, <" : " ");
		if ((roles[i] & ~OF_FIRST) == OF_REF || (roles[i] & ~OF_FIRST) == OF_UNKNOWN)
			to = of_by_phandle(tree, of_cell(p->value, i));
		if (to && is_name(to->path, true))
			buf_printf(b, "&{%s}", to->path);
		else
			buf_printf(b, "0x%x", of_cell(p->value, i));
	}
	buf_char(b, '>');
	free(roles);
}

void of_value_text(struct buf *b, const struct of_tree *tree, const struct of_node *node,
		   const struct of_property *p)
{
	switch (of_kind(node, p)) {
	case OF_FLAG:
		break;
	case OF_STRINGS:
		strings_add(b, p->value);
		break;
	case OF_CELLS:
		for (size_t i = 0; i < p->value.n / 4; i++)
			buf_printf(b, "%s0x%x", i ? " " : "<", of_cell(p->value, i));
		buf_char(b, '>');
		break;
	case OF_PHANDLES:
		refs_add(b, tree, node, p);
		break;
	case OF_BYTES:
		for (size_t i = 0; i < p->value.n; i++)
			buf_printf(b, "%s%02x", i ? " " : "[", p->value.p[i]);
		buf_char(b, ']');
		break;
	case OF_ABSENT:
		buf_printf(b, "<%s>",
			   err_is_absent(p->why) ? err_absent_text(p->why) : err_code_name(p->why));
		break;
	}
}

bool of_is_made(const struct of_node *node, const struct of_property *p)
{
	size_t n = strcspn(node->name, "@");

	return !strcmp(p->name, "name") && p->value.p && p->value.n == n + 1 &&
	       !memcmp(p->value.p, node->name, n) && !p->value.p[n];
}

static void of_text_lost(struct of_tree *tree, const struct of_node *node, const char *name,
			 const char *why)
{
	struct err e;

	err_set_addr(&e, ERR_CORRUPT, node->addr, "%s: %s%s%s is left out: %s", node->path,
		     name ? "'" : "the node", name ? name : "", name ? "'" : "", why);
	of_tree_note(tree, &e);
}

static void dts_properties(struct buf *b, struct of_tree *tree, const struct of_node *node)
{
	struct strmap seen = { 0 };

	for (size_t i = 0; i < node->n_props; i++) {
		const struct of_property *p = &node->props[i];
		const char *why = NULL;
		bool isnew;

		strmap_put(&seen, p->name, &isnew);
		if (of_is_made(node, p))
			continue;
		if (!*p->name || !is_name(p->name, false))
			why = "its name cannot stand in a source";
		else if (!isnew)
			why = "it is there twice";
		else if (!p->value.p)
			why = "its value cannot be read";
		if (why) {
			of_text_lost(tree, node, p->name, why);
			continue;
		}
		buf_pad(b, '\t', node->depth + 1);
		buf_str(b, p->name);
		if (p->value.n) {
			buf_str(b, " = ");
			of_value_text(b, tree, node, p);
		}
		buf_str(b, ";\n");
	}
	strmap_release(&seen);
}

/* No deeper than of_tree_add() lets nodes be. */
static void dts_node(struct buf *b, struct of_tree *tree, const struct of_node *node)
{
	buf_pad(b, '\t', node->depth);
	buf_printf(b, "%s {\n", node->parent ? node->name : "/");
	dts_properties(b, tree, node);
	for (const struct of_node *child = node->child; child; child = child->next) {
		const uint64_t *i = strmap_get(&tree->by_path, child->path);

		if (!*child->name || !is_name(child->name, false)) {
			of_text_lost(tree, child, NULL, "its name cannot stand in a source");
		} else if (i && tree->nodes.p[*i - 1] != child) {
			of_text_lost(tree, child, NULL, "it is there twice");
		} else {
			buf_char(b, '\n');
			dts_node(b, tree, child);
		}
	}
	buf_pad(b, '\t', node->depth);
	buf_str(b, "};\n");
}

void of_dts(struct buf *b, struct of_tree *tree)
{
	buf_str(b, "/dts-v1/;\n\n");
	if (tree->nodes.n)
		dts_node(b, tree, tree->nodes.p[0]);
}
