/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file opened for reading, mapped whole; pages are read by the system as they are touched. */
#ifndef OBIT_FILE_H
#define OBIT_FILE_H

#include <stdio.h>
#include <sys/types.h>

#include "core/base/arena.h"
#include "core/base/bytes.h"

struct file {
	const char *path; /* as the person typed it */
	int fd;           /* readable; the file's owner closes it in file_close() */
	struct span map;  /* all of it; n is 0 for an empty file */
	bool owned_fd;
};

/* Opens and maps the file at path; *ret lives in the arena. A directory, a file that cannot be read
 * and an empty file are errors that say so. */
bool file_open(struct arena *a, const char *path, struct file **ret, struct err *err) MUST_CHECK;
/* The same for a descriptor that is open already, such as the memfd of a dump that was rearranged.
 * file_close() closes it. */
bool file_of_fd(struct arena *a, const char *path, int fd, struct file **ret,
		struct err *err) MUST_CHECK;
/* Unmaps the file, and closes its descriptor when the file owns it. */
void file_close(struct file *f);
/* The same for a file that turned out to be no input: from now on outfile_open() may write it. */
void file_reject(struct file *f);

/* Reads the first bytes of a regular file into head, at most n, and says how many there are. 0 of
 * anything else: what is taken out of a pipe is missing to who reads it later. */
size_t file_first_bytes(const char *path, void *head, size_t n) MUST_CHECK;

/* Reads the next line into *line, which is *cap bytes large, grows as needed, and is free()d by the
 * caller. Returns how many bytes it has, with its '\n' if it has one, and without the 0 behind it.
 * -1: there is none, and *why is 0 at the end, or the errno of what is wrong: EFBIG of a line of
 * more than FILE_LINE_MAX, as a device has that never ends. */
#define FILE_LINE_MAX ((size_t)64 << 20)
ssize_t file_line(FILE *f, char **line, size_t *cap, int *why) MUST_CHECK;

/* What to tell of a file that is compressed, by its first bytes: "is compressed with xz: unpack it
 * first (unxz)". NULL: it is not compressed by anything that obit knows. */
const char *file_packed(struct span first);

#endif
