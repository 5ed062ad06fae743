/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dentries: what the kernel remembers of directories, by path or address. */
#include <string.h>

#include "core/obit.h"
#include "core/linux/fs/dcache.h"
#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/types/value.h"
#include "core/records/task_record.h"

#define DEPTH_MAX_DIRS 100

enum {
	ADDR,
	INODE,
	NUMBER,
	TYPE,
	SIZE,
	NAME,
	DELETED,
	PARENT
};
static const struct record_field fields[] = {
	[ADDR] = { "dentry", NULL, CELL_ADDR, 0, "address of the struct dentry" },
	[INODE] = { "inode", NULL, CELL_ADDR, 0,
		    "address of its struct inode; null: it is known that there is no such file" },
	[NUMBER] = { "ino", NULL, CELL_UINT, FIELD_RIGHT, "the inode's number" },
	[TYPE] = { "type", NULL, CELL_STR, 0, "REG, DIR, CHR, BLK, FIFO, SOCK, LNK, UNKN" },
	[SIZE] = { "size", NULL, CELL_UINT, FIELD_RIGHT, "bytes" },
	[NAME] = { "name", NULL, CELL_STR, 0, "in its directory; with -R below the operand" },
	[DELETED] = { "deleted", NULL, CELL_BOOL, FIELD_JSON,
		      "it is in the directory no more, and still in use" },
	[PARENT] = { "parent", NULL, CELL_ADDR, FIELD_JSON, "struct dentry of its directory" },
};
static const struct record_kind dentry_kind = { "dentry",     "a name in a directory",
						LAYOUT_TABLE, NULL,
						fields,       ARRAY_SIZE(fields) };

struct dentries_opts {
	bool self, deep;
	const char *task;
};
static const struct option opts[] = {
	OPT_FLAG("d", struct dentries_opts, self, "directories themselves, not what is in them"),
	OPT_FLAG("R", struct dentries_opts, deep, "and what is in the directories there"),
	OPT_STR("n", "task", struct dentries_opts, task,
		"paths as this task sees them; else as init does"),
};

struct dentries {
	struct ctx *c;
	const struct dentries_opts *o;
	const struct type *type; /* for a pipeline; NULL: none behind */
	struct guard guard;      /* with -R: a directory comes once */
	const char *above;       /* names from the operand on, "" or "etc/" */
	unsigned depth;
	struct err *err;
	bool ok;
};

static bool children(struct dentries *w, uint64_t dir);

static void dentries_flaw(const struct err *e, void *arg)
{
	const struct dentries *w = arg;

	note(w->c, e);
}

static bool dentries_show(const struct vfs_dentry *d, void *arg)
{
	struct dentries *w = arg;
	struct vfs_inode i = { .type = NULL };
	const char *name, *above = w->above;
	struct record r;
	struct err why;

	if (w->type) {
		w->ok = yield(w->c, value_ref(w->type, d->addr), w->err);
		if (!w->ok)
			return false;
	}
	name = arena_printf(w->c->arena, "%s%s", above, d->name);
	if (d->inode && !inode_read(w->c->t, d->inode, &i, &why))
		note(w->c, &why);
	if (!w->type) {
		record_init(&r, &dentry_kind);
		record_uint(&r, ADDR, d->addr);
		if (d->inode)
			record_uint(&r, INODE, d->inode);
		if (i.type) {
			record_uint(&r, NUMBER, i.number);
			record_uint(&r, SIZE, i.size);
		}
		record_str(&r, TYPE, i.type);
		record_bool(&r, DELETED, d->deleted);
		record_str(&r, NAME,
			   d->deleted ? arena_printf(w->c->arena, "%s (deleted)", name) : name);
		record_uint(&r, PARENT, d->parent);
		emit(w->c, &r);
	}
	if (!w->o->deep || !i.type || strcmp(i.type, "DIR") != 0)
		return true;
	w->above = arena_printf(w->c->arena, "%s/", name);
	w->ok = children(w, d->addr);
	w->above = above;
	return w->ok;
}

