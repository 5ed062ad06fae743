/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ps: the tasks there were, in crash's columns and with its selectors. */
#include <stdlib.h>
#include <string.h>

#include "core/obit.h"
#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/types/value.h"
#include "core/records/task_record.h"

enum {
	COUNT_STATE,
	COUNT_N
};
static const struct record_field count_fields[] = {
	[COUNT_STATE] = { "state", NULL, CELL_STR, 0, "state, as in the table" },
	[COUNT_N] = { "count", NULL, CELL_UINT, 0, "tasks in it" },
};
static const struct record_kind count_kind = { "state_count", "how many tasks are in a state (-S)",
					       LAYOUT_LINE,   "  {state}: {count}",
					       count_fields,  2 };

struct ps_opts {
	bool kernel, user, leader, active, no_head, states, parents, children, group, args, limits,
		stack, times, last, ago;
	const char *policies;
};
static const struct option opts[] = {
	OPT_FLAG("k", struct ps_opts, kernel, "kernel threads only"),
	OPT_FLAG("u", struct ps_opts, user, "user tasks only"),
	OPT_FLAG("G", struct ps_opts, leader, "thread group leaders only"),
	OPT_FLAG("A", struct ps_opts, active, "only tasks that ran on a CPU at the crash"),
	OPT_STR("y", "policy", struct ps_opts, policies,
		"only these scheduling policies: normal, fifo, rr, batch, idle, deadline, ext, or numbers"),
	OPT_FLAG("H", struct ps_opts, no_head, "without the table's head"),
	OPT_FLAG("S", struct ps_opts, states, "how many tasks are in each state"),
	OPT_FLAG("p", struct ps_opts, parents, "each task below its ancestors"),
	OPT_FLAG("c", struct ps_opts, children, "each task with its children"),
	OPT_FLAG("g", struct ps_opts, group, "each task's process with its threads"),
	OPT_FLAG("a", struct ps_opts, args, "the words and the environment it was started with"),
	OPT_FLAG("r", struct ps_opts, limits, "its resource limits"),
	OPT_FLAG("s", struct ps_opts, stack, "its kernel stack, and how much of it is in use"),
	OPT_FLAG("t", struct ps_opts, times, "start and CPU times"),
	OPT_FLAG("l", struct ps_opts, last, "by when they last ran, the latest first"),
	OPT_FLAG("m", struct ps_opts, ago, "the same, as time before the crash"),
};

struct ps_pick {
	const struct task *task;
	uint64_t last_run;
};

struct ps {
	const struct ps_opts *o;
	uint64_t policies; /* bits; 0: any */
	VEC(struct ps_pick) picked;
	struct map seen;
};

static void emit_states(struct ctx *c, const struct ps *p)
{
	struct record r;

	for (size_t i = 0; i < p->picked.n; i++) {
		const char *state = p->picked.p[i].task->state;
		size_t n = 0, first = 0;

		while (strcmp(p->picked.p[first].task->state, state) != 0)
			first++;
		if (first < i)
			continue; /* counted where it came first */
		for (size_t k = i; k < p->picked.n; k++)
			n += !strcmp(p->picked.p[k].task->state, state);
		record_init(&r, &count_kind);
		record_str(&r, COUNT_STATE, state);
		record_uint(&r, COUNT_N, n);
		emit(c, &r);
	}
}

static enum task_view view_of(const struct ps_opts *o)
{
	return o->parents    ? TASK_VIEW_PARENTS
	       : o->children ? TASK_VIEW_CHILDREN
	       : o->group    ? TASK_VIEW_GROUP
	       : o->args     ? TASK_VIEW_ARGS
	       : o->limits   ? TASK_VIEW_LIMITS
	       : o->stack    ? TASK_VIEW_STACK
	       : o->times    ? TASK_VIEW_TIMES
	       : o->last     ? TASK_VIEW_LAST
	       : o->ago      ? TASK_VIEW_AGO
	       : o->no_head  ? TASK_VIEW_HEADLESS
			     : TASK_VIEW_TABLE;
}

static int by_last_run(const void *a, const void *b)
{
	const struct ps_pick *x = a, *y = b;

	if (x->last_run != y->last_run)
		return x->last_run > y->last_run ? -1 : 1;
	return x->task->pid < y->task->pid ? -1 : x->task->pid > y->task->pid;
}

static bool ps_show(struct ctx *c, struct ps *p, struct err *err)
{
	const struct type *type;

	if (p->o->last || p->o->ago)
		qsort(p->picked.p, p->picked.n, sizeof(*p->picked.p), by_last_run);
	if (piped(c)) {
		if (!type_find(c->t, "struct task_struct", &type, err))
			return false;
		for (size_t i = 0; i < p->picked.n; i++)
			if (!yield(c, value_ref(type, p->picked.p[i].task->addr), err))
				return false;
		return true;
	}
	if (p->o->states)
		emit_states(c, p);
	for (size_t i = 0; !p->o->states && i < p->picked.n; i++) {
		if (!interrupt_check(err))
			return false;
		emit_task(c, view_of(p->o), p->picked.p[i].task);
	}
	return true;
}

