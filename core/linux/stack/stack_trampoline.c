/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ftrace's trampolines: copies of ftrace_caller() made at run time, each for one user of ftrace. */
#include "core/base/guard.h"
#include "core/types/shape.h"
#include "core/linux/stack/stack_impl.h"

enum {
	OPS_NEXT,
	OPS_FLAGS,
	OPS_TRAMPOLINE,
	OPS_SIZE,
	OPS_FIELDS
};
static const struct shape_field ops_fields[OPS_FIELDS] = {
	[OPS_NEXT] = FIELD("next"),
	[OPS_FLAGS] = FIELD("flags"),
	[OPS_TRAMPOLINE] = FIELD("trampoline"),
	[OPS_SIZE] = FIELD("trampoline_size"), /* aec0be2d6e9f (v3.19) */
};
static const struct shape ops_shape = SHAPE("struct ftrace_ops", ops_fields);

/* enum in include/linux/ftrace.h, unchanged since 08f6fba50361 (v3.7) */
#define FTRACE_OPS_FL_SAVE_REGS 4
/* Users of ftrace at a time. */
#define OPS_MAX 4096

void trampolines_each(struct target *t,
		      bool (*fn)(uint64_t start, uint64_t size, uint64_t flags, void *arg),
		      void *arg)
{
	uint64_t list, at, end = 0, start, size, flags;
	struct guard g;
	struct err err;

	if (!symbol_addr(t, "ftrace_ops_list", &list) || !mem_ptr(t, list, &at, &err))
		return;
	if (!symbol_addr(t, "ftrace_list_end", &end))
		end = 0;
	guard_init(&g, "ftrace_ops_list", OPS_MAX);
	while (at && at != end && guard_step(&g, at, &err)) {
		struct shaped ops;

		if (!shape_read(t, &ops_shape, at, &ops, &err) ||
		    !shaped_u64(&ops, OPS_TRAMPOLINE, &start, &err) ||
		    !shaped_u64(&ops, OPS_SIZE, &size, &err) ||
		    !shaped_u64(&ops, OPS_FLAGS, &flags, &err) ||
		    !shaped_u64(&ops, OPS_NEXT, &at, &err))
			return;
		if (start && !fn(start, size, flags, arg))
			return;
	}
}

/* A pc that is looked for. */
struct copy {
	uint64_t pc, start, flags;
	bool found;
};

static bool is_copy(uint64_t start, uint64_t size, uint64_t flags, void *arg)
{
	struct copy *c = arg;

	if (c->pc < start || c->pc - start >= size)
		return true;
	c->start = start;
	c->flags = flags;
	c->found = true;
	return false;
}

/* The place in the kernel's own ftrace_caller() that pc is a copy of: its unwind data holds for it.
 * The kernel does the same in orc_ftrace_find(). */
bool trampoline_of(struct target *t, uint64_t pc, uint64_t *ret)
{
	struct copy c = { .pc = pc };
	uint64_t caller;

	trampolines_each(t, is_copy, &c);
	if (!c.found ||
	    !symbol_addr(t,
			 c.flags & FTRACE_OPS_FL_SAVE_REGS ? "ftrace_regs_caller" : "ftrace_caller",
			 &caller))
		return false;
	*ret = caller + (pc - c.start);
	return *ret != pc;
}
