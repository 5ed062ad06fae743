/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sorts of locks whose state can be told without anybody who waits. */
#ifndef OBIT_LOCK_IMPL_H
#define OBIT_LOCK_IMPL_H

#include "core/linux/wait/wait_impl.h"

struct lock_sort {
	const char *tag;  /* of its struct, or its typedef's name */
	const char *type; /* as wait_object has it */
	/* sets o->state, and o->holder and how that is known where it is */
	void (*tell)(const struct wait_stack *s, struct wait_object *o);
	/* where its list of waiters is, whose head or first node is a member; NULL: it has none */
	const char *list, *first;
	const char *tree; /* or, of an rt_mutex, its tree of waiters */
};

/* ---- lock_sort.c */
/* The sort of lock that a type is; NULL: it is none. */
const struct lock_sort *lock_sort_of(const struct type *type);

/* ---- lock_typed.c */
/* The sort of lock at an address, and *name, in the scratch arena: the variable or object that it
 * is in, and the member. NULL: no type says that there is one. */
const struct lock_sort *lock_sort_at(const struct wait_graph *g, uint64_t addr, const char **name);

#endif
