/* SPDX-License-Identifier: GPL-3.0-or-later */
/* each: any command, run for each value of a pipeline. */
#include <inttypes.h>
#include <string.h>

#include "core/obit.h"
#include "core/types/value.h"
#include "core/shell/stage.h"
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

/* What stands for a value in a command: a number, text, or its address. */
static bool word_of(struct ctx *c, struct value v, char quote, struct buf *b, struct err *err)
{
	struct stage_key key;

	if (!expr_is_number(v.type) && !expr_is_text(v.type)) {
		if (!v.addr)
			return err_set(err, ERR_USAGE, "a value has no address");
		buf_printf(b, "0x%" PRIx64, v.addr);
		return true;
	}
	if (!stage_key(c, v, &key, err))
		return false;
	if (key.text)
		add_text(b, key.text, quote);
	else if (key.is_signed)
		buf_printf(b, "%" PRId64, (int64_t)key.n);
	else
		buf_printf(b, "0x%" PRIx64, key.n);
	return true;
}

/* The command with each "{}" replaced by the value, and "{field}" by that of an expression over it;
 * without any, the value is added. */
static bool fill(struct ctx *c, struct value v, struct buf *b, struct err *err)
{
	bool any = false;
	char quote = 0;

	for (const char *s = c->rest; *s;) {
		const char *end = *s == '{' ? strchr(s, '}') : NULL;
		struct stage_expr x;
		struct value part;
		bool ok;

		if (!end) {
			if (*s == '\\' && quote != '\'' && s[1])
				buf_char(b, *s++);
			else if (*s == quote)
				quote = 0;
			else if (!quote && (*s == '"' || *s == '\''))
				quote = *s;
			buf_char(b, *s++);
			continue;
		}
		any = true;
		stage_expr_init(&x, c,
				end == s + 1
					? "it"
					: arena_strndup(c->arena, s + 1, (size_t)(end - s - 1)));
		ok = stage_expr_eval(&x, v, &part, err) && word_of(c, part, quote, b, err);
		stage_expr_release(&x);
		if (!ok)
			return false;
		s = end + 1;
	}
	if (any)
		return true;
	buf_char(b, ' ');
	return word_of(c, v, 0, b, err);
}

static bool each(struct ctx *c, struct value v, struct err *err)
{
	struct buf b = { .max = 65536 };
	bool ok = fill(c, v, &b, err);

	if (ok && !stage_run(c, arena_strdup(c->arena, buf_text(&b))))
		ok = err_set(err, ERR_INTR, "interrupted");
	buf_release(&b);
	return ok;
}

static const struct example examples[] = {
	{ "ps | first 2 | each bt {pid}", "a backtrace of two tasks, by pid" },
	{ "ps | first 2 | each rd -64 {} 2", "two words of each task_struct" },
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
		"where takes it. Without either, the value is the command's last operand. Text is one "
		"word, and never an option, whatever the dump has in it.",
	EXAMPLES(examples),
	.each = each,
};