/* Takes a task once, if the options want it. */
static void ps_pick(struct ctx *c, struct ps *p, const struct task *task)
{
	const struct ps_opts *o = p->o;
	struct task_sched s = { .last_run = 0 };
	bool isnew;
	struct err err;

	if ((o->kernel && !task_is_kernel(task)) || (o->user && task_is_kernel(task)) ||
	    (o->leader && task->pid != task->tgid) || (o->active && !task->active))
		return;
	if ((p->policies || o->last || o->ago) && !task_sched(c->t, task, &s, &err)) {
		note(c, &err);
		if (p->policies)
			return;
	}
	if (p->policies && (s.policy >= 64 || !(p->policies >> s.policy & 1)))
		return;
	map_put(&p->seen, task->addr, &isnew);
	if (isnew)
		*vec_push(&p->picked) = (struct ps_pick){ task, s.last_run };
}

static bool parse_policies(struct ctx *c, struct ps *p, struct err *err)
{
	char *list = p->o->policies ? arena_strdup(c->arena, p->o->policies) : NULL, *name;

	while ((name = strsep(&list, ",")) != NULL) {
		unsigned policy = sched_policy(name);

		if (policy >= 64)
			return err_set(err, ERR_USAGE, "'%s' is no scheduling policy", name);
		p->policies |= 1ull << policy;
	}
	return true;
}

/* Was this operand typed in quotes? Then it is a regular expression, as in crash. */
static bool is_quoted(const struct ctx *c, const char *word)
{
	const char *at = c->rest ? strstr(c->rest, word) : NULL;

	return at && at > c->rest && (at[-1] == '\'' || at[-1] == '"');
}

static bool ps_gather(struct ctx *c, struct ps *p, struct err *err)
{
	const struct task *const *found;
	size_t n;

	if (!parse_policies(c, p, err))
		return false;
	if (!c->argc) {
		if (!tasks_match(c->t, NULL, false, &found, &n, err))
			return false;
		for (size_t i = 0; i < n; i++)
			ps_pick(c, p, found[i]);
	}
	for (int k = 0; k < c->argc; k++) {
		if (!tasks_meant(c, c->argv[k], is_quoted(c, c->argv[k]), &found, &n, err)) {
			if (err->code != ERR_NOTFOUND && err->code != ERR_USAGE)
				return false;
			complain(c, err);
			continue;
		}
		for (size_t i = 0; i < n; i++)
			ps_pick(c, p, found[i]);
	}
	return ps_show(c, p, err);
}

static bool ps_run(struct ctx *c, struct err *err)
{
	struct ps p = { .o = c->opts };
	bool ok = ps_gather(c, &p, err);

	vec_release(&p.picked);
	map_release(&p.seen);
	return ok;
}

static bool ps_each(struct ctx *c, struct value v, struct err *err)
{
	const struct ps_opts *o = c->opts;
	struct ps p = { .o = o };
	const struct task *task;
	bool ok;

	if (!parse_policies(c, &p, err) || !task_by_addr(c->t, v.addr, &task, err))
		return false;
	ps_pick(c, &p, task);
	ok = ps_show(c, &p, err);
	vec_release(&p.picked);
	map_release(&p.seen);
	return ok;
}

static const struct record_kind *const emits[] = {
	&task_kind,       &task_tree_kind, &task_run_kind,
	&task_times_kind, &task_args_kind, &task_limit_kind,
	&task_stack_kind, &count_kind,     NULL
};
static const struct example examples[] = {
	{ "ps", "every task and thread" },
	{ "ps -u", "user tasks" },
	{ "ps '^kworker/'", "tasks whose name matches" },
	{ "ps -A", "what the CPUs ran at the crash" },
	{ "ps -S", "how many tasks are in each state" },
	{ "ps -p 1", "a task and its ancestors" },
	{ "ps -a 1", "what it was started with" },
	{ "ps -r 1", "its resource limits" },
	{ "ps -s 1", "its kernel stack" },
	{ "ps -t 1", "when it started, and its CPU time" },
	{ "ps -l", "who ran last" },
	{ "ps | grep UN", "who was stuck in uninterruptible sleep" },
};
const struct command cmd_ps = {
	.name = "ps",
	.aliases = (const char *const[]){ "tasks", NULL },
	.group = "tasks",
	.summary = "tasks",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.in = "struct task_struct",
	.out = "struct task_struct",
	.operands = "[pid | task | name | 'regex']...",
	OPTS(opts),
	.opts_size = sizeof(struct ps_opts),
	.emits = emits,
	.none = "no such task",
	.completes = COMPLETE_PID,
	.help = "Prints every task and thread by pid: each CPU's idle task first. '>' marks what "
		"a CPU ran at the crash; a kernel thread's name stands in brackets. VSZ and RSS are in "
		"KiB.\n\n"
		"An operand is a pid, the address of a task_struct, a name, or in quotes an extended "
		"regular expression that is searched for in the names.\n\n"
		"-s shows the stack pointer that bt begins with; a task that sleeps was switched from there. Times that -l and -t "
		"show as one number are nanoseconds.\n\n"
		"Before | of an obit command it yields the tasks themselves.",
	EXAMPLES(examples),
	.run = ps_run,
	.each = ps_each,
};
