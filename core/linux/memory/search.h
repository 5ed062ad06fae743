/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches of memory for words or text, page by page. */
#ifndef OBIT_SEARCH_H
#define OBIT_SEARCH_H

#include "core/base/bytes.h"
#include "core/image/target.h"
#include "core/linux/memory/user.h"

#define SEARCH_VALUES_MAX 16u
#define SEARCH_TEXT_MAX 256u
/* The longest range of virtual addresses that is searched: of a longer one most is not mapped. */
#define SEARCH_RANGE_MAX ((uint64_t)64 << 30)

/* What is sought: words of a size at their alignment, or text anywhere. */
struct search_needle {
	unsigned word; /* bytes of a word: 8, 4 or 2; 0: text is sought */
	uint64_t values[SEARCH_VALUES_MAX], mask; /* mask: the bits that do not matter */
	const char *texts[SEARCH_VALUES_MAX];
	size_t n;
};

struct search_hit {
	uint64_t addr;  /* virtual where the kernel maps it, else physical */
	uint64_t value; /* the word that is there */
	const char
		*text; /* text: what stands there, as far as it prints; in the walk's own memory */
};

struct memory_search {
	struct target *t;
	struct search_needle needle;
	bool physical;           /* addresses are physical */
	struct user_space *user; /* NULL: none; else addresses are this task's */
	bool ranged;             /* only from start on, before end; else all of RAM */
	uint64_t start, end;
	bool (*fn)(const struct search_hit *hit, void *arg); /* false: stop */
	void *arg;
	uint64_t searched, missing; /* how many bytes were searched, how many pages are absent */
};
/* Is anything that is sought in the bytes: a word, counted from the first one, or a text? At the
 * speed of memory where nothing is; it needs nothing but the bytes. */
bool search_block_has(const struct search_needle *n, struct span b);
bool search_run(struct memory_search *s, struct err *err) MUST_CHECK;

#endif
