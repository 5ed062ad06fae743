/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What TAB offers at a place of a line; knows nothing of terminals. */
#ifndef OBIT_COMPLETE_H
#define OBIT_COMPLETE_H

#include "core/shell/session.h"

/* No more than these are listed; `common` is that of all. */
#define CANDIDATES_MAX 2000
/* What ends a word for completion. */
#define COMPLETE_BREAKS " \t\n|;<()'\"*&,"

struct candidates {
	VEC(const char *) words; /* whole replacements for the word; sorted, each once */
	size_t found;            /* how many there are in all */
	size_t common;           /* bytes that all of them start with */
	bool files;              /* names of files belong here; the caller knows how */
	bool open;               /* more is to come behind it: no blank */
};

/* line[start..end) is the word at hand. Strings are in the arena. */
void complete_line(struct session *s, struct arena *a, const char *line, size_t start, size_t end,
		   struct candidates *ret);
void candidates_release(struct candidates *c);

/* The type of the values that reach the stage at line[from] of its pipeline; NULL: it is none, or
 * only running it would tell. */
const struct type *complete_incoming(struct session *s, struct arena *a, const char *line,
				     size_t from);

#endif
