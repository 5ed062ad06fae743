/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of the device tree: a row for a node, a line of DTS for a property. */
#include <string.h>

#include "core/records/node_record.h"

#include "core/linux/device/device.h"

enum {
	NODE_PATH,
	NODE_STATUS,
	NODE_DRIVER,
	NODE_COMPATIBLE,
	NODE_NAME,
	NODE_ADDR,
	NODE_PHANDLE,
	NODE_DEVICE,
	NODE_DEVICES
};
/* A node may have a device that no driver has taken. */
static void driver_text(struct buf *b, const struct sink *k, const struct record *r,
			const struct cell *cell)
{
	(void)k;
	if (cell->kind != CELL_NULL)
		buf_add(b, cell->str.s, cell->str.n);
	else
		buf_str(b, r->cells[NODE_DEVICE].kind != CELL_NULL ? "no driver" : "-");
}

static const struct record_field node_fields[] = {
	[NODE_PATH] = { "path", NULL, CELL_STR, 0, "from the root" },
	[NODE_STATUS] = { "status", NULL, CELL_STR, 0, "its status property; okay without one" },
	[NODE_DRIVER] = { "driver", NULL, CELL_STR, 0, "the driver of its device",
			  .text = driver_text },
	[NODE_COMPATIBLE] = { "compatible", NULL, CELL_STRS, 0, "the most specific first" },
	[NODE_NAME] = { "name", NULL, CELL_STR, FIELD_JSON, "the last part of its path" },
	[NODE_ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "address of its struct device_node" },
	[NODE_PHANDLE] = { "phandle", NULL, CELL_UINT, FIELD_JSON,
			   "the number that others refer to it by" },
	[NODE_DEVICE] = { "device", NULL, CELL_STR, FIELD_JSON,
			  "the device that stands for it, as /sys/devices names it" },
	[NODE_DEVICES] = { "devices", NULL, CELL_STRS, FIELD_JSON,
			   "all its devices, those with a driver first" },
};
const struct record_kind node_kind = { "node",      "a node of the device tree", LAYOUT_TABLE, NULL,
				       node_fields, ARRAY_SIZE(node_fields) };

enum {
	PROP_PATH,
	PROP_NAME,
	PROP_KIND,
	PROP_VALUE,
	PROP_BYTES,
	PROP_LENGTH
};
/* What the record of a property tells of. */
struct shown_property {
	struct arena *arena;
	const struct of_property *p;
	const char *lead; /* text has it before the name */
};

static void name_form(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	const struct shown_property *shown = r->of;

	(void)k;
	buf_str(b, shown->lead);
	buf_str(b, cell->kind == CELL_STR ? cell->str.s : "-");
}

static void property_complete(struct record *r)
{
	const struct shown_property *shown = r->of;
	const struct span *value = &shown->p->value;
	struct buf b = { 0 };

	if (!value->p)
		return;
	for (size_t i = 0; i < value->n; i++)
		buf_printf(&b, "%02x", value->p[i]);
	record_str(r, PROP_BYTES, arena_strndup(shown->arena, buf_text(&b), b.n));
	buf_release(&b);
}

static const struct record_field property_fields[] = {
	[PROP_PATH] = { "path", NULL, CELL_STR, FIELD_JSON, "of its node" },
	[PROP_NAME] = { "name", NULL, CELL_STR, 0, "name", .text = name_form },
	[PROP_KIND] = { "kind", NULL, CELL_STR, FIELD_JSON,
			"flag, string, strings, cells, phandles, bytes, or absent" },
	[PROP_VALUE] = { "value", NULL, CELL_STR, 0, "as DTS writes it; null for a flag" },
	[PROP_BYTES] = { "bytes", NULL, CELL_STR, FIELD_JSON, "the same in hexadecimal" },
	[PROP_LENGTH] = { "length", NULL, CELL_UINT, FIELD_JSON, "bytes" },
};
const struct record_kind property_kind = {
	.name = "property",
	.doc = "a property of a node",
	.layout = LAYOUT_LINE,
	.line = "{name}{?value: = {value}};",
	.fields = property_fields,
	.n_fields = ARRAY_SIZE(property_fields),
	.complete = property_complete,
};

static void record_texts(struct ctx *c, struct record *r, unsigned field, struct span v)
{
	const char **list = ARENA_ARRAY(c->arena, const char *, v.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < v.n; i += strnlen((const char *)v.p + i, v.n - i) + 1)
		list[n++] = arena_strndup(c->arena, (const char *)v.p + i, v.n - i);
	record_strs(r, field, list, n);
}

void emit_node(struct ctx *c, const struct of_node *node)
{
	const struct of_property *p = of_property(node, "compatible");
	const struct device *d = device_of_node(c->t, node->addr);
	struct record r;

	record_init(&r, &node_kind);
	record_str(&r, NODE_PATH, node->path);
	record_str(&r, NODE_NAME, node->name);
	record_str(&r, NODE_STATUS, of_status(node));
	if (p && of_kind(node, p) == OF_STRINGS)
		record_texts(c, &r, NODE_COMPATIBLE, p->value);
	if (node->addr)
		record_uint(&r, NODE_ADDR, node->addr);
	if (node->phandle)
		record_uint(&r, NODE_PHANDLE, node->phandle);
	if (d) {
		const char **names;
		size_t n = 0;

		record_str(&r, NODE_DEVICE, d->name);
		record_str(&r, NODE_DRIVER, d->driver);
		for (const struct device *i = d; i; i = i->of_node)
			n++;
		names = ARENA_ARRAY(c->arena, const char *, n);
		n = 0;
		for (const struct device *i = d; i; i = i->of_node)
			names[n++] = i->name;
		record_strs(&r, NODE_DEVICES, names, n);
	}
	emit(c, &r);
}

const char *property_text(struct ctx *c, const struct of_tree *tree, const struct of_node *node,
			  const struct of_property *p)
{
	struct buf b = { 0 };
	const char *text;

	of_value_text(&b, tree, node, p);
	text = b.n ? arena_strndup(c->arena, b.s, b.n) : NULL;
	buf_release(&b);
	return text;
}

void emit_property(struct ctx *c, const struct of_tree *tree, const struct of_node *node,
		   const struct of_property *p, const char *lead)
{
	const struct shown_property shown = { c->arena, p, lead };
	struct record r;

	record_init(&r, &property_kind);
	r.of = &shown;
	record_str(&r, PROP_PATH, node->path);
	record_str(&r, PROP_NAME, p->name);
	record_str(&r, PROP_KIND, of_kind_name(node, p));
	record_str(&r, PROP_VALUE, property_text(c, tree, node, p));
	if (p->value.p)
		record_uint(&r, PROP_LENGTH, p->value.n);
	emit(c, &r);
}

void note_tree(struct ctx *c, const struct of_tree *tree)
{
	for (size_t i = 0; i < tree->notes.n; i++)
		note(c, &tree->notes.p[i]);
}
