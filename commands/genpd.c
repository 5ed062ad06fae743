/* SPDX-License-Identifier: GPL-3.0-or-later */
/* genpd: power domains, on or off, and the devices in them. */
#include "core/obit.h"

enum {
	NAME,
	STATUS,
	CHILDREN,
	DEVICES,
	PERFORMANCE,
	ADDR
};
static const struct record_field fields[] = {
	[NAME] = { "name", NULL, CELL_STR, 0, "name" },
	[STATUS] = { "status", NULL, CELL_STR, 0, "on or off" },
	[CHILDREN] = { "children", NULL, CELL_STRS, 0, "domains that are fed by it" },
	[DEVICES] = { "devices", NULL, CELL_STRS, 0, "devices in it" },
	[PERFORMANCE] = { "performance", NULL, CELL_UINT, FIELD_JSON, "state asked for" },
	[ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "address of its struct generic_pm_domain" },
};
static const struct record_kind domain_kind = {
	"power_domain", "a power domain", LAYOUT_TABLE, NULL, fields, ARRAY_SIZE(fields)
};

static bool show(const struct power_domain *d, void *arg)
{
	struct ctx *c = arg;
	const char **devices = ARENA_ARRAY(c->arena, const char *, d->n_devices + 1);
	struct record r;

	for (size_t i = 0; i < d->n_devices; i++)
		devices[i] = d->devices[i]->path;
	record_init(&r, &domain_kind);
	record_str(&r, NAME, d->name);
	record_str(&r, STATUS, d->on ? "on" : "off");
	if (d->n_children)
		record_strs(&r, CHILDREN, d->children, d->n_children);
	if (d->n_devices)
		record_strs(&r, DEVICES, devices, d->n_devices);
	record_uint(&r, PERFORMANCE, d->performance);
	record_uint(&r, ADDR, d->addr);
	emit(c, &r);
	return true;
}

static bool run(struct ctx *c, struct err *err)
{
	return emit_walked(c, power_domains_each(c->t, show, c, err), err);
}

static const struct record_kind *const emits[] = { &domain_kind, NULL };
static const struct example examples[] = {
	{ "genpd", "every power domain" },
};
const struct command cmd_genpd = {
	.name = "genpd",
	.group = "system",
	.summary = "power domains and their devices",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.emits = emits,
	.help = "Prints the generic power domains, as pm_genpd_summary in debugfs does: whether each "
		"is on, the domains below it, and the devices in it.",
	EXAMPLES(examples),
	.run = run,
};
