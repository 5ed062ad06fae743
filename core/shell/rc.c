/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rc file: command lines that are run before any other, and whose they may be. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/shell/output.h"
#include "core/shell/rc.h"
#include "core/shell/session_run.h"

static bool is_trusted(uid_t owner)
{
	return owner == geteuid() || owner == 0;
}

/* Is what is open here a file that only the person who runs obit, or root, could have written? */
static bool rc_is_safe(struct session *s, const char *path, int fd, const char *done)
{
	const char *why = NULL;
	struct stat link, st;

	if (lstat(path, &link) || fstat(fd, &st))
		why = "it is gone";
	else if (!S_ISREG(st.st_mode))
		why = "it is not a regular file";
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

	if (fd >= 0 && rc_is_safe(s, path, fd, done))
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

void rc_run_own(struct session *s)
{
	const char *home = getenv("HOME");
	struct buf path = { 0 };
	struct err err;
	FILE *f;

	if (!home || *home != '/')
		return;
	buf_printf(&path, "%s/.obitrc", home);
	f = rc_open(s, path.s, "run");
	if (f && !session_source_stream(s, f, path.s, &err))
		session_fail(s, NULL, &err);
	if (f)
		fclose(f);
	buf_release(&path);
}

void rc_run_named(struct session *s, const char *path)
{
	struct err err;

	if (!session_source(s, path, &err))
		session_fail(s, NULL, &err);
}
