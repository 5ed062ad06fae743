/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines that are run before any other: ~/.obitrc, or the files that were named. */
#ifndef OBIT_RC_H
#define OBIT_RC_H

#include "core/shell/session.h"

/* Runs ~/.obitrc, when it is there and nobody but the person and root could have written it; why
 * another is not run is said on stderr. */
void rc_run_own(struct session *s);
/* Runs a file that was named, whoever owns it. That it cannot be read is a failure of the session.
 */
void rc_run_named(struct session *s, const char *path);

#endif
