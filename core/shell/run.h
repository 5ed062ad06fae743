/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the session: one parsed command line, checked and run. */
#ifndef OBIT_RUN_H
#define OBIT_RUN_H

#include "core/shell/parse.h"
#include "core/shell/session.h"

/* Runs a command line inside a command, as `each` does. Its output goes where that of the outer one
 * goes, and its memory, in a, lives as long as the outer one's. Failures are told and counted.
 * False: Ctrl-C stopped it, or commands run each other too deep, which was told: all of them end.
 */
bool job_run_nested(struct session *s, struct arena *a, const char *line);
/* The same for a job that was parsed, as a line of its own: that there is nothing is told. */
bool job_run_inner(struct session *s, struct arena *a, const struct job *job);
/* May the session run it? False: it is confined, and the job names a shell's command or a file.
 * ERR_USAGE. */
bool job_allowed(const struct session *s, const struct job *job, struct err *err) MUST_CHECK;
/* Runs a job, whose line's arena is a. A job without stages that names a file of commands is run by
 * session_source() instead. Failures are told and counted in the session. False: Ctrl-C stopped it.
 */
bool job_run(struct session *s, struct arena *a, const struct job *job);

#endif
