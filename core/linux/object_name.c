/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernel calls an object: a task's comm, a device's name, an inode's file system. */
#include <string.h>

#include "core/image/target.h"
#include "core/linux/object_name.h"
#include "core/types/value.h"

#define NAME_MAX_LEN 64

/* Structs that have a name of their own, and where: paths of members, the first that this kernel
 * has and that is text. */
static const struct {
	const char *type, *paths[2];
} named[] = {
	{ "bpf_map", { "name" } },
	{ "bpf_prog", { "aux->name" } },
	{ "bus_type", { "name" } },
	{ "class", { "name" } },
	{ "clk_core", { "name" } },
	{ "clocksource", { "name" } },
	{ "dentry", { "d_name.name" } },
	{ "device", { "kobj.name", "init_name" } },
	{ "device_driver", { "name" } },
	{ "device_node", { "full_name" } },
	{ "file", { "f_path.dentry->d_name.name" } },
	{ "file_system_type", { "name" } },
	{ "gendisk", { "disk_name" } },
	{ "generic_pm_domain", { "name" } },
	{ "irq_chip", { "name" } },
	{ "irqaction", { "name" } },
	{ "kernfs_node", { "name" } },
	{ "kmem_cache", { "name" } },
	{ "kobject", { "name" } },
	{ "module", { "name" } },
	{ "net_device", { "name" } },
	{ "proc_dir_entry", { "name" } },
	{ "property", { "name" } },
	{ "resource", { "name" } },
	{ "super_block", { "s_id" } },
	{ "task_struct", { "comm" } },
	{ "trace_array", { "name" } },
	{ "workqueue_struct", { "name" } },
};

/* What is no text was no such object: a pointer may be of any value. */
static bool is_name(const char *s)
{
	size_t n = strlen(s);

	for (size_t i = 0; i < n; i++)
		if (s[i] < 0x20 || s[i] > 0x7e || s[i] == '"')
			return false;
	return n && n < NAME_MAX_LEN;
}

const char *object_name(struct target *t, const struct type *type, uint64_t addr)
{
	const struct type *in = type_strip(type);
	const char *s;
	struct value v;
	struct err ignored;

	/* all of these have pointers in them: what is not aligned has flags in its low bits, such
	 * as the owner of an rt_mutex */
	if (!addr || (addr & (t->arch->word - 1)) || in->kind != TYPE_STRUCT || !in->name)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(named); i++) {
		if (strcmp(named[i].type, in->name) != 0)
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(named[i].paths) && named[i].paths[k]; k++)
			if (value_member(t, value_ref(type, addr), named[i].paths[k], &v,
					 &ignored) &&
			    value_str(t, v, NAME_MAX_LEN, t->scratch, &s, &ignored) && is_name(s))
				return s;
		return NULL;
	}
	return NULL;
}
