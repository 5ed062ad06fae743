/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths, looked up among the names that the kernel remembered. */
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/container/list.h"
#include "core/types/shape.h"
#include "core/linux/fs/dcache.h"
#include "core/linux/container/walk.h"

#define NAME_MAX_BYTES 255
#define PATH_BYTES 4096
#define LINKS_MAX 40 /* as the kernel follows */
#define S_IFMT 0170000u
#define S_IFLNK 0120000u

struct lookup {
	struct target *t;
	struct arena *a;
	struct vfs_place root, at;
	const char *path; /* as asked for */
	unsigned links;
};

/* ---- one name */

struct path_seek {
	struct target *t;
	const char *name; /* of n bytes */
	size_t n;
	uint64_t found, mount; /* what was found; whose mounts are searched */
	struct err why;        /* what could not be read of the others; ERR_OK: all were */
};

static void keep_first(const struct err *e, void *arg)
{
	struct path_seek *s = arg;

	if (s->why.code == ERR_OK)
		s->why = *e;
}

static bool is_child(const struct vfs_dentry *d, void *arg)
{
	struct path_seek *s = arg;

	if (d->deleted || strlen(d->name) != s->n || memcmp(d->name, s->name, s->n) != 0)
		return true;
	s->found = d->addr;
	return false;
}

static bool is_mounted_on(uint64_t mount, void *arg)
{
	struct path_seek *s = arg;
	uint64_t point;

	if (!field_u64(s->t, "struct mount", mount, "mnt_mountpoint", &point, &s->why))
		return true;
	if (point != s->mount)
		return true;
	s->found = mount;
	return false;
}

/* Down to the root of what is mounted there, and on top of that. */
static bool descend(struct lookup *l, struct err *err)
{
	uint64_t head, link;
	struct guard g;

	guard_init(&g, "mounts on a directory", 1000);
	if (!field_offset(l->t, "struct mount", "mnt_mounts", &head, err) ||
	    !field_offset(l->t, "struct mount", "mnt_child", &link, err))
		return false;
	for (;;) {
		struct path_seek s = { .t = l->t, .mount = l->at.dentry };

		if (!guard_step(&g, l->at.mount, err) ||
		    !list_each(l->t, l->at.mount + head, link, "mounts", is_mounted_on, &s, err))
			return false;
		if (!s.found && err_is_lack(s.why.code))
			return *err = s.why, false;
		if (!s.found)
			return true;
		l->at.mount = s.found;
		if (!field_u64(l->t, "struct mount", s.found, "mnt.mnt_root", &l->at.dentry, err))
			return err_wrap(err, "mount 0x%llx", (unsigned long long)s.found);
	}
}

/* "..", no higher than the task's root. */
static bool ascend(struct lookup *l, struct err *err)
{
	struct guard g;
	uint64_t root;

	guard_init(&g, "mounts on a directory", 1000);
	for (;;) {
		if (l->at.dentry == l->root.dentry && l->at.mount == l->root.mount)
			return true;
		if (!guard_step(&g, l->at.mount, err) ||
		    !field_u64(l->t, "struct mount", l->at.mount, "mnt.mnt_root", &root, err))
			return false;
		if (l->at.dentry != root)
			return field_u64(l->t, "struct dentry", l->at.dentry, "d_parent",
					 &l->at.dentry, err);
		if (!field_u64(l->t, "struct mount", l->at.mount, "mnt_mountpoint", &l->at.dentry,
			       err) ||
		    !field_u64(l->t, "struct mount", l->at.mount, "mnt_parent", &root, err))
			return false;
		if (root == l->at.mount)
			return true;
		l->at.mount = root;
	}
}

static bool not_there(const struct lookup *l, const char *name, size_t n, struct err *err)
{
	return err_set(err, ERR_NOTFOUND,
		       "'%.100s': the kernel remembered no '%.*s' there, which is not to say that "
		       "there is none",
		       l->path, (int)n, name);
}

