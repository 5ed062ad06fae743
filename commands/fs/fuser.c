/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuser: the tasks that use a file, a directory, or a file system. */
#include "core/obit.h"
#include "core/base/guard.h"
#include "core/image/target.h"
#include "core/linux/fs/dcache.h"
#include "core/linux/fs/file_user.h"
#include "core/records/task_record.h"
#include "core/types/shape.h"

enum {
	PID,
	TASK,
	COMM,
	USAGE,
	ROOT,
	CWD,
	MAPPED,
	FDS
};

/* crash's words, and the numbers beside. */
static void usage_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	(void)k, (void)r;
	for (size_t i = 0; i < cell->strs.n; i++)
		buf_printf(b, "%s%s", i ? " " : "", cell->strs.v[i]);
}

static const struct record_field fields[] = {
	[PID] = { "pid", NULL, CELL_INT, FIELD_RIGHT, "process id" },
	[TASK] = { "task", NULL, CELL_ADDR, 0, "address of the task_struct" },
	[COMM] = { "comm", NULL, CELL_STR, 0, "name" },
	[USAGE] = { "usage", NULL, CELL_STRS, 0, "how: root, cwd, fd 3, mmap", .text = usage_text },
	[ROOT] = { "root", NULL, CELL_BOOL, FIELD_JSON, "it is its root directory" },
	[CWD] = { "cwd", NULL, CELL_BOOL, FIELD_JSON, "it is its current directory" },
	[MAPPED] = { "mmap", NULL, CELL_BOOL, FIELD_JSON,
		     "it is mapped into its memory, as programs and libraries are" },
	[FDS] = { "fds", NULL, CELL_UINT, FIELD_JSON,
		  "how many of its file descriptors lead there" },
};
static const struct record_kind user_kind = {
	.name = "file_user",
	.doc = "A task that uses a file.",
	.layout = LAYOUT_TABLE,
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
};

struct fuser_opts {
	bool mount;
	const char *task;
};
static const struct option opts[] = {
	OPT_FLAG("m", struct fuser_opts, mount, "anything on the file system that it is on"),
	OPT_STR("n", "task", struct fuser_opts, task,
		"the path as this task sees it; else as init does"),
};

static void emit_user(struct ctx *c, const struct task *task, const struct file_user *u)
{
	const char **usage = ARENA_ARRAY(c->arena, const char *, FILE_USER_FDS + 4);
	size_t n = 0;
	struct record r;

	if (u->root)
		usage[n++] = "root";
	if (u->cwd)
		usage[n++] = "cwd";
	for (size_t i = 0; i < u->n_fds && i < FILE_USER_FDS; i++)
		usage[n++] = arena_printf(c->arena, "fd %u", u->fds[i]);
	if (u->n_fds > FILE_USER_FDS)
		usage[n++] = arena_printf(c->arena, "(%zu more)", u->n_fds - FILE_USER_FDS);
	if (u->mapped)
		usage[n++] = "mmap";
	record_init(&r, &user_kind);
	record_int(&r, PID, task->pid);
	record_uint(&r, TASK, task->addr);
	record_str(&r, COMM, task->comm);
	record_strs(&r, USAGE, usage, n);
	record_bool(&r, ROOT, u->root);
	record_bool(&r, CWD, u->cwd);
	record_bool(&r, MAPPED, u->mapped);
	record_uint(&r, FDS, u->n_fds);
	emit(c, &r);
}

struct seek_superblock {
	uint64_t addr;
	bool found;
};

static bool see_superblock(const struct superblock *s, void *arg)
{
	struct seek_superblock *seek = arg;

	seek->found |= s->addr == seek->addr;
	return !seek->found;
}

/* Every inode is of one of the kernel's superblocks. Where not all of these can be read, it may be
 * of one of the others. */
