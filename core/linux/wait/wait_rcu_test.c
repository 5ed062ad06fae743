/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of waits for grace periods of RCU and SRCU. What is expected follows from what each test
 * lays out, as kernel/rcu/tree.h and srcutree.h say what the kernel keeps where. */
#include "core/base/test.h"
#include "core/linux/wait/wait_rcu_fake.h"

#define EDGE(f, i) wait_edge_of(&(f)->g, &(f)->tasks[i])
#define OBJECT(f, i) (&(f)->g.objects.p[EDGE(f, i)->object])

static void setup(struct wait_fake *f)
{
	wait_fake_init(f, true);
	rcu_types(f);
	put_rcu(f);
	(void)put_synchronize(f, 0);
}

/* Three tasks are blocked in leaf 2, the one that came last first; from `first` on they are in the
 * way. */
static void put_readers(struct wait_fake *f, uint64_t member, int first)
{
	const uint64_t entries[] = { RCU_ENTRY(4), RCU_ENTRY(3), RCU_ENTRY(2) };

	put_list(&f->k, RCU_NODE(2) + RN_BLKD, entries, 3);
	put64(&f->k, RCU_NODE(2) + member, RCU_ENTRY(first));
}

TEST(readers_that_sleep_are_in_the_way)
{
	struct wait_fake f;

	setup(&f);
	put_readers(&f, RN_GP_TASKS, 3);
	REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "__wait_rcu_gp"));
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[3]);
	CHECK_U64(OBJECT(&f, 0)->n_others, 1);
	CHECK(wait_is_held_by(OBJECT(&f, 0), &f.tasks[2]));
	CHECK(!wait_is_held_by(OBJECT(&f, 0), &f.tasks[4])); /* it came when it had begun */
	CHECK_U64(OBJECT(&f, 0)->holder_by, WAIT_BY_RULE);
	CHECK_CONTAINS(OBJECT(&f, 0)->state, "under way is g=-303; read by 2");
	CHECK(!OBJECT(&f, 0)->flaw);
	wait_fake_release(&f);
}

/* A reader wants the mutex of who waits for its end. */
TEST(a_reader_that_waits_for_the_updater_is_a_deadlock)
{
	struct wait_fake f;

	setup(&f);
	put_readers(&f, RN_GP_TASKS, 3);
	put_mutex(&f, 0, 0, (const int[]){ 2 }, 1);
	REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "synchronize_rcu_normal"));
	REQUIRE(wait_fake_look(&f, 2, "__mutex_lock"));
	wait_paths(&f.g);
	REQUIRE(f.g.cycles.n == 1);
	CHECK(f.g.cycles.p[0].proven);
	CHECK_U64(f.g.cycles.p[0].n, 2);
	wait_fake_release(&f);
}

/* The bits of the root are leaves, and those of leaves CPUs. */
TEST(cpus_that_have_not_passed_are_counted)
{
	struct wait_fake f;

	setup(&f);
	put64(&f.k, RCU_NODE(2) + RN_QSMASK, 1);
	REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "__wait_rcu_gp"));
	CHECK_CONTAINS(OBJECT(&f, 0)->state, "CPU 1 has not passed");
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[7]); /* the thread that looks after it */
	CHECK_U64(OBJECT(&f, 0)->holder_by, WAIT_BY_CANDIDATE);
	wait_fake_release(&f);

	setup(&f);
	put64(&f.k, RCU_NODE(1) + RN_QSMASK, 1);
	put64(&f.k, RCU_NODE(2) + RN_QSMASK, 1);
	REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "__wait_rcu_gp"));
	CHECK_CONTAINS(OBJECT(&f, 0)->state, "CPUs 0, 1 have not passed");
	wait_fake_release(&f);

	/* sixteen are told, and that there are more */
	for (int more = 0; more < 2; more++) {
		setup(&f);
		put32(&f.k, RCU_NODE(2) + RN_GRPHI, 31);
		put64(&f.k, RCU_NODE(2) + RN_QSMASK, more ? 0x1ffff : 0xffff);
		REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "__wait_rcu_gp"));
		CHECK_CONTAINS(OBJECT(&f, 0)->state,
			       more ? ", 15, 16, ... have not" : ", 15, 16 have not");
		wait_fake_release(&f);
	}
}

