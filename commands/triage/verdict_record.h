/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of a verdict: the judgement, and each check behind it. */
#ifndef OBIT_VERDICT_RECORD_H
#define OBIT_VERDICT_RECORD_H

#include "core/shell/command.h"
#include "core/verdict/verdict.h"

extern const struct record_kind verdict_kind, check_kind, checks_more_kind, face_line_kind,
	html_kind;

void emit_verdict(struct ctx *c, const struct verdict *v);
/* Emits what a check found; people see nothing of it when `quiet`. */
void emit_check(struct ctx *c, const struct finding *f, bool quiet);
/* Tells people that n checks more found nothing wrong ("ok"), or had no dump to look at ("?"). */
void emit_checks_more(struct ctx *c, const char *state, size_t n, const char *lack);
/* Tells that a page was written. */
void emit_html(struct ctx *c, const char *path, size_t bytes);

#endif