static bool children(struct dentries *w, uint64_t dir)
{
	struct err why;
	bool ok;

	if (++w->depth > DEPTH_MAX_DIRS)
		return err_set_addr(w->err, ERR_LIMIT, dir, "directories within %u directories",
				    DEPTH_MAX_DIRS);
	ok = guard_step(&w->guard, dir, &why) &&
	     dentries_each(w->c->t, dir, w->c->arena, dentries_show, dentries_flaw, w, &why);
	w->depth--;
	if (ok)
		return w->ok;
	if (!err_is_damage(why.code))
		return *w->err = why, false;
	note(w->c, &why);
	return true;
}

static bool dentries_start(struct dentries *w, struct ctx *c, struct err *err)
{
	*w = (struct dentries){ .c = c, .o = c->opts, .above = "", .err = err, .ok = true };
	return !piped(c) || type_find(c->t, "struct dentry", &w->type, err);
}

/* What is in a directory; of anything else, and with -d, itself. */
static bool one_dentry(struct dentries *w, uint64_t addr, struct err *err)
{
	struct vfs_dentry d;
	struct vfs_inode i;

	guard_init(&w->guard, "directories", 0);
	if (!dentry_read(w->c->t, addr, w->c->arena, &d, err))
		return false;
	if (!w->o->self && d.inode) {
		if (!inode_read(w->c->t, d.inode, &i, err))
			return false;
		if (!strcmp(i.type, "DIR"))
			return children(w, addr);
	}
	return dentries_show(&d, w) || w->ok;
}

static bool one_operand(struct dentries *w, const struct task *task, const char *word,
			struct err *err)
{
	struct vfs_place place;
	uint64_t addr;

	if (parse_number(word, true, &addr))
		return one_dentry(w, addr, err);
	return vfs_lookup(w->c->t, task->addr, word, w->c->arena, &place, err) &&
	       one_dentry(w, place.dentry, err);
}

static bool dentries_run(struct ctx *c, struct err *err)
{
	const struct dentries_opts *o = c->opts;
	const struct task *task;
	struct dentries w;
	struct err why;

	if (!(o->task ? task_named(c, o->task, &task, err) : task_by_pid(c->t, 1, &task, err)) ||
	    !dentries_start(&w, c, err))
		return false;
	if (!c->argc)
		return err_set(err, ERR_USAGE, "a path, or the address of a dentry, is wanted");
	for (int i = 0; i < c->argc; i++)
		if (!one_operand(&w, task, c->argv[i], &why)) {
			if (!w.ok)
				return false;
			complain(c, &why);
		}
	return w.ok;
}

static bool each(struct ctx *c, struct value v, struct err *err)
{
	struct dentries w;

	return dentries_start(&w, c, err) && one_dentry(&w, v.addr, err);
}

static const struct example examples[] = {
	{ "dentries /", "what the kernel remembers of a directory" },
	{ "dentries -d /proc", "the directory itself" },
	{ "dentries -R / | where d_inode == 0 | pick d_name.name", "names of what was not there" },
};
const struct command cmd_dentries = {
	.name = "dentries",
	.group = "files",
	.summary = "names in directories",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.in = "struct dentry",
	.out = "struct dentry",
	.operands = "path | dentry...",
	OPTS(opts),
	.opts_size = sizeof(struct dentries_opts),
	.emits = (const struct record_kind *const[]){ &dentry_kind, NULL },
	.none = "no such name",
	.completes = COMPLETE_MOUNT,
	.help = "Prints the names in a directory that the kernel has in memory: all of them in a file system "
		"without a disk, those that were used in one with. One without an inode is known not to "
		"exist. A path goes through mounts and symbolic links as it did for init, or for -n's "
		"task; -R stays in its file system.",
	EXAMPLES(examples),
	.run = dentries_run,
	.each = each,
};
