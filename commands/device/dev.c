/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dev: devices with their drivers, what waits for what, device numbers, and address ranges. */
#include <string.h>

#include "core/obit.h"
#include "core/linux/device/device.h"
#include "core/linux/device/device_node.h"
#include "core/image/target.h"
#include "core/linux/module/module.h"
#include "core/types/value.h"
#include "core/records/device_record.h"
#include "commands/device/io_record.h"
#include "commands/device/pci_record.h"
#include "commands/device/vmcoredd_record.h"

struct dev_opts {
	const char *bus, *cls;
	bool tree, deferred, io, majors, pci, disks, busy, dumps;
	const char *dump;
};
static const struct option opts[] = {
	{ "b", "bus", OPTION_STR, offsetof(struct dev_opts, bus), "devices of that bus" },
	{ "c", "class", OPTION_STR, offsetof(struct dev_opts, cls), "devices of that class" },
	{ "t", NULL, OPTION_FLAG, offsetof(struct dev_opts, tree), "as a tree, by their parents" },
	{ "deferred", NULL, OPTION_FLAG, offsetof(struct dev_opts, deferred),
	  "devices whose probe was put off, and why" },
	{ "p", NULL, OPTION_FLAG, offsetof(struct dev_opts, pci),
	  "devices on the PCI bus, with class and numbers" },
	{ "d", NULL, OPTION_FLAG, offsetof(struct dev_opts, disks),
	  "disks, with how many requests were under way to each" },
	OPT_FLAG("D", struct dev_opts, busy, "only the disks to which requests were under way"),
	OPT_FLAG("V", struct dev_opts, dumps, "what drivers added to the dump"),
	OPT_STR("v", "index", struct dev_opts, dump,
		"the bytes of one of these, or with a file behind: write them there"),
	{ "i", NULL, OPTION_FLAG, offsetof(struct dev_opts, io),
	  "ranges of memory and of I/O ports, as /proc/iomem and /proc/ioports" },
	{ "m", NULL, OPTION_FLAG, offsetof(struct dev_opts, majors),
	  "who has which device numbers, as /proc/devices" },
};

enum {
	MAJOR_KIND,
	MAJOR_NUMBER,
	MAJOR_MINORS,
	MAJOR_NAME,
	MAJOR_OPS,
	MAJOR_CDEV
};
static const struct record_field major_fields[] = {
	[MAJOR_KIND] = { "kind", NULL, CELL_STR, 0, "char or block" },
	[MAJOR_NUMBER] = { "major", NULL, CELL_UINT, FIELD_RIGHT, "of the device number" },
	[MAJOR_MINORS] = { "minors", NULL, CELL_STR, 0, "the range of the rest" },
	[MAJOR_NAME] = { "name", NULL, CELL_STR, 0, "who has them" },
	[MAJOR_OPS] = { "ops", NULL, CELL_STR, 0,
			"the functions that serve them, of each cdev or disk; null: nothing uses them" },
	[MAJOR_CDEV] = { "cdev", NULL, CELL_ADDR, 0, "struct cdev, of several the lowest" },
};
static const struct record_kind major_kind = { "major",      "a range of device numbers (dev -m)",
					       LAYOUT_TABLE, NULL,
					       major_fields, ARRAY_SIZE(major_fields) };

/* "evdev_fops, mousedev_fops": the drivers of one range may be several. */
static const char *ops_text(struct ctx *c, const struct major *m)
{
	const char *s = NULL;

	for (size_t i = 0; i < m->n_ops; i++) {
		const char *name = symbol_text(c->t, m->ops[i], c->arena);
		const struct kmodule *module;

		/* where a module's functions alone have symbols, whose they are is known */
		if (!*name)
			name = arena_printf(c->arena, "0x%llx%s", (unsigned long long)m->ops[i],
					    module_at(c->t, m->ops[i], &module)
						    ? arena_printf(c->arena, " [%s]", module->name)
						    : "");
		s = s ? arena_printf(c->arena, "%s, %s", s, name) : name;
	}
	return s;
}

