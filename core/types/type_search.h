/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which types could this be: all structs and unions of a size, or that have or point to a type. */
#ifndef OBIT_TYPE_SEARCH_H
#define OBIT_TYPE_SEARCH_H

#include "core/image/type.h"

/* Of one type so many members are told. */
#define TYPE_SEARCH_MEMBERS_MAX 256

struct type_hit {
	const struct type *type;    /* a struct or union, or a typedef of one that has no tag */
	const char *const *members; /* of the wanted type: "se.cfs_rq", "u.list"; see `member` */
	size_t n_members;
};

struct type_filter {
	struct target *t;
	struct arena *arena; /* where hits live */
	uint64_t min, max;   /* bytes, both included */
	/* Only types with a member of this type, with an array of it, or with a pointer to it,
	 * themselves or in a struct that they contain: a tag or typedef without "struct", where *
	 * stands for anything. NULL: any. */
	const char *member;
	bool (*fn)(const struct type_hit *hit, void *arg); /* until it returns false */
	void (*flaw)(const struct err *e, void *arg);      /* is told which types cannot be read */
	void *arg;
};
/* Calls s->fn for each type, by size and then by name. Types of one name and size are one. */
bool type_search_run(const struct type_filter *s, struct err *err) MUST_CHECK;

#endif
