/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of flushes of work, on pools, workers and work queues laid out as the kernel does. */
#include "core/base/test.h"
#include "core/linux/wait/wait_work_fake.h"

#define EDGE(f, i) wait_edge_of(&(f)->g, &(f)->tasks[i])
#define OBJECT(f, i) (&(f)->g.objects.p[EDGE(f, i)->object])

TEST(a_flush_waits_for_the_worker_that_is_at_the_work)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	work_types(&f.k);
	put_worker(&f, 0, 1, 0);
	put_barrier(&f, 0, FLUSHED_BY_WORKER);
	/* who called tells that it is a flush: without that nothing is said */
	REQUIRE(wait_fake_look(&f, 0, "wait_for_completion"));
	CHECK_CONTAINS(OBJECT(&f, 0)->state, "no owner");
	CHECK(!OBJECT(&f, 0)->holder);
	wait_fake_release(&f);

	wait_fake_init(&f, true);
	work_types(&f.k);
	put_worker(&f, 0, 1, 0);
	put_barrier(&f, 0, FLUSHED_BY_WORKER);
	REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "__flush_work"));
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[1]);
	CHECK_U64(OBJECT(&f, 0)->holder_by, WAIT_BY_RULE);
	CHECK_CONTAINS(OBJECT(&f, 0)->state, "worker is in");
	CHECK(!OBJECT(&f, 0)->flaw);
	wait_fake_release(&f);
}

/* The barrier is on the list of the worker whose work flushes itself. */
TEST(a_work_that_flushes_itself_is_a_deadlock_of_one)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	work_types(&f.k);
	put_worker(&f, 0, 0, 0);
	put_barrier(&f, 0, FLUSHED_BY_WORKER);
	REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "__flush_work.isra.0"));
	wait_paths(&f.g);
	REQUIRE(f.g.cycles.n == 1);
	CHECK(f.g.cycles.p[0].proven);
	wait_fake_release(&f);
}

TEST(work_in_a_pool_has_nobody_but_one_who_runs_there)
{
	for (int running = 0; running < 2; running++) {
		struct wait_fake f;

		wait_fake_init(&f, true);
		work_types(&f.k);
		put_worker(&f, 0, 1, 0);
		put_worker(&f, 1, 2, 0);
		if (running)
			f.tasks[2].letter = 'R';
		put_barrier(&f, 0, FLUSHED_IN_POOL);
		REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "__flush_work"));
		CHECK(OBJECT(&f, 0)->holder == (running ? &f.tasks[2] : NULL));
		CHECK_U64(OBJECT(&f, 0)->holder_by, running ? WAIT_BY_CANDIDATE : WAIT_BY_NOTHING);
		CHECK_CONTAINS(OBJECT(&f, 0)->state, "no worker has begun");
		CHECK_CONTAINS(OBJECT(&f, 0)->state, "2 of its pool are busy");
		wait_fake_release(&f);
	}
}

/* A queue that does one work at a time does the one that is active first. Where it does two, either
 * may be the one that ends. */
TEST(work_that_waits_for_its_turn_waits_for_the_one_before)
{
	for (unsigned max = 1; max <= 2; max++) {
		struct wait_fake f;

		wait_fake_init(&f, true);
		work_types(&f.k);
		put_worker(&f, 0, 1, 0);
		put32(&f.k, WORK_PWQ(0) + PWQ_ACTIVE, max);
		put32(&f.k, WORK_PWQ(0) + PWQ_MAX, max);
		if (max == 2)
			put_worker(&f, 1, 2, 0);
		put_barrier(&f, 0, FLUSHED_IN_TURN);
		REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "__flush_work"));
		CHECK(wait_is_held_by(OBJECT(&f, 0), &f.tasks[1]));
		CHECK(wait_is_held_by(OBJECT(&f, 0), &f.tasks[2]) == (max == 2));
		CHECK_U64(OBJECT(&f, 0)->holder_by, max == 1 ? WAIT_BY_RULE : WAIT_BY_CANDIDATE);
		CHECK_CONTAINS(OBJECT(&f, 0)->state, "come first");
		wait_fake_release(&f);
	}
}

/* Candidates lead on, and close no ring: two works of which each waits for its turn behind two. */
TEST(candidates_are_no_deadlock)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	work_types(&f.k);
	put_worker(&f, 0, 0, 0);
	put_worker(&f, 1, 1, 0);
	put32(&f.k, WORK_PWQ(0) + PWQ_ACTIVE, 2);
	put32(&f.k, WORK_PWQ(0) + PWQ_MAX, 2);
	put_barrier(&f, 0, FLUSHED_IN_TURN);
	put_mutex(&f, 0, 0, (const int[]){ 1 }, 1);
	REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "__flush_work"));
	REQUIRE(wait_fake_look(&f, 1, "__mutex_lock"));
	CHECK(wait_is_held_by(OBJECT(&f, 0), &f.tasks[1]));
	wait_paths(&f.g);
	CHECK_U64(f.g.cycles.n, 0);
	wait_fake_release(&f);
}

