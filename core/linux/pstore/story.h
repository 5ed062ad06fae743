/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What survivors tell together: one timeline of messages, one of calls. */
#ifndef OBIT_STORY_H
#define OBIT_STORY_H

#include "core/image/target.h"

/* All records in the order of a story; those that hold nothing last. The array is the arena's. */
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
	unsigned crash; /* which boot's story: 1 the oldest; 0 nothing ties it to one */
	bool has_time;  /* a line without has the time of the one before */
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
	uint64_t order; /* private: where its source had it */
};
#define STORY_LINES_MAX 4000000u
/* Messages of all records and of the dump's log: each once, by boot and time. Lines live in the
 * arena, their texts as long as the target or the arena. What is lost goes to note(). */
bool story_read(struct target *t, struct arena *a, const struct story_line **ret, size_t *n,
		void (*note)(const struct err *e, void *arg), void *arg,
		struct err *err) MUST_CHECK;

/* All calls of the given records by stamp, each zone's in its order. */
const struct survivor_call *story_calls(const struct survivor *const *v, size_t n, struct arena *a,
					size_t *n_calls);

/* How to find the names of the dead kernel's addresses. */
struct story_names {
	bool usable;
	uint64_t add; /* to an address of the record, for the symbol tables that are loaded */
	const char
		*how; /* "kernel offset in record 1", "fit of 64 calls"; why not, when not usable */
	bool guessed;
};
void story_names(struct target *t, const struct survivor_call *calls, size_t n,
		 struct story_names *ret);

#endif
