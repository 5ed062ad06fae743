/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders as arguments: the files in them. */
#ifndef OBIT_FOLDER_H
#define OBIT_FOLDER_H

#include "core/base/arena.h"

#define FOLDER_DEPTH 4
#define FOLDER_FILES 16384

/* Sets *ret to the n regular files below a folder, sorted by name; links are not followed. *more
 * says that there are others, beyond FOLDER_FILES or deeper than FOLDER_DEPTH. False: the folder
 * cannot be read. */
bool folder_files(struct arena *a, const char *path, const char *const **ret, size_t *n, bool *more,
		  struct err *err) MUST_CHECK;
bool folder_is(const char *path);

#endif
