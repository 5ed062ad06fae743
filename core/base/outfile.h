/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file that is written: whole, or nothing of it is kept; and never one that is an input. */
#ifndef OBIT_OUTFILE_H
#define OBIT_OUTFILE_H

#include <sys/types.h>

#include "core/base/err.h"

enum outfile_how {
	OUTFILE_OVER,   /* made if it is not there, else emptied */
	OUTFILE_SECRET, /* the same, readable by nobody else; never through a symbolic link, or
			   into a file that somebody else has, too */
	OUTFILE_APPEND, /* made if it is not there, else written behind its end */
	OUTFILE_NEW,    /* made; a name that is taken is an error */
	OUTFILE_PRIVATE /* the same, readable by nobody else */
};

struct outfile {
	int fd;
	const char *path; /* the caller's, who keeps it until the file is closed */
	dev_t dev;
	ino_t ino;
	bool keeps; /* what is there, when writing fails: it was appended to, or is no regular file
		     */
};

/*
 * Opens the file at path for writing. Every file whose name a person gave is written through this.
 * ERR_USAGE when the file was ever mapped as an input, whatever name it was given by: it is
 * evidence, and stays as it is. The same for any file after mapping_forbid_writing().
 */
bool outfile_open(struct outfile *f, const char *path, enum outfile_how how,
		  struct err *err) MUST_CHECK;
/* Writes all n bytes of data. ERR_UNREADABLE when they are bytes of an input that could not be
 * read: the zeros that stand for them are not written. */
bool outfile_write(struct outfile *f, const void *data, size_t n, struct err *err) MUST_CHECK;
/*
 * Closes the file. The caller says by `ok` whether all was written; when it was not, the caller has
 * set *err, and this function leaves it as it is. Returns true when the file is whole. Else a
 * regular file is emptied and its name removed, unless it was appended to: half a file looks like a
 * whole one to whoever finds it. When close() failed, errno says why.
 */
bool outfile_close(struct outfile *f, bool ok, struct err *err) MUST_CHECK;
/* The same for a file that was made (OUTFILE_NEW, OUTFILE_PRIVATE) to replace the one at `place`:
 * when it is whole it is renamed to `place`. Whenever the program ends, either the old file is
 * there or the new one. */
bool outfile_replace(struct outfile *f, const char *place, bool ok, struct err *err) MUST_CHECK;

/* Is there a file at path, and was it ever mapped as an input? */
bool file_is_input(const char *path);
/* For the program's begin. A closed descriptor 0, 1 or 2 would become the first file that is
 * opened, and a dump would be read as commands, or be written to. /dev/null stands in its place,
 * opened so that using it still fails: closed output is not lost in silence. */
bool fd_hold_standard(void) MUST_CHECK;
/* Writes all n bytes of data to the descriptor fd. False: errno says why. */
bool fd_write(int fd, const void *data, size_t n) MUST_CHECK;

#endif
