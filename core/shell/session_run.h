/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a session runs a line of commands, and a file of lines. */
#ifndef OBIT_SESSION_RUN_H
#define OBIT_SESSION_RUN_H

#include <stdio.h>

#include "core/shell/session.h"

/* Runs one line, with its aliases, pipelines, "| shell", "> file", "! shell" and comments. Failures
 * are counted in the session. When it returns, all output of the line is written. False: Ctrl-C
 * stopped it. */
bool session_run(struct session *s, const char *line);
/* Forgets a definition that has no end yet, and tells that its end is missing. */
void session_block_end(struct session *s);
/* Runs the lines of the file at path; "-" stands for stdin. ERR_IO. */
bool session_source(struct session *s, const char *path, struct err *err) MUST_CHECK;
/* The same for an open file, which the caller closes; path is its name in messages. */
bool session_source_stream(struct session *s, FILE *f, const char *path,
			   struct err *err) MUST_CHECK;

#endif
