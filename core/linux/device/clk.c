/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks: the trees under clk_root_list, and those whose parent is missing. */
#include "core/base/guard.h"
#include "core/types/shape.h"
#include "core/linux/device/board.h"
#include "core/linux/container/walk.h"
#include "core/linux/subsystem.h"

#define NAME_LENGTH 256u
#define CLK_USERS_MAX 4096u

enum {
	CLK_NAME,
	CLK_RATE,
	CLK_ENABLED,
	CLK_PREPARED,
	CLK_PROTECT,
	CLK_ACCURACY,
	CLK_PHASE,
	CLK_DUTY_NUM,
	CLK_DUTY_DEN,
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
	[CLK_ACCURACY] = FIELD("accuracy"),
	[CLK_PHASE] = FIELD("phase"),
	[CLK_DUTY_NUM] = FIELD_MAYBE("duty.num"), /* 9fba738a53dd (v4.19) */
	[CLK_DUTY_DEN] = FIELD_MAYBE("duty.den"),
	[CLK_DEV] = FIELD_MAYBE("dev"),
	[CLK_CHILDREN] = FIELD("children"),
	[CLK_NODE] = FIELD("child_node"),
};
static const struct shape clk_shape = SHAPE("struct clk_core", clk_fields);

struct clk_walk {
	struct target *t;
	bool (*fn)(const struct clk *clk, void *arg);
	void *arg;
	struct guard guard;
	uint64_t node, children, users, user; /* offsets */
	bool has_users;                       /* the last two are known */
	VEC(const char *) names;
	VEC(struct clk_user) who;
	bool more; /* than CLK_USERS_MAX of one clock */
	unsigned depth;
	bool orphan, stopped, failed;
	struct err err; /* why it failed */
};

static bool user_found(uint64_t addr, void *arg)
{
	static const char type[] = "struct clk";
	struct clk_walk *w = arg;
	const char *dev = NULL, *con = NULL;
	uint64_t device;
	struct err ignored;

	w->more = w->names.n == CLK_USERS_MAX;
	if (w->more)
		return false;
	if (!field_u64(w->t, type, addr, "dev", &device, &ignored))
		device = 0;
	if (!subsystem_text(w->t, type, addr, "dev_id", &dev, &ignored))
		dev = "?";
	*vec_push(&w->who) = (struct clk_user){ device, dev };
	if (!subsystem_text(w->t, type, addr, "con_id", &con, &ignored))
		con = "?";
	*vec_push(&w->names) = dev && con ? arena_printf(w->t->scratch, "%s (%s)", dev, con)
			       : con      ? arena_printf(w->t->scratch, "(%s)", con)
			       : dev      ? dev
					  : "(nameless)";
	return true;
}

/* 1df4046a93e0 (v4.2): before it nobody knew them */
static bool read_users(struct clk_walk *w, struct clk *clk)
{
	const char **kept;
	struct clk_user *who;
	struct err err;
	bool ok;

	w->names.n = w->who.n = 0;
	w->more = false;
	ok = !w->has_users || hlist_each(w->t, clk->addr + w->users, w->user, "users of a clock",
					 user_found, w, &err);
	if (ok && w->more)
		ok = err_set_addr(&err, ERR_LIMIT, clk->addr,
				  "clock '%s': only its first %u users are shown", clk->name,
				  CLK_USERS_MAX);
	kept = ARENA_ARRAY(w->t->scratch, const char *, w->names.n + 1);
	who = ARENA_ARRAY(w->t->scratch, struct clk_user, w->names.n + 1);
	for (size_t i = 0; i < w->names.n; i++) {
		kept[i] = w->names.p[i];
		who[i] = w->who.p[i];
	}
	clk->users = kept;
	clk->who = who;
	clk->n_users = w->names.n;
	return ok || board_go_on(&w->err, &err);
}

static bool clk_found(uint64_t addr, void *arg)
{
	struct clk_walk *w = arg;
	struct clk clk = { .addr = addr, .depth = w->depth, .orphan = w->orphan };
	const struct device *d;
	struct shaped s;
	uint64_t name, den;
	struct err err;

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
	clk.accuracy = shaped_u64_or(&s, CLK_ACCURACY, 0);
	clk.phase = shaped_u64_or(&s, CLK_PHASE, 0);
	den = (uint32_t)shaped_u64_or(&s, CLK_DUTY_DEN, 0);
	clk.duty = den ? (uint32_t)shaped_u64_or(&s, CLK_DUTY_NUM, 0) * UINT64_C(100000) / den : 0;
	d = device_at(w->t, shaped_u64_or(&s, CLK_DEV, 0));
	clk.device = d ? d->name : NULL;
	if (!read_users(w, &clk))
		goto failed;
	w->stopped = !w->fn(&clk, w->arg);
	if (w->stopped)
		return false;
	w->depth++;
	if (!hlist_each(w->t, addr + w->children, w->node, "clocks", clk_found, w, &err) &&
	    !board_go_on(&w->err, &err))
		goto failed;
	w->depth--;
	return !w->failed && !w->stopped;
failed:
	w->failed = true;
	return false;
}

bool clks_each(struct target *t, bool (*fn)(const struct clk *clk, void *arg), void *arg,
	       struct err *err)
{
	static const char *const roots[] = { "clk_root_list", "clk_orphan_list" };
	struct clk_walk w = { .t = t, .fn = fn, .arg = arg };

	guard_init(&w.guard, "clocks", PARTS_MAX);
	w.has_users = field_offset(t, "struct clk_core", "clks", &w.users, err) &&
		      field_offset(t, "struct clk", "clks_node", &w.user, err);
	for (size_t i = 0; i < ARRAY_SIZE(roots) && !w.stopped && !w.failed; i++) {
		uint64_t head;
		struct err why;

		w.orphan = i != 0;
		if (!subsystem_symbol(t, roots[i], "clocks", &head, err) ||
		    !shape_offset(t, &clk_shape, CLK_NODE, &w.node, err) ||
		    !shape_offset(t, &clk_shape, CLK_CHILDREN, &w.children, err)) {
			vec_release(&w.names);
			vec_release(&w.who);
			return false;
		}
		if (!hlist_each(t, head, w.node, "clocks", clk_found, &w, &why) &&
		    !board_go_on(&w.err, &why))
			break;
	}
	vec_release(&w.names);
	vec_release(&w.who);
	*err = w.err;
	return err->code == ERR_OK;
}
