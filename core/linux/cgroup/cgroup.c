/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trees of control groups. */
#include "core/linux/cgroup/cgroup.h"

#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/base/map.h"
#include "core/linux/cgroup/cgroup_impl.h"
#include "core/linux/container/list.h"
#include "core/linux/subsystem.h"
#include "core/types/shape.h"

#define CONTROLLERS_MAX 64u
#define NAME_LENGTH 64u
/* include/linux/cgroup-defs.h: CSS_ONLINE, and the number of the bit CGRP_FROZEN */
#define CSS_ONLINE 2u
#define CGRP_FROZEN_BIT 3u

enum {
	GROUP_FLAGS,
	GROUP_SELF_FLAGS,
	GROUP_KN,
	GROUP_SETS,
	GROUP_DOMAINS,
	GROUP_THREADED,
	GROUP_FIELDS
};
static const struct shape_field group_fields[GROUP_FIELDS] = {
	[GROUP_FLAGS] = FIELD("flags"),
	[GROUP_SELF_FLAGS] = FIELD("self.flags"),
	[GROUP_KN] = FIELD("kn"),
	/* in v7.2 each controller has its own */
	[GROUP_SETS] = FIELD_ALT("nr_populated_csets", "self.nr_populated_csets"),
	[GROUP_DOMAINS] = FIELD("nr_populated_domain_children"),
	[GROUP_THREADED] = FIELD("nr_populated_threaded_children"),
};
static const struct shape group_shape = SHAPE("struct cgroup", group_fields);

/* The controllers that are read, by their numbers in struct cgroup.subsys[]. */
enum {
	MEMORY,
	PIDS,
	FREEZER,
	CONTROLLERS
};
struct cgroup_walk {
	struct target *t;
	struct arena *a;
	bool (*fn)(const struct cgroup *g, void *arg);
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
	struct map seen;
	uint64_t id[CONTROLLERS];                       /* UINT64_MAX: this kernel has none */
	uint64_t subsys, children, sibling, root, link; /* offsets */
	const char *hierarchy;                          /* the one that is walked */
	bool v2, any, stopped;
	struct err *err; /* of Ctrl-C */
	bool interrupted;
};

static void tell(struct cgroup_walk *w, const struct err *e)
{
	if (e->code == ERR_INTR) {
		*w->err = *e;
		w->interrupted = w->stopped = true;
	} else if (w->flaw) {
		w->flaw(e, w->arg);
	}
}

/* ---- who is in a group */

struct set_walk {
	struct target *t;
	bool (*fn)(uint64_t set, void *arg);
	void *arg;
	bool ok;
	struct err *err;
};

static bool set_link(uint64_t link, void *arg)
{
	struct set_walk *w = arg;
	uint64_t set;

	w->ok = field_u64(w->t, "struct cgrp_cset_link", link, "cset", &set, w->err);
	return w->ok && w->fn(set, w->arg);
}

bool cgroup_sets(struct target *t, uint64_t cgroup, bool (*fn)(uint64_t set, void *arg), void *arg,
		 struct err *err)
{
	struct set_walk w = { .t = t, .fn = fn, .arg = arg, .ok = true, .err = err };
	uint64_t head, link;

	return field_offset(t, "struct cgroup", "cset_links", &head, err) &&
	       field_offset(t, "struct cgrp_cset_link", "cset_link", &link, err) &&
	       list_each(t, cgroup + head, link, "css_sets of a control group", set_link, &w,
			 err) &&
	       w.ok;
}

struct task_sum {
	struct target *t;
	uint64_t tasks;
	bool ok;
	struct err err;
};

static bool set_tasks(uint64_t set, void *arg)
{
	struct task_sum *s = arg;
	uint64_t n;

	s->ok = field_u64(s->t, "struct css_set", set, "nr_tasks", &n, &s->err);
	s->tasks += s->ok ? (uint32_t)n : 0;
	return s->ok;
}

static void group_tasks(struct cgroup_walk *w, struct cgroup *g)
{
	struct task_sum s = { .t = w->t, .ok = true };
	struct err err;

	if (!cgroup_sets(w->t, g->addr, set_tasks, &s, &err))
		cgroup_unknown(g, &err);
	else if (!s.ok)
		cgroup_unknown(g, &s.err);
	g->tasks = s.tasks;
}

/* ---- one group */

/* The group's own part of a controller; 0: the controller is not on for it. */
static uint64_t controller_of(struct cgroup_walk *w, struct cgroup *g, unsigned controller)
{
	uint64_t css = 0;
	struct err err;

	if (w->id[controller] >= CONTROLLERS_MAX)
		return 0;
	if (!mem_ptr(w->t, g->addr + w->subsys + w->id[controller] * w->t->arch->word, &css, &err))
		cgroup_unknown(g, &err);
	return css;
}

/* The kernel accounts nothing to the root of memory and of pids itself. */
static void group_controllers(struct cgroup_walk *w, struct cgroup *g)
{
	uint64_t css;

	if (g->level && (css = controller_of(w, g, MEMORY)))
		cgroup_memory_read(w->t, w->a, css, g);
	if (g->level && (css = controller_of(w, g, PIDS)))
		cgroup_pids_read(w->t, css, g);
	if (!w->v2 && (css = controller_of(w, g, FREEZER)))
		cgroup_freezer_read(w->t, css, g);
}

