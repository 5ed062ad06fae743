/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source lines around a place, as records. */
#ifndef OBIT_SOURCE_RECORD_H
#define OBIT_SOURCE_RECORD_H

#include "core/shell/command.h"

#define SOURCE_AROUND 3 /* lines before and behind, where nobody says otherwise */

/* "source": one line of a file */
extern const struct record_kind source_line_kind;

/* The line of the file as debug info names it, marked, among some before and behind it. False, and
 * nothing was emitted: there is no such file or line. */
bool emit_source(struct ctx *c, const char *file, unsigned line, unsigned before, unsigned behind,
		 struct err *err) MUST_CHECK;

#endif
