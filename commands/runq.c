/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runq: who ran on each CPU, and who waited for it. */
#include "core/obit.h"
#include "core/base/guard.h"
#include "core/base/vec.h"
#include "core/image/target.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/types/value.h"
#include "core/linux/task/runq.h"
#include "core/types/shape.h"

enum {
	CPU,
	ADDR,
	RUNNING
};
static const struct record_field queue_fields[] = {
	[CPU] = { "cpu", NULL, CELL_UINT, 0, "CPU" },
	[ADDR] = { "rq", NULL, CELL_ADDR, 0, "address of its struct rq" },
	[RUNNING] = { "running", NULL, CELL_UINT, 0, "tasks that could run, as it counts them" },
};
static const struct record_kind queue_kind = {
	"runq",       "the run queue of a CPU",
	LAYOUT_LINE,  "CPU {cpu} RUNQUEUE: {rq}  RUNNABLE: {running}",
	queue_fields, 3
};

enum {
	TASK_CPU,
	CLASS,
	CURRENT,
	PRIO,
	PID,
	TASK,
	COMM
};
static const struct record_field task_columns[] = {
	[TASK_CPU] = { "cpu", NULL, CELL_UINT, FIELD_JSON, "CPU" },
	[CLASS] = { "class", NULL, CELL_STR, 0,
		    "dl, rt or cfs; idle when nobody could run; null with -d" },
	[CURRENT] = { "current", NULL, CELL_BOOL, 0, "it ran" },
	[PRIO] = { "prio", NULL, CELL_INT, 0, "priority, the lowest number first" },
	[PID] = { "pid", NULL, CELL_INT, 0, "process id" },
	[TASK] = { "task", NULL, CELL_ADDR, 0, "address of the task_struct" },
	[COMM] = { "comm", NULL, CELL_STR, 0, "command" },
};
static const struct record_kind task_line = {
	"runq_task",
	"a task on a run queue",
	LAYOUT_LINE,
	"  {class:-4} [{prio:3}] PID: {pid:-6}  TASK: {task}  COMMAND: \"{comm}\"{?current:  (current)}",
	task_columns,
	7
};

enum {
	TIME_CPU,
	CLOCK,
	LAG,
	LAST_RUN,
	RAN,
	TIME_PID,
	TIME_TASK,
	TIME_COMM
};
static const struct record_field time_fields[] = {
	[TIME_CPU] = { "cpu", NULL, CELL_UINT, FIELD_RIGHT, "CPU" },
	[CLOCK] = { "clock", NULL, CELL_TIME, 0,
		    "when the scheduler last looked at its clock there, as the log counts" },
	[LAG] = { "lag", NULL, CELL_DURATION, 0,
		  "how far that is behind the latest of all CPUs that are shown" },
	[LAST_RUN] = { "last_run", NULL, CELL_TIME, 0,
		       "since when the task ran; null: the kernel does not note it, as of idle tasks" },
	[RAN] = { "ran", NULL, CELL_DURATION, 0, "how long that was by then" },
	[TIME_PID] = { "pid", NULL, CELL_INT, FIELD_RIGHT, "process id of the task that ran" },
	[TIME_TASK] = { "task", NULL, CELL_ADDR, 0, "address of its task_struct" },
	[TIME_COMM] = { "comm", NULL, CELL_STR, 0, "its name" },
};
static const struct record_kind time_kind = { "runq_time",  "the clock of a run queue (-t -T -m)",
					      LAYOUT_TABLE, NULL,
					      time_fields,  ARRAY_SIZE(time_fields) };

