/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls that led to an event, in memory that is used again for the next event's. */
#ifndef OBIT_CALLCHAIN_H
#define OBIT_CALLCHAIN_H

#include "core/base/arena.h"
#include "core/trace/trace.h"

/* Limits of one chain: calls, and bytes of all their names. What is beyond them is left out. */
#define CALLCHAIN_CALLS_MAX 1024u
#define CALLCHAIN_TEXT_MAX ((size_t)256 << 10)

struct callchain {
	const char **calls;
	size_t n;
	char *text;
	size_t used;
};

/* Allocates for a reader of a lane, whose arena it is. */
void callchain_init(struct callchain *c, struct arena *a);
/* Empties it: what it handed out is gone. */
void callchain_reset(struct callchain *c);
/* Appends a call; and, without a call of their own, words that are kept as long. NULL: no room. */
const char *callchain_add(struct callchain *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
const char *callchain_words(struct callchain *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Gives the chain to the event, which points to it until it is emptied. */
void callchain_give(const struct callchain *c, struct trace_event *ev);

#endif
