/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of an inode. */
#include "commands/fs/inode_record.h"

enum {
	ADDR,
	NUMBER,
	TYPE,
	MODE,
	LINKS,
	SIZE,
	USES,
	STATE,
	DIRTY,
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
	[STATE] = { "state", NULL, CELL_HEX, 0, "i_state" },
	[DIRTY] = { "dirty", NULL, CELL_BOOL, FIELD_JSON,
		    "it is in a list of inodes to be written, as those of tmpfs may be that never are; "
		    "null: not known" },
	[SB] = { "superblock", NULL, CELL_ADDR, FIELD_JSON, "address of its struct super_block" },
	[PATH] = { "path", NULL, CELL_STR, 0, "its first name that is remembered" },
};
const struct record_kind inode_kind = { "inode", "an inode of a file system", LAYOUT_TABLE, NULL,
					fields,  ARRAY_SIZE(fields) };

void emit_inode(struct ctx *c, const struct vfs_inode *i, uint64_t mount)
{
	const char *path = NULL;
	enum inode_dirt dirt;
	struct record r;
	struct err why;

	if (!inode_path(c->t, i, mount, c->arena, &path, &why))
		note(c, &why);
	if (!inode_dirty(c->t, i, &dirt, &why))
		note(c, &why);
	record_init(&r, &inode_kind);
	record_uint(&r, ADDR, i->addr);
	record_uint(&r, NUMBER, i->number);
	record_str(&r, TYPE, i->type);
	record_uint(&r, MODE, i->mode);
	record_uint(&r, LINKS, i->links);
	record_uint(&r, SIZE, i->size);
	record_int(&r, USES, (int32_t)i->uses);
	record_uint(&r, STATE, i->state);
	if (dirt != INODE_UNSURE)
		record_bool(&r, DIRTY, dirt == INODE_DIRTY);
	record_uint(&r, SB, i->sb);
	record_str(&r, PATH, path);
	emit(c, &r);
}
