/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where finished text goes: stdout, a pager once it is longer than the screen, a file, or a shell
 * command. */
#ifndef OBIT_OUTPUT_H
#define OBIT_OUTPUT_H

#include <sys/types.h>

#include "core/base/buf.h"
#include "core/base/outfile.h"
#include "core/shell/progress.h"
#include "core/shell/record.h"

struct output {
	int fd;             /* 1, or a file or pipe while a line is redirected */
	pid_t child;        /* the pager or shell that reads from fd; 0: none */
	bool gone;          /* the reader went away: what is written is dropped */
	int error;          /* errno of a write that failed, but for a reader that left; 0: none */
	bool paging;        /* a pager may start once `rows` were seen */
	bool pager;         /* child is the pager */
	unsigned rows;      /* height of the terminal */
	unsigned cols;      /* width; 0: no terminal */
	unsigned seen, col; /* rows and columns of the text so far */
	const char *pager_command;
	unsigned escape;     /* where in a sequence that takes no column the text so far ends */
	unsigned heads;      /* heads of tables that were written since the pager may start */
	bool head_first;     /* and nothing stood before the first of them */
	bool colour;         /* what is said on stderr is coloured by what it means */
	bool ascii;          /* and what is not ASCII in it is escaped */
	struct outfile file; /* that a line is redirected to; path NULL: none */
	struct buf pending;
	bool live;                /* what is pending is written after a tenth of a second, too */
	uint64_t written_ns;      /* when something was */
	struct progress progress; /* of the command that runs; no output stands beside it */
	/* Takes what output_diagnose() is told, in a process that does not write itself; else NULL.
	 */
	void (*tell)(void *arg, const char *s, size_t n);
	void *tell_arg;
};

/* Writes n bytes; struct sink.write for a struct output. When the reader has gone away
 * `interrupted` is set, so that the command stops. */
bool output_write(void *self, const char *s, size_t n);
/* The head of a table comes next: struct sink.head for a struct output. */
void output_head(void *self);
/* Writes what is pending. */
void output_flush(struct output *o);
/* From now on until output_end() what is written goes to a file, or to a shell command. ERR_IO. */
bool output_to_file(struct output *o, const char *path, bool append, struct err *err) MUST_CHECK;
bool output_to_shell(struct output *o, const char *command, struct err *err) MUST_CHECK;
/* The same for text that is longer than the screen, and a pager. */
void output_to_pager(struct output *o, const char *command);
/* Writes what is pending, waits for the reader to end, and goes back to stdout. *gone is set to
 * whether the reader left before it had everything. Returns the reader's exit status, 0 when there
 * was no reader. */
int output_end(struct output *o, bool *gone);
/* Is text going somewhere else than to stdout itself? */
bool output_redirected(const struct output *o);

/* Runs "sh -c command" with obit's own stdout, and its stdin or, with no_stdin, /dev/null; sets
 * *status to how it ended. */
bool shell_run(const char *command, bool no_stdin, int *status, struct err *err) MUST_CHECK;
/* Writes a line for the person to stderr, or into the pager while that has the screen. */
void output_diagnose(struct output *o, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The same, coloured where there are colours. */
void output_diagnose_as(struct output *o, enum meaning meaning, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
/* Sets *rows and *cols to the size of the terminal fd. False: it is no terminal. */
bool terminal_size(int fd, unsigned *rows, unsigned *cols);
/* Is there a program of this name in $PATH? */
bool program_exists(const char *name);
/* The pager to use: $OBIT_PAGER, else the one that is configured unless that is NULL, else $PAGER,
 * else less if it is installed; NULL: none. */
const char *pager_choose(const char *configured);

#endif
