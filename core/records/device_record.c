/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices as records: a row, a line of a tree, all of one, and what one waits for. */
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/of/of.h"
#include "core/records/device_record.h"

enum {
	DEV_NAME,
	DEV_BUS,
	DEV_DRIVER,
	DEV_PARENT,
	DEV_NODE,
	DEV_CLASS,
	DEV_ADDR,
	DEV_PATH,
	DEV_MAJOR,
	DEV_MINOR,
	DEV_WAITING,
	DEV_REASON,
	DEV_FIELDS
};
/* Of a device without a driver: one will try again, or none of its bus has taken it. */
static void driver_text(struct buf *b, const struct sink *k, const struct record *r,
			const struct cell *cell)
{
	(void)k;
	if (cell->kind != CELL_NULL)
		buf_add(b, cell->str.s, cell->str.n);
	else if (r->cells[DEV_WAITING].b)
		buf_str(b, "deferred");
	else
		buf_str(b, r->cells[DEV_BUS].kind != CELL_NULL ? "no driver" : "-");
}

static const struct record_field device_fields[] = {
	[DEV_NAME] = { "name", NULL, CELL_STR, 0, "as in /sys/devices" },
	[DEV_BUS] = { "bus", NULL, CELL_STR, 0, "the bus it is on" },
	[DEV_DRIVER] = { "driver", NULL, CELL_STR, 0, "the driver bound to it",
			 .text = driver_text },
	[DEV_PARENT] = { "parent", NULL, CELL_STR, 0, "the device it hangs on" },
	[DEV_NODE] = { "node", NULL, CELL_STR, 0, "its node of the device tree" },
	[DEV_CLASS] = { "class", NULL, CELL_STR, FIELD_JSON, "the class it is in" },
	[DEV_ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "address of its struct device" },
	[DEV_PATH] = { "path", NULL, CELL_STR, FIELD_JSON, "below /sys" },
	[DEV_MAJOR] = { "major", NULL, CELL_UINT, FIELD_JSON, "of its device number" },
	[DEV_MINOR] = { "minor", NULL, CELL_UINT, FIELD_JSON, "and the rest of that" },
	[DEV_WAITING] = { "deferred", NULL, CELL_BOOL, FIELD_JSON,
			  "its driver's probe was put off" },
	[DEV_REASON] = { "reason", NULL, CELL_STR, FIELD_JSON, "for this reason" },
};
const struct record_kind device_kind = { "device", "a device",    LAYOUT_TABLE,
					 NULL,     device_fields, DEV_FIELDS };

/* What holds a device back: what its record tells of. */
struct held_by {
	const struct device_wait *v;
	size_t n;
};

/* A supplier that waits for another, and so on, ends in the one to look at. */
static void put_need(struct buf *b, struct target *t, const struct device_wait *w)
{
	buf_printf(b, "%s (%s", w->name, w->state);
	for (unsigned i = 0; i < 8 && w && w->device && w->device->waiting; i++) {
		struct err ignored;
		size_t n;

		if (!device_waits(t, w->device, &w, &n, &ignored) || !n)
			break;
		buf_printf(b, ", it needs %s: %s", w->name, w->state);
	}
	buf_char(b, ')');
}

static void needs_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	const struct held_by *held = r->of;

	(void)cell;
	for (size_t i = 0; i < held->n; i++) {
		if (i)
			buf_str(b, ", ");
		put_need(b, k->t, &held->v[i]);
	}
}

/* A line for each. */
static void missing_text(struct buf *b, const struct sink *k, const struct record *r,
			 const struct cell *cell)
{
	const struct held_by *held = r->of;
	struct buf need = { 0 };

	if (cell->kind == CELL_NULL)
		buf_char(b, '-');
	for (size_t i = 0; i < held->n; i++) {
		if (i)
			buf_char(b, '\n');
		buf_reset(&need);
		put_need(&need, k->t, &held->v[i]);
		buf_plain(b, buf_text(&need), need.n);
	}
	buf_release(&need);
}

