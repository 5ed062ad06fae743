/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of who waits for whom, on stacks and lists laid out here as the kernel lays them out. What
 * is expected follows from what each test says that it made. */
#include "core/base/test.h"
#include "core/linux/wait/wait_fake.h"

#define EDGE(f, i) wait_edge_of(&(f)->g, &(f)->tasks[i])
#define OBJECT(f, i) (&(f)->g.objects.p[EDGE(f, i)->object])

TEST(one_holder_and_one_waiter_are_no_cycle)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	put_mutex(&f, 0, 0, (const int[]){ 1 }, 1);
	REQUIRE(wait_fake_look(&f, 1, "__mutex_lock.constprop.0"));
	CHECK(!wait_fake_look(&f, 0, "msleep"));
	wait_paths(&f.g);
	CHECK_U64(f.g.cycles.n, 0);
	CHECK_U64(f.g.chains.n, 0);
	REQUIRE(f.g.edges.n == 1 && f.g.objects.n == 1);
	CHECK_STR(OBJECT(&f, 1)->type, "mutex");
	CHECK_U64(OBJECT(&f, 1)->addr, WAIT_LOCK(0));
	CHECK(OBJECT(&f, 1)->holder == &f.tasks[0]);
	CHECK_U64(OBJECT(&f, 1)->holder_by, WAIT_BY_OWNER_WORD);
	CHECK_U64(EDGE(&f, 1)->by, WAIT_BY_RING);
	CHECK_U64(EDGE(&f, 1)->at, 4); /* who called the function that waits */
	CHECK(!EDGE(&f, 1)->flaw);
	wait_fake_release(&f);
}

TEST(two_mutexes_in_the_wrong_order)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	put_mutex(&f, 0, 0, (const int[]){ 1, 2 }, 2);
	put_mutex(&f, 1, 1, (const int[]){ 0 }, 1);
	CHECK(wait_fake_look(&f, 0, "__mutex_lock.constprop.0"));
	CHECK(wait_fake_look(&f, 1, "__mutex_lock.constprop.0"));
	CHECK(wait_fake_look(&f, 2, "__mutex_lock_slowpath"));
	wait_paths(&f.g);
	REQUIRE(f.g.cycles.n == 1);
	CHECK_U64(f.g.cycles.p[0].n, 2);
	CHECK(f.g.cycles.p[0].proven);
	/* task 2 stands behind them: a chain that ends in the cycle */
	REQUIRE(f.g.chains.n == 1);
	CHECK_U64(f.g.chains.p[0].n, 2);
	CHECK(f.g.chains.p[0].closed);
	CHECK(f.g.edges.p[f.g.chains.p[0].edges[0]].task == &f.tasks[2]);
	CHECK_U64(f.g.objects.p[f.g.crowds[0]].n, 2);
	CHECK_U64(f.g.impl->rings.n, 2); /* one for each lock, whoever asked */
	wait_fake_release(&f);
}

TEST(three_mutexes_and_a_chain_of_three)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	for (int i = 0; i < 3; i++)
		put_mutex(&f, i, i, (const int[]){ (i + 1) % 3 }, 1);
	/* 3 waits for 4, that for 5, that for 6, which does not wait */
	for (int i = 3; i < 6; i++)
		put_mutex(&f, i, i + 1, (const int[]){ i }, 1);
	for (int i = 0; i < 6; i++)
		CHECK(wait_fake_look(&f, i, "__mutex_lock"));
	wait_paths(&f.g);
	REQUIRE(f.g.cycles.n == 1 && f.g.chains.n == 1);
	CHECK_U64(f.g.cycles.p[0].n, 3);
	CHECK_U64(f.g.chains.p[0].n, 3);
	CHECK(!f.g.chains.p[0].closed);
	CHECK(f.g.edges.p[f.g.chains.p[0].edges[0]].task == &f.tasks[3]);
	CHECK(f.g.edges.p[f.g.chains.p[0].edges[2]].task == &f.tasks[5]);
	wait_fake_release(&f);
}

TEST(a_mutex_taken_twice_is_a_cycle_of_one_but_a_pickup_is_none)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	put_mutex(&f, 0, 0, (const int[]){ 0 }, 1);
	put_mutex(&f, 1, 1, (const int[]){ 1 }, 1);
	/* MUTEX_FLAG_PICKUP: unlock gave it to its waiter, which has not run yet */
	put64(&f.k, WAIT_LOCK(1) + WO_OWNER, WAIT_TASK(1) | 4 | 1);
	CHECK(wait_fake_look(&f, 0, "__mutex_lock"));
	CHECK(wait_fake_look(&f, 1, "__mutex_lock"));
	wait_paths(&f.g);
	REQUIRE(f.g.cycles.n == 1);
	CHECK_U64(f.g.cycles.p[0].n, 1);
	CHECK(f.g.edges.p[f.g.cycles.p[0].edges[0]].task == &f.tasks[0]);
	CHECK(EDGE(&f, 1)->owns);
	wait_fake_release(&f);
}

