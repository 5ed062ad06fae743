/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The grammar of a line: commands, their words, pipelines, redirections. Knows no command by name.
 */
#ifndef OBIT_PARSE_H
#define OBIT_PARSE_H

#include "core/base/arena.h"
#include "core/base/buf.h"

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

/* Parses the first job of the line, and sets *rest to what follows its ';', "" at the end.
 * is_stage() says whether the word behind a '|' names a stage; when it does not, the rest is shell
 * text. All results are in the arena. ERR_USAGE. */
bool parse_job(struct arena *a, const char *line, bool (*is_stage)(const char *word, void *arg),
	       void *arg, struct job *ret, const char **rest, struct err *err) MUST_CHECK;
/* What the grammar, which knows no command, asks of those who do. */
struct parse_hooks {
	bool (*is_stage)(const char *word, void *arg);
	/* Does the stage of this name take an expression, so that '<', '>' and "||" are operators?
	 */
	bool (*is_expression)(const char *word, void *arg); /* may be NULL */
	const char
		*until; /* a job ends in front of this word, unless it is its first; NULL: none */
	void *arg;
};
/* The same for a line that may have such stages. */
bool parse_job_with(struct arena *a, const char *line, const struct parse_hooks *hooks,
		    struct job *ret, const char **rest, struct err *err) MUST_CHECK;
/* The first word of text as it was typed, and *rest what follows it. ERR_USAGE: there is none. */
bool parse_first(struct arena *a, const char *text, const char **ret, const char **rest,
		 struct err *err) MUST_CHECK;
/* Parses a text that is one stage and nothing else. */
bool parse_words(struct arena *a, const char *text, struct stage *ret, struct err *err) MUST_CHECK;
/* Appends the word to a line, behind a blank, so that it is read as that word, whatever is in it.
 */
void parse_add_word(struct buf *line, const char *word);
/* Where the line's first word begins, which may be an alias; *n is how many characters it has. *n
 * is 0 when the line has no word of plain characters there. */
const char *parse_first_word(const char *line, size_t *n);

#endif
