/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where gdb finds the dump: a port that this machine alone reaches, or a Unix socket. */
#ifndef OBIT_GDB_LISTEN_H
#define OBIT_GDB_LISTEN_H

#include <sys/types.h>

#include "core/base/buf.h"

struct gdb_listener {
	int fd;
	struct buf name;  /* as `target remote` takes it */
	const char *path; /* of the Unix socket; NULL: it is a port */
	dev_t dev;        /* which the socket is */
	ino_t ino;
};

/* Listens at "PORT", "127.0.0.1:PORT", "localhost:PORT", "[::1]:PORT" or at a path, which has a
 * '/' in it and must live as long as *ret. Port 0 is one that is free. ERR_USAGE: the word is none
 * of these; ERR_IO. */
bool gdb_listen(struct gdb_listener *ret, const char *where, struct err *err) MUST_CHECK;
/* Stops, and removes the Unix socket. */
void gdb_listener_close(struct gdb_listener *l);

#endif
