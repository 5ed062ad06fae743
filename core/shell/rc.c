/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rc file and the files of one's own commands: lines that are run before any other, and whose
 * they may be. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/shell/output.h"
#include "core/shell/rc.h"
#include "core/shell/session_run.h"

#define FILES_MAX 1000

static bool is_trusted(uid_t owner)
{
	return owner == geteuid() || owner == 0;
}

/* Is what is open here a file, or a folder, that only the person who runs obit, or root, could have
 * written? */
static bool rc_is_safe(struct session *s, const char *path, int fd, bool folder, const char *done)
{
	const char *why = NULL;
	struct stat link, st;

	if (lstat(path, &link) || fstat(fd, &st))
		why = "it is gone";
	else if (folder ? !S_ISDIR(st.st_mode) : !S_ISREG(st.st_mode))
		why = folder ? "it is not a folder" : "it is not a regular file";
	/* a link of somebody else's could aim at any file of mine */
	else if (!is_trusted(st.st_uid) || !is_trusted(link.st_uid))
		why = "it belongs to somebody else";
	else if (st.st_mode & (S_IWGRP | S_IWOTH))
		why = "others may write it; chmod go-w makes it safe";
	if (why)
		output_diagnose(s->out, "'%s' is not %s: %s", path, done, why);
	return !why;
}

/* An rc file may run programs, so what was looked at is what is run. */
FILE *rc_open(struct session *s, const char *path, const char *done)
{
	/* not to be caught by a FIFO */
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	FILE *f = NULL;

	if (fd >= 0 && rc_is_safe(s, path, fd, false, done))
		f = fdopen(fd, "r");
	if (!f && fd >= 0)
		close(fd);
	return f;
}

bool rc_folder(struct buf *path)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (config && *config == '/')
		buf_printf(path, "%s/obit", config);
	else if (home && *home == '/')
		buf_printf(path, "%s/.config/obit", home);
	return path->n;
}

static void run_file(struct session *s, const char *path, bool any_owner)
{
	struct err err;
	FILE *f = any_owner ? fopen(path, "re") : rc_open(s, path, "run");

	if (f && !session_source_stream(s, f, path, &err))
		session_fail(s, NULL, &err);
	if (f)
		fclose(f);
}

/* ---- commands of one's own */

static int is_commands(const struct dirent *e)
{
	size_t n = strlen(e->d_name);

	return *e->d_name != '.' && n > 5 && !strcmp(e->d_name + n - 5, ".obit");
}

/* The definitions in the folder's files, by name; other lines in them are refused. */
static void run_folder(struct session *s, const char *path, bool any_owner)
{
	struct dirent **files;
	bool outer = s->defining;
	struct err err;
	int n = scandir(path, &files, is_commands, alphasort);

	if (n < 0) {
		err_set_errno(&err, "cannot read '%.100s'", path);
		session_fail(s, NULL, &err);
		return;
	}
	s->defining = true;
	for (int i = 0; i < n; i++) {
		struct buf file = { 0 };

		buf_printf(&file, "%s/%s", path, files[i]->d_name);
		if (i < FILES_MAX && !s->quit)
			run_file(s, file.s, any_owner);
		buf_release(&file);
		free(files[i]);
	}
	free(files);
	s->defining = outer;
	if (n > FILES_MAX) {
		err_set(&err, ERR_LIMIT, "'%.100s': only the first %d of its %d files were read",
			path, FILES_MAX, n);
		session_fail(s, NULL, &err);
	}
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static void run_own_commands(struct session *s)
{
	struct buf path = { 0 };
	int fd;

	if (!rc_folder(&path))
		return;
	buf_str(&path, "/commands");
	fd = open(path.s, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && rc_is_safe(s, path.s, fd, true, "run"))
		run_folder(s, path.s, false);
	if (fd >= 0)
		close(fd);
	buf_release(&path);
}

void rc_run_own(struct session *s)
{
	const char *home = getenv("HOME");
	struct buf path = { 0 };

	if (!home || *home != '/')
		return;
	run_own_commands(s);
	buf_printf(&path, "%s/.obitrc", home);
	run_file(s, path.s, false);
	buf_release(&path);
}

void rc_run_named(struct session *s, const char *path)
{
	struct err err;

	if (is_folder(path))
		run_folder(s, path, true);
	else if (!session_source(s, path, &err))
		session_fail(s, NULL, &err);
}
