/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All files that processes have open or mapped, each once. */
#include "core/base/guard.h"
#include "core/base/vec.h"
#include "core/linux/fs/file_user.h"

struct collect {
	struct target *t;
	struct arena *a;
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
	const struct task *task; /* whose files are looked at */
	VEC(struct open_file) files;
	struct map index; /* struct file -> its number in files + 1 */
	struct map last;  /* struct file -> the pid that it was counted for last, + 1 */
};

static void collect_flaw(const struct err *e, void *arg)
{
	const struct collect *c = arg;

	c->flaw(e, c->arg);
}

/* One more use of a file, by the process at hand; *fresh says that nobody had it before. */
static struct open_file *file_put(struct collect *c, uint64_t file, bool *fresh)
{
	uint64_t *at = map_put(&c->index, file, fresh), *last;
	struct open_file *f;

	if (*fresh) {
		*vec_push(&c->files) = (struct open_file){ .open.file = file, .pid = c->task->pid };
		*at = c->files.n;
	}
	f = &c->files.p[*at - 1];
	last = map_put(&c->last, file, NULL);
	f->users += *last != (uint64_t)c->task->pid + 1;
	*last = (uint64_t)c->task->pid + 1;
	return f;
}

static bool open_found(const struct vfs_open *o, void *arg)
{
	struct open_file *f;
	bool fresh;

	f = file_put(arg, o->file, &fresh);
	if (fresh)
		f->open = *o;
	return true;
}

static bool area_found(const struct vma *v, void *arg)
{
	struct collect *c = arg;
	struct open_file *f;
	struct err why;
	bool fresh;

	if (!v->file)
		return true;
	f = file_put(c, v->file, &fresh);
	f->mapped = true;
	if (fresh && !vfs_open_read(c->t, &f->open, c->a, &why)) {
		err_wrap(&why, "file 0x%llx", (unsigned long long)v->file);
		collect_flaw(&why, c);
	}
	return true;
}

static bool task_collect(struct collect *c, const struct task *task, struct err *err)
{
	struct err why;

	c->task = task;
	if (!vfs_files(c->t, task->addr, c->a, open_found, collect_flaw, c, &why)) {
		if (why.code == ERR_INTR)
			return *err = why, false;
		collect_flaw(&why, c);
	}
	if (task->mm && !vma_each(c->t, task->mm, c->a, area_found, collect_flaw, c, &why)) {
		if (why.code == ERR_INTR)
			return *err = why, false;
		collect_flaw(&why, c);
	}
	return interrupt_check(err);
}

bool open_files_each(struct target *t, struct arena *a,
		     bool (*fn)(const struct open_file *f, void *arg),
		     void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct collect c = { .t = t, .a = a, .flaw = flaw, .arg = arg };
	const struct task *const *all;
	bool ok;
	size_t n;

	ok = tasks_match(t, NULL, false, &all, &n, err);
	for (size_t i = 0; ok && i < n; i++)
		ok = file_user_shares(t, all[i]) || task_collect(&c, all[i], err);
	for (size_t i = 0; ok && i < c.files.n; i++)
		if (!fn(&c.files.p[i], arg))
			break;
	vec_release(&c.files);
	map_release(&c.index);
	map_release(&c.last);
	return ok;
}