enum {
	GROUP_CPU,
	GROUP,
	GROUP_QUEUE,
	GROUP_NAME,
	GROUP_DEPTH,
	GROUP_RUNNING,
	GROUP_SHARES,
	GROUP_QUOTA,
	GROUP_PERIOD,
	GROUP_THROTTLED
};
static const struct record_field group_fields[] = {
	[GROUP_CPU] = { "cpu", NULL, CELL_UINT, FIELD_JSON, "CPU" },
	[GROUP] = { "group", NULL, CELL_ADDR, 0, "address of its struct task_group" },
	[GROUP_QUEUE] = { "cfs_rq", NULL, CELL_ADDR, 0, "address of its queue on that CPU" },
	[GROUP_NAME] = { "name", NULL, CELL_STR, 0,
			 "of its control group, or autogroup-NUMBER; null: the root of all, or it cannot "
			 "be read, as a note says" },
	[GROUP_DEPTH] = { "depth", NULL, CELL_UINT, FIELD_JSON, "how many groups it is in" },
	[GROUP_RUNNING] = { "running", NULL, CELL_UINT, 0,
			    "fair tasks there that could run, as it counts them, with those of "
			    "groups below" },
	[GROUP_SHARES] = { "shares", NULL, CELL_UINT, 0, "its weight among its siblings" },
	[GROUP_QUOTA] = { "quota", NULL, CELL_DURATION, 0,
			  "CPU time that it may have in each period; null: no limit" },
	[GROUP_PERIOD] = { "period", NULL, CELL_DURATION, 0, "how long a period is" },
	[GROUP_THROTTLED] = { "throttled", NULL, CELL_BOOL, 0, "its quota was used up" },
};
static const struct record_kind group_kind = {
	.name = "runq_group",
	.doc = "a task group on a CPU (-g)",
	.layout = LAYOUT_LINE,
	.line = "GROUP: {group}  CFS_RQ: {cfs_rq}{?name:  {name}}  RUNNABLE: {running}  SHARES: "
		"{shares}{?quota:  QUOTA: {quota} of {period}}{?throttled:  (throttled)}",
	.fields = group_fields,
	.n_fields = ARRAY_SIZE(group_fields),
};

struct runq_opts {
	const char *cpus;
	bool times, groups, queued;
};
static const struct option opts[] = {
	OPT_FLAG("t", struct runq_opts, times,
		 "the clock of each run queue, and since when its task ran"),
	OPT_FLAG("T", struct runq_opts, times, "the same: LAG is how far it is behind"),
	OPT_FLAG("m", struct runq_opts, times, "the same: RAN is how long its task ran"),
	OPT_FLAG("g", struct runq_opts, groups,
		 "by task groups: with their weights, limits, and whether they are throttled"),
	OPT_FLAG("d", struct runq_opts, queued,
		 "the tasks that say themselves that they are queued, by their own CPU"),
	{ "c", "cpus", OPTION_STR, offsetof(struct runq_opts, cpus), "only these CPUs" },
};

struct runq_queues {
	struct ctx *c;
	const struct type *type; /* for a pipeline; NULL: none behind */
	struct err *err;
	bool ok;
	unsigned indent;
};

static void runq_flaw(const struct err *e, void *arg)
{
	const struct runq_queues *w = arg;

	note(w->c, e);
}

static void runq_show(struct runq_queues *w, const struct runq *q, const char *class, uint64_t addr)
{
	const struct task *task;
	struct record r;
	struct err why;
	uint64_t prio;

	if (w->type) {
		w->ok = w->ok && yield(w->c, value_ref(w->type, addr), w->err);
		return;
	}
	record_init(&r, &task_line);
	r.indent = w->indent;
	record_uint(&r, TASK_CPU, q->cpu);
	record_str(&r, CLASS, class);
	record_bool(&r, CURRENT, addr == q->curr);
	record_uint(&r, TASK, addr);
	if (field_u64(w->c->t, "struct task_struct", addr, "prio", &prio, &why))
		record_int(&r, PRIO, (int32_t)prio);
	else
		target_lacks(w->c->t, &why);
	if (task_by_addr(w->c->t, addr, &task, &why)) {
		record_int(&r, PID, task->pid);
		record_str(&r, COMM, task->comm);
	} else {
		note(w->c, &why);
	}
	emit(w->c, &r);
}

/* Whether the one that runs is among them: real-time and fair tasks stay queued while they run. */
static bool show_all(struct runq_queues *w, const struct runq *q, const char *class,
		     const uint64_t *tasks, size_t n)
{
	bool current = false;

	for (size_t i = 0; w->ok && i < n; i++) {
		runq_show(w, q, class, tasks[i]);
		current |= tasks[i] == q->curr;
	}
	return current;
}

/* Reads a CPU's queue and shows its line. False: it cannot be read, and w->ok says whether to go
 * on.
 */
static bool queue_head(struct runq_queues *w, unsigned cpu, struct runq *q)
{
	struct record r;
	struct err why;

	if (!runq_of(w->c->t, cpu, w->c->arena, q, runq_flaw, w, &why)) {
		if (!err_is_damage(why.code)) {
			*w->err = why;
			w->ok = false;
		} else {
			note(w->c, &why);
		}
		return false;
	}
	if (!w->type) {
		record_init(&r, &queue_kind);
		record_uint(&r, CPU, cpu);
		record_uint(&r, ADDR, q->addr);
		record_uint(&r, RUNNING, q->running);
		emit(w->c, &r);
	}
	return true;
}

