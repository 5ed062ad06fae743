/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The prompt: readline, and a history that is kept between runs. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/base/outfile.h"
#include "core/shell/prompt/complete.h"
#include "core/shell/prompt/history.h"
#include "core/shell/prompt/repl.h"
#include "core/shell/session_run.h"

#define HISTORY_MAX 2000

static bool history_line(size_t i, const char **line)
{
	HIST_ENTRY **all = history_list();

	if (!all || i >= (size_t)history_length)
		return false;
	*line = all[i]->line;
	return true;
}

/* A line that begins with a blank is not kept, as in the shell; nor is the same one twice. */
static void history_remember(const char *path, const char *line)
{
	const char *last;

	if (!line[strspn(line, " \t")] || *line == ' ')
		return;
	if (history_length && history_line((size_t)history_length - 1, &last) &&
	    !strcmp(last, line))
		return;
	add_history(line);
	if (path)
		history_file_add(path, line);
}

/* What readline is told of Ctrl-C, a key at a time, until it gives the line up: first to leave a
 * search, then whatever else waits for a key (a number, the second key of two, "Display all?"),
 * then that there is no more input. A line that was begun, or found, must not be run later. */
static int key_of_interrupt(void)
{
	const unsigned long nested = RL_STATE_DISPATCHING | RL_STATE_MULTIKEY | RL_STATE_METANEXT |
				     RL_STATE_MOREINPUT | RL_STATE_NUMERICARG;

	if (RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH))
		return CTRL('G');
	if (RL_ISSTATE(nested)) {
		RL_UNSETSTATE(nested);
		rl_abort(1, 0); /* does not return: readline waits for the next key */
	}
	rl_replace_line("", 0);
	return EOF;
}

static volatile sig_atomic_t continued; /* after Ctrl-Z, by fg */

static void on_continue(int number)
{
	(void)number;
	continued = 1;
}

/* Readline's own reader forgets a signal that comes just before it waits, until the next key. So
 * signals are let in only while nobody but ppoll() is at work. */
static int read_key(FILE *in)
{
	struct pollfd key = { .fd = fileno(in), .events = POLLIN };
	sigset_t all, before;
	unsigned char c;
	int ready;

	sigfillset(&all);
	for (;;) {
		rl_check_signals(); /* Ctrl-Z stops here */
		if (interrupted)
			return key_of_interrupt();
		if (continued) {
			continued = 0;
			rl_forced_update_display();
		}
		sigprocmask(SIG_BLOCK, &all, &before);
		ready = rl_pending_signal() || interrupted || continued
				? 0
				: ppoll(&key, 1, NULL, &before);
		sigprocmask(SIG_SETMASK, &before, NULL);
		if (ready < 0 && errno != EINTR)
			return EOF;
		if (ready > 0)
			return read(key.fd, &c, 1) == 1 ? c : EOF;
	}
}

/* Readline passes nothing through to its completer: the session of the prompt that is being read.
 */
static struct session *prompting;

static char **complete(const char *text, int start, int end)
{
	struct candidates found = { 0 };
	struct arena a = { 0 };
	char **matches = NULL;

	(void)text;
	complete_line(prompting, &a, rl_line_buffer, (size_t)start, (size_t)end, &found);
	rl_attempted_completion_over = !found.files;
	if (found.words.n) {
		/* as readline wants it: what all have in common, then each; malloc'd */
		matches = xrealloc(NULL, (found.words.n + 2) * sizeof(*matches));
		matches[0] = strndup(found.words.p[0], found.common);
		matches[1] = NULL; /* one alone is what it has in common with itself */
		for (size_t i = 0; found.words.n > 1 && i <= found.words.n; i++)
			matches[i + 1] = i < found.words.n ? strdup(found.words.p[i]) : NULL;
		rl_completion_append_character = found.found == 1 ? ' ' : '\0';
	}
	candidates_release(&found);
	arena_release(&a);
	arena_reset(prompting->t->scratch);
	return matches;
}

static void set_up_readline(struct session *s)
{
	prompting = s;
	rl_readline_name = "obit";
	rl_getc_function = read_key;
	rl_attempted_completion_function = complete;
	rl_completer_word_break_characters = COMPLETE_BREAKS;
	rl_completer_quote_characters = "";
	rl_filename_quote_characters = "";
	signal(SIGCONT, on_continue);
}

/* The line to be run for what was typed: itself, or one from before, which is shown first. NULL:
 * there is none such. The caller frees it. */
static char *line_meant(struct session *s, char *typed)
{
	const char *before;
	struct err err;

	if (!history_recall(typed, history_line, &before, &err))
		return typed;
	free(typed);
	if (!before) {
		session_fail(s, NULL, &err);
		return NULL;
	}
	typed = strdup(before);
	if (typed) {
		printf("%s\n", typed);
		fflush(stdout);
	}
	return typed;
}

void repl_run(struct session *s)
{
	struct buf path = { 0 };
	char *line;

	set_up_readline(s);
	history_file_path(&path);
	if (path.n && file_is_input(path.s)) {
		fprintf(stderr, "obit: the history is not saved: '%s' is an input\n", path.s);
		buf_reset(&path);
	}
	using_history();
	stifle_history(HISTORY_MAX);
	if (path.n)
		history_file_each(path.s, add_history);
	s->history = history_line;
	while (!s->quit) {
		interrupted = continued = 0;
		line = readline(s->block ? "> " : "obit> ");
		if (!line) {
			printf("\n");
			fflush(stdout);
			if (interrupted) { /* Ctrl-C gives a fresh line */
				session_block_drop(s);
				continue;
			}
			break;
		}
		line = line_meant(s, line);
		if (!line)
			continue;
		history_remember(path.n ? path.s : NULL, line);
		if (!session_run(s, line))
			rl_crlf(); /* behind the terminal's ^C */
		free(line);
	}
	session_block_end(s); /* Ctrl-D within a definition */
	buf_release(&path);
}
