/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Long texts in which little is reported: what is far from any line that could belong to a report
 * is not taken apart. */
#ifndef OBIT_SIEVE_H
#define OBIT_SIEVE_H

#include <stdbool.h>
#include <stddef.h>

/* A text is looked at in blocks. The first two are passed, so that what stands before the kernel's
 * words can be learnt, and so are each block with a cue in it, the one before and the one behind.
 */
#define SIEVE_BLOCK ((size_t)64 << 10)

struct sieve_to {
	/* Is handed bytes in their order. */
	void (*pass)(const char *p, size_t n, void *arg);
	/* Is handed bytes that have no cue, in their order with the others. */
	void (*skip)(const char *p, size_t n, void *arg);
	void *arg;
};

/* Zeros are one that has seen nothing. */
struct sieve {
	struct cues *cues; /* made for the third block; NULL before */
	char *room;     /* two blocks: the one that is held, and the next one as far as it goes */
	size_t begun;   /* bytes of the first blocks that were passed */
	size_t held, n; /* bytes of the two blocks in room */
	bool held_cue, before_cue; /* whether the held block, and the one before it, had a cue */
};

void sieve_feed(struct sieve *s, const char *p, size_t n, const struct sieve_to *to);
/* Passes what is held: nothing follows it for now. */
void sieve_flush(struct sieve *s, const struct sieve_to *to);
/* Hands over what is left, and frees the memory. */
void sieve_end(struct sieve *s, const struct sieve_to *to);

#endif
