/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every registered device, from devices_kset of drivers/base/core.c. */
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/container/list.h"
#include "core/linux/linux.h"
#include "core/types/shape.h"
#include "core/base/guard.h"
#include "core/linux/device/device.h"

#define DEVICES_MAX 1000000u
#define NAME_LENGTH 256u
#define PATH_DEPTH 64u

enum {
	DEV_NAME,
	DEV_INIT_NAME,
	DEV_KOBJ_PARENT,
	DEV_PARENT,
	DEV_PRIVATE,
	DEV_BUS,
	DEV_DRIVER,
	DEV_NODE,
	DEV_DEVT,
	DEV_CLASS,
	DEV_FIELDS
};
static const struct shape_field device_fields[DEV_FIELDS] = {
	[DEV_NAME] = FIELD("kobj.name"),
	[DEV_INIT_NAME] = FIELD("init_name"),
	[DEV_KOBJ_PARENT] = FIELD("kobj.parent"),
	[DEV_PARENT] = FIELD("parent"),
	[DEV_PRIVATE] = FIELD("p"),
	[DEV_BUS] = FIELD("bus"),
	[DEV_DRIVER] = FIELD("driver"),
	[DEV_NODE] = FIELD("of_node"),
	[DEV_DEVT] = FIELD("devt"),
	[DEV_CLASS] = FIELD("class"),
};
static const struct shape device_shape = SHAPE("struct device", device_fields);

struct device_state {
	bool tried, ok;
	struct err err, why;
	VEC(struct device *) all;
	struct map by_addr; /* struct device -> index + 1 */
	struct map by_node; /* struct device_node -> struct device *, the first of it */
	struct map names;   /* struct bus_type, driver, class -> const char * */
	struct map paths;   /* struct kobject -> const char * */
};

static struct device_state *state_of(struct target *t)
{
	void **cell = &t->linux_state->of[LINUX_DEVICE];

	if (!*cell)
		*cell = ARENA_NEW(&t->arena, struct device_state);
	return *cell;
}

void linux_device_release(struct target *t)
{
	struct device_state *st = t->linux_state->of[LINUX_DEVICE];

	if (!st)
		return;
	vec_release(&st->all);
	map_release(&st->by_addr);
	map_release(&st->by_node);
	map_release(&st->names);
	map_release(&st->paths);
}

/* The name of a bus, a driver or a class: many devices share each. */
static const char *name_of(struct target *t, struct device_state *st, const char *type,
			   uint64_t addr, struct err *why)
{
	uint64_t *known, name;
	const char *s;
	struct err e;
	bool isnew;

	if (!addr)
		return NULL;
	known = map_put(&st->names, addr, &isnew);
	if (!isnew)
		return (const char *)(uintptr_t)*known;
	if (!field_u64(t, type, addr, "name", &name, &e) ||
	    !mem_str(t, name, NAME_LENGTH, &t->arena, &s, &e)) {
		err_wrap(&e, "'%s' 0x%llx", type, (unsigned long long)addr);
		*why = e;
		s = "?";
	}
	*known = (uintptr_t)s;
	return s;
}

/* "/devices/platform/9000000.pl011": the names of the kobjects above, as sysfs has them. */
static const char *path_of(struct target *t, struct device_state *st, uint64_t kobj, unsigned depth,
			   struct err *why)
{
	uint64_t *known, name, parent;
	const char *s, *above = "";
	struct err e;
	bool isnew;

	if (!kobj)
		return "";
	if (depth > PATH_DEPTH) {
		err_set_addr(why, ERR_CORRUPT, kobj, "its kobject's parents have no end");
		return "?";
	}
	known = map_get(&st->paths, kobj);
	if (known)
		return (const char *)(uintptr_t)*known;
	if (!field_u64(t, "struct kobject", kobj, "name", &name, &e) ||
	    !field_u64(t, "struct kobject", kobj, "parent", &parent, &e) ||
	    !mem_str(t, name, NAME_LENGTH, &t->arena, &s, &e)) {
		*why = e;
		return "?";
	}
	above = path_of(t, st, parent, depth + 1, why);
	s = arena_printf(&t->arena, "%s/%s", above, s);
	known = map_put(&st->paths, kobj, &isnew);
	*known = (uintptr_t)s;
	return s;
}

