/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of PREEMPT_RT's locks, laid out as kernel/locking/rwbase_rt.c has them. What is expected
 * follows from what each test says that it made. */
#include "core/base/test.h"
#include "core/linux/wait/wait_rt_fake.h"

#define EDGE(f, i) wait_edge_of(&(f)->g, &(f)->tasks[i])
#define OBJECT(f, i) (&(f)->g.objects.p[EDGE(f, i)->object])

/* A writer owns the rt_mutex while it waits for those who read; all others wait for it. */
TEST(a_writer_waits_for_readers_and_the_others_for_it)
{
	struct wait_fake f;

	rt_fake_init(&f);
	put_rwbase(&f, WAIT_LOCK(0), 2, 0);
	put64(&f.k, WAIT_STACK(0) + WAIT_SP + 0x40, WAIT_LOCK(0));
	put_rt_waiter(&f, 1, WAIT_LOCK(0) + RT_MUTEX);
	put_rt_waiter(&f, 2, WAIT_LOCK(0) + RT_MUTEX);
	REQUIRE(wait_fake_look(&f, 0, "rwbase_write_lock"));
	REQUIRE(wait_fake_look(&f, 1, "__rwbase_read_lock"));
	REQUIRE(wait_fake_look_from(&f, 2, "rt_mutex_slowlock", "down_write_killable"));
	wait_paths(&f.g);
	REQUIRE(f.g.objects.n == 1);
	CHECK_STR(OBJECT(&f, 0)->type, "rwsem");
	CHECK_U64(OBJECT(&f, 0)->addr, WAIT_LOCK(0));
	CHECK_STR(OBJECT(&f, 0)->state, "read by 2; next in line is 100, to write");
	CHECK(OBJECT(&f, 1)->holder == &f.tasks[0]);
	CHECK_U64(OBJECT(&f, 1)->holder_by, WAIT_BY_OWNER_WORD);
	CHECK(EDGE(&f, 0)->owns && !EDGE(&f, 0)->flaw);
	CHECK_U64(EDGE(&f, 0)->by, WAIT_BY_WAITER);
	CHECK_STR(EDGE(&f, 0)->mode, "write");
	CHECK_STR(EDGE(&f, 1)->mode, "read");
	CHECK_STR(EDGE(&f, 2)->mode, "write");
	CHECK(!EDGE(&f, 1)->owns);
	CHECK_U64(EDGE(&f, 1)->by, WAIT_BY_BLOCKED_ON);
	CHECK_U64(f.g.cycles.n, 0); /* it does not wait for itself */
	wait_fake_release(&f);
}

/* What a writer waits for is only a lock that it owns and that others read. */
TEST(a_writer_whose_lock_is_not_found_says_so)
{
	static const struct {
		uint32_t readers;
		int owner;
	} others[] = { { 0, 0 }, { RT_READERS | 2, 0 }, { RT_WRITER, 0 }, { 2, 1 }, { 2, -1 } };

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		struct wait_fake f;

		rt_fake_init(&f);
		put_rwbase(&f, WAIT_LOCK(0), others[i].readers, others[i].owner);
		put64(&f.k, WAIT_STACK(0) + WAIT_SP + 0x40, WAIT_LOCK(0));
		REQUIRE(wait_fake_look(&f, 0, "rwbase_write_lock"));
		CHECK(EDGE(&f, 0)->object == WAIT_NONE);
		CHECK_CONTAINS(EDGE(&f, 0)->flaw, "not found");
		wait_fake_release(&f);
	}
}

/* The same functions serve rw_semaphores, in which tasks sleep, and rwlocks, where they sleep as
 * before a spinlock. */