TEST(an_owner_that_is_no_task_is_named)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	put_mutex(&f, 0, 0, (const int[]){ 1 }, 1);
	put64(&f.k, WAIT_LOCK(0) + WO_OWNER, (WAIT_TASK(0) + 0x40) | 1);
	CHECK(wait_fake_look(&f, 1, "__mutex_lock"));
	wait_paths(&f.g);
	CHECK(!OBJECT(&f, 1)->holder);
	CHECK_CONTAINS(OBJECT(&f, 1)->state, "is no task");
	CHECK_U64(f.g.cycles.n + f.g.chains.n, 0);
	wait_fake_release(&f);
}

TEST(a_remnant_is_no_waiter)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	/* its neighbours do not point back: it was taken off the list */
	put_waiter(&f, 1);
	put64(&f.k, WAIT_WAITER(1), WAIT_LOCK(0) + WO_LIST);
	put64(&f.k, WAIT_WAITER(1) + 8, WAIT_LOCK(0) + WO_LIST);
	put_list(&f.k, WAIT_LOCK(0) + WO_LIST, NULL, 0);
	CHECK(!wait_fake_look(&f, 1, "__mutex_lock"));
	/* linked, but of another task: none of this one's */
	put_mutex(&f, 1, 0, (const int[]){ 2 }, 1);
	put64(&f.k, WAIT_WAITER(2) + WO_W_TASK, WAIT_TASK(3));
	CHECK(!wait_fake_look(&f, 2, "__mutex_lock"));
	/* and in the stack of a task that is in another function it is not looked for */
	put_mutex(&f, 2, 0, (const int[]){ 4 }, 1);
	CHECK(!wait_fake_look(&f, 4, "msleep"));
	wait_fake_release(&f);
}

/* v7.2: the list has no head, so that the lock is known by the task's own word, or because its
 * first waiter is in the ring. */
TEST(rings_without_a_head)
{
	struct wait_fake f;

	wait_fake_init(&f, false);
	put64(&f.k, WAIT_LOCK(0) + WO_OWNER, WAIT_TASK(0) | 1);
	put_ring(&f, WAIT_LOCK(0), (const int[]){ 1, 2, 3 }, 3);
	put64(&f.k, WAIT_TASK(1) + WO_BLOCKED_ON, WAIT_LOCK(0));
	CHECK(wait_fake_look(&f, 1, "__mutex_lock"));
	CHECK(wait_fake_look(&f, 2, "__mutex_lock"));
	REQUIRE(EDGE(&f, 1)->object == 0 && EDGE(&f, 2)->object == 0);
	CHECK_U64(EDGE(&f, 1)->by, WAIT_BY_BLOCKED_ON);
	CHECK_U64(EDGE(&f, 2)->by, WAIT_BY_RING);
	CHECK(OBJECT(&f, 2)->holder == &f.tasks[0]);
	/* a task that names another lock than the one whose list it is in */
	put64(&f.k, WAIT_TASK(3) + WO_BLOCKED_ON, WAIT_LOCK(5));
	CHECK(wait_fake_look(&f, 3, "__mutex_lock"));
	CHECK_U64(OBJECT(&f, 3)->addr, WAIT_LOCK(0));
	REQUIRE(EDGE(&f, 3)->flaw);
	CHECK_CONTAINS(EDGE(&f, 3)->flaw, "another lock");
	wait_fake_release(&f);
}

/* What the task names is its lock, whoever has that; a waiter's own link is no lock's word, though
 * what lies before it looks like an owner. */
TEST(a_headless_lock_whose_owner_ended)
{
	struct wait_fake f;

	for (int named = 0; named < 2; named++) {
		wait_fake_init(&f, false);
		put64(&f.k, WAIT_LOCK(0) + WO_OWNER, (WAIT_TASK(0) + 0x40) | 1);
		put_ring(&f, WAIT_LOCK(0), (const int[]){ 1 }, 1);
		put64(&f.k, WAIT_STACK(1) + WAIT_SP, WAIT_WAITER(1) - WO_LIST);
		put64(&f.k, WAIT_WAITER(1) - WO_LIST + WO_OWNER, WAIT_TASK(0) | 1);
		if (named)
			put64(&f.k, WAIT_TASK(1) + WO_BLOCKED_ON, WAIT_LOCK(0));
		CHECK(wait_fake_look(&f, 1, "__mutex_lock"));
		if (named) {
			REQUIRE(EDGE(&f, 1)->object != WAIT_NONE);
			CHECK_U64(OBJECT(&f, 1)->addr, WAIT_LOCK(0));
			CHECK(!EDGE(&f, 1)->flaw);
			CHECK(!OBJECT(&f, 1)->holder);
		} else {
			CHECK(EDGE(&f, 1)->object == WAIT_NONE);
			CHECK(EDGE(&f, 1)->flaw != NULL);
		}
		wait_fake_release(&f);
	}
}

