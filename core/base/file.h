/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file opened for reading, mapped whole; pages are read by the system as they are touched. */
#ifndef OBIT_FILE_H
#define OBIT_FILE_H

#include "core/base/arena.h"
#include "core/base/bytes.h"

struct file {
	const char *path; /* as the person typed it */
	int fd;           /* readable; the file's owner closes it in file_close() */
	struct span map;  /* all of it; n is 0 for an empty file */
	bool owned_fd;
};

/* A directory, an unreadable or an empty file is an error that says so. Lives in the arena. */
bool file_open(struct arena *a, const char *path, struct file **ret, struct err *err) MUST_CHECK;
/* The same for an open descriptor (a memfd of a rearranged dump), which becomes the file's. */
bool file_of_fd(struct arena *a, const char *path, int fd, struct file **ret,
		struct err *err) MUST_CHECK;
void file_close(struct file *f);
/* The same for a file that turned out to be no input: outfile_open() may write over it. */
void file_reject(struct file *f);

/* What a file is that begins so, if it is packed: "is compressed with xz: unpack it first (unxz)".
 * NULL: it is not. */
const char *file_packed(struct span first);

#endif
