/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Debug info by build-id from a server: only with --debuginfod, and only where $DEBUGINFOD_URLS
 * names one. */
#ifndef OBIT_DEBUGINFOD_H
#define OBIT_DEBUGINFOD_H

#include "core/image/target.h"

/* Sets *ret to the path, in the target's arena, of the file with debug info of this build-id, which
 * the client library fetches and keeps. Ctrl-C ends it. ERR_NEED: --debuginfod was not given, or no
 * server is named. ERR_NOTFOUND: no server has the file. */
bool debuginfod_fetch(struct target *t, const uint8_t *id, size_t n, const char **ret,
		      struct err *err) MUST_CHECK;

#endif
