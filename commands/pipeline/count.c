/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count: how many values a pipeline has. */
#include "core/obit.h"
#include "core/types/value.h"

static const struct record_field fields[] = {
	{ "count", NULL, CELL_UINT, 0, "how many there were" },
};
static const struct record_kind count_kind = { "count",     "how many values came",
					       LAYOUT_LINE, "{count}",
					       fields,      1 };

static bool count_each(struct ctx *c, struct value v, struct err *err)
{
	uint64_t **n = (uint64_t **)&c->state;

	(void)v;
	(void)err;
	if (!*n)
		*n = ARENA_NEW(c->arena, uint64_t);
	++**n;
	return true;
}

static bool count_finish(struct ctx *c, struct err *err)
{
	const uint64_t *n = c->state;
	struct record r;

	(void)err;
	record_init(&r, &count_kind);
	record_uint(&r, 0, n ? *n : 0);
	emit(c, &r);
	return true;
}

static const struct example examples[] = {
	{ "ps | count", "how many tasks there were" },
	{ "ps | where state == R | count", "how many of them could run" },
};
const struct command cmd_count = {
	.name = "count",
	.group = "pipelines",
	.summary = "how many values there are",
	.in = "any",
	.emits = (const struct record_kind *const[]){ &count_kind, NULL },
	.help = "Counts what comes.",
	EXAMPLES(examples),
	.each = count_each,
	.finish = count_finish,
};
