/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print: each value of a pipeline as C has it. */
#include "core/obit.h"
#include "core/types/value.h"
#include "core/records/print_type.h"
#include "core/shell/stage.h"

struct print_opts {
	struct style_opts style;
};
static const struct option opts[] = {
	STYLE_OPTIONS(struct print_opts, style),
};

static bool print_types(struct ctx *c, struct err *err)
{
	struct stage_expr *x = ARENA_NEW(c->arena, struct stage_expr);
	const struct type *type;

	stage_expr_init(x, c, c->argc ? c->rest : "it");
	c->state = x;
	return stage_expr_type(x, &type, err);
}

static bool print_each(struct ctx *c, struct value v, struct err *err)
{
	const struct print_opts *o = c->opts;
	struct shown s = { .expr = c->argc ? c->rest : "it" };
	struct value_style old;

	if (!stage_expr_eval(c->state, v, &s.value, err))
		return false;
	s.label = c->argc ? c->rest : NULL;
	old = style_set(c, &o->style);
	emit_value(c, &s);
	style_restore(c, old);
	return true;
}

static bool print_finish(struct ctx *c, struct err *err)
{
	(void)err;
	stage_expr_release(c->state);
	return true;
}

static const struct example examples[] = {
	{ "ps | first | print", "the first task's whole task_struct" },
	{ "mod | print -x list", "where each module's list leads" },
};
const struct command cmd_print = {
	.name = "print",
	.group = "pipelines",
	.summary = "each value as C has it",
	.needs = NEED_TYPES,
	.in = "any",
	.as_typed = true,
	.operands = "[expression]",
	.types = print_types,
	OPTS(opts),
	.opts_size = sizeof(struct print_opts),
	.emits = (const struct record_kind *const[]){ &value_record, NULL },
	.none = "no value",
	.completes = COMPLETE_SYMBOL,
	.help = "Prints what comes in full, or an expression over it, as where takes it.",
	EXAMPLES(examples),
	.each = print_each,
	.finish = print_finish,
};
