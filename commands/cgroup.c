/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup: the trees of control groups, and what each holds of memory and tasks. */
#include <string.h>

#include "core/obit.h"
#include "core/base/buf.h"
#include "core/linux/cgroup/cgroup.h"
#include "core/linux/task/task.h"
#include "core/types/shape.h"

struct cgroup_opts {
	bool tasks;
};
static const struct option opts[] = {
	{ "t", NULL, OPTION_FLAG, offsetof(struct cgroup_opts, tasks), "with the tasks of each" },
};

enum {
	ADDR,
	HIERARCHY,
	TASKS,
	MEMORY,
	MEMORY_MAX,
	SWAP,
	PIDS,
	PIDS_MAX,
	OOM_KILLS,
	STATE,
	PATH,
	LEVEL,
	MEMORY_HIGH,
	MEMORY_LOW,
	MEMORY_MIN,
	MEMORY_PEAK,
	SWAP_MAX,
	EVENTS,
	POPULATED,
	FROZEN,
	REMOVED,
	MEMCG,
	PIDS_ADDR
};
static const struct record_field fields[] = {
	[ADDR] = { "cgroup", NULL, CELL_ADDR, 0, "address of the struct cgroup" },
	[HIERARCHY] = { "hierarchy", "TREE", CELL_STR, 0,
			"v2, or of version 1 its controllers, and name=NAME" },
	[TASKS] = { "tasks", NULL, CELL_UINT, FIELD_RIGHT, "threads in the group itself" },
	[MEMORY] = { "memory", NULL, CELL_SIZE, FIELD_RIGHT,
		     "bytes charged to it and the groups below; null: not counted here" },
	[MEMORY_MAX] = { "memory_max", "MAX", CELL_SIZE, FIELD_RIGHT, "the limit; null: none" },
	[SWAP] = { "swap", NULL, CELL_SIZE, FIELD_RIGHT,
		   "bytes in swap; of version 1 memory and swap together" },
	[PIDS] = { "pids", NULL, CELL_UINT, FIELD_RIGHT,
		   "tasks in it and the groups below, as the pids controller counts them" },
	[PIDS_MAX] = { "pids_max", "MAX", CELL_UINT, FIELD_RIGHT, "the limit; null: none" },
	[OOM_KILLS] = { "oom_kills", "OOMKILL", CELL_UINT, FIELD_RIGHT,
			"processes killed for want of memory in it and below" },
	[STATE] = { "state", NULL, CELL_STR, 0,
		    "removed: its folder is gone, and something still holds it; frozen; empty" },
	[PATH] = { "path", NULL, CELL_STR, 0, "from the hierarchy's root on" },
	[LEVEL] = { "level", NULL, CELL_UINT, FIELD_JSON, "0: the root" },
	[MEMORY_HIGH] = { "memory_high", NULL, CELL_SIZE, FIELD_JSON,
			  "bytes from which on it is slowed; null: none" },
	[MEMORY_LOW] = { "memory_low", NULL, CELL_SIZE, FIELD_JSON,
			 "bytes that are taken last; null: all" },
	[MEMORY_MIN] = { "memory_min", NULL, CELL_SIZE, FIELD_JSON,
			 "bytes that are never taken; null: all" },
	[MEMORY_PEAK] = { "memory_peak", NULL, CELL_SIZE, FIELD_JSON, "the most it ever had" },
	[SWAP_MAX] = { "swap_max", NULL, CELL_SIZE, FIELD_JSON, "the limit of swap; null: none" },
	[EVENTS] = { "events", NULL, CELL_FIELDS, FIELD_JSON,
		     "how often, by the names of memory.events: oom_kill" },
	[POPULATED] = { "populated", NULL, CELL_BOOL, FIELD_JSON, "a task is in it or below" },
	[FROZEN] = { "frozen", NULL, CELL_BOOL, FIELD_JSON, "all its tasks stand still" },
	[REMOVED] = { "removed", NULL, CELL_BOOL, FIELD_JSON, "its folder is gone" },
	[MEMCG] = { "mem_cgroup", NULL, CELL_ADDR, FIELD_JSON, "its struct mem_cgroup" },
	[PIDS_ADDR] = { "pids_cgroup", NULL, CELL_ADDR, FIELD_JSON, "its struct pids_cgroup" },
};
static const struct record_kind cgroup_kind = { "cgroup", "a control group", LAYOUT_TABLE, NULL,
						fields,   ARRAY_SIZE(fields) };

