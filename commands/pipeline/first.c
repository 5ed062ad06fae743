/* SPDX-License-Identifier: GPL-3.0-or-later */
/* first: the first values of a pipeline. */
#include "core/obit.h"
#include "core/types/value.h"
#include "core/shell/stage.h"

struct first {
	uint64_t max, n;
};

static bool first_types(struct ctx *c, struct err *err)
{
	struct first *f = ARENA_NEW(c->arena, struct first);

	c->out_type = c->in_type;
	c->out_name = c->in_name;
	c->state = f;
	f->max = 1;
	if (c->argc > 1 || (c->argc && !parse_number(c->argv[0], false, &f->max)))
		return err_set(err, ERR_USAGE, "one number is wanted");
	return true;
}

static bool first_each(struct ctx *c, struct value v, struct err *err)
{
	struct first *f = c->state;

	if (f->n < f->max && !stage_show(c, v, err))
		return false;
	c->full = ++f->n >= f->max;
	return true;
}

static const struct example examples[] = {
	{ "ps | first 3", "three tasks" },
	{ "ps | first | struct task_struct.comm,pid", "two members of the first task" },
};
const struct command cmd_first = {
	.name = "first",
	.group = "pipelines",
	.summary = "the first values",
	.in = "any",
	.out = "any",
	.operands = "[number]",
	.types = first_types,
	.emits = (const struct record_kind *const[]){ &item_record, NULL },
	.none = "no value",
	.help = "Without a number, the first one alone. What yields the values stops when there are "
		"enough.",
	EXAMPLES(examples),
	.each = first_each,
};
