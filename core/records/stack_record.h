/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a stack that many tasks have. */
#ifndef OBIT_STACK_RECORD_H
#define OBIT_STACK_RECORD_H

#include "core/linux/stack/stack_group.h"
#include "core/shell/command.h"

extern const struct record_kind stack_group_kind;

/* And a note of why the stack ends early, where it does. lines: with the source lines and inlined
 * functions of stacks that are grouped by place. gap: another one was before. */
void emit_stack_group(struct ctx *c, const struct stack_group *g, bool lines, bool gap);

#endif