/* g->addr, level and path are set. */
static bool group_read(struct cgroup_walk *w, const char *above, struct cgroup *g, struct err *err)
{
	struct target *t = w->t;
	uint64_t flags, self, kn, sets;
	const char *name = NULL;
	struct shaped s;

	if (!shape_read(t, &group_shape, g->addr, &s, err) ||
	    !shaped_u64(&s, GROUP_FLAGS, &flags, err) ||
	    !shaped_u64(&s, GROUP_SELF_FLAGS, &self, err) || !shaped_u64(&s, GROUP_KN, &kn, err) ||
	    !shaped_u64(&s, GROUP_SETS, &sets, err))
		return false;
	if (g->level && !subsystem_text(t, "struct kernfs_node", kn, "name", &name, err))
		return false;
	g->path = g->level ? arena_printf(w->a, "%s/%s", above, name ? name : "?") : "/";
	g->removed = !(self & CSS_ONLINE);
	g->frozen = flags >> CGRP_FROZEN_BIT & 1;
	g->populated =
		sets || shaped_u64_or(&s, GROUP_DOMAINS, 0) || shaped_u64_or(&s, GROUP_THREADED, 0);
	group_tasks(w, g);
	group_controllers(w, g);
	return true;
}

static void group_walk(struct cgroup_walk *w, uint64_t addr, unsigned level, const char *above);

struct below {
	struct cgroup_walk *w;
	unsigned level;
	const char *path;
};

static bool child(uint64_t addr, void *arg)
{
	struct below *b = arg;

	group_walk(b->w, addr, b->level, b->path);
	return !b->w->stopped;
}

/* Each group is walked once, so that trees which are none end too. */
static void group_walk(struct cgroup_walk *w, uint64_t addr, unsigned level, const char *above)
{
	struct cgroup g = { .addr = addr, .hierarchy = w->hierarchy, .v2 = w->v2, .level = level };
	struct below below = { .w = w, .level = level + 1 };
	struct err err;
	bool first;

	map_put(&w->seen, addr, &first);
	if (!first || level > DEPTH_MAX) {
		err_set_addr(&err, ERR_CORRUPT, addr,
			     first ? "control group 0x%llx: more than 64 levels below the root"
				   : "control group 0x%llx is in the tree more than once",
			     (unsigned long long)addr);
		tell(w, &err);
		return;
	}
	if (!interrupt_check(&err) || !group_read(w, above, &g, &err)) {
		err_wrap(&err, "control group 0x%llx", (unsigned long long)addr);
		tell(w, &err);
		return;
	}
	w->any = true;
	w->stopped = !w->fn(&g, w->arg);
	below.path = level ? g.path : "";
	if (!w->stopped && !list_each(w->t, addr + w->children, w->sibling,
				      "children of a control group", child, &below, &err)) {
		err_wrap(&err, "control group '%s'", g.path);
		tell(w, &err);
	}
}

/* ---- hierarchies */

/* Of version 1: its controllers' names and its own, as /proc/self/cgroup has them. */
static const char *hierarchy_name(struct cgroup_walk *w, uint64_t root)
{
	uint64_t mask = field_u64_or(w->t, "struct cgroup_root", root, "subsys_mask", 0);
	struct buf b = { 0 };
	struct err ignored;
	const char *text;
	uint64_t at, css, off;

	if (!symbol_addr(w->t, "cgroup_subsys", &at))
		mask = 0;
	for (unsigned i = 0; i < 32; i++)
		if (mask >> i & 1 && mem_ptr(w->t, at + i * w->t->arch->word, &css, &ignored) &&
		    subsystem_text(w->t, "struct cgroup_subsys", css, "legacy_name", &text,
				   &ignored) &&
		    text)
			buf_printf(&b, "%s%s", b.n ? "," : "", text);
	if (field_offset(w->t, "struct cgroup_root", "name", &off, &ignored) &&
	    mem_str(w->t, root + off, NAME_LENGTH, w->a, &text, &ignored) && *text)
		buf_printf(&b, "%sname=%s", b.n ? "," : "", text);
	text = arena_strndup(w->a, buf_text(&b), b.n);
	buf_release(&b);
	return text;
}

static bool hierarchy(uint64_t root, void *arg)
{
	struct cgroup_walk *w = arg;
	uint64_t v2;

	w->v2 = symbol_addr(w->t, "cgrp_dfl_root", &v2) && v2 == root;
	w->hierarchy = w->v2 ? "v2" : hierarchy_name(w, root);
	group_walk(w, root + w->root, 0, "");
	return !w->stopped;
}

/* The number of a controller in this kernel. */
static uint64_t controller_id(struct target *t, const char *symbol)
{
	struct err ignored;
	uint64_t at, id;

	if (symbol_addr(t, symbol, &at) &&
	    field_u64(t, "struct cgroup_subsys", at, "id", &id, &ignored))
		return id;
	return UINT64_MAX;
}

bool cgroups_each(struct target *t, struct arena *a, bool (*fn)(const struct cgroup *g, void *arg),
		  void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct cgroup_walk w = { .t = t, .a = a, .fn = fn, .flaw = flaw, .arg = arg, .err = err };
	struct err why;
	uint64_t roots;

	if (!subsystem_symbol(t, "cgroup_roots", "control groups", &roots, err) ||
	    !field_offset(t, "struct cgroup", "subsys", &w.subsys, err) ||
	    !field_offset(t, "struct cgroup", "self.children", &w.children, err) ||
	    !field_offset(t, "struct cgroup", "self.sibling", &w.sibling, err) ||
	    !field_offset(t, "struct cgroup_root", "cgrp", &w.root, err) ||
	    !field_offset(t, "struct cgroup_root", "root_list", &w.link, err))
		return false;
	w.id[MEMORY] = controller_id(t, "memory_cgrp_subsys");
	w.id[PIDS] = controller_id(t, "pids_cgrp_subsys");
	w.id[FREEZER] = controller_id(t, "freezer_cgrp_subsys");
	if (!list_each(t, roots, w.link, "hierarchies of control groups", hierarchy, &w, &why))
		tell(&w, &why);
	map_release(&w.seen);
	return !w.interrupted;
}
