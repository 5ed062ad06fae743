/* SPDX-License-Identifier: GPL-3.0-or-later */
/* each: any command, run for each value of a pipeline. */
#include <string.h>

#include "core/obit.h"
#include "core/types/value.h"
#include "core/shell/stage.h"
#include "core/shell/variable.h"
#include "core/types/expr.h"

static bool each_types(struct ctx *c, struct err *err)
{
	if (!c->argc)
		return err_set(err, ERR_USAGE, "a command is wanted");
	return true;
}

/* Text of the dump is one word of the command, and no option, whatever is in it; quote is the one
 * that the command is in at this place. */
static void add_text(struct buf *b, const char *text, char quote)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_./:@-";

	if (*text && *text != '-' && !text[strspn(text, plain)]) {
		buf_str(b, text);
		return;
	}
	if (quote == '\'')
		buf_char(b, quote);
	if (quote != '"')
		buf_char(b, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			buf_char(b, '\\');
		buf_char(b, *text);
	}
	if (quote != '"')
		buf_char(b, '"');
	if (quote == '\'')
		buf_char(b, quote);
}

/* A line with values of the dump in it. */
struct filled {
	struct buf line;
	bool has_text; /* one of them is text, in which anything may be */
};

/* Is what comes next the name of a command: at the start, or behind ';', '|' or "each"? The quote
 * that it is in, if any, may begin there. */
static bool is_command_place(const struct buf *line, char quote)
{
	static const char each[] = "each";
	size_t n = line->n, end;

	if (quote && line->s[--n] != quote)
		return false;
	end = n;
	while (n && strchr(" \t", line->s[n - 1]))
		n--;
	return !n || strchr(";|", line->s[n - 1]) ||
	       (n < end && n >= strlen(each) &&
		!memcmp(line->s + n - strlen(each), each, strlen(each)));
}

static bool add_value(struct ctx *c, struct value v, char quote, struct filled *f, struct err *err)
{
	const char *text;
	bool is_text;

	if (!variable_word(c->t, c->arena, v, &text, &is_text, err))
		return false;
	if (is_text && is_command_place(&f->line, quote))
		return err_set(err, ERR_USAGE, "text of the dump, as '%.40s', is no command", text);
	if (is_text)
		add_text(&f->line, text, quote);
	else
		buf_str(&f->line, text);
	f->has_text |= is_text;
	return true;
}

/* Does the text ask for the value by a variable, be it what a parameter stands for? */
static bool has_variable(struct ctx *c, const char *s, bool params)
{
	for (; (s = strchr(s, '$')); s += variable_name_len(s)) {
		const char *name = arena_strndup(c->arena, s, variable_name_len(s));
		const struct expr_param *param = params ? expr_param_find(c->t, name) : NULL;

		if (!strcmp(name, "$_") || !strcmp(name, "$it"))
			return true;
		if (param && !param->value && !param->quoted && has_variable(c, param->text, false))
			return true;
	}
	return false;
}

/* The command with each "{}" replaced by the value, and "{field}" by that of an expression over it;
 * without any, and without a variable that is the value, the value is added. */
static bool fill(struct ctx *c, struct value v, struct filled *f, struct err *err)
{
	/* in quotes it is a line, which may have several commands */
	const char *line = c->argc == 1 ? c->argv[0] : c->rest;
	unsigned depth = 0; /* of brackets, within which a backslash protects in each quote */
	bool any = false;
	char quote = 0;

	for (const char *s = line; *s;) {
		const char *end = *s == '{' ? strchr(s, '}') : NULL;
		struct stage_expr x;
		struct value part;
		bool ok;

		if (!end) {
			if (*s == '\\' && (quote != '\'' || depth) && s[1])
				buf_char(&f->line, *s++);
			else if (*s == quote)
				quote = 0;
			else if (!quote && (*s == '"' || *s == '\''))
				quote = *s;
			else if (!quote && (*s == '(' || *s == '['))
				depth++;
			else if (!quote && depth && (*s == ')' || *s == ']'))
				depth--;
			buf_char(&f->line, *s++);
			continue;
		}
		any = true;
		stage_expr_init(&x, c,
				end == s + 1
					? "it"
					: arena_strndup(c->arena, s + 1, (size_t)(end - s - 1)));
		ok = stage_expr_eval(&x, v, &part, err) && add_value(c, part, quote, f, err);
		stage_expr_release(&x);
		if (!ok)
			return false;
		s = end + 1;
	}
	if (any || has_variable(c, line, true))
		return true;
	buf_char(&f->line, ' ');
	return add_value(c, v, 0, f, err);
}

static bool each(struct ctx *c, struct value v, struct err *err)
{
	struct filled f = { .line.max = 65536 };
	bool had_text = c->s->has_dump_text;
	const struct value *outer;
	bool ok;

	/* another each filled in the line that this one is in: its only word, which is a line, may
	 * be the dump's */
	if (c->argc == 1 && c->has_dump_text)
		return err_set(err, ERR_USAGE,
			       "what it would run has text of the dump in it; "
			       "the command without quotes takes that as words");
	ok = fill(c, v, &f, err);
	outer = expr_it_swap(c->t, &v);
	c->s->has_dump_text |= f.has_text;
	if (ok && !stage_run(c, arena_strdup(c->arena, buf_text(&f.line))))
		ok = err_set(err, ERR_INTR, "interrupted");
	c->s->has_dump_text = had_text;
	expr_it_swap(c->t, outer);
	buf_release(&f.line);
	return ok;
}

static const struct example examples[] = {
	{ "ps | first 2 | each bt {pid}", "a backtrace of two tasks, by pid" },
	{ "ps | first 2 | each rd -64 {} 2", "two words of each task_struct" },
	{ "ps | first 2 | each 'p $_->comm; set $_'",
	  "several commands, with the value as a variable" },
};
const struct command cmd_each = {
	.name = "each",
	.group = "pipelines",
	.summary = "any command, for each value",
	.needs = NEED_TYPES,
	.in = "any",
	.operands = "command",
	.types = each_types,
	.completes = COMPLETE_COMMAND,
	.help = "Runs the command for each value. {} in it stands for the value: a number, text, or "
		"the address of anything else; {expression} stands for an expression over it, as "
		"where takes it. In expressions, and as operands, $_ and $it are the value itself: 'p $_->comm'. Without any "
		"of these, the value is the command's last operand. Text is one "
		"word, and never an option, whatever the dump has in it; nor is it a command: an each in another one's line, with text in that, takes no "
		"line in quotes. A command in quotes may be several, with ; between them.",
	EXAMPLES(examples),
	.each = each,
};
