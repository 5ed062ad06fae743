/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json: each value of a pipeline as one line of JSON. */
#include "core/obit.h"
#include "core/types/value.h"
#include "core/shell/stage.h"

#define TEXT_MAX ((size_t)16 << 20) /* bytes of one value */

static void value_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	(void)cell;
	b->max = TEXT_MAX;
	value_to_json(b, k->t, r->cells[0].value, &k->style);
	buf_char(b, '\n');
}

static const struct record_field fields[] = {
	{ "value", NULL, CELL_VALUE, 0, "the value" },
};
static const struct record_kind json_kind = { "json", "a value as JSON",  LAYOUT_OWN, NULL,
					      fields, ARRAY_SIZE(fields), value_text };

static bool json_types(struct ctx *c, struct err *err)
{
	struct stage_expr *x = ARENA_NEW(c->arena, struct stage_expr);
	const struct type *type;

	stage_expr_init(x, c, c->argc ? c->rest : "it");
	c->state = x;
	return stage_expr_type(x, &type, err);
}

static bool json_each(struct ctx *c, struct value v, struct err *err)
{
	struct value shown;
	struct record r;

	if (!stage_expr_eval(c->state, v, &shown, err))
		return stage_is_null(err);
	record_init(&r, &json_kind);
	record_value(&r, 0, shown);
	emit(c, &r);
	return true;
}

static bool json_finish(struct ctx *c, struct err *err)
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
	.as_typed = true,
	.operands = "[expression]",
	.types = json_types,
	.emits = (const struct record_kind *const[]){ &json_kind, NULL },
	.completes = COMPLETE_SYMBOL,
	.help = "Prints each value, or an expression over it as where takes it, as JSON, whatever the "
		"rest of the session prints: numbers are numbers, addresses are \"0x...\" strings, "
		"enumerations their names, and what is absent says why.",
	EXAMPLES(examples),
	.each = json_each,
	.finish = json_finish,
};
