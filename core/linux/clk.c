/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks: the trees under clk_root_list, and those whose parent is missing. */
#include "core/base/guard.h"
#include "core/linux/board.h"
#include "core/linux/walk.h"

#define NAME_LENGTH 256u

enum {
	CLK_NAME,
	CLK_RATE,
	CLK_ENABLED,
	CLK_PREPARED,
	CLK_PROTECT,
	CLK_DEV,
	CLK_CHILDREN,
	CLK_NODE,
	CLK_FIELDS
};
static const struct shape_field clk_fields[CLK_FIELDS] = {
	[CLK_NAME] = FIELD("name"),
	[CLK_RATE] = FIELD("rate"),
	[CLK_ENABLED] = FIELD("enable_count"),
	[CLK_PREPARED] = FIELD("prepare_count"),
	[CLK_PROTECT] = FIELD("protect_count"), /* e55a839a7a1c (v4.16) */
	[CLK_DEV] = FIELD("dev"),
	[CLK_CHILDREN] = FIELD("children"),
	[CLK_NODE] = FIELD("child_node"),
};
static const struct shape clk_shape = SHAPE("struct clk_core", clk_fields);

struct clk_walk {
	struct target *t;
	bool (*fn)(const struct clk *clk, void *arg);
	void *arg;
	struct guard guard;
	uint64_t node, children; /* offsets */
	unsigned depth;
	bool orphan, stopped, failed;
	struct err err; /* why it failed */
};

static bool clk_found(uint64_t addr, void *arg)
{
	struct clk_walk *w = arg;
	struct clk clk = { .addr = addr, .depth = w->depth, .orphan = w->orphan };
	const struct device *d;
	struct shaped s;
	uint64_t name;

	w->failed =
		w->depth > DEPTH_MAX
			? !err_set_addr(&w->err, ERR_CORRUPT, addr, "clocks: no end of children")
			: !guard_step(&w->guard, addr, &w->err) ||
				  !shape_read(w->t, &clk_shape, addr, &s, &w->err) ||
				  !shaped_u64(&s, CLK_NAME, &name, &w->err);
	if (w->failed)
		return false;
	if (!mem_str(w->t, name, NAME_LENGTH, w->t->scratch, &clk.name, &w->err))
		clk.name = "?";
	clk.rate = shaped_u64_or(&s, CLK_RATE, 0);
	clk.enabled = shaped_u64_or(&s, CLK_ENABLED, 0);
	clk.prepared = shaped_u64_or(&s, CLK_PREPARED, 0);
	clk.protect = shaped_u64_or(&s, CLK_PROTECT, 0);
	d = device_at(w->t, shaped_u64_or(&s, CLK_DEV, 0));
	clk.device = d ? d->name : NULL;
	w->stopped = !w->fn(&clk, w->arg);
	if (w->stopped)
		return false;
	w->depth++;
	if (!hlist_each(w->t, addr + w->children, w->node, "clocks", clk_found, w, &w->err))
		w->failed = true;
	w->depth--;
	return !w->failed && !w->stopped;
}

bool clks_each(struct target *t, bool (*fn)(const struct clk *clk, void *arg), void *arg,
	       struct err *err)
{
	static const char *const roots[] = { "clk_root_list", "clk_orphan_list" };
	struct clk_walk w = { .t = t, .fn = fn, .arg = arg };

	guard_init(&w.guard, "clocks", 1000000);
	for (size_t i = 0; i < ARRAY_SIZE(roots) && !w.stopped; i++) {
		uint64_t head;

		w.orphan = i != 0;
		if (!board_symbol(t, roots[i], "clocks", &head, err) ||
		    !shape_offset(t, &clk_shape, CLK_NODE, &w.node, err) ||
		    !shape_offset(t, &clk_shape, CLK_CHILDREN, &w.children, err) ||
		    !hlist_each(t, head, w.node, "clocks", clk_found, &w, err))
			return false;
		if (w.failed) {
			*err = w.err;
			return false;
		}
	}
	return true;
}
