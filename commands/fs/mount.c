/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mount: what is mounted where. */
#include <string.h>

#include "core/obit.h"
#include "core/linux/fs/file_user.h"
#include "core/linux/fs/vfs.h"
#include "commands/fs/inode_record.h"
#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/types/value.h"
#include "core/records/task_record.h"
#include "core/base/vec.h"
#include "core/types/shape.h"

enum {
	ADDR,
	SB,
	TYPE,
	DEVICE,
	PATH,
	READ_ONLY,
	FLAGS
};
static const struct record_field fields[] = {
	[ADDR] = { "mount", NULL, CELL_ADDR, 0, "address of the struct mount" },
	[SB] = { "superblock", "SUPERBLK", CELL_ADDR, 0, "address of the struct super_block" },
	[TYPE] = { "type", NULL, CELL_STR, 0, "type of the file system" },
	[DEVICE] = { "device", "DEVNAME", CELL_STR, 0, "what is mounted" },
	[PATH] = { "path", "DIRNAME", CELL_STR, 0, "where" },
	[READ_ONLY] = { "read_only", NULL, CELL_BOOL, FIELD_JSON, "nothing can be written" },
	[FLAGS] = { "flags", NULL, CELL_HEX, FIELD_JSON, "mnt_flags" },
};
static const struct record_kind mount_kind = { "mount",      "one mounted file system",
					       LAYOUT_TABLE, NULL,
					       fields,       7 };

enum {
	OPEN_DENTRY,
	OPEN_INODE,
	OPEN_TYPE,
	OPEN_PID,
	OPEN_USERS,
	OPEN_PATH,
	OPEN_MAPPED,
	OPEN_FILE,
	OPEN_MOUNT
};
static const struct record_field open_fields[] = {
	[OPEN_DENTRY] = { "dentry", NULL, CELL_ADDR, 0, "address of its struct dentry" },
	[OPEN_INODE] = { "inode", NULL, CELL_ADDR, 0, "address of its struct inode" },
	[OPEN_TYPE] = { "type", NULL, CELL_STR, 0, "REG, DIR, CHR, BLK, FIFO, SOCK, LNK, UNKN" },
	[OPEN_PID] = { "pid", NULL, CELL_INT, FIELD_RIGHT, "the first process that has it" },
	[OPEN_USERS] = { "users", NULL, CELL_UINT, FIELD_RIGHT, "how many processes have it" },
	[OPEN_PATH] = { "path", NULL, CELL_STR, 0, "as /proc/PID/fd had it" },
	[OPEN_MAPPED] = { "mmap", NULL, CELL_BOOL, FIELD_JSON, "one of them mapped it" },
	[OPEN_FILE] = { "file", NULL, CELL_ADDR, FIELD_JSON, "address of the struct file" },
	[OPEN_MOUNT] = { "mount", NULL, CELL_ADDR, FIELD_JSON, "struct mount it was opened on" },
};
static const struct record_kind open_kind = { .name = "mount_file",
					      .doc = "A file that is open on a mount.",
					      .layout = LAYOUT_TABLE,
					      .fields = open_fields,
					      .n_fields = ARRAY_SIZE(open_fields) };

struct mount_opts {
	const char *task;
	bool files, dirty;
};
static const struct option opts[] = {
	OPT_FLAG("f", struct mount_opts, files, "the files that processes have open on each"),
	OPT_FLAG("i", struct mount_opts, dirty, "the dirty inodes of each file system"),
	{ "n", "pid", OPTION_STR, offsetof(struct mount_opts, task),
	  "as this task sees them; else as init does" },
};

struct mount_listing {
	struct ctx *c;
	const struct type *type; /* for a pipeline; NULL: none behind */
	struct err *err;
	bool ok;
	VEC(struct open_file) open; /* with -f: all that are */
	uint64_t vfsmount_off;
	const struct vfs_mount *at; /* the mount at hand */
};

static void mount_flaw(const struct err *e, void *arg)
{
	const struct mount_listing *ms = arg;

	note(ms->c, e);
}

static bool open_keep(const struct open_file *f, void *arg)
{
	struct mount_listing *ms = arg;

	*vec_push(&ms->open) = *f;
	return true;
}

static void open_show(const struct mount_listing *ms, const struct open_file *f)
{
	struct record r;

	record_init(&r, &open_kind);
	record_uint(&r, OPEN_DENTRY, f->open.dentry);
	if (f->open.inode)
		record_uint(&r, OPEN_INODE, f->open.inode);
	record_str(&r, OPEN_TYPE, f->open.type);
	record_int(&r, OPEN_PID, f->pid);
	record_uint(&r, OPEN_USERS, f->users);
	record_str(&r, OPEN_PATH, f->open.path);
	record_bool(&r, OPEN_MAPPED, f->mapped);
	record_uint(&r, OPEN_FILE, f->open.file);
	record_uint(&r, OPEN_MOUNT, ms->at->addr);
	emit(ms->c, &r);
}

