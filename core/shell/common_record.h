/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records that every command may print: what failed, what there is none of, prose. */
#ifndef OBIT_COMMON_RECORD_H
#define OBIT_COMMON_RECORD_H

#include "core/shell/session.h"

/* The version of the records and fields that --json prints. It grows by one when a kind or a field
 * goes away or gets another name, type, unit or meaning, and not when one is added. */
#define SCHEMA_VERSION 2

/* The kinds note, error, none, text, end and serve; NULL ends the list. */
extern const struct record_kind *const common_kinds[];

/* Emits, in JSON only, the record of a failure with the line that was typed; people have read of it
 * on stderr. subject is the command that failed, or NULL. status is the exit status that obit would
 * have if nothing else failed. */
void emit_error(struct session *s, const char *subject, const struct err *err,
		enum exit_status status);
/* The first and the last record of what --serve answers: that files are open, and that a command
 * ended, after ns nanoseconds and as many records. */
void emit_serve(struct session *s, unsigned status);
void emit_end(struct session *s, unsigned status, uint64_t ns, uint64_t records);
/* Answers that there is nothing of the kind `of`, which is no failure. text says it to people. */
void emit_none(struct ctx *c, const struct record_kind *of, const char *text);

#endif