static bool emit_major(const struct major *m, void *arg)
{
	struct ctx *c = arg;
	struct record r;

	record_init(&r, &major_kind);
	record_str(&r, MAJOR_KIND, m->block ? "block" : "char");
	record_uint(&r, MAJOR_NUMBER, m->major);
	if (m->minors)
		record_str(&r, MAJOR_MINORS,
			   arena_printf(c->arena, "%u-%u", m->minor, m->minor + m->minors - 1));
	record_str(&r, MAJOR_NAME, m->name);
	record_str(&r, MAJOR_OPS, ops_text(c, m));
	if (m->cdev)
		record_uint(&r, MAJOR_CDEV, m->cdev);
	emit(c, &r);
	return true;
}

static bool emit_port(const struct resource *r, void *arg)
{
	emit_resource(arg, r, 4);
	return true;
}

static bool emit_mem(const struct resource *r, void *arg)
{
	emit_resource(arg, r, 8);
	return true;
}

static bool dev_io(struct ctx *c, struct err *err)
{
	return resources_each(c->t, "iomem_resource", emit_mem, c, err) &&
	       resources_each(c->t, "ioport_resource", emit_port, c, err);
}

static bool dev_majors(struct ctx *c, struct err *err)
{
	struct err why;
	bool ok = majors_each(c->t, emit_major, c, &why, err);

	if (why.code != ERR_OK)
		note(c, &why);
	return ok;
}

static bool dev_disks(struct ctx *c, struct err *err)
{
	const struct dev_opts *o = c->opts;
	struct io_call call = io_call_of(c);
	size_t shown = 0;
	struct io_all all;

	if (!io_read(&call, &all, err))
		return false;
	for (size_t i = 0; i < all.n_queues; i++) {
		/* of one that could not be counted nobody can say that it had none */
		if (o->busy && all.queues[i].counted && !all.queues[i].requests)
			continue;
		emit_io_queue(c, &all.queues[i]);
		shown++;
	}
	if (!all.n_queues)
		emit_none(c, &disk_kind, "there is no disk");
	else if (!shown)
		emit_none(c, &disk_kind, "no disk has a request under way");
	return true;
}

static bool chosen(const struct dev_opts *o, const struct device *d)
{
	const char *bus = o->pci ? "pci" : o->bus;

	return (!bus || (d->bus && !strcmp(d->bus, bus))) &&
	       (!o->cls || (d->cls && !strcmp(d->cls, o->cls))) && (!o->deferred || d->waiting);
}

/* A device and all below it: as many levels as the list of all has, at most. */
static bool show_tree(struct ctx *c, const struct device *const *all, const struct device *d,
		      unsigned depth, struct err *err)
{
	if (!interrupt_check(err))
		return false;
	emit_device_tree(c, d, depth);
	for (size_t i = d->first_kid; i && depth < DEPTH_MAX; i = all[i - 1]->next)
		if (!show_tree(c, all, all[i - 1], depth + 1, err))
			return false;
	return true;
}

static bool dev_show(struct ctx *c, const struct type *type, const struct device *d,
		     struct err *err)
{
	const struct dev_opts *o = c->opts;

	if (type)
		return yield(c, value_ref(type, d->addr), err);
	if (o->deferred)
		emit_waiting(c, d);
	else if (o->pci)
		emit_pci(c, d);
	else
		emit_device(c, d);
	return interrupt_check(err);
}

static bool show_all(struct ctx *c, const struct type *type, struct err *err)
{
	const struct dev_opts *o = c->opts;
	const struct device *const *all;
	size_t n, shown = 0;
	struct err why;

	if (!devices_all(c->t, &all, &n, &why, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!chosen(o, all[i]))
			continue;
		shown++;
		if (o->tree && !type) {
			const struct device *up = device_at(c->t, all[i]->parent);

			/* below its parent, unless only a part is shown */
			if (up && up != all[i] && !o->bus && !o->cls)
				continue;
			if (!show_tree(c, all, all[i], 0, err))
				return false;
		} else if (!dev_show(c, type, all[i], err)) {
			return false;
		}
	}
	if (why.code != ERR_OK)
		note(c, &why);
	if (!shown && o->pci)
		emit_none(c, &pci_kind, "no device is on a PCI bus");
	if (!shown && (o->bus || o->cls))
		return err_set(err, ERR_NOTFOUND, "no device is on a bus or in a class '%.60s'",
			       o->bus ? o->bus : o->cls);
	return true;
}