TEST(a_list_of_works_that_is_broken_is_said)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	work_types(&f.k);
	put_worker(&f, 0, 1, 0);
	put_barrier(&f, 0, FLUSHED_BY_WORKER);
	put64(&f.k, WORK_POOL + POOL_LIST, 0x10);
	REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "__flush_work"));
	REQUIRE(OBJECT(&f, 0)->flaw);
	CHECK_CONTAINS(OBJECT(&f, 0)->flaw, "works of a pool");
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[1]); /* the other list is whole */
	wait_fake_release(&f);
}

/* ---- flush_workqueue() */

TEST(a_flush_of_a_queue_waits_for_each_worker_of_its_colour)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	work_types(&f.k);
	put_worker(&f, 0, 1, 0);
	put_worker(&f, 1, 2, 0);
	put_worker(&f, 2, 3, 0); /* at a work that was queued after the flush began */
	put32(&f.k, WORK_WORKER(2) + WORKER_COLOR, 6);
	put_flusher(&f, 0, FLUSHER_FIRST);
	put32(&f.k, WORK_PWQ(0) + PWQ_FLIGHT + 5 * 4, 3); /* one of them has not begun */
	put32(&f.k, WORK_PWQ(0) + PWQ_FLIGHT + 6 * 4, 1);
	/* task 2 wants what the flusher has */
	put_mutex(&f, 0, 0, (const int[]){ 2 }, 1);
	REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "__flush_workqueue"));
	REQUIRE(wait_fake_look(&f, 2, "__mutex_lock"));
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[1]);
	CHECK_U64(OBJECT(&f, 0)->n_others, 1);
	CHECK_U64(OBJECT(&f, 0)->holder_by, WAIT_BY_RULE);
	CHECK_CONTAINS(OBJECT(&f, 0)->state, "'kblockd': 3 left, 2 of them begun");
	wait_paths(&f.g);
	/* of the two the one that closes the ring is followed */
	REQUIRE(f.g.cycles.n == 1);
	CHECK(f.g.cycles.p[0].proven);
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[2]);
	CHECK(wait_is_held_by(OBJECT(&f, 0), &f.tasks[1]));
	CHECK(!wait_is_held_by(OBJECT(&f, 0), &f.tasks[3]));
	wait_fake_release(&f);
}

/* A second flusher waits for the first one's works, too; and one that was given no colour yet for
 * all. */
TEST(later_flushers_wait_for_earlier_works)
{
	static const enum flusher_place places[] = { FLUSHER_QUEUED, FLUSHER_OVERFLOW };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		struct wait_fake f;

		wait_fake_init(&f, true);
		work_types(&f.k);
		put_worker(&f, 0, 1, 0);
		put_worker(&f, 1, 2, 0);
		put32(&f.k, WORK_WORKER(1) + WORKER_COLOR, 7);
		put32(&f.k, WORK_PWQ(0) + PWQ_FLIGHT + 5 * 4, 1);
		put32(&f.k, WORK_PWQ(0) + PWQ_FLIGHT + 7 * 4, 1);
		put_flusher(&f, 0, places[i]);
		REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "drain_workqueue"));
		CHECK(wait_is_held_by(OBJECT(&f, 0), &f.tasks[1]));
		CHECK(wait_is_held_by(OBJECT(&f, 0), &f.tasks[2]) ==
		      (places[i] == FLUSHER_OVERFLOW));
		wait_fake_release(&f);
	}
}

TEST(a_flusher_that_no_queue_has_is_none)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	work_types(&f.k);
	put_flusher(&f, 0, FLUSHER_FIRST);
	put64(&f.k, WORK_WQ + WQ_FIRST, WAIT_WAITER(3));
	REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "__flush_workqueue"));
	CHECK_CONTAINS(OBJECT(&f, 0)->state, "no owner");
	wait_fake_release(&f);
}

TEST(a_thread_s_own_work_is_flushed_by_that_thread)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	work_types(&f.k);
	put_completion(&f, 0, WAIT_WAITER(0) + 0x40);
	put64(&f.k, WAIT_WAITER(0) + 0x20 + KWORK_WORKER, WORK_POOL);
	put64(&f.k, WORK_POOL, WAIT_TASK(4));
	REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "kthread_flush_work"));
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[4]);
	CHECK_U64(OBJECT(&f, 0)->holder_by, WAIT_BY_RULE);
	wait_fake_release(&f);
}

TEST_MAIN
