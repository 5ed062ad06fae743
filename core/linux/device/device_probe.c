/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a device has no driver: which registered ones would take it, and what the log has of it. */
#include <string.h>
#include <strings.h>

#include "core/base/guard.h"
#include "core/linux/container/list.h"
#include "core/linux/log/printk.h"
#include "core/types/shape.h"
#include "core/linux/device/device.h"
#include "core/linux/of/of.h"

#define IDS_MAX 4096u /* of a driver's table */
#define ID_LENGTH 128u
#define DRIVERS_MAX 65536u

static const char driver_type[] = "struct device_driver";

struct driver_walk {
	struct target *t;
	const struct device *d;
	const struct of_property *compatible; /* of its node; NULL: it has none */
	const char *name;                     /* of a platform device; NULL: it is none */
	uint64_t private;        /* offset of the list's link in struct driver_private */
	const char *driver, *by; /* the one that takes it, and by what; NULL: none */
	size_t n;
	bool lost; /* one could not be read, and may be the one */
};

/* One of the node's compatible strings, as of_compat_cmp() compares; NULL: none. */
static const char *compatible_with(const struct of_property *p, const char *id)
{
	for (size_t i = 0; p && p->value.p && i < p->value.n;) {
		const char *s = (const char *)p->value.p + i;
		size_t n = strnlen(s, p->value.n - i);

		if (n == strlen(id) && !strncasecmp(s, id, n))
			return id;
		i += n + 1;
	}
	return NULL;
}

/* A table of structs that ends in one without a name; member is the array of char to compare.
 * Returns the entry that fits, in the scratch arena. */
static const char *table_fits(struct driver_walk *w, uint64_t table, const char *type_name,
			      const char *member)
{
	const struct type *type;
	struct err err;
	uint64_t off;

	if (!type_find(w->t, type_name, &type, &err) ||
	    !field_offset(w->t, type_name, member, &off, &err)) {
		w->lost = true;
		return NULL;
	}
	for (uint64_t i = 0; i < IDS_MAX; i++) {
		const char *id;

		if (!mem_str(w->t, table + i * type->size + off, ID_LENGTH, w->t->scratch, &id,
			     &err)) {
			w->lost = true;
			return NULL;
		}
		if (!*id)
			return NULL;
		if (w->compatible ? compatible_with(w->compatible, id) != NULL
				  : !strcmp(id, w->name))
			return id;
	}
	w->lost = true;
	return NULL;
}

/* platform_match() of drivers/base/platform.c: by the node, by a table of names, by name. */
static const char *platform_fits(struct driver_walk *w, uint64_t driver, const char *name)
{
	const struct of_property *compatible = w->compatible;
	const char *by = NULL;
	uint64_t off, table = 0;
	struct err ignored;

	if (!w->name)
		return NULL;
	if (field_offset(w->t, "struct platform_driver", "driver", &off, &ignored) &&
	    field_u64(w->t, "struct platform_driver", driver - off, "id_table", &table, &ignored) &&
	    table) {
		w->compatible = NULL;
		by = table_fits(w, table, "struct platform_device_id", "name");
		w->compatible = compatible;
		return by;
	}
	return !strcmp(w->name, name) ? w->name : NULL;
}

static bool driver_found(uint64_t private, void *arg)
{
	struct driver_walk *w = arg;
	uint64_t driver, at, table = 0;
	const char *name, *by = NULL;
	struct err err;

	w->lost = w->lost || w->n >= DRIVERS_MAX;
	if (w->n++ >= DRIVERS_MAX)
		return false;
	if (!field_u64(w->t, "struct driver_private", private, "driver", &driver, &err) ||
	    !field_u64(w->t, driver_type, driver, "name", &at, &err) ||
	    !mem_str(w->t, at, ID_LENGTH, w->t->scratch, &name, &err) ||
	    !field_u64(w->t, driver_type, driver, "of_match_table", &table, &err)) {
		w->lost = true;
		return true;
	}
	if (table && w->compatible)
		by = table_fits(w, table, "struct of_device_id", "compatible");
	if (!by)
		by = platform_fits(w, driver, name);
	if (by) {
		w->driver = name;
		w->by = by;
	}
	return !by;
}

/* The struct subsys_private of a bus: struct bus_type had it in p; without that it is sought among
 * all buses, as bus_to_subsys() of drivers/base/bus.c does. */
struct subsys_search {
	struct target *t;
	uint64_t bus, private, found;
};

static bool is_subsys(uint64_t kobj, void *arg)
{
	struct subsys_search *q = arg;
	uint64_t off, bus;
	struct err ignored;

	if (!field_offset(q->t, "struct subsys_private", "subsys.kobj", &off, &ignored) ||
	    !field_u64(q->t, "struct subsys_private", kobj - off, "bus", &bus, &ignored) ||
	    bus != q->bus)
		return true;
	q->found = kobj - off;
	return false;
}

