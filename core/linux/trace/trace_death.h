/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the kernel gave up, as a time of its traces. */
#ifndef OBIT_TRACE_DEATH_H
#define OBIT_TRACE_DEATH_H

#include "core/trace/timeline.h"

/* Sets *ret to when the kernel said its last word, in the clock of the buffers that are asked for.
 * False: that is not known. */
bool trace_death(struct target *t, const struct trace_select *sel, uint64_t *ret);

#endif
