/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of waits for locks of files. What is expected follows from what each test lays out, as the
 * kernel does. */
#include "core/base/test.h"
#include "core/linux/wait/wait_fake.h"

#define EDGE(f, i) wait_edge_of(&(f)->g, &(f)->tasks[i])
#define OBJECT(f, i) (&(f)->g.objects.p[EDGE(f, i)->object])
#define LOCK(i) (KERNEL_BASE + 0x8000 + (uint64_t)(i)*0x100)

/* Offsets of the fake's own. */
enum {
	ENTRY = 24, /* link in struct wait_queue_entry */
	QUEUE = 8,  /* list in struct wait_queue_head */
	LOCK_FLAGS = 8,
	LOCK_WAIT = 32
};

static void lock_types(struct wait_fake *f)
{
	struct fake_kernel *k = &f->k;
	const struct type *queue = NULL;
	struct type *s;

	for (size_t i = 0; i < k->n_types; i++)
		if (!strcmp(k->types[i]->name, "wait_queue_head"))
			queue = k->types[i];
	s = kernel_struct(k, "file_lock_core", 64);
	kernel_member(s, "flc_blocker", &k->ptr, 0);
	kernel_member(s, "flc_flags", &k->u32, LOCK_FLAGS);
	kernel_member(s, "flc_wait", queue, LOCK_WAIT);
}

/* Request i of task i, which another request, or a granted lock, is in the way of. */
static void put_request(struct wait_fake *f, int i, uint64_t blocker)
{
	const uint64_t node = WAIT_WAITER(i) + ENTRY;

	put64(&f->k, WAIT_WAITER(i) + 8, WAIT_TASK(i));
	put64(&f->k, WAIT_WAITER(i) + 16, WAIT_WAKE);
	put_list(&f->k, LOCK(i) + LOCK_WAIT + QUEUE, &node, 1);
	put64(&f->k, LOCK(i), blocker);
	put32(&f->k, LOCK(i) + LOCK_FLAGS, 1 | 0x80);
}

/* Whoever came later waits for a request that waits itself: all of them wait for the granted lock,
 * whichever is looked at first. */
TEST(requests_behind_each_other_wait_for_the_lock_that_is_granted)
{
	static const int order[] = { 2, 0, 3, 1 };
	struct wait_fake f;

	wait_fake_init(&f, true);
	lock_types(&f);
	for (int i = 0; i < 4; i++)
		put_request(&f, i, i ? LOCK(i - 1) : LOCK(8));
	put64(&f.k, LOCK(8), 0);
	for (int i = 0; i < 4; i++)
		REQUIRE(wait_fake_look(&f, order[i], "fcntl_setlk"));
	for (int i = 0; i < 4; i++) {
		CHECK_U64(OBJECT(&f, i)->addr, LOCK(8));
		CHECK(!EDGE(&f, i)->flaw);
	}
	CHECK_U64(f.g.objects.n, 1);
	wait_fake_release(&f);
}

TEST(requests_that_block_each_other_are_marked)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	lock_types(&f);
	for (int i = 0; i < 3; i++)
		put_request(&f, i, LOCK((i + 1) % 3));
	REQUIRE(wait_fake_look(&f, 0, "fcntl_setlk"));
	CHECK_CONTAINS(EDGE(&f, 0)->flaw, "none that is granted");
	wait_fake_release(&f);
}

/* A POSIX lock is of a table of files, which threads share: the one that asked for it is told. */
TEST(a_lock_is_its_process_s)
{
	struct wait_fake f;
	struct type *s;

	wait_fake_init(&f, true);
	lock_types(&f);
	s = wait_fake_type(&f, "file_lock_core");
	kernel_member(s, "flc_owner", &f.k.ptr, 16);
	kernel_member(s, "flc_pid", &f.k.s32, 24);
	kernel_member(wait_fake_type(&f, "task_struct"), "files", &f.k.ptr, 0xa0);
	put_request(&f, 0, LOCK(8));
	put32(&f.k, LOCK(8) + LOCK_FLAGS, 1);
	put64(&f.k, LOCK(8) + 16, LOCK(9));
	put32(&f.k, LOCK(8) + 24, 105);
	put64(&f.k, WAIT_TASK(0) + 0xa0, LOCK(10));
	put64(&f.k, WAIT_TASK(3) + 0xa0, LOCK(9));
	put64(&f.k, WAIT_TASK(5) + 0xa0, LOCK(9));
	REQUIRE(wait_fake_look(&f, 0, "fcntl_setlk"));
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[5]);
	CHECK_U64(OBJECT(&f, 0)->holder_by, WAIT_BY_CANDIDATE);
	CHECK_STR(OBJECT(&f, 0)->state, "2 tasks have what owns it");
	wait_fake_release(&f);
}

TEST_MAIN
