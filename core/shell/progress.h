/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress: a line on the terminal that says how far long work is, and that is gone when the work
 * is done. It is on stderr, and only where that is a terminal; no output ever stands on its line.
 */
#ifndef OBIT_PROGRESS_H
#define OBIT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

/* Work that takes no longer than this has no line. */
#define PROGRESS_AFTER_NS UINT64_C(500000000)

/* Zero-initialised before its first use; then it is off. */
struct progress {
	bool on;              /* between begin and end, where somebody could see it */
	bool shown;           /* the line is on the screen */
	uint64_t begin, last; /* when the work began, and the line was last written */
	char what[64];        /* what is being done, and how much of how much; all 0: unknown */
	uint64_t done, all;
};

/* Work begins. Where stderr is no terminal, nothing will be shown. */
void progress_begin(struct progress *p);
/* Says how far it is: shown now and then, with how long it takes. what NULL and all 0: as before.
 * The arg is a struct progress, so that struct target's progress can call it. */
void progress_tell(void *arg, const char *what, uint64_t done, uint64_t all);
/* The same with a line of the caller's own. */
void progress_line(struct progress *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Takes the line off the screen: something else is written there. The next one comes at once. */
void progress_clear(struct progress *p);
/* Something is written to stdout, and the work goes on: on the terminal the line makes room; in a
 * file it is in nobody's way; and behind a pipe somebody may write to the terminal at any time, so
 * that there is no line any more. */
void progress_aside(struct progress *p);
/* The same, and nothing is shown any more until the next begin. */
void progress_end(struct progress *p);

#endif
