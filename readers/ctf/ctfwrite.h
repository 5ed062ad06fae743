/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The process that reads a CTF trace: its library ends the program on some broken ones. */
#ifndef OBIT_CTFWRITE_H
#define OBIT_CTFWRITE_H

#include <stddef.h>

#include "core/base/err.h"

/* Reads the trace in the folder and writes records of ctfwire.h to the file fd, of at most room
 * bytes, in a process of its own that has limits of time and memory. Waits for it; Ctrl-C ends it.
 * True, with err->code ERR_OK: all was read. True, with another code: *err says what ended it, and
 * what was written before is good. False: nothing could be read. */
bool ctf_read_folder(const char *folder, int fd, size_t room, struct err *err) MUST_CHECK;

#endif
