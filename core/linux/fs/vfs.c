/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mounts, open files, and the names that things have in the tree of all file systems. */
#include <string.h>

#include "core/base/guard.h"
#include "core/types/shape.h"
#include "core/linux/fs/vfs_impl.h"
#include "core/linux/container/walk.h"

#define NAME_MAX_BYTES 255
#define PATH_BYTES 4096
#define FDS_MAX (1u << 20)
#define SB_RDONLY 1u       /* include/linux/fs.h */
#define BELOW_MAX 16u      /* mounts, one on another, below a task's root */
#define MNT_READONLY 0x40u /* include/linux/mount.h */
#define S_IFMT 0170000u

static const struct shape_field dentry_fields[] = {
	[DENTRY_PARENT] = FIELD("d_parent"),
	[DENTRY_NAME] = FIELD("d_name.name"),
	[DENTRY_INODE] = FIELD("d_inode"),
	[DENTRY_HASH] = FIELD("d_hash.pprev"),
};
const struct shape dentry_shape = SHAPE("struct dentry", dentry_fields);

enum {
	MOUNT_PARENT,
	MOUNT_POINT,
	MOUNT_ROOT,
	MOUNT_SB,
	MOUNT_FLAGS,
	MOUNT_DEVNAME
};
static const struct shape_field mount_fields[] = {
	[MOUNT_PARENT] = FIELD("mnt_parent"),   [MOUNT_POINT] = FIELD("mnt_mountpoint"),
	[MOUNT_ROOT] = FIELD("mnt.mnt_root"),   [MOUNT_SB] = FIELD("mnt.mnt_sb"),
	[MOUNT_FLAGS] = FIELD("mnt.mnt_flags"), [MOUNT_DEVNAME] = FIELD("mnt_devname"),
};
static const struct shape mount_shape = SHAPE("struct mount", mount_fields);

/* ---- names */

/* A path is made from its end. */
struct backwards {
	char text[PATH_BYTES];
	size_t at;
};

static void prepend(struct backwards *b, const char *s)
{
	size_t n = strlen(s);

	if (n > b->at)
		n = b->at;
	b->at -= n;
	memcpy(b->text + b->at, s, n);
}

/* The names from a dentry up to the root of all mounts, or of a tree that is mounted nowhere. */
static bool climb(struct target *t, uint64_t mount, uint64_t dentry, struct arena *a,
		  struct backwards *b, struct err *err)
{
	struct guard g;

	guard_init(&g, "path", 1000);
	for (;;) {
		uint64_t root = 0, above, point, parent, name;
		struct shaped m, d;
		const char *text;

		if (!guard_step(&g, dentry, err))
			return false;
		if (mount && (!shape_read(t, &mount_shape, mount, &m, err) ||
			      !shaped_u64(&m, MOUNT_ROOT, &root, err)))
			return false;
		if (mount && dentry == root) {
			if (!shaped_u64(&m, MOUNT_PARENT, &above, err) ||
			    !shaped_u64(&m, MOUNT_POINT, &point, err))
				return false;
			if (above == mount)
				return true;
			mount = above;
			dentry = point;
			continue;
		}
		if (!shape_read(t, &dentry_shape, dentry, &d, err) ||
		    !shaped_u64(&d, DENTRY_PARENT, &parent, err))
			return false;
		if (parent == dentry)
			return true;
		if (!shaped_u64(&d, DENTRY_NAME, &name, err) ||
		    !mem_str(t, name, NAME_MAX_BYTES, a, &text, err))
			return false;
		prepend(b, text);
		prepend(b, "/");
		dentry = parent;
	}
}

/* The type of the file system that a superblock is of. */
static bool fs_type(struct target *t, uint64_t sb, struct arena *a, const char **ret,
		    struct err *err)
{
	uint64_t type, name;

	return field_u64(t, "struct super_block", sb, "s_type", &type, err) &&
	       field_u64(t, "struct file_system_type", type, "name", &name, err) &&
	       mem_str(t, name, NAME_MAX_BYTES, a, ret, err);
}

/* Names of what is in no tree: pipes, sockets, and what has an inode for form's sake. *ret NULL:
 * it has a name like any other. */
static bool name_without_tree(struct target *t, uint64_t dentry, struct arena *a, const char **ret,
			      struct err *err)
{
	uint64_t sb, inode, number, name;
	const char *type, *text;