TEST(without_a_grace_period_nobody_is_in_its_way)
{
	struct wait_fake f;

	setup(&f);
	put_readers(&f, RN_GP_TASKS, 3);
	put64(&f.k, WAIT_RCU + RS_GP_SEQ, (uint64_t)-304);
	REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "__wait_rcu_gp"));
	CHECK_CONTAINS(OBJECT(&f, 0)->state, "the last one was g=-304");
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[7]);
	CHECK_U64(OBJECT(&f, 0)->holder_by, WAIT_BY_CANDIDATE);
	wait_fake_release(&f);
}

TEST(a_list_of_readers_that_is_broken_is_said)
{
	static const uint64_t wrong[] = { RCU_ENTRY(2) + 8, RCU_ENTRY(3), 0, KERNEL_BASE - 8 };

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct wait_fake f;

		setup(&f);
		put_readers(&f, RN_GP_TASKS, 3);
		put64(&f.k, RCU_ENTRY(3), wrong[i]);
		if (i == 1)
			put64(&f.k, RCU_ENTRY(3) + 8, RCU_ENTRY(3)); /* a ring of itself */
		REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "__wait_rcu_gp"));
		REQUIRE(OBJECT(&f, 0)->flaw);
		CHECK_CONTAINS(OBJECT(&f, 0)->flaw, "readers is broken");
		wait_fake_release(&f);
	}
}

TEST(a_barrier_waits_for_callbacks_that_perhaps_wait_for_readers)
{
	struct wait_fake f;

	setup(&f);
	put_readers(&f, RN_GP_TASKS, 2);
	put_completion(&f, 1, WAIT_RCU + RS_BARRIER);
	put64(&f.k, WAIT_RCU + RS_BARRIER_COUNT, 2);
	REQUIRE(wait_fake_look_from(&f, 1, "wait_for_completion", "rcu_barrier"));
	CHECK_CONTAINS(OBJECT(&f, 1)->state, "of 2 CPUs");
	CHECK(OBJECT(&f, 1)->holder == &f.tasks[2]);
	CHECK_U64(OBJECT(&f, 1)->holder_by, WAIT_BY_CANDIDATE);
	wait_fake_release(&f);
}

/* An expedited one has masks and readers of its own. Who asks is in a queue of the root; who looks
 * after it in the state's. */
TEST(expedited_grace_periods)
{
	struct wait_fake f;
	uint64_t node = WAIT_WAITER(5) + 24;

	setup(&f);
	put_readers(&f, RN_EXP_TASKS, 2);
	put64(&f.k, RCU_NODE(1) + RN_EXPMASK, 1);
	put64(&f.k, WAIT_WAITER(5) + 8, WAIT_TASK(5));
	put64(&f.k, WAIT_WAITER(5) + 16, WAIT_WAKE);
	put_list(&f.k, RCU_NODE(0) + RN_EXP_WQ + 8, &node, 1);
	put_completion(&f, 6, WAIT_RCU + RS_EXP_WQ + 8 - WO_C_LIST);
	REQUIRE(wait_fake_look(&f, 5, "synchronize_rcu_expedited"));
	REQUIRE(wait_fake_look(&f, 6, "synchronize_rcu_expedited_wait_once"));
	for (int i = 5; i < 7; i++) {
		REQUIRE(EDGE(&f, i)->object != WAIT_NONE);
		CHECK(OBJECT(&f, i)->holder == &f.tasks[2]);
		CHECK_U64(OBJECT(&f, i)->holder_by, WAIT_BY_RULE);
		CHECK_CONTAINS(OBJECT(&f, i)->state, "expedited");
		CHECK_CONTAINS(OBJECT(&f, i)->state, "g=37; read by 1; CPU 0 has not passed");
	}
	CHECK_STR(OBJECT(&f, 5)->type, "wait_queue");
	CHECK_STR(OBJECT(&f, 6)->type, "swait_queue");
	wait_fake_release(&f);
}

/* ---- SRCU */

/* Task 0 waits; its callback is on CPU 1's list, behind another one. Two readers came on index 0,
 * one of which left on the other CPU; three are on index 1. */
