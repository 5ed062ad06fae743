/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line of a trace in text, taken apart. */
#ifndef OBIT_TRACEROW_H
#define OBIT_TRACEROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The forms that rows have; see tracerow.c. */
enum tracerow_kind {
	ROW_NONE,
	ROW_EVENT,   /* "comm-pid [001] d..2. 12.345678: event: words", also without flags */
	ROW_LATENCY, /* "comm-pid 1d..2. 345us+: event: words", and its verbose form */
	ROW_LOST,    /* "CPU:1 [LOST 12 EVENTS]" */
	ROW_STACK    /* " => function": more of the event before */
};

/* A row. Its strings are parts of the line that was parsed. */
struct tracerow {
	enum tracerow_kind kind;
	const char *comm, *latency, *name, *text; /* NULL: the line does not have it */
	size_t word;       /* where name is NULL: how many characters of text are the name */
	bool bare;         /* the line has the words without the name in front */
	int32_t pid, tgid; /* -1: the same */
	int cpu;
	uint64_t ts; /* nanoseconds, or the clock's own units where !ns */
	bool ns, has_ts;
	uint64_t lost; /* UINT64_MAX: an unknown number */
	uint8_t flags, preempt;
	char mark; /* behind a latency row's time; '\0': none can be there */
};

/* Parses a line, which ends with a NUL in place of its newline, and cuts it to pieces. `latency`:
 * the file's head says that rows are of the latency format, so that form is tried first. False: it
 * is no row, the line is as it was, and ret->kind is ROW_NONE. */
bool tracerow_parse(char *s, bool latency, struct tracerow *ret);
/* Sets flags, depth and the column's text of a row by the column of n letters at s, as "d..2.".
 * False: it is no such column. The caller ends it with a NUL. */
bool tracerow_flags(const char *s, size_t n, struct tracerow *ret);
/* "comm-pid" in [s, end), without the blanks around it: sets comm and pid. *dash is where the comm
 * ends, for the caller to put a NUL there. False: it is no such thing. */
bool tracerow_task(char *s, char *end, struct tracerow *ret, char **dash);
/* "12.345678" (or with nanoseconds) or "123456789" before a character of `stop`; *s goes to that
 * character. */
bool tracerow_stamp(char **s, char stop, struct tracerow *ret);
/* "event: words"; what has no such name is a function's, or a syscall's "sys_read(fd: 3)". Cuts. */
void tracerow_words(char *s, struct tracerow *ret);

#endif
