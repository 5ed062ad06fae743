/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what running CPUs wait for: queues before spinlocks, rwlocks, tickets, spinning for the
 * owner of a mutex, answers to IPIs, and who may have a lock that names nobody. What is expected
 * follows from what each test lays out. */
#include "core/base/test.h"
#include "core/linux/wait/wait_spin_fake.h"

#define EDGE(f, i) wait_edge_of(&(f)->w.g, &(f)->w.tasks[i])
#define OBJECT(f, i) (&(f)->w.g.objects.p[EDGE(f, i)->object])

/* CPU 0 has it, CPU 3 is pending, CPUs 1 and 2 are queued, in this order; the word names the last
 * node alone. */
TEST(a_queue_of_cpus_before_a_spinlock)
{
	struct spin_fake f;

	spin_fake_init(&f);
	put_node(&f, 1, 0, SPIN_NODE(2, 0));
	put_node(&f, 2, 0, 0);
	put32(&f.w.k, WAIT_LOCK(0), SPIN_WORD(1, true, 2, 0));
	spin_register(&f, 5, WAIT_LOCK(0));
	for (int i = 1; i < 4; i++)
		REQUIRE(spin_fake_look(&f, i, "native_queued_spin_lock_slowpath", "caller"));
	CHECK_STR(OBJECT(&f, 1)->type, "spinlock");
	CHECK_U64(OBJECT(&f, 1)->addr, WAIT_LOCK(0));
	CHECK_U64(OBJECT(&f, 1)->n, 3);
	CHECK_U64(EDGE(&f, 1)->by, WAIT_BY_RING);
	CHECK_STR(EDGE(&f, 1)->mode, "place 1 of its queue");
	CHECK_STR(EDGE(&f, 2)->mode, "place 2 of its queue");
	CHECK_U64(EDGE(&f, 3)->by, WAIT_BY_RULE);
	CHECK(!EDGE(&f, 3)->mode);
	CHECK_U64(EDGE(&f, 3)->cpu, 3);
	CHECK_STR(OBJECT(&f, 1)->state,
		  "locked; one CPU is next without being queued; queued are CPUs 1 2");
	spin_fake_release(&f);
}

/* A register may hold anything: a word that says nothing of this CPU is not its lock. */
TEST(what_does_not_fit_is_no_lock)
{
	struct spin_fake f;

	spin_fake_init(&f);
	put_node(&f, 1, 0, 0);
	put32(&f.w.k, WAIT_LOCK(0), SPIN_WORD(1, false, 1, 0)); /* CPU 1 is queued alone */
	put32(&f.w.k, WAIT_LOCK(1), 1);                         /* locked, and nobody waits */
	put32(&f.w.k, WAIT_LOCK(2), 0x12345101);                /* no word of a spinlock */
	spin_register(&f, 3, WAIT_LOCK(1));
	spin_register(&f, 4, WAIT_LOCK(2));
	spin_register(&f, 5, WAIT_LOCK(0));
	REQUIRE(spin_fake_look(&f, 2, "queued_spin_lock_slowpath", "caller"));
	CHECK(EDGE(&f, 2)->object == WAIT_NONE);
	CHECK_CONTAINS(EDGE(&f, 2)->flaw, "none of its registers");
	/* of CPU 1 all of the three are in registers, and one fits */
	REQUIRE(spin_fake_look(&f, 1, "queued_spin_lock_slowpath", "caller"));
	CHECK_U64(OBJECT(&f, 1)->addr, WAIT_LOCK(0));
	/* one that runs elsewhere spins for nothing */
	CHECK(!spin_fake_look(&f, 3, "do_something", "caller"));
	spin_fake_release(&f);
}

/* CPU 1 is queued for lock 0, was interrupted, and its handler is queued for lock 1. */
TEST(a_handler_waits_as_well)
{
	struct spin_fake f;

	spin_fake_init(&f);
	put_node(&f, 1, 0, 0);
	put_node(&f, 1, 1, 0);
	put32(&f.w.k, WAIT_LOCK(0), SPIN_WORD(1, false, 1, 0));
	put32(&f.w.k, WAIT_LOCK(1), SPIN_WORD(1, false, 1, 1));
	spin_register(&f, 4, WAIT_LOCK(0));
	spin_register(&f, 5, WAIT_LOCK(1));
	REQUIRE(spin_fake_look(&f, 1, "queued_spin_lock_slowpath", "queued_spin_lock_slowpath"));
	CHECK_U64(OBJECT(&f, 1)->addr, WAIT_LOCK(1));
	spin_fake_release(&f);
}

