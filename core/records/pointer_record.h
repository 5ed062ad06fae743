/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a pointer that was printed as a hash, the same in every command that finds one.
 */
#ifndef OBIT_POINTER_RECORD_H
#define OBIT_POINTER_RECORD_H

#include "core/linux/memory/unhash.h"
#include "core/shell/command.h"

extern const struct record_kind pointer_record;

/* The hash as "%p" pads it; in the command's arena. */
const char *pointer_hash_text(struct ctx *c, uint32_t hash);
/* Makes *r the record of what was found, and of what is there. */
void pointer_fill(struct ctx *c, struct record *r, const struct unhash_hit *hit);
/* The same as a line of text: "00000000b4d860d4 = ffff8923de723440, per-cpu CPU 0: tick_cpu_sched";
 * in the command's arena. */
const char *pointer_text(struct ctx *c, const struct unhash_hit *hit);

#endif