enum {
	WAIT_NAME,
	WAIT_REASON,
	WAIT_PATH,
	WAIT_ADDR,
	WAIT_SUPPLIERS
};
static const struct record_field waiting_fields[] = {
	[WAIT_NAME] = { "name", NULL, CELL_STR, 0, "the device" },
	[WAIT_REASON] = { "reason", NULL, CELL_STR, 0,
			  "what it waits for, in the driver's words; null: it said none" },
	[WAIT_PATH] = { "path", NULL, CELL_STR, FIELD_JSON, "below /sys" },
	[WAIT_SUPPLIERS] = { "suppliers", NULL, CELL_RECORDS, 0,
			     "suppliers that are not there, and what is wrong with each; null: none is "
			     "known",
			     .text = needs_text },
	[WAIT_ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "address of its struct device" },
};
const struct record_kind waiting_kind = {
	"deferred",     "a device whose probe was put off",
	LAYOUT_LINE,    "{name}{?reason:: {reason}}{?suppliers:; needs {suppliers}}",
	waiting_fields, ARRAY_SIZE(waiting_fields)
};

enum {
	SUP_NAME,
	SUP_STATE,
	SUP_NODE,
	SUP_LINK
};
static const struct record_field supplier_fields[] = {
	[SUP_NAME] = { "name", NULL, CELL_STR, 0, "the device; without one the path of its node" },
	[SUP_STATE] = { "state", NULL, CELL_STR, 0, "what is wrong with it" },
	[SUP_NODE] = { "node", NULL, CELL_STR, FIELD_JSON, "its node of the device tree" },
	[SUP_LINK] = { "link", NULL, CELL_STR, FIELD_JSON,
		       "device link; firmware link: only the nodes refer to each other; or given up: the "
		       "kernel holds nothing back for it any more, but the driver may" },
};
const struct record_kind supplier_kind = { "supplier",      "a supplier that is not there",
					   LAYOUT_LINE,     "{name}: {state}",
					   supplier_fields, ARRAY_SIZE(supplier_fields) };

enum {
	RES_START,
	RES_END,
	RES_NAME,
	RES_KIND,
	RES_FLAGS,
	RES_DEPTH
};
/* r->of: how many digits it has at least. */
static void bound_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	const unsigned *digits = r->of;

	(void)k;
	buf_printf(b, "%0*llx", (int)*digits, (unsigned long long)cell->u);
}

static const struct record_field resource_fields[] = {
	[RES_START] = { "start", NULL, CELL_HEX, 0, "the first", .text = bound_text },
	[RES_END] = { "end", NULL, CELL_HEX, 0, "the last", .text = bound_text },
	[RES_NAME] = { "name", NULL, CELL_STR, 0, "who claimed it" },
	[RES_KIND] = { "kind", NULL, CELL_STR, FIELD_JSON, "mem, io, irq, dma, or bus" },
	[RES_FLAGS] = { "flags", NULL, CELL_HEX, FIELD_JSON, "IORESOURCE_* of ioport.h" },
	[RES_DEPTH] = { "depth", NULL, CELL_UINT, FIELD_JSON, "ranges around it" },
};
const struct record_kind resource_kind = { "resource",      "a range of addresses or numbers",
					   LAYOUT_LINE,     "{start}-{end} : {name}",
					   resource_fields, ARRAY_SIZE(resource_fields) };

static const char *node_path(struct target *t, uint64_t addr)
{
	const struct of_node *node;
	struct of_tree *tree;
	struct err ignored;

	if (!addr || !of_live(t, &tree, &ignored))
		return NULL;
	node = of_by_addr(t, addr);
	return node ? node->path : NULL;
}

static const char *parent_name(struct target *t, const struct device *d)
{
	const struct device *up = d->parent ? device_at(t, d->parent) : NULL;

	return up ? up->name : NULL;
}

