/* SPDX-License-Identifier: GPL-3.0-or-later */
/* swap: where memory was swapped out to. */
#include "core/obit.h"
#include "core/linux/misc/ipc.h"

enum {
	ADDR,
	TYPE,
	SIZE,
	USED,
	PERCENT,
	PRIORITY,
	FILE_ADDR,
	PATH
};
static const struct record_field fields[] = {
	[ADDR] = { "swap_info", "SWAP_INFO_STRUCT", CELL_ADDR, 0,
		   "address of the struct swap_info_struct" },
	[TYPE] = { "type", NULL, CELL_STR, 0, "partition or file" },
	[SIZE] = { "size", NULL, CELL_SIZE, FIELD_RIGHT, "bytes of swap space" },
	[USED] = { "used", NULL, CELL_SIZE, FIELD_RIGHT, "bytes in use" },
	[PERCENT] = { "percent", "PCT", CELL_UINT, FIELD_RIGHT, "in use, of 100" },
	[PRIORITY] = { "priority", "PRI", CELL_INT, FIELD_RIGHT, "the higher is used first" },
	[FILE_ADDR] = { "file", NULL, CELL_ADDR, FIELD_JSON, "address of the struct file" },
	[PATH] = { "path", "FILENAME", CELL_STR, 0, "its file or device" },
};
static const struct record_kind swap_kind = { "swap", "a swap area", LAYOUT_TABLE,
					      NULL,   fields,        ARRAY_SIZE(fields) };

static void swap_flaw(const struct err *e, void *arg)
{
	note(arg, e);
}

static bool swap_show(const struct swap_area *s, void *arg)
{
	struct ctx *c = arg;
	struct record r;

	record_init(&r, &swap_kind);
	record_uint(&r, ADDR, s->addr);
	record_str(&r, TYPE, s->partition ? "partition" : "file");
	record_uint(&r, SIZE, s->size);
	record_uint(&r, USED, s->used);
	if (s->size)
		record_uint(&r, PERCENT, (uint64_t)((double)s->used * 100 / (double)s->size));
	record_int(&r, PRIORITY, s->priority);
	record_uint(&r, FILE_ADDR, s->file);
	record_str(&r, PATH, s->path);
	emit(c, &r);
	return true;
}

static bool swap_run(struct ctx *c, struct err *err)
{
	struct err why;

	if (c->argc)
		return err_set(err, ERR_USAGE, "it takes no operands");
	if (swap_areas(c->t, c->arena, swap_show, swap_flaw, c, &why))
		return true;
	if (!err_is_damage(why.code))
		return *err = why, false;
	note(c, &why);
	return true;
}

static const struct example examples[] = {
	{ "swap", "the areas, and how full they are" },
};
const struct command cmd_swap = {
	.name = "swap",
	.group = "memory",
	.summary = "swap areas",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.emits = (const struct record_kind *const[]){ &swap_kind, NULL },
	.none = "no swap area",
	.help = "Prints the swap areas, as /proc/swaps listed them. What "
		"was swapped out is not in a dump.",
	EXAMPLES(examples),
	.run = swap_run,
};
