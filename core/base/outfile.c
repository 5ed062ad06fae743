/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file that is written: whole, or nothing of it is kept; and never one that is an input. */
#include "core/base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mapping.h"

bool file_is_input(const char *path)
{
	struct stat st;

	return !stat(path, &st) && mapping_is_of(&st);
}

bool fd_hold_standard(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			return false;
	return true;
}

static bool cannot_write(const char *path, struct err *err)
{
	return err_set_errno(err, "cannot write '%.100s'", path);
}

static bool refuse_input(const char *path, struct err *err)
{
	return err_set(err, ERR_USAGE, "'%.100s' is an input: it is not written over", path);
}

/* What is secret goes into no file of somebody else's, be it by another name of it. */
static bool is_own(const struct outfile *f, const struct stat *st, struct err *err)
{
	if (!S_ISREG(st->st_mode))
		return true;
	if (st->st_uid != geteuid() || st->st_nlink != 1)
		return err_set(err, ERR_USAGE,
			       "'%.100s' is there, and belongs to somebody else or has another "
			       "name: it is not written over",
			       f->path);
	return !fchmod(f->fd, 0600) || cannot_write(f->path, err);
}

/* What was opened is asked again: a name may change its meaning in between. */
static bool make_ready(struct outfile *f, enum outfile_how how, struct err *err)
{
	struct stat st;

	if (fstat(f->fd, &st))
		return cannot_write(f->path, err);
	if (mapping_is_of(&st))
		return refuse_input(f->path, err);
	if (how == OUTFILE_SECRET && !is_own(f, &st, err))
		return false;
	f->dev = st.st_dev;
	f->ino = st.st_ino;
	f->keeps |= !S_ISREG(st.st_mode);
	return f->keeps || !ftruncate(f->fd, 0) || cannot_write(f->path, err);
}

bool outfile_open(struct outfile *f, const char *path, enum outfile_how how, struct err *err)
{
	static const int flags[] = { [OUTFILE_OVER] = 0,
				     [OUTFILE_SECRET] = O_NOFOLLOW,
				     [OUTFILE_APPEND] = O_APPEND,
				     [OUTFILE_NEW] = O_EXCL,
				     [OUTFILE_PRIVATE] = O_EXCL };

	*f = (struct outfile){ .path = path, .keeps = how == OUTFILE_APPEND };
	if (!mapping_may_write())
		return err_set(err, ERR_USAGE, "'%.100s': no file is written from here", path);
	/* asked first, for opening alone may block or have an effect */
	if (file_is_input(path))
		return refuse_input(path, err);
	f->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags[how],
		     how == OUTFILE_PRIVATE || how == OUTFILE_SECRET ? 0600 : 0666);
	if (f->fd < 0 && how == OUTFILE_SECRET && errno == ELOOP)
		return err_set(err, ERR_USAGE, "'%.100s' is a symbolic link: it is not followed",
			       path);
	if (f->fd < 0)
		return cannot_write(path, err);
	if (!make_ready(f, how, err)) {
		close(f->fd);
		return false;
	}
	return true;
}

bool fd_write(int fd, const void *data, size_t n)
{
	const uint8_t *p = data;

	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0) {
			errno = done ? errno : EIO;
			return false;
		}
		p += done;
		n -= (size_t)done;
	}
	return true;
}

/* write() of a page that cannot be read fails with words that blame the program. */
static bool can_be_read(const uint8_t *p, size_t n)
{
	volatile uint8_t sum = 0;

	for (size_t at = 0; at < n; at += 4096)
		sum += p[at];
	if (n)
		sum += p[n - 1];
	(void)sum;
	return !mapping_lost(p, n);
}

bool outfile_write(struct outfile *f, const void *data, size_t n, struct err *err)
{
	if (!can_be_read(data, n))
		return err_set(err, ERR_UNREADABLE,
			       "'%.100s': what is to be written cannot be read any more", f->path);
	return fd_write(f->fd, data, n) || cannot_write(f->path, err);
}

/* Takes the name away, where it is the file's own and no link to it. */
static void remove_name(const struct outfile *f)
{
	struct stat st;

	if (!f->keeps && !lstat(f->path, &st) && st.st_dev == f->dev && st.st_ino == f->ino)
		unlink(f->path);
}

/* Whoever has the file by another name has no half of it either. */
static void discard(const struct outfile *f)
{
	remove_name(f);
	if (!f->keeps && ftruncate(f->fd, 0))
		return; /* why the file failed is told already */
}

bool outfile_close(struct outfile *f, bool ok, struct err *err)
{
	if (!ok)
		discard(f);
	/* a file of another machine may tell of its full disk only here */
	if (close(f->fd) && ok) {
		int why = errno;

		ok = cannot_write(f->path, err);
		remove_name(f);
		errno = why;
	}
	f->fd = -1;
	return ok;
}

bool outfile_replace(struct outfile *f, const char *place, bool ok, struct err *err)
{
	if (ok && fsync(f->fd))
		ok = cannot_write(f->path, err);
	if (!outfile_close(f, ok, err))
		return false;
	if (!rename(f->path, place))
		return true;
	cannot_write(place, err);
	remove_name(f);
	return false;
}
