/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a session runs a line of commands, and a file of lines. */
#ifndef OBIT_SESSION_RUN_H
#define OBIT_SESSION_RUN_H

#include <stdio.h>

#include "core/shell/session.h"

/* Runs one line: comments, aliases, pipelines, "| shell", "> file", "! shell". The outcome is
 * counted in the session; false only for ERR_INTR. Output of the line is flushed when it returns.
 */
bool session_run(struct session *s, const char *line);
/* Runs a file of lines ("-" is stdin). ERR_IO. */
bool session_source(struct session *s, const char *path, struct err *err) MUST_CHECK;
/* The same for an open file, which stays the caller's; path is its name for messages. */
bool session_source_stream(struct session *s, FILE *f, const char *path,
			   struct err *err) MUST_CHECK;

#endif
