/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: one CPU's ring buffer in a tiny kernel's memory. */
#ifndef OBIT_RING_FAKE_H
#define OBIT_RING_FAKE_H

#include "core/linux/kernel_fake.h"
#include "core/linux/trace/ring_buffer.h"

#define RING (KERNEL_BASE + 0x1000)
#define RING_LINK(i) (KERNEL_BASE + 0x2000 + 0x40 * (uint64_t)(i)) /* struct buffer_page */
#define RING_DATA(i) (KERNEL_BASE + 0x10000 + 0x1000 * (uint64_t)(i))
#define RING_PAGES 5 /* in the ring; the one behind them is the reader's */

/* Offsets of struct ring_buffer_per_cpu as ring_fake_types() has it. */
enum {
	RING_NR = 0,
	RING_LIST = 8,
	RING_HEAD = 16,
	RING_TAIL = 24,
	RING_COMMIT = 32,
	RING_READER = 40,
	RING_ENTRIES = 48,
	RING_OVERRUN = 56,
	RING_READ = 64
};

static inline void ring_fake_types(struct fake_kernel *k)
{
	struct type *atomic, *local, *cpu, *page;

	kernel_init(k);
	atomic = kernel_counter_type(k, "atomic64_t", &k->s64);
	local = kernel_struct(k, "local_t", 8);
	kernel_member(local, "a", atomic, 0);
	cpu = kernel_struct(k, "ring_buffer_per_cpu", 128);
	kernel_member(cpu, "nr_pages", &k->u64, RING_NR);
	kernel_member(cpu, "pages", &k->ptr, RING_LIST);
	kernel_member(cpu, "head_page", &k->ptr, RING_HEAD);
	kernel_member(cpu, "tail_page", &k->ptr, RING_TAIL);
	kernel_member(cpu, "commit_page", &k->ptr, RING_COMMIT);
	kernel_member(cpu, "reader_page", &k->ptr, RING_READER);
	kernel_member(cpu, "entries", local, RING_ENTRIES);
	kernel_member(cpu, "overrun", local, RING_OVERRUN);
	kernel_member(cpu, "read", &k->u64, RING_READ);
	page = kernel_struct(k, "buffer_page", 64);
	kernel_member(page, "list", &k->u64, 0);
	kernel_member(page, "write", local, 16);
	kernel_member(page, "read", &k->u32, 24);
	kernel_member(page, "page", &k->ptr, 48);
}

static inline const struct trace_format *ring_fake_format(const struct recording *rec, uint16_t id)
{
	(void)rec;
	(void)id;
	return NULL;
}

/* What a lane is read through. */
struct ring_fake {
	struct fake_kernel *k;
	struct ring ring;
	struct recording_ops ops;
	struct recording rec;
	struct trace_buffer buffer;
	struct trace_lane lane;
	struct trace_reader r;
	struct arena arena;
};

static inline bool ring_fake_open(struct ring_fake *f, struct fake_kernel *k,
				  const struct trace_want *want, struct err *err)
{
	f->k = k;
	f->ring = (struct ring){ .t = &k->t, .addr = RING, .page_size = 4096 };
	f->ops = (struct recording_ops){
		.open = ring_open, .next = ring_next, .page = ring_page, .format = ring_fake_format
	};
	f->rec = (struct recording){ .t = &k->t, .ops = &f->ops, .word_size = 8 };
	f->buffer = (struct trace_buffer){ .recording = &f->rec };
	f->lane = (struct trace_lane){ .self = &f->ring };
	return trace_open(&f->r, &f->buffer, &f->lane, want, &f->arena, err);
}

#endif
