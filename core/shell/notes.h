/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notes of one command line that say the same of many things: the first are shown, the rest are
 * counted. */
#ifndef OBIT_NOTES_H
#define OBIT_NOTES_H

#include "core/base/arena.h"
#include "core/base/err.h"
#include "core/base/map.h"
#include "core/base/vec.h"

/* So many notes that differ in numbers only are shown. */
#define NOTES_ALIKE_MAX 100

struct notes_kind {
	uint64_t n;         /* how many came */
	struct err *latest; /* the latest of those that were not shown */
};

/* Zero-initialised before its first use. */
struct notes {
	struct map kinds; /* a hash of a note's text without its numbers -> index into v, + 1 */
	VEC(struct notes_kind) v;
	struct arena arena;
	bool elsewhere; /* another process counts them: all are to be handed on */
};

/* Is this note to be shown? If not, it was counted. */
bool notes_pass(struct notes *n, const struct err *why);
/* Calls fn for each kind of note of which some were not shown, with a note that says how many, and
 * forgets all notes. */
void notes_tell(struct notes *n, void (*fn)(const struct err *why, void *arg), void *arg);
void notes_release(struct notes *n);

#endif
