/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Crashes that somebody knows: a file of signatures, titles and functions with a note each. */
#ifndef OBIT_KNOWN_H
#define OBIT_KNOWN_H

#include "core/base/arena.h"
#include "core/base/map.h"
#include "core/base/vec.h"

struct known_glob {
	const char *title, *note;
};

/* Zero-initialised before its first use, but for the arena. */
struct known {
	struct arena *a;
	struct strmap signatures, older, functions; /* to the notes */
	VEC(struct known_glob) titles;
};

/*
 * Reads a file, whose lines are
 *
 *     o2:null-deref:foo:0123456789ab  NOTE     a signature
 *     function:foo  NOTE                       the function to blame
 *     title:BUG: * in foo_*  NOTE              a title, with * ? [..] as in the shell
 *
 * A title's note stands behind a tab or two blanks. A signature of the first form, o1:..., knows
 * every crash of its kind and function.
 *
 * Empty lines, and those that begin with '#', say nothing. ERR_FORMAT names the line that is none
 * of these; also ERR_IO.
 */
bool known_read(struct known *k, const char *path, struct err *err) MUST_CHECK;
/* The note of the line that matches, "" when it has none; NULL: none does. Each of the three may be
 * NULL. */
const char *known_find(const struct known *k, const char *signature, const char *function,
		       const char *title);
void known_release(struct known *k);

#endif