TEST(a_headless_lock_is_found_by_its_first_waiter)
{
	struct wait_fake f;

	wait_fake_init(&f, false);
	put64(&f.k, WAIT_LOCK(0) + WO_OWNER, WAIT_TASK(0) | 1);
	put_ring(&f, WAIT_LOCK(0), (const int[]){ 1 }, 1);
	/* a lock whose list is another one is on the stack as well */
	put64(&f.k, WAIT_LOCK(1) + WO_OWNER, WAIT_TASK(0) | 1);
	put_ring(&f, WAIT_LOCK(1), (const int[]){ 2 }, 1);
	put64(&f.k, WAIT_STACK(1) + WAIT_SP, WAIT_LOCK(1));
	put64(&f.k, WAIT_STACK(1) + WAIT_SP + 0x80, WAIT_LOCK(0));
	CHECK(wait_fake_look(&f, 1, "__mutex_lock"));
	REQUIRE(EDGE(&f, 1)->object != WAIT_NONE);
	CHECK_U64(OBJECT(&f, 1)->addr, WAIT_LOCK(0));
	/* nothing leads from task 2 to its lock: it waits, and that is all */
	CHECK(wait_fake_look(&f, 2, "__mutex_lock"));
	CHECK(EDGE(&f, 2)->object == WAIT_NONE);
	CHECK(EDGE(&f, 2)->flaw != NULL);
	wait_paths(&f.g);
	CHECK_U64(f.g.cycles.n + f.g.chains.n, 0);
	wait_fake_release(&f);
}

/* The reader that is named may have left long ago. */
TEST(readers_are_counted_and_only_hinted_at)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	put_waiters(&f, WAIT_LOCK(0), (const int[]){ 0, 1 }, 2);
	put32(&f.k, WAIT_WAITER(1) + WO_W_TYPE, 1);
	put64(&f.k, WAIT_LOCK(0) + WO_RW_COUNT, 0x302); /* three readers, and waiters */
	put64(&f.k, WAIT_LOCK(0) + WO_RW_OWNER, WAIT_TASK(2) | 3);
	put_mutex(&f, 1, 0, (const int[]){ 2 }, 1);
	CHECK(wait_fake_look(&f, 0, "rwsem_down_write_slowpath"));
	CHECK(wait_fake_look(&f, 1, "rwsem_down_read_slowpath"));
	CHECK(wait_fake_look(&f, 2, "__mutex_lock"));
	wait_paths(&f.g);
	CHECK_STR(EDGE(&f, 0)->mode, "write");
	CHECK_STR(EDGE(&f, 1)->mode, "read");
	CHECK_STR(OBJECT(&f, 0)->state, "read by 3; next in line is 100, to write");
	CHECK_U64(OBJECT(&f, 0)->holder_by, WAIT_BY_HINT);
	/* 0 waits for the lock that 2 may read, and 2 for the mutex that 0 has */
	REQUIRE(f.g.cycles.n == 1);
	CHECK(!f.g.cycles.p[0].proven);
	wait_fake_release(&f);
}

TEST(who_read_last_and_waits_now_does_not_wait_for_itself)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	put_waiters(&f, WAIT_LOCK(0), (const int[]){ 0 }, 1);
	put64(&f.k, WAIT_LOCK(0) + WO_RW_COUNT, 0x102);
	put64(&f.k, WAIT_LOCK(0) + WO_RW_OWNER, WAIT_TASK(0) | 1);
	CHECK(wait_fake_look(&f, 0, "rwsem_down_write_slowpath"));
	wait_paths(&f.g);
	CHECK_U64(f.g.cycles.n, 0);
	wait_fake_release(&f);
}

