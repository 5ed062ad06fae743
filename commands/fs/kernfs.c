/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernfs: names of sysfs and cgroupfs, and what they stand for. */
#include <string.h>

#include "core/obit.h"
#include "core/linux/fs/kernfs.h"
#include "core/linux/task/task.h"
#include "core/records/task_record.h"

#define LEVELS_MAX 100

enum {
	NODE,
	INO,
	TYPE,
	MODE,
	SIZE,
	NAME,
	BEHIND,
	PARENT,
	TARGET,
	PRIV,
	KOBJECT,
	KTYPE,
	OBJECT_TYPE,
	OBJECT,
	ATTRIBUTE,
	ATTRIBUTE_TYPE,
	SHOW,
	STORE
};

static void mode_text(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	(void)k, (void)r;
	buf_printf(b, "%04llo", (unsigned long long)cell->u & 07777);
}

/* The most that is known: the struct that it is in, or the functions of an attribute. */
static void behind_text(struct buf *b, const struct sink *k, const struct record *r,
			const struct cell *cell)
{
	const struct cell *c = r->cells;

	(void)k;
	if (cell->kind == CELL_STR)
		buf_printf(b, "%s", cell->str.s);
	else if (c[ATTRIBUTE].kind != CELL_NULL)
		buf_printf(b, "%s%s%s", c[SHOW].kind == CELL_NULL ? "-" : c[SHOW].str.s,
			   c[STORE].kind == CELL_NULL ? "" : ", ",
			   c[STORE].kind == CELL_NULL ? "" : c[STORE].str.s);
	else if (c[OBJECT].kind != CELL_NULL)
		buf_printf(b, "%s %llx", c[OBJECT_TYPE].str.s, (unsigned long long)c[OBJECT].u);
	else if (c[KOBJECT].kind != CELL_NULL)
		buf_printf(b, "struct kobject %llx", (unsigned long long)c[KOBJECT].u);
	else
		buf_printf(b, "-");
}

static const struct record_field fields[] = {
	[NODE] = { "node", NULL, CELL_ADDR, 0, "address of the struct kernfs_node" },
	[INO] = { "ino", NULL, CELL_UINT, FIELD_RIGHT, "the inode's number" },
	[TYPE] = { "type", NULL, CELL_STR, 0, "DIR, FILE, LINK" },
	[MODE] = { "mode", NULL, CELL_UINT, 0, "type and permissions; text has the latter in octal",
		   .text = mode_text },
	[SIZE] = { "size", NULL, CELL_UINT, FIELD_RIGHT, "bytes, as a file says it has" },
	[NAME] = { "name", NULL, CELL_STR, 0, "in its directory; with -R below the operand" },
	[BEHIND] = { "leads_to", "BEHIND", CELL_STR, 0,
		     "of a link: where to, from the root of its file system; text has a "
		     "directory's struct and a file's functions, too",
		     .text = behind_text },
	[PARENT] = { "parent", NULL, CELL_ADDR, FIELD_JSON, "node of its directory" },
	[TARGET] = { "target", NULL, CELL_ADDR, FIELD_JSON,
		     "of a link: the node that it leads to" },
	[PRIV] = { "priv", NULL, CELL_ADDR, FIELD_JSON,
		   "what its maker keeps there: of a control group's directory the struct cgroup" },
	[KOBJECT] = { "kobject", NULL, CELL_ADDR, FIELD_JSON,
		      "struct kobject of a directory of sysfs, or whose attribute a file is" },
	[KTYPE] = { "ktype", NULL, CELL_STR, FIELD_JSON, "the kobject's type, device_ktype" },
	[OBJECT_TYPE] = { "object_type", NULL, CELL_STR, FIELD_JSON,
			  "the struct that the kobject is in, or struct cgroup; null: it is not known" },
	[OBJECT] = { "object", NULL, CELL_ADDR, FIELD_JSON, "address of that struct" },
	[ATTRIBUTE] = { "attribute", NULL, CELL_ADDR, FIELD_JSON, "of a file of sysfs" },
	[ATTRIBUTE_TYPE] = { "attribute_type", NULL, CELL_STR, FIELD_JSON, "what is there" },
	[SHOW] = { "show", NULL, CELL_STR, FIELD_JSON, "the function that is called to read" },
	[STORE] = { "store", NULL, CELL_STR, FIELD_JSON, "the function that is called to write" },
};
static const struct record_kind node_kind = { .name = "kernfs_node",
					      .doc = "A name of sysfs or cgroupfs.",
					      .layout = LAYOUT_TABLE,
					      .fields = fields,
					      .n_fields = ARRAY_SIZE(fields) };

