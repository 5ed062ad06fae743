/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alias: names for command lines. */
#include <string.h>

#include "core/obit.h"

enum {
	ALIAS_NAME,
	ALIAS_TEXT,
	ALIAS_BUILTIN,
	ALIAS_FIELDS
};
static const struct record_field alias_fields[ALIAS_FIELDS] = {
	[ALIAS_NAME] = { "name", "ALIAS", CELL_STR, 0, "the word that is replaced" },
	[ALIAS_TEXT] = { "text", "COMMAND", CELL_STR, 0, "the start of a line that it stands for" },
	[ALIAS_BUILTIN] = { "builtin", NULL, CELL_BOOL, FIELD_JSON, "was there from the start" },
};
static const struct record_kind alias_kind = { "alias",      "a name for a command line",
					       LAYOUT_TABLE, NULL,
					       alias_fields, ALIAS_FIELDS };
static const struct record_kind *const alias_emits[] = { &alias_kind, NULL };

struct alias_opts {
	const char *remove;
};

static void alias_show(struct ctx *c, const struct alias *a)
{
	struct record r;

	record_init(&r, &alias_kind);
	record_str(&r, ALIAS_NAME, a->name);
	record_str(&r, ALIAS_TEXT, a->text);
	record_bool(&r, ALIAS_BUILTIN, a->builtin);
	emit(c, &r);
}

/* "ps -k" in quotes is the text itself; "ps -k" as two words are joined. */
static const char *alias_text(struct ctx *c)
{
	const char *text = c->argv[1];

	for (int i = 2; i < c->argc; i++)
		text = arena_printf(c->arena, "%s %s", text, c->argv[i]);
	return text;
}

static bool alias_run(struct ctx *c, struct err *err)
{
	const struct alias_opts *o = c->opts;
	const struct alias *found;

	if (o->remove)
		return session_alias(c->s, o->remove, NULL) ||
		       err_set(err, ERR_NOTFOUND, "no alias '%.60s'", o->remove);
	if (!c->argc) {
		for (size_t i = 0; i < c->s->aliases.n; i++)
			alias_show(c, &c->s->aliases.p[i]);
		return true;
	}
	found = session_alias_find(c->s, c->argv[0], strlen(c->argv[0]));
	if (c->argc == 1) {
		if (!found)
			return err_set(err, ERR_NOTFOUND, "no alias '%.60s'", c->argv[0]);
		alias_show(c, found);
		return true;
	}
	if (!c->argv[1][0]) /* crash: an empty text takes the alias away */
		return session_alias(c->s, c->argv[0], NULL) ||
		       err_set(err, ERR_NOTFOUND, "no alias '%.60s'", c->argv[0]);
	if (!strcmp(c->argv[0], "alias") || strpbrk(c->argv[0], " \t|;<>()[]'\"\\#!"))
		return err_set(err, ERR_USAGE, "'%.60s' cannot be an alias", c->argv[0]);
	session_alias(c->s, c->argv[0], alias_text(c));
	return true;
}

static const struct option alias_options[] = {
	{ "r", "name", OPTION_STR, offsetof(struct alias_opts, remove), "remove an alias" },
};
static const struct example alias_examples[] = {
	{ "alias kt 'ps -k'", "from now on 'kt' lists kernel threads; 'kt -m' is 'ps -k -m'" },
	{ "alias", "all aliases" },
};

const struct command cmd_alias = {
	.name = "alias",
	.group = "session",
	.summary = "name a command line, or list such names",
	.operands = "[name [text]]",
	OPTS(alias_options),
	.opts_size = sizeof(struct alias_opts),
	.emits = alias_emits,
	.completes = COMPLETE_COMMAND,
	.help = "With a name and a text, the name stands for the text at the start of a line from now "
		"on. What follows the name follows the text. A text that holds options, pipes or "
		"several commands needs quotes. With a name alone, or nothing, shows aliases; an empty "
		"text ('') removes one.\n"
		"\n"
		"An alias may hide a command and use it: alias log 'log -T'. A backslash before the "
		"first word of a line means the command itself.",
	EXAMPLES(alias_examples),
	.run = alias_run,
};
