/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fsnotify: who watches which files. */
#include <string.h>

#include "core/obit.h"
#include "core/linux/fs/fsnotify.h"

enum {
	GROUP,
	KIND,
	QUEUED,
	MOST,
	PRIORITY,
	FILE_ADDR,
	PIDS,
	USERS
};
static const struct record_field group_fields[] = {
	[GROUP] = { "group", NULL, CELL_HEX, 0, "address of the struct fsnotify_group" },
	[KIND] = { "kind", NULL, CELL_STR, 0,
		   "inotify, fanotify; the kernel's own: dnotify, audit_watch, ..." },
	[QUEUED] = { "queued", NULL, CELL_UINT, 0, "events that nobody read yet" },
	[MOST] = { "most", NULL, CELL_UINT, 0, "how many there may be" },
	[PRIORITY] = { "priority", NULL, CELL_UINT, 0,
		       "0: it is told; 1: it is asked, of contents that are final; 2: before they are" },
	[FILE_ADDR] = { "file", NULL, CELL_ADDR, FIELD_JSON, "struct file that it is open as" },
	[PIDS] = { "pids", NULL, CELL_STRS, FIELD_JSON, "processes that have it open" },
	[USERS] = { "users", NULL, CELL_STR, 0, "the same with names and file descriptors" },
};
static const struct record_kind group_kind = {
	.name = "fsnotify_group",
	.doc = "Who watches files.",
	.layout = LAYOUT_LINE,
	.line = "{kind} {group}, {queued} of {most} events queued{?users:: {users}}",
	.fields = group_fields,
	.n_fields = ARRAY_SIZE(group_fields),
};

enum {
	MARK,
	MARK_GROUP,
	WD,
	ON,
	OBJECT,
	INO,
	DEV,
	PATH,
	EVENTS,
	IGNORED,
	MASK,
	IGNORED_MASK,
	FLAGS
};

static void words_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	(void)k, (void)r;
	if (!cell->strs.n)
		buf_printf(b, "-");
	for (size_t i = 0; i < cell->strs.n; i++)
		buf_printf(b, "%s%s", i ? "|" : "", cell->strs.v[i]);
}

static const struct record_field mark_fields[] = {
	[MARK] = { "mark", NULL, CELL_ADDR, 0, "address of the struct fsnotify_mark" },
	[MARK_GROUP] = { "group", NULL, CELL_ADDR, FIELD_JSON, "whose it is" },
	[WD] = { "wd", NULL, CELL_INT, FIELD_RIGHT, "inotify's watch descriptor" },
	[ON] = { "on", NULL, CELL_STR, 0,
		 "inode, vfsmount, sb (a whole file system), mntns, detached (it is gone)" },
	[OBJECT] = { "object", NULL, CELL_ADDR, 0, "address of that struct; a vfsmount's mount" },
	[INO] = { "ino", NULL, CELL_UINT, FIELD_JSON, "the inode's number" },
	[DEV] = { "dev", NULL, CELL_UINT, FIELD_JSON, "s_dev of its file system" },
	[PATH] = { "path", NULL, CELL_STR, 0, "what is watched" },
	[EVENTS] = { "events", NULL, CELL_STRS, 0, "what for", .text = words_text },
	[IGNORED] = { "ignored", NULL, CELL_STRS, 0, "events that are not told of this one",
		      .text = words_text },
	[MASK] = { "mask", NULL, CELL_HEX, FIELD_JSON, "events as the kernel's bits" },
	[IGNORED_MASK] = { "ignored_mask", NULL, CELL_HEX, FIELD_JSON, "the same of those" },
	[FLAGS] = { "flags", NULL, CELL_HEX, FIELD_JSON, "the mark's flags" },
};
static const struct record_kind mark_kind = { .name = "fsnotify_mark",
					      .doc = "What is watched.",
					      .layout = LAYOUT_TABLE,
					      .fields = mark_fields,
					      .n_fields = ARRAY_SIZE(mark_fields) };

struct watching {
	struct ctx *c;
	const struct type *type;           /* for a pipeline; NULL: none behind */
	const struct fsnotify_group *told; /* whose line was printed */
	struct err *err;
	bool ok;
};

static bool user_asked(const struct ctx *c, const struct fsnotify_group *g)
{
	uint64_t n;

	for (int i = 0; i < c->argc; i++)
		for (size_t u = 0; u < g->n_users; u++)
			if ((parse_number(c->argv[i], false, &n) &&
			     (int64_t)n == g->users[u].task->pid) ||
			    !strcmp(c->argv[i], g->users[u].task->comm))
				return true;
	return !c->argc;
}

static bool mark_asked(const struct ctx *c, const struct fsnotify_mark *m)
{
	uint64_t n;

	for (int i = 0; i < c->argc; i++)
		if ((m->path && !strcmp(c->argv[i], m->path)) ||
		    (parse_number(c->argv[i], true, &n) &&
		     (n == m->addr || n == m->group || n == m->object)))
			return true;
	return false;
}