static void device_name_of(struct target *t, const struct shaped *s, struct device *d)
{
	uint64_t name = 0;
	struct err e;

	/* dev_name(): init_name until the device is registered */
	d->name = "?";
	if (!(shaped_u64(s, DEV_INIT_NAME, &name, &e) && name) &&
	    !shaped_u64(s, DEV_NAME, &name, &e))
		d->why = e;
	else if (name && !mem_str(t, name, NAME_LENGTH, &t->arena, &d->name, &e)) {
		d->name = "?";
		d->why = e;
	}
}

/* drivers/base/dd.c: the reason is the driver's own words, or none. */
static void read_reason(struct target *t, struct device *d, uint64_t private)
{
	uint64_t text;
	struct err ignored, e;

	if (!private ||
	    !field_u64(t, "struct device_private", private, "deferred_probe_reason", &text,
		       &ignored) ||
	    !text)
		return;
	if (!mem_str(t, text, NAME_LENGTH, &t->arena, &d->reason, &e)) {
		d->why = e;
	} else {
		size_t n = strlen(d->reason);

		/* "supplier 9.foo not ready\n" */
		if (n && d->reason[n - 1] == '\n')
			d->reason = arena_strndup(&t->arena, d->reason, n - 1);
	}
}

struct device_walk {
	struct target *t;
	struct device_state *st;
	uint64_t kobj; /* offset in struct device */
};

/* False: nothing of it can be read. */
static bool device_read(struct device_walk *w, uint64_t addr, struct device *d)
{
	struct target *t = w->t;
	uint64_t devt, private;
	struct shaped s;
	struct err e;

	d->addr = addr;
	if (!shape_read(t, &device_shape, addr, &s, &e)) {
		d->why = e;
		d->name = d->path = "?";
		return false;
	}
	device_name_of(t, &s, d);
	d->bus_type = shaped_u64_or(&s, DEV_BUS, 0);
	d->bus = name_of(t, w->st, "struct bus_type", d->bus_type, &d->why);
	d->driver = name_of(t, w->st, "struct device_driver", shaped_u64_or(&s, DEV_DRIVER, 0),
			    &d->why);
	d->cls = name_of(t, w->st, "struct class", shaped_u64_or(&s, DEV_CLASS, 0), &d->why);
	d->parent = shaped_u64_or(&s, DEV_PARENT, 0);
	d->node = shaped_u64_or(&s, DEV_NODE, 0);
	devt = shaped_u64_or(&s, DEV_DEVT, 0);
	/* include/linux/kdev_t.h */
	d->major = (uint32_t)devt >> 20;
	d->minor = (uint32_t)devt & 0xfffff;
	private = shaped_u64_or(&s, DEV_PRIVATE, 0);
	read_reason(t, d, private);
	d->path = path_of(t, w->st, addr + w->kobj, 0, &d->why);
	return true;
}

/* Behind those of its node before it, but before them when it alone has a driver. */
static void node_put(struct device_state *st, uint64_t node, struct device *d)
{
	uint64_t *known = map_put(&st->by_node, node, NULL);
	struct device *at = (struct device *)(uintptr_t)*known, *before = NULL;

	for (; at && (!d->driver || at->driver); at = at->of_node)
		before = at;
	d->of_node = at;
	if (before)
		before->of_node = d;
	else
		*known = (uintptr_t)d;
}

static bool device_found(uint64_t addr, void *arg)
{
	struct device_walk *w = arg;
	struct device *d = ARENA_NEW(&w->t->arena, struct device);

	*vec_push(&w->st->all) = d;
	*map_put(&w->st->by_addr, addr, NULL) = w->st->all.n;
	if (device_read(w, addr, d) && d->node)
		node_put(w->st, d->node, d);
	return w->st->all.n < DEVICES_MAX;
}

