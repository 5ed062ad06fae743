/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A command that another one runs, once for each of several tasks. */
#include "core/shell/subcommand.h"
#include "core/types/expr.h"

#include <string.h>

#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/types/value.h"
#include "core/shell/option.h"
#include "core/shell/session.h"

bool subcommand_prepare(struct ctx *c, const char *text, struct subcommand *ret, struct err *err)
{
	const struct command *cmd;
	struct parsed parsed;
	struct stage stage;

	memset(ret, 0, sizeof(*ret));
	if (!parse_words(c->arena, text, &stage, err))
		return false;
	cmd = stage_command(c->arena, &stage, &stage);
	if (!cmd)
		return err_set(err, ERR_NOTFOUND, "no command '%.60s'",
			       stage.n_words ? stage.words[0].text : "");
	if (cmd == c->cmd)
		return err_set(err, ERR_USAGE, "'%s' does not run itself", cmd->name);
	if (!options_parse(c->arena, cmd, &stage, 1, &parsed, err) ||
	    (c->s->confined && !options_check_files(cmd, &parsed, err)) ||
	    !command_needs(cmd, c->t, err) ||
	    !type_find(c->t, "struct task_struct", &ret->task_type, err))
		return err_wrap(err, "'%s'", cmd->name);
	ret->takes_tasks =
		cmd->each && cmd->in && !strcmp(cmd->in, "struct task_struct") && !parsed.argc;
	ret->outer = c;
	ret->ctx = (struct ctx){ .t = c->t,
				 .s = c->s,
				 .cmd = cmd,
				 .arena = c->arena,
				 .opts = parsed.opts,
				 .argc = parsed.argc,
				 .argv = parsed.argv,
				 .met = ARENA_ARRAY(c->arena, bool, (size_t)parsed.argc + 1),
				 .rest = parsed.rest };
	return true;
}

bool subcommand_run(struct subcommand *sub, const struct task *task, struct err *err)
{
	struct ctx *c = &sub->ctx;
	uint64_t before = c->s->task;
	bool ok;

	c->s->task = task->addr;
	expr_current_set(c->t, task->addr);
	if (sub->takes_tasks)
		ok = c->cmd->each(c, value_ref(sub->task_type, task->addr), err);
	else
		ok = c->cmd->run(c, err);
	c->s->task = before;
	expr_current_set(c->t, before);
	return ok || err_wrap(err, "'%s'", c->cmd->name);
}

bool subcommand_finish(struct subcommand *sub, struct err *err)
{
	struct ctx *c = &sub->ctx;

	sub->outer->failed |= c->failed;
	sub->outer->damaged |= c->damaged;
	return !sub->takes_tasks || !c->cmd->finish || c->cmd->finish(c, err) ||
	       err_wrap(err, "'%s'", c->cmd->name);
}
