/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of a comparison of two dead kernels. */
#ifndef OBIT_DIFF_RECORD_H
#define OBIT_DIFF_RECORD_H

#include "commands/diff/side.h"
#include "core/shell/command.h"

extern const struct record_kind diff_side_kind, diff_part_kind, diff_text_kind, diff_number_kind,
	diff_module_kind, diff_tasks_kind, diff_slab_kind;

/* side points to two. Emits what they are, and what they could not be asked. */
void emit_diff_sides(struct ctx *c, const struct diff_side *side);
/* Emits how a part compares, and each fact that differs or that one of them does not tell. */
void emit_diff_part(struct ctx *c, const struct diff_side *side, enum diff_part part);

#endif