	*ret = NULL;
	if (!field_u64(t, "struct dentry", dentry, "d_sb", &sb, err) ||
	    !fs_type(t, sb, a, &type, err))
		return false;
	if (!strcmp(type, "pipefs") || !strcmp(type, "sockfs")) {
		if (!field_u64(t, "struct dentry", dentry, "d_inode", &inode, err) ||
		    !field_u64(t, "struct inode", inode, "i_ino", &number, err))
			return false;
		*ret = arena_printf(a, "%s:[%llu]", *type == 'p' ? "pipe" : "socket",
				    (unsigned long long)number);
	} else if (!strcmp(type, "anon_inodefs")) {
		if (!field_u64(t, "struct dentry", dentry, "d_name.name", &name, err) ||
		    !mem_str(t, name, NAME_MAX_BYTES, a, &text, err))
			return false;
		*ret = arena_printf(a, "anon_inode:%s", text);
	}
	return true;
}

/* Taken out of its directory: it is in no hash, and no root. */
static bool is_deleted(struct target *t, uint64_t dentry)
{
	uint64_t pprev, parent;
	struct shaped d;
	struct err err;

	return shape_read(t, &dentry_shape, dentry, &d, &err) &&
	       shaped_u64(&d, DENTRY_HASH, &pprev, &err) && !pprev &&
	       shaped_u64(&d, DENTRY_PARENT, &parent, &err) && parent != dentry;
}

/* An unlinked file of a tree that is mounted nowhere (memfd) is its own root, and not that of its
 * file system. */
static bool is_loose(struct target *t, uint64_t dentry, uint64_t root)
{
	uint64_t parent, sb, top;
	struct err err;

	return dentry != root && field_u64(t, "struct dentry", dentry, "d_parent", &parent, &err) &&
	       parent == dentry && field_u64(t, "struct dentry", dentry, "d_sb", &sb, &err) &&
	       !(field_u64(t, "struct super_block", sb, "s_root", &top, &err) && top == dentry);
}

bool vfs_path(struct target *t, uint64_t vfsmount, uint64_t dentry, struct arena *a,
	      const char **ret, struct err *err)
{
	struct backwards b = { .at = PATH_BYTES - 1 };
	uint64_t off, mount = 0, root = 0, name;
	const char *text;

	if (!name_without_tree(t, dentry, a, ret, err))
		return err_wrap(err, "dentry 0x%llx", (unsigned long long)dentry);
	if (*ret)
		return true;
	if (vfsmount && !field_offset(t, "struct mount", "mnt", &off, err))
		return false;
	if (vfsmount) {
		mount = vfsmount - off;
		if (!field_u64(t, "struct vfsmount", vfsmount, "mnt_root", &root, err))
			return err_wrap(err, "mount 0x%llx", (unsigned long long)mount);
	}
	if (is_loose(t, dentry, root)) {
		if (!field_u64(t, "struct dentry", dentry, "d_name.name", &name, err) ||
		    !mem_str(t, name, NAME_MAX_BYTES, a, &text, err))
			return false;
		/* fs/dcache.c names what was found without a path "/" (d_obtain_alias) */
		*ret = !strcmp(text, "/") ? "(unreachable)/"
					  : arena_printf(a, "/%s (deleted)", text);
		return true;
	}
	if (is_deleted(t, dentry))
		prepend(&b, " (deleted)");
	if (!climb(t, mount, dentry, a, &b, err)) {
		if (err->code == ERR_INTR || b.at == PATH_BYTES - 1)
			return err_wrap(err, "dentry 0x%llx", (unsigned long long)dentry);
		if (err_is_lack(err->code))
			target_lacks(t, err);
		prepend(&b, "...");
	}
	if (b.text[b.at] == '\0')
		prepend(&b, "/");
	*ret = arena_strdup(a, b.text + b.at);
	return true;
}

bool vfs_file_path(struct target *t, uint64_t file, struct arena *a, const char **ret,
		   struct err *err)
{
	uint64_t mnt, dentry;

	return field_u64(t, "struct file", file, "f_path.mnt", &mnt, err) &&
	       field_u64(t, "struct file", file, "f_path.dentry", &dentry, err) &&
	       vfs_path(t, mnt, dentry, a, ret, err);
}

/* ---- mounts */

