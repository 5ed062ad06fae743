/* SPDX-License-Identifier: GPL-3.0-or-later */
/* struct: a struct's definition, or its instances in memory. */
#include "core/obit.h"
#include "core/records/print_type.h"

static const struct option opts[] = { STRUCT_OPTIONS };

static bool run(struct ctx *c, struct err *err)
{
	return struct_run(c, TYPE_VOID, err);
}

static const struct example examples[] = {
	{ "struct list_head", "the definition, with offsets and size" },
	{ "struct task_struct.pid,comm init_task", "two members of the first task" },
	{ "struct rq.nr_running,cpu runqueues:a", "two members of each CPU's run queue" },
	{ "struct -p list_head init_task.tasks", "and what its pointers point to" },
	{ "struct list_head init_task.tasks", "at the address of an expression" },
	{ "ps init | struct task_struct.pid,comm", "two members of each task" },
};

const struct command cmd_struct = {
	.name = "struct",
	.group = "types",
	.summary = "a struct's definition, or its instances in memory",
	.needs = NEED_TYPES,
	.in = "any",
	.operands = "type[.member[,member]...] [address | symbol[:cpus]] [count]",
	OPTS(opts),
	.opts_size = sizeof(struct struct_opts),
	.emits = (const struct record_kind *const[]){ &type_record, &member_record, &value_record,
						      NULL },
	.completes = COMPLETE_TYPE | COMPLETE_SYMBOL,
	.help = "Without an address, the definition is shown: the offset of each member in front "
		"of it, and the size of the whole. A bit-field's offset is followed by its first "
		"bit.\n\n"
		"With an address, the struct there is shown. Members may be paths: mm.pgd follows "
		"the pointer, cpus_mask.bits[0] takes an element. What the dump lacks is named in "
		"its place. The address may be an expression, as p takes it: init_task.tasks, "
		"$panic->mm.\n\n"
		"-p shows behind each member that is a pointer what it points to: what lies at the pointer, or of "
		"per-CPU memory what each CPU has. -u takes an address of the current task's program, -f an "
		"offset in the dump's file.\n\n"
		"A bare type name does the same: \"list_head\" is \"struct list_head\".",
	EXAMPLES(examples),
	.run = run,
	.each = struct_each,
};
