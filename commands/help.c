/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help: the list of commands, or the manual page of one. */
#include <string.h>

#include "core/obit.h"
#include "core/shell/manual/foreign.h"
#include "core/shell/manual/kinds.h"
#include "core/shell/own.h"

struct help_opts {
	bool records;
};
static const struct option help_options[] = {
	OPT_FLAG("r", struct help_opts, records,
		 "the fields of the records that --json prints: of the commands, or of all"),
};

/* The page of a command, or what an alias stands for. */
static bool help_page(struct ctx *c, const char *name)
{
	const struct help_opts *o = c->opts;
	const struct command *cmd = command_find(name);
	const struct alias *alias = session_alias_find(c->s, name, strlen(name));
	const struct foreign_tool *tool = foreign_tool_find(name);
	struct buf b = { 0 };
	struct err err;

	if (cmd && o->records) {
		kinds_page(&b, cmd);
		say(c, "%s", buf_text(&b));
	} else if (tool) {
		foreign_page(&b, tool);
		say(c, "%s", buf_text(&b));
	} else if (cmd) {
		command_page(&b, cmd);
		say(c, "%s", buf_text(&b));
	} else if (own_find(c->s, name)) {
		own_page(&b, own_find(c->s, name));
		say(c, "%s", buf_text(&b));
	} else if (alias) {
		say(c, "'%s' is an alias: %s", name, alias->text);
	} else {
		foreign_hint(&b, name);
		if (!b.n)
			command_near(&b, name);
		err_set(&err, ERR_NOTFOUND, "no command '%.60s'%s", name,
			b.n ? b.s : "; 'help' lists them");
		complain(c, &err);
	}
	buf_release(&b);
	return true;
}

static bool help_run(struct ctx *c, struct err *err)
{
	const struct help_opts *o = c->opts;
	struct buf b = { 0 };

	for (int i = 0; i < c->argc; i++) {
		if (i)
			say(c, " ");
		if (i + 1 < c->argc && command_find_sub(c->argv[i], c->argv[i + 1])) {
			help_page(c, command_find_sub(c->argv[i], c->argv[i + 1])->name);
			i++;
			continue;
		}
		if (strcmp(c->argv[i], "all") != 0) {
			help_page(c, c->argv[i]);
			continue;
		}
		for (size_t j = 0; commands[j]; j++) {
			if (!interrupt_check(err))
				return false;
			if (j)
				say(c, " ");
			help_page(c, commands[j]->name);
		}
	}
	if (c->argc)
		return true;
	if (o->records) {
		kinds_all(&b);
	} else {
		command_list(&b);
		own_list(&b, c->s);
		buf_str(&b,
			"\n'help CMD' shows a command's page, 'help all' every one. A symbol's name "
			"alone prints it,\na type's name alone shows it. 'alias' lists aliases, 'h' the "
			"lines typed before.");
	}
	say(c, "%s", buf_text(&b));
	buf_release(&b);
	return true;
}

static const char *const help_aliases[] = { "?", "man", NULL };
static const struct example help_examples[] = {
	{ "help", "all commands by group" },
	{ "help crash", "crash's words, and what to type here; 'help gdb' and 'help drgn' too" },
	{ "help set", "the page of one command; 'set --help' is the same" },
	{ "help -r ps", "what a program finds in the records of ps" },
};

const struct command cmd_help = {
	.name = "help",
	.aliases = help_aliases,
	.group = "session",
	.summary = "list the commands, or show the page of one",
	.operands = "[command | all | crash | gdb | drgn]...",
	.completes = COMPLETE_COMMAND,
	.help = "Without operands, lists every command by group. With names, shows their pages: what they do, "
		"examples, options, and which records they emit with --json. crash, gdb and drgn are pages for who "
		"comes from there.\n"
		"\n"
		"A line is a command and its operands. Quotes, ( ) and [ ] hold a word together. "
		"Several commands stand on one line with ';' between them. Text behind # is a comment.\n"
		"\n"
		"  cmd | cmd         values go to the next command, when it takes some\n"
		"  cmd | grep foo    else the text goes to the shell, up to the end of the line\n"
		"  cmd > file        into a file; >> adds to it\n"
		"  cmd < file        once for each line of the file, as further operands\n"
		"  < file            the lines of a file are commands\n"
		"  ! make            the shell's\n"
		"  $x = expression   keeps a value, for expressions and as an operand: 'bt $x'\n"
		"  if EXPR cmd       and 'else cmd' behind it; 'define' makes commands of your own\n",
	OPTS(help_options),
	.opts_size = sizeof(struct help_opts),
	EXAMPLES(help_examples),
	.run = help_run,
};
