/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slanted lines of a trace's head, which lead from the letters of the rows to their names. */
#include "core/trace/row.h"

#define BARS "||||||||"

void trace_slants(struct buf *b, int indent, const char *const *names, size_t n, int longest,
		  int wide)
{
	for (int i = 0; i < (int)n; i++)
		buf_printf(b, "#%*s%.*s%s_%.*s=> %-*s\n", indent, "", i ? i - 1 : 0, BARS,
			   i ? " / " : "  ", longest - i, "--------", wide, names[i]);
}