/* A remnant: the first node of a CPU counts how many are in use. */
TEST(nodes_that_are_not_in_use_are_no_queue)
{
	struct spin_fake f;

	spin_fake_init(&f);
	put_node(&f, 1, 0, 0);
	put32(&f.w.k, SPIN_NODE(1, 0) + SO_NODE_COUNT, 0);
	put32(&f.w.k, WAIT_LOCK(0), SPIN_WORD(1, false, 1, 0));
	spin_register(&f, 5, WAIT_LOCK(0));
	REQUIRE(spin_fake_look(&f, 1, "queued_spin_lock_slowpath", "caller"));
	CHECK(EDGE(&f, 1)->object == WAIT_NONE);
	CHECK_STR(wait_spinlock_words(&f.w.k.t, &f.w.g.impl->mcs, WAIT_LOCK(0)),
		  "locked; the queue ends at CPU 1, which does not wait");
	spin_fake_release(&f);
}

/* A kernel that chose tickets while it booted: the halves of a word are the next ticket and whose
 * turn it is, and the key that says "queued" is off. */
TEST(a_kernel_may_choose_tickets)
{
	struct spin_fake f;

	spin_fake_init(&f);
	put32(&f.w.k, WAIT_LOCK(0), 0x002d002d);
	put32(&f.w.k, WAIT_LOCK(1), 0x0030002d);
	CHECK_STR(wait_spinlock_words(&f.w.k.t, &f.w.g.impl->mcs, WAIT_LOCK(0)),
		  "its word 0x2d002d is that of no spinlock");
	put32(&f.w.k, SPIN_QUEUED, 0);
	CHECK_STR(wait_spinlock_words(&f.w.k.t, &f.w.g.impl->mcs, WAIT_LOCK(0)), "free");
	CHECK_STR(wait_spinlock_words(&f.w.k.t, &f.w.g.impl->mcs, WAIT_LOCK(1)),
		  "locked; 2 spin for it");
	spin_fake_release(&f);
}

/* PowerPC's: bit 0, the CPU that has it from bit 1 on, the last one that waits, from 1, from bit 17
 * on. */
TEST(the_word_of_powerpc)
{
	struct spin_fake f;

	spin_fake_init(&f);
	kernel_member(wait_fake_type(&f.w, "qnode"), "lock", &f.w.k.ptr, 8);
	put32(&f.w.k, WAIT_LOCK(0), 0);
	put32(&f.w.k, WAIT_LOCK(1), 1 | 3 << 1);
	put32(&f.w.k, WAIT_LOCK(2), 1 | 1 << 16 | 3 << 17);
	CHECK_STR(wait_spinlock_words(&f.w.k.t, &f.w.g.impl->mcs, WAIT_LOCK(0)), "free");
	CHECK_STR(wait_spinlock_words(&f.w.k.t, &f.w.g.impl->mcs, WAIT_LOCK(1)), "locked by CPU 3");
	CHECK_STR(wait_spinlock_words(&f.w.k.t, &f.w.g.impl->mcs, WAIT_LOCK(2)),
		  "locked by CPU 0; the queue ends at CPU 2");
	spin_fake_release(&f);
}

/* s390x's has neither queue nodes nor tickets in its type: the lower half is the spinlock_lockval
 * of the CPU that has it, which is 1 for CPU 0. Without a lowcore nobody knows what a word says. */
TEST(the_word_of_s390x)
{
	struct fake_kernel k;

	kernel_init(&k);
	put32(&k, KERNEL_BASE, 0);
	put32(&k, KERNEL_BASE + 4, 2);
	put32(&k, KERNEL_BASE + 8, 3 << 20 | 1);
	CHECK_STR(wait_spinlock_words(&k.t, NULL, KERNEL_BASE), "its word is 0x0");
	kernel_member(kernel_struct(&k, "lowcore", 64), "spinlock_lockval", &k.u32, 8);
	CHECK_STR(wait_spinlock_words(&k.t, NULL, KERNEL_BASE), "free");
	CHECK_STR(wait_spinlock_words(&k.t, NULL, KERNEL_BASE + 4), "locked by CPU 1");
	CHECK_STR(wait_spinlock_words(&k.t, NULL, KERNEL_BASE + 8),
		  "locked by CPU 0; the queue ends at CPU 2");
	kernel_release(&k);
}

