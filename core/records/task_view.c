/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways to show a task: in a table, among its relatives, by its times. */
#include "core/base/guard.h"
#include "core/linux/task/task.h"
#include "core/records/task_record.h"

const struct record_kind task_tree_kind = { "task_tree", "a task among its relatives (-p, -c, -g)",
					    LAYOUT_LINE, TASK_WHO,
					    task_fields, TASKF_FIELDS };
const struct record_kind task_run_kind = { "task_run",  "when a task last ran (-l)",
					   LAYOUT_LINE, "[{last_run_ns}] [{state}]  " TASK_WHO,
					   task_fields, TASKF_FIELDS };
static const struct record_kind ago_kind = { "task_run",  "how long ago a task last ran (-m)",
					     LAYOUT_LINE, "[{idle_ns}] [{state}]  " TASK_WHO,
					     task_fields, TASKF_FIELDS };
const struct record_kind task_times_kind = {
	"task_times",
	"when a task started and what CPU time it had (-t)",
	LAYOUT_LINE,
	TASK_WHO "\n    RUN TIME: {alive_ns}\n  START TIME: {start_ns}\n       UTIME: {utime_ns}\n"
		 "       STIME: {stime_ns}",
	task_fields,
	TASKF_FIELDS
};

static void emit_in_tree(struct ctx *c, const struct task *task, unsigned depth)
{
	struct record r;

	record_task(c, &r, &task_tree_kind, task);
	r.indent = depth;
	emit(c, &r);
}

static bool is_among(const struct task *task, const struct task *const *line, unsigned n)
{
	while (n--)
		if (line[n] == task)
			return true;
	return false;
}

/* From the first ancestor down to the task. */
static void emit_parents(struct ctx *c, const struct task *task)
{
	const struct task *line[DEPTH_MAX] = { task };
	struct err err = { 0 };
	unsigned n = 1;

	while (line[n - 1]->pid && !err.code) {
		if (n == DEPTH_MAX)
			err_set(&err, ERR_LIMIT, "more than %u ancestors of PID %d", n - 1,
				task->pid);
		else if (!task_by_pid(c->t, line[n - 1]->ppid, &line[n], &err))
			continue;
		else if (is_among(line[n], line, n))
			err_set(&err, ERR_CORRUPT, "PID %d is an ancestor of itself", line[n]->pid);
		else
			n++;
	}
	if (err.code)
		note(c, &err);
	for (unsigned depth = 0; depth < n; depth++)
		emit_in_tree(c, line[n - 1 - depth], depth);
}

static void emit_children(struct ctx *c, const struct task *task)
{
	const struct task *const *all;
	struct err err;
	size_t n;

	emit_in_tree(c, task, 0);
	if (!tasks_match(c->t, NULL, false, &all, &n, &err))
		return;
	for (size_t i = 0; i < n; i++)
		if (all[i]->pid && all[i]->ppid == task->tgid && all[i]->tgid == all[i]->pid)
			emit_in_tree(c, all[i], 2);
}

static void emit_group(struct ctx *c, const struct task *task)
{
	const struct task *const *all;
	const struct task *leader;
	struct err err;
	size_t n;

	if (!task_by_pid(c->t, task->tgid, &leader, &err))
		leader = task;
	emit_in_tree(c, leader, 0);
	if (!tasks_match(c->t, NULL, false, &all, &n, &err))
		return;
	for (size_t i = 0; i < n; i++)
		if (all[i]->tgid == task->tgid && all[i] != leader && task->pid)
			emit_in_tree(c, all[i], 2);
}

static void emit_times(struct ctx *c, const struct record_kind *kind, const struct task *task)
{
	struct record r;
	struct err err;

	record_task(c, &r, kind, task);
	if (!record_task_times(c, &r, task, &err))
		note(c, &err);
	emit(c, &r);
}

void emit_task(struct ctx *c, enum task_view view, const struct task *task)
{
	struct record r;

	switch (view) {
	case TASK_VIEW_PARENTS:
		emit_parents(c, task);
		break;
	case TASK_VIEW_CHILDREN:
		emit_children(c, task);
		break;
	case TASK_VIEW_GROUP:
		emit_group(c, task);
		break;
	case TASK_VIEW_ARGS:
		emit_task_args(c, task);
		break;
	case TASK_VIEW_LIMITS:
		emit_task_limits(c, task);
		break;
	case TASK_VIEW_STACK:
		emit_task_stack(c, task);
		break;
	case TASK_VIEW_TIMES:
		emit_times(c, &task_times_kind, task);
		break;
	case TASK_VIEW_LAST:
		emit_times(c, &task_run_kind, task);
		break;
	case TASK_VIEW_AGO:
		emit_times(c, &ago_kind, task);
		break;
	case TASK_VIEW_TABLE:
	case TASK_VIEW_HEADLESS:
		record_task(c, &r, &task_kind, task);
		r.headless = view == TASK_VIEW_HEADLESS;
		emit(c, &r);
		break;
	}
}
