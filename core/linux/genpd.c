/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generic power domains: whether each is on, the domains below it, and its devices. */
#include "core/linux/board.h"

static const char genpd_type[] = "struct generic_pm_domain";

struct domain_walk {
	struct target *t;
	bool (*fn)(const struct power_domain *d, void *arg);
	void *arg;
	bool failed;
	struct err err;
};

struct part_walk {
	struct target *t;
	const char **names;
	const struct device **devices;
	size_t n;
};

static bool child_found(uint64_t link, void *arg)
{
	struct part_walk *w = arg;
	uint64_t child;
	const char *name;
	struct err ignored;

	/* 8d87ae48ced2 (v5.9) renamed slave */
	if (field_u64(w->t, "struct gpd_link", link, "child|slave", &child, &ignored) &&
	    board_text(w->t, genpd_type, child, "name", &name, &ignored))
		w->names[w->n++] = name ? name : "?";
	return w->n < DOMAIN_PARTS_MAX;
}

static bool device_found(uint64_t data, void *arg)
{
	struct part_walk *w = arg;
	const struct device *d;
	struct err ignored;
	uint64_t dev;

	if (field_u64(w->t, "struct pm_domain_data", data, "dev", &dev, &ignored)) {
		d = device_at(w->t, dev);
		if (d)
			w->devices[w->n++] = d;
	}
	return w->n < DOMAIN_PARTS_MAX;
}

static bool domain_read(struct target *t, uint64_t addr, struct power_domain *d, struct err *err)
{
	struct part_walk kids = { .t = t }, devs = { .t = t };
	uint64_t status, children, child, devices, data;
	struct err ignored;

	kids.names = ARENA_ARRAY(t->scratch, const char *, DOMAIN_PARTS_MAX);
	devs.devices = ARENA_ARRAY(t->scratch, const struct device *, DOMAIN_PARTS_MAX);
	d->addr = addr;
	if (!board_text(t, genpd_type, addr, "name", &d->name, err) ||
	    !field_u64(t, genpd_type, addr, "status", &status, err) ||
	    (!field_offset(t, genpd_type, "parent_links", &children, err) &&
	     !field_offset(t, genpd_type, "master_links", &children, err)) ||
	    (!field_offset(t, "struct gpd_link", "parent_node", &child, err) &&
	     !field_offset(t, "struct gpd_link", "master_node", &child, err)) ||
	    !field_offset(t, genpd_type, "dev_list", &devices, err) ||
	    !field_offset(t, "struct pm_domain_data", "list_node", &data, err) ||
	    !list_each(t, addr + children, child, "children of a power domain", child_found, &kids,
		       err) ||
	    !list_each(t, addr + devices, data, "devices of a power domain", device_found, &devs,
		       err))
		return false;
	/* enum gpd_status: GENPD_STATE_ON, which was GPD_STATE_ACTIVE, is 0 */
	d->on = status == 0;
	if (!field_u64(t, genpd_type, addr, "performance_state", &d->performance, &ignored))
		d->performance = 0;
	d->children = kids.names;
	d->n_children = kids.n;
	d->devices = devs.devices;
	d->n_devices = devs.n;
	return true;
}

static bool domain_found(uint64_t addr, void *arg)
{
	struct domain_walk *w = arg;
	struct power_domain d = { 0 };

	w->failed = !domain_read(w->t, addr, &d, &w->err);
	return !w->failed && w->fn(&d, w->arg);
}

bool power_domains_each(struct target *t, bool (*fn)(const struct power_domain *d, void *arg),
			void *arg, struct err *err)
{
	struct domain_walk w = { .t = t, .fn = fn, .arg = arg };
	uint64_t head, link;

	if (!board_symbol(t, "gpd_list", "power domains", &head, err) ||
	    !field_offset(t, genpd_type, "gpd_list_node", &link, err) ||
	    !list_each(t, head, link, "power domains", domain_found, &w, err))
		return false;
	if (w.failed)
		*err = w.err;
	return !w.failed;
}
