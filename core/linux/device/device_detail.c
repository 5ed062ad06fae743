/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One device in detail: its resources, its power, and whom it depends on. */
#include <string.h>

#include "core/linux/device/device.h"
#include "core/linux/container/list.h"
#include "core/types/shape.h"

#define NAME_LENGTH 256u
#define LINKS_MAX 4096u

enum {
	DEV_TYPE,
	DEV_STATUS,
	DEV_USAGE,
	DEV_DISABLED,
	DEV_ERROR,
	DEV_DRVDATA,
	DEV_DRIVER,
	DEV_CLASS,
	DEV_FWNODE,
	DEV_DOMAIN,
	DEV_FIELDS
};
static const struct shape_field detail_fields[DEV_FIELDS] = {
	[DEV_TYPE] = FIELD("type"),
	[DEV_STATUS] = FIELD_MAYBE("power.runtime_status"),
	[DEV_USAGE] = FIELD_MAYBE("power.usage_count.counter"),
	[DEV_DISABLED] = FIELD_MAYBE("power.disable_depth"),
	[DEV_ERROR] = FIELD_MAYBE("power.runtime_error"),
	[DEV_DRVDATA] = FIELD("driver_data"),
	[DEV_DRIVER] = FIELD("driver"),
	[DEV_CLASS] = FIELD("class"),
	[DEV_FWNODE] = FIELD("fwnode"),
	[DEV_DOMAIN] = FIELD("pm_domain"),
};
static const struct shape detail_shape = SHAPE("struct device", detail_fields);

enum {
	RES_START,
	RES_END,
	RES_NAME,
	RES_FLAGS,
	RES_FIELDS
};
static const struct shape_field res_fields[RES_FIELDS] = {
	[RES_START] = FIELD("start"),
	[RES_END] = FIELD("end"),
	[RES_NAME] = FIELD("name"),
	[RES_FLAGS] = FIELD("flags"),
};
static const struct shape res_shape = SHAPE("struct resource", res_fields);

static void device_detail_lost(struct device_detail *d, const struct err *why)
{
	*vec_push(&d->notes) = *why;
}

static bool resource_read(struct target *t, uint64_t addr, struct resource *ret, struct err *err)
{
	uint64_t name;
	struct shaped s;

	memset(ret, 0, sizeof(*ret));
	ret->addr = addr;
	if (!shape_read(t, &res_shape, addr, &s, err) ||
	    !shaped_u64(&s, RES_START, &ret->start, err) ||
	    !shaped_u64(&s, RES_END, &ret->end, err) ||
	    !shaped_u64(&s, RES_FLAGS, &ret->flags, err))
		return false;
	name = shaped_u64_or(&s, RES_NAME, 0);
	return !name || mem_str(t, name, NAME_LENGTH, t->scratch, &ret->name, err);
}

/* n resources in a row from addr on; those that are unset are left out. */
static void read_resources(struct target *t, uint64_t addr, uint64_t n, struct device_detail *d)
{
	const struct type *type;
	struct resource *r;
	struct err err;

	if (n > RESOURCES_MAX) {
		err_set_addr(&err, ERR_CORRUPT, addr, "%llu resources", (unsigned long long)n);
		device_detail_lost(d, &err);
		return;
	}
	if (!n || !type_find(t, "struct resource", &type, &err))
		return;
	d->resources = r = ARENA_ARRAY(t->scratch, struct resource, n);
	for (uint64_t i = 0; i < n; i++) {
		struct resource *at = &r[d->n_resources];

		if (!resource_read(t, addr + i * type->size, at, &err))
			device_detail_lost(d, &err);
		else if (at->flags)
			d->n_resources++;
	}
}

/* Where a bus keeps its devices' resources: an array in the device, or a pointer to one. */
static const struct {
	const char *bus, *type, *array, *count;
	bool pointer;
} resource_places[] = {
	{ "platform", "struct platform_device", "resource", "num_resources", true },
	{ "amba", "struct amba_device", "res", NULL, false },
	{ "pci", "struct pci_dev", "resource", NULL, false },
};

static void find_resources(struct target *t, const struct device *dev, struct device_detail *d)
{
	for (size_t i = 0; i < ARRAY_SIZE(resource_places); i++) {
		uint64_t dev_off, off, addr, n = 1;
		const struct type *type;
		struct member_ref ref;
		struct err err;

		if (!dev->bus || strcmp(dev->bus, resource_places[i].bus) != 0)
			continue;
		if (!type_find(t, resource_places[i].type, &type, &err) ||
		    !field_offset(t, resource_places[i].type, "dev", &dev_off, &err) ||
		    !field_offset(t, resource_places[i].type, resource_places[i].array, &off,
				  &err) ||
		    !type_member(type, resource_places[i].array, &ref, &err)) {
			device_detail_lost(d, &err);
			return;
		}
		addr = dev->addr - dev_off + off;
		if (type_strip(ref.type)->kind == TYPE_ARRAY)
			n = type_strip(ref.type)->count;
		if ((resource_places[i].count &&
		     !field_u64(t, resource_places[i].type, dev->addr - dev_off,
				resource_places[i].count, &n, &err)) ||
		    (resource_places[i].pointer && !mem_ptr(t, addr, &addr, &err))) {
			device_detail_lost(d, &err);
			return;
		}
		read_resources(t, addr, n, d);
	}
}

