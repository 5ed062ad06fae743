/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: the lists and pages of a ring buffer. */
#include "core/linux/trace/ring_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What looks for events by their shape must find some: type 1 is one. */
static const struct trace_format *only_one(const struct recording *rec, uint16_t id)
{
	static const struct trace_format one = { .id = 1, .name = "one" };

	(void)rec;
	return id == 1 ? &one : NULL;
}

static void read_all(struct fake_kernel *k, const struct trace_want *want, bool pages)
{
	struct ring_fake f = { 0 };
	struct trace_event ev;
	struct span s;
	struct err err = { 0 };
	volatile uint8_t sum = 0;

	if (ring_fake_open(&f, k, want, &err)) {
		f.ops.format = only_one;
		while (!pages && trace_next(&f.r, &ev, &err))
			for (size_t i = 0; i < ev.data.n; i++)
				sum = (uint8_t)(sum + ev.data.p[i]);
		while (pages && ring_page(&f.r, &s, &err))
			for (size_t i = 0; i < s.n; i++)
				sum = (uint8_t)(sum + s.p[i]);
	}
	arena_release(&f.arena);
}

/* 64 bytes are the struct ring_buffer_per_cpu, 64 each the six struct buffer_page, the rest the
 * first bytes of their pages in turn. Byte 0 is for what is asked. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace_want want = { 0 };
	struct fake_kernel *k;
	size_t links = 64 * (RING_PAGES + 1), n;

	if (size < 1 + 64 + links)
		return 0;
	k = xrealloc(NULL, sizeof(*k));
	ring_fake_types(k);
	memcpy(&k->mem[RING - KERNEL_BASE], data + 1, 64);
	memcpy(&k->mem[RING_LINK(0) - KERNEL_BASE], data + 1 + 64, links);
	n = (size - 1 - 64 - links) / (RING_PAGES + 1);
	for (size_t i = 0; i <= RING_PAGES; i++)
		memcpy(&k->mem[RING_DATA(i) - KERNEL_BASE], data + 1 + 64 + links + i * n,
		       n < 4096 ? n : 4096);
	want.consumed = data[0] & 1;
	want.uncommitted = data[0] & 2;
	want.since = data[0] & 4 ? 1000 : 0;
	want.stale = data[0] & 16;
	want.untimed = data[0] & 32;
	read_all(k, &want, data[0] & 8);
	kernel_release(k);
	free(k);
	return 0;
}
