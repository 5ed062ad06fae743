/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The conversation with one gdb, which may look at everything and change nothing. */
#ifndef OBIT_GDB_STUB_H
#define OBIT_GDB_STUB_H

#include "core/shell/gdb/gdb_thread.h"
#include "core/shell/session.h"

/* What a command of `monitor` may print, bytes. */
#define GDB_MONITOR_MAX ((size_t)1 << 20)

/* Answers what comes from fd until gdb leaves, sends what no gdb would, or Ctrl-C. The session is
 * confined from then on. */
void gdb_stub_serve(struct session *s, struct gdb_threads *threads, int fd);

#endif
