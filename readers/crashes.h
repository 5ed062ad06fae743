/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Crashes among files and folders: which files belong to one. */
#ifndef OBIT_CRASHES_H
#define OBIT_CRASHES_H

#include "core/base/arena.h"
#include "core/base/vec.h"

#define CRASH_DEPTH 8
#define CRASHES_MAX 1000000u
#define CRASHES_PASSED 1000u

/* What is left of one crash. */
struct crash_files {
	const char *name;         /* of its first file, or of the folder of its pstore records */
	const char *const *files; /* to open together, the one that it is named by first */
	size_t n;
	bool dump; /* the first file is one */
	bool lost; /* it is a single file, or a folder, that cannot be read */
};

/* What lies in a folder and was not looked at. */
struct crash_passed {
	const char *path, *why; /* "is a FIFO" */
};

/* Zero-initialised before its first use, but for the arena. */
struct crashes {
	struct arena *a;
	VEC(struct crash_files) v; /* in the order of the operands; of a folder by name */
	bool folder;               /* an operand was a folder */
	bool foreign;              /* set by the caller: of another machine's disk; see below */
	size_t dumps, texts;       /* among the operands that are files */
	bool cut; /* there are more, beyond CRASHES_MAX or deeper than CRASH_DEPTH */
	VEC(struct crash_passed) passed; /* CRASHES_PASSED of them at most */
	size_t n_passed;                 /* how many there are */
	/* Set by the caller: is told now and then how many files were looked at. NULL: nobody wants
	 * to know. */
	void (*tell)(void *arg, size_t n);
	void *arg;
	size_t n_looked;
};

/* Adds the crashes of a file or folder. What cannot be read is a crash as well, so that whoever
 * opens it says why. Of a folder, to the bottom and without files whose names begin with a dot:
 *
 *   - one dump in a folder, with the texts, records and vmlinux that lie beside it: one crash
 *   - several dumps in a folder: each is one, alone; the parts of a split dump are one dump
 *   - records of pstore as files: those of a folder, and the texts beside them, are one
 *   - images of pstore's regions, and texts: each is one
 *
 * A link to a file is followed, and each file is taken once, whatever it is called besides: by the
 * name that is no link, or else the first. Links to folders are not followed, so that no search
 * leaves its folder; they, and what is neither file nor folder, are passed over and named. So are,
 * on another machine's disk, links that begin with a slash: they would lead to this machine's
 * files. Files of other kinds are left alone, and so is what a hook of obit's left beside a dump
 * ("obit-triage.txt"); a file that is an operand is never. */
void crashes_find(struct crashes *c, const char *const *paths, size_t n);
void crashes_release(struct crashes *c);

#endif