static bool subsys_of(struct target *t, uint64_t bus, uint64_t *ret, struct err *err)
{
	struct subsys_search q = { .t = t, .bus = bus };
	uint64_t kset, head, entry;

	if (field_u64(t, "struct bus_type", bus, "p", ret, err))
		return *ret != 0;
	if (!symbol_addr(t, "bus_kset", &kset) || !mem_ptr(t, kset, &kset, err) ||
	    !field_offset(t, "struct kset", "list", &head, err) ||
	    !field_offset(t, "struct kobject", "entry", &entry, err) ||
	    !list_each(t, kset + head, entry, "buses", is_subsys, &q, err))
		return false;
	*ret = q.found;
	return q.found != 0;
}

static const struct of_property *compatible_of(struct target *t, const struct device *d)
{
	const struct of_node *node;
	struct of_tree *tree;
	struct err ignored;

	if (!d->node || !of_live(t, &tree, &ignored))
		return NULL;
	node = of_by_addr(t, d->node);
	return node ? of_property(node, "compatible") : NULL;
}

static const char *platform_name(struct target *t, const struct device *d)
{
	static const char type[] = "struct platform_device";
	const char *name;
	struct err ignored;
	uint64_t off, at;

	if (strcmp(d->bus, "platform") != 0 || !field_offset(t, type, "dev", &off, &ignored) ||
	    !field_u64(t, type, d->addr - off, "name", &at, &ignored) || !at ||
	    !mem_str(t, at, ID_LENGTH, t->scratch, &name, &ignored))
		return NULL;
	return name;
}

const char *device_unbound(struct target *t, const struct device *d)
{
	struct driver_walk w = { .t = t, .d = d };
	uint64_t private, drivers, link;
	const char *first;
	struct err err;

	if (d->driver || d->waiting || !d->bus || !d->bus_type)
		return NULL;
	w.compatible = compatible_of(t, d);
	w.name = platform_name(t, d);
	/* how other buses match is theirs */
	if (!w.compatible && !w.name)
		return NULL;
	if (!subsys_of(t, d->bus_type, &private, &err) ||
	    !field_offset(t, "struct subsys_private", "klist_drivers.k_list", &drivers, &err) ||
	    !field_offset(t, "struct driver_private", "knode_bus.n_node", &link, &err) ||
	    !list_each(t, private + drivers, link, "drivers of a bus", driver_found, &w, &err))
		return NULL;
	if (w.driver)
		return arena_printf(t->scratch,
				    "driver '%s' takes '%s' and is not bound: its probe failed, or "
				    "it was unbound",
				    w.driver, w.by);
	if (w.lost || !w.name)
		return NULL;
	first = w.compatible ? of_string(w.compatible) : NULL;
	return arena_printf(t->scratch, "no driver that is registered takes '%s'",
			    first ? first : w.name);
}

/* ---- what the log has of it */

struct said_walk {
	struct target *t;
	const char *dict, *failed; /* what to look for */
	const char *last[DEVICE_SAID_MAX];
	size_t n;
};

/* Is there a line "KEY=value" in the dictionary? */
static bool dict_has(const struct log_message *m, const char *line)
{
	size_t n = strlen(line);

	for (size_t i = 0; m->dict && i + n <= m->dict_n; i++)
		if ((!i || m->dict[i - 1] == '\n') && !memcmp(m->dict + i, line, n) &&
		    (i + n == m->dict_n || m->dict[i + n] == '\n'))
			return true;
	return false;
}

static bool said(const struct log_message *m, void *arg)
{
	struct said_walk *w = arg;

	if (dict_has(m, w->dict) || memmem(m->text, m->n, w->failed, strlen(w->failed)))
		w->last[w->n++ % DEVICE_SAID_MAX] = arena_strndup(w->t->scratch, m->text, m->n);
	return true;
}

size_t device_said(struct target *t, const struct device *d, const char *const **ret)
{
	struct said_walk w = { .t = t };
	const char **kept, *in = d->cls ? d->cls : d->bus;
	struct err ignored;
	size_t n;

	*ret = NULL;
	/* set_dev_info() of drivers/base/core.c, whose room for the name is 48 bytes; those of
	 * network devices are numbers of theirs */
	if (!in || !strcmp(in, "net") || strlen(in) + strlen(d->name) > 45)
		return 0;
	w.dict = d->major ? arena_printf(t->scratch, "DEVICE=%c%u:%u",
					 strcmp(in, "block") != 0 ? 'c' : 'b', d->major, d->minor)
			  : arena_printf(t->scratch, "DEVICE=+%s:%s", in, d->name);
	/* really_probe() of drivers/base/dd.c, which names no device */
	w.failed = arena_printf(t->scratch, ": probe of %s failed with error ", d->name);
	if (!log_each(t, said, NULL, &w, &ignored) && !w.n)
		return 0;
	n = w.n < DEVICE_SAID_MAX ? w.n : DEVICE_SAID_MAX;
	kept = ARENA_ARRAY(t->scratch, const char *, n + 1);
	for (size_t i = 0; i < n; i++)
		kept[i] = w.last[(w.n - n + i) % DEVICE_SAID_MAX];
	*ret = kept;
	return n;
}
