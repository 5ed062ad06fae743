/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clk: the clocks as a tree, with their rates and who keeps them running. */
#include "core/obit.h"
#include "core/linux/device/board.h"
#include "core/records/device_record.h"

enum {
	NAME,
	ENABLED,
	PREPARED,
	PROTECT,
	RATE,
	DEVICE,
	USERS,
	DEPTH,
	ORPHAN,
	ACCURACY,
	PHASE,
	DUTY,
	ADDR
};
/* Below its parent. */
static void name_text(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	(void)k;
	buf_pad(b, ' ', (size_t)r->cells[DEPTH].u * 2);
	buf_add(b, cell->str.s, cell->str.n);
	if (r->cells[ORPHAN].b)
		buf_str(b, " (orphan)");
}

static const struct record_field fields[] = {
	[NAME] = { "name", "CLOCK", CELL_STR, 0, "its name", .text = name_text },
	[ENABLED] = { "enabled", NULL, CELL_UINT, FIELD_RIGHT, "how often it was enabled" },
	[PREPARED] = { "prepared", NULL, CELL_UINT, FIELD_RIGHT, "how often it was prepared" },
	[PROTECT] = { "protected", NULL, CELL_UINT, FIELD_RIGHT,
		      "how many keep its rate from being changed" },
	[RATE] = { "rate", NULL, CELL_UINT, FIELD_RIGHT, "Hz" },
	[DEVICE] = { "device", NULL, CELL_STR, 0, "that provides it" },
	[USERS] = { "users", NULL, CELL_STRS, 0, "devices that use it, with their name for it" },
	[DEPTH] = { "depth", NULL, CELL_UINT, FIELD_JSON, "how many clocks are above it" },
	[ORPHAN] = { "orphan", NULL, CELL_BOOL, FIELD_JSON, "its parent was never registered" },
	[ACCURACY] = { "accuracy", NULL, CELL_UINT, FIELD_JSON,
		       "parts per billion that it may be off" },
	[PHASE] = { "phase", NULL, CELL_UINT, FIELD_JSON, "degrees behind its parent" },
	[DUTY] = { "duty", NULL, CELL_UINT, FIELD_JSON,
		   "hundred thousandths of a cycle that it is high" },
	[ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "address of its struct clk_core" },
};
static const struct record_kind clk_kind = { "clk", "a clock", LAYOUT_TABLE,
					     NULL,  fields,    ARRAY_SIZE(fields) };

static bool clk_show(const struct clk *clk, void *arg)
{
	struct ctx *c = arg;
	struct record r;

	record_init(&r, &clk_kind);
	record_str(&r, NAME, clk->name);
	record_uint(&r, ENABLED, clk->enabled);
	record_uint(&r, PREPARED, clk->prepared);
	record_uint(&r, PROTECT, clk->protect);
	record_uint(&r, RATE, clk->rate);
	record_str(&r, DEVICE, clk->device);
	if (clk->n_users)
		record_strs(&r, USERS, clk->users, clk->n_users);
	record_uint(&r, ACCURACY, clk->accuracy);
	record_uint(&r, PHASE, clk->phase);
	record_uint(&r, DUTY, clk->duty);
	record_uint(&r, DEPTH, clk->depth);
	record_bool(&r, ORPHAN, clk->orphan);
	record_uint(&r, ADDR, clk->addr);
	emit(c, &r);
	return true;
}

static bool clk_run(struct ctx *c, struct err *err)
{
	return emit_walked(c, clks_each(c->t, clk_show, c, err), err);
}

static const struct record_kind *const emits[] = { &clk_kind, NULL };
static const struct example examples[] = {
	{ "clk", "every clock, with its rate" },
};
const struct command cmd_clk = {
	.name = "clk",
	.group = "system",
	.summary = "clocks, their rates and users",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.emits = emits,
	.none = "no such clock",
	.help = "Prints the clocks of the common clock framework as a tree, as clk_summary in "
		"debugfs does: how often each was enabled and prepared, its rate as the kernel last "
		"computed it, who provides it and who uses it, by which name. The kernel of a PC has none, and says so.",
	EXAMPLES(examples),
	.run = clk_run,
};
