/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Superblocks, their inodes, the names below a directory, and paths looked up among them. Names are
 * what the kernel remembered: a directory on a disk may hold more. */
#ifndef OBIT_LINUX_DCACHE_H
#define OBIT_LINUX_DCACHE_H

#include "core/linux/fs/vfs.h"

struct superblock {
	uint64_t addr;    /* struct super_block */
	uint64_t root;    /* struct dentry; 0: it is being taken down */
	const char *type; /* "ext4" */
	const char *id;   /* "vda1" */
	/* struct mount: the first one that init sees, else one that any task sees; 0: none */
	uint64_t mount;
	const char *path; /* where it is mounted; NULL: nowhere, it is the kernel's own */
	bool read_only;
};
/* Calls fn for every superblock, until fn returns false. Strings live in the arena. flaw(), which
 * may be NULL, is told what cannot be read. */
bool superblocks_each(struct target *t, struct arena *a,
		      bool (*fn)(const struct superblock *s, void *arg),
		      void (*flaw)(const struct err *e, void *arg), void *arg,
		      struct err *err) MUST_CHECK;

struct vfs_inode {
	uint64_t addr, sb, number;
	const char *type; /* as struct vfs_open has it */
	uint64_t mode, size, links, uses, state;
	uint64_t dentry; /* struct dentry of its first name; 0: no name is in memory */
	uint64_t wb;     /* struct bdi_writeback that keeps it; 0: none, or not in this kernel */
	bool listed;     /* it is in one of the lists of writeback, for inode_dirty() */
};
bool inode_read(struct target *t, uint64_t addr, struct vfs_inode *ret, struct err *err) MUST_CHECK;
enum inode_dirt {
	INODE_CLEAN,
	INODE_DIRTY, /* it is in one of the lists of what writeback is to write */
	INODE_UNSURE
};
/* Sets *ret, also when it returns false: the list of clean inodes of its writeback is broken, which
 * is said once, of the first inode that is asked for. */
bool inode_dirty(struct target *t, const struct vfs_inode *i, enum inode_dirt *ret,
		 struct err *err) MUST_CHECK;
/* Calls fn with the address of each inode of a superblock, until fn returns false. */
bool inodes_each(struct target *t, uint64_t sb, bool (*fn)(uint64_t inode, void *arg),
		 void (*flaw)(const struct err *e, void *arg), void *arg,
		 struct err *err) MUST_CHECK;
/* Sets *ret to the path of an inode's first name as it is seen through `mount`, or, when that is 0,
 * from the root of its superblock. *ret NULL: no name is in memory. */
bool inode_path(struct target *t, const struct vfs_inode *i, uint64_t mount, struct arena *a,
		const char **ret, struct err *err) MUST_CHECK;

struct vfs_dentry {
	uint64_t addr, parent;
	uint64_t inode;   /* 0: the kernel remembers that there is no such file */
	bool deleted;     /* it is in no directory any more, but still in use */
	const char *name; /* in the arena */
};
bool dentry_read(struct target *t, uint64_t addr, struct arena *a, struct vfs_dentry *ret,
		 struct err *err) MUST_CHECK;
/* Calls fn for each dentry in a directory, until fn returns false. */
bool dentries_each(struct target *t, uint64_t dir, struct arena *a,
		   bool (*fn)(const struct vfs_dentry *d, void *arg),
		   void (*flaw)(const struct err *e, void *arg), void *arg,
		   struct err *err) MUST_CHECK;

/* A place in the tree of all mounts. */
struct vfs_place {
	uint64_t mount, dentry; /* struct mount, struct dentry */
};
/* Sets *ret to what the path leads to for a task, by what the kernel has in memory. Symbolic links
 * are followed, also at the path's end. ERR_NOTFOUND: it is not in memory, or does not exist. */
bool vfs_lookup(struct target *t, uint64_t task, const char *path, struct arena *a,
		struct vfs_place *ret, struct err *err) MUST_CHECK;

#endif
