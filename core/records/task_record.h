/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a task, the same in every command that shows tasks. */
#ifndef OBIT_TASK_RECORD_H
#define OBIT_TASK_RECORD_H

#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/shell/command.h"

/* Tables of tasks have the fields up to TASK_COLUMNS; other layouts may name all of them. */
enum task_field {
	TASKF_ACTIVE,
	TASKF_PID,
	TASKF_PPID,
	TASKF_CPU,
	TASKF_TASK,
	TASKF_STATE,
	TASKF_MEM,
	TASKF_VSZ,
	TASKF_RSS,
	TASKF_COMM,
	TASKF_TGID,
	TASKF_LETTER,
	TASKF_KERNEL,
	TASKF_COLUMNS,
	TASKF_LAST_RUN = TASKF_COLUMNS,
	TASKF_IDLE,
	TASKF_START,
	TASKF_ALIVE,
	TASKF_UTIME,
	TASKF_STIME,
	TASKF_FIELDS
};
extern const struct record_field task_fields[TASKF_FIELDS];
/* A row of the table that crash's ps has. */
extern const struct record_kind task_kind;
/* Appends what the first column has: '>' for a task that ran on a CPU. */
void form_active(struct buf *b, const struct sink *k, const struct record *r,
		 const struct cell *cell);
/* A task as a line among its relatives; when it last ran; its times. */
extern const struct record_kind task_tree_kind, task_run_kind, task_times_kind;
/* The part of a template that names a task on a line of its own. */
#define TASK_WHO "PID: {pid:-6}  TASK: {task}  CPU: {cpu:-3}  COMMAND: \"{comm}\""

/* MEANING_PANIC of the task that the kernel died in, else MEANING_NONE. */
enum meaning task_meaning(struct target *t, const struct task *task);
/* Starts a record of the kind and fills the columns; text lives in the command's arena. */
void record_task(struct ctx *c, struct record *r, const struct record_kind *kind,
		 const struct task *task);
/* Adds the times that the scheduler noted of the task. */
bool record_task_times(struct ctx *c, struct record *r, const struct task *task,
		       struct err *err) MUST_CHECK;

/* Emit what a program was started with, and its resource limits, each below a head that names the
 * task. What cannot be read is noted. */
extern const struct record_kind task_args_kind, task_limit_kind;
void emit_task_args(struct ctx *c, const struct task *task);
void emit_task_limits(struct ctx *c, const struct task *task);
/* Emits where a task's kernel stack is, and how much of it was in use. */
extern const struct record_kind task_stack_kind;
void emit_task_stack(struct ctx *c, const struct task *task);

/* Sets *ret to the n tasks that a word means: those that tasks_match() finds, or the one that an
 * expression leads to. */
bool tasks_meant(struct ctx *c, const char *word, bool regex, const struct task *const **ret,
		 size_t *n, struct err *err) MUST_CHECK;
/* Calls fn for each task that the operands name, for the current one when there is none. An operand
 * that names none is complained about. */
bool each_task(struct ctx *c, bool (*fn)(struct ctx *c, const struct task *task, struct err *err),
	       struct err *err) MUST_CHECK;
/* Sets *ret to the first task that a word names, or to the current one when word is NULL. */
bool task_named(struct ctx *c, const char *word, const struct task **ret,
		struct err *err) MUST_CHECK;
/* Emits a head line that names the task, for commands that show something of each task. */
extern const struct record_kind task_head_kind;
void emit_task_head(struct ctx *c, const struct task *task);

enum task_view {
	TASK_VIEW_TABLE,
	TASK_VIEW_HEADLESS, /* the table without its head */
	TASK_VIEW_PARENTS,  /* its ancestors, and behind them the task */
	TASK_VIEW_CHILDREN, /* the task, and behind it its children */
	TASK_VIEW_GROUP,    /* the threads of its process, the leader first */
	TASK_VIEW_ARGS,
	TASK_VIEW_LIMITS,
	TASK_VIEW_STACK,
	TASK_VIEW_TIMES,
	TASK_VIEW_LAST, /* when it last ran */
	TASK_VIEW_AGO   /* how long ago that was */
};
/* Emits what the view shows of a task; what cannot be read is noted. */
void emit_task(struct ctx *c, enum task_view view, const struct task *task);

#endif
