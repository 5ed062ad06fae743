/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What records say alike of who asked for memory. */
#ifndef OBIT_ORIGIN_RECORD_H
#define OBIT_ORIGIN_RECORD_H

#include "core/base/buf.h"
#include "core/linux/memory/origin.h"
#include "core/shell/command.h"

/* Appends "by PID 29 "kworker/0:1" on CPU 1 at 2.370508: f+0x52 < g+0x4b"; what is not known is
 * left out. */
void origin_text(struct buf *b, struct target *t, const struct origin *o);
/* Sets a CELL_STRS field to the names of a stack's n frames. */
void origin_strs(struct ctx *c, struct record *r, unsigned field, const uint64_t *frames, size_t n);
/* Appends the cell of such a field as "f+0x52 < g+0x4b". */
void origin_stack_text(struct buf *b, const struct cell *cell);

#endif
