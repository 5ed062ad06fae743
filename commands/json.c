/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json: each value of a pipeline as one line of JSON. */
#include "core/obit.h"

enum {
	VALUE,
	TEXT
};
static const struct record_field fields[] = {
	[VALUE] = { "value", NULL, CELL_VALUE, FIELD_JSON, "the value" },
	[TEXT] = { "text", NULL, CELL_STR, FIELD_TEXT, "the same as JSON" },
};
static const struct record_kind json_kind = { "json",      "a value as JSON",
					      LAYOUT_LINE, "{text}",
					      fields,      2 };

static bool types(struct ctx *c, struct err *err)
{
	struct stage_expr *x = ARENA_NEW(c->arena, struct stage_expr);
	const struct type *type;

	stage_expr_init(x, c, c->argc ? c->rest : "it");
	c->state = x;
	return stage_expr_type(x, &type, err);
}

static bool each(struct ctx *c, struct value v, struct err *err)
{
	struct buf b = { .max = 16 << 20 };
	struct value shown;
	struct record r;

	if (!stage_expr_eval(c->state, v, &shown, err))
		return stage_is_null(err);
	record_init(&r, &json_kind);
	record_value(&r, VALUE, shown);
	value_to_json(&b, c->t, shown, &c->s->sink.style);
	record_strn(&r, TEXT, buf_text(&b), b.n);
	emit(c, &r);
	buf_release(&b);
	return true;
}

static bool finish(struct ctx *c, struct err *err)
{
	(void)err;
	stage_expr_release(c->state);
	return true;
}

static const struct example examples[] = {
	{ "mod | pick name, refcnt.counter | json", "modules as objects" },
	{ "ps | first | json thread_info", "a member of a task" },
};
const struct command cmd_json = {
	.name = "json",
	.group = "pipelines",
	.summary = "each value as a line of JSON",
	.needs = NEED_TYPES,
	.in = "any",
	.operands = "[expression]",
	.types = types,
	.emits = (const struct record_kind *const[]){ &json_kind, NULL },
	.completes = COMPLETE_SYMBOL,
	.help = "Prints each value, or an expression over it as where takes it, as JSON, whatever the "
		"rest of the session prints: numbers are numbers, addresses are \"0x...\" strings, "
		"enumerations their names, and what is absent says why.",
	EXAMPLES(examples),
	.each = each,
	.finish = finish,
};
