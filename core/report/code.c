/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Code: line, disassembled. */
#include "core/report/report.h"

bool report_disassemble(const struct report *r, struct buf *b)
{
	(void)r;
	(void)b;
	return false;
}
