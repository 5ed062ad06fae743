/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quit: end the session. */
#include "core/obit.h"

static bool quit_run(struct ctx *c, struct err *err)
{
	(void)err;
	c->s->quit = true;
	return true;
}

static const char *const quit_aliases[] = { "q", "exit", NULL };
static const struct example quit_examples[] = {
	{ "quit", "ends; what stands behind it in a file of commands is not run" },
};

const struct command cmd_quit = {
	.name = "quit",
	.aliases = quit_aliases,
	.group = "session",
	.summary = "end the session",
	.help = "Ends the session. At the prompt Ctrl-D on an empty line does the same; a file of "
		"commands and stdin need no quit at their end. The exit status tells how the commands "
		"before it went, see obit(1).",
	EXAMPLES(quit_examples),
	.run = quit_run,
};