static bool one_cpu(unsigned cpu, void *arg)
{
	struct runq_queues *w = arg;
	struct runq q;
	bool current;

	if (!queue_head(w, cpu, &q))
		return w->ok;
	current = show_all(w, &q, "dl", q.dl, q.n_dl);
	current |= show_all(w, &q, "rt", q.rt, q.n_rt);
	current |= show_all(w, &q, "cfs", q.cfs, q.n_cfs);
	if (!current && w->ok)
		runq_show(w, &q, q.running ? "-" : "idle", q.curr);
	return w->ok;
}

/* ---- by groups */

struct runq_tree {
	struct runq_queues *w;
	const struct runq *q;
	const uint64_t *queues; /* of each fair task of q: its own struct cfs_rq; 0: not known */
};

static bool show_group(const struct runq_group *g, void *arg)
{
	struct runq_tree *tree = arg;
	struct runq_queues *w = tree->w;
	const struct runq *q = tree->q;
	struct record r;

	if (g->depth && !g->running && !g->throttled)
		return true;
	record_init(&r, &group_kind);
	r.indent = 2 * (g->depth + 1);
	w->indent = r.indent;
	record_uint(&r, GROUP_CPU, q->cpu);
	record_uint(&r, GROUP, g->addr);
	record_uint(&r, GROUP_QUEUE, g->queue);
	record_str(&r, GROUP_NAME, g->name);
	record_uint(&r, GROUP_DEPTH, g->depth);
	record_uint(&r, GROUP_RUNNING, g->running);
	record_uint(&r, GROUP_SHARES, g->shares);
	if (g->quota != UINT64_MAX) {
		record_uint(&r, GROUP_QUOTA, g->quota);
		record_uint(&r, GROUP_PERIOD, g->period);
	}
	record_bool(&r, GROUP_THROTTLED, g->throttled);
	emit(w->c, &r);
	if (!g->depth) {
		show_all(w, q, "dl", q->dl, q->n_dl);
		show_all(w, q, "rt", q->rt, q->n_rt);
	}
	for (size_t i = 0; i < q->n_cfs; i++)
		if (tree->queues[i] ? tree->queues[i] == g->queue : !g->depth)
			runq_show(w, q, "cfs", q->cfs[i]);
	return interrupt_check(w->err);
}

static void tree_flaw(const struct err *e, void *arg)
{
	const struct runq_tree *tree = arg;

	note(tree->w->c, e);
}

static bool one_tree(unsigned cpu, void *arg)
{
	struct runq_queues *w = arg;
	struct runq_tree tree = { .w = w };
	struct runq q;
	struct err why;
	uint64_t *queues;

	w->indent = 0;
	if (!queue_head(w, cpu, &q))
		return w->ok;
	tree.q = &q;
	tree.queues = queues = ARENA_ARRAY(w->c->arena, uint64_t, q.n_cfs + 1);
	for (size_t i = 0; i < q.n_cfs; i++)
		if (!field_u64(w->c->t, "struct task_struct", q.cfs[i], "se.cfs_rq", &queues[i],
			       &why))
			note(w->c, &why);
	w->ok = runq_groups_each(w->c->t, cpu, w->c->arena, show_group, tree_flaw, &tree, w->err);
	return w->ok;
}

/* ---- by what tasks say */

static bool one_queued(unsigned cpu, void *arg)
{
	struct runq_queues *w = arg;
	struct runq q;
	const struct task *const *all;
	struct err why;
	uint64_t on;
	size_t n;

	if (!queue_head(w, cpu, &q))
		return w->ok;
	if (!tasks_match(w->c->t, NULL, false, &all, &n, w->err))
		return w->ok = false;
	for (size_t i = 0; w->ok && i < n; i++) {
		if (all[i]->cpu != (int)cpu)
			continue;
		if (!field_u64(w->c->t, "struct task_struct", all[i]->addr, "on_rq", &on, &why))
			note(w->c, &why);
		else if (on)
			runq_show(w, &q, NULL, all[i]->addr);
		w->ok = w->ok && interrupt_check(w->err);
	}
	return w->ok;
}

/* ---- clocks */

struct runq_times {
	struct ctx *c;
	VEC(struct record) rows;
};