struct mount_walk {
	struct target *t;
	struct arena *a;
	bool (*fn)(const struct vfs_mount *m, void *arg);
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
	struct err *err;
	uint64_t vfsmount_off;
	uint64_t below[BELOW_MAX]; /* mounts that the task's root covers */
	size_t n_below;
	bool ok;
};

/* In v7.2 a mount of nothing is the first of all, and what was the first lies on it. As in
 * /proc/PID/mounts there is nothing below the task's root. */
static void below_root(struct mount_walk *ms, uint64_t task)
{
	uint64_t fs, mount, parent, point, root;
	struct err ignored;

	if (!field_u64(ms->t, "struct task_struct", task, "fs", &fs, &ignored) || !fs ||
	    !field_u64(ms->t, "struct fs_struct", fs, "root.mnt", &mount, &ignored))
		return;
	for (mount -= ms->vfsmount_off; ms->n_below < BELOW_MAX; mount = parent) {
		if (!field_u64(ms->t, "struct mount", mount, "mnt_parent", &parent, &ignored) ||
		    parent == mount ||
		    !field_u64(ms->t, "struct mount", mount, "mnt_mountpoint", &point, &ignored) ||
		    !field_u64(ms->t, "struct mount", parent, "mnt.mnt_root", &root, &ignored) ||
		    point != root)
			return;
		ms->below[ms->n_below++] = parent;
	}
}

static bool mount_read(struct mount_walk *ms, uint64_t addr, struct vfs_mount *ret, struct err *err)
{
	struct target *t = ms->t;
	uint64_t root, device, sb_flags, subtype;
	struct shaped m;
	struct err why;

	*ret = (struct vfs_mount){ .addr = addr, .device = "none" };
	if (!shape_read(t, &mount_shape, addr, &m, err) ||
	    !shaped_u64(&m, MOUNT_SB, &ret->sb, err) ||
	    !shaped_u64(&m, MOUNT_FLAGS, &ret->flags, err) ||
	    !shaped_u64(&m, MOUNT_ROOT, &root, err) ||
	    !shaped_u64(&m, MOUNT_DEVNAME, &device, err) ||
	    (device && !mem_str(t, device, PATH_BYTES, ms->a, &ret->device, err)) ||
	    !fs_type(t, ret->sb, ms->a, &ret->type, err) ||
	    !field_u64(t, "struct super_block", ret->sb, "s_flags", &sb_flags, err) ||
	    !vfs_path(t, addr + ms->vfsmount_off, root, ms->a, &ret->path, err))
		return err_wrap(err, "mount 0x%llx", (unsigned long long)addr);
	ret->read_only = (sb_flags & SB_RDONLY) || (ret->flags & MNT_READONLY);
	if (field_u64(t, "struct super_block", ret->sb, "s_subtype", &subtype, &why) && subtype) {
		const char *text;

		if (mem_str(t, subtype, NAME_MAX_BYTES, ms->a, &text, &why))
			ret->type = arena_printf(ms->a, "%s.%s", ret->type, text);
	}
	return true;
}

static bool mount_found(uint64_t addr, void *arg)
{
	struct mount_walk *ms = arg;
	struct vfs_mount m;
	struct err why;

	for (size_t i = 0; i < ms->n_below; i++)
		if (ms->below[i] == addr)
			return true;
	if (mount_read(ms, addr, &m, &why))
		return ms->fn(&m, ms->arg);
	if (why.code == ERR_INTR || !ms->flaw) {
		*ms->err = why;
		ms->ok = false;
		return false;
	}
	ms->flaw(&why, ms->arg);
	return true;
}

static void mounts_flaw(const struct err *e, void *arg)
{
	const struct mount_walk *ms = arg;

	ms->flaw(e, ms->arg);
}

