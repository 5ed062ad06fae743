/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call chains of events: names one behind the other in one block of memory. */
#include "readers/trace/callchain.h"

#include <stdarg.h>
#include <stdio.h>

void callchain_init(struct callchain *c, struct arena *a)
{
	*c = (struct callchain){ .calls = ARENA_ARRAY(a, const char *, CALLCHAIN_CALLS_MAX),
				 .text = arena_alloc(a, CALLCHAIN_TEXT_MAX) };
}

void callchain_reset(struct callchain *c)
{
	c->n = c->used = 0;
}

PRINTF_LIKE(2, 0)
static const char *callchain_keep(struct callchain *c, const char *fmt, va_list ap)
{
	char *at = c->text + c->used;
	size_t room = CALLCHAIN_TEXT_MAX - c->used;
	int n = vsnprintf(at, room, fmt, ap);

	if (n < 0 || (size_t)n >= room)
		return NULL;
	c->used += (size_t)n + 1;
	return at;
}

const char *callchain_add(struct callchain *c, const char *fmt, ...)
{
	const char *s;
	va_list ap;

	if (c->n >= CALLCHAIN_CALLS_MAX)
		return NULL;
	va_start(ap, fmt);
	s = callchain_keep(c, fmt, ap);
	va_end(ap);
	if (s)
		c->calls[c->n++] = s;
	return s;
}

const char *callchain_words(struct callchain *c, const char *fmt, ...)
{
	const char *s;
	va_list ap;

	va_start(ap, fmt);
	s = callchain_keep(c, fmt, ap);
	va_end(ap);
	return s;
}

void callchain_give(const struct callchain *c, struct trace_event *ev)
{
	ev->chain = c->calls;
	ev->n_chain = c->n;
}
