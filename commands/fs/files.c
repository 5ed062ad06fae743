/* SPDX-License-Identifier: GPL-3.0-or-later */
/* files: what tasks have open. */
#include <string.h>

#include "core/obit.h"
#include "core/linux/fs/vfs.h"
#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/types/value.h"
#include "core/records/task_record.h"
#include "core/shell/stage.h"
#include "commands/fs/page_cache_record.h"

enum {
	PID,
	FD,
	FILE_ADDR,
	DENTRY,
	INODE,
	TYPE,
	PATH
};
static const struct record_field fields[] = {
	[PID] = { "pid", NULL, CELL_INT, FIELD_JSON, "whose it is" },
	[FD] = { "fd", NULL, CELL_UINT, FIELD_RIGHT, "its number" },
	[FILE_ADDR] = { "file", NULL, CELL_ADDR, 0, "address of the struct file" },
	[DENTRY] = { "dentry", NULL, CELL_ADDR, 0, "address of its struct dentry" },
	[INODE] = { "inode", NULL, CELL_ADDR, 0, "address of its struct inode" },
	[TYPE] = { "type", NULL, CELL_STR, 0, "REG, DIR, CHR, BLK, FIFO, SOCK, LNK, UNKN" },
	[PATH] = { "path", NULL, CELL_STR, 0, "as /proc/PID/fd had it" },
};
static const struct record_kind file_kind = {
	"file", "one open file", LAYOUT_TABLE, NULL, fields, 7
};
static const struct record_field place_fields[] = {
	{ "root", NULL, CELL_STR, 0, "root directory" },
	{ "cwd", NULL, CELL_STR, 0, "current directory" },
};
static const struct record_kind places_kind = { "places",     "a task's directories",
						LAYOUT_LINE,  "ROOT: {root}    CWD: {cwd}",
						place_fields, 2 };

struct files_opts {
	const char *ref, *inode;
	bool cached;
};
static const struct option opts[] = {
	{ "c", NULL, OPTION_FLAG, offsetof(struct files_opts, cached),
	  "how many pages of each are in memory" },
	{ "p", "inode", OPTION_STR, offsetof(struct files_opts, inode),
	  "the pages in memory of an inode, by its address; no task's files" },
	{ "R", "reference", OPTION_STR, offsetof(struct files_opts, ref),
	  "only files that are this: a number, an address of file, dentry or inode, a path" },
};

struct files {
	struct ctx *c;
	const struct task *task;
	const struct type *type; /* for a pipeline; NULL: none behind */
	const char *ref;
	bool cached;
	struct err *err;
	bool ok, headed;
};

static bool is_asked(const char *ref, const struct vfs_open *f)
{
	uint64_t n;

	if (!ref || (f->path && !strcmp(ref, f->path)))
		return true;
	if (parse_number(ref, false, &n) && n == f->fd)
		return true;
	return parse_number(ref, true, &n) && (n == f->file || n == f->dentry || n == f->inode);
}

/* Whose they are; with -R only where there is something to show. */
static void head(struct files *w)
{
	const char *root, *cwd;
	struct record r;
	struct err why;

	if (w->headed || w->type)
		return;
	w->headed = true;
	emit_task_head(w->c, w->task);
	if (!vfs_places(w->c->t, w->task->addr, w->c->arena, &root, &cwd, &why))
		note(w->c, &why);
	record_init(&r, &places_kind);
	record_str(&r, 0, root);
	record_str(&r, 1, cwd);
	emit(w->c, &r);
}

static bool files_show(const struct vfs_open *f, void *arg)
{
	struct files *w = arg;
	struct record r;

	if (!is_asked(w->ref, f))
		return true;
	head(w);
	if (w->type) {
		w->ok = yield(w->c, value_ref(w->type, f->file), w->err);
		return w->ok;
	}
	if (w->cached) {
		emit_cached_file(w->c, w->task->pid, f);
		return true;
	}
	record_init(&r, &file_kind);
	record_int(&r, PID, w->task->pid);
	record_uint(&r, FD, f->fd);
	record_uint(&r, FILE_ADDR, f->file);
	if (f->dentry)
		record_uint(&r, DENTRY, f->dentry);
	if (f->inode)
		record_uint(&r, INODE, f->inode);
	record_str(&r, TYPE, f->type);
	record_str(&r, PATH, f->path);
	emit(w->c, &r);
	return true;
}

static void files_flaw(const struct err *e, void *arg)
{
	const struct files *w = arg;

	note(w->c, e);
}

static bool one_task(struct ctx *c, const struct task *task, struct err *err)
{
	const struct files_opts *o = c->opts;
	struct files w = {
		.c = c, .task = task, .ref = o->ref, .cached = o->cached, .err = err, .ok = true
	};
	struct err why;

	if (piped(c) && !type_find(c->t, "struct file", &w.type, err))
		return false;
	if (!w.ref)
		head(&w);
	if (vfs_files(c->t, task->addr, c->arena, files_show, files_flaw, &w, &why))
		return w.ok;
	if (!err_is_damage(why.code))
		return *err = why, false;
	note(c, &why);
	return true;
}

static bool files_run(struct ctx *c, struct err *err)
{
	const struct files_opts *o = c->opts;
	uint64_t inode;

	if (o->inode && (c->argc || o->ref || o->cached || piped(c)))
		return err_set(err, ERR_USAGE, "-p is about an inode, and about nothing else");
	if (o->inode && !stage_place(c, o->inode, &inode, err))
		return false;
	if (o->inode)
		return emit_cached_pages(c, inode, err);
	return each_task(c, one_task, err);
}

static bool files_each(struct ctx *c, struct value v, struct err *err)
{
	const struct task *task;

	return task_by_addr(c->t, v.addr, &task, err) && one_task(c, task, err);
}

static const struct example examples[] = {
	{ "files 1", "what init has open" },
	{ "files -c 1", "and how much of each is in memory" },
	{ "files 1 | where f_inode->i_mapping->nrpages | first 1 | each files -p {f_inode}",
	  "the pages of a file" },
	{ "ps -u | files -R /dev/null", "who has a file open" },
	{ "files 1 | pick f_pos, f_flags", "members of each struct file" },
};
const struct command cmd_files = {
	.name = "files",
	.group = "files",
	.summary = "open files of tasks",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.in = "struct task_struct",
	.apart = true,
	.out = "struct file",
	.operands = "[pid | task | name]...",
	OPTS(opts),
	.opts_size = sizeof(struct files_opts),
	.emits = (const struct record_kind *const[]){ &task_head_kind, &places_kind, &file_kind,
						      &cached_file_kind, &cached_page_kind, NULL },
	.none = "no such file is open",
	.completes = COMPLETE_PID,
	.help = "Prints the open files of the current task, or of those named, with the paths that "
		"/proc/PID/fd had: seen from the root of all mounts, \" (deleted)\" behind what is "
		"in no directory any more.",
	EXAMPLES(examples),
	.run = files_run,
	.each = files_each,
};
