/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A command that another one runs, once for each of several tasks. */
#ifndef OBIT_SUBCOMMAND_H
#define OBIT_SUBCOMMAND_H

#include "core/shell/command.h"
#include "core/linux/task/task.h"

struct task;

/* It uses the memory of the command that prepared it. */
struct subcommand {
	struct ctx ctx;
	struct ctx *outer;
	bool takes_tasks; /* it is given each task like a stage; else each becomes the current task
			   */
	const struct type *task_type;
};

/* Finds the command and the options in text, as in "bt -l", and checks whether it can run here. */
bool subcommand_prepare(struct ctx *c, const char *text, struct subcommand *ret,
			struct err *err) MUST_CHECK;
/* Runs it for one task. The session's current task stays what it was. */
bool subcommand_run(struct subcommand *sub, const struct task *task, struct err *err) MUST_CHECK;
/* Ends it, when it ran for all tasks. */
bool subcommand_finish(struct subcommand *sub, struct err *err) MUST_CHECK;

#endif
