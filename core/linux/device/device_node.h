/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices and the device tree. */
#ifndef OBIT_DEVICE_NODE_H
#define OBIT_DEVICE_NODE_H

#include "core/linux/device/device.h"
#include "core/linux/of/of.h"

/* Finds the devices that stand for nodes of the live tree, for device_of_node(); the second call
 * does nothing. What is broken is noted in the tree. */
void devices_of_tree(struct target *t, struct of_tree *tree);
/* Sets *ret to the device that a person's word means: by its name, its path with or without /sys,
 * the path of its node, or its address. ERR_NOTFOUND. */
bool device_find(struct target *t, const char *word, const struct device **ret,
		 struct err *err) MUST_CHECK;

#endif
