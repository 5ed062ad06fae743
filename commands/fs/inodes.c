/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inodes: what a file system has in memory. */
#include "core/obit.h"
#include "core/types/value.h"
#include "core/linux/fs/dcache.h"

enum {
	ADDR,
	NUMBER,
	TYPE,
	MODE,
	LINKS,
	SIZE,
	USES,
	STATE,
	SB,
	PATH
};
static const struct record_field fields[] = {
	[ADDR] = { "inode", NULL, CELL_ADDR, 0, "address of the struct inode" },
	[NUMBER] = { "ino", NULL, CELL_UINT, FIELD_RIGHT, "its number" },
	[TYPE] = { "type", NULL, CELL_STR, 0, "REG, DIR, CHR, BLK, FIFO, SOCK, LNK, UNKN" },
	[MODE] = { "mode", NULL, CELL_UINT, FIELD_JSON, "i_mode: type and permissions" },
	[LINKS] = { "links", NULL, CELL_UINT, FIELD_RIGHT, "names it has on the disk" },
	[SIZE] = { "size", NULL, CELL_UINT, FIELD_RIGHT, "bytes" },
	[USES] = { "uses", NULL, CELL_INT, FIELD_RIGHT, "i_count" },
	[STATE] = { "state", NULL, CELL_HEX, 0, "i_state; 0x7: dirty" },
	[SB] = { "superblock", NULL, CELL_ADDR, FIELD_JSON, "address of its struct super_block" },
	[PATH] = { "path", NULL, CELL_STR, 0, "its first name that is remembered" },
};
static const struct record_kind inode_kind = { "inode",      "an inode of a file system",
					       LAYOUT_TABLE, NULL,
					       fields,       ARRAY_SIZE(fields) };

struct inodes {
	struct ctx *c;
	const struct type *type; /* for a pipeline; NULL: none behind */
	uint64_t mount;          /* of the superblock that is walked */
	struct err *err;
	bool ok, found;
};

static void inodes_flaw(const struct err *e, void *arg)
{
	const struct inodes *w = arg;

	note(w->c, e);
}

static bool inodes_show(uint64_t addr, void *arg)
{
	struct inodes *w = arg;
	const char *path = NULL;
	struct vfs_inode i;
	struct record r;
	struct err why;

	if (w->type) {
		w->ok = yield(w->c, value_ref(w->type, addr), w->err);
		return w->ok;
	}
	if (!inode_read(w->c->t, addr, &i, &why)) {
		note(w->c, &why);
		return true;
	}
	if (!inode_path(w->c->t, &i, w->mount, w->c->arena, &path, &why))
		note(w->c, &why);
	record_init(&r, &inode_kind);
	record_uint(&r, ADDR, addr);
	record_uint(&r, NUMBER, i.number);
	record_str(&r, TYPE, i.type);
	record_uint(&r, MODE, i.mode);
	record_uint(&r, LINKS, i.links);
	record_uint(&r, SIZE, i.size);
	record_int(&r, USES, (int32_t)i.uses);
	record_uint(&r, STATE, i.state);
	record_uint(&r, SB, i.sb);
	record_str(&r, PATH, path);
	emit(w->c, &r);
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
	w->found = true;
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
	if (w.ok && !w.found)
		return err_set(err, ERR_NOTFOUND, "'%.100s' is no file system in use", c->argv[0]);
	return w.ok;
}

static bool each(struct ctx *c, struct value v, struct err *err)
{
	struct inodes w;

	return inodes_start(&w, c, err) && of_superblock(&w, v.addr, err);
}

static const struct example examples[] = {
	{ "inodes proc", "of the file systems of a type" },
	{ "inodes proc | where i_count.counter > 1 | pick i_ino, i_nlink", "those in use" },
	{ "superblocks | inodes | where i_state & 7 | count", "how many are dirty" },
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
	.help = "Prints the inodes that the kernel has of the file systems named: by the address of the "
		"struct super_block, the type, the device, or the directory where it is mounted. Each "
		"has the first of its names that is remembered; those of "
		"pipes and sockets are in no list of their file system.",
	EXAMPLES(examples),
	.run = inodes_run,
	.each = each,
};
