/* SPDX-License-Identifier: GPL-3.0-or-later */
/* genpd: power domains, on or off, and the devices in them. */
#include "core/obit.h"
#include "core/linux/device/board.h"
#include "core/records/device_record.h"

enum {
	NAME,
	STATUS,
	CHILDREN,
	DEVICES,
	PERFORMANCE,
	MEMBERS,
	ADDR
};
static const struct record_field fields[] = {
	[NAME] = { "name", NULL, CELL_STR, 0, "name" },
	[STATUS] = { "status", NULL, CELL_STR, 0,
		     "on, or off and the number of the idle state that it is in" },
	[CHILDREN] = { "children", NULL, CELL_STRS, 0, "domains that are fed by it" },
	[DEVICES] = { "devices", NULL, CELL_STRS, 0,
		      "devices in it, and the runtime status of each" },
	[PERFORMANCE] = { "performance", NULL, CELL_UINT, FIELD_RIGHT,
			  "the highest performance state that any of them asks for" },
	[MEMBERS] = { "members", NULL, CELL_RECORDS, FIELD_JSON, "the devices, as records" },
	[ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "address of its struct generic_pm_domain" },
};
static const struct record_kind domain_kind = {
	"power_domain", "a power domain", LAYOUT_TABLE, NULL, fields, ARRAY_SIZE(fields)
};

static const struct record_field member_fields[] = {
	[0] = { "path", NULL, CELL_STR, 0, "below /sys" },
	[1] = { "status", NULL, CELL_STR, 0, "as power/runtime_status in sysfs" },
	[2] = { "performance", NULL, CELL_UINT, 0, "the performance state that it asks for" },
};
static const struct record_kind member_kind = { "domain_device", "a device in a power domain",
						LAYOUT_LINE,     "{path}: {status}",
						member_fields,   ARRAY_SIZE(member_fields) };

static bool genpd_show(const struct power_domain *d, void *arg)
{
	struct ctx *c = arg;
	const char **devices = ARENA_ARRAY(c->arena, const char *, d->n_devices + 1);
	struct record *members = ARENA_ARRAY(c->arena, struct record, d->n_devices + 1);
	struct record r;

	for (size_t i = 0; i < d->n_devices; i++) {
		const struct domain_device *m = &d->devices[i];

		devices[i] = arena_printf(c->arena, "%s (%s)", m->device->name,
					  m->status ? m->status : "?");
		record_init(&members[i], &member_kind);
		record_str(&members[i], 0, m->device->path);
		record_str(&members[i], 1, m->status);
		record_uint(&members[i], 2, m->performance);
	}
	record_init(&r, &domain_kind);
	record_str(&r, NAME, d->name);
	record_str(&r, STATUS,
		   d->on ? "on" : arena_printf(c->arena, "off-%llu", (unsigned long long)d->idle));
	if (d->n_children)
		record_strs(&r, CHILDREN, d->children, d->n_children);
	if (d->n_devices)
		record_strs(&r, DEVICES, devices, d->n_devices);
	if (d->n_devices)
		record_records(&r, MEMBERS, members, d->n_devices);
	record_uint(&r, PERFORMANCE, d->performance);
	record_uint(&r, ADDR, d->addr);
	emit(c, &r);
	return true;
}

static bool genpd_run(struct ctx *c, struct err *err)
{
	return emit_walked(c, power_domains_each(c->t, genpd_show, c, err), err);
}

static const struct record_kind *const emits[] = { &domain_kind, &member_kind, NULL };
static const struct example examples[] = {
	{ "genpd", "every power domain" },
};
const struct command cmd_genpd = {
	.name = "genpd",
	.group = "system",
	.summary = "power domains and their devices",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.emits = emits,
	.none = "no such power domain",
	.help = "Prints the generic power domains, as pm_genpd_summary in debugfs does: whether each "
		"is on (or in which idle state), the performance that is asked of it, the domains below "
		"it, and the devices in it with the runtime status of each.",
	EXAMPLES(examples),
	.run = genpd_run,
};
