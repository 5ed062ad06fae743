/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where finished text goes: buffered writes, the pager, files, and pipes to the shell. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/guard.h"
#include "core/base/number.h"
#include "core/shell/output.h"
#include "core/shell/render/paint.h"

#define PENDING_MAX ((size_t)64 << 10)
#define LIVE_NS UINT64_C(100000000)

extern char **environ;

bool terminal_size(int fd, unsigned *rows, unsigned *cols)
{
	struct winsize ws;

	if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &ws))
		return false;
	*rows = ws.ws_row ? ws.ws_row : 24;
	*cols = ws.ws_col ? ws.ws_col : 80;
	return true;
}

bool program_exists(const char *program)
{
	const char *path = getenv("PATH");
	struct buf b = { 0 };
	bool found = false;

	while (path && *path && !found) {
		size_t n = strcspn(path, ":");

		buf_reset(&b);
		buf_add(&b, path, n);
		buf_printf(&b, "/%s", program);
		found = access(b.s, X_OK) == 0;
		path += n + (path[n] == ':');
	}
	buf_release(&b);
	return found;
}

const char *pager_choose(const char *configured)
{
	const char *p = getenv("OBIT_PAGER");

	if (!p)
		p = configured;
	if (!p)
		p = getenv("PAGER");
	if (p)
		return *p && strcmp(p, "cat") ? p : NULL;
	return program_exists("less") ? "less" : NULL;
}

/* "sh -c command" with the given stdin (-1: ours); signals that obit handles are the default's
 * again. */
static bool spawn_shell(const char *command, int in, pid_t *ret, struct err *err)
{
	char *argv[] = { "sh", "-c", (char *)command, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t defaults;
	int rc;

	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGXFSZ);
	sigaddset(&defaults, SIGINT);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &defaults);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&actions);
	if (in >= 0)
		posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	rc = posix_spawn(ret, "/bin/sh", &actions, &attr, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	if (rc) {
		errno = rc;
		return err_set_errno(err, "cannot run '%.100s'", command);
	}
	return true;
}

static int wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

static void write_all(struct output *o, const char *s, size_t n)
{
	if (n)
		progress_end(&o->progress);
	if (o->gone || fd_write(o->fd, s, n))
		return;
	if (errno != EPIPE)
		o->error = errno;
	o->gone = true;
	interrupted = 1;
}

void output_flush(struct output *o)
{
	write_all(o, o->pending.s, o->pending.n);
	buf_reset(&o->pending);
}

/* Opens a pipe to a shell command; what is pending stays pending, so it goes there. */
static bool pipe_open(struct output *o, const char *command, struct err *err)
{
	int fds[2];

	progress_end(&o->progress); /* the screen is the other program's, too */
	if (pipe2(fds, O_CLOEXEC))
		return err_set_errno(err, "cannot make a pipe");
	if (!spawn_shell(command, fds[0], &o->child, err)) {
		close(fds[0]);
		close(fds[1]);
		o->child = 0;
		return false;
	}
	close(fds[0]);
	o->fd = fds[1];
	return true;
}

/* The version of the less that is installed; 0: none is, or it does not say. */
static uint64_t less_version(void)
{
	/* "less 590 (GNU regular expressions)" */
	FILE *f = popen("less --version 2>/dev/null", "re");
	char line[128];
	uint64_t version = 0;
	const char *s = line + 5;

	if (!f)
		return 0;
	if (!fgets(line, sizeof(line), f) || strncmp(line, "less ", 5) != 0 ||
	    !number_take(&s, NULL, 10, &version))
		version = 0;
	pclose(f);
	return version;
}

/* Since version 600 less keeps the first lines of a text on the screen. */
#define LESS_HEADER 600

/* A table that is all of the first screen keeps its head in the pager. What stands behind the line
 * that a shell makes more of, "less -R | tee log", would be an option of another command. */
static bool is_headed(const struct output *o)
{
	bool less = !strncmp(o->pager_command, "less", 4) &&
		    (!o->pager_command[4] || o->pager_command[4] == ' ') &&
		    !strpbrk(o->pager_command, "|&;<>()`$#\n");

	return less && o->head_first && o->heads == 1 && less_version() >= LESS_HEADER;
}

static void pager_start(struct output *o)
{
	struct buf command = { 0 };
	struct err err;

	o->paging = false;
	if (!getenv("LESS"))
		setenv("LESS", "FRX", 1);
	buf_printf(&command, "%s%s", o->pager_command, is_headed(o) ? " --header=1" : "");
	o->pager = pipe_open(o, command.s, &err);
	buf_release(&command);
}

void output_head(void *self)
{
	struct output *o = self;

	o->head_first |= !o->seen && !o->col;
	o->heads++;
}

