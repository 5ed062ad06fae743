/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inodes: what a file system has in memory. */
#include "core/obit.h"
#include "core/types/value.h"
#include "core/linux/fs/dcache.h"
#include "commands/fs/inode_record.h"

struct inodes {
	struct ctx *c;
	const struct type *type; /* for a pipeline; NULL: none behind */
	uint64_t mount;          /* of the superblock that is walked */
	struct err *err;
	bool ok;
};

static void inodes_flaw(const struct err *e, void *arg)
{
	const struct inodes *w = arg;

	note(w->c, e);
}

static bool inodes_show(uint64_t addr, void *arg)
{
	struct inodes *w = arg;
	struct vfs_inode i;
	struct err why;

	if (w->type) {
		w->ok = yield(w->c, value_ref(w->type, addr), w->err);
		return w->ok;
	}
	if (inode_read(w->c->t, addr, &i, &why))
		emit_inode(w->c, &i, w->mount);
	else
		note(w->c, &why);
	return true;
}

static bool of_superblock(struct inodes *w, uint64_t sb, struct err *err)
{
	struct err why;

	if (inodes_each(w->c->t, sb, inodes_show, inodes_flaw, w, &why))
		return w->ok;
	if (!err_is_damage(why.code))
		return *err = why, false;
	note(w->c, &why);
	return true;
}

static bool superblock_show(const struct superblock *s, void *arg)
{
	struct inodes *w = arg;

	if (!superblock_asked(w->c, s))
		return true;
	w->mount = s->mount;
	w->ok = of_superblock(w, s->addr, w->err);
	return w->ok;
}

static bool inodes_start(struct inodes *w, struct ctx *c, struct err *err)
{
	*w = (struct inodes){ .c = c, .err = err, .ok = true };
	return !piped(c) || type_find(c->t, "struct inode", &w->type, err);
}

static bool inodes_run(struct ctx *c, struct err *err)
{
	struct inodes w;
	struct err why;

	if (!inodes_start(&w, c, err))
		return false;
	if (!c->argc)
		return err_set(err, ERR_USAGE,
			       "a file system is wanted: its superblock, type, or directory");
	if (!superblocks_each(c->t, c->arena, superblock_show, inodes_flaw, &w, &why)) {
		if (!err_is_damage(why.code))
			return *err = why, false;
		note(c, &why);
	}
	return w.ok && operands_met(c, "", " is no file system in use", err);
}

static bool each(struct ctx *c, struct value v, struct err *err)
{
	struct inodes w;

	return inodes_start(&w, c, err) && of_superblock(&w, v.addr, err);
}

static const struct example examples[] = {
	{ "inodes proc", "of the file systems of a type" },
	{ "inodes proc | where i_count.counter > 1 | pick i_ino, i_nlink", "those in use" },
	{ "superblocks | inodes | where i_io_list.next != &i_io_list | count",
	  "how many writeback has in a list: dirty ones, and of control groups clean ones, too" },
};
const struct command cmd_inodes = {
	.name = "inodes",
	.group = "files",
	.summary = "inodes of a file system",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.in = "struct super_block",
	.out = "struct inode",
	.operands = "superblock | type | device | directory...",
	.emits = (const struct record_kind *const[]){ &inode_kind, NULL },
	.none = "no such inode",
	.completes = COMPLETE_MOUNT,
	.help = "Prints the inodes that the kernel has of the file systems named: by the address of the "
		"struct super_block, the type, the device, or the directory where it is mounted. Each "
		"has the first of its names that is remembered; those of "
		"pipes and sockets are in no list of their file system.",
	EXAMPLES(examples),
	.run = inodes_run,
	.each = each,
};