static void record_device(struct ctx *c, struct record *r, const struct record_kind *kind,
			  const struct device *d)
{
	record_init(r, kind);
	record_str(r, DEV_NAME, d->name);
	record_str(r, DEV_BUS, d->bus);
	record_str(r, DEV_PARENT, parent_name(c->t, d));
	record_str(r, DEV_NODE, node_path(c->t, d->node));
	record_str(r, DEV_CLASS, d->cls);
	record_str(r, DEV_DRIVER, d->driver);
	record_uint(r, DEV_ADDR, d->addr);
	record_str(r, DEV_PATH, d->path);
	if (d->major) {
		record_uint(r, DEV_MAJOR, d->major);
		record_uint(r, DEV_MINOR, d->minor);
	}
	record_bool(r, DEV_WAITING, d->waiting);
	record_str(r, DEV_REASON, d->reason);
}

static void note_device(struct ctx *c, const struct device *d)
{
	struct err e = d->why;

	if (e.code == ERR_OK)
		return;
	err_wrap(&e, "device '%s'", d->name);
	note(c, &e);
}

void emit_device(struct ctx *c, const struct device *d)
{
	struct record r;

	record_device(c, &r, &device_kind, d);
	emit(c, &r);
	note_device(c, d);
}

/* The row's fields, and how deep it stands. */
enum {
	TREE_DEPTH = DEV_FIELDS,
	TREE_FIELDS
};
static const struct record_field tree_fields[] = {
	[DEV_NAME] = { "name", NULL, CELL_STR, 0, "as in /sys/devices" },
	[DEV_BUS] = { "bus", NULL, CELL_STR, 0, "the bus it is on" },
	[DEV_DRIVER] = { "driver", NULL, CELL_STR, 0, "the driver bound to it",
			 .text = driver_text },
	[DEV_PARENT] = { "parent", NULL, CELL_STR, FIELD_JSON, "the device it hangs on" },
	[DEV_NODE] = { "node", NULL, CELL_STR, FIELD_JSON, "its node of the device tree" },
	[DEV_CLASS] = { "class", NULL, CELL_STR, FIELD_JSON, "the class it is in" },
	[DEV_ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "address of its struct device" },
	[DEV_PATH] = { "path", NULL, CELL_STR, FIELD_JSON, "below /sys" },
	[DEV_MAJOR] = { "major", NULL, CELL_UINT, FIELD_JSON, "of its device number" },
	[DEV_MINOR] = { "minor", NULL, CELL_UINT, FIELD_JSON, "and the rest of that" },
	[DEV_WAITING] = { "deferred", NULL, CELL_BOOL, FIELD_JSON,
			  "its driver's probe was put off" },
	[DEV_REASON] = { "reason", NULL, CELL_STR, FIELD_JSON, "for this reason" },
	[TREE_DEPTH] = { "depth", NULL, CELL_UINT, FIELD_JSON, "how many devices are above it" },
};
const struct record_kind device_tree_kind = {
	"device_tree", "a device among its parents and children (dev -t)",
	LAYOUT_LINE,   "{name}{?bus: ({bus}: {driver})}{?class: [{class}]}",
	tree_fields,   TREE_FIELDS
};

void emit_device_tree(struct ctx *c, const struct device *d, unsigned depth)
{
	struct record r;

	record_device(c, &r, &device_tree_kind, d);
	r.indent = depth * 2;
	record_uint(&r, TREE_DEPTH, depth);
	emit(c, &r);
	note_device(c, d);
}

/* Fills a field of records with what holds a device back, and *held, of which the record is then.
 */
static void record_waits(struct ctx *c, struct record *r, unsigned field, const struct device *d,
			 struct held_by *held)
{
	struct record *list;
	struct err err;

	if (!device_waits(c->t, d, &held->v, &held->n, &err))
		note(c, &err);
	r->of = held;
	if (!held->n)
		return;
	list = ARENA_ARRAY(c->arena, struct record, held->n);
	for (size_t i = 0; i < held->n; i++) {
		const struct device_wait *w = &held->v[i];

		record_init(&list[i], &supplier_kind);
		record_str(&list[i], SUP_NAME, w->name);
		record_str(&list[i], SUP_STATE, w->state);
		record_str(&list[i], SUP_NODE, w->node);
		record_str(&list[i], SUP_LINK, w->how);
	}
	record_records(r, field, list, held->n);
}

