/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of an inode. */
#ifndef OBIT_INODE_RECORD_H
#define OBIT_INODE_RECORD_H

#include "core/linux/fs/dcache.h"
#include "core/shell/command.h"

extern const struct record_kind inode_kind;
/* Its path is as it is seen through `mount`, a struct mount; 0: from the root of its file system.
 */
void emit_inode(struct ctx *c, const struct vfs_inode *i, uint64_t mount);

#endif
