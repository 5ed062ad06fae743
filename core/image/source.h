/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source text: the files that debug info names, found below the folders that were given. */
#ifndef OBIT_SOURCE_H
#define OBIT_SOURCE_H

#include "core/base/bytes.h"
#include "core/base/map.h"
#include "core/base/vec.h"

struct target;

/* One source file. */
struct source {
	const char *path; /* the file that was found */
	struct span text;
	const uint32_t *starts; /* offsets of the lines in text, and its end: n + 1 of them */
	unsigned n;             /* lines */
};

struct sources {
	VEC(const char *) folders; /* --source DIR */
	bool listed;
	VEC(const char *) below; /* the folders in them, one level down */
	struct strmap files;     /* as debug info names it -> struct source_slot * */
};

/*
 * Finds a source file by its name in debug info. Of the files in the folders that were given, and
 * one folder further down, the one is taken whose path has the longest end in common with `file`:
 * for "kernel/panic.c" DIR/kernel/panic.c or DIR/linux-6.1/kernel/panic.c before DIR/panic.c. That
 * only the last part, panic.c, is the same is enough only in a given folder itself. ERR_NEED: no
 * folder was given. ERR_NOTFOUND.
 */
bool source_file(struct target *t, const char *file, const struct source **ret,
		 struct err *err) MUST_CHECK;
/* Sets *ret to line n, of which the first is 1, without its newline. False: the file has no such
 * line. */
bool source_line(const struct source *s, unsigned n, struct span *ret);
void sources_release(struct target *t);

#endif
