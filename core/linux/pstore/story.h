/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What survivors tell together: one timeline of messages, one of calls. */
#ifndef OBIT_STORY_H
#define OBIT_STORY_H

#include "core/image/target.h"

/* All n records in the order in which a story is told; empty ones are last. The array is in the
 * arena.
 */
const struct survivor *const *survivors_ordered(struct target *t, struct arena *a, size_t *n);

/* Where a line of the story was found; any of them ORed. */
enum story_source {
	STORY_DMESG = 1,
	STORY_CONSOLE = 2,
	STORY_PMSG = 4,
	STORY_DUMP = 8 /* the log in the dump's memory */
};
#define STORY_SOURCES 4
struct story_line {
	unsigned sources;
	unsigned crash; /* which boot it is of, the oldest being 1; 0: nothing says which */
	bool has_time;  /* it has a time itself; else time_ns is that of the line before */
	uint64_t time_ns;
	bool has_wall;
	int64_t wall_ns;
	int level, facility; /* -1 not said */
	const char *caller;
	size_t caller_n;
	const char *tag; /* of user space's messages; NULL */
	unsigned pid;
	const char *text;
	size_t n;
	uint64_t order; /* private: where it stood in its source */
};
#define STORY_LINES_MAX 4000000u
/* Sets *ret to the n messages of all records and of the dump's log, each once, sorted by boot and
 * time. The lines live in the arena, and their texts as long as the target or the arena. note() is
 * told what is lost. */
bool story_read(struct target *t, struct arena *a, const struct story_line **ret, size_t *n,
		void (*note)(const struct err *e, void *arg), void *arg,
		struct err *err) MUST_CHECK;

/* All calls of the n records at v, sorted by their stamps; those of one zone keep their order. */
const struct survivor_call *story_calls(const struct survivor *const *v, size_t n, struct arena *a,
					size_t *n_calls);

struct report_stream;
/* Hands the logs that survived to a stream of reports, the oldest text first; the console's where
 * there is no other. The stream stays open. ERR_NEED: no record has a log. ERR_CORRUPT: one
 * has, and none can be read. */
bool story_reports(struct target *t, struct arena *a, struct report_stream *s,
		   struct err *err) MUST_CHECK;

/* How to find the names of the dead kernel's addresses. */
struct story_names {
	bool usable;
	uint64_t add; /* what makes an address for the loaded symbol tables of one in a record */
	/* how that was found: "kernel offset in record 1", "fit of 64 calls"; or, when names are
	 * not usable, why */
	const char *how;
	bool guessed;
};
void story_names(struct target *t, const struct survivor_call *calls, size_t n,
		 struct story_names *ret);

#endif