TEST(spinlocks_and_rwlocks_sleep)
{
	struct wait_fake f;

	rt_fake_init(&f);
	put64(&f.k, WAIT_LOCK(0), WAIT_TASK(5) | 1);
	put_rt_waiter(&f, 0, WAIT_LOCK(0));
	put_rwbase(&f, WAIT_LOCK(1), RT_WRITER, 5);
	put_rt_waiter(&f, 1, WAIT_LOCK(1) + RT_MUTEX);
	put_rt_waiter(&f, 2, WAIT_LOCK(1) + RT_MUTEX);
	CHECK(wait_fake_look_from(&f, 0, "rtlock_slowlock_locked", "rt_spin_lock"));
	CHECK(wait_fake_look_from(&f, 1, "rtlock_slowlock_locked", "__rwbase_read_lock"));
	CHECK(wait_fake_look_from(&f, 2, "rtlock_slowlock_locked", "rt_write_lock"));
	CHECK_STR(OBJECT(&f, 0)->type, "spinlock");
	CHECK_U64(OBJECT(&f, 0)->addr, WAIT_LOCK(0));
	CHECK_STR(OBJECT(&f, 0)->state, "locked");
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[5]);
	CHECK_STR(OBJECT(&f, 1)->type, "rwlock");
	CHECK_STR(EDGE(&f, 1)->mode, "read");
	CHECK(OBJECT(&f, 1) == OBJECT(&f, 2));
	CHECK_STR(OBJECT(&f, 2)->state, "locked for writing");
	CHECK_STR(EDGE(&f, 2)->mode, "write");
	wait_fake_release(&f);
}

/* Looks at task i, which a CPU runs if `runs`, in those functions, the last of which called what is
 * before it, by the code in front of WAIT_WAKE + 0x20. */
static bool look_at(struct wait_fake *f, int i, bool runs, const char *const *names)
{
	const uint64_t pcs[] = { 1, 2, WAIT_WAKE + 0x20 }, sps[3] = { 0 };
	const struct frame frames[3] = { 0 };
	const struct wait_stack s = { .g = &f->g,
				      .task = &f->tasks[i],
				      .names = names,
				      .pcs = pcs,
				      .sps = sps,
				      .frames = runs ? frames : NULL,
				      .cpu = 1,
				      .n_names = 3 };

	return runs ? wait_running_look(&s) : wait_stack_look(&s);
}

/* mutex_lock() jumps to the function that waits: the call names it. Of a pointer's call nobody can
 * tell: it is an rt_mutex for certain. */
TEST(a_mutex_is_known_by_the_call)
{
	static const char *const names[] = { "rt_mutex_schedule", "rt_mutex_slowlock.constprop.0",
					     "caller" };
	/* call mutex_lock, which is 0x40 bytes behind the call's end; call *%rax */
	static const uint8_t call[] = { 0xe8, 0x40, 0, 0, 0 }, pointer[] = { 0xff, 0xd0 };
	struct wait_fake f;

	rt_fake_init(&f);
	put_bytes(&f.k, WAIT_WAKE + 0x1b, call, sizeof(call));
	put64(&f.k, WAIT_LOCK(0), WAIT_TASK(5) | 1);
	put_rt_waiter(&f, 0, WAIT_LOCK(0));
	REQUIRE(look_at(&f, 0, false, names));
	CHECK_STR(OBJECT(&f, 0)->type, "mutex");
	wait_fake_release(&f);
	rt_fake_init(&f);
	put_bytes(&f.k, WAIT_WAKE + 0x1e, pointer, sizeof(pointer));
	put_rt_waiter(&f, 0, WAIT_LOCK(0));
	REQUIRE(look_at(&f, 0, false, names));
	CHECK_STR(OBJECT(&f, 0)->type, "rt_mutex");
	wait_fake_release(&f);
}

/* Who is first in line spins as long as the owner runs. */
TEST(a_task_that_runs_waits_too)
{
	static const char *const names[] = { "rtlock_slowlock_locked", "rt_spin_lock", "caller" };
	struct wait_fake f;

	rt_fake_init(&f);
	put64(&f.k, WAIT_LOCK(0), WAIT_TASK(5) | 1);
	CHECK(!look_at(&f, 0, true, names)); /* it has not queued yet */
	put_rt_waiter(&f, 0, WAIT_LOCK(0));
	REQUIRE(look_at(&f, 0, true, names));
	CHECK_STR(OBJECT(&f, 0)->type, "spinlock");
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[5]);
	CHECK_U64(EDGE(&f, 0)->cpu, 1);
	wait_fake_release(&f);
}

TEST_MAIN
