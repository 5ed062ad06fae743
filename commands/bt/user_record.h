/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of a program's stack (bt -u). */
#ifndef OBIT_USER_RECORD_H
#define OBIT_USER_RECORD_H

#include "core/linux/task/task.h"
#include "core/shell/command.h"

extern const struct record_kind user_frame_kind;
/* Emits the registers of a task's program and the functions that it was in, at most max of them
 * (0: as many as there are). sysroot: a folder with the files it had mapped, or NULL. What cannot
 * be read is noted. */
void emit_user_stack(struct ctx *c, const struct task *task, const char *sysroot, uint64_t max);

#endif