/* Two nodes that lead to each other, and one to no node. */
TEST(queues_that_lead_round_or_nowhere)
{
	struct spin_fake f;

	spin_fake_init(&f);
	put_node(&f, 0, 0, SPIN_NODE(1, 0));
	put_node(&f, 1, 0, SPIN_NODE(0, 0));
	put_node(&f, 2, 0, 0x10);
	put32(&f.w.k, WAIT_LOCK(0), SPIN_WORD(1, false, 2, 0));
	put32(&f.w.k, WAIT_LOCK(1), SPIN_WORD(1, false, 1, 0));
	spin_register(&f, 5, WAIT_LOCK(0));
	spin_register(&f, 6, WAIT_LOCK(1));
	for (int i = 0; i < 3; i++)
		REQUIRE(spin_fake_look(&f, i, "queued_spin_lock_slowpath", "caller"));
	CHECK_U64(OBJECT(&f, 2)->addr, WAIT_LOCK(0));
	CHECK_CONTAINS(OBJECT(&f, 2)->state, "queued is CPU 2");
	spin_fake_release(&f);
}

/* A guest that does not queue: the word is 1, whoever waits, and any other number that is 1 fits as
 * well. The lock is the argument (rdi), as long as that register has it. */
TEST(where_nobody_queues_the_word_is_one)
{
	struct spin_fake f;

	spin_fake_init(&f);
	put32(&f.w.k, WAIT_LOCK(0), 1);
	put32(&f.w.k, WAIT_LOCK(1), 1);
	spin_register(&f, 5, WAIT_LOCK(0));
	put32(&f.w.k, SPIN_VARS + SO_KEY, 1);
	REQUIRE(spin_fake_look(&f, 1, "native_queued_spin_lock_slowpath", "caller"));
	CHECK_U64(OBJECT(&f, 1)->addr, WAIT_LOCK(0));
	CHECK_U64(EDGE(&f, 1)->by, WAIT_BY_RULE);
	spin_register(&f, 1, WAIT_LOCK(1));
	spin_register(&f, 3, WAIT_LOCK(1));
	REQUIRE(spin_fake_look(&f, 2, "native_queued_spin_lock_slowpath", "caller"));
	CHECK_U64(OBJECT(&f, 2)->addr, WAIT_LOCK(0));
	CHECK_U64(EDGE(&f, 2)->by, WAIT_BY_RULE);
	spin_register(&f, 5, 0);
	spin_register(&f, 12, WAIT_LOCK(0));
	REQUIRE(spin_fake_look(&f, 3, "native_queued_spin_lock_slowpath", "caller"));
	CHECK_U64(OBJECT(&f, 3)->addr, WAIT_LOCK(1)); /* it is in two registers */
	CHECK_U64(EDGE(&f, 3)->by, WAIT_BY_CANDIDATE);
	spin_fake_release(&f);
}

TEST(rwlocks_are_told_by_who_calls)
{
	struct spin_fake f;

	spin_fake_init(&f);
	/* CPU 1 is queued for the spinlock within; CPU 2 is first, has it, and waits for readers */
	put_node(&f, 1, 0, 0);
	put32(&f.w.k, WAIT_LOCK(0) + SO_RW_COUNT, 3u << 9 | 0x100);
	put32(&f.w.k, WAIT_LOCK(0) + SO_RW_LOCK, SPIN_WORD(1, false, 1, 0));
	spin_register(&f, 5, WAIT_LOCK(0) + SO_RW_LOCK);
	REQUIRE(spin_fake_look(&f, 1, "native_queued_spin_lock_slowpath",
			       "queued_read_lock_slowpath"));
	spin_register(&f, 5, WAIT_LOCK(0));
	REQUIRE(spin_fake_look(&f, 2, "queued_write_lock_slowpath", "caller"));
	CHECK_STR(OBJECT(&f, 1)->type, "rwlock");
	CHECK_U64(OBJECT(&f, 1)->addr, WAIT_LOCK(0));
	CHECK_U64(OBJECT(&f, 1)->n, 2);
	CHECK_STR(EDGE(&f, 1)->mode, "read");
	CHECK_STR(EDGE(&f, 2)->mode, "write");
	CHECK_STR(OBJECT(&f, 1)->state,
		  "read by 3; a writer is next; the lock of its queue is locked; queued is CPU 1");
	spin_fake_release(&f);
}

