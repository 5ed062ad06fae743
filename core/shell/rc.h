/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines that are run before any other: ~/.obitrc, or the files that were named. */
#ifndef OBIT_RC_H
#define OBIT_RC_H

#include <stdio.h>

#include "core/base/buf.h"
#include "core/shell/session.h"

/* Appends the folder of the person's own files: "$XDG_CONFIG_HOME/obit", else "~/.config/obit".
 * False: there is no home. */
bool rc_folder(struct buf *path);
/* Opens the file at path if it is there and nobody but the person and root could have written it.
 * NULL: it is not there, or somebody else could; then a line on stderr says that it was not `done`,
 * as in "run". */
FILE *rc_open(struct session *s, const char *path, const char *done);
/* Reads the definitions in $XDG_CONFIG_HOME/obit/commands and runs ~/.obitrc, as far as they
 * are there and nobody but the person and root could have written them, or put them into that
 * folder. If somebody else could, a line on stderr says that it was not run. */
void rc_run_own(struct session *s);
/* Runs the file at path, or reads the definitions in the folder there, whoever owns it. When it
 * cannot be read, the session has failed. */
void rc_run_named(struct session *s, const char *path);

#endif
