/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program's own words: the options and commands that a shell's line may have. Parsing, --help
 * and the completion of shells are made of the same rows. */
#ifndef OBIT_PROGRAM_H
#define OBIT_PROGRAM_H

#include <stddef.h>

#include "core/base/buf.h"

/* What an option takes, for messages and for completion. */
enum program_takes {
	TAKES_NONE,
	TAKES_TEXT,
	TAKES_NUMBER,
	TAKES_FILE,
	TAKES_FOLDER,
	TAKES_LINE,   /* a line of commands */
	TAKES_READER, /* the name of a reader of dumps */
	TAKES_ARCH,   /* the name of an architecture */
	TAKES_SHELL,  /* one that completion is made for */
	TAKES_COLOR   /* when text is coloured */
};

struct program_option {
	const char *name; /* as it is typed: "--json" */
	const char *arg;  /* what the help calls its value: "DIR"; NULL: it has none */
	enum program_takes takes;
	size_t at;        /* where whoever parses it stores it */
	const char *help; /* further lines stand behind '\n' */
	bool alone;       /* not behind a command that stands before files */
};

/* What the program knows beside the table of commands. */
struct own_words {
	const struct program_option *options;
	size_t n;
	/* those of `triage` and its other name, for many crashes, of which the first is one of the
	 * program's, too */
	const struct program_option *fleet;
	size_t n_fleet;
	const char *const *verbs;   /* commands that may stand before files; NULL at the end */
	const char *const *readers; /* of dumps; NULL at the end */
	const char *const *colors;  /* what --color takes; NULL at the end */
};

/* Appends the options with their help, as `--help` shows them. */
void program_options_add(struct buf *b, const struct own_words *p);
/* Appends the script that completes obit's words in a shell: "bash", "zsh" or "fish". False: it is
 * none of these. */
bool completion_add(struct buf *b, const struct own_words *p, const char *shell);
extern const char *const completion_shells[]; /* NULL at the end */

#endif
