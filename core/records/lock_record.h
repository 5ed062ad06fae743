/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a lock and its state. */
#ifndef OBIT_LOCK_RECORD_H
#define OBIT_LOCK_RECORD_H

#include "core/linux/wait/wait.h"
#include "core/shell/command.h"

extern const struct record_kind lock_kind;

/* Emits the state of the lock at an address. False: nothing says that there is one. */
bool emit_lock(struct ctx *c, struct wait_graph *g, uint64_t addr);
/* The same of an address of which nothing is known yet; of code, or what no lock can be at, nothing
 * is said. */
void emit_lock_alone(struct ctx *c, uint64_t addr);

#endif
