/* SPDX-License-Identifier: GPL-3.0-or-later */
/* if: the page of what core/shell/session_run.c runs. */
#include "core/obit.h"

static bool if_run(struct ctx *c, struct err *err)
{
	(void)c;
	return err_set(err, ERR_USAGE,
		       "it stands at the start of a line, with an expression behind it");
}

static const struct example examples[] = {
	{ "if (nr_cpu_ids > 1) runq else ps", "one of two commands" },
};
const struct command cmd_if = {
	.name = "if",
	.group = "session",
	.summary = "a command, if an expression is true",
	.operands = "expression command [else command]",
	.completes = COMPLETE_SYMBOL | COMPLETE_TYPE,
	.help = "Runs the command if the expression is true, else the one behind 'else', if there is one. The expression is "
		"one word: ( ) hold it together. A ; ends the whole; what leads to the shell ends the line, so that "
		"an else has to come before it. If the expression cannot be evaluated, neither is run. Of a block as gdb has it, "
		"with its commands on lines of their own up to 'end', none is run.",
	EXAMPLES(examples),
	.run = if_run,
};
