/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source lines of a report's frames, and whether the vmlinux is the one that printed it. */
#include "core/report/report.h"

void report_place(struct report *r, struct target *t, bool force)
{
	(void)r;
	(void)t;
	(void)force;
}
