/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Debug info by build-id from a server: only with --debuginfod, and only where $DEBUGINFOD_URLS
 * names one. */
#ifndef OBIT_DEBUGINFOD_H
#define OBIT_DEBUGINFOD_H

#include "core/image/target.h"

/* The path of the file that the client library keeps, in the target's arena. Ctrl-C ends it.
 * ERR_NEED: it was not asked for, or no server is named. ERR_NOTFOUND: no server has it. */
bool debuginfod_fetch(struct target *t, const uint8_t *id, size_t n, const char **ret,
		      struct err *err) MUST_CHECK;

#endif
