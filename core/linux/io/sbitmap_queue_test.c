/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of sbitmap_queues of older and newer kernels. What is expected follows from what each test
 * lays out. */
#include "core/base/test.h"
#include "core/linux/container/walk_fake.h"
#include "core/linux/io/sbitmap_queue.h"

#define QUEUE (KERNEL_BASE + 0x2000u)
#define MAP (KERNEL_BASE + 0x3000u)
#define WS (KERNEL_BASE + 0x4000u)
#define HINT 0x100u /* per-CPU address of the hints */
#define PERCPU(cpu) (KERNEL_BASE + 0x5000u + (uint64_t)(cpu)*0x1000u)
#define SYMBOLS (KERNEL_BASE + 0x8000u)

static struct fake_kernel k;
static unsigned flaws;

static void flaw_count(const struct err *e, void *arg)
{
	(void)e, (void)arg;
	flaws++;
}

/* 20 numbers in words of 8, of which 3 are taken and 2 given back; two CPUs, and one who waits in
 * the third queue. Before v5.13 hints and turns were the queue's, and later its bitmap's. */
static void queue_put(bool older)
{
	struct type *sb, *s, *atomic;

	walk_fake_init(&k);
	atomic = kernel_counter_type(&k, "atomic_t", &k.s32);
	sb = kernel_struct(&k, "sbitmap_of_queue", 56);
	for (int i = 0; i < 4; i++)
		kernel_member(sb, (const char *const[]){ "depth", "shift", "map_nr", "map" }[i],
			      &k.u64, (uint64_t)i * 8);
	if (!older) {
		kernel_member(sb, "alloc_hint", &k.u64, 32);
		kernel_member(sb, "round_robin", &k.u64, 40);
	}
	s = kernel_struct(&k, "sbitmap_queue", 112);
	kernel_member(s, "sb", sb, 0);
	if (older) {
		kernel_member(s, "alloc_hint", &k.u64, 32);
		kernel_member(s, "round_robin", &k.u64, 40);
	}
	kernel_member(s, "wake_batch", &k.u64, 56);
	kernel_member(s, "wake_index", atomic, 64);
	kernel_member(s, "ws_active", atomic, 72);
	kernel_member(s, "ws", &k.u64, 80);
	kernel_member(s, "min_shallow_depth", &k.u64, 88);
	s = kernel_struct(&k, "sbq_wait_state", 32);
	if (older)
		kernel_member(s, "wait_cnt", atomic, 0);
	kernel_member(s, "wait", INNER(&k, "lock", "head"), 8);
	kernel_symbol(&k, "nr_cpu_ids", SYMBOLS);
	kernel_symbol(&k, "__cpu_possible_mask", SYMBOLS + 8);
	kernel_symbol(&k, "__per_cpu_offset", SYMBOLS + 16);
	put32(&k, SYMBOLS, 2);
	put64(&k, SYMBOLS + 8, 3);
	for (unsigned cpu = 0; cpu < 2; cpu++) {
		put64(&k, SYMBOLS + 16 + cpu * 8u, PERCPU(cpu));
		put32(&k, PERCPU(cpu) + HINT, 7 + cpu);
	}
	put64(&k, QUEUE, 20);
	put64(&k, QUEUE + 8, 3);
	put64(&k, QUEUE + 16, 3);
	put64(&k, QUEUE + 24, MAP);
	put64(&k, QUEUE + 32, HINT);
	put64(&k, QUEUE + 40, 1);
	put64(&k, QUEUE + 56, 4);
	put32(&k, QUEUE + 64, 5);
	put32(&k, QUEUE + 72, 1);
	put64(&k, QUEUE + 80, WS);
	put64(&k, QUEUE + 88, UINT32_MAX);
	put64(&k, MAP, 0x0f);
	put64(&k, MAP + 8, 0x05);
	/* bits beyond the last number, 19, do not count */
	put64(&k, MAP + 32, 0xf8);
	for (unsigned i = 0; i < SBITMAP_WAITS; i++) {
		put32(&k, WS + i * 32u, 4 - i);
		put64(&k, WS + i * 32u + 16, i == 2 ? KERNEL_BASE : WS + i * 32u + 16);
	}
}

TEST(numbers_hints_and_waiters)
{
	struct sbitmap_queue q;
	struct err err;

	for (int older = 0; older < 2; older++) {
		queue_put(older);
		flaws = 0;
		REQUIRE_OK(sbitmap_queue_read(&k.t, QUEUE, &k.scratch, &q, flaw_count, NULL, &err),
			   err);
		CHECK_U64(flaws, 0);
		CHECK(q.depth == 20 && q.bits_per_word == 8 && q.words == 3 && q.n_map == 3);
		CHECK_U64(q.busy, 3);
		CHECK_U64(q.cleared, 2);
		CHECK(q.map[2].first == 16 && q.map[2].end == 20);
		REQUIRE(q.n_hints == 2);
		CHECK(q.hints[0] == 7 && q.hints[1] == 8);
		CHECK(q.round_robin && q.wake_batch == 4 && q.wake_index == 5 && q.ws_active == 1);
		CHECK_U64(q.min_shallow_depth, UINT32_MAX);
		for (unsigned i = 0; i < SBITMAP_WAITS; i++) {
			CHECK(q.ws[i].known);
			CHECK(q.ws[i].active == (i == 2));
			CHECK(q.ws[i].counted == (bool)older);
			CHECK(!older || q.ws[i].wait_cnt == 4 - (int)i);
		}
		kernel_release(&k);
	}
}

/* What cannot be read is told, and the rest is there. */
TEST(hints_and_waiters_that_are_lost)
{
	struct sbitmap_queue q;
	struct err err;

	queue_put(false);
	flaws = 0;
	k.holes = 1 << 4 | 1 << 6;
	REQUIRE_OK(sbitmap_queue_read(&k.t, QUEUE, &k.scratch, &q, flaw_count, NULL, &err), err);
	CHECK_U64(flaws, 2);
	CHECK(q.busy == 3 && q.n_hints == 1 && !q.ws[0].known);
	kernel_release(&k);
	/* a queue that can be read, whose count cannot: that is no kernel without one */
	queue_put(true);
	flaws = 0;
	put64(&k, QUEUE + 80, WS + 0x1000 - 8);
	put64(&k, WS + 0x1000 + 8, WS + 0x1000 + 8);
	k.holes = 1 << 4;
	REQUIRE_OK(sbitmap_queue_read(&k.t, QUEUE, &k.scratch, &q, flaw_count, NULL, &err), err);
	CHECK_U64(flaws, 1);
	CHECK(q.ws[0].known && !q.ws[0].active && !q.ws[0].counted && !q.ws[1].known);
	kernel_release(&k);
	queue_put(false);
	k.holes = 1 << 3;
	flaws = 0;
	REQUIRE_OK(sbitmap_queue_read(&k.t, QUEUE, &k.scratch, &q, flaw_count, NULL, &err), err);
	CHECK_U64(flaws, 3);
	CHECK_U64(q.n_map, 0);
	put64(&k, QUEUE + 8, 40);
	CHECK(!sbitmap_queue_read(&k.t, QUEUE, &k.scratch, &q, flaw_count, NULL, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	kernel_release(&k);
}

TEST_MAIN
