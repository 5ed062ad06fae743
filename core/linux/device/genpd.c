/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generic power domains: whether each is on, the domains below it, and its devices. */
#include "core/linux/device/board.h"
#include "core/linux/container/list.h"
#include "core/linux/subsystem.h"
#include "core/types/shape.h"

#define DOMAINS_MAX 65536u

static const char genpd_type[] = "struct generic_pm_domain";

struct domain_walk {
	struct target *t;
	bool (*fn)(const struct power_domain *d, void *arg);
	void *arg;
	size_t n;
	struct err err; /* the first that broke */
};

struct genpd_walk {
	struct target *t;
	VEC(const char *) names;
	VEC(struct domain_device) devices;
};

static bool child_found(uint64_t link, void *arg)
{
	struct genpd_walk *w = arg;
	uint64_t child;
	const char *name;
	struct err ignored;

	/* 8d87ae48ced2 (v5.9) renamed slave */
	if (field_u64(w->t, "struct gpd_link", link, "child|slave", &child, &ignored) &&
	    subsystem_text(w->t, genpd_type, child, "name", &name, &ignored))
		*vec_push(&w->names) = name ? name : "?";
	return w->names.n < DOMAIN_PARTS_MAX;
}

static bool device_found(uint64_t data, void *arg)
{
	struct genpd_walk *w = arg;
	struct domain_device d = { 0 };
	struct err ignored;
	uint64_t dev, base;

	if (field_u64(w->t, "struct pm_domain_data", data, "dev", &dev, &ignored)) {
		d.device = device_at(w->t, dev);
		if (field_offset(w->t, "struct generic_pm_domain_data", "base", &base, &ignored) &&
		    !field_u64(w->t, "struct generic_pm_domain_data", data - base,
			       "performance_state", &d.performance, &ignored))
			d.performance = 0;
		d.status = device_power(w->t, dev);
		if (d.device)
			*vec_push(&w->devices) = d;
	}
	return w->devices.n < DOMAIN_PARTS_MAX;
}

/* The domains below it and the devices in it: as many as its lists lead to. */
static bool read_parts(struct genpd_walk *w, uint64_t addr, struct err *err)
{
	struct target *t = w->t;
	uint64_t children, child, devices, data;
	struct err second;
	bool ok;

	/* 8d87ae48ced2 (v5.9) renamed master */
	if ((!field_offset(t, genpd_type, "parent_links", &children, err) &&
	     !field_offset(t, genpd_type, "master_links", &children, err)) ||
	    (!field_offset(t, "struct gpd_link", "parent_node", &child, err) &&
	     !field_offset(t, "struct gpd_link", "master_node", &child, err)) ||
	    !field_offset(t, genpd_type, "dev_list", &devices, err) ||
	    !field_offset(t, "struct pm_domain_data", "list_node", &data, err))
		return false;
	/* a broken list costs the other one nothing; the first one's reason is told */
	ok = list_each(t, addr + children, child, "children of a power domain", child_found, w,
		       err);
	return list_each(t, addr + devices, data, "devices of a power domain", device_found, w,
			 ok ? err : &second) &&
	       ok;
}

static bool domain_read(struct domain_walk *w, uint64_t addr, struct power_domain *d)
{
	struct genpd_walk parts = { .t = w->t };
	struct target *t = w->t;
	struct domain_device *devices;
	const char **names;
	uint64_t status;
	struct err err;
	bool ok = true;

	d->addr = addr;
	if (!subsystem_text(t, genpd_type, addr, "name", &d->name, &err))
		ok = board_go_on(&w->err, &err);
	if (!field_u64(t, genpd_type, addr, "status", &status, &err))
		return board_go_on(&w->err, &err);
	/* enum gpd_status: GENPD_STATE_ON, which was GPD_STATE_ACTIVE, is 0 */
	d->on = status == 0;
	if (!field_u64(t, genpd_type, addr, "performance_state", &d->performance, &err))
		d->performance = 0;
	if (!field_u64(t, genpd_type, addr, "state_idx", &d->idle, &err))
		d->idle = 0;
	if (!read_parts(&parts, addr, &err))
		ok = board_go_on(&w->err, &err) && ok;
	names = ARENA_ARRAY(t->scratch, const char *, parts.names.n + 1);
	devices = ARENA_ARRAY(t->scratch, struct domain_device, parts.devices.n + 1);
	for (size_t i = 0; i < parts.names.n; i++)
		names[i] = parts.names.p[i];
	for (size_t i = 0; i < parts.devices.n; i++)
		devices[i] = parts.devices.p[i];
	d->children = names;
	d->n_children = parts.names.n;
	d->devices = devices;
	d->n_devices = parts.devices.n;
	vec_release(&parts.names);
	vec_release(&parts.devices);
	return ok;
}

static bool domain_found(uint64_t addr, void *arg)
{
	struct domain_walk *w = arg;
	struct power_domain d = { 0 };
	struct err err;

	if (w->n++ >= DOMAINS_MAX) {
		err_set_addr(&err, ERR_LIMIT, addr, "more than %u power domains", DOMAINS_MAX);
		return board_go_on(&w->err, &err) && false;
	}
	return domain_read(w, addr, &d) && (!d.devices || w->fn(&d, w->arg));
}

bool power_domains_each(struct target *t, bool (*fn)(const struct power_domain *d, void *arg),
			void *arg, struct err *err)
{
	struct domain_walk w = { .t = t, .fn = fn, .arg = arg };
	uint64_t head, link;
	struct err why;

	if (!subsystem_symbol(t, "gpd_list", "power domains", &head, err) ||
	    !field_offset(t, genpd_type, "gpd_list_node", &link, err))
		return false;
	if (!list_each(t, head, link, "power domains", domain_found, &w, &why) &&
	    !board_go_on(&w.err, &why))
		w.err = why;
	*err = w.err;
	return err->code == ERR_OK;
}
