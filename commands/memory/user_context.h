/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose memory an address is of, where nobody says so. */
#ifndef OBIT_USER_CONTEXT_H
#define OBIT_USER_CONTEXT_H

#include "core/linux/memory/user.h"
#include "core/shell/command.h"

/* Is va an address of the task that `set` chose? Then *ret is made ready to read its memory. Before
 * somebody chose a task no address is a task's: a NULL that was followed stays an error. */
bool user_context(struct ctx *c, uint64_t va, struct user_space *ret);

#endif
