/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a file system remembers of its own errors, whatever the log still has of them. */
#ifndef OBIT_FS_ERROR_H
#define OBIT_FS_ERROR_H

#include "core/linux/fs/dcache.h"

/* Sets *ret to the errors of a file system in words, in the arena: "its journal was aborted (errno
 * 5)"; NULL: it remembers none, or is of a kind that remembers none. False: what it remembers
 * cannot be read, as without the types of its module. Known are ext4 with its journal, XFS and
 * btrfs. */
bool superblock_error(struct target *t, const struct superblock *sb, struct arena *a,
		      const char **ret, struct err *err) MUST_CHECK;
/* Looks for the types of that kind of file system wherever they may stand, which takes long in
 * debug information: for who asks superblock_error() again after it failed with ERR_NOTYPE. */
void superblock_error_types(struct target *t, const char *fs);

#endif
