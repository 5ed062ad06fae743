/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file opened for reading and mapped whole. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/mapping.h"

bool file_of_fd(struct arena *a, const char *path, int fd, struct file **ret, struct err *err)
{
	struct stat st;
	struct file *f;
	void *p;

	if (fstat(fd, &st) < 0)
		return err_set_errno(err, "'%s'", path);
	if (S_ISDIR(st.st_mode))
		return err_set(err, ERR_FORMAT, "'%s' is a directory", path);
	if (!S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode))
		return err_set(err, ERR_FORMAT, "'%s' is not a regular file", path);
	if (st.st_size == 0)
		return err_set(err, ERR_FORMAT, "'%s' is empty", path);
	if (!mapping_make(fd, true, &st, false, path, &p, err))
		return false;
	f = ARENA_NEW(a, struct file);
	f->path = arena_strdup(a, path);
	f->fd = fd;
	f->owned_fd = true;
	f->map = SPAN(p, st.st_size);
	*ret = f;
	return true;
}

bool file_open(struct arena *a, const char *path, struct file **ret, struct err *err)
{
	/* not to be caught by a FIFO nobody writes to; on regular files the flag means nothing */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return err_set_errno(err, "'%s'", path);
	if (!file_of_fd(a, path, fd, ret, err)) {
		close(fd);
		return false;
	}
	return true;
}

void file_close(struct file *f)
{
	if (f->map.n)
		mapping_drop(f->map.p, f->map.n);
	if (f->owned_fd)
		close(f->fd);
	f->map = SPAN(NULL, 0);
	f->owned_fd = false;
}

void file_reject(struct file *f)
{
	struct stat st;
	bool known = !fstat(f->fd, &st);

	file_close(f);
	if (known)
		mapping_forget(&st);
}

size_t file_first_bytes(const char *path, void *head, size_t n)
{
	struct stat st;
	ssize_t got;
	int fd;

	/* to open a FIFO and close it again would already be an end to who writes it */
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return 0;
	got = read(fd, head, n);
	close(fd);
	return got > 0 ? (size_t)got : 0;
}

ssize_t file_line(FILE *f, char **line, size_t *cap, int *why)
{
	size_t n = 0;
	int c = 0;

	*why = 0;
	errno = 0;
	while (c != '\n' && (c = getc_unlocked(f)) != EOF) {
		if (n == FILE_LINE_MAX) {
			*why = EFBIG;
			return -1;
		}
		if (n + 1 >= *cap) {
			size_t more = *cap ? 2 * *cap : 120;
			char *p = realloc(*line, more);

			if (!p) {
				*why = ENOMEM;
				return -1;
			}
			*line = p;
			*cap = more;
		}
		(*line)[n++] = (char)c;
	}
	if (!n) {
		*why = ferror(f) ? errno : 0;
		return -1;
	}
	(*line)[n] = '\0';
	return (ssize_t)n;
}

const char *file_packed(struct span first)
{
	static const struct {
		const char *magic;
		size_t n, at;
		const char *text;
	} v[] = {
		{ "\x1f\x8b", 2, 0, "is compressed with gzip: unpack it first (gunzip)" },
		{ "\xfd"
		  "7zXZ",
		  5, 0, "is compressed with xz: unpack it first (unxz)" },
		{ "\x28\xb5\x2f\xfd", 4, 0, "is compressed with zstd: unpack it first (unzstd)" },
		{ "BZh", 3, 0, "is compressed with bzip2: unpack it first (bunzip2)" },
		{ "\x04\x22\x4d\x18", 4, 0, "is compressed with lz4: unpack it first (unlz4)" },
		{ "\x89LZO", 4, 0, "is compressed with lzop: unpack it first (lzop -d)" },
		{ "PK\x03\x04", 4, 0, "is a zip archive: unpack it first (unzip)" },
		{ "ustar", 5, 257, "is a tar archive: unpack it first (tar -xf)" },
	};

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++)
		if (first.n >= v[i].at + v[i].n &&
		    memcmp(first.p + v[i].at, v[i].magic, v[i].n) == 0)
			return v[i].text;
	return NULL;
}
