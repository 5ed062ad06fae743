/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of what survived in pstore. A record's number is its place in survivors_ordered(),
 * from 1. */
#ifndef OBIT_SURVIVOR_RECORD_H
#define OBIT_SURVIVOR_RECORD_H

#include "core/shell/command.h"
#include "core/image/survivor.h"

extern const struct record_kind survivor_kind, survivor_crash_kind;

/* One record, as a row of a table. */
void emit_survivor(struct ctx *c, const struct survivor *s, size_t n);
/* One with all of its text. */
void emit_survivor_shown(struct ctx *c, const struct survivor *s, size_t n);
/* One that was written to a file: text has the file's name alone. */
void emit_survivor_file(struct ctx *c, const struct survivor *s, size_t n, const char *file);
/* The last crash that the records tell of: what, when, which kernel. */
void emit_survivor_crash(struct ctx *c, const struct survivor *const *v, size_t n);
/* What is wrong with a record, as a note: the answer is then a partial one. */
void note_survivor_damage(struct ctx *c, const struct survivor *s, size_t n);

/* Writes each record to a file in the folder, which is made: named as /sys/fs/pstore does, text
 * where there is some, else the bytes as stored. Nothing is written over. */
bool survivors_extract(struct ctx *c, const char *folder, const struct survivor *const *v, size_t n,
		       struct err *err) MUST_CHECK;

#endif
