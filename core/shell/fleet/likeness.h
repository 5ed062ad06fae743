/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which crashes are of one bug: by their signature, or by what was to blame and how alike the
 * stacks are; and in how many ways the kernel came to it. */
#ifndef OBIT_LIKENESS_H
#define OBIT_LIKENESS_H

#include "core/base/arena.h"
#include "core/base/map.h"
#include "core/base/vec.h"

/* What is known of a crash to compare it by. NULL and "" both say that it is not known. */
struct crash_traits {
	const char *signature, *outcome, *kind, *function;
	const char *trail; /* functions, the guilty one first, " < " between them */
	bool whole;        /* the trail reaches to the root of the stack */
};

/* The traits that a line of JSON, a record crash, has; in the arena. */
void crash_traits_read(struct arena *a, const char *line, size_t n, struct crash_traits *ret);
/*
 * How far two trails lie apart, in thousandths: the functions that only one of them has, for all
 * that both have; their order counts. 0: the same; 1000: nothing in common, or there is no trail.
 *
 * What stands behind the end of a trail that is not whole is not known, and so is not held against
 * the other, which may be longer.
 */
unsigned trail_distance(const struct crash_traits *a, const struct crash_traits *b);
/* Trails no further apart than this are one way to one bug, where kind and function are the same.
 */
#define TRAIL_NEAR 333u

struct likeness_node;
/* Zero-initialised before its first use, but for the arena, which keeps the strings. */
struct likeness {
	struct arena *a;
	struct strmap numbers; /* of the nodes, from 1, by all their traits */
	VEC(struct likeness_node *) nodes;
};

/* The number of what has these traits, from 0 in the order in which they come; those that are equal
 * have the same. */
size_t likeness_add(struct likeness *l, const struct crash_traits *c);
/*
 * Says which are of one bug. To be called after the last likeness_add(), and again after more. The
 * answer does not depend on the order in which they were added:
 *
 * - those of one signature; without one, those whose outcome, kind and function are the same,
 * - those of one kind and function whose trails lie near, also if a third lies between them,
 * - one of whose trail little is known (fewer than three functions, and not whole) goes with those
 *   of its kind and function that it is nearest to, if all of these are of one bug; it makes no two
 *   bugs one.
 */
void likeness_settle(struct likeness *l);
/* The smallest number of its bug. */
size_t likeness_bug(const struct likeness *l, size_t number);
/* Is it the one that stands for all whose trails lie near its own? So many ways lead to a bug as
 * there are such of it; none, where of no trail enough is known. */
bool likeness_is_way(const struct likeness *l, size_t number);
void likeness_release(struct likeness *l);

#endif
