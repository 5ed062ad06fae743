/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of who holds memory: owners of pages, leaks, and KFENCE's objects. */
#ifndef OBIT_HELD_RECORD_H
#define OBIT_HELD_RECORD_H

#include "core/shell/command.h"

extern const struct record_kind page_owner_kind, leak_kind, kfence_kind;

/* Each emits all there are; what cannot be read is noted. */
bool emit_owners(struct ctx *c, struct err *err) MUST_CHECK;
bool emit_leaks(struct ctx *c, struct err *err) MUST_CHECK;
bool emit_kfence(struct ctx *c, struct err *err) MUST_CHECK;

#endif
