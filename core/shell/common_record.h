/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records that every command may print: what failed, what there is none of, prose. */
#ifndef OBIT_COMMON_RECORD_H
#define OBIT_COMMON_RECORD_H

#include "core/shell/session.h"

/* Of the records and fields that --json prints. It grows by one when a kind or a field goes away,
 * gets another name, type, unit or meaning; what is added does not change it. */
#define SCHEMA_VERSION 2

/* note, error, none, text; NULL at the end. */
extern const struct record_kind *const common_kinds[];

/* In JSON the record of a failure, with the line that was typed; people have read of it on stderr.
 * subject is the command concerned, or NULL; status is what this failure alone would end obit with.
 */
void emit_error(struct session *s, const char *subject, const struct err *err,
		enum exit_status status);
/* Says that there is nothing of this kind, as an answer and not a failure. */
void emit_none(struct ctx *c, const struct record_kind *of, const char *text);

#endif
