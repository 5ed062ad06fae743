/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Superblocks, their inodes, the names below a directory, and paths looked up among them. Names are
 * what the kernel remembered: a directory on a disk may hold more. */
#ifndef OBIT_LINUX_DCACHE_H
#define OBIT_LINUX_DCACHE_H

#include "core/linux/fs/vfs.h"

struct superblock {
	uint64_t addr, root; /* struct super_block; struct dentry, 0: it is being taken down */
	const char *type;    /* "ext4" */
	const char *id;      /* "vda1" */
	uint64_t mount;      /* struct mount: the first that init sees, or else any task; 0: none */
	const char *path;    /* where that is; NULL: the kernel's own, mounted nowhere */
	bool read_only;
};
/* Strings live in the arena. What of one cannot be read is told to flaw (may be NULL). */
bool superblocks_each(struct target *t, struct arena *a,
		      bool (*fn)(const struct superblock *s, void *arg),
		      void (*flaw)(const struct err *e, void *arg), void *arg,
		      struct err *err) MUST_CHECK;

struct vfs_inode {
	uint64_t addr, sb, number;
	const char *type; /* as struct vfs_open's */
	uint64_t mode, size, links, uses, state;
	uint64_t dentry; /* the first of its names; 0: none is remembered */
};
bool inode_read(struct target *t, uint64_t addr, struct vfs_inode *ret, struct err *err) MUST_CHECK;
/* The addresses of a superblock's inodes. */
bool inodes_each(struct target *t, uint64_t sb, bool (*fn)(uint64_t inode, void *arg),
		 void (*flaw)(const struct err *e, void *arg), void *arg,
		 struct err *err) MUST_CHECK;
/* An inode's path by its first name, through a mount of its superblock (0: from the superblock's
 * own root); NULL: no name is remembered. */
bool inode_path(struct target *t, const struct vfs_inode *i, uint64_t mount, struct arena *a,
		const char **ret, struct err *err) MUST_CHECK;

struct vfs_dentry {
	uint64_t addr, parent;
	uint64_t inode;   /* 0: it is known that there is no such file */
	bool deleted;     /* in no directory any more, and still in use */
	const char *name; /* in the arena */
};
bool dentry_read(struct target *t, uint64_t addr, struct arena *a, struct vfs_dentry *ret,
		 struct err *err) MUST_CHECK;
/* Those below a directory. */
bool dentries_each(struct target *t, uint64_t dir, struct arena *a,
		   bool (*fn)(const struct vfs_dentry *d, void *arg),
		   void (*flaw)(const struct err *e, void *arg), void *arg,
		   struct err *err) MUST_CHECK;

/* A place in the tree of all mounts. */
struct vfs_place {
	uint64_t mount, dentry; /* struct mount, struct dentry */
};
/* What a task calls by this path; symbolic links are followed where the kernel remembered them, a
 * last one too. ERR_NOTFOUND: it was not remembered, or there is none. */
bool vfs_lookup(struct target *t, uint64_t task, const char *path, struct arena *a,
		struct vfs_place *ret, struct err *err) MUST_CHECK;

#endif