TEST(a_writer_is_named_by_its_word)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	put_waiters(&f, WAIT_LOCK(0), (const int[]){ 0 }, 1);
	put64(&f.k, WAIT_LOCK(0) + WO_RW_COUNT, 3);
	put64(&f.k, WAIT_LOCK(0) + WO_RW_OWNER, WAIT_TASK(1));
	CHECK(wait_fake_look(&f, 0, "rwsem_down_read_slowpath"));
	CHECK_STR(OBJECT(&f, 0)->state, "locked for writing");
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[1]);
	CHECK_U64(OBJECT(&f, 0)->holder_by, WAIT_BY_OWNER_WORD);
	wait_fake_release(&f);
}

TEST(a_semaphore_has_no_owner)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	put_waiters(&f, WAIT_LOCK(0), (const int[]){ 0 }, 1);
	CHECK(wait_fake_look(&f, 0, "__down_common"));
	CHECK_STR(OBJECT(&f, 0)->type, "semaphore");
	CHECK(!OBJECT(&f, 0)->holder);
	CHECK_CONTAINS(OBJECT(&f, 0)->state, "count 0");
	wait_fake_release(&f);
	/* v7.2 keeps who took it last */
	wait_fake_init(&f, false);
	put_ring(&f, WAIT_LOCK(0), (const int[]){ 0 }, 1);
	put64(&f.k, WAIT_LOCK(0) + WO_SEM_LAST, WAIT_TASK(1));
	put64(&f.k, WAIT_TASK(0) + WO_BLOCKER, WAIT_LOCK(0) | 1);
	CHECK(wait_fake_look(&f, 0, "__down_common"));
	REQUIRE(EDGE(&f, 0)->object != WAIT_NONE);
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[1]);
	CHECK_U64(OBJECT(&f, 0)->holder_by, WAIT_BY_HINT);
	CHECK_U64(EDGE(&f, 0)->by, WAIT_BY_BLOCKED_ON);
	wait_fake_release(&f);
}

TEST(rt_mutexes_lead_from_task_to_task)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	for (int i = 0; i < 2; i++) {
		put64(&f.k, WAIT_TASK(i) + WO_PI, WAIT_WAITER(i));
		put64(&f.k, WAIT_WAITER(i), WAIT_TASK(i));
		put64(&f.k, WAIT_WAITER(i) + 8, WAIT_LOCK(i));
		put64(&f.k, WAIT_LOCK(i), WAIT_TASK(1 - i) | 1);
	}
	/* a waiter that says that it is another task's is not believed */
	put64(&f.k, WAIT_TASK(2) + WO_PI, WAIT_WAITER(0));
	CHECK(wait_fake_look(&f, 0, "futex_lock_pi"));
	CHECK(wait_fake_look(&f, 1, "rt_mutex_slowlock"));
	CHECK(!wait_fake_look(&f, 2, "rt_mutex_slowlock"));
	wait_paths(&f.g);
	CHECK_STR(OBJECT(&f, 0)->type, "futex_pi");
	CHECK_STR(OBJECT(&f, 1)->type, "rt_mutex");
	REQUIRE(f.g.cycles.n == 1);
	CHECK(f.g.cycles.p[0].proven);
	wait_fake_release(&f);
}

TEST(completions_have_no_owner_but_by_a_rule)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	put_completion(&f, 0, WAIT_LOCK(0));
	put_completion(&f, 1, WAIT_LOCK(1));
	/* lock 1 is what the end of task 3 completes */
	*map_put(&f.g.impl->vforks, WAIT_LOCK(1), NULL) = (uintptr_t)&f.tasks[3];
	CHECK(wait_fake_look(&f, 0, "wait_for_completion"));
	CHECK(wait_fake_look(&f, 1, "wait_for_completion_killable"));
	CHECK_STR(OBJECT(&f, 0)->type, "completion");
	CHECK_U64(OBJECT(&f, 0)->addr, WAIT_LOCK(0));
	CHECK(!OBJECT(&f, 0)->holder);
	CHECK_CONTAINS(OBJECT(&f, 0)->state, "no owner");
	CHECK(OBJECT(&f, 1)->holder == &f.tasks[3]);
	CHECK_U64(OBJECT(&f, 1)->holder_by, WAIT_BY_RULE);
	/* list_del_init() leaves a waiter linked with itself */
	put64(&f.k, WAIT_WAITER(2), WAIT_TASK(2));
	put_list(&f.k, WAIT_WAITER(2) + 8, NULL, 0);
	CHECK(!wait_fake_look(&f, 2, "wait_for_completion"));
	wait_fake_release(&f);
}