static bool inode_show(uint64_t addr, void *arg)
{
	const struct mount_listing *ms = arg;
	enum inode_dirt dirt;
	struct vfs_inode i;
	struct err why;

	if (!inode_read(ms->c->t, addr, &i, &why)) {
		note(ms->c, &why);
		return true;
	}
	if (!inode_dirty(ms->c->t, &i, &dirt, &why))
		note(ms->c, &why);
	if (dirt != INODE_CLEAN)
		emit_inode(ms->c, &i, ms->at->addr);
	return true;
}

/* -f and -i: what is below the line of a mount. */
static void more_show(struct mount_listing *ms, const struct vfs_mount *m)
{
	const struct mount_opts *o = ms->c->opts;
	struct err why;

	ms->at = m;
	for (size_t i = 0; i < ms->open.n; i++)
		if (ms->open.p[i].open.mount == m->addr + ms->vfsmount_off)
			open_show(ms, &ms->open.p[i]);
	if (o->dirty && !inodes_each(ms->c->t, m->sb, inode_show, mount_flaw, ms, &why))
		note(ms->c, &why);
}

/* Do the operands ask for it: by address, device, or directory? */
static bool is_asked(const struct ctx *c, const struct vfs_mount *m)
{
	bool ret = !c->argc;
	uint64_t n;

	for (int i = 0; i < c->argc; i++)
		if (!strcmp(c->argv[i], m->path) || !strcmp(c->argv[i], m->device) ||
		    (parse_number(c->argv[i], true, &n) && (n == m->addr || n == m->sb)))
			ret = c->met[i] = true;
	return ret;
}

static bool mount_show(const struct vfs_mount *m, void *arg)
{
	struct mount_listing *ms = arg;
	struct record r;

	if (!is_asked(ms->c, m))
		return true;
	if (ms->type) {
		ms->ok = yield(ms->c, value_ref(ms->type, m->addr), ms->err);
		return ms->ok;
	}
	record_init(&r, &mount_kind);
	record_uint(&r, ADDR, m->addr);
	record_uint(&r, SB, m->sb);
	record_str(&r, TYPE, m->type);
	record_str(&r, DEVICE, m->device);
	record_str(&r, PATH, m->path);
	record_bool(&r, READ_ONLY, m->read_only);
	record_uint(&r, FLAGS, m->flags);
	emit(ms->c, &r);
	more_show(ms, m);
	return true;
}

static bool mount_run(struct ctx *c, struct err *err)
{
	const struct mount_opts *o = c->opts;
	struct mount_listing ms = { .c = c, .err = err, .ok = true };
	const struct task *const *tasks;
	const struct task *task;
	struct err why = { 0 };
	size_t n;

	if (piped(c) && !type_find(c->t, "struct mount", &ms.type, err))
		return false;
	if (o->task) {
		if (!tasks_meant(c, o->task, false, &tasks, &n, err))
			return false;
		task = tasks[0];
	} else if (!task_by_pid(c->t, 1, &task, err)) {
		return false;
	}
	if (o->files && (!field_offset(c->t, "struct mount", "mnt", &ms.vfsmount_off, err) ||
			 !open_files_each(c->t, c->arena, open_keep, mount_flaw, &ms, err)))
		return vec_release(&ms.open), false;
	if (!vfs_mounts(c->t, task->addr, c->arena, mount_show, mount_flaw, &ms, &why)) {
		if (!err_is_damage(why.code))
			return vec_release(&ms.open), *err = why, false;
		note(c, &why);
	}
	vec_release(&ms.open);
	return ms.ok && operands_met(c, "", " is not mounted", err);
}

static const struct example examples[] = {
	{ "mount", "what init sees" },
	{ "mount /proc", "one of them" },
	{ "mount -f /", "and the files that are open on it" },
	{ "mount -i /dev", "and its dirty inodes" },
	{ "mount | pick mnt_devname, mnt_id", "members of each struct mount" },
};
const struct command cmd_mount = {
	.name = "mount",
	.group = "files",
	.summary = "mounted file systems",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "struct mount",
	.operands = "[mount | superblock | device | directory]...",
	OPTS(opts),
	.opts_size = sizeof(struct mount_opts),
	.emits = (const struct record_kind *const[]){ &mount_kind, &open_kind, &inode_kind, NULL },
	.none = "no such mount",
	.completes = COMPLETE_MOUNT,
	.help = "Prints what /proc/mounts listed, of the mount namespace of init (pid 1), or of -n. An "
		"operand leaves those of that address, device or directory.\n\n"
		"Below each mount -f shows the files that processes opened through it or have mapped, and -i the inodes of its "
		"file system that are in a list of dirty ones, or may be; crash does that of old kernels alone. What else keeps a "
		"mount busy, as a current directory, fuser -m tells.",
	EXAMPLES(examples),
	.run = mount_run,
};