static void time_of_task(struct ctx *c, struct record *r, uint64_t addr, uint64_t clock)
{
	const struct task *task;
	struct task_sched sched;
	struct err why;

	record_uint(r, TIME_TASK, addr);
	if (!task_by_addr(c->t, addr, &task, &why)) {
		note(c, &why);
		return;
	}
	record_int(r, TIME_PID, task->pid);
	record_str(r, TIME_COMM, task->comm);
	if (!task_sched(c->t, task, &sched, &why)) {
		note(c, &why);
		return;
	}
	if (!sched.last_run || sched.last_run == UINT64_MAX)
		return;
	record_uint(r, LAST_RUN, sched.last_run);
	if (sched.last_run <= clock)
		record_uint(r, RAN, clock - sched.last_run);
}

static bool one_clock(unsigned cpu, void *arg)
{
	struct runq_times *w = arg;
	struct target *t = w->c->t;
	uint64_t rq, clock, curr;
	struct record *r;
	struct err why;

	if (!percpu_addr(t, "runqueues", cpu, &rq, &why) ||
	    !field_u64(t, "struct rq", rq, "clock", &clock, &why) ||
	    !field_u64(t, "struct rq", rq, "curr", &curr, &why)) {
		err_wrap(&why, "run queue of CPU %u", cpu);
		note(w->c, &why);
		return true;
	}
	r = vec_push(&w->rows);
	record_init(r, &time_kind);
	record_uint(r, TIME_CPU, cpu);
	record_uint(r, CLOCK, clock);
	time_of_task(w->c, r, curr, clock);
	return interrupt_check(&why);
}

static bool runq_clocks(struct ctx *c, struct err *err)
{
	const struct runq_opts *o = c->opts;
	struct runq_times w = { .c = c };
	bool ok = parse_cpus(c->t, o->cpus ? o->cpus : "a", one_clock, &w, err);
	uint64_t latest = 0;

	for (size_t i = 0; i < w.rows.n; i++)
		if (w.rows.p[i].cells[CLOCK].u > latest)
			latest = w.rows.p[i].cells[CLOCK].u;
	for (size_t i = 0; ok && i < w.rows.n; i++) {
		record_uint(&w.rows.p[i], LAG, latest - w.rows.p[i].cells[CLOCK].u);
		emit(c, &w.rows.p[i]);
	}
	vec_release(&w.rows);
	return ok && interrupt_check(err);
}

static bool runq_run(struct ctx *c, struct err *err)
{
	const struct runq_opts *o = c->opts;
	struct runq_queues w = { .c = c, .err = err, .ok = true };

	if (o->times && piped(c))
		return err_set(err, ERR_USAGE, "-t, -T and -m show clocks, which are no tasks");
	if (o->times + o->groups + o->queued > 1)
		return err_set(err, ERR_USAGE, "-g, -d and clocks exclude each other");
	if (o->groups && piped(c))
		return err_set(err, ERR_USAGE, "-g shows groups, which are no tasks");
	if (o->times)
		return runq_clocks(c, err);

	if (piped(c) && !type_find(c->t, "struct task_struct", &w.type, err))
		return false;
	return parse_cpus(c->t, o->cpus ? o->cpus : "a",
			  o->groups   ? one_tree
			  : o->queued ? one_queued
				      : one_cpu,
			  &w, err) &&
	       w.ok;
}

static const struct example examples[] = {
	{ "runq", "who could run on each CPU" },
	{ "runq -t", "since when the task of each CPU ran, and which clocks stood still" },
	{ "runq -g", "the same by task groups, with those that are throttled" },
	{ "runq -c 0 | bt", "where those of one CPU were" },
};
const struct command cmd_runq = {
	.name = "runq",
	.group = "tasks",
	.summary = "run queues",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "struct task_struct",
	OPTS(opts),
	.opts_size = sizeof(struct runq_opts),
	.emits = (const struct record_kind *const[]){ &queue_kind, &task_line, &group_kind,
						      &time_kind, NULL },
	.none = "no such run queue",
	.help = "Prints for each CPU the tasks on its run queue: deadline, real-time by priority, fair. "
		"The one that ran is marked. Fair and real-time tasks of groups are among them; "
		"a group's own real-time queue is not followed.\n\n"
		"-g shows which task groups these are in: of each CPU the groups that have something to run there, or are "
		"throttled. SHARES is what cpu.shares says (cpu.weight 100 is 1024). QUOTA is the time that the group may "
		"have on all CPUs together in a period.\n\n"
		"-d asks every task instead of the queues: a task that says that it is queued, and is not "
		"in what runq shows, or the other way round, is damage. Idle tasks always say so.\n\n"
		"-t, -T and -m show one table: the clock of each run queue, which the scheduler sets when it "
		"does something there (a CPU that hangs is behind the others, and so is one that sleeps), and "
		"since when its task ran.",
	EXAMPLES(examples),
	.run = runq_run,
};