struct kernfs_opts {
	bool self, deep;
	const char *task;
};
static const struct option opts[] = {
	OPT_FLAG("d", struct kernfs_opts, self, "directories and links themselves"),
	OPT_FLAG("R", struct kernfs_opts, deep, "and what is in the directories there"),
	OPT_STR("n", "task", struct kernfs_opts, task,
		"paths as this task sees them; else as init does"),
};

struct kernfs {
	struct ctx *c;
	const struct kernfs_opts *o;
	const struct type *type; /* for a pipeline; NULL: none behind */
	const char *above;       /* names from the operand on, "" or "queue/" */
	unsigned depth;
	struct err *err;
	bool ok;
};

static void kernfs_flaw(const struct err *e, void *arg)
{
	const struct kernfs *w = arg;

	note(w->c, e);
}

static void set_addr(struct record *r, unsigned field, uint64_t addr)
{
	if (addr)
		record_uint(r, field, addr);
}

static void object_record(struct kernfs *w, struct record *r, const struct kernfs_node *n)
{
	struct kernfs_object o;
	struct err why;

	if (!kernfs_object_read(w->c->t, n, w->c->arena, &o, &why))
		note(w->c, &why);
	set_addr(r, KOBJECT, o.kobject);
	record_str(r, KTYPE, o.ktype);
	record_str(r, OBJECT_TYPE, o.type);
	set_addr(r, OBJECT, o.addr);
	set_addr(r, ATTRIBUTE, o.attribute);
	record_str(r, ATTRIBUTE_TYPE, o.attribute_type);
	record_str(r, SHOW, o.show);
	record_str(r, STORE, o.store);
}

static void node_emit(struct kernfs *w, const struct kernfs_node *n, const char *name)
{
	const char *target = NULL;
	struct record r;
	struct err why;

	record_init(&r, &node_kind);
	if (n->target && !kernfs_path(w->c->t, n->target, w->c->arena, &target, &why))
		note(w->c, &why);
	record_uint(&r, NODE, n->addr);
	record_uint(&r, INO, n->ino);
	record_str(&r, TYPE, n->type);
	record_uint(&r, MODE, n->mode);
	record_uint(&r, SIZE, n->size);
	record_str(&r, NAME, *name ? name : "/");
	record_str(&r, BEHIND, target ? arena_printf(w->c->arena, "-> %s", target) : NULL);
	set_addr(&r, PARENT, n->parent);
	set_addr(&r, TARGET, n->target);
	set_addr(&r, PRIV, n->priv);
	object_record(w, &r, n);
	emit(w->c, &r);
}

static bool node_show(const struct kernfs_node *n, void *arg)
{
	struct kernfs *w = arg;
	const char *above = w->above, *name;
	struct err why;
	bool ok;

	name = arena_printf(w->c->arena, "%s%s", above, n->name);
	if (!w->type)
		node_emit(w, n, name);
	else
		w->ok = yield(w->c, value_ref(w->type, n->addr), w->err);
	if (!w->ok || !w->o->deep || strcmp(n->type, "DIR") != 0)
		return w->ok;
	if (w->depth == LEVELS_MAX) {
		err_set_addr(&why, ERR_LIMIT, n->addr, "directories within %u directories",
			     LEVELS_MAX);
		note(w->c, &why);
		return true;
	}
	w->above = arena_printf(w->c->arena, "%s/", name);
	w->depth++;
	ok = kernfs_children(w->c->t, n->addr, w->c->arena, node_show, kernfs_flaw, w, &why);
	w->depth--;
	w->above = above;
	if (!ok && w->ok && err_is_damage(why.code))
		note(w->c, &why);
	else if (!ok && w->ok)
		return *w->err = why, w->ok = false;
	return w->ok;
}

