/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mount: what is mounted where. */
#include <string.h>

#include "core/obit.h"
#include "core/linux/fs/vfs.h"
#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/types/value.h"
#include "core/records/task_record.h"

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

struct mount_opts {
	const char *task;
};
static const struct option opts[] = {
	{ "n", "pid", OPTION_STR, offsetof(struct mount_opts, task),
	  "as this task sees them; else as init does" },
};

struct mount_listing {
	struct ctx *c;
	const struct type *type; /* for a pipeline; NULL: none behind */
	struct err *err;
	bool ok, found;
};

/* Do the operands ask for it: by address, device, or directory? */
static bool is_asked(const struct ctx *c, const struct vfs_mount *m)
{
	uint64_t n;

	for (int i = 0; i < c->argc; i++)
		if (!strcmp(c->argv[i], m->path) || !strcmp(c->argv[i], m->device) ||
		    (parse_number(c->argv[i], true, &n) && (n == m->addr || n == m->sb)))
			return true;
	return !c->argc;
}

static bool mount_show(const struct vfs_mount *m, void *arg)
{
	struct mount_listing *ms = arg;
	struct record r;

	if (!is_asked(ms->c, m))
		return true;
	ms->found = true;
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
	return true;
}

static void mount_flaw(const struct err *e, void *arg)
{
	const struct mount_listing *ms = arg;

	note(ms->c, e);
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
	if (!vfs_mounts(c->t, task->addr, c->arena, mount_show, mount_flaw, &ms, &why)) {
		if (!err_is_damage(why.code))
			return *err = why, false;
		note(c, &why);
	}
	if (ms.ok && !ms.found && c->argc)
		return err_set(err, ERR_NOTFOUND, "'%.100s' is not mounted", c->argv[0]);
	return ms.ok;
}

static const struct example examples[] = {
	{ "mount", "what init sees" },
	{ "mount /proc", "one of them" },
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
	.emits = (const struct record_kind *const[]){ &mount_kind, NULL },
	.none = "no such mount",
	.help = "Prints what /proc/mounts listed, of the mount namespace of init (pid 1), or of -n. An "
		"operand leaves those of that address, device or directory.",
	EXAMPLES(examples),
	.run = mount_run,
};
