/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the session: one parsed command line, checked and run. */
#ifndef OBIT_RUN_H
#define OBIT_RUN_H

#include "core/shell/parse.h"
#include "core/shell/session.h"

/* Does this word behind '|' name a command that takes values? For parse_job(). */
bool job_is_stage(const char *word, void *arg);
/* Runs it; failures are told and counted in the session. False only when Ctrl-C stopped it. The
 * arena is the line's. */
bool job_run(struct session *s, struct arena *a, const struct job *job);

#endif