TEST(wait_queues_are_told_by_their_head)
{
	const uint64_t nodes[] = { WAIT_WAITER(0) + 24, WAIT_LOCK(3) + 24 };
	struct wait_fake f;

	wait_fake_init(&f, true);
	put64(&f.k, WAIT_WAITER(0) + 8, WAIT_TASK(0));
	put64(&f.k, WAIT_WAITER(0) + 16, WAIT_WAKE);
	/* an entry of somebody who is no task, as epoll has them */
	put64(&f.k, WAIT_LOCK(3) + 8, 0x1234);
	put64(&f.k, WAIT_LOCK(3) + 16, WAIT_WAKE + 8);
	put_list(&f.k, WAIT_LOCK(0) + 8, nodes, 2);
	CHECK(wait_fake_look(&f, 0, "do_wait"));
	REQUIRE(EDGE(&f, 0)->object != WAIT_NONE);
	CHECK_STR(OBJECT(&f, 0)->type, "wait_queue");
	CHECK_U64(OBJECT(&f, 0)->addr, WAIT_LOCK(0));
	CHECK(!EDGE(&f, 0)->flaw);
	wait_fake_release(&f);
}

TEST(a_list_that_loops_is_left_and_said)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	put_mutex(&f, 0, 0, (const int[]){ 1, 2, 3 }, 3);
	/* behind 3 the list goes back to 2, which does not point back there */
	put64(&f.k, WAIT_WAITER(3), WAIT_WAITER(2));
	CHECK(wait_fake_look(&f, 1, "__mutex_lock"));
	REQUIRE(EDGE(&f, 1)->object != WAIT_NONE);
	CHECK_U64(OBJECT(&f, 1)->addr, WAIT_LOCK(0)); /* by the way back */
	REQUIRE(EDGE(&f, 1)->flaw);
	CHECK_CONTAINS(EDGE(&f, 1)->flaw, "broken");
	wait_fake_release(&f);
}

TEST(what_the_dump_lacks_is_said)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	put_mutex(&f, 0, 0, (const int[]){ 1, 2 }, 2);
	f.k.holes = 1u << ((WAIT_STACK(2) - KERNEL_BASE) / 0x1000); /* the stack of task 2 */
	CHECK(!wait_fake_look(&f, 1, "__mutex_lock"));              /* its neighbour cannot agree */
	CHECK(!wait_fake_look(&f, 2, "__mutex_lock"));
	wait_fake_release(&f);
}

/* The list is broken between 2 and 3: who comes from 5 is led over the head to 2, and who comes
 * from 4 is led to 5, which was met before. Both wait for the same. */
TEST(both_sides_of_a_break_are_of_one_list)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	put_mutex(&f, 0, 0, (const int[]){ 1, 2, 3, 4, 5 }, 5);
	put64(&f.k, WAIT_WAITER(2), WAIT_LOCK(7));
	CHECK(wait_fake_look(&f, 5, "__mutex_lock"));
	REQUIRE(wait_fake_look(&f, 4, "__mutex_lock"));
	REQUIRE(EDGE(&f, 4)->object != WAIT_NONE);
	CHECK_U64(OBJECT(&f, 4)->addr, WAIT_LOCK(0));
	CHECK_U64(f.g.objects.n, 1);
	REQUIRE(EDGE(&f, 4)->flaw);
	CHECK_CONTAINS(EDGE(&f, 4)->flaw, "broken");
	wait_fake_release(&f);
}

/* Who has what the last one of a chain waits for is not in the chain, and needs no proof. */
TEST(the_end_of_a_chain_needs_no_proof)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	put_mutex(&f, 1, 1, (const int[]){ 0 }, 1);
	put_waiters(&f, WAIT_LOCK(0), (const int[]){ 1 }, 1);
	put64(&f.k, WAIT_LOCK(0) + WO_RW_COUNT, 0x102);
	put64(&f.k, WAIT_LOCK(0) + WO_RW_OWNER, WAIT_TASK(2) | 3); /* who read it last */
	CHECK(wait_fake_look(&f, 0, "__mutex_lock"));
	CHECK(wait_fake_look(&f, 1, "rwsem_down_write_slowpath"));
	wait_paths(&f.g);
	CHECK_U64(OBJECT(&f, 1)->holder_by, WAIT_BY_HINT);
	REQUIRE(f.g.chains.n == 1);
	CHECK_U64(f.g.chains.p[0].n, 2);
	CHECK(f.g.chains.p[0].proven);
	wait_fake_release(&f);
}

TEST(several_who_have_it_are_counted_once)
{
	static const struct task tasks[3];
	struct wait_many many = { .n = 0 };

	for (size_t i = 0; i < 6; i++)
		wait_many_add(&many, &tasks[i % 3]);
	wait_many_add(&many, NULL);
	CHECK_U64(many.n, 3);
	CHECK_U64(many.total, 3);
}

/* ---- PREEMPT_RT, as kernel/locking/rwbase_rt.c has it */

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
