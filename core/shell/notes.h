/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notes of one command line that say the same of many things: the first are shown, the rest are
 * counted. */
#ifndef OBIT_NOTES_H
#define OBIT_NOTES_H

#include "core/base/arena.h"
#include "core/base/err.h"
#include "core/base/map.h"
#include "core/base/vec.h"

/* How many that differ in numbers only are shown. */
#define NOTES_ALIKE_MAX 100

struct notes_kind {
	uint64_t n;         /* so many of them came */
	struct err *latest; /* of those that were not shown */
};

/* Zero-initialise. */
struct notes {
	struct map kinds; /* number of a kind + 1, by what its text is but for numbers */
	VEC(struct notes_kind) v;
	struct arena arena;
};

/* Is this one to be shown? Else it is counted. */
bool notes_pass(struct notes *n, const struct err *why);
/* Calls fn for each kind of which some were not shown, with a note that counts them; then forgets
 * all. */
void notes_tell(struct notes *n, void (*fn)(const struct err *why, void *arg), void *arg);
void notes_release(struct notes *n);

#endif
