/* SPDX-License-Identifier: GPL-3.0-or-later */
/* superblocks: every file system that is in use, those that are mounted nowhere included. */
#include "core/obit.h"
#include "core/types/value.h"
#include "core/linux/fs/dcache.h"

enum {
	ADDR,
	TYPE,
	ID,
	ROOT,
	READ_ONLY,
	PATH
};
static const struct record_field fields[] = {
	[ADDR] = { "superblock", "SUPERBLK", CELL_ADDR, 0, "address of the struct super_block" },
	[TYPE] = { "type", NULL, CELL_STR, 0, "type of the file system" },
	[ID] = { "id", NULL, CELL_STR, 0, "the device's name, or the type's" },
	[ROOT] = { "root", NULL, CELL_ADDR, 0, "struct dentry of its root" },
	[READ_ONLY] = { "read_only", NULL, CELL_BOOL, FIELD_JSON, "nothing can be written" },
	[PATH] = { "path", "MOUNTED", CELL_STR, 0,
		   "where it is mounted first; null: nowhere that a task sees" },
};
static const struct record_kind superblock_kind = { "superblock", "a file system in use",
						    LAYOUT_TABLE, NULL,
						    fields,       ARRAY_SIZE(fields) };

struct superblocks {
	struct ctx *c;
	const struct type *type; /* for a pipeline; NULL: none behind */
	struct err *err;
	bool ok;
};

static bool superblocks_show(const struct superblock *s, void *arg)
{
	struct superblocks *w = arg;
	struct record r;

	if (w->c->argc && !superblock_asked(w->c, s))
		return true;
	if (w->type) {
		w->ok = yield(w->c, value_ref(w->type, s->addr), w->err);
		return w->ok;
	}
	record_init(&r, &superblock_kind);
	record_uint(&r, ADDR, s->addr);
	record_str(&r, TYPE, s->type);
	record_str(&r, ID, s->id);
	if (s->root)
		record_uint(&r, ROOT, s->root);
	record_bool(&r, READ_ONLY, s->read_only);
	record_str(&r, PATH, s->path);
	emit(w->c, &r);
	return true;
}

static void superblocks_flaw(const struct err *e, void *arg)
{
	const struct superblocks *w = arg;

	note(w->c, e);
}

static bool superblocks_run(struct ctx *c, struct err *err)
{
	struct superblocks w = { .c = c, .err = err, .ok = true };
	struct err why;

	if (piped(c) && !type_find(c->t, "struct super_block", &w.type, err))
		return false;
	if (!superblocks_each(c->t, c->arena, superblocks_show, superblocks_flaw, &w, &why)) {
		if (!err_is_damage(why.code))
			return *err = why, false;
		note(c, &why);
	}
	return w.ok && operands_met(c, "", " is no file system in use", err);
}

static const struct example examples[] = {
	{ "superblocks", "every file system in use" },
	{ "superblocks tmpfs", "those of a type" },
	{ "superblocks proc | pick s_id, s_flags, s_blocksize", "members of each super_block" },
};
const struct command cmd_superblocks = {
	.name = "superblocks",
	.group = "files",
	.summary = "file systems in use",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "struct super_block",
	.operands = "[superblock | type | device | directory]...",
	.emits = (const struct record_kind *const[]){ &superblock_kind, NULL },
	.none = "no such file system",
	.help = "Prints every superblock, those of the kernel's own file systems included, which no "
		"namespace has: sockets, pipes, block devices. An operand leaves those of that address, "
		"type, device, or directory where they are mounted.",
	EXAMPLES(examples),
	.run = superblocks_run,
};