/* ---- power */

/* drivers/base/power/sysfs.c: runtime_status_show() */
static const char *status_text(const struct shaped *s)
{
	static const char *const names[] = { "active", "resuming", "suspended", "suspending" };
	uint64_t status;
	struct err ignored;

	if (!shaped_u64(s, DEV_STATUS, &status, &ignored))
		return NULL;
	if (shaped_u64_or(s, DEV_ERROR, 0))
		return "error";
	if (shaped_u64_or(s, DEV_DISABLED, 0))
		return "unsupported";
	return status < ARRAY_SIZE(names) ? names[status] : "?";
}

const char *device_power(struct target *t, uint64_t dev)
{
	struct shaped s;
	struct err ignored;

	return shape_read(t, &detail_shape, dev, &s, &ignored) ? status_text(&s) : NULL;
}

static void read_domain(struct target *t, uint64_t domain, struct device_detail *d)
{
	uint64_t off, name;
	struct err err;

	if (!domain)
		return;
	/* most domains are generic ones; others have no name */
	if (!field_offset(t, "struct generic_pm_domain", "domain", &off, &err) ||
	    !field_u64(t, "struct generic_pm_domain", domain - off, "name", &name, &err) ||
	    !mem_str(t, name, NAME_LENGTH, t->scratch, &d->domain, &err))
		d->domain = "?";
}

/* ---- links to other devices */

struct link_walk {
	struct target *t;
	const char *end; /* "supplier" or "consumer" */
	const struct device **found;
	size_t n;
	struct device_detail *d;
};

static bool link_found(uint64_t link, void *arg)
{
	struct link_walk *w = arg;
	const struct device *dev;
	struct err err;
	uint64_t addr;

	if (!field_u64(w->t, "struct device_link", link, w->end, &addr, &err)) {
		device_detail_lost(w->d, &err);
		return true;
	}
	dev = device_at(w->t, addr);
	if (dev)
		w->found[w->n++] = dev;
	return w->n < LINKS_MAX;
}

static void read_links(struct target *t, uint64_t dev, const char *list, const char *node,
		       const char *end, const struct device *const **ret, size_t *n,
		       struct device_detail *d)
{
	struct link_walk w = { .t = t, .end = end, .d = d };
	uint64_t head, off;
	struct err err;

	if (!field_offset(t, "struct device", list, &head, &err) ||
	    !field_offset(t, "struct device_link", node, &off, &err))
		return; /* 9ed9895370ae (v4.10) has them */
	w.found = ARENA_ARRAY(t->scratch, const struct device *, LINKS_MAX);
	if (!list_each(t, dev + head, off, list, link_found, &w, &err))
		device_detail_lost(d, &err);
	*ret = w.found;
	*n = w.n;
}

void device_detail(struct target *t, const struct device *dev, struct device_detail *ret)
{
	uint64_t type, name;
	struct shaped s;
	struct err err;

	memset(ret, 0, sizeof(*ret));
	if (!shape_read(t, &detail_shape, dev->addr, &s, &err)) {
		device_detail_lost(ret, &err);
		return;
	}
	type = shaped_u64_or(&s, DEV_TYPE, 0);
	if (type && (!field_u64(t, "struct device_type", type, "name", &name, &err) ||
		     (name && !mem_str(t, name, NAME_LENGTH, t->scratch, &ret->type, &err))))
		device_detail_lost(ret, &err);
	ret->status = status_text(&s);
	ret->usage = (int32_t)shaped_u64_or(&s, DEV_USAGE, 0);
	ret->disabled = shaped_u64_or(&s, DEV_DISABLED, 0);
	ret->drvdata = shaped_u64_or(&s, DEV_DRVDATA, 0);
	ret->driver = shaped_u64_or(&s, DEV_DRIVER, 0);
	ret->cls = shaped_u64_or(&s, DEV_CLASS, 0);
	ret->fwnode = shaped_u64_or(&s, DEV_FWNODE, 0);
	read_domain(t, shaped_u64_or(&s, DEV_DOMAIN, 0), ret);
	find_resources(t, dev, ret);
	read_links(t, dev->addr, "links.suppliers", "c_node", "supplier", &ret->suppliers,
		   &ret->n_suppliers, ret);
	read_links(t, dev->addr, "links.consumers", "s_node", "consumer", &ret->consumers,
		   &ret->n_consumers, ret);
}

void device_detail_release(struct device_detail *d)
{
	vec_release(&d->notes);
}
