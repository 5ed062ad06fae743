/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a pipeline will hand to the stage that is being typed, as far as its words tell before
 * anything runs. */
#include <string.h>

#include "core/shell/prompt/complete.h"

/* The next blank-separated word from *s on; NULL: there is none. */
static const char *next_word(struct arena *a, const char **s)
{
	size_t n;

	*s += strspn(*s, " \t");
	n = strcspn(*s, " \t");
	if (!n)
		return NULL;
	*s += n;
	return arena_strndup(a, *s - n, n);
}

/* "walk list module.list modules", "list -o module.list -H modules": the first operand that names a
 * struct, with its member or without. */
static const struct type *named_type(struct session *s, struct arena *a, const char *operands)
{
	const struct type *type;
	const char *word;
	struct err ignored;

	while ((word = next_word(a, &operands)))
		if (type_find(s->t, arena_printf(a, "struct %.*s", (int)strcspn(word, "."), word),
			      &type, &ignored))
			return type;
	return NULL;
}

/* What one stage makes of what it takes; NULL: nobody can tell. */
static const struct type *stage_out(struct session *s, struct arena *a, const char *stage,
				    const struct type *in)
{
	static const char *const passing[] = { "where", "order", "first", "last" };
	const char *word = next_word(a, &stage);
	const struct alias *alias = word ? session_alias_find(s, word, strlen(word)) : NULL;
	const struct type *type;
	const struct command *cmd;
	struct err ignored;

	if (alias)
		word = arena_strndup(a, alias->text, strcspn(alias->text, " \t"));
	cmd = word ? command_find(word) : NULL;
	if (!cmd || !cmd->out)
		return NULL;
	if (strcmp(cmd->out, "any") != 0)
		return type_find(s->t, cmd->out, &type, &ignored) ? type : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(passing); i++)
		if (!strcmp(cmd->name, passing[i]))
			return in;
	return cmd->in ? NULL : named_type(s, a, stage);
}

const struct type *complete_incoming(struct session *s, struct arena *a, const char *line,
				     size_t from)
{
	const struct type *type = NULL;
	size_t begin = 0;
	char quote = 0;

	for (size_t i = 0; i < from; i++) {
		if (quote) {
			quote = line[i] == quote ? 0 : quote;
			continue;
		}
		quote = line[i] == '\'' || line[i] == '"' ? line[i] : 0;
		if (line[i] == '|')
			type = stage_out(s, a, arena_strndup(a, line + begin, i - begin), type);
		if (line[i] == '|' || line[i] == ';')
			begin = i + 1;
	}
	return type;
}
