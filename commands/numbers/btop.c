/* SPDX-License-Identifier: GPL-3.0-or-later */
/* btop: bytes to page frame numbers.
 */
#include "commands/numbers/frame_number_record.h"
#include "core/obit.h"

static bool btop_run(struct ctx *c, struct err *err)
{
	return emit_frame_numbers(c, true, err);
}

static const struct example examples[] = {
	{ "btop 512a000", "the page frame number of a physical address" },
};
const struct command cmd_btop = {
	.name = "btop",
	.group = "numbers",
	.summary = "bytes to page frame numbers",
	.needs = NEED_DUMP,
	.operands = "address...",
	.emits = (const struct record_kind *const[]){ &frame_number_record, NULL },
	.help = "Addresses are hexadecimal. A page is as large as the dead kernel's.",
	EXAMPLES(examples),
	.run = btop_run,
};
