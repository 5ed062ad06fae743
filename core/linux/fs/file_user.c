/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who uses a file: by its number in a process, as a directory, or as memory. */
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/fs/file_user.h"
#include "core/linux/fs/vfs.h"
#include "core/types/shape.h"

struct search {
	struct target *t;
	const struct file_sought *sought;
	struct file_user *ret;
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
	bool stopped; /* by Ctrl-C */
};

static void tell(struct search *s, const struct err *why)
{
	s->stopped |= why->code == ERR_INTR;
	if (!s->stopped)
		s->flaw(why, s->arg);
}

static bool is_sought(struct search *s, uint64_t inode, const char *path)
{
	struct err why;
	uint64_t sb;

	if (path && s->sought->path && !strcmp(path, s->sought->path))
		return true;
	if (!inode)
		return false;
	if (inode == s->sought->inode)
		return true;
	if (!s->sought->sb)
		return false;
	if (field_u64(s->t, "struct inode", inode, "i_sb", &sb, &why))
		return sb == s->sought->sb;
	tell(s, &why);
	return false;
}

static void open_flaw(const struct err *e, void *arg)
{
	tell(arg, e);
}

static bool open_look(const struct vfs_open *f, void *arg)
{
	struct search *s = arg;

	if (is_sought(s, f->inode, f->path)) {
		if (s->ret->n_fds < FILE_USER_FDS)
			s->ret->fds[s->ret->n_fds] = f->fd;
		s->ret->n_fds++;
	}
	return !s->stopped;
}

static bool area_look(const struct vma *v, void *arg)
{
	struct search *s = arg;
	struct err why;
	uint64_t inode = 0;

	if (!v->file)
		return true;
	if (!field_u64(s->t, "struct file", v->file, "f_inode", &inode, &why))
		tell(s, &why);
	s->ret->mapped = is_sought(s, inode, v->name);
	return !s->ret->mapped && !s->stopped;
}

static bool directory_is(struct search *s, uint64_t fs, const char *member, const char *path)
{
	struct err why;
	uint64_t dentry, inode = 0;

	if (!field_u64(s->t, "struct fs_struct", fs, member, &dentry, &why) ||
	    (dentry && !field_u64(s->t, "struct dentry", dentry, "d_inode", &inode, &why)))
		tell(s, &why);
	return is_sought(s, inode, path);
}

static void directories_look(struct search *s, const struct task *task)
{
	const char *root = NULL, *cwd = NULL;
	struct err why;
	uint64_t fs;

	if (!field_u64(s->t, "struct task_struct", task->addr, "fs", &fs, &why)) {
		tell(s, &why);
		return;
	}
	if (!fs) /* it has ended */
		return;
	/* another mount's root is called "/", too */
	if (s->sought->path && !s->sought->inode &&
	    !vfs_places(s->t, task->addr, s->t->scratch, &root, &cwd, &why))
		tell(s, &why);
	s->ret->root = directory_is(s, fs, "root.dentry", root);
	s->ret->cwd = directory_is(s, fs, "pwd.dentry", cwd);
}

bool file_user_find(struct target *t, const struct task *task, const struct file_sought *sought,
		    struct file_user *ret, void (*flaw)(const struct err *e, void *arg), void *arg,
		    struct err *err)
{
	struct search s = { .t = t, .sought = sought, .ret = ret, .flaw = flaw, .arg = arg };
	struct err why;

	*ret = (struct file_user){ 0 };
	directories_look(&s, task);
	if (!s.stopped && !vfs_files(t, task->addr, t->scratch, open_look, open_flaw, &s, &why))
		tell(&s, &why);
	if (!s.stopped && task->mm &&
	    !vma_each(t, task->mm, t->scratch, area_look, open_flaw, &s, &why))
		tell(&s, &why);
	return s.stopped ? err_set(err, ERR_INTR, "interrupted") : interrupt_check(err);
}

bool file_user_shares(struct target *t, const struct task *task)
{
	static const char *const members[] = { "files", "fs", "mm" };
	const struct task *leader;
	struct err ignored;

	if (task->pid == task->tgid || !task_by_pid(t, task->tgid, &leader, &ignored))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		uint64_t own, other;

		if (!field_u64(t, "struct task_struct", task->addr, members[i], &own, &ignored) ||
		    !field_u64(t, "struct task_struct", leader->addr, members[i], &other,
			       &ignored) ||
		    own != other)
			return false;
	}
	return true;
}
