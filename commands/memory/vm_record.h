/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pages of a task's memory as records. */
#ifndef OBIT_VM_RECORD_H
#define OBIT_VM_RECORD_H

#include "core/linux/memory/user.h"
#include "core/linux/task/task.h"
#include "core/shell/command.h"

extern const struct record_kind user_page_kind, vma_flags_kind;

/* Each page of an area that is in RAM or in swap, and the runs of those that are not. What cannot
 * be known is noted. False: Ctrl-C. */
bool emit_user_pages(struct ctx *c, const struct task *task, const struct vma *area,
		     struct err *err) MUST_CHECK;
/* What a number of vm_flags says. */
bool emit_vma_flags(struct ctx *c, const char *word, struct err *err) MUST_CHECK;

#endif
