/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One CPU's ring buffer in the dump's memory: its sub-buffers in order of time. */
#ifndef OBIT_RING_BUFFER_H
#define OBIT_RING_BUFFER_H

#include "core/image/target.h"
#include "core/trace/subbuf.h"
#include "core/trace/trace.h"

/* What the kernel would do with a sub-buffer of the ring. */
enum ring_state {
	RING_REST,  /* it is in use: of what lies behind, older events may be the rest */
	RING_STALE, /* the buffer was reset, which leaves time and bytes as they were */
	RING_TAKEN, /* it was read, and reset: its commit word is 0, but its bytes are still there
		     */
	RING_LIVE,  /* it has events that nobody has read */
	RING_OPEN   /* it is behind the last commit: none of its events is committed */
};

struct ring_page {
	uint64_t self, data; /* struct buffer_page, struct buffer_data_page */
	uint32_t write;      /* bytes written or reserved */
	uint32_t read;       /* bytes that the kernel counts as read */
	enum ring_state state;
	uint64_t begun; /* RING_REST: its time, before which was all that is left in it */
	uint64_t place; /* RING_REST, RING_STALE: where it stands among them, in time */
};

/* A struct ring_buffer_per_cpu. Lives in the target's arena. */
struct ring {
	struct target *t;
	uint64_t addr;
	uint32_t page_size; /* of a sub-buffer */
	int cpu;
	bool previous; /* of the boot before this one */

	/* ring_load() sets these */
	bool tried, ok;
	struct err err;    /* why it cannot be read at all */
	struct err damage; /* what is wrong with its list; ERR_OK: nothing */
	struct ring_page *pages;
	size_t n;
};

/* The structs' names: since 13292494379f (v5.6) struct trace_buffer is what was struct ring_buffer
 * before, when struct trace_buffer was what struct array_buffer is. */
const char *ring_buffer_type(struct target *t);
/* Sets *addr to the struct ring_buffer_per_cpu of a CPU in the struct trace_buffer at `buffer`; 0:
 * the CPU was never up. */
bool ring_of_cpu(struct target *t, uint64_t buffer, unsigned cpu, uint64_t *addr,
		 struct err *err) MUST_CHECK;
/* How many bytes a sub-buffer of the struct trace_buffer at `buffer` has. */
uint32_t ring_page_size(struct target *t, uint64_t buffer);
/* Sets in *lane, all but cpu and self, what the kernel counts of a ring, as tracefs has it in
 * per_cpu/cpu0/stats. */
void ring_counters(const struct ring *r, struct trace_lane *lane);
/* Walks the list of sub-buffers, when it is called for the first time. False: r->err says why it
 * cannot be read. */
bool ring_load(struct ring *r);

/* Functions of the dump's struct recording_ops, where lane->self is a struct ring. */
bool ring_open(struct trace_reader *r, struct arena *a, struct err *err);
bool ring_next(struct trace_reader *r, struct trace_event *ret, struct err *err);
bool ring_page(struct trace_reader *r, struct span *ret, struct err *err);

#endif
