/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The grammar of a line: commands, their words, pipelines, redirections. Knows no command by name.
 */
#ifndef OBIT_PARSE_H
#define OBIT_PARSE_H

#include "core/base/arena.h"

/*
 *	line     = job { ";" job } [ "#" comment ]
 *	job      = stage { "|" stage } [ "|" shell text ] [ ">" file | ">>" file ] [ "<" file ]
 *	         | "!" shell text | "<" file
 *
 * Quotes '…' and "…" and a backslash make characters ordinary; so do ( ) and [ ], within which
 * white space does not end a word either: an expression needs no quotes. A redirection is a '<' or
 * '>' at the start of a word; to a number, or to what is in ( ), it is an error, for a comparison
 * was meant. Shell text reaches to the end of the line, ';' included.
 */
struct word {
	const char *text;  /* without its quotes */
	size_t start, end; /* where it stands in the stage's raw text */
	bool literal;      /* began with a quote or a backslash: no alias, no option */
};

struct stage {
	const char *raw; /* as typed, without redirections */
	const struct word *words;
	size_t n_words;
};

struct job {
	const struct stage *stages;
	size_t n_stages;   /* 0: nothing to run, or only `shell` or `in` */
	const char *shell; /* for sh -c: behind a pipe, or of "!"; NULL: none */
	const char *out;   /* file that takes the output; NULL: none */
	const char *in;    /* file of argument lines, or of commands when there is no stage */
	bool append;
};

/* The first job of the line; *rest is what follows its ';', at the end "". is_stage tells whether a
 * word behind '|' names a stage, all else is the shell's. All results are in the arena. ERR_USAGE.
 */
bool parse_job(struct arena *a, const char *line, bool (*is_stage)(const char *word, void *arg),
	       void *arg, struct job *ret, const char **rest, struct err *err) MUST_CHECK;
/* What the grammar asks of those who know the commands. */
struct parse_hooks {
	bool (*is_stage)(const char *word, void *arg);
	/* The stage of this name takes an expression: its '<', '>' and "||" are operators. */
	bool (*is_expression)(const char *word, void *arg); /* may be NULL */
	void *arg;
};
/* The same, for a line with such stages. */
bool parse_job_with(struct arena *a, const char *line, const struct parse_hooks *hooks,
		    struct job *ret, const char **rest, struct err *err) MUST_CHECK;
/* The words of a text that holds one stage and nothing else, for options and operands. */
bool parse_words(struct arena *a, const char *text, struct stage *ret, struct err *err) MUST_CHECK;
/* The first word when an alias may stand there: plain characters only. *n is 0 when there is none;
 * returns where it starts. */
const char *parse_first_word(const char *line, size_t *n);

#endif
