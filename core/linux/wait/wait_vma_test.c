/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of writers that wait for the readers of an area. What is expected follows from what each
 * test lays out, as the kernel does. */
#include "core/base/test.h"
#include "core/linux/wait/wait_fake.h"

#define EDGE(f, i) wait_edge_of(&(f)->g, &(f)->tasks[i])
#define OBJECT(f, i) (&(f)->g.objects.p[EDGE(f, i)->object])
#define MM (KERNEL_BASE + 0x8000)
#define VMA(i) (KERNEL_BASE + 0x9000 + (uint64_t)(i)*0x100)

/* Task 0 is a writer of a process with two areas, of which its stack has both: readers are shut out
 * of the second. */
static void put_areas(struct wait_fake *f, uint32_t refs)
{
	struct type *s = kernel_struct(&f->k, "mm_struct", 64);
	struct type *count = INNER(&f->k, "unused"), *refs_type = INNER(&f->k, "unused");

	kernel_member(s, "vma_writer_wait", INNER(&f->k, "task"), 8);
	s = kernel_struct(&f->k, "vm_area_struct", 64);
	kernel_member(s, "vm_start", &f->k.u64, 0);
	kernel_member(s, "vm_end", &f->k.u64, 8);
	kernel_member(s, "vm_mm", &f->k.ptr, 16);
	kernel_member(refs_type, "counter", &f->k.u32, 0);
	kernel_member(count, "refs", refs_type, 0);
	kernel_member(s, "vm_refcnt", count, 24);
	f->tasks[0].mm = MM;
	put64(&f->k, MM + 8, WAIT_TASK(0));
	for (int i = 0; i < 2; i++) {
		put64(&f->k, VMA(i), 0x10000u * (unsigned)(i + 1));
		put64(&f->k, VMA(i) + 8, 0x10000u * (unsigned)(i + 1) + 0x4000);
		put64(&f->k, VMA(i) + 16, MM);
		put32(&f->k, VMA(i) + 24, i ? refs : 2);
		put64(&f->k, WAIT_STACK(0) + WAIT_SP + 0x20 + 8 * (unsigned)i, VMA(i));
	}
}

TEST(a_writer_waits_for_readers_of_an_area)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	put_areas(&f, 0x40000000u + 1 + 2);
	REQUIRE(wait_fake_look(&f, 0, "__vma_start_exclude_readers"));
	CHECK_STR(OBJECT(&f, 0)->type, "vma");
	CHECK_U64(OBJECT(&f, 0)->addr, VMA(1));
	CHECK_CONTAINS(OBJECT(&f, 0)->state, "0x20000-0x24000 of process 100, read by 2");
	CHECK(!OBJECT(&f, 0)->holder);
	CHECK_STR(EDGE(&f, 0)->mode, "write");
	wait_fake_release(&f);
}

TEST(an_area_that_no_writer_shuts_is_not_taken_for_it)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	put_areas(&f, 3);
	REQUIRE(wait_fake_look(&f, 0, "__vma_start_exclude_readers"));
	CHECK(EDGE(&f, 0)->object == WAIT_NONE);
	wait_fake_release(&f);
}

TEST(the_writer_is_who_the_process_names)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	put_areas(&f, 0x40000002u);
	put64(&f.k, MM + 8, WAIT_TASK(1));
	CHECK(!wait_fake_look(&f, 0, "__vma_start_exclude_readers"));
	wait_fake_release(&f);
}

/* Task 0 writes to its process's memory map and waits for the readers of what `lock` guards, which
 * task 1 of the process read last; that one waits for the map. */
static void put_ring_of_areas(struct wait_fake *f, uint64_t lock)
{
	const uint64_t mm = WAIT_LOCK(0) - 0x20;
	struct type *s = kernel_struct(&f->k, "mm_struct", 64);

	kernel_member(s, "mmap_lock", wait_fake_type(f, "rw_semaphore"), 0x20);
	s = kernel_struct(&f->k, "vm_area_struct", 64);
	kernel_member(s, "vm_mm", &f->k.ptr, 16);
	kernel_member(s, "vm_lock", &f->k.ptr, 24);
	f->tasks[0].mm = f->tasks[1].mm = mm;
	put64(&f->k, VMA(0) + 16, mm);
	put64(&f->k, VMA(0) + 24, lock);
	put64(&f->k, WAIT_STACK(0) + WAIT_SP + 0x20, VMA(0));
	put_waiters(f, WAIT_LOCK(1), (const int[]){ 0 }, 1);
	put64(&f->k, WAIT_LOCK(1) + WO_RW_COUNT, 0x102); /* one reader, and waiters */
	put64(&f->k, WAIT_LOCK(1) + WO_RW_OWNER, WAIT_TASK(1) | 1);
	put_waiters(f, WAIT_LOCK(0), (const int[]){ 1 }, 1);
	put64(&f->k, WAIT_LOCK(0) + WO_RW_COUNT, 3);
	put64(&f->k, WAIT_LOCK(0) + WO_RW_OWNER, WAIT_TASK(0));
}

TEST(who_waits_for_the_map_has_left_every_area)
{
	/* the lock is the area's; it is another one, and the hint may be right */
	for (int other = 0; other < 2; other++) {
		struct wait_fake f;

		wait_fake_init(&f, true);
		put_ring_of_areas(&f, WAIT_LOCK(1 + other));
		REQUIRE(wait_fake_look(&f, 0, "rwsem_down_write_slowpath"));
		REQUIRE(wait_fake_look(&f, 1, "rwsem_down_write_slowpath"));
		wait_paths(&f.g);
		CHECK(OBJECT(&f, 0)->holder == &f.tasks[1]);
		CHECK_U64(f.g.cycles.n, other);
		wait_fake_release(&f);
	}
}

TEST_MAIN