/* A list until 2eea9ce4310d (v6.8) made it a tree. */
bool vfs_mounts(struct target *t, uint64_t task, struct arena *a,
		bool (*fn)(const struct vfs_mount *m, void *arg),
		void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct mount_walk ms = {
		.t = t, .a = a, .fn = fn, .flaw = flaw, .arg = arg, .err = err, .ok = true
	};
	struct walk_plan w = {
		.what = "mounts", .node = mount_found, .flaw = flaw ? mounts_flaw : NULL, .arg = &ms
	};
	uint64_t proxy, ns, off;
	struct err why;

	if (!field_u64(t, "struct task_struct", task, "nsproxy", &proxy, err) ||
	    !field_offset(t, "struct mount", "mnt", &ms.vfsmount_off, err))
		return false;
	if (!proxy)
		return err_set(err, ERR_NOTFOUND, "the task is dead and has no mounts");
	below_root(&ms, task);
	if (!field_u64(t, "struct nsproxy", proxy, "mnt_ns", &ns, err))
		return err_wrap(err, "mount namespace");
	if (field_offset(t, "struct mnt_namespace", "list", &off, &why)) {
		w.head = ns + off;
		return field_offset(t, "struct mount", "mnt_list", &w.link, err) &&
		       list_walk(t, &w, false, err) && ms.ok;
	}
	if (!field_offset(t, "struct mnt_namespace", "mounts", &off, err) ||
	    !field_offset(t, "struct mount", "mnt_node", &w.link, err))
		return false;
	w.head = ns + off;
	return rbtree_walk(t, &w, err) && ms.ok;
}

/* ---- open files */

const char *vfs_type_name(uint64_t mode)
{
	static const struct {
		unsigned mode;
		const char *name;
	} names[] = { { 0100000, "REG" }, { 0040000, "DIR" },  { 0020000, "CHR" },
		      { 0060000, "BLK" }, { 0010000, "FIFO" }, { 0140000, "SOCK" },
		      { 0120000, "LNK" } };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if ((mode & S_IFMT) == names[i].mode)
			return names[i].name;
	return "UNKN";
}

bool vfs_open_read(struct target *t, struct vfs_open *f, struct arena *a, struct err *err)
{
	uint64_t mode;

	f->type = "UNKN";
	if (!field_u64(t, "struct file", f->file, "f_path.dentry", &f->dentry, err) ||
	    !field_u64(t, "struct file", f->file, "f_path.mnt", &f->mount, err) ||
	    !field_u64(t, "struct dentry", f->dentry, "d_inode", &f->inode, err))
		return false;
	if (f->inode) {
		if (!field_u64(t, "struct inode", f->inode, "i_mode", &mode, err))
			return false;
		f->type = vfs_type_name(mode);
	}
	return vfs_path(t, f->mount, f->dentry, a, &f->path, err);
}

bool vfs_files(struct target *t, uint64_t task, struct arena *a,
	       bool (*fn)(const struct vfs_open *f, void *arg),
	       void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	uint64_t files, table, max, fds, word = t->arch->word;

	if (!field_u64(t, "struct task_struct", task, "files", &files, err))
		return false;
	if (!files)
		return true;
	if (!field_u64(t, "struct files_struct", files, "fdt", &table, err) ||
	    !field_u64(t, "struct fdtable", table, "max_fds", &max, err) ||
	    !field_u64(t, "struct fdtable", table, "fd", &fds, err))
		return err_wrap(err, "table of files 0x%llx", (unsigned long long)files);
	if (max > FDS_MAX)
		return err_set_addr(err, ERR_CORRUPT, table,
				    "table of files 0x%llx is for %llu of them",
				    (unsigned long long)table, (unsigned long long)max);
	for (uint64_t i = 0; i < max; i++) {
		struct vfs_open f = { .fd = (unsigned)i };
		struct err why;

		if (!interrupt_check(err))
			return false;
		if (!mem_ptr(t, fds + i * word, &f.file, err))
			return err_wrap(err, "file %llu", (unsigned long long)i);
		if (!f.file)
			continue;
		if (!vfs_open_read(t, &f, a, &why)) {
			err_wrap(&why, "file %llu", (unsigned long long)i);
			if (flaw)
				flaw(&why, arg);
		}
		if (!fn(&f, arg))
			return true;
	}
	return true;
}

bool vfs_places(struct target *t, uint64_t task, struct arena *a, const char **root,
		const char **cwd, struct err *err)
{
	uint64_t fs, mnt, dentry;

	*root = *cwd = NULL;
	if (!field_u64(t, "struct task_struct", task, "fs", &fs, err))
		return false;
	return !fs || (field_u64(t, "struct fs_struct", fs, "root.mnt", &mnt, err) &&
		       field_u64(t, "struct fs_struct", fs, "root.dentry", &dentry, err) &&
		       vfs_path(t, mnt, dentry, a, root, err) &&
		       field_u64(t, "struct fs_struct", fs, "pwd.mnt", &mnt, err) &&
		       field_u64(t, "struct fs_struct", fs, "pwd.dentry", &dentry, err) &&
		       vfs_path(t, mnt, dentry, a, cwd, err));
}
