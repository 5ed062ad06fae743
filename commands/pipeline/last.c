/* SPDX-License-Identifier: GPL-3.0-or-later */
/* last: the last values of a pipeline. */
#include "core/obit.h"
#include "core/types/value.h"
#include "core/shell/stage.h"

struct last {
	uint64_t max, n;
	stage_values ring; /* at most max; the oldest at n % max */
};

static bool last_types(struct ctx *c, struct err *err)
{
	struct last *l = ARENA_NEW(c->arena, struct last);

	c->out_type = c->in_type;
	c->out_name = c->in_name;
	c->state = l;
	l->max = 1;
	if (c->argc > 1 || (c->argc && !parse_number(c->argv[0], false, &l->max)))
		return err_set(err, ERR_USAGE, "one number is wanted");
	if (l->max > STAGE_VALUES_MAX)
		return err_set(err, ERR_USAGE, "at most %u values are kept", STAGE_VALUES_MAX);
	return true;
}

static bool last_each(struct ctx *c, struct value v, struct err *err)
{
	struct last *l = c->state;

	(void)err;
	if (!l->max)
		return true;
	if (l->ring.n < l->max)
		*vec_push(&l->ring) = v;
	else
		l->ring.p[l->n % l->max] = v;
	l->n++;
	return true;
}

static bool last_finish(struct ctx *c, struct err *err)
{
	struct last *l = c->state;
	uint64_t from = l->n > l->max ? l->n : 0;
	bool ok = true;

	for (size_t i = 0; ok && i < l->ring.n; i++)
		ok = stage_show(c, l->ring.p[(from + i) % l->max], err);
	vec_release(&l->ring);
	return ok;
}

static const struct example examples[] = {
	{ "ps | order pid | last 3", "the three tasks with the highest pids" },
};
const struct command cmd_last = {
	.name = "last",
	.group = "pipelines",
	.summary = "the last values",
	.in = "any",
	.out = "any",
	.operands = "[number]",
	.types = last_types,
	.emits = (const struct record_kind *const[]){ &item_record, NULL },
	.none = "no value",
	.help = "Without a number, the last one alone.",
	EXAMPLES(examples),
	.each = last_each,
	.finish = last_finish,
};