/* Task 0 runs with the lock's address in a frame, task 5 sleeps with it: who runs is suspected. */
TEST(who_has_a_spinlock_is_a_candidate_alone)
{
	const uint64_t live[] = { WAIT_LOCK(3), WAIT_LOCK(0), WAIT_LOCK(0) };
	const uint64_t words[] = { WAIT_LOCK(0), WAIT_LOCK(1) };
	struct spin_fake f;

	spin_fake_init(&f);
	for (int i = 1; i < 3; i++) {
		put_node(&f, i, 0, 0);
		put32(&f.w.k, WAIT_LOCK(i - 1), SPIN_WORD(1, false, i, 0));
	}
	for (int i = 1; i < 3; i++) {
		spin_register(&f, 5, WAIT_LOCK(i - 1));
		REQUIRE(spin_fake_look(&f, i, "queued_spin_lock_slowpath", "caller"));
		/* who waits has the address too */
		wait_cpu_add(&f.w.g, (unsigned)i, &f.w.tasks[i], &words[i - 1], 1);
	}
	wait_cpu_add(&f.w.g, 0, &f.w.tasks[0], live, ARRAY_SIZE(live));
	wait_suspect_running(&f.w.g);
	wait_suspect_words(&f.w.g, &f.w.tasks[5], words, ARRAY_SIZE(words));
	wait_suspects_tell(&f.w.g);
	CHECK(OBJECT(&f, 1)->holder == &f.w.tasks[0]);
	CHECK_U64(OBJECT(&f, 1)->holder_by, WAIT_BY_CANDIDATE);
	CHECK_CONTAINS(OBJECT(&f, 1)->state, "1 other task has its address");
	/* nobody who runs has lock 1: it is the sleeper that is suspected */
	CHECK(OBJECT(&f, 2)->holder == &f.w.tasks[5]);
	wait_paths(&f.w.g);
	CHECK_U64(f.w.g.cycles.n, 0);
	spin_fake_release(&f);
}

/* Each of two CPUs spins for what the other one has in a frame: no proven deadlock. */
TEST(candidates_prove_no_deadlock)
{
	const uint64_t live[] = { WAIT_LOCK(0), WAIT_LOCK(1) };
	struct spin_fake f;

	spin_fake_init(&f);
	for (int i = 0; i < 2; i++) {
		put_node(&f, i, 0, 0);
		put32(&f.w.k, WAIT_LOCK(i), SPIN_WORD(1, false, i, 0));
	}
	for (int i = 0; i < 2; i++) {
		spin_register(&f, 5, WAIT_LOCK(i));
		REQUIRE(spin_fake_look(&f, i, "queued_spin_lock_slowpath", "caller"));
		wait_cpu_add(&f.w.g, (unsigned)i, &f.w.tasks[i], live, 2);
	}
	wait_suspect_running(&f.w.g);
	wait_suspects_tell(&f.w.g);
	wait_paths(&f.w.g);
	CHECK(OBJECT(&f, 0)->holder == &f.w.tasks[1] && OBJECT(&f, 1)->holder == &f.w.tasks[0]);
	CHECK_U64(f.w.g.cycles.n, 0);
	spin_fake_release(&f);
}

/* DEBUG_SPINLOCK: the lock names its owner. */
TEST(a_spinlock_that_names_its_owner)
{
	struct spin_fake f;

	spin_fake_init(&f);
	kernel_member(f.raw, "owner", &f.w.k.ptr, SO_RAW_OWNER);
	put_node(&f, 1, 0, 0);
	put32(&f.w.k, WAIT_LOCK(0), SPIN_WORD(1, false, 1, 0));
	put64(&f.w.k, WAIT_LOCK(0) + SO_RAW_OWNER, WAIT_TASK(4));
	spin_register(&f, 5, WAIT_LOCK(0));
	REQUIRE(spin_fake_look(&f, 1, "queued_spin_lock_slowpath", "caller"));
	CHECK(OBJECT(&f, 1)->holder == &f.w.tasks[4]);
	CHECK_U64(OBJECT(&f, 1)->holder_by, WAIT_BY_OWNER_WORD);
	spin_fake_release(&f);
}