static bool check_inode(struct ctx *c, const char *word, uint64_t inode, struct err *err)
{
	struct seek_superblock seek = { 0 };
	struct err why;

	if (!field_u64(c->t, "struct inode", inode, "i_sb", &seek.addr, err))
		return err_wrap(err, "inode '%.60s'", word);
	return !superblocks_each(c->t, c->arena, see_superblock, NULL, &seek, &why) || seek.found ||
	       err_set(err, ERR_NOTFOUND,
		       "'%.60s' is no inode of any file system; 'dentries PATH' shows the inodes",
		       word);
}

/* A path that is not in memory may still be one that some task, in other mounts, has open. */
static bool sought_of(struct ctx *c, const char *word, struct file_sought *ret, struct err *err)
{
	const struct fuser_opts *o = c->opts;
	const struct task *task;
	struct vfs_place place;
	struct err why;

	*ret = (struct file_sought){ 0 };
	if (parse_number(word, true, &ret->inode)) {
		if (!check_inode(c, word, ret->inode, err))
			return false;
	} else {
		if (o->task ? !task_named(c, o->task, &task, err)
			    : !task_by_pid(c->t, 1, &task, &why) && !session_task(c->s, &task, err))
			return false;
		ret->path = o->mount ? NULL : word;
		if (!vfs_lookup(c->t, task->addr, word, c->arena, &place, &why)) {
			if (ret->path && why.code == ERR_NOTFOUND)
				return true;
			return *err = why, false;
		}
		if (!field_u64(c->t, "struct dentry", place.dentry, "d_inode", &ret->inode, err))
			return false;
		if (!ret->inode)
			return err_set(err, ERR_NOTFOUND, "'%.100s' does not exist", word);
	}
	if (!o->mount)
		return true;
	if (!field_u64(c->t, "struct inode", ret->inode, "i_sb", &ret->sb, err))
		return false;
	return ret->sb || err_set(err, ERR_NOTFOUND, "'%.100s' is on no file system", word);
}

static void fuser_flaw(const struct err *e, void *arg)
{
	note(arg, e);
}

static bool fuser_run(struct ctx *c, struct err *err)
{
	const struct task *const *all;
	struct file_sought sought;
	struct file_user u;
	size_t n;

	if (c->argc != 1 || !*c->argv[0])
		return err_set(err, ERR_USAGE, "one path is wanted, or the address of an inode");
	if (!sought_of(c, c->argv[0], &sought, err) ||
	    !tasks_match(c->t, NULL, false, &all, &n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (file_user_shares(c->t, all[i]))
			continue;
		if (!file_user_find(c->t, all[i], &sought, &u, fuser_flaw, c, err))
			return false;
		if (u.root || u.cwd || u.mapped || u.n_fds)
			emit_user(c, all[i], &u);
	}
	c->damaged |= !tasks_complete(c->t);
	return true;
}

static const struct example examples[] = {
	{ "fuser /dev/console", "who has the console open" },
	{ "fuser /", "whose root or current directory it is" },
	{ "fuser -m / | tail -3", "who uses anything on the root file system" },
};
const struct command cmd_fuser = {
	.name = "fuser",
	.group = "files",
	.summary = "who uses a file or a file system",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.operands = "path | inode",
	OPTS(opts),
	.opts_size = sizeof(struct fuser_opts),
	.emits = (const struct record_kind *const[]){ &user_kind, NULL },
	.none = "nobody uses it",
	.help = "Lists the tasks that use a file: as their root or current directory (root, cwd), by a file descriptor (fd), "
		"or mapped into their memory (mmap), as a program's own file and its libraries are. A path is sought as init saw "
		"it, links followed: the file there is meant, whatever name it was opened by, and what is open or mapped "
		"under that name, though it be another file, as \"/tmp/x (deleted)\". With -m it is the "
		"whole file system that the path is on: who must end before it can be unmounted.\n\n"
		"Threads that share all that with their process are not listed. What the kernel itself uses (loop devices, "
		"swap files, mounts on top) is not looked at: mount and swap show it.",
	EXAMPLES(examples),
	.run = fuser_run,
};
