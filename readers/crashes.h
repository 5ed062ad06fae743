/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Crashes among files and folders: which files belong to one. */
#ifndef OBIT_CRASHES_H
#define OBIT_CRASHES_H

#include "core/base/arena.h"
#include "core/base/vec.h"

#define CRASH_DEPTH 8
#define CRASHES_MAX 1000000u

/* What is left of one crash. */
struct crash_files {
	const char *name;         /* of its first file, or of the folder of its pstore records */
	const char *const *files; /* to open together, the one that it is named by first */
	size_t n;
};

/* Zero-initialised before its first use, but for the arena. */
struct crashes {
	struct arena *a;
	VEC(struct crash_files) v; /* in the order of the operands; of a folder by name */
	bool folder;               /* an operand was a folder */
	size_t dumps, texts;       /* among the operands that are files */
	bool cut; /* there are more, beyond CRASHES_MAX or deeper than CRASH_DEPTH */
};

/* Adds the crashes of a file or folder. What cannot be read is a crash as well, so that whoever
 * opens it says why. Of a folder, to the bottom and without files whose names begin with a dot:
 *
 *   - one dump in a folder, with the texts, records and vmlinux that lie beside it: one crash
 *   - several dumps in a folder: each is one, alone
 *   - records of pstore as files: those of a folder, and the texts beside them, are one
 *   - images of pstore's regions, and texts: each is one
 *
 * Files of other kinds are left alone; a file that is an operand is never. */
void crashes_find(struct crashes *c, const char *const *paths, size_t n);

#endif
