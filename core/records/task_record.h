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
/* crash's table. */
extern const struct record_kind task_kind;
/* The column that marks a task which ran on a CPU. */
void form_active(struct buf *b, const struct sink *k, const struct record *r,
		 const struct cell *cell);
/* A line among relatives, when it last ran, its times. */
extern const struct record_kind task_tree_kind, task_run_kind, task_times_kind;
/* How one task is named on a line of its own. */
#define TASK_WHO "PID: {pid:-6}  TASK: {task}  CPU: {cpu:-3}  COMMAND: \"{comm}\""

/* Starts a record of the kind and fills the columns; text lives in the command's arena. */
void record_task(struct ctx *c, struct record *r, const struct record_kind *kind,
		 const struct task *task);
/* Adds what the scheduler noted. */
bool record_task_times(struct ctx *c, struct record *r, const struct task *task,
		       struct err *err) MUST_CHECK;

/* What a program was started with; its resource limits. Each below a head; what cannot be read is
 * noted. */
extern const struct record_kind task_args_kind, task_limit_kind;
void emit_task_args(struct ctx *c, const struct task *task);
void emit_task_limits(struct ctx *c, const struct task *task);
/* Where its kernel stack is, and how much of it was in use. */
extern const struct record_kind task_stack_kind;
void emit_task_stack(struct ctx *c, const struct task *task);

/* The tasks that an operand means: as tasks_match(), or an expression that leads to one. */
bool tasks_meant(struct ctx *c, const char *word, bool regex, const struct task *const **ret,
		 size_t *n, struct err *err) MUST_CHECK;
/* Calls fn for each task that the operands name, for the current one when there is none. An operand
 * that names none is complained about. */
bool each_task(struct ctx *c, bool (*fn)(struct ctx *c, const struct task *task, struct err *err),
	       struct err *err) MUST_CHECK;
/* The first task that a word names; the current one when it is NULL. */
bool task_named(struct ctx *c, const char *word, const struct task **ret,
		struct err *err) MUST_CHECK;
/* A head line that names the task, for commands that show something of each. */
extern const struct record_kind task_head_kind;
void emit_task_head(struct ctx *c, const struct task *task);

enum task_view {
	TASK_VIEW_TABLE,
	TASK_VIEW_HEADLESS, /* the table without its head */
	TASK_VIEW_PARENTS,  /* its ancestors first */
	TASK_VIEW_CHILDREN, /* and they behind it */
	TASK_VIEW_GROUP,    /* the threads of its process, the leader first */
	TASK_VIEW_ARGS,
	TASK_VIEW_LIMITS,
	TASK_VIEW_STACK,
	TASK_VIEW_TIMES,
	TASK_VIEW_LAST, /* when it last ran */
	TASK_VIEW_AGO   /* how long ago that was */
};
/* Emits the record or records; what cannot be read is noted. */
void emit_task(struct ctx *c, enum task_view view, const struct task *task);

#endif
