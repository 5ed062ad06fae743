/* SPDX-License-Identifier: GPL-3.0-or-later */
/* define: commands of one's own; the lines of a definition are core/shell/session_run.c's. */
#include "core/obit.h"
#include "core/shell/own.h"

enum {
	OWN_NAME,
	OWN_PARAMS,
	OWN_SUMMARY,
	OWN_LINES,
	OWN_WHERE,
	OWN_FIELDS
};
static const struct record_field own_fields[OWN_FIELDS] = {
	[OWN_NAME] = { "name", "COMMAND", CELL_STR, 0, "its name" },
	[OWN_PARAMS] = { "params", NULL, CELL_STR, 0, "its parameters" },
	[OWN_SUMMARY] = { "summary", NULL, CELL_STR, FIELD_JSON, "the first line of its comment" },
	[OWN_LINES] = { "lines", NULL, CELL_STR, 0,
			"what it runs; its lines are joined by ; here" },
	[OWN_WHERE] = { "where", NULL, CELL_STR, FIELD_JSON, "file and line; null: at the prompt" },
};
static const struct record_kind own_kind = { "own",        "a command of one's own",
					     LAYOUT_TABLE, NULL,
					     own_fields,   OWN_FIELDS };
static const struct record_kind *const emits[] = { &own_kind, NULL };

struct define_opts {
	const char *remove;
};

static const char *joined(struct ctx *c, const char *const *v, size_t n, size_t skip,
			  const char *between)
{
	const char *text = n ? v[0] + skip : "";

	for (size_t i = 1; i < n; i++)
		text = arena_printf(c->arena, "%s%s%s", text, between, v[i] + skip);
	return text;
}

static bool define_run(struct ctx *c, struct err *err)
{
	const struct define_opts *o = c->opts;

	if (o->remove)
		return own_remove(c->s, o->remove) ||
		       err_set(err, ERR_NOTFOUND, "'%.60s' is no command of your own", o->remove);
	if (c->argc)
		return err_set(err, ERR_USAGE, "a definition is a line of its own");
	if (!c->s->own.n)
		emit_none(c, &own_kind, "no command was defined");
	for (size_t i = 0; i < c->s->own.n; i++) {
		const struct own_command *own = c->s->own.p[i];
		struct record r;

		record_init(&r, &own_kind);
		record_str(&r, OWN_NAME, own->name);
		record_str(&r, OWN_PARAMS, joined(c, own->params, own->n_params, 1, ", "));
		if (own->summary)
			record_str(&r, OWN_SUMMARY, own->summary);
		record_str(&r, OWN_LINES, joined(c, own->lines, own->n_lines, 0, "; "));
		if (own->where)
			record_str(&r, OWN_WHERE, own->where);
		emit(c, &r);
	}
	return true;
}

static const struct option opts[] = {
	OPT_STR("r", "name", struct define_opts, remove, "forget the command of this name"),
};
static const struct example examples[] = {
	{ "define children(of) ps | where parent->pid == $of",
	  "from now on 'children 1' lists init's children, and 'children 2 | bt' shows where those of kthreadd wait" },
	{ "define", "the commands that were defined" },
};
const struct command cmd_define = {
	.name = "define",
	.group = "session",
	.summary = "make a command of your own, or list them",
	.operands = "[name[(parameter, ...)] [line]]",
	OPTS(opts),
	.opts_size = sizeof(struct define_opts),
	.emits = emits,
	.help = "With a name and a line, the name is a command that runs the line: to the end of the line, | and ; "
		"included. With a name alone, the lines up to 'end' are the command's, as in gdb; where one is "
		"wrong, or the head, none of them is run. The comment above a "
		"definition in a file, or within one, says in its first line what 'help' lists. A command that is one "
		"pipeline takes and yields what its stages do: 'ps | mine 3 | bt'.\n\n"
		"In the lines $name stands for an operand. In an expression it is the value of the operand as an "
		"expression of its own, so 1 || 1 stays together, and variables are worth in it what "
		"they were at the call; as a word of a command it is one word, and never an "
		"option; an operand in quotes is text. The lines are parsed before an operand has its place, so that "
		"none can add a | or a ! to them; shell text gets operands as the shell's variables, as in grep \"$name\". "
		"Commands run each other at most 16 deep, and none may have the name of one of obit's.\n\n"
		"The files *.obit in $XDG_CONFIG_HOME/obit/commands (~/.config/obit/commands) are read before the first "
		"prompt, and hold definitions alone; like ~/.obitrc they must be yours or root's, and writable by nobody else. "
		"--rc FOLDER reads another folder's, and is the only way to read one without a prompt. A program "
		"that is served (--serve) defines none.",
	EXAMPLES(examples),
	.run = define_run,
};
