/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dt overlays: the overlays of the device tree that are applied. */
#include "core/obit.h"
#include "commands/dt/tree_record.h"

static bool overlays_run(struct ctx *c, struct err *err)
{
	return emit_overlays(c, err);
}

static const struct record_kind *const emits[] = { &overlay_kind, &overlay_edit_kind,
						   &overlays_kind, NULL };
static const struct example examples[] = {
	{ "dt overlays", "which overlays are applied, and what each changed" },
};
const struct command cmd_dt_overlays = {
	.name = "dt overlays",
	.group = "system",
	.summary = "overlays that are applied to the device tree",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.operands = "",
	.emits = emits,
	.none = "no overlay is applied",
	.help = "Lists the overlays that are applied to the device tree, in their order, and every node and property "
		"that each added or changed; \"no longer so\" is said of what something else has changed since.",
	EXAMPLES(examples),
	.run = overlays_run,
};
