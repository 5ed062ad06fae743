/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dt diff: what became of the device tree since boot. */
#include "core/obit.h"
#include "commands/dt/tree_record.h"

static bool diff_run(struct ctx *c, struct err *err)
{
	return emit_tree_diff(c, err);
}

static const struct record_kind *const emits[] = { &tree_change_kind, &tree_diff_kind, NULL };
static const struct example examples[] = {
	{ "dt diff", "what the kernel and its overlays changed since boot" },
};
const struct command cmd_dt_diff = {
	.name = "dt diff",
	.group = "system",
	.summary = "what changed in the device tree since boot",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.operands = "",
	.emits = emits,
	.none = "nothing differs",
	.help = "Compares the live device tree with the blob that the kernel booted with: '+' was added since, '-' "
		"is gone, '~' has changed, each with the overlay that did it, if one did. The last line says how many.",
	EXAMPLES(examples),
	.run = diff_run,
};
