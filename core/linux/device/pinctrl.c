/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pins: which device owns each, and what it is switched to. */
#include "core/base/guard.h"
#include "core/linux/container/list.h"
#include "core/types/shape.h"
#include "core/linux/device/board.h"
#include "core/linux/container/walk.h"
#include "core/linux/subsystem.h"

static const char pctl_type[] = "struct pinctrl_dev", pin_type[] = "struct pin_desc";

struct pin_walk {
	struct target *t;
	bool used;
	bool (*fn)(const struct pin *p, void *arg);
	void *arg;
	uint64_t pctl; /* struct pinctrl_dev */
	const char *controller;
	struct guard guard; /* pins of all controllers */
	bool stopped;
	struct err err; /* the first that broke */
};

/* An entry of an index by its number; entries come in order, and no index has many. */
#define ENTRIES_MAX 65536u
struct entry_search {
	uint64_t index, entry;
	unsigned seen;
};

static bool entry_is(const struct walk_entry *e, void *arg)
{
	struct entry_search *q = arg;

	if (e->first == q->index)
		q->entry = e->entry;
	return e->first < q->index && ++q->seen < ENTRIES_MAX;
}

/* The n-th of one of a controller's trees; 0 where there is none. */
static uint64_t entry_of(struct target *t, uint64_t pctl, const char *tree, uint64_t n)
{
	struct entry_search q = { .index = n };
	struct err ignored;
	uint64_t off;

	return field_offset(t, pctl_type, tree, &off, &ignored) &&
			       xarray_each(t, pctl + off, tree, entry_is, &q, &ignored)
		       ? q.entry
		       : 0;
}

/* The name in a struct at addr, or the number where it has none. */
static const char *name_of(struct target *t, uint64_t addr, const char *type, const char *path,
			   uint64_t n)
{
	const char *name = NULL;
	struct err ignored;

	if (addr && subsystem_text(t, type, addr, path, &name, &ignored) && name)
		return name;
	return arena_printf(t->scratch, "%llu", (unsigned long long)n);
}

const char *pin_function_name(struct target *t, uint64_t pctl, uint64_t n)
{
	static const char type[] = "struct function_desc";
	uint64_t addr = entry_of(t, pctl, "pin_function_tree", n), func;
	struct err ignored;

	/* in v7.2 it is a pointer */
	if (addr && field_u64(t, type, addr, "func", &func, &ignored))
		return name_of(t, func, "struct pinfunction", "name", n);
	return name_of(t, addr, type, "name|func.name", n);
}

const char *pin_group_name(struct target *t, uint64_t pctl, uint64_t n)
{
	return name_of(t, entry_of(t, pctl, "pin_group_tree", n), "struct group_desc",
		       "name|grp.name", n);
}

const char *pin_name(struct target *t, uint64_t pctl, uint64_t n)
{
	return name_of(t, entry_of(t, pctl, "pin_desc_tree", n), pin_type, "name", n);
}

static void read_setting(struct pin_walk *w, struct pin *p, uint64_t setting)
{
	static const char type[] = "struct pinctrl_setting_mux";
	struct target *t = w->t;
	uint64_t function, group;
	struct err ignored;

	if (!setting || !field_u64(t, type, setting, "func", &function, &ignored) ||
	    !field_u64(t, type, setting, "group", &group, &ignored))
		return;
	p->function = pin_function_name(t, w->pctl, function);
	p->group = pin_group_name(t, w->pctl, group);
}

static bool pin_found(const struct walk_entry *e, void *arg)
{
	struct pin_walk *w = arg;
	struct pin p = { .addr = e->entry,
			 .controller = w->controller,
			 .number = (unsigned)e->first };
	uint64_t setting = 0;
	struct err ignored, err;

	if (e->entry & 1)
		return true;
	if (!guard_step(&w->guard, p.addr, &err)) {
		w->stopped = true;
		return board_go_on(&w->err, &err) && false;
	}
	if (!subsystem_text(w->t, pin_type, p.addr, "name", &p.name, &err))
		return board_go_on(&w->err, &err);
	/* without CONFIG_PINMUX they have no owners */
	if (field_u64(w->t, pin_type, p.addr, "mux_usecount", &p.uses, &ignored) &&
	    subsystem_text(w->t, pin_type, p.addr, "mux_owner", &p.owner, &ignored) &&
	    subsystem_text(w->t, pin_type, p.addr, "gpio_owner", &p.gpio_owner, &ignored) &&
	    field_u64(w->t, pin_type, p.addr, "mux_setting", &setting, &ignored) && p.uses)
		read_setting(w, &p, setting);
	if (w->used && !p.uses && !p.gpio_owner)
		return true;
	w->stopped = !w->fn(&p, w->arg);
	return !w->stopped;
}

static bool controller_found(uint64_t pctl, void *arg)
{
	struct pin_walk *w = arg;
	struct err err;
	uint64_t off;

	w->pctl = pctl;
	w->controller = board_device(w->t, pctl_type, pctl, "dev");
	if ((!field_offset(w->t, pctl_type, "pin_desc_tree", &off, &err) ||
	     !xarray_each(w->t, pctl + off, "pins", pin_found, w, &err)) &&
	    !board_go_on(&w->err, &err))
		return false;
	return !w->stopped;
}

bool pins_each(struct target *t, bool used, bool (*fn)(const struct pin *p, void *arg), void *arg,
	       struct err *err)
{
	struct pin_walk w = { .t = t, .used = used, .fn = fn, .arg = arg };
	uint64_t head, link;

	struct err why;

	if (!subsystem_symbol(t, "pinctrldev_list", "pins", &head, err) ||
	    !field_offset(t, pctl_type, "node", &link, err))
		return false;
	guard_init(&w.guard, "pins", PARTS_MAX);
	if (!list_each(t, head, link, "pin controllers", controller_found, &w, &why) &&
	    !board_go_on(&w.err, &why))
		w.err = why;
	*err = w.err;
	return err->code == ERR_OK;
}
