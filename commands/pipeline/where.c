/* SPDX-License-Identifier: GPL-3.0-or-later */
/* where: the values of a pipeline for which an expression is true. */
#include "core/obit.h"
#include "core/types/value.h"
#include "core/shell/stage.h"
#include "core/types/expr.h"

static bool where_types(struct ctx *c, struct err *err)
{
	struct stage_expr *x = ARENA_NEW(c->arena, struct stage_expr);
	const struct type *type;

	c->out_type = c->in_type;
	c->out_name = c->in_name;
	c->state = x;
	if (!c->argc)
		return err_set(err, ERR_USAGE, "a condition is wanted, as in 'pid > 100'");
	stage_expr_init(x, c, c->rest);
	if (!stage_expr_type(x, &type, err))
		return false;
	if (type && !expr_is_number(type) && type_strip(type)->kind != TYPE_ARRAY)
		return err_set(err, ERR_USAGE, "'%.100s' is neither true nor false", c->rest);
	return true;
}

static bool where_each(struct ctx *c, struct value v, struct err *err)
{
	bool is_true;

	if (!stage_expr_true(c->state, v, &is_true, err))
		return stage_is_null(err);
	return !is_true || stage_show(c, v, err);
}

static bool where_finish(struct ctx *c, struct err *err)
{
	(void)err;
	stage_expr_release(c->state);
	return true;
}

static const struct example examples[] = {
	{ "ps | where state == S && comm ~ \"^k\"",
	  "kernel threads asleep, by their names' start" },
	{ "ps | where mm.map_count > 5 | pick pid, comm", "user tasks with more than five areas" },
	{ "mod | where refcnt.counter > 1 || state != MODULE_STATE_LIVE",
	  "modules in use, or on their way" },
};
const struct command cmd_where = {
	.name = "where",
	.group = "pipelines",
	.summary = "the values for which an expression is true",
	.needs = NEED_TYPES,
	.in = "any",
	.out = "any",
	.operands = "condition",
	.types = where_types,
	.expression = true,
	.emits = (const struct record_kind *const[]){ &item_record, NULL },
	.none = "no value",
	.completes = COMPLETE_SYMBOL,
	.help = "The condition is an expression as p takes it. Its names are the members of what "
		"comes, then symbols and enumeration constants; `it` is the value itself. Members "
		"may be paths: mm.map_count. A path that meets NULL makes the condition false.\n\n"
		"Text is compared with == and != in double quotes, and searched for an extended "
		"regular expression with ~ and !~. A task's `state` is one of the kernel's letters "
		"R S D T t X Z P I, or crash's RU IN UN ST TR DE ZO PA ID.\n\n"
		"Here <, > and || are operators; to write to a file, go on with `| print > file`.",
	EXAMPLES(examples),
	.each = where_each,
	.finish = where_finish,
};
