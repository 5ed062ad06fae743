/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The history file: lines of several sessions at once, each there as soon as it was typed. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/outfile.h"
#include "core/base/number.h"
#include "core/shell/prompt/history.h"

/* A line that would fill the file is not kept. */
#define LINE_MAX_KEPT (HISTORY_BYTES_MAX / 16)
/* How often another's lock is waited for, 2 ms each: a prompt must not hang on a dead file server.
 */
#define LOCK_TRIES 1000

void history_file_path(struct buf *path)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state && *state == '/')
		buf_printf(path, "%s/obit/history", state);
	else if (home && *home)
		buf_printf(path, "%s/.local/state/obit/history", home);
}

/* Makes the folders of path, up to its last slash, for the person alone. */
static void make_folders(const char *path)
{
	struct buf b = { 0 };

	buf_str(&b, path);
	for (size_t i = 1; i < b.n; i++) {
		if (b.s[i] != '/')
			continue;
		b.s[i] = '\0';
		mkdir(b.s, 0700);
		b.s[i] = '/';
	}
	buf_release(&b);
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool lock(int fd, bool whole)
{
	for (int i = 0; i < LOCK_TRIES; i++) {
		if (!flock(fd, (whole ? LOCK_EX : LOCK_SH) | LOCK_NB))
			return true;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return false; /* a file system without locks */
		usleep(2000);
	}
	return false;
}

/* Opens the file and locks it; *locked is false where that cannot be. -1: there is no such file. A
 * session that shortens the file puts another in its place, and then this one is of no use. */
static int open_locked(const char *path, int flags, bool *locked, struct stat *st)
{
	for (int i = 0; i < LOCK_TRIES; i++) {
		/* not to be caught by a FIFO */
		int fd = open(path, flags | O_NONBLOCK | O_CLOEXEC, 0600);
		struct stat now;

		if (fd < 0)
			return -1;
		*locked = lock(fd, flags & O_CREAT);
		if (!fstat(fd, st) && !stat(path, &now) && is_same(st, &now)) {
			if (S_ISREG(st->st_mode))
				return fd;
			i = LOCK_TRIES;
		}
		close(fd);
	}
	return -1;
}

/* The last n bytes of the file, or all of them; less when it is shorter than it was. */
static void read_tail(int fd, const struct stat *st, size_t n, struct buf *ret)
{
	off_t at = st->st_size > (off_t)n ? st->st_size - (off_t)n : 0;
	char part[4096];
	ssize_t got;

	while (ret->n < n && (got = pread(fd, part, sizeof(part), at)) > 0) {
		buf_add(ret, part, (size_t)got);
		at += got;
	}
}

/* Where the first whole line starts in the tail of a longer file. */
static size_t first_line(const struct buf *b, const struct stat *st)
{
	const char *end;

	if ((off_t)b->n >= st->st_size)
		return 0;
	end = memchr(b->s, '\n', b->n);
	return end ? (size_t)(end - b->s) + 1 : b->n;
}

void history_file_each(const char *path, void (*fn)(const char *line))
{
	struct buf b = { 0 };
	struct stat st;
	bool locked;
	int fd = open_locked(path, O_RDONLY, &locked, &st);

	if (fd < 0)
		return;
	read_tail(fd, &st, HISTORY_BYTES_MAX, &b);
	close(fd);
	for (size_t i = b.n ? first_line(&b, &st) : 0; i < b.n;) {
		char *end = memchr(b.s + i, '\n', b.n - i);

		if (!end) /* the writer did not come to its end */
			break;
		*end = '\0';
		if (b.s[i])
			fn(b.s + i);
		i = (size_t)(end - b.s) + 1;
	}
	buf_release(&b);
}

/* Puts the newer half in the place of the file, at once, so that no end of this program loses the
 * other half too. The caller holds the lock. False: it stays as long as it is. */
static bool shorten(const char *path, int fd, const struct stat *st)
{
	struct buf b = { 0 }, name = { 0 };
	char *real = realpath(path, NULL); /* the file may be elsewhere, behind a link */
	struct outfile f;
	struct err err;
	size_t from;
	bool ok;

	if (!real)
		return false;
	buf_printf(&name, "%s.new", real);
	read_tail(fd, st, HISTORY_BYTES_MAX / 2, &b);
	from = first_line(&b, st);
	unlink(name.s); /* of a session that was killed here */
	ok = outfile_open(&f, name.s, OUTFILE_PRIVATE, &err) &&
	     outfile_replace(&f, real, outfile_write(&f, b.s + from, b.n - from, &err), &err);
	buf_release(&name);
	buf_release(&b);
	free(real);
	return ok;
}

void history_file_add(const char *path, const char *line)
{
	struct buf b = { 0 };
	bool locked;
	struct stat st;
	char last;
	int fd;

	if (strlen(line) > LINE_MAX_KEPT)
		return;
	make_folders(path);
	fd = open_locked(path, O_RDWR | O_APPEND | O_CREAT, &locked, &st);
	if (fd < 0)
		return;
	if (st.st_mode & 077)
		fchmod(fd, 0600);
	if (st.st_size && pread(fd, &last, 1, st.st_size - 1) == 1 && last != '\n')
		buf_char(&b, '\n'); /* a writer did not come to its end */
	for (; *line; line++)
		buf_char(&b, *line == '\n' ? ' ' : *line);
	buf_char(&b, '\n');
	/* one write: even without the lock it stands apart from others */
	if (fd_write(fd, b.s, b.n) && locked && !fstat(fd, &st) && st.st_size > HISTORY_BYTES_MAX)
		shorten(path, fd, &st);
	close(fd);
	buf_release(&b);
}

/* What a line asks for behind "!" or "r ": a number, of lines before the end where a '-' stands
 * before it, or the beginning of a line. NULL: it asks for none. */
static const char *asked_for(const char *typed, char word[64])
{
	const char *digits;
	uint64_t number;
	size_t n;

	typed += strspn(typed, " \t");
	n = strcspn(typed, "\n");
	while (n && strchr(" \t", typed[n - 1]))
		n--;
	if (n >= 64 || !n)
		return NULL;
	memcpy(word, typed, n);
	word[n] = '\0';
	if (!strcmp(word, "!!") || !strcmp(word, "r"))
		return "-1";
	digits = word + 1 + (word[1] == '-');
	if (*word == '!') /* "! ls" and "!ls" are the shell's */
		return number_parse(digits, 10, &number) ? word + 1 : NULL;
	return *word == 'r' && strchr(" \t", word[1]) ? word + 1 + strspn(word + 1, " \t") : NULL;
}

bool history_recall(const char *typed, bool (*line)(size_t i, const char **ret), const char **ret,
		    struct err *err)
{
	char word[64];
	const char *want = asked_for(typed, word), *at;
	uint64_t number;
	size_t n = 0, len;

	*ret = NULL;
	if (!want)
		return false;
	while (line(n, &at))
		n++;
	if (number_parse(want + (*want == '-'), 10, &number)) {
		if (!number || number > n ||
		    !line(*want == '-' ? n - (size_t)number : (size_t)number - 1, ret))
			err_set(err, ERR_NOTFOUND, "no line '%s' was typed before; 'h' lists them",
				want);
		return true;
	}
	len = strlen(want);
	while (n-- && line(n, &at))
		if (!strncmp(at, want, len)) {
			*ret = at;
			return true;
		}
	err_set(err, ERR_NOTFOUND, "no line that was typed before begins with '%s'", want);
	return true;
}
