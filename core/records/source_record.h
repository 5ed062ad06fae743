/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source lines around a place, as records. */
#ifndef OBIT_SOURCE_RECORD_H
#define OBIT_SOURCE_RECORD_H

#include "core/shell/command.h"

#define SOURCE_AROUND 3 /* lines before and behind, where nobody says otherwise */

/* The kind "source": one line of a file. */
extern const struct record_kind source_line_kind;

/* Emits a line of the file that debug info calls `file`, marked, with `before` lines before it and
 * `behind` lines behind it. False: there is no such file or line, and nothing was emitted. */
bool emit_source(struct ctx *c, const char *file, unsigned line, unsigned before, unsigned behind,
		 struct err *err) MUST_CHECK;

#endif