/* What is in a directory; of anything else, and with -d, itself. */
static bool one_node(struct kernfs *w, const struct kernfs_node *n, struct err *err)
{
	if (w->o->self || strcmp(n->type, "DIR") != 0)
		return node_show(n, w) || w->ok;
	return kernfs_children(w->c->t, n->addr, w->c->arena, node_show, kernfs_flaw, w, err);
}

static bool one_operand(struct kernfs *w, const struct task *task, const char *word,
			struct err *err)
{
	struct kernfs_node n;
	uint64_t addr;

	if (*word != '/' && parse_number(word, true, &addr))
		return kernfs_read(w->c->t, addr, w->c->arena, &n, err) && one_node(w, &n, err);
	return kernfs_lookup(w->c->t, task->addr, word, !w->o->self, w->c->arena, &n, err) &&
	       one_node(w, &n, err);
}

static bool kernfs_start(struct kernfs *w, struct ctx *c, struct err *err)
{
	*w = (struct kernfs){ .c = c, .o = c->opts, .above = "", .err = err, .ok = true };
	return !piped(c) || type_find(c->t, "struct kernfs_node", &w->type, err);
}

static bool kernfs_run(struct ctx *c, struct err *err)
{
	const struct kernfs_opts *o = c->opts;
	const struct task *task;
	struct kernfs w;
	struct err why;

	if (!c->argc)
		return err_set(err, ERR_USAGE,
			       "a path, or the address of a kernfs_node, is wanted");
	if (!(o->task ? task_named(c, o->task, &task, err) : task_by_pid(c->t, 1, &task, err)) ||
	    !kernfs_start(&w, c, err))
		return false;
	for (int i = 0; i < c->argc && w.ok; i++)
		if (!one_operand(&w, task, c->argv[i], &why) && w.ok)
			complain(c, &why);
	return w.ok;
}

static bool kernfs_each(struct ctx *c, struct value v, struct err *err)
{
	struct kernfs_node n;
	struct kernfs w;

	return kernfs_start(&w, c, err) && kernfs_read(c->t, v.addr, c->arena, &n, err) &&
	       one_node(&w, &n, err);
}

static const struct example examples[] = {
	{ "kernfs /sys/block/loop0/queue",
	  "the attributes of a disk's queue, and their functions" },
	{ "kernfs -d /sys/block/loop0", "a link, and where it leads" },
	{ "kernfs -R /sys/devices/system/cpu | where flags & 1 | pick name | first 5",
	  "directories" },
	{ "kernfs /sys/class/net | pick name", "names alone" },
};
const struct command cmd_kernfs = {
	.name = "kernfs",
	.group = "files",
	.summary = "names of sysfs and cgroupfs, and what they stand for",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.in = "struct kernfs_node",
	.out = "struct kernfs_node",
	.operands = "path | kernfs_node...",
	OPTS(opts),
	.opts_size = sizeof(struct kernfs_opts),
	.emits = (const struct record_kind *const[]){ &node_kind, NULL },
	.none = "no such name",
	.help = "Prints what is in a directory of sysfs, cgroup2, cgroup or resctrl: all of it, for the kernel has that "
		"tree in memory whether anybody looked or not; dentries knows the names that somebody looked at. "
		"Links are followed, and with -d shown.\n\n"
		"Behind a directory of sysfs stands its struct kobject, and where the kobject's type is known, the "
		"struct that it is in; behind a file the functions that show its value and store one. Behind a "
		"control group's directory stands its struct cgroup.",
	EXAMPLES(examples),
	.run = kernfs_run,
	.each = kernfs_each,
};
