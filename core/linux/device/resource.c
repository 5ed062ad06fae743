/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's trees of address ranges: who claimed which memory and which I/O ports. */
#include "core/base/guard.h"
#include "core/types/shape.h"
#include "core/linux/device/device.h"

#define DEPTH_LIMIT 64u
#define NAME_LENGTH 256u

enum {
	RES_START,
	RES_END,
	RES_NAME,
	RES_FLAGS,
	RES_SIBLING,
	RES_CHILD,
	RES_FIELDS
};
static const struct shape_field res_fields[RES_FIELDS] = {
	[RES_START] = FIELD("start"),     [RES_END] = FIELD("end"),
	[RES_NAME] = FIELD("name"),       [RES_FLAGS] = FIELD("flags"),
	[RES_SIBLING] = FIELD("sibling"), [RES_CHILD] = FIELD("child"),
};
static const struct shape res_shape = SHAPE("struct resource", res_fields);

struct resource_walk {
	struct target *t;
	bool (*fn)(const struct resource *r, void *arg);
	void *arg;
	struct guard guard;
	bool stopped;
};

static bool walk_level(struct resource_walk *w, uint64_t addr, unsigned depth, struct err *err)
{
	while (addr && !w->stopped) {
		struct resource r = { .addr = addr, .depth = depth };
		struct err why;
		struct shaped s;
		uint64_t name;

		if (depth > DEPTH_LIMIT)
			return err_set_addr(err, ERR_CORRUPT, addr, "%s: no end of children",
					    w->guard.what);
		if (!guard_step(&w->guard, addr, err) ||
		    !shape_read(w->t, &res_shape, addr, &s, err) ||
		    !shaped_u64(&s, RES_START, &r.start, err) ||
		    !shaped_u64(&s, RES_END, &r.end, err) ||
		    !shaped_u64(&s, RES_SIBLING, &addr, err))
			return err_wrap(err, "%s: 0x%llx", w->guard.what,
					(unsigned long long)r.addr);
		r.flags = shaped_u64_or(&s, RES_FLAGS, 0);
		name = shaped_u64_or(&s, RES_NAME, 0);
		if (name && !mem_str(w->t, name, NAME_LENGTH, w->t->scratch, &r.name, &why))
			r.name = "?";
		w->stopped = !w->fn(&r, w->arg);
		if (!w->stopped && !walk_level(w, shaped_u64_or(&s, RES_CHILD, 0), depth + 1, err))
			return false;
	}
	return true;
}

bool resources_each(struct target *t, const char *root,
		    bool (*fn)(const struct resource *r, void *arg), void *arg, struct err *err)
{
	struct resource_walk w = { .t = t, .fn = fn, .arg = arg };
	uint64_t at, child;

	if (!symbol_addr(t, root, &at))
		return err_set(err, ERR_NOSYM, "no symbol '%s'", root);
	guard_init(&w.guard, root, RESOURCES_MAX * 16);
	return field_u64(t, "struct resource", at, "child", &child, err) &&
	       walk_level(&w, child, 0, err);
}
