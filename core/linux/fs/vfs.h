/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mounts, open files, and the names that things have in the tree of all file systems. */
#ifndef OBIT_LINUX_VFS_H
#define OBIT_LINUX_VFS_H

#include "core/image/target.h"

/* Sets *ret to the name of a dentry on a mount, from the root of all mounts, as /proc/PID/fd has
 * it:
 * "/etc/passwd", "/tmp/x (deleted)", "pipe:[7058]", "socket:[7060]", "anon_inode:[eventfd]". When
 * the way up to the root cannot be read, the name begins with "...". In the arena. */
bool vfs_path(struct target *t, uint64_t vfsmount, uint64_t dentry, struct arena *a,
	      const char **ret, struct err *err) MUST_CHECK;
/* The same for a struct file. */
bool vfs_file_path(struct target *t, uint64_t file, struct arena *a, const char **ret,
		   struct err *err) MUST_CHECK;

struct vfs_mount {
	uint64_t addr, sb;  /* struct mount, struct super_block */
	const char *type;   /* "ext4", "fuse.sshfs" */
	const char *device; /* "/dev/vda1", "none" */
	const char *path;   /* where it is mounted */
	uint64_t flags;     /* MNT_*, include/linux/mount.h */
	bool read_only;
};
/* Calls fn for each mount of a task's namespace, in the order of /proc/PID/mounts, until fn returns
 * false. Strings live in the arena. flaw(), which may be NULL, is told what cannot be read. */
bool vfs_mounts(struct target *t, uint64_t task, struct arena *a,
		bool (*fn)(const struct vfs_mount *m, void *arg),
		void (*flaw)(const struct err *e, void *arg), void *arg,
		struct err *err) MUST_CHECK;

struct vfs_open {
	unsigned fd;
	uint64_t file, dentry, inode; /* inode 0: none */
	uint64_t mount;               /* struct vfsmount that it was opened through */
	const char *type; /* "REG", "DIR", "CHR", "BLK", "FIFO", "SOCK", "LNK", "UNKN" */
	const char *path;
};
/* Fills in the rest of *f of the struct file that it names; f->fd stays. */
bool vfs_open_read(struct target *t, struct vfs_open *f, struct arena *a,
		   struct err *err) MUST_CHECK;
/* The type that an inode's mode says it is: "REG", "DIR", ... */
const char *vfs_type_name(uint64_t mode);
/* Calls fn for each open file of a task, by its number; a kernel thread has none. */
bool vfs_files(struct target *t, uint64_t task, struct arena *a,
	       bool (*fn)(const struct vfs_open *f, void *arg),
	       void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err) MUST_CHECK;
/* Sets *root and *cwd to the names of a task's root and current directory; NULL: it has none. */
bool vfs_places(struct target *t, uint64_t task, struct arena *a, const char **root,
		const char **cwd, struct err *err) MUST_CHECK;

/* ---- vma.c: areas of a task's memory */
struct vma {
	uint64_t addr; /* struct vm_area_struct */
	uint64_t start, end, flags, offset;
	char perms[5];    /* "rw-p" */
	uint64_t file;    /* 0: none */
	const char *name; /* its file's path, "[heap]", "[stack]", "[vdso]"; NULL: none */
};
/* Calls fn for each area of the mm_struct at mm, by address, until fn returns false. ERR_NOTFOUND:
 * mm is 0, as for a kernel thread. */
bool vma_each(struct target *t, uint64_t mm, struct arena *a,
	      bool (*fn)(const struct vma *v, void *arg),
	      void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err) MUST_CHECK;

#endif
