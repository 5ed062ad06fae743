/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The prompt. */
#ifndef OBIT_REPL_H
#define OBIT_REPL_H

#include "core/shell/session.h"

/* Reads lines from the terminal and runs them until quit or the end of input. */
void repl_run(struct session *s);

#endif