/* Is the byte part of a sequence that takes no column: "ESC [ ... m", "ESC ] ... ESC \"? */
static bool is_escape(struct output *o, char c)
{
	enum {
		TEXT,
		BEGUN,
		CSI,
		OSC,
		OSC_END
	};

	switch (o->escape) {
	case BEGUN:
		o->escape = c == '[' ? CSI : c == ']' ? OSC : TEXT;
		return true;
	case CSI:
		o->escape = c >= '@' && c <= '~' ? TEXT : CSI;
		return true;
	case OSC:
		o->escape = c == '\033' ? OSC_END : OSC;
		return true;
	case OSC_END:
		o->escape = TEXT;
		return true;
	default:
		o->escape = c == '\033' ? BEGUN : TEXT;
		return o->escape;
	}
}

/* Counts the rows that the text takes on the screen. */
static void count_rows(struct output *o, const char *s, size_t n)
{
	for (size_t i = 0; i < n && o->seen < o->rows; i++) {
		if (is_escape(o, s[i]))
			continue;
		if (s[i] == '\n' || ++o->col > o->cols) {
			o->seen++;
			o->col = 0;
		}
	}
}

/* Has somebody who waits for each record waited long enough? */
static bool is_due(struct output *o)
{
	struct timespec ts;
	uint64_t now;

	if (!o->live || clock_gettime(CLOCK_MONOTONIC, &ts))
		return false;
	now = (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
	if (now - o->written_ns < LIVE_NS)
		return false;
	o->written_ns = now;
	return true;
}

bool output_write(void *self, const char *s, size_t n)
{
	struct output *o = self;

	if (o->gone)
		return false;
	buf_add(&o->pending, s, n);
	if (o->paging) {
		count_rows(o, s, n);
		if (o->seen + 1 < o->rows)
			return true;
		pager_start(o);
	}
	if (o->pending.n >= PENDING_MAX || o->pager || is_due(o))
		output_flush(o);
	return !o->gone;
}

bool output_to_file(struct output *o, const char *path, bool append, struct err *err)
{
	struct outfile f;

	if (!outfile_open(&f, path, append ? OUTFILE_APPEND : OUTFILE_OVER, err))
		return false;
	output_flush(o);
	o->file = f;
	o->fd = f.fd;
	return true;
}

bool output_to_shell(struct output *o, const char *command, struct err *err)
{
	output_flush(o);
	return pipe_open(o, command, err);
}

void output_to_pager(struct output *o, const char *command)
{
	if (!command || !terminal_size(STDOUT_FILENO, &o->rows, &o->cols))
		return;
	output_flush(o);
	o->pager_command = command;
	o->seen = o->col = o->heads = o->escape = 0;
	o->head_first = false;
	o->paging = true;
}

int output_end(struct output *o, bool *gone)
{
	struct err ignored;
	int status = 0;

	output_flush(o);
	*gone = o->gone;
	if (o->fd != STDOUT_FILENO) {
		if (!o->file.path) {
			close(o->fd);
		} else if (!outfile_close(&o->file, !o->gone, &ignored) && !o->gone) {
			o->error = errno;
			*gone = true;
		}
		o->file.path = NULL;
		o->fd = STDOUT_FILENO;
		o->gone = false; /* that reader's, not stdout's */
	}
	if (o->child)
		status = wait_for(o->child);
	o->child = 0;
	o->pager = o->paging = false;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

bool output_redirected(const struct output *o)
{
	return o->fd != STDOUT_FILENO;
}

bool shell_run(const char *command, bool no_stdin, int *status, struct err *err)
{
	int in = no_stdin ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
	pid_t pid;
	bool ok = spawn_shell(command, in, &pid, err);

	if (in >= 0)
		close(in);
	if (ok)
		*status = wait_for(pid);
	return ok;
}

static void diagnose(struct output *o, enum meaning meaning, const char *s, size_t n)
{
	struct output err = { .fd = STDERR_FILENO };
	struct buf b = { 0 };

	if (o->tell) {
		o->tell(o->tell_arg, s, n);
		return;
	}
	buf_plain_lines(&b, s, n);
	buf_char(&b, '\n');
	if (o->colour)
		paint(&b, 0, meaning);
	if (o->ascii)
		paint_ascii(&b);
	if ((o->pager || o->paging) && isatty(STDERR_FILENO)) {
		output_write(o, b.s, b.n);
	} else {
		int was = interrupted;

		progress_clear(&o->progress);

		if (o->fd == STDOUT_FILENO)
			output_flush(o);
		write_all(&err, b.s, b.n);
		if (err.gone)
			interrupted = was;
	}
	buf_release(&b);
}

void output_diagnose(struct output *o, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	diagnose(o, MEANING_NONE, buf_text(&b), b.n);
	buf_release(&b);
}

void output_diagnose_as(struct output *o, enum meaning meaning, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	diagnose(o, meaning, buf_text(&b), b.n);
	buf_release(&b);
}
