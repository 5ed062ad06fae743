/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Task groups: the tree by which fair tasks share a CPU, kernel/sched/sched.h. */
#include <string.h>

#include "core/base/guard.h"
#include "core/base/vec.h"
#include "core/linux/container/walk.h"
#include "core/linux/task/runq.h"
#include "core/linux/task/cpu.h"
#include "core/types/shape.h"

#define GROUPS_MAX 100000u
#define DEPTH_LIMIT 64u
#define NAME_LENGTH 256u

enum {
	TG_SHARES,
	TG_QUEUES,
	TG_QUOTA,
	TG_PERIOD,
	TG_CGROUP,
	TG_AUTOGROUP,
	TG_FIELDS
};
static const struct shape_field group_fields[TG_FIELDS] = {
	[TG_SHARES] = FIELD("shares"),
	[TG_QUEUES] = FIELD("cfs_rq"),
	[TG_QUOTA] = FIELD_MAYBE("cfs_bandwidth.quota"),
	[TG_PERIOD] = FIELD_MAYBE("cfs_bandwidth.period"),
	[TG_CGROUP] = FIELD_MAYBE("css.cgroup"),
	[TG_AUTOGROUP] = FIELD_MAYBE("autogroup"),
};
static const struct shape group_shape = SHAPE("struct task_group", group_fields);

enum {
	CFS_RUNNING,
	CFS_THROTTLED,
	CFS_FIELDS
};
static const struct shape_field queue_fields[CFS_FIELDS] = {
	[CFS_RUNNING] = FIELD_ALT("h_nr_queued", "h_nr_running"), /* renamed in v6.14 */
	[CFS_THROTTLED] = FIELD_MAYBE("throttled"),
};
static const struct shape queue_shape = SHAPE("struct cfs_rq", queue_fields);

struct group_walk {
	struct target *t;
	struct arena *a;
	unsigned cpu;
	bool (*fn)(const struct runq_group *g, void *arg);
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
	uint64_t children, siblings; /* offsets */
	struct guard guard;
	bool stopped;
};

/* A group has a queue on each CPU: an array of pointers to them, or, in later kernels, they are
 * per-CPU memory. */
static bool queue_of(struct group_walk *w, const struct shaped *s, uint64_t *ret, struct err *err)
{
	uint64_t at, off;
	struct value v;

	if (!shaped_u64(s, TG_QUEUES, &at, err) || !shaped_value(s, TG_QUEUES, &v, err))
		return false;
	if (type_strip(type_target(type_strip(v.type)))->kind == TYPE_POINTER)
		return mem_ptr(w->t, at + (uint64_t)w->cpu * w->t->arch->word, ret, err);
	if (!percpu_offset(w->t, w->cpu, &off, err))
		return false;
	*ret = percpu_sum(w->t, at, off);
	return true;
}

/* As the kernel calls it in /proc/sched_debug. *ret NULL: the root of all has no name. */
static bool group_name(struct group_walk *w, const struct shaped *s, const char **ret,
		       struct err *err)
{
	uint64_t cgroup = shaped_u64_or(s, TG_CGROUP, 0), autogroup, at, id;
	const char *name;

	*ret = NULL;
	autogroup = shaped_u64_or(s, TG_AUTOGROUP, 0);
	if (autogroup) {
		if (!field_u64(w->t, "struct autogroup", autogroup, "id", &id, err))
			return false;
		*ret = arena_printf(w->a, "autogroup-%llu", (unsigned long long)id);
		return true;
	}
	if (!cgroup)
		return true;
	if (!field_u64(w->t, "struct cgroup", cgroup, "kn", &at, err) ||
	    !field_u64(w->t, "struct kernfs_node", at, "name", &at, err) ||
	    !mem_str(w->t, at, NAME_LENGTH, w->a, &name, err))
		return false;
	*ret = *name ? name : NULL;
	return true;
}

static bool group_read(struct group_walk *w, uint64_t addr, unsigned depth, struct runq_group *g,
		       struct err *err)
{
	struct shaped s, q;
	struct err why;

	*g = (struct runq_group){ .addr = addr, .depth = depth, .quota = UINT64_MAX };
	if (!shape_read(w->t, &group_shape, addr, &s, err) || !queue_of(w, &s, &g->queue, err) ||
	    !shape_read(w->t, &queue_shape, g->queue, &q, err) ||
	    !shaped_u64(&q, CFS_RUNNING, &g->running, err))
		return err_wrap(err, "task group 0x%llx", (unsigned long long)addr);
	g->throttled = shaped_u64_or(&q, CFS_THROTTLED, 0) != 0;
	/* 64-bit kernels keep 1024 times the weight: scale_load() */
	g->shares = shaped_u64_or(&s, TG_SHARES, 0) >> (w->t->arch->word == 8 ? 10 : 0);
	g->quota = shaped_u64_or(&s, TG_QUOTA, UINT64_MAX);
	g->period = shaped_u64_or(&s, TG_PERIOD, 0);
	if (!group_name(w, &s, &g->name, &why) && w->flaw) {
		err_wrap(&why, "name of task group 0x%llx", (unsigned long long)addr);
		w->flaw(&why, w->arg);
	}
	return true;
}

struct kids {
	VEC(uint64_t) v;
};

static bool kid_found(uint64_t addr, void *arg)
{
	struct kids *k = arg;

	*vec_push(&k->v) = addr;
	return true;
}

/* A group before its children. */
static bool walk_group(struct group_walk *w, uint64_t addr, unsigned depth, struct err *err)
{
	struct kids kids = { 0 };
	struct walk_plan plan = { .what = "children of a task group",
				  .head = addr + w->children,
				  .link = w->siblings,
				  .node = kid_found,
				  .arg = &kids };
	struct runq_group g;
	struct err why;
	bool ok = true;

	if (depth > DEPTH_LIMIT)
		return err_set_addr(err, ERR_CORRUPT, addr, "task groups: no end of children");
	if (!guard_step(&w->guard, addr, err))
		return false;
	if (group_read(w, addr, depth, &g, &why))
		w->stopped = !w->fn(&g, w->arg);
	else if (w->flaw)
		w->flaw(&why, w->arg);
	if (!w->stopped && !list_walk(w->t, &plan, false, &why)) {
		ok = why.code != ERR_INTR;
		if (!ok)
			*err = why;
		else if (w->flaw)
			w->flaw(&why, w->arg);
	}
	for (size_t i = 0; ok && !w->stopped && i < kids.v.n; i++)
		ok = walk_group(w, kids.v.p[i], depth + 1, err);
	vec_release(&kids.v);
	return ok;
}

bool runq_groups_each(struct target *t, unsigned cpu, struct arena *a,
		      bool (*fn)(const struct runq_group *g, void *arg),
		      void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct group_walk w = { .t = t, .a = a, .cpu = cpu, .fn = fn, .flaw = flaw, .arg = arg };
	uint64_t root;

	if (!symbol_addr(t, "root_task_group", &root))
		return err_set(err, ERR_NOSYM,
			       "no symbol 'root_task_group': this kernel has no task groups");
	guard_init(&w.guard, "task groups", GROUPS_MAX);
	return field_offset(t, "struct task_group", "children", &w.children, err) &&
	       field_offset(t, "struct task_group", "siblings", &w.siblings, err) &&
	       walk_group(&w, root, 0, err);
}