enum {
	T_PID,
	T_COMM,
	T_TASK,
	T_PATH,
	T_CGROUP
};
static const struct record_field task_fields[] = {
	[T_PID] = { "pid", NULL, CELL_INT, FIELD_RIGHT, "the thread's" },
	[T_COMM] = { "comm", NULL, CELL_STR, 0, "its name" },
	[T_TASK] = { "task", NULL, CELL_ADDR, 0, "its task_struct" },
	[T_PATH] = { "path", NULL, CELL_STR, 0, "the group that it is in" },
	[T_CGROUP] = { "cgroup", NULL, CELL_ADDR, FIELD_JSON, "that group's struct cgroup" },
};
static const struct record_kind cgroup_task_kind = {
	"cgroup_task", "a task of a control group (cgroup -t)",
	LAYOUT_TABLE,  NULL,
	task_fields,   ARRAY_SIZE(task_fields)
};

/* Each task's css_set, read once. */
struct membership {
	const struct task *tasks;
	uint64_t *sets; /* 0: not known */
	size_t n;
};
struct cgroups {
	struct ctx *c;
	const struct type *type; /* for a pipeline; NULL: none behind */
	struct membership all;   /* with -t */
	struct err *err;
	bool ok;
};

static void counted(struct record *r, unsigned field, uint64_t n)
{
	if (n != CGROUP_NONE)
		record_uint(r, field, n);
}

static void memory_cells(struct ctx *c, struct record *r, const struct cgroup_memory *m)
{
	struct named_cell *events = ARENA_ARRAY(c->arena, struct named_cell, CGROUP_EVENTS_MAX);

	counted(r, MEMORY, m->current);
	counted(r, MEMORY_MAX, m->max);
	counted(r, MEMORY_HIGH, m->high);
	counted(r, MEMORY_LOW, m->low);
	counted(r, MEMORY_MIN, m->min);
	counted(r, MEMORY_PEAK, m->peak);
	counted(r, SWAP, m->swap);
	counted(r, SWAP_MAX, m->swap_max);
	for (size_t i = 0; i < m->n_events; i++) {
		events[i].name = m->events[i].name;
		events[i].cell = (struct cell){ .kind = CELL_UINT, .u = m->events[i].n };
		if (!strcmp(m->events[i].name, "oom_kill"))
			record_uint(r, OOM_KILLS, m->events[i].n);
	}
	record_fields(r, EVENTS, events, m->n_events);
	record_uint(r, MEMCG, m->addr);
}

static void emit_cgroup(struct ctx *c, const struct cgroup *g)
{
	struct record r;

	record_init(&r, &cgroup_kind);
	record_uint(&r, ADDR, g->addr);
	record_str(&r, HIERARCHY, *g->hierarchy ? g->hierarchy : NULL);
	record_uint(&r, TASKS, g->tasks);
	if (g->memory.addr)
		memory_cells(c, &r, &g->memory);
	if (g->pids.addr) {
		counted(&r, PIDS, g->pids.current);
		counted(&r, PIDS_MAX, g->pids.max);
		record_uint(&r, PIDS_ADDR, g->pids.addr);
	}
	record_str(&r, STATE,
		   g->removed     ? "removed"
		   : g->frozen    ? "frozen"
		   : g->populated ? NULL
				  : "empty");
	record_str(&r, PATH, g->path);
	record_uint(&r, LEVEL, g->level);
	record_bool(&r, POPULATED, g->populated);
	record_bool(&r, FROZEN, g->frozen);
	record_bool(&r, REMOVED, g->removed);
	emit(c, &r);
	if (g->why.code != ERR_OK)
		note(c, &g->why);
}

/* ---- tasks */

struct members {
	struct ctx *c;
	const struct cgroup *g;
	const struct membership *all;
};

