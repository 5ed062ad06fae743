/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of what a database of crashes holds. */
#ifndef OBIT_BUG_RECORD_H
#define OBIT_BUG_RECORD_H

#include "core/obit.h"
#include "core/shell/fleet/crashdb.h"

extern const struct record_kind bug_kind, bug_change_kind, bug_crash_kind, crashes_loaded_kind;

/* Emits a bug: as bug_change if it was compared, else as bug. */
void emit_bug(struct ctx *c, const struct kept_bug *b);
/* Emits one crash of it. */
void emit_bug_crash(struct ctx *c, const struct kept_crash *k);

/* What was loaded. */
struct crashes_loaded {
	uint64_t files, added, again, none, failed, bad_lines;
};
void emit_crashes_loaded(struct ctx *c, const struct crashes_loaded *n);

#endif
