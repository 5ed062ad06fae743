/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file that is written: whole, or nothing of it is kept; and never one that is an input. */
#ifndef OBIT_OUTFILE_H
#define OBIT_OUTFILE_H

#include <sys/types.h>

#include "core/base/err.h"

enum outfile_how {
	OUTFILE_OVER,   /* made if it is not there, else emptied */
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
 * The one way to write a file of a name that somebody gave. ERR_USAGE for a file that was ever
 * mapped here as an input, by whichever of its names: it is evidence, and stays as it is.
 */
bool outfile_open(struct outfile *f, const char *path, enum outfile_how how,
		  struct err *err) MUST_CHECK;
/* All of n bytes. What lies in an input that cannot be read any more is ERR_UNREADABLE. */
bool outfile_write(struct outfile *f, const void *data, size_t n, struct err *err) MUST_CHECK;
/*
 * Closes it. `ok` says whether all was written; if not, err says why already, and is left alone.
 * Returns true when the file is whole. Else a regular file is emptied and its name taken away,
 * unless it was appended to: half a file looks like a whole one to whoever finds it. errno is
 * close()'s when that failed.
 */
bool outfile_close(struct outfile *f, bool ok, struct err *err) MUST_CHECK;
/* The same for a file made beside another (OUTFILE_NEW, OUTFILE_PRIVATE), whose place it takes at
 * once: whenever the program ends, there is the old one or the new one. */
bool outfile_replace(struct outfile *f, const char *place, bool ok, struct err *err) MUST_CHECK;

/* Is there such a file, and is it an input? */
bool file_is_input(const char *path);
/* All of n bytes to any descriptor. False: errno says why. */
bool fd_write(int fd, const void *data, size_t n) MUST_CHECK;

#endif
