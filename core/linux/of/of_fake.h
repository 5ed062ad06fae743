/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests and fuzzing: the types and variables of a kernel with a device tree. */
#ifndef OBIT_OF_FAKE_H
#define OBIT_OF_FAKE_H

#include "core/linux/kernel_fake.h"
#include "core/linux/of/of.h"

/* Offsets in the structs as made below. */
#define FN_FULL_NAME 0
#define FN_PHANDLE 8
#define FN_PROPERTIES 16
#define FN_PARENT 24
#define FN_CHILD 32
#define FN_SIBLING 40
#define FN_DEV 48
#define FP_NAME 0
#define FP_LENGTH 8
#define FP_VALUE 16
#define FP_NEXT 24
#define FD_NAME 0
#define FD_ENTRY 8
#define FD_DRIVER 32
#define FD_NODE 40
#define FD_INIT_NAME 48
#define FO_ID 0
#define FO_STATE 4
#define FO_LIST 8
#define FO_COUNT 24
#define FO_FRAGMENTS 32
#define FO_ENTRIES 40
#define FE_LINK 0
#define FE_ACTION 16
#define FE_NODE 24
#define FE_PROP 32
#define FE_OLD 40
#define FK_OF_ROOT KERNEL_BASE
#define FK_DEVICES (KERNEL_BASE + 8)
#define FK_BLOB (KERNEL_BASE + 16)
#define FK_OVERLAYS (KERNEL_BASE + 24)
#define FK_SUSPECT (KERNEL_BASE + 40)

static inline void of_fake_overlays(struct fake_kernel *k, const struct type *list)
{
	struct type *ovcs = kernel_struct(k, "overlay_changeset", 56), *set, *entry, *fragment;

	set = kernel_struct(k, "of_changeset", 16);
	kernel_member(set, "entries", list, 0);
	kernel_member(ovcs, "id", &k->s32, FO_ID);
	kernel_member(ovcs, "notify_state", &k->u32, FO_STATE);
	kernel_member(ovcs, "ovcs_list", list, FO_LIST);
	kernel_member(ovcs, "count", &k->s32, FO_COUNT);
	kernel_member(ovcs, "fragments", &k->ptr, FO_FRAGMENTS);
	kernel_member(ovcs, "cset", set, FO_ENTRIES);
	entry = kernel_struct(k, "of_changeset_entry", 48);
	kernel_member(entry, "node", list, FE_LINK);
	kernel_member(entry, "action", &k->u64, FE_ACTION);
	kernel_member(entry, "np", &k->ptr, FE_NODE);
	kernel_member(entry, "prop", &k->ptr, FE_PROP);
	kernel_member(entry, "old_prop", &k->ptr, FE_OLD);
	fragment = kernel_struct(k, "fragment", 16);
	kernel_member(fragment, "overlay", &k->ptr, 0);
	kernel_member(fragment, "target", &k->ptr, 8);
	kernel_symbol(k, "ovcs_list", FK_OVERLAYS);
	kernel_symbol(k, "devicetree_state_flags", FK_SUSPECT);
}

static inline void of_fake_init(struct fake_kernel *k)
{
	struct type *node, *prop, *device, *kobj, *fwnode, *kset, *driver, *list;

	kernel_init(k);
	list = kernel_list_type(k);
	fwnode = kernel_struct(k, "fwnode_handle", 8);
	kernel_member(fwnode, "dev", &k->ptr, 0);
	node = kernel_struct(k, "device_node", 56);
	kernel_member(node, "full_name", &k->ptr, FN_FULL_NAME);
	kernel_member(node, "phandle", &k->u32, FN_PHANDLE);
	kernel_member(node, "properties", &k->ptr, FN_PROPERTIES);
	kernel_member(node, "parent", &k->ptr, FN_PARENT);
	kernel_member(node, "child", &k->ptr, FN_CHILD);
	kernel_member(node, "sibling", &k->ptr, FN_SIBLING);
	kernel_member(node, "fwnode", fwnode, FN_DEV);
	prop = kernel_struct(k, "property", 32);
	kernel_member(prop, "name", &k->ptr, FP_NAME);
	kernel_member(prop, "length", &k->s32, FP_LENGTH);
	kernel_member(prop, "value", &k->ptr, FP_VALUE);
	kernel_member(prop, "next", &k->ptr, FP_NEXT);
	kobj = kernel_struct(k, "kobject", 32);
	kernel_member(kobj, "name", &k->ptr, 0);
	kernel_member(kobj, "entry", list, 8);
	kernel_member(kobj, "parent", &k->ptr, 24);
	device = kernel_struct(k, "device", 56);
	kernel_member(device, "kobj", kobj, 0);
	kernel_member(device, "driver", &k->ptr, FD_DRIVER);
	kernel_member(device, "of_node", &k->ptr, FD_NODE);
	kernel_member(device, "init_name", &k->ptr, FD_INIT_NAME);
	kset = kernel_struct(k, "kset", 16);
	kernel_member(kset, "list", list, 0);
	driver = kernel_struct(k, "device_driver", 8);
	kernel_member(driver, "name", &k->ptr, 0);
	of_fake_overlays(k, list);
	kernel_symbol(k, "of_root", FK_OF_ROOT);
	kernel_symbol(k, "devices_kset", FK_DEVICES);
	kernel_symbol(k, "initial_boot_params", FK_BLOB);
}

#endif
