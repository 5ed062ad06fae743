/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info: gdb's word for many questions; other commands answer them. */
#include <string.h>

#include "core/obit.h"
#include "core/shell/stage.h"

/* What gdb's users ask, and the line that answers it. What they add goes behind that. Of those that
 * begin alike the one comes first that gdb has for the letter: f is frame, and s is stack. */
static const struct {
	const char *topic, *line;
	bool operands; /* it needs them */
} topics[] = {
	{ "all-registers", "regs", false },
	{ "args", "frame", false },
	{ "frame", "frame", false },
	{ "files", "sys", false },
	{ "line", "line", true },
	{ "locals", "frame", false },
	{ "proc", "ps", false },
	{ "registers", "regs", false },
	{ "stack", "bt", false },
	{ "scope", "frame", false },
	{ "sharedlibrary", "mod", false },
	{ "source", "line -s", true },
	{ "symbol", "sym", true },
	{ "target", "sys", false },
	{ "threads", "ps", false },
	{ "types", "whatis", true },
	{ "variables", "sym -q", true },
	{ "functions", "sym -q", true },
};

static void topics_add(struct buf *b)
{
	for (size_t i = 0; i < ARRAY_SIZE(topics); i++)
		buf_printf(b, "%s%s", i ? ", " : "", topics[i].topic);
}

/* As in gdb, the beginning of a topic will do: "info reg". *ret is its place; false: none begins
 * so.
 */
static bool topic_find(const char *word, size_t *ret)
{
	size_t n = strlen(word);

	for (*ret = 0; n && *ret < ARRAY_SIZE(topics); ++*ret)
		if (!strncmp(topics[*ret].topic, word, n))
			return true;
	return false;
}

static bool info_run(struct ctx *c, struct err *err)
{
	struct buf b = { 0 };
	const char *rest;
	size_t i;

	if (!c->argc || !topic_find(c->argv[0], &i)) {
		topics_add(&b);
		err_set(err, ERR_USAGE, "info knows these: %s", buf_text(&b));
		buf_release(&b);
		return false;
	}
	rest = c->rest + strcspn(c->rest, " \t");
	if (topics[i].operands && c->argc < 2)
		return err_set(err, ERR_USAGE, "info %s what?", topics[i].topic);
	return stage_run(c, arena_printf(c->arena, "%s%s", topics[i].line, rest)) ||
	       err_set(err, ERR_INTR, "interrupted");
}

static const struct example examples[] = {
	{ "info symbol schedule+8", "as 'sym schedule+8'" },
	{ "info registers", "as 'regs'" },
	{ "info threads | head -3", "as 'ps'" },
};
const struct command cmd_info = {
	.name = "info",
	.group = "session",
	.summary = "gdb's questions; other commands answer them",
	.as_typed = true,
	.operands = "topic [operand]...",
	.help = "Runs the command that answers a question of gdb's, and prints what that does; a topic's first letters will "
		"do. symbol is sym, line is line, source 'line -s', functions and variables 'sym -q', types whatis; "
		"registers is regs, stack is bt; frame, locals, args and scope are frame; threads and proc are ps, "
		"sharedlibrary is mod, target and files are sys. Each has a page: 'help sym'.",
	EXAMPLES(examples),
	.run = info_run,
};
