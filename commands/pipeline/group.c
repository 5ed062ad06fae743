/* SPDX-License-Identifier: GPL-3.0-or-later */
/* group: how many values of a pipeline have something in common. */
#include "core/obit.h"
#include "core/types/value.h"
#include "core/shell/stage.h"
#include "core/types/expr.h"

struct member_of {
	struct stage_key key;
	struct value v; /* of the expression */
	uint64_t n;     /* how many; while they come, 1 */
};
struct group {
	struct stage_expr x;
	struct record_kind *kind;
	VEC(struct member_of) all;
};

static bool group_types(struct ctx *c, struct err *err)
{
	static const struct type number = { .kind = TYPE_INT, .size = 8, .filled = true };
	struct group *g = ARENA_NEW(c->arena, struct group);
	const struct type *type;
	const char *labels[2];
	const struct type *kinds[2];

	c->state = g;
	if (!c->argc)
		return err_set(err, ERR_USAGE, "a field is wanted, as in 'state'");
	stage_expr_init(&g->x, c, c->rest);
	if (!stage_expr_type(&g->x, &type, err))
		return false;
	if (type && !expr_is_number(type) && !expr_is_text(type))
		return err_set(err, ERR_USAGE, "'%.100s' is neither a number nor text", g->x.text);
	labels[0] = c->rest;
	labels[1] = "count";
	kinds[0] = type;
	kinds[1] = &number;
	g->kind = stage_kind(c, "group", labels, kinds, 2);
	return true;
}

static bool group_each(struct ctx *c, struct value v, struct err *err)
{
	struct group *g = c->state;
	struct member_of m = { .n = 1 };

	if (g->all.n >= STAGE_VALUES_MAX)
		return err_set(err, ERR_LIMIT, "more than %u values", STAGE_VALUES_MAX);
	if (!stage_expr_eval(&g->x, v, &m.v, err) || !stage_key(c, m.v, &m.key, err)) {
		if (!stage_is_null(err))
			return false;
		m.v = (struct value){ .kind = VALUE_NONE, .type = v.type };
	}
	*vec_push(&g->all) = m;
	return true;
}

static int by_key(const void *a, const void *b)
{
	const struct member_of *x = a, *y = b;

	if ((x->v.kind == VALUE_NONE) != (y->v.kind == VALUE_NONE))
		return x->v.kind == VALUE_NONE ? 1 : -1;
	return stage_key_compare(&x->key, &y->key);
}

static int by_count(const void *a, const void *b)
{
	const struct member_of *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return by_key(a, b);
}

static bool group_finish(struct ctx *c, struct err *err)
{
	struct group *g = c->state;
	size_t n = 0;
	struct record r;

	(void)err;
	if (g->all.n)
		qsort(g->all.p, g->all.n, sizeof(*g->all.p), by_key);
	for (size_t i = 0; i < g->all.n; i++) {
		if (n && !by_key(&g->all.p[n - 1], &g->all.p[i]))
			g->all.p[n - 1].n++;
		else
			g->all.p[n++] = g->all.p[i];
	}
	if (n)
		qsort(g->all.p, n, sizeof(*g->all.p), by_count);
	for (size_t i = 0; i < n; i++) {
		record_init(&r, g->kind);
		stage_cell(c, &r, 0, g->all.p[i].v);
		record_uint(&r, 1, g->all.p[i].n);
		emit(c, &r);
	}
	vec_release(&g->all);
	stage_expr_release(&g->x);
	return true;
}

static const struct record_field fields[] = {
	{ "...", NULL, CELL_VALUE, 0, "what they have in common, by the name it was asked with" },
	{ "count", NULL, CELL_UINT, FIELD_RIGHT, "how many have it" },
};
static const struct record_kind group_kind = {
	"group", "one group", LAYOUT_TABLE, NULL, fields, 2
};
static const struct example examples[] = {
	{ "ps | group state", "how many tasks are in each state" },
	{ "ps | group comm", "how many tasks share a name" },
};
const struct command cmd_group = {
	.name = "group",
	.group = "pipelines",
	.summary = "how many values have something in common",
	.needs = NEED_TYPES,
	.in = "any",
	.as_typed = true,
	.operands = "expression",
	.types = group_types,
	.emits = (const struct record_kind *const[]){ &group_kind, NULL },
	.none = "no value",
	.completes = COMPLETE_SYMBOL,
	.help = "Counts the values for which a member or any expression, as where takes it, is the "
		"same; the largest group first.",
	EXAMPLES(examples),
	.each = group_each,
	.finish = group_finish,
};