static bool waiting_found(uint64_t private, void *arg)
{
	struct device_walk *w = arg;
	const uint64_t *i;
	uint64_t dev;
	struct err ignored;

	if (field_u64(w->t, "struct device_private", private, "device", &dev, &ignored)) {
		i = map_get(&w->st->by_addr, dev);
		if (i)
			w->st->all.p[*i - 1]->waiting = true;
	}
	return true;
}

/* Who waits for what it needs, and who was just let loose again: they are two lists. */
static void read_waiting(struct device_walk *w)
{
	static const char *const lists[] = { "deferred_probe_pending_list",
					     "deferred_probe_active_list" };
	uint64_t head, off;
	struct err err;

	if (!field_offset(w->t, "struct device_private", "deferred_probe", &off, &err))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		if (symbol_addr(w->t, lists[i], &head) &&
		    !list_each(w->t, head, off, "devices that wait for their probe", waiting_found,
			       w, &err) &&
		    w->st->why.code == ERR_OK)
			w->st->why = err;
}

static void link_children(struct device_state *st)
{
	for (size_t i = st->all.n; i > 0; i--) {
		struct device *d = st->all.p[i - 1];
		const uint64_t *up = d->parent ? map_get(&st->by_addr, d->parent) : NULL;
		struct device *parent;

		if (!up || *up == i)
			continue;
		parent = st->all.p[*up - 1];
		d->next = parent->first_kid;
		parent->first_kid = i;
		parent->children++;
	}
}

static bool read_devices(struct target *t, struct device_state *st, struct err *err)
{
	struct device_walk w = { .t = t, .st = st };
	uint64_t at, kset, head, entry;
	struct err e;

	if (!symbol_addr(t, "devices_kset", &at))
		return err_set(err, ERR_NOSYM, "no symbol 'devices_kset'");
	if (!mem_ptr(t, at, &kset, err) || !field_offset(t, "struct kset", "list", &head, err) ||
	    !field_offset(t, "struct device", "kobj", &w.kobj, err) ||
	    !field_offset(t, "struct device", "kobj.entry", &entry, err))
		return false;
	if (!list_each(t, kset + head, entry, "devices", device_found, &w, &e)) {
		st->why = e;
		if (!st->all.n) {
			*err = e;
			return false;
		}
	}
	read_waiting(&w);
	link_children(st);
	return true;
}

bool devices_all(struct target *t, const struct device *const **ret, size_t *n, struct err *why,
		 struct err *err)
{
	struct device_state *st = state_of(t);

	if (!st->tried) {
		st->tried = true;
		st->ok = read_devices(t, st, &st->err);
		if (!st->ok)
			err_wrap(&st->err, "devices");
	}
	if (!st->ok) {
		*err = st->err;
		return false;
	}
	*ret = (const struct device *const *)st->all.p;
	*n = st->all.n;
	*why = st->why;
	return true;
}

const struct device *device_at(struct target *t, uint64_t addr)
{
	const struct device *const *all;
	const uint64_t *i;
	struct err ignored;
	size_t n;

	if (!devices_all(t, &all, &n, &ignored, &ignored))
		return NULL;
	i = map_get(&state_of(t)->by_addr, addr);
	return i ? all[*i - 1] : NULL;
}

const struct device *device_of_node(struct target *t, uint64_t node)
{
	const uint64_t *d = node ? map_get(&state_of(t)->by_node, node) : NULL;

	return d ? (const struct device *)(uintptr_t)*d : NULL;
}

void device_of_node_add(struct target *t, uint64_t node, uint64_t addr)
{
	struct device_walk w = { .t = t, .st = state_of(t) };
	struct device *d;
	struct err ignored;

	if (!field_offset(t, "struct device", "kobj", &w.kobj, &ignored))
		return;
	d = ARENA_NEW(&t->arena, struct device);
	if (device_read(&w, addr, d))
		node_put(w.st, node, d);
}