void emit_waiting(struct ctx *c, const struct device *d)
{
	struct held_by held;
	struct record r;

	record_init(&r, &waiting_kind);
	record_str(&r, WAIT_NAME, d->name);
	record_str(&r, WAIT_REASON, d->reason);
	record_str(&r, WAIT_PATH, d->path);
	record_uint(&r, WAIT_ADDR, d->addr);
	record_waits(c, &r, WAIT_SUPPLIERS, d, &held);
	emit(c, &r);
}

/* ---- ranges */

static const char *resource_kind_name(uint64_t flags)
{
	return flags & IORES_IO    ? "io"
	       : flags & IORES_MEM ? "mem"
	       : flags & IORES_IRQ ? "irq"
	       : flags & IORES_DMA ? "dma"
	       : flags & 0x1000u   ? "bus"
				   : "?";
}

static void record_resource(struct record *rec, const struct resource *r, const char *name)
{
	record_init(rec, &resource_kind);
	record_uint(rec, RES_START, r->start);
	record_uint(rec, RES_END, r->end);
	record_str(rec, RES_NAME, name);
	record_str(rec, RES_KIND, resource_kind_name(r->flags));
	record_uint(rec, RES_FLAGS, r->flags);
	record_uint(rec, RES_DEPTH, r->depth);
}

void emit_resource(struct ctx *c, const struct resource *r, unsigned digits)
{
	struct record rec;

	record_resource(&rec, r, r->name ? r->name : "<BAD>"); /* as the kernel says */
	rec.of = &digits;
	rec.indent = r->depth * 2;
	emit(c, &rec);
}

/* ---- all about one */

enum {
	ALL_NAME,
	ALL_ADDR,
	ALL_PATH,
	ALL_BUS,
	ALL_DRIVER,
	ALL_DRIVER_ADDR,
	ALL_CLASS,
	ALL_TYPE,
	ALL_PARENT,
	ALL_NODE,
	ALL_NODE_ADDR,
	ALL_DEVT,
	ALL_STATUS,
	ALL_USAGE,
	ALL_DOMAIN,
	ALL_WAITING,
	ALL_REASON,
	ALL_WHY,
	ALL_MISSING,
	ALL_CLOCKS,
	ALL_SUPPLIES,
	ALL_LINES,
	ALL_PINS,
	ALL_IOMMU,
	ALL_SAID,
	ALL_DRVDATA,
	ALL_SUPPLIERS,
	ALL_CONSUMERS,
	ALL_CHILDREN,
	ALL_RESOURCES
};
static void ranges_text(struct buf *b, const struct sink *k, const struct record *r,
			const struct cell *cell)
{
	(void)k, (void)r;
	if (cell->kind == CELL_NULL) {
		buf_char(b, '-');
		return;
	}
	for (size_t i = 0; i < cell->records.n; i++) {
		const struct cell *range = cell->records.v[i].cells;

		buf_printf(b, "%s%s ", i ? ", " : "", range[RES_KIND].str.s);
		if (range[RES_FLAGS].u & IORES_IRQ)
			buf_printf(b, "%llu", (unsigned long long)range[RES_START].u);
		else
			buf_printf(b, "0x%llx-0x%llx", (unsigned long long)range[RES_START].u,
				   (unsigned long long)range[RES_END].u);
	}
}

static void detail_driver_text(struct buf *b, const struct sink *k, const struct record *r,
			       const struct cell *cell)
{
	(void)k;
	if (cell->kind != CELL_NULL)
		buf_add(b, cell->str.s, cell->str.n);
	else
		buf_str(b, r->cells[ALL_BUS].kind != CELL_NULL ? "no driver" : "-");
}

/* A driver may put a probe off without a word. */
static void reason_text(struct buf *b, const struct sink *k, const struct record *r,
			const struct cell *cell)
{
	(void)k;
	if (cell->kind != CELL_NULL)
		buf_add(b, cell->str.s, cell->str.n);
	else
		buf_str(b, r->cells[ALL_WAITING].b ? "no reason was given" : "-");
}

