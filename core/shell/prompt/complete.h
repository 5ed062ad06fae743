/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What TAB offers at a place of a line; knows nothing of terminals. */
#ifndef OBIT_COMPLETE_H
#define OBIT_COMPLETE_H

#include "core/shell/session.h"

/* At most so many candidates are listed; `found` and `common` are of all. */
#define CANDIDATES_MAX 2000
/* The characters that a word ends at, for completion. */
#define COMPLETE_BREAKS " \t\n|;<()'\"*&,"

struct candidates {
	VEC(const char *) words; /* whole replacements for the word; sorted, each once */
	size_t found;            /* how many there are in all */
	size_t common;           /* bytes that all of them start with */
	bool files;              /* names of files may stand here, too; the caller finds them */
	bool open;               /* the word goes on behind a candidate, so no blank follows */
};

/* Finds what the word from line[start] to before line[end] may become. Strings are in the arena. */
void complete_line(struct session *s, struct arena *a, const char *line, size_t start, size_t end,
		   struct candidates *ret);
void candidates_release(struct candidates *c);

/* The type of the values that the stage which begins at line[from] takes from the stage before it.
 * NULL: there is none before it, or only running that one would tell. */
const struct type *complete_incoming(struct session *s, struct arena *a, const char *line,
				     size_t from);

/* ---- complete_name.c: each calls fn with names, in any order and maybe more than once, until fn
 * returns false; those that no word can be are left out. */
void complete_comms(struct target *t, bool (*fn)(const char *name, void *arg), void *arg);
/* Where file systems are mounted, as the current task sees it, and their devices. */
void complete_mounts(struct session *s, struct arena *a, bool (*fn)(const char *name, void *arg),
		     void *arg);
/* Events of the traces that have formats. */
void complete_events(struct target *t, bool (*fn)(const char *name, void *arg), void *arg);
/* "$x" and its kin. */
void complete_variables(struct target *t, bool (*fn)(const char *name, void *arg), void *arg);

#endif
