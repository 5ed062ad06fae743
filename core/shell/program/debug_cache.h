/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What debuginfod's client library keeps of the files that were fetched: a folder for each build-id
 * (debuginfod_find_debuginfo(3), "CACHE"). Other programs use the same files. */
#ifndef OBIT_DEBUG_CACHE_H
#define OBIT_DEBUG_CACHE_H

#include "core/base/buf.h"

/* Appends the cache's folder as the library chooses it: $DEBUGINFOD_CACHE_PATH, else
 * ~/.debuginfod_client_cache if it is there, else debuginfod_client in $XDG_CACHE_HOME or ~/.cache.
 * False: there is no home. */
bool debug_cache_folder(struct buf *path);

/* A file of it. An empty one stands for one that no server had. */
struct cached_file {
	const char *build_id, *name; /* "debuginfo", "executable", ...: good for the call alone */
	uint64_t size;               /* bytes */
	int64_t used_s; /* seconds since 1970 when it was last read, as the disk has it */
};

/* Calls fn with each regular file by a name that the library makes, in the folders of `folder`
 * whose names are build-ids, in no order; fn returns false to stop. Symbolic links are not
 * followed. True as well when there is no such folder. */
bool debug_cache_each(const char *folder, bool (*fn)(const struct cached_file *f, void *arg),
		      void *arg, struct err *err) MUST_CHECK;

struct cleared {
	uint64_t files, bytes;
	/* What stays in these folders: what is nothing of the cache's, and what was mapped as an
	 * input
	 */
	uint64_t kept;
};

/* Removes those files but inputs of this process, and the folders that are empty then; nothing
 * else. */
bool debug_cache_clear(const char *folder, struct cleared *ret, struct err *err) MUST_CHECK;

#endif
