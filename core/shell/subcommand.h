/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A command that another one runs, once for each of several tasks. */
#ifndef OBIT_SUBCOMMAND_H
#define OBIT_SUBCOMMAND_H

#include "core/shell/command.h"
#include "core/linux/task/task.h"

struct task;

/* Its memory is that of the command it was prepared by. */
struct subcommand {
	struct ctx ctx;
	struct ctx *outer;
	bool takes_tasks; /* as a stage of a pipeline does; else the task becomes the current one */
	const struct type *task_type;
};

/* "bt -l": finds the command and its options, and sees whether it can run at all. */
bool subcommand_prepare(struct ctx *c, const char *text, struct subcommand *ret,
			struct err *err) MUST_CHECK;
/* For one task. The current task is what it was before. */
bool subcommand_run(struct subcommand *sub, const struct task *task, struct err *err) MUST_CHECK;
/* When all tasks have been. */
bool subcommand_finish(struct subcommand *sub, struct err *err) MUST_CHECK;

#endif
