/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the session: one parsed command line, checked and run. */
#ifndef OBIT_RUN_H
#define OBIT_RUN_H

#include "core/shell/parse.h"
#include "core/shell/session.h"

/* Does this word behind '|' name a command that takes values? For parse_job(). */
bool job_is_stage(const char *word, void *arg);
/* What the grammar asks of the commands. */
extern const struct parse_hooks job_hooks;
/* A command line within a command, as `each` has it: its output goes where the other's goes, and
 * what it allocates lives as long. Failures are told and counted. False: as job_run(). */
bool job_run_nested(struct session *s, struct arena *a, const char *line);
/* Runs it, unless it is a file of commands, which has no stage and is session_source()'s; failures
 * are told and counted in the session. False only when Ctrl-C stopped it. The arena is the line's.
 */
bool job_run(struct session *s, struct arena *a, const struct job *job);

#endif
