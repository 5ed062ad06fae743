/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dump as a target of gdb, of VS Code and of CLion, which all speak gdb's remote protocol;
 * obit(1) has how they are told. */
#ifndef OBIT_GDB_H
#define OBIT_GDB_H

#include "core/shell/session.h"

/* Listens where the word says, a port of this machine alone or a Unix socket that nobody else may
 * open, and serves one gdb after another, each in a process of its own, until SIGINT or SIGTERM.
 * Returns what the program ends with. */
int gdb_serve(struct session *s, const char *where);

#endif
