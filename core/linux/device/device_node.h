/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices and the device tree. */
#ifndef OBIT_DEVICE_NODE_H
#define OBIT_DEVICE_NODE_H

#include "core/linux/device/device.h"
#include "core/linux/of/of.h"

/* Finds the devices of the live tree's nodes, once, for device_of_node(); what is broken is noted
 * in the tree. */
void devices_of_tree(struct target *t, struct of_tree *tree);
/* By name, path (with or without /sys), node's path or address, as a person types them.
 * ERR_NOTFOUND. */
bool device_find(struct target *t, const char *word, const struct device **ret,
		 struct err *err) MUST_CHECK;

#endif
