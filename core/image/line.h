/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source lines of addresses, inlined calls included. */
#ifndef OBIT_LINE_H
#define OBIT_LINE_H

#include "core/base/map.h"
#include "core/base/vec.h"

struct target;

/* One function that an address is in: the innermost inlined one first, the real one last. */
struct line {
	const char *func; /* NULL unknown */
	const char *file; /* as DWARF has it, without the compilation directory's prefix; NULL
			     unknown */
	unsigned line;    /* 0 unknown */
	bool inlined;     /* this function's code was inlined into the next entry's */
};

struct line_source {
	/* The functions and lines of a run-time address, the innermost first: *n of them in the
	 * target's arena. ERR_NOTFOUND: the source does not cover the address. */
	bool (*find)(struct line_source *s, uint64_t addr, const struct line **ret, size_t *n,
		     struct err *err);
	struct target *t;
	void *self;
};

struct lines {
	VEC(struct line_source *) sources;
	struct map cache;
};

/* Adds a source; those that were added first are asked first. */
void lines_add(struct target *t, struct line_source *s);
/* What the first source that covers addr says of it; answers are kept. A return address lies behind
 * its call, so for one pass addr - 1. ERR_NEED: no debug info is loaded. */
bool line_find(struct target *t, uint64_t addr, const struct line **ret, size_t *n,
	       struct err *err) MUST_CHECK;
void lines_release(struct target *t);

#endif