static void setup_srcu(struct wait_fake *f, enum srcu_age age)
{
	const uint64_t sync = WAIT_WAITER(0) + 0x20 + SYNC_HEAD;

	setup(f);
	srcu_types(f, age);
	put_srcu(f, age);
	put_srcu_counts(f, age, 0, 0, 5, 3);
	put_srcu_counts(f, age, 1, 0, 2, 3);
	put_srcu_counts(f, age, 1, 1, 3, 0);
	put64(&f->k, SRCU_DATA + WAIT_CPU_SIZE + SD_CALLBACKS, WAIT_LOCK(5));
	put64(&f->k, WAIT_LOCK(5), sync);
	put64(&f->k, WAIT_STACK(0) + WAIT_SP + 0x10, SRCU_AT);
}

TEST(readers_of_srcu_are_counted)
{
	for (enum srcu_age age = 0; age < SRCU_AGES; age++) {
		struct wait_fake f;

		setup_srcu(&f, age);
		REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "__synchronize_srcu"));
		CHECK_CONTAINS(OBJECT(&f, 0)->state,
			       "read by 1 at index 0, for which it waits, and by 3 at index 1");
		CHECK(strstr(OBJECT(&f, 0)->state, "only one") == NULL);
		CHECK(!OBJECT(&f, 0)->holder);
		wait_fake_release(&f);
	}
}

TEST(a_callback_that_left_its_list_leaves_the_stack_s_word)
{
	struct wait_fake f;

	setup_srcu(&f, SRCU_ATOMIC);
	put64(&f.k, WAIT_LOCK(5), 0);
	REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "__synchronize_srcu"));
	CHECK_CONTAINS(OBJECT(&f, 0)->state, "the only one on the stack");
	wait_fake_release(&f);
	/* and no word that is one */
	setup_srcu(&f, SRCU_ATOMIC);
	put64(&f.k, SRCU_DATA + SD_SSP, SRCU_AT + 8);
	REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "__synchronize_srcu"));
	CHECK_STR(OBJECT(&f, 0)->state, "the end of an SRCU grace period");
	wait_fake_release(&f);
}

/* Who has the address on its stack may be a reader; who waits for it has it for that. */
TEST(who_has_its_address_on_the_stack_is_a_candidate)
{
	struct wait_fake f;

	setup_srcu(&f, SRCU_ATOMIC);
	REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "__synchronize_srcu"));
	put64(&f.k, WAIT_STACK(3) + 0xf00, SRCU_AT);
	put64(&f.k, WAIT_STACK(4) + 0xf00, SRCU_AT + 8);
	for (int i = 0; i < 5; i++)
		wait_fake_search(&f, i);
	wait_search_end(&f.g);
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[3]);
	CHECK_U64(OBJECT(&f, 0)->n_others, 0);
	CHECK_U64(OBJECT(&f, 0)->holder_by, WAIT_BY_CANDIDATE);
	wait_fake_release(&f);
}

/* With nobody else, who waits may be its own reader; without readers nobody is. */
TEST(who_waits_for_srcu_may_wait_for_itself)
{
	for (int readers = 0; readers < 2; readers++) {
		struct wait_fake f;

		setup_srcu(&f, SRCU_ATOMIC);
		if (!readers) {
			put_srcu_counts(&f, SRCU_ATOMIC, 1, 0, 2, 4);
			put_srcu_counts(&f, SRCU_ATOMIC, 1, 1, 3, 3);
		}
		REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "synchronize_srcu"));
		for (int i = 0; i < 5; i++)
			wait_fake_search(&f, i);
		wait_search_end(&f.g);
		CHECK(OBJECT(&f, 0)->holder == (readers ? &f.tasks[0] : NULL));
		wait_paths(&f.g);
		CHECK_U64(f.g.cycles.n, 0);
		wait_fake_release(&f);
	}
}

/* A list of callbacks that loops ends. */
TEST(callbacks_that_loop)
{
	struct wait_fake f;

	setup_srcu(&f, SRCU_ATOMIC);
	put64(&f.k, WAIT_LOCK(5), WAIT_LOCK(5));
	REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion", "__synchronize_srcu"));
	CHECK_CONTAINS(OBJECT(&f, 0)->state, "the only one on the stack");
	wait_fake_release(&f);
}

TEST_MAIN