static const struct record_field all_fields[] = {
	[ALL_NAME] = { "name", "NAME", CELL_STR, 0, "as in /sys/devices" },
	[ALL_ADDR] = { "addr", "DEVICE", CELL_ADDR, 0, "address of its struct device" },
	[ALL_PATH] = { "path", "PATH", CELL_STR, 0, "below /sys" },
	[ALL_BUS] = { "bus", "BUS", CELL_STR, 0, "the bus it is on" },
	[ALL_DRIVER] = { "driver", "DRIVER", CELL_STR, 0, "the driver bound to it; null: none",
			 .text = detail_driver_text },
	[ALL_DRIVER_ADDR] = { "driver_addr", NULL, CELL_ADDR, FIELD_JSON,
			      "its struct device_driver" },
	[ALL_CLASS] = { "class", "CLASS", CELL_STR, 0, "the class it is in" },
	[ALL_TYPE] = { "type", "TYPE", CELL_STR, 0, "its struct device_type" },
	[ALL_PARENT] = { "parent", "PARENT", CELL_STR, 0, "the device it hangs on" },
	[ALL_NODE] = { "node", "NODE", CELL_STR, 0, "its node of the device tree" },
	[ALL_NODE_ADDR] = { "node_addr", NULL, CELL_ADDR, FIELD_JSON, "its struct device_node" },
	[ALL_DEVT] = { "devt", "NUMBER", CELL_STR, 0, "major:minor, as for mknod" },
	[ALL_STATUS] = { "status", "POWER", CELL_STR, 0,
			 "active, suspended, ... as power/runtime_status in sysfs" },
	[ALL_USAGE] = { "usage", "USERS", CELL_INT, 0, "who keeps it from being suspended" },
	[ALL_DOMAIN] = { "domain", "DOMAIN", CELL_STR, 0, "the power domain it is in" },
	[ALL_WAITING] = { "deferred", NULL, CELL_BOOL, FIELD_JSON,
			  "its driver's probe was put off" },
	[ALL_REASON] = { "reason", "DEFERRED", CELL_STR, 0,
			 "why its probe was put off; null: it was not, or nobody said why",
			 .text = reason_text },
	[ALL_WHY] = { "why", "WHY", CELL_STR, 0,
		      "of a device without a driver that does not wait: the registered driver that "
		      "would take it, or that none does" },
	[ALL_MISSING] = { "missing", "NEEDS", CELL_RECORDS, FIELD_LINES,
			  "suppliers that are not there, and what is wrong with each",
			  .text = missing_text },
	[ALL_CLOCKS] = { "clocks", "CLOCKS", CELL_STRS, FIELD_LINES, "clocks that it got hold of" },
	[ALL_SUPPLIES] = { "supplies", "REGULATORS", CELL_STRS, FIELD_LINES,
			   "regulators that it got hold of, by its name for each" },
	[ALL_LINES] = { "gpios", "GPIOS", CELL_STRS, FIELD_LINES,
			"GPIO lines that its node refers to, with who requested each" },
	[ALL_PINS] = { "pins", "PINS", CELL_STRS, FIELD_LINES,
		       "the states that it has for its pins, and what is set in each" },
	[ALL_IOMMU] = { "iommu", "IOMMU", CELL_STR, 0, "its IOMMU group" },
	[ALL_SAID] = { "said", "SAID", CELL_STRS, FIELD_LINES,
		       "the log's last messages from it, or of its failed probe" },
	[ALL_DRVDATA] = { "drvdata", "DRVDATA", CELL_ADDR, 0, "the driver's own" },
	[ALL_SUPPLIERS] = { "suppliers", "SUPPLIERS", CELL_STRS, 0, "devices that it needs" },
	[ALL_CONSUMERS] = { "consumers", "CONSUMERS", CELL_STRS, 0, "devices that need it" },
	[ALL_CHILDREN] = { "children", "CHILDREN", CELL_UINT, 0, "devices that hang on it" },
	[ALL_RESOURCES] = { "resources", NULL, CELL_RECORDS, 0, "of memory, ports, irqs",
			    .text = ranges_text },
};
const struct record_kind device_detail_kind = { "device_detail", "all about one device",
						LAYOUT_PAIRS,    NULL,
						all_fields,      ARRAY_SIZE(all_fields) };