static bool dev_dump(struct ctx *c, struct err *err)
{
	const struct dev_opts *o = c->opts;
	uint64_t i;

	if (!parse_number(o->dump, false, &i) || c->argc > 1)
		return err_set(err, ERR_USAGE,
			       "-v takes a number of those that -V lists, and perhaps a file");
	return emit_device_dump(c, i, c->argc ? c->argv[0] : NULL, err);
}

static bool dev_run(struct ctx *c, struct err *err)
{
	const struct dev_opts *o = c->opts;
	const struct type *type = NULL;

	if (o->dumps)
		return emit_device_dumps(c), true;
	if (o->dump)
		return dev_dump(c, err);
	if (o->io)
		return emit_walked(c, dev_io(c, err), err);
	if (o->majors)
		return emit_walked(c, dev_majors(c, err), err);
	if (o->disks || o->busy)
		return emit_walked(c, dev_disks(c, err), err);
	if (piped(c) && !type_find(c->t, "struct device", &type, err))
		return false;
	if (!c->argc)
		return show_all(c, type, err);
	for (int i = 0; i < c->argc; i++) {
		const struct device *d;
		struct err missing;
		uint64_t addr;

		if (device_find(c->t, c->argv[i], &d, &missing)) {
			if (type && !dev_show(c, type, d, err))
				return false;
			if (!type)
				emit_device_detail(c, d);
		} else if (parse_number(c->argv[i], true, &addr) && device_at(c->t, addr)) {
			emit_device_detail(c, device_at(c->t, addr));
		} else {
			complain(c, &missing);
		}
	}
	return true;
}

static bool dev_each(struct ctx *c, struct value v, struct err *err)
{
	const struct device *d = device_at(c->t, v.addr);

	if (!d)
		return err_set_addr(err, ERR_NOTFOUND, v.addr, "no registered device is at 0x%llx",
				    (unsigned long long)v.addr);
	emit_device(c, d);
	return true;
}

static const struct record_kind *const emits[] = {
	&device_kind,   &device_tree_kind, &waiting_kind,      &device_detail_kind,
	&resource_kind, &supplier_kind,    &major_kind,        &disk_kind,
	&pci_kind,      &device_dump_kind, &device_bytes_kind, NULL
};
static const struct example examples[] = {
	{ "dev -b platform", "the devices of a bus, each with its driver" },
	{ "dev -t", "all devices, by their parents" },
	{ "dev /pl011@9000000", "all about the device of a node" },
	{ "dev --deferred", "what still waits to be probed, and for what" },
	{ "dev | where bus == \"platform\" && driver == \"\" | count", "devices without a driver" },
	{ "dev -i", "who claimed which addresses" },
	{ "dev -m", "who has which device numbers" },
	{ "dev -p", "devices on the PCI bus: class and numbers, as lspci -n has them" },
	{ "dev -D", "disks to which requests were under way" },
	{ "dev -V", "what drivers added to the dump, such as a network card's memory" },
	{ "dev -d", "disks, and how many requests each had under way" },
};
const struct command cmd_dev = {
	.name = "dev",
	.group = "system",
	.summary = "devices and their drivers",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.in = "struct device",
	.out = "struct device",
	.operands = "[name | path | node | address | file]...",
	OPTS(opts),
	.opts_size = sizeof(struct dev_opts),
	.emits = emits,
	.none = "no such device",
	.help = "Lists every registered device with its bus, driver, parent and node of the device "
		"tree; of those named, everything: driver and class, resources, power state and "
		"domain, device number, clocks, regulators, GPIO lines, pins, IOMMU group, the devices "
		"that it needs and that need it, and what the log has of it. A device is named as in "
		"/sys/devices, by its path there, by its node's path, or by the address of its "
		"struct device.\n\n"
		"DRIVER is \"no driver\" where the device is on a bus and nobody has taken it, and "
		"\"deferred\" where a driver will try again; --deferred says why: in the driver's words, and which "
		"suppliers are missing (devices that it is linked to, or nodes that its node refers to) "
		"with what is wrong with each, down to the one that waits for nothing. Devices that are on "
		"no bus need no driver. Of a named device that has no driver and waits for none, WHY is "
		"the registered driver that would take it, whose probe has failed then, or that there "
		"is none: its module is not loaded, or it was not built.\n\n"
		"In a pipeline name, path, bus, class, driver, node and reason are text; every member "
		"of struct device is there too.",
	EXAMPLES(examples),
	.run = dev_run,
	.each = dev_each,
};
