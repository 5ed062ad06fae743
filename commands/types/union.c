/* SPDX-License-Identifier: GPL-3.0-or-later */
/* union: a union's definition, or its instances in memory. */
#include "core/obit.h"
#include "core/records/print_type.h"

static const struct option opts[] = { STRUCT_OPTIONS };

static bool union_run(struct ctx *c, struct err *err)
{
	return struct_run(c, TYPE_UNION, err);
}

static const struct example examples[] = {
	{ "union sigval", "the definition, with offsets and size" },
};

const struct command cmd_union = {
	.name = "union",
	.group = "types",
	.summary = "a union's definition, or its instances in memory",
	.needs = NEED_TYPES,
	.operands = "type[.member[,member]...] [address | symbol[:cpus]] [count]",
	OPTS(opts),
	.opts_size = sizeof(struct struct_opts),
	.emits = (const struct record_kind *const[]){ &type_record, &member_record, &value_record,
						      NULL },
	.completes = COMPLETE_TYPE | COMPLETE_SYMBOL,
	.help = "The same as 'struct', for a union.",
	EXAMPLES(examples),
	.run = union_run,
};
