/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The prompt: readline, and a history that is kept between runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/shell/repl.h"

#define HISTORY_MAX 2000

/* Makes the folders of path, up to its last slash, for the person alone. */
static void make_folders(struct buf *path)
{
	for (size_t i = 1; i < path->n; i++) {
		if (path->s[i] != '/')
			continue;
		path->s[i] = '\0';
		mkdir(path->s, 0700);
		path->s[i] = '/';
	}
}

/* $XDG_STATE_HOME/obit/history, or under ~/.local/state; empty when there is no home. */
static void history_path(struct buf *path)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state && *state == '/')
		buf_printf(path, "%s/obit/history", state);
	else if (home && *home)
		buf_printf(path, "%s/.local/state/obit/history", home);
}

static void history_load(const struct buf *path)
{
	using_history();
	stifle_history(HISTORY_MAX);
	if (path->n)
		read_history(path->s);
}

static void history_save(struct buf *path)
{
	mode_t mask;

	if (!path->n)
		return;
	make_folders(path);
	mask = umask(0077);
	if (!write_history(path->s))
		chmod(path->s, 0600);
	umask(mask);
}

static bool history_line(size_t i, const char **line)
{
	HIST_ENTRY **all = history_list();

	if (!all || i >= (size_t)history_length)
		return false;
	*line = all[i]->line;
	return true;
}

static void history_remember(const char *line)
{
	const char *last;

	if (!line[strspn(line, " \t")] || *line == ' ')
		return;
	if (history_length && history_line((size_t)history_length - 1, &last) &&
	    !strcmp(last, line))
		return;
	add_history(line);
}

/* Called by readline when a signal came while it waits: Ctrl-C gives a fresh line. */
static int on_signal(void)
{
	if (!interrupted)
		return 0;
	interrupted = 0;
	rl_replace_line("", 1);
	rl_crlf();
	rl_on_new_line();
	rl_redisplay();
	return 0;
}

void repl_run(struct session *s)
{
	struct buf path = { 0 };
	char *line;

	rl_readline_name = "obit";
	rl_signal_event_hook = on_signal;
	history_path(&path);
	history_load(&path);
	s->history = history_line;
	while (!s->quit) {
		interrupted = 0;
		line = readline("obit> ");
		if (!line) {
			printf("\n");
			fflush(stdout);
			break;
		}
		history_remember(line);
		session_run(s, line);
		free(line);
	}
	history_save(&path);
	buf_release(&path);
}
