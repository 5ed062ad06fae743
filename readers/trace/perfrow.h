/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line of what `perf script` or `perf trace` printed, taken apart. */
#ifndef OBIT_PERFROW_H
#define OBIT_PERFROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The forms that lines have; see perfrow.c. */
enum perfrow_kind {
	PERFROW_NONE,
	PERFROW_SAMPLE, /* "comm 12 [001] 1.234567: sched:sched_switch: words" */
	PERFROW_CALL,   /* "1.234 ( 0.005 ms): comm/12 read(fd: 3) = 0", also of an event */
	PERFROW_LOST    /* "LOST 12 events!" */
};

/* A row. Its strings are parts of the line that was parsed. */
struct perfrow {
	enum perfrow_kind kind;
	const char *comm, *system, *name, *text; /* NULL: the line does not have it */
	size_t name_n;     /* bytes of name, for a call's text goes on behind it */
	const char *took;  /* of a call: "0.005 ms"; NULL: not told */
	int32_t pid, tgid; /* -1: the same */
	int cpu;           /* -1: the same */
	uint64_t ts;       /* nanoseconds */
	bool has_ts;
	uint64_t period; /* 0: not told */
	uint64_t lost;
};

/* Parses a line, which ends with a NUL in place of its newline, and cuts it to pieces. False: it is
 * no row, and ret->kind is PERFROW_NONE. */
bool perfrow_parse(char *s, struct perfrow *ret);
/* Is the line one of a call chain, of a row of that kind? Then *ret is where it led to, without the
 * address where a name follows: "vfs_read+0x5 (vmlinux)", and the line is cut. */
bool perfrow_frame(char *s, enum perfrow_kind of, const char **ret);

/* Splits "sched:sched_switch" into system and name. *system NULL: it has none, as "cycles:u". */
void perfrow_event(char *s, const char **system, const char **name);

#endif
