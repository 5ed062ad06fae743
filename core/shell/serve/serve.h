/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines and answers as JSON lines on stdin and stdout, for programs; obit(1) has the form.
 *
 * Two processes share the work. One, the front, reads requests, may stop a command, and hands lines
 * on; it opens no file of the dead kernel. The other, the engine, is obit as it always is, and is
 * confined. What kills the engine costs an answer, and not the server. */
#ifndef OBIT_SERVE_H
#define OBIT_SERVE_H

#include "core/shell/session.h"

/* Limits of what a client sends: bytes of a line, bytes of an id as JSON, requests that wait. */
#define SERVE_LINE_MAX ((size_t)1 << 20)
#define SERVE_ID_MAX 256u
#define SERVE_WAIT_MAX 1000u

/* Forks. True in the engine, which then opens what it is about and calls serve_lines(). False in
 * the front, when all has been answered: *status is what the program ends with. */
bool serve_begin(struct session *s, int *status);
/* Runs the command lines that the front asks for, until it ends. */
void serve_lines(struct session *s);

#endif
