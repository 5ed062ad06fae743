/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One CPU's ring buffer in the dump's memory: its sub-buffers in order of time. */
#ifndef OBIT_RING_BUFFER_H
#define OBIT_RING_BUFFER_H

#include "core/image/target.h"
#include "core/trace/subbuf.h"
#include "core/trace/trace.h"

/* How a sub-buffer stands in the ring. */
enum ring_state {
	RING_TAKEN, /* read and handed back: its commit word is 0, its bytes are still there */
	RING_LIVE,
	RING_OPEN /* behind the last commit: nothing of it is committed */
};

struct ring_page {
	uint64_t self, data; /* struct buffer_page, struct buffer_data_page */
	uint32_t write;      /* bytes written or reserved */
	uint32_t read;       /* bytes that the kernel counts as read */
	enum ring_state state;
};

/* A struct ring_buffer_per_cpu. Lives in the target's arena. */
struct ring {
	struct target *t;
	uint64_t addr;
	uint32_t page_size; /* of a sub-buffer */
	int cpu;
	bool previous; /* of the boot before this one */

	/* made by ring_load() */
	bool tried, ok;
	struct err err;    /* why it cannot be read at all */
	struct err damage; /* what is wrong with its list; ERR_OK: nothing */
	struct ring_page *pages;
	size_t n;
};

/* The structs' names: since 13292494379f (v5.6) struct trace_buffer is what was struct ring_buffer
 * before, when struct trace_buffer was what struct array_buffer is. */
const char *ring_buffer_type(struct target *t);
/* One per-CPU pointer of a struct trace_buffer; *addr 0: the CPU was never up. */
bool ring_of_cpu(struct target *t, uint64_t buffer, unsigned cpu, uint64_t *addr,
		 struct err *err) MUST_CHECK;
/* Bytes of a sub-buffer of a struct trace_buffer. */
uint32_t ring_page_size(struct target *t, uint64_t buffer);
/* The kernel's counters, as tracefs' per_cpu stats has them; lane->cpu and self are the caller's.
 */
void ring_counters(const struct ring *r, struct trace_lane *lane);
/* Walks the list once; false: ring->err. */
bool ring_load(struct ring *r);

/* recording_ops of the dump: lane->self is a struct ring. */
bool ring_open(struct trace_reader *r, struct arena *a, struct err *err);
bool ring_next(struct trace_reader *r, struct trace_event *ret, struct err *err);
bool ring_page(struct trace_reader *r, struct span *ret, struct err *err);

#endif