static bool down(struct lookup *l, const char *name, size_t n, struct err *err)
{
	struct path_seek s = { .t = l->t, .name = name, .n = n };

	if (!dentries_each(l->t, l->at.dentry, l->a, is_child, keep_first, &s, err))
		return err_wrap(err, "'%.100s'", l->path);
	if (!s.found && s.why.code) {
		*err = s.why;
		return err_wrap(err, "'%.100s'", l->path);
	}
	if (!s.found)
		return not_there(l, name, n, err);
	l->at.dentry = s.found;
	return descend(l, err);
}

/* Where a symbolic link leads to; NULL: it is none. */
static bool link_text(struct lookup *l, const char **ret, struct err *err)
{
	uint64_t inode, mode, text;

	*ret = NULL;
	if (!field_u64(l->t, "struct dentry", l->at.dentry, "d_inode", &inode, err))
		return false;
	if (!inode)
		return true;
	if (!field_u64(l->t, "struct inode", inode, "i_mode", &mode, err))
		return false;
	if ((mode & S_IFMT) != S_IFLNK)
		return true;
	if (!field_u64(l->t, "struct inode", inode, "i_link", &text, err))
		return false;
	if (!text)
		return err_set(err, ERR_NOTFOUND,
			       "'%.100s': where the symbolic link leads to is not in memory",
			       l->path);
	return mem_str(l->t, text, PATH_BYTES, l->a, ret, err);
}

/* ---- the whole */

/* Steps along the path; a symbolic link puts its text in front of what is left. */
static bool steps(struct lookup *l, const char *rest, struct err *err)
{
	while (*rest) {
		struct vfs_place before = l->at;
		const char *text, *name;
		size_t n;

		rest += strspn(rest, "/");
		name = rest;
		n = strcspn(rest, "/");
		rest += n;
		if (!interrupt_check(err))
			return false;
		if (!n || (n == 1 && name[0] == '.'))
			continue;
		if (n > NAME_MAX_BYTES)
			return not_there(l, name, NAME_MAX_BYTES, err);
		if (n == 2 && !memcmp(name, "..", 2)) {
			if (!ascend(l, err))
				return false;
			continue;
		}
		if (!down(l, name, n, err) || !link_text(l, &text, err))
			return false;
		if (!text)
			continue;
		if (++l->links > LINKS_MAX)
			return err_set(err, ERR_LIMIT, "'%.100s': more than %d symbolic links",
				       l->path, LINKS_MAX);
		l->at = *text == '/' ? l->root : before;
		rest = arena_printf(l->a, "%s/%s", text, rest);
		if (strlen(rest) > 2 * PATH_BYTES)
			return err_set(err, ERR_LIMIT, "'%.100s': a symbolic link is too long",
				       l->path);
	}
	return true;
}

static bool place_read(struct target *t, uint64_t fs, const char *mnt, const char *dentry,
		       struct vfs_place *ret, struct err *err)
{
	uint64_t off;

	if (!field_offset(t, "struct mount", "mnt", &off, err) ||
	    !field_u64(t, "struct fs_struct", fs, mnt, &ret->mount, err) ||
	    !field_u64(t, "struct fs_struct", fs, dentry, &ret->dentry, err))
		return false;
	ret->mount -= off;
	return true;
}

bool vfs_lookup(struct target *t, uint64_t task, const char *path, struct arena *a,
		struct vfs_place *ret, struct err *err)
{
	struct lookup l = { .t = t, .a = a, .path = path };
	uint64_t fs;

	if (!field_u64(t, "struct task_struct", task, "fs", &fs, err))
		return false;
	if (!fs)
		return err_set(err, ERR_NOTFOUND, "the task is dead and has no root directory");
	if (!place_read(t, fs, "root.mnt", "root.dentry", &l.root, err) ||
	    !place_read(t, fs, "pwd.mnt", "pwd.dentry", &l.at, err))
		return err_wrap(err, "root directory");
	if (*path == '/')
		l.at = l.root;
	if (!steps(&l, path, err))
		return false;
	*ret = l.at;
	return true;
}
