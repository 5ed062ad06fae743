/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files about file systems share with each other. */
#ifndef OBIT_VFS_IMPL_H
#define OBIT_VFS_IMPL_H

#include "core/linux/fs/vfs.h"
#include "core/types/shape.h"

enum {
	DENTRY_PARENT,
	DENTRY_NAME,
	DENTRY_INODE,
	DENTRY_HASH
};
extern const struct shape dentry_shape;

#endif
