/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernel calls one of its objects. */
#ifndef OBIT_OBJECT_NAME_H
#define OBIT_OBJECT_NAME_H

#include "core/image/target.h"

/* The name that the object of this type at addr has in the kernel: a task's comm, a device's name.
 * NULL: objects of this type have no name, or what is there is no text. In the scratch arena. */
const char *object_name(struct target *t, const struct type *type, uint64_t addr);

#endif