static void group_emit(struct watching *w, const struct fsnotify_group *g)
{
	const char **pids = ARENA_ARRAY(w->c->arena, const char *, g->n_users + 1);
	struct buf users = { 0 };
	struct record r;

	w->told = g;
	if (w->type)
		return;
	for (size_t i = 0; i < g->n_users; i++) {
		const struct fsnotify_user *u = &g->users[i];

		pids[i] = arena_printf(w->c->arena, "%d", u->task->pid);
		buf_printf(&users, "%s%d \"%s\" fd %u", i ? ", " : "", u->task->pid, u->task->comm,
			   u->fd);
	}
	record_init(&r, &group_kind);
	record_uint(&r, GROUP, g->addr);
	record_str(&r, KIND, g->kind);
	record_uint(&r, QUEUED, g->queued);
	record_uint(&r, MOST, g->most);
	record_uint(&r, PRIORITY, g->priority);
	if (g->file)
		record_uint(&r, FILE_ADDR, g->file);
	record_strs(&r, PIDS, pids, g->n_users);
	if (g->n_users)
		record_str(&r, USERS, arena_strndup(w->c->arena, users.s, users.n));
	buf_release(&users);
	emit(w->c, &r);
}

static bool group_show(const struct fsnotify_group *g, void *arg)
{
	struct watching *w = arg;

	w->told = NULL;
	if (user_asked(w->c, g))
		group_emit(w, g);
	return true;
}

static void words_record(struct ctx *c, struct record *r, unsigned field, uint64_t mask,
			 uint64_t flags)
{
	const char **words = ARENA_ARRAY(c->arena, const char *, FSNOTIFY_WORDS);

	record_strs(r, field, words, fsnotify_words(mask, flags, words));
}

static bool mark_show(const struct fsnotify_group *g, const struct fsnotify_mark *m, void *arg)
{
	struct watching *w = arg;
	struct record r;

	if (!user_asked(w->c, g) && !mark_asked(w->c, m))
		return true;
	if (w->told != g)
		group_emit(w, g);
	if (w->type) {
		w->ok = yield(w->c, value_ref(w->type, m->addr), w->err);
		return w->ok;
	}
	record_init(&r, &mark_kind);
	record_uint(&r, MARK, m->addr);
	record_uint(&r, MARK_GROUP, m->group);
	if (m->wd >= 0)
		record_int(&r, WD, m->wd);
	record_str(&r, ON, m->on);
	if (m->object)
		record_uint(&r, OBJECT, m->object);
	if (m->ino)
		record_uint(&r, INO, m->ino);
	if (m->dev)
		record_uint(&r, DEV, m->dev);
	record_str(&r, PATH, m->path);
	words_record(w->c, &r, EVENTS, m->mask, m->flags);
	words_record(w->c, &r, IGNORED, m->ignored, 0);
	record_uint(&r, MASK, m->mask);
	record_uint(&r, IGNORED_MASK, m->ignored);
	record_uint(&r, FLAGS, m->flags);
	emit(w->c, &r);
	return true;
}

static void watching_flaw(const struct err *e, void *arg)
{
	const struct watching *w = arg;

	note(w->c, e);
}

static bool fsnotify_run(struct ctx *c, struct err *err)
{
	struct watching w = { .c = c, .err = err, .ok = true };
	const struct fsnotify_fns fns = { group_show, mark_show, watching_flaw, &w };
	struct err why;

	if (piped(c) && !type_find(c->t, "struct fsnotify_mark", &w.type, err))
		return false;
	if (!fsnotify_each(c->t, c->arena, &fns, &why)) {
		if (!err_is_damage(why.code))
			return *err = why, false;
		note(c, &why);
	}
	c->damaged |= !tasks_complete(c->t);
	return w.ok;
}

static const struct example examples[] = {
	{ "fsnotify", "everybody who watches, and what" },
	{ "fsnotify /tmp/gate", "who watches a directory" },
	{ "fsnotify | where mask & 2 | count", "how many are told that a file was modified" },
};
const struct command cmd_fsnotify = {
	.name = "fsnotify",
	.group = "files",
	.summary = "who watches files: inotify, fanotify",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "struct fsnotify_mark",
	.operands = "[pid | name | path | address]...",
	.emits = (const struct record_kind *const[]){ &group_kind, &mark_kind, NULL },
	.none = "nobody watches such files",
	.help = "Lists the groups of inotify and fanotify that processes have open, and those of the kernel's own (dnotify, "
		"audit), each with its marks: what is watched (a file or directory, a mount, a whole file system), for "
		"which events, and which are ignored. Events are named as in the kernel, without FS_. An "
		"operand leaves what a process watches, by pid or name, and marks on a path or by "
		"address.\n\n"
		"A task that waits for a permission event of fanotify waits for whoever has the group open.",
	EXAMPLES(examples),
	.run = fsnotify_run,
};
