/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wr: crash's word for writing to memory, which obit never does. */
#include "core/obit.h"

static bool wr_run(struct ctx *c, struct err *err)
{
	(void)c;
	return err_set(err, ERR_UNSUPPORTED,
		       "nothing is ever written: the dump is evidence, and is opened to be read");
}

static const struct example examples[] = {
	{ "help wr", "why there is no such thing" },
};
const struct command cmd_wr = {
	.name = "wr",
	.group = "memory",
	.summary = "refuses: obit writes to no memory",
	.operands = "[address value]",
	.help = "In crash wr changes the memory of a live system. obit looks at what a dead kernel left behind, which is "
		"evidence: no command changes an input, and no output may go to a file that is one. It opens no live kernel.\n\n"
		"To try what another value would mean, calculate with it: p and eval take any expression, pte and vtop explain "
		"a value that was never in memory. To have the bytes elsewhere, 'rd -r FILE ADDRESS COUNT' copies them, "
		"and gcore writes a program's memory as a core file.",
	EXAMPLES(examples),
	.run = wr_run,
};