static bool set_members(uint64_t set, void *arg)
{
	struct members *m = arg;
	struct err ignored;
	struct record r;

	for (size_t i = 0; i < m->all->n; i++) {
		const struct task *task = &m->all->tasks[i];

		if (!set || m->all->sets[i] != set)
			continue;
		record_init(&r, &cgroup_task_kind);
		record_int(&r, T_PID, task->pid);
		record_str(&r, T_COMM, task->comm);
		record_uint(&r, T_TASK, task->addr);
		record_str(&r, T_PATH, m->g->path);
		record_uint(&r, T_CGROUP, m->g->addr);
		emit(m->c, &r);
	}
	return interrupt_check(&ignored);
}

static bool membership_read(struct ctx *c, struct membership *m, struct err *err)
{
	struct err why, first = { .code = ERR_OK };

	if (!tasks_all(c->t, &m->tasks, &m->n, err))
		return false;
	m->sets = ARENA_ARRAY(c->arena, uint64_t, m->n + 1);
	for (size_t i = 0; i < m->n; i++)
		if (!field_u64(c->t, "struct task_struct", m->tasks[i].addr, "cgroups", &m->sets[i],
			       &why)) {
			m->sets[i] = 0;
			if (first.code == ERR_OK)
				first = why;
		}
	if (first.code != ERR_OK)
		note(c, &first);
	return true;
}

static void emit_members(struct ctx *c, const struct cgroup *g, const struct membership *all)
{
	struct members m = { .c = c, .g = g, .all = all };
	struct err err;

	if (!cgroup_sets(c->t, g->addr, set_members, &m, &err))
		note(c, &err);
}

/* ---- which */

/* A group is asked for by its path, its folder's name, or its address. */
static bool asked(const struct ctx *c, const struct cgroup *g)
{
	const char *name = strrchr(g->path, '/');
	bool ret = !c->argc;
	uint64_t addr;

	for (int i = 0; i < c->argc; i++)
		if (!strcmp(c->argv[i], g->path) || (name && !strcmp(c->argv[i], name + 1)) ||
		    (parse_number(c->argv[i], true, &addr) && addr &&
		     (addr == g->addr || addr == g->memory.addr)))
			ret = c->met[i] = true;
	return ret;
}

static bool cgroup_show(const struct cgroup *g, void *arg)
{
	struct cgroups *w = arg;
	const struct cgroup_opts *o = w->c->opts;

	if (!asked(w->c, g))
		return true;
	if (w->type) {
		w->ok = yield(w->c, value_ref(w->type, g->addr), w->err);
		return w->ok;
	}
	emit_cgroup(w->c, g);
	if (o->tasks)
		emit_members(w->c, g, &w->all);
	return true;
}

static void cgroup_flaw(const struct err *e, void *arg)
{
	const struct cgroups *w = arg;

	note(w->c, e);
}

static bool cgroup_run(struct ctx *c, struct err *err)
{
	struct cgroups w = { .c = c, .err = err, .ok = true };
	const struct cgroup_opts *o = c->opts;

	if (o->tasks && !membership_read(c, &w.all, err))
		return false;
	if (piped(c) && !type_find(c->t, "struct cgroup", &w.type, err))
		return false;
	if (!cgroups_each(c->t, c->arena, cgroup_show, cgroup_flaw, &w, err))
		return false;
	return w.ok && operands_met(c, "", " is no control group", err);
}

static const struct record_kind *const emits[] = { &cgroup_kind, &cgroup_task_kind, NULL };
static const struct example examples[] = {
	{ "cgroup", "all of them, with what they hold" },
	{ "cgroup -t bed", "one by the name of its folder, and who is in it" },
	{ "cgroup | where level == 1 | pick level, max_descendants", "as values" },
};
const struct command cmd_cgroup = {
	.name = "cgroup",
	.group = "memory",
	.summary = "control groups, with memory, tasks and limits",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "struct cgroup",
	.operands = "[path | name | address]...",
	OPTS(opts),
	.opts_size = sizeof(struct cgroup_opts),
	.emits = emits,
	.none = "no such control group",
	.help = "Every control group of version 2, and of each hierarchy of version 1, as their files "
		"said: memory.current and its limit, what is in swap, tasks and their limit, how often "
		"the OOM killer came. The kernel counts neither memory nor tasks of a root. A group "
		"that was removed stays as long as something holds it, most often memory that is "
		"charged to it.\n\n"
		"A group is named by its path, its folder's name, or the address of its struct cgroup "
		"or struct mem_cgroup.",
	EXAMPLES(examples),
	.run = cgroup_run,
};
