/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of waits for a journal of jbd2. What is expected follows from what each test lays out, as
 * include/linux/jbd2.h says what the kernel keeps where. */
#include "core/base/test.h"
#include "core/linux/wait/wait_journal_fake.h"

#define EDGE(f, i) wait_edge_of(&(f)->g, &(f)->tasks[i])
#define OBJECT(f, i) (&(f)->g.objects.p[EDGE(f, i)->object])

static void setup(struct wait_fake *f)
{
	wait_fake_init(f, true);
	journal_types(f);
	put_journal(f);
}

/* Task 0 wants a handle of a transaction that is being committed; the thread that commits, task 7,
 * waits until task 3 closes its handle. */
TEST(from_who_wants_a_handle_to_who_has_one)
{
	struct wait_fake f;

	setup(&f);
	put_journal_waiter(&f, 0, J_LOCKED);
	put_journal_waiter(&f, 7, J_UPDATES);
	put_handle(&f, 3);
	put_mutex(&f, 0, 2, (const int[]){ 3 }, 1);
	REQUIRE(wait_fake_look_from(&f, 0, "wait_transaction_locked", "start_this_handle"));
	REQUIRE(wait_fake_look(&f, 7, "jbd2_journal_wait_updates"));
	REQUIRE(wait_fake_look(&f, 3, "__mutex_lock"));
	CHECK_STR(OBJECT(&f, 0)->type, "transaction");
	CHECK_U64(OBJECT(&f, 0)->addr, JOURNAL_RUNNING);
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[7]);
	CHECK_U64(OBJECT(&f, 0)->holder_by, WAIT_BY_RULE);
	CHECK_STR(OBJECT(&f, 0)->state, "number 42 of vda1-8 is locked, with 1 update");
	CHECK_STR(OBJECT(&f, 7)->type, "transaction_updates");
	CHECK(OBJECT(&f, 7)->holder == &f.tasks[3]);
	CHECK_CONTAINS(OBJECT(&f, 7)->state, "1 task has it open");
	wait_paths(&f.g);
	REQUIRE(f.g.chains.n == 1);
	CHECK_U64(f.g.chains.p[0].n, 3);
	CHECK_U64(f.g.cycles.n, 0);
	wait_fake_release(&f);
}

/* A task that has a handle open waits for the commit of the same transaction. */
TEST(a_handle_that_waits_for_its_own_commit_is_a_deadlock)
{
	struct wait_fake f;

	setup(&f);
	put_journal_waiter(&f, 3, J_DONE);
	put_journal_waiter(&f, 7, J_UPDATES);
	put_handle(&f, 3);
	REQUIRE(wait_fake_look(&f, 3, "jbd2_log_wait_commit"));
	REQUIRE(wait_fake_look(&f, 7, "jbd2_journal_commit_transaction"));
	wait_paths(&f.g);
	REQUIRE(f.g.cycles.n == 1);
	CHECK(f.g.cycles.p[0].proven);
	wait_fake_release(&f);
}

TEST(a_commit_is_waited_for_in_its_transaction)
{
	struct wait_fake f;

	setup(&f);
	put64(&f.k, JOURNAL + J_COMMITTING, JOURNAL_COMMITTING);
	put_journal_waiter(&f, 0, J_DONE);
	REQUIRE(wait_fake_look(&f, 0, "jbd2_log_wait_commit"));
	CHECK_U64(OBJECT(&f, 0)->addr, JOURNAL_COMMITTING);
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[7]);
	wait_fake_release(&f);
}

/* jbd2_journal_lock_updates() counts a barrier and keeps the mutex. */
TEST(a_barrier_is_its_mutex_s_owner_s)
{
	struct wait_fake f;

	setup(&f);
	put32(&f.k, JOURNAL + J_BARRIER_COUNT, 1);
	put64(&f.k, JOURNAL + J_BARRIER, WAIT_TASK(5) | 1);
	put_journal_waiter(&f, 0, J_LOCKED);
	REQUIRE(wait_fake_look(&f, 0, "start_this_handle"));
	CHECK_STR(OBJECT(&f, 0)->type, "journal");
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[5]);
	CHECK_U64(OBJECT(&f, 0)->holder_by, WAIT_BY_OWNER_WORD);
	wait_fake_release(&f);
}

/* A transaction of another journal, or a thread that is no task: what lies there is none. */
TEST(what_does_not_lead_back_is_no_journal)
{
	struct wait_fake f;

	setup(&f);
	put64(&f.k, JOURNAL_RUNNING + T_JOURNAL, JOURNAL + 8);
	put_journal_waiter(&f, 0, J_LOCKED);
	REQUIRE(wait_fake_look(&f, 0, "start_this_handle"));
	CHECK_STR(OBJECT(&f, 0)->type, "wait_queue");
	CHECK(!OBJECT(&f, 0)->holder);
	wait_fake_release(&f);

	setup(&f);
	put64(&f.k, JOURNAL + J_RUNNING, 0);
	put64(&f.k, JOURNAL + J_TASK, WAIT_TASK(7) + 8);
	put_journal_waiter(&f, 0, J_DONE);
	REQUIRE(wait_fake_look(&f, 0, "jbd2_log_wait_commit"));
	CHECK_STR(OBJECT(&f, 0)->type, "wait_queue");
	wait_fake_release(&f);
}

/* Another file system's journal_info is no handle of this transaction. */
TEST(what_others_keep_there_is_no_handle)
{
	struct wait_fake f;

	setup(&f);
	put_journal_waiter(&f, 7, J_UPDATES);
	put_handle(&f, 3);
	put64(&f.k, JOURNAL_HANDLE(3), JOURNAL_COMMITTING);
	put64(&f.k, WAIT_TASK(4) + WO_JOURNAL_INFO, 3); /* not even an address */
	REQUIRE(wait_fake_look(&f, 7, "jbd2_journal_wait_updates"));
	CHECK(!OBJECT(&f, 7)->holder);
	CHECK_CONTAINS(OBJECT(&f, 7)->state, "0 tasks have it open");
	wait_fake_release(&f);
}

TEST(a_buffer_that_the_journal_writes)
{
	struct wait_fake f;

	setup(&f);
	put_shadow_waiter(&f, 0);
	REQUIRE(wait_fake_look_from(&f, 0, "__wait_on_bit", "do_get_write_access"));
	CHECK_STR(OBJECT(&f, 0)->type, "buffer_head");
	CHECK_U64(OBJECT(&f, 0)->addr, JOURNAL_BUFFER);
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[7]);
	CHECK_CONTAINS(OBJECT(&f, 0)->state, "transaction number 42");
	wait_fake_release(&f);

	/* a journal head of another buffer */
	setup(&f);
	put_shadow_waiter(&f, 0);
	put64(&f.k, JOURNAL_HEAD, JOURNAL_BUFFER + 8);
	REQUIRE(wait_fake_look_from(&f, 0, "__wait_on_bit", "do_get_write_access"));
	CHECK_STR(OBJECT(&f, 0)->type, "bit");
	wait_fake_release(&f);
}

TEST_MAIN
