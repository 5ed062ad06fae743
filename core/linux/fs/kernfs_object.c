/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What names of sysfs stand for: directories for kobjects and the structs that these are in, files
 * for attributes and their functions. */
#include <string.h>

#include "core/linux/fs/kernfs.h"
#include "core/types/shape.h"

#define NAME_MAX_BYTES 255
#define GROUPS_MAX 3 /* directories of an attribute group below that of the kobject */

/* The struct that a kobject of a type is in. */
static const struct {
	const char *ktype, *type, *member;
} owners[] = {
	{ "device_ktype", "struct device", "kobj" },
	{ "driver_ktype", "struct driver_private", "kobj" },
	{ "bus_ktype", "struct subsys_private", "subsys.kobj" },
	{ "class_ktype", "struct subsys_private", "subsys.kobj" },
	{ "module_ktype", "struct module_kobject", "kobj" },
	{ "slab_ktype", "struct kmem_cache", "kobj" },
	{ "blk_queue_ktype", "struct gendisk", "queue_kobj" }, /* 2bd85221a625 (v6.2) */
	{ "blk_queue_ktype", "struct request_queue", "kobj" },
	{ "blk_mq_hw_ktype", "struct blk_mq_hw_ctx", "kobj" },
	{ "netdev_queue_ktype", "struct netdev_queue", "kobj" },
	{ "rx_queue_ktype", "struct netdev_rx_queue", "kobj" },
	{ "irq_kobj_type", "struct irq_desc", "kobj" },
};

/* The struct that an attribute is in, by the function that shows any of a kobject type, or by the
 * operations of a file; and its members that have the functions of this one. */
static const struct {
	const char *by, *type, *show, *store;
} kinds[] = {
	{ "dev_attr_show", "struct device_attribute", "show", "store" },
	{ "kobj_attr_show", "struct kobj_attribute", "show", "store" },
	{ "drv_attr_show", "struct driver_attribute", "show", "store" },
	{ "bus_attr_show", "struct bus_attribute", "show", "store" },
	{ "class_attr_show", "struct class_attribute", "show", "store" },
	{ "module_attr_show", "struct module_attribute", "show", "store" },
	{ "queue_attr_show", "struct queue_sysfs_entry", "show", "store" },
	{ "queue_attr_show", "struct queue_sysfs_entry", "show_limit", "store_limit" },
	{ "slab_attr_show", "struct slab_attribute", "show", "store" },
	{ "blk_mq_hw_sysfs_show", "struct blk_mq_hw_ctx_sysfs_entry", "show", NULL },
	{ "netdev_queue_attr_show", "struct netdev_queue_attribute", "show", "store" },
	{ "rx_queue_attr_show", "struct rx_queue_attribute", "show", "store" },
	{ "sysfs_bin_", "struct bin_attribute", "read", "write" },
	/* beside those until all were constified, 97d06802d10a (v6.13) */
	{ "sysfs_bin_", "struct bin_attribute", "read_new", "write_new" },
};

/* Does the kobject at addr know this directory as its own? That proves that it is one. */
static bool is_kobject(struct target *t, uint64_t addr, uint64_t node)
{
	struct err ignored;
	uint64_t sd;

	return addr && field_u64(t, "struct kobject", addr, "sd", &sd, &ignored) && sd == node;
}

/* The kobject of a directory, or of the nearest one above: a group of attributes has a directory
 * that no kobject knows. */
static uint64_t kobject_of(struct target *t, const struct kernfs_node *n, struct arena *a)
{
	struct kernfs_node at = *n;
	struct err ignored;

	for (int i = 0; i < GROUPS_MAX; i++) {
		if (!strcmp(at.type, "DIR") && is_kobject(t, at.priv, at.addr))
			return at.priv;
		if (!at.parent || !kernfs_read(t, at.parent, a, &at, &ignored))
			break;
	}
	return 0;
}

