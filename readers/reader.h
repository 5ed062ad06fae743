/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One file format each: probe() recognises it by content, open() adds what it holds to the target.
 */
#ifndef OBIT_READER_H
#define OBIT_READER_H

#include "core/image/target.h"

/* The files of a folder that was given, and of the folders in it, that one reader recognised. */
struct folder {
	const char *path; /* as it was given */
	struct file *const *files;
	size_t n;
};

/*
 * readers/foo.c defines `const struct reader reader_foo`; the Makefile collects them into a list.
 * A reader knows no kernel structures and prints nothing. Opening reads headers only; all else is
 * lazy.
 */
struct reader {
	const char *name, *summary;
	/* 0: not this format ... 100: certainly. NULL: the reader has no files of its own. */
	int (*probe)(const struct file *file);
	bool slow; /* probe reads much of the file: asked only when no other reader is certain */
	bool (*open)(struct target *t, struct file *file, struct err *err);
	/* For a format whose files belong together: is handed all of a folder's at once, by name,
	 * and opens them in place of open(). NULL: they are opened one by one. */
	bool (*open_folder)(struct target *t, const struct folder *folder, struct err *err);
	/* Called once for every reader when all files are open, in order of `rank` (then of name):
	 * offers what the loaded evidence holds in itself, e.g. kallsyms or BTF inside the dump.
	 * May be NULL. */
	bool (*attach)(struct target *t, struct err *err);
	int rank;
};

extern const struct reader *const readers[]; /* sorted by name, NULL at the end; generated */

/* Opens every file with the reader that recognises it best, then attaches. On a wrong file the
 * error names the file and what was expected; a vmlinux that does not belong to the dump is
 * ERR_MISMATCH with both build-ids unless t->force. */
bool readers_open(struct target *t, const char *const *paths, size_t n, struct err *err) MUST_CHECK;

/* For readers: the target's architecture is what the first file said; a file of another is
 * ERR_MISMATCH, and NULL, a machine obit does not know, ERR_UNSUPPORTED. */
bool reader_arch(struct target *t, const struct arch *arch, const char *path,
		 struct err *err) MUST_CHECK;
/* For readers: a dump or a vmlinux may be opened only once; ERR_USAGE names both files. */
bool reader_once(const struct file *first, const struct file *second, const char *what,
		 struct err *err) MUST_CHECK;

#endif
