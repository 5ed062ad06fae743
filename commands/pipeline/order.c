/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order: the values of a pipeline, sorted. */
#include <string.h>

#include "core/obit.h"
#include "core/types/value.h"
#include "core/shell/stage.h"
#include "core/types/expr.h"

struct sorted {
	struct stage_key key;
	struct value v;
	size_t n; /* as they came */
};
struct order {
	struct stage_expr x;
	bool desc;
	VEC(struct sorted) all;
};

static bool order_types(struct ctx *c, struct err *err)
{
	struct order *o = ARENA_NEW(c->arena, struct order);
	size_t n = c->rest ? strlen(c->rest) : 0;
	const struct type *type;
	const char *last = c->argc > 1 ? c->argv[c->argc - 1] : "";

	c->out_type = c->in_type;
	c->out_name = c->in_name;
	c->state = o;
	if (!c->argc)
		return err_set(err, ERR_USAGE, "a field is wanted, as in 'pid'");
	o->desc = !strcmp(last, "desc");
	if (o->desc || !strcmp(last, "asc"))
		n -= strlen(last);
	stage_expr_init(&o->x, c, arena_strndup(c->arena, c->rest, n));
	if (!stage_expr_type(&o->x, &type, err))
		return false;
	if (type && !expr_is_number(type) && !expr_is_text(type))
		return err_set(err, ERR_USAGE, "'%.100s' is neither a number nor text", o->x.text);
	return true;
}

static bool order_each(struct ctx *c, struct value v, struct err *err)
{
	struct order *o = c->state;
	struct sorted s = { .v = v, .n = o->all.n };
	struct value key;

	if (o->all.n >= STAGE_VALUES_MAX)
		return err_set(err, ERR_LIMIT, "more than %u values", STAGE_VALUES_MAX);
	/* where a path meets NULL there is no key: those come first */
	if ((!stage_expr_eval(&o->x, v, &key, err) || !stage_key(c, key, &s.key, err)) &&
	    !stage_is_null(err))
		return false;
	*vec_push(&o->all) = s;
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	int c = stage_key_compare(&x->key, &y->key);

	return c ? c : (x->n > y->n) - (x->n < y->n);
}

static int compare_desc(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	int c = stage_key_compare(&y->key, &x->key);

	return c ? c : (x->n > y->n) - (x->n < y->n);
}

static bool order_finish(struct ctx *c, struct err *err)
{
	struct order *o = c->state;
	bool ok = true;

	if (o->all.n)
		qsort(o->all.p, o->all.n, sizeof(*o->all.p), o->desc ? compare_desc : compare);
	for (size_t i = 0; ok && i < o->all.n; i++)
		ok = stage_show(c, o->all.p[i].v, err);
	vec_release(&o->all);
	stage_expr_release(&o->x);
	return ok;
}

static const struct example examples[] = {
	{ "ps | order pid desc | first 5", "the five highest pids" },
	{ "ps | order comm | pick comm, pid", "tasks by name" },
};
const struct command cmd_order = {
	.name = "order",
	.group = "pipelines",
	.summary = "the values, sorted",
	.needs = NEED_TYPES,
	.in = "any",
	.out = "any",
	.as_typed = true,
	.operands = "expression [asc | desc]",
	.types = order_types,
	.emits = (const struct record_kind *const[]){ &item_record, NULL },
	.none = "no value",
	.completes = COMPLETE_SYMBOL,
	.help = "Sorts by a member or any expression, as where takes it: numbers by value, text by "
		"its bytes. Equal ones stay in the order they came in.",
	EXAMPLES(examples),
	.each = order_each,
	.finish = order_finish,
};
