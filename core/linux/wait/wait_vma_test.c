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

TEST_MAIN
