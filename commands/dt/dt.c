/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dt: the device tree as it was alive, or at boot, and files of it. */
#include <string.h>

#include "core/obit.h"
#include "core/types/value.h"
#include "core/base/outfile.h"
#include "core/linux/device/device_node.h"
#include "core/linux/of/of.h"
#include "core/records/node_record.h"

struct dt_opts {
	const char *search, *dts, *dtb;
	bool properties, boot;
};
static const struct option opts[] = {
	{ "p", NULL, OPTION_FLAG, offsetof(struct dt_opts, properties),
	  "the properties of every node" },
	{ "b", NULL, OPTION_FLAG, offsetof(struct dt_opts, boot),
	  "the tree that the kernel booted with, in place of the live one" },
	{ "s", "text", OPTION_STR, offsetof(struct dt_opts, search),
	  "nodes and properties that contain the text" },
	{ "dts", "file", OPTION_STR, offsetof(struct dt_opts, dts),
	  "write the tree as a source for dtc" },
	{ "dtb", "file", OPTION_STR, offsetof(struct dt_opts, dtb),
	  "write the tree as a blob, as firmware hands it over" },
};

static void emit_properties(struct ctx *c, const struct of_tree *tree, const struct of_node *node)
{
	for (size_t i = 0; i < node->n_props; i++)
		emit_property(c, tree, node, &node->props[i], "        ");
}

static const struct record_field file_fields[] = {
	[0] = { "file", NULL, CELL_STR, 0, "as it was named" },
	[1] = { "nodes", NULL, CELL_UINT, 0, "nodes of the tree" },
	[2] = { "bytes", NULL, CELL_UINT, 0, "written" },
};
static const struct record_kind file_kind = { "dt_file",   "a file that was written (--dts, --dtb)",
					      LAYOUT_LINE, "{file}: {nodes} nodes, {bytes} bytes",
					      file_fields, ARRAY_SIZE(file_fields) };

static bool contains(const char *s, size_t n, const char *text)
{
	return s && memmem(s, n, text, strlen(text));
}

static bool dt_search(struct ctx *c, const struct of_tree *tree, const char *text, struct err *err)
{
	bool any = false;

	for (size_t i = 0; i < tree->nodes.n; i++) {
		const struct of_node *node = tree->nodes.p[i];

		if (!contains(node->name, strlen(node->name), text))
			continue;
		emit_node(c, node);
		any = true;
	}
	for (size_t i = 0; i < tree->nodes.n; i++) {
		const struct of_node *node = tree->nodes.p[i];

		if (!interrupt_check(err))
			return false;
		for (size_t k = 0; k < node->n_props; k++) {
			const struct of_property *p = &node->props[k];
			const char *value = property_text(c, tree, node, p);

			if (!contains(p->name, strlen(p->name), text) &&
			    !(value && contains(value, strlen(value), text)))
				continue;
			emit_property(c, tree, node, p, arena_printf(c->arena, "%s: ", node->path));
			any = true;
		}
	}
	return any || err_set(err, ERR_NOTFOUND, "nothing in the device tree contains '%s'", text);
}

static bool export_to(struct ctx *c, const struct of_tree *tree, const char *path, const void *data,
		      size_t n, struct err *err)
{
	struct outfile f;
	struct record r;

	if (!outfile_open(&f, path, OUTFILE_OVER, err) ||
	    !outfile_close(&f, outfile_write(&f, data, n, err), err))
		return false;
	record_init(&r, &file_kind);
	record_str(&r, 0, path);
	record_uint(&r, 1, tree->nodes.n);
	record_uint(&r, 2, n);
	emit(c, &r);
	return true;
}

static bool dt_export(struct ctx *c, struct of_tree *tree, const struct dt_opts *o, struct err *err)
{
	struct span blob;

	if (o->dts) {
		struct buf b = { 0 };
		bool ok;

		of_dts(&b, tree);
		ok = b.cut ? err_set(err, ERR_LIMIT, "'%s': more than %zu bytes", o->dts, BUF_MAX)
			   : export_to(c, tree, o->dts, b.s, b.n, err);
		buf_release(&b);
		if (!ok)
			return false;
	}
	return !o->dtb ||
	       (of_blob_make(tree, &blob, err) && export_to(c, tree, o->dtb, blob.p, blob.n, err));
}

static bool dt_show(struct ctx *c, struct of_tree *tree, struct err *err)
{
	const struct dt_opts *o = c->opts;

	for (int i = 0; i < c->argc; i++) {
		struct of_node *node;
		struct err missing;

		if (!of_find(tree, c->argv[i], &node, &missing)) {
			complain(c, &missing);
			continue;
		}
		emit_node(c, node);
		emit_properties(c, tree, node);
	}
	for (size_t i = 0; !c->argc && i < tree->nodes.n; i++) {
		emit_node(c, tree->nodes.p[i]);
		if (o->properties)
			emit_properties(c, tree, tree->nodes.p[i]);
		if (!interrupt_check(err))
			return false;
	}
	return true;
}

static bool dt_on(struct ctx *c, struct of_tree *tree, struct err *err)
{
	const struct dt_opts *o = c->opts;

	if (o->dts || o->dtb)
		return dt_export(c, tree, o, err);
	if (o->search)
		return dt_search(c, tree, o->search, err);
	return dt_show(c, tree, err);
}

static bool dt_run(struct ctx *c, struct err *err)
{
	const struct dt_opts *o = c->opts;
	struct of_tree boot, *tree = &boot;
	bool ok;

	if (o->boot ? !of_boot(c->t, &boot, err) : !of_live(c->t, &tree, err))
		return false;
	if (!o->boot)
		devices_of_tree(c->t, tree);
	ok = dt_on(c, tree, err);
	note_tree(c, tree);
	if (o->boot)
		of_tree_release(tree);
	return ok;
}

static bool dt_each(struct ctx *c, struct value v, struct err *err)
{
	const struct of_node *node;
	struct of_tree *tree;

	if (!of_live(c->t, &tree, err))
		return false;
	devices_of_tree(c->t, tree);
	node = of_by_addr(c->t, v.addr);
	if (!node)
		return err_set_addr(err, ERR_NOTFOUND, v.addr,
				    "no node of the device tree is at 0x%llx",
				    (unsigned long long)v.addr);
	emit_node(c, node);
	emit_properties(c, tree, node);
	return true;
}

static const struct record_kind *const emits[] = { &node_kind, &property_kind, &file_kind, NULL };
static const struct example examples[] = {
	{ "dt", "the whole tree, with each node's driver" },
	{ "dt /chosen", "what the boot loader told the kernel" },
	{ "dt pl011 psci", "nodes by name, alias or label" },
	{ "dt -s clock", "where something is mentioned" },
	{ "dt --dts /dev/null", "write it as a source; name a file of yours" },
};
const struct command cmd_dt = {
	.name = "dt",
	.group = "system",
	.summary = "the device tree",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.in = "struct device_node",
	.operands = "[path | alias | label | name]...",
	OPTS(opts),
	.opts_size = sizeof(struct dt_opts),
	.emits = emits,
	.help = "Prints the live device tree, every node by its full path; of the nodes named, their "
		"properties too, as a DTS has them: a reference to a node is shown as the path of that "
		"node. DRIVER is the driver that has taken the node's device, or \"no driver\" where none "
		"has; a node without a device has neither.\n\n"
		"`--dts` and `--dtb` write files that dtc reads back to the same tree; with -b all of this is "
		"of the tree at boot. A node that is called as one of the verbs is named by its path.",
	EXAMPLES(examples),
	.run = dt_run,
	.each = dt_each,
};