/* lockdep notes a lock before it is taken: who waits is in the record, and does not have it. */
TEST(lockdep_names_who_has_a_lock)
{
	for (int at = 0; at < 2; at++) { /* its place among the locks that task 2 has */
		struct spin_fake f;

		spin_fake_init(&f);
		spin_fake_lockdep(&f);
		put_node(&f, 1, 0, 0);
		put32(&f.w.k, WAIT_LOCK(0), SPIN_WORD(1, false, 1, 0));
		spin_register(&f, 5, WAIT_LOCK(0));
		put_held(&f, 1, 0, WAIT_LOCK(0));
		put_held(&f, 2, 0, WAIT_LOCK(at ? 7 : 0));
		put_held(&f, 2, 1, WAIT_LOCK(at ? 0 : 7));
		for (int i = 0; i < WAIT_TASKS; i++)
			wait_held_note(&f.w.g, &f.w.tasks[i]);
		REQUIRE(spin_fake_look(&f, 1, "queued_spin_lock_slowpath", "caller"));
		wait_held_tell(&f.w.g);
		CHECK(OBJECT(&f, 1)->holder == &f.w.tasks[2]);
		CHECK_U64(OBJECT(&f, 1)->holder_by, WAIT_BY_LOCKDEP);
		CHECK(wait_is_proven(OBJECT(&f, 1)->holder_by));
		spin_fake_release(&f);
	}
	CHECK_STR(wait_proof_name(WAIT_BY_LOCKDEP), "lockdep");
}

/* CPU 1 spins because the owner runs; CPU 2 stands behind it. Nodes are never cleared: CPU 3's
 * leads to CPU 2's, which does not lead back. */
TEST(who_spins_for_the_owner_of_a_mutex)
{
	struct spin_fake f;

	spin_fake_init(&f);
	put64(&f.w.k, WAIT_LOCK(0) + WO_OWNER, WAIT_TASK(0));
	put32(&f.w.k, WAIT_LOCK(0) + SO_OSQ, 3); /* the last is CPU 2 */
	put_osq(&f, 2, 0, SPIN_OSQ(1));
	put_osq(&f, 1, SPIN_OSQ(2), 0x1234);
	put_osq(&f, 3, SPIN_OSQ(1), SPIN_OSQ(2));
	spin_register(&f, 3, WAIT_LOCK(0));
	REQUIRE(spin_fake_look(&f, 1, "mutex_spin_on_owner", "__mutex_lock.constprop.0"));
	REQUIRE(spin_fake_look(&f, 2, "osq_lock", "__mutex_lock.constprop.0"));
	REQUIRE(spin_fake_look(&f, 3, "osq_lock", "__mutex_lock.constprop.0"));
	CHECK_STR(OBJECT(&f, 1)->type, "mutex");
	CHECK_U64(OBJECT(&f, 1)->n, 2);
	CHECK(OBJECT(&f, 2)->holder == &f.w.tasks[0]);
	CHECK_U64(EDGE(&f, 2)->by, WAIT_BY_RING);
	CHECK(EDGE(&f, 3)->object == WAIT_NONE);
	spin_fake_release(&f);
}

/* CPU 0 asked CPUs 1, 2 and 3: 1 is done, 2 is at it, 3 has not begun. */
TEST(an_ipi_that_is_not_answered)
{
	struct spin_fake f;

	spin_fake_init(&f);
	put_csd(&f, SPIN_CSD(1), 0x10, 0);
	put_csd(&f, SPIN_CSD(2), 0x11, 0);
	put_csd(&f, SPIN_CSD(3), 0x11, 0);
	put64(&f.w.k, SPIN_PERCPU(3) + SO_QUEUE, SPIN_CSD(3));
	for (unsigned i = 0; i < SPIN_CPUS; i++)
		wait_cpu_add(&f.w.g, i, &f.w.tasks[i], NULL, 0);
	REQUIRE(spin_fake_look(&f, 0, "smp_call_function_many_cond", "caller"));
	CHECK_STR(OBJECT(&f, 0)->type, "ipi");
	CHECK_STR(OBJECT(&f, 0)->name, "CPU 3");
	CHECK(OBJECT(&f, 0)->holder == &f.w.tasks[3]);
	CHECK_CONTAINS(OBJECT(&f, 0)->state, "interrupts off");
	CHECK_CONTAINS(EDGE(&f, 0)->mode, "not done by CPU 2 3");
	CHECK_U64(EDGE(&f, 0)->by, WAIT_BY_RULE);
	/* CPU 2 takes them for nobody: it has asked for nothing */
	CHECK(!spin_fake_look(&f, 2, "smp_call_function_many_cond", "caller"));
	spin_fake_release(&f);
}

