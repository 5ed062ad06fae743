/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where finished text goes: stdout, a pager once it is longer than the screen, a file, or a shell
 * command. */
#ifndef OBIT_OUTPUT_H
#define OBIT_OUTPUT_H

#include <sys/types.h>

#include "core/base/buf.h"
#include "core/base/outfile.h"

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
	struct outfile file; /* that a line is redirected to; path NULL: none */
	struct buf pending;
};

/* For struct sink: self is the struct output. Sets `interrupted` when the reader has gone, so that
 * the command stops. */
bool output_write(void *self, const char *s, size_t n);
void output_flush(struct output *o);
/* Redirects until output_end(). ERR_IO. */
bool output_to_file(struct output *o, const char *path, bool append, struct err *err) MUST_CHECK;
bool output_to_shell(struct output *o, const char *command, struct err *err) MUST_CHECK;
/* Text longer than the screen goes to this pager until output_end(). */
void output_to_pager(struct output *o, const char *command);
/* Writes what is pending, waits for the reader, and goes back to stdout. *gone says whether the
 * reader left early. The reader's exit status, 0 when there was none. */
int output_end(struct output *o, bool *gone);
/* Is text going somewhere else than to stdout itself? */
bool output_redirected(const struct output *o);

/* Runs "sh -c command" with obit's own stdin (or /dev/null) and stdout, and waits. */
bool shell_run(const char *command, bool no_stdin, int *status, struct err *err) MUST_CHECK;
/* A diagnostic for the person: one line to stderr, or into the pager when that holds the screen. */
void output_diagnose(struct output *o, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Size of the terminal on fd; false when it is none. */
bool terminal_size(int fd, unsigned *rows, unsigned *cols);
/* Is there a program of this name in $PATH? */
bool program_exists(const char *name);
/* The pager people want: $OBIT_PAGER, $PAGER, or less when it is installed; NULL: none. */
const char *pager_choose(void);

#endif