/* A symbol's name at exactly this address; NULL: none is there. */
static const char *name_at(struct target *t, uint64_t addr, struct arena *a)
{
	const char *text = addr ? symbol_text(t, addr, a) : NULL;

	return text && *text && !strchr(text, '+') ? text : NULL;
}

static bool is_named(const char *name, const char *wanted)
{
	size_t n = strlen(wanted);

	/* behind the name of a module's symbol stands the module */
	return name && !strncmp(name, wanted, n) && (!name[n] || name[n] == ' ');
}

static void owner_find(struct target *t, struct kernfs_object *o)
{
	struct err ignored;
	uint64_t off;

	for (size_t i = 0; i < ARRAY_SIZE(owners); i++)
		if (is_named(o->ktype, owners[i].ktype) &&
		    field_offset(t, owners[i].type, owners[i].member, &off, &ignored)) {
			o->type = owners[i].type;
			o->addr = o->kobject - off;
			return;
		}
}

static const char *function_of(struct target *t, const char *type, uint64_t attribute,
			       const char *member, struct arena *a)
{
	struct err ignored;
	uint64_t at;

	return member && field_u64(t, type, attribute, member, &at, &ignored) ? name_at(t, at, a)
									      : NULL;
}

/* A file's own data are its attribute, which has the file's name. */
static bool attribute_is(struct target *t, const struct kernfs_node *n, struct arena *a)
{
	const char *text;
	struct err ignored;
	uint64_t name;

	return n->priv && field_u64(t, "struct attribute", n->priv, "name", &name, &ignored) &&
	       mem_str(t, name, NAME_MAX_BYTES, a, &text, &ignored) && !strcmp(text, n->name);
}

static void attribute_find(struct target *t, const struct kernfs_node *n, uint64_t ktype,
			   struct arena *a, struct kernfs_object *o)
{
	const char *by = name_at(t, n->ops, a), *text;
	struct err ignored;
	uint64_t at;

	if (!attribute_is(t, n, a))
		return;
	o->attribute = n->priv;
	o->attribute_type = "struct attribute";
	if (by && !strncmp(by, "sysfs_bin_", 10))
		by = "sysfs_bin_";
	else if (field_u64(t, "struct kobj_type", ktype, "sysfs_ops", &at, &ignored) && at &&
		 field_u64(t, "struct sysfs_ops", at, "show", &at, &ignored))
		by = name_at(t, at, a);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!is_named(by, kinds[i].by))
			continue;
		o->attribute_type = kinds[i].type;
		text = function_of(t, kinds[i].type, n->priv, kinds[i].show, a);
		o->show = o->show ? o->show : text;
		text = function_of(t, kinds[i].type, n->priv, kinds[i].store, a);
		o->store = o->store ? o->store : text;
	}
}

bool kernfs_object_read(struct target *t, const struct kernfs_node *n, struct arena *a,
			struct kernfs_object *ret, struct err *err)
{
	struct err ignored;
	uint64_t ktype, kn;

	*ret = (struct kernfs_object){ .kobject = 0 };
	if (n->target)
		return true;
	/* a control group knows its directory, too */
	if (!strcmp(n->type, "DIR") && n->priv &&
	    field_u64(t, "struct cgroup", n->priv, "kn", &kn, &ignored) && kn == n->addr) {
		ret->type = "struct cgroup";
		ret->addr = n->priv;
		return true;
	}
	ret->kobject = kobject_of(t, n, a);
	if (!ret->kobject)
		return true;
	if (!field_u64(t, "struct kobject", ret->kobject, "ktype", &ktype, err))
		return err_wrap(err, "kobject 0x%llx", (unsigned long long)ret->kobject);
	ret->ktype = name_at(t, ktype, a);
	owner_find(t, ret);
	if (!strcmp(n->type, "FILE"))
		attribute_find(t, n, ktype, a, ret);
	return true;
}