/* The request to one CPU lies on the stack of who waits. */
TEST(an_ipi_to_one_cpu)
{
	struct spin_fake f;

	spin_fake_init(&f);
	put_csd(&f, WAIT_STACK(0) + WAIT_SP + 0x20, 0x11, 0);
	put64(&f.w.k, SPIN_PERCPU(2) + SO_QUEUE, WAIT_STACK(0) + WAIT_SP + 0x20);
	/* a queue that leads round */
	put64(&f.w.k, SPIN_PERCPU(1) + SO_QUEUE, SPIN_CSD(1));
	put64(&f.w.k, SPIN_CSD(1), SPIN_CSD(1));
	wait_cpu_add(&f.w.g, 2, &f.w.tasks[2], NULL, 0);
	REQUIRE(spin_fake_look(&f, 0, "smp_call_function_single", "caller"));
	CHECK_STR(OBJECT(&f, 0)->name, "CPU 2");
	CHECK(OBJECT(&f, 0)->holder == &f.w.tasks[2]);
	/* when it is in no queue, nobody knows which CPU has taken it */
	put_csd(&f, WAIT_STACK(3) + WAIT_SP + 0x20, 0x11, 0);
	REQUIRE(spin_fake_look(&f, 3, "smp_call_function_single", "caller"));
	CHECK(EDGE(&f, 3)->object == WAIT_NONE);
	CHECK_CONTAINS(EDGE(&f, 3)->flaw, "which one");
	/* what lies behind that frame is another's */
	put_csd(&f, WAIT_STACK(1) + WAIT_SP + 0x90, 0x11, 0);
	CHECK(!spin_fake_look(&f, 1, "smp_call_function_single", "caller"));
	spin_fake_release(&f);
}

/* CPUs 0 and 1 have come to stop_machine(), CPU 2 was asked to, CPU 3 was not. */
TEST(who_has_not_come_to_stop_machine)
{
	struct spin_fake f;

	spin_fake_init(&f);
	for (unsigned i = 0; i < 3; i++) {
		put64(&f.w.k, SPIN_PERCPU(i) + SO_STOPPER, WAIT_TASK(i < 2 ? i : 7));
		put64(&f.w.k, SPIN_PERCPU(i) + SO_STOPPER + SO_STOP_FN, SPIN_STOP);
		put64(&f.w.k, SPIN_PERCPU(i) + SO_STOPPER + SO_STOP_ARG, WAIT_LOCK(0));
	}
	put64(&f.w.k, SPIN_PERCPU(3) + SO_STOPPER, WAIT_TASK(6));
	put32(&f.w.k, WAIT_LOCK(0) + SO_STOP_THREADS, 3);
	for (unsigned i = 0; i < SPIN_CPUS; i++)
		wait_cpu_add(&f.w.g, i, &f.w.tasks[i], NULL, 0);
	REQUIRE(spin_fake_look(&f, 0, "multi_cpu_stop", "cpu_stopper_thread"));
	REQUIRE(spin_fake_look(&f, 1, "multi_cpu_stop", "cpu_stopper_thread"));
	CHECK_STR(OBJECT(&f, 0)->type, "stop_machine");
	CHECK_U64(OBJECT(&f, 0)->n, 2);
	CHECK(OBJECT(&f, 0)->holder == &f.w.tasks[2]);
	CHECK_U64(OBJECT(&f, 0)->holder_by, WAIT_BY_RULE);
	CHECK_STR(OBJECT(&f, 0)->state, "not yet there: CPU 2");
	/* of a number of threads that cannot be nothing is said */
	put32(&f.w.k, WAIT_LOCK(0) + SO_STOP_THREADS, 9);
	CHECK(!spin_fake_look(&f, 2, "multi_cpu_stop", "cpu_stopper_thread"));
	spin_fake_release(&f);
}

