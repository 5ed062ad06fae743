/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dt check: what does not hold in the device tree. */
#include "core/obit.h"
#include "core/linux/of/of.h"
#include "core/records/node_record.h"
#include "commands/dt/tree_record.h"

struct check_opts {
	bool boot;
};
static const struct option opts[] = {
	{ "b", NULL, OPTION_FLAG, offsetof(struct check_opts, boot),
	  "the tree that the kernel booted with, in place of the live one" },
};

static bool check_run(struct ctx *c, struct err *err)
{
	const struct check_opts *o = c->opts;
	struct of_tree boot, *tree = &boot;
	bool ok;

	if (o->boot ? !of_boot(c->t, &boot, err) : !of_live(c->t, &tree, err))
		return false;
	ok = emit_tree_check(c, tree, err);
	note_tree(c, tree);
	if (o->boot)
		of_tree_release(tree);
	return ok;
}

static const struct record_kind *const emits[] = { &tree_problem_kind, &tree_check_kind, NULL };
static const struct example examples[] = {
	{ "dt check", "do all references between nodes hold?" },
	{ "dt check -b", "did they in the tree at boot?" },
};
const struct command cmd_dt_check = {
	.name = "dt check",
	.group = "system",
	.summary = "references in the device tree that do not hold",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.operands = "",
	OPTS(opts),
	.opts_size = sizeof(struct check_opts),
	.emits = emits,
	.none = "each reference holds",
	.help = "Looks for phandles that two nodes claim and for references to none, paths in aliases and "
		"__symbols__ that lead nowhere, places in __local_fixups__ that hold no reference, and for "
		"damage to the kernel's cache of phandles. The last line says how many.",
	EXAMPLES(examples),
	.run = check_run,
};
