/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ptob: page frame numbers to bytes.
 */
#include "commands/numbers/frame_number_record.h"
#include "core/obit.h"

static bool ptob_run(struct ctx *c, struct err *err)
{
	return emit_frame_numbers(c, false, err);
}

static const struct example examples[] = {
	{ "ptob 0x512a", "where a page frame begins" },
};
const struct command cmd_ptob = {
	.name = "ptob",
	.group = "numbers",
	.summary = "page frame numbers to bytes",
	.needs = NEED_DUMP,
	.operands = "number...",
	.emits = (const struct record_kind *const[]){ &frame_number_record, NULL },
	.help = "Numbers are decimal, or hexadecimal where they have 0x or a letter of a to f, as in crash. A page is as "
		"large as the dead kernel's.",
	EXAMPLES(examples),
	.run = ptob_run,
};