/* Task 1 prints; CPU 2 waits to be handed the consoles, task 3 for console_sem. */
TEST(who_prints_has_the_consoles)
{
	struct spin_fake f;

	spin_fake_init(&f);
	put64(&f.w.k, SPIN_VARS + SO_CONSOLE_OWNER, WAIT_TASK(1));
	put_waiters(&f.w, SPIN_CONSOLE_SEM, (const int[]){ 3 }, 1);
	/* nobody waits yet */
	CHECK(!spin_fake_look(&f, 2, "vprintk_emit", "caller"));
	put8(&f.w.k, SPIN_VARS + SO_CONSOLE_WAITER, 1);
	CHECK(!spin_fake_look(&f, 1, "vprintk_emit", "caller")); /* it prints itself */
	REQUIRE(spin_fake_look(&f, 2, "vprintk_emit", "caller"));
	CHECK_STR(OBJECT(&f, 2)->type, "console");
	CHECK(OBJECT(&f, 2)->holder == &f.w.tasks[1]);
	REQUIRE(wait_fake_look(&f.w, 3, "__down_common"));
	CHECK(!OBJECT(&f, 3)->holder);
	wait_console_tell(&f.w.g);
	CHECK(OBJECT(&f, 3)->holder == &f.w.tasks[1]);
	CHECK_U64(OBJECT(&f, 3)->holder_by, WAIT_BY_OWNER_WORD);
	spin_fake_release(&f);
}

/* The latest clock is 100 s. CPU 1's stood still for 11 s; task 2 has run for 25 s. */
TEST(cpus_that_seem_locked_up)
{
	const uint64_t second = 1000000000;
	const struct wait_cpu_state *s;
	struct spin_fake f;
	size_t n;

	spin_fake_init(&f);
	for (unsigned i = 0; i < SPIN_CPUS; i++) {
		put64(&f.w.k, SPIN_PERCPU(i) + SO_RQ, (i == 1 ? 89 : 100) * second);
		put64(&f.w.k, WAIT_TASK(i) + SO_ARRIVAL, (i >= 2 ? 75 : 99) * second);
		wait_cpu_add(&f.w.g, i, &f.w.tasks[i], NULL, 0);
	}
	f.w.g.impl->cpus.p[3].user = true;
	s = wait_cpu_states(&f.w.g, &n);
	REQUIRE(n == SPIN_CPUS);
	CHECK(!s[0].lockup);
	CHECK_U64(s[0].ran, second);
	CHECK_U64(s[1].silent, 11 * second);
	CHECK_STR(s[1].lockup, "hard");
	CHECK_STR(s[2].lockup, "soft");
	CHECK(!s[3].lockup); /* a program may run for as long as it likes */
	/* one that was halted had no tick since, whatever it did before */
	f.w.g.impl->cpus.p[1].stopped = "stop_this_cpu";
	f.w.tasks[2].pid = 0;
	s = wait_cpu_states(&f.w.g, &n);
	CHECK(!s[1].lockup);
	CHECK(!s[2].lockup);
	CHECK_U64(s[2].ran, UINT64_MAX);
	spin_fake_release(&f);
}

/* The last of the queue names the one before it, whose node leads nowhere: it is an old one. */
TEST(a_queue_before_a_mutex_must_lead_back)
{
	struct spin_fake f;

	spin_fake_init(&f);
	put64(&f.w.k, WAIT_LOCK(0) + WO_OWNER, WAIT_TASK(0));
	put32(&f.w.k, WAIT_LOCK(0) + SO_OSQ, 4); /* the last is CPU 3 */
	put_osq(&f, 3, 0, SPIN_OSQ(2));
	spin_register(&f, 3, WAIT_LOCK(0));
	REQUIRE(spin_fake_look(&f, 2, "osq_lock", "__mutex_lock.constprop.0"));
	CHECK(EDGE(&f, 2)->object == WAIT_NONE);
	spin_fake_release(&f);
}

TEST_MAIN