static void record_names(struct ctx *c, struct record *r, unsigned field,
			 const struct device *const *v, size_t n)
{
	const char **names = ARENA_ARRAY(c->arena, const char *, n + 1);

	for (size_t i = 0; i < n; i++)
		names[i] = v[i]->name;
	if (n)
		record_strs(r, field, names, n);
}

static void record_ranges(struct ctx *c, struct record *r, const struct device_detail *all)
{
	struct record *list = ARENA_ARRAY(c->arena, struct record, all->n_resources + 1);

	for (size_t i = 0; i < all->n_resources; i++) {
		record_resource(&list[i], &all->resources[i], all->resources[i].name);
		record_uint(&list[i], RES_DEPTH, 0);
	}
	if (all->n_resources)
		record_records(r, ALL_RESOURCES, list, all->n_resources);
}

static void record_texts(struct record *r, unsigned field, const char *const *v, size_t n)
{
	if (n)
		record_strs(r, field, v, n);
}

static void record_parts(struct ctx *c, struct record *r, const struct device *d)
{
	const char *const *said;
	struct device_parts p;
	struct err why;
	size_t n;

	device_parts(c->t, d, &p, &why);
	record_texts(r, ALL_CLOCKS, p.clocks, p.n_clocks);
	record_texts(r, ALL_SUPPLIES, p.supplies, p.n_supplies);
	record_texts(r, ALL_LINES, p.lines, p.n_lines);
	record_texts(r, ALL_PINS, p.pins, p.n_pins);
	record_str(r, ALL_IOMMU, p.iommu);
	n = device_said(c->t, d, &said);
	record_texts(r, ALL_SAID, said, n);
	if (why.code != ERR_OK)
		note(c, &why);
}

void emit_device_detail(struct ctx *c, const struct device *d)
{
	struct device_detail all;
	struct held_by held;
	struct record r;

	device_detail(c->t, d, &all);
	record_init(&r, &device_detail_kind);
	record_str(&r, ALL_NAME, d->name);
	record_uint(&r, ALL_ADDR, d->addr);
	record_str(&r, ALL_PATH, d->path);
	record_str(&r, ALL_BUS, d->bus);
	record_str(&r, ALL_DRIVER, d->driver);
	if (all.driver)
		record_uint(&r, ALL_DRIVER_ADDR, all.driver);
	record_str(&r, ALL_CLASS, d->cls);
	record_str(&r, ALL_TYPE, all.type);
	record_str(&r, ALL_PARENT, parent_name(c->t, d));
	record_str(&r, ALL_NODE, node_path(c->t, d->node));
	if (d->node)
		record_uint(&r, ALL_NODE_ADDR, d->node);
	if (d->major)
		record_str(&r, ALL_DEVT, arena_printf(c->arena, "%u:%u", d->major, d->minor));
	record_str(&r, ALL_STATUS, all.status);
	record_int(&r, ALL_USAGE, all.usage);
	record_str(&r, ALL_DOMAIN, all.domain);
	record_bool(&r, ALL_WAITING, d->waiting);
	record_str(&r, ALL_REASON, d->reason);
	record_str(&r, ALL_WHY, device_unbound(c->t, d));
	record_waits(c, &r, ALL_MISSING, d, &held);
	record_parts(c, &r, d);
	if (all.drvdata)
		record_uint(&r, ALL_DRVDATA, all.drvdata);
	record_names(c, &r, ALL_SUPPLIERS, all.suppliers, all.n_suppliers);
	record_names(c, &r, ALL_CONSUMERS, all.consumers, all.n_consumers);
	record_uint(&r, ALL_CHILDREN, d->children);
	record_ranges(c, &r, &all);
	emit(c, &r);
	note_device(c, d);
	for (size_t i = 0; i < all.notes.n; i++)
		note(c, &all.notes.p[i]);
	device_detail_release(&all);
}

bool emit_walked(struct ctx *c, bool ok, struct err *err)
{
	if (ok || !err_is_damage(err->code))
		return ok;
	note(c, err);
	return true;
}
