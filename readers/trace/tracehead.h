/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the head of a trace in text says. */
#ifndef OBIT_TRACEHEAD_H
#define OBIT_TRACEHEAD_H

#include "core/trace/trace.h"

/* Makes a number of a name in the head, for a member that is an address in other sources. */
struct tracehead_names {
	uint64_t (*number)(void *self, const char *s, size_t n);
	void *self;
};

/* Takes a line of a head: what it says goes into the buffer and its lane. A latency tracer's facts,
 * and strings, are in the arena. */
void tracehead_line(const char *line, struct trace_lane *lane, struct trace_buffer *b,
		    const struct tracehead_names *names, struct arena *a);
/* Is it a line of a latency tracer's head as 2.6.26 prints it: without a sign in front?
 */
bool tracehead_is_old(const char *line);

#endif
