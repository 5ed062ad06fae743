/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of waits of threads for the others of their process. */
#include "core/base/test.h"
#include "core/linux/wait/wait_fake.h"

#define EDGE(f, i) wait_edge_of(&(f)->g, &(f)->tasks[i])
#define OBJECT(f, i) (&(f)->g.objects.p[EDGE(f, i)->object])
#define SIGNAL (KERNEL_BASE + 0xd000)
#define MM (KERNEL_BASE + 0xd100)

/* Offsets of the fake's own. */
enum {
	WO_SIGNAL = 0xa8,
	SIG_EXEC = 0,
	SIG_CORE = 8,
	CORE_DUMPER = 0, /* core_state: a core_thread, then the completion */
	CORE_STARTUP = 16,
	THREAD_TASK = 0,
	THREAD_NEXT = 8
};

/* Tasks 0 to 3 are threads of a process. */
static void setup(struct wait_fake *f)
{
	struct fake_kernel *k = &f->k;
	struct type *s, *thread;

	wait_fake_init(f, true);
	kernel_member(wait_fake_type(f, "task_struct"), "signal", &k->ptr, WO_SIGNAL);
	WORDS(k, "signal_struct", "group_exec_task", "core_state");
	thread = WORDS(k, "core_thread", "task", "next");
	s = kernel_struct(k, "core_state", 48);
	kernel_member(s, "dumper", thread, CORE_DUMPER);
	kernel_member(s, "startup", wait_fake_type(f, "completion"), CORE_STARTUP);
	for (int i = 0; i < 4; i++) {
		put64(k, WAIT_TASK(i) + WO_SIGNAL, SIGNAL);
		f->tasks[i].tgid = 100;
		f->tasks[i].mm = MM;
	}
}

TEST(who_runs_another_program_waits_for_the_other_threads)
{
	struct wait_fake f;

	setup(&f);
	put64(&f.k, SIGNAL + SIG_EXEC, WAIT_TASK(1));
	f.tasks[2].letter = 'Z';
	/* thread 3 cannot end: it wants a mutex of the one that waits for it */
	put_mutex(&f, 0, 1, (const int[]){ 3 }, 1);
	REQUIRE(wait_fake_look_from(&f, 1, "de_thread", "begin_new_exec"));
	REQUIRE(wait_fake_look(&f, 3, "__mutex_lock"));
	/* thread 0 is in the same function, but the process names another one */
	CHECK(!wait_fake_look_from(&f, 0, "de_thread", "begin_new_exec"));
	CHECK_STR(OBJECT(&f, 1)->type, "threads");
	CHECK(wait_is_held_by(OBJECT(&f, 1), &f.tasks[0]));
	CHECK(!wait_is_held_by(OBJECT(&f, 1), &f.tasks[2])); /* it has ended */
	CHECK(!wait_is_held_by(OBJECT(&f, 1), &f.tasks[4])); /* another process */
	CHECK_U64(OBJECT(&f, 1)->holder_by, WAIT_BY_RULE);
	wait_paths(&f.g);
	REQUIRE(f.g.cycles.n == 1);
	CHECK(f.g.cycles.p[0].proven);
	wait_fake_release(&f);
}

/* Task 0 dumps core; 1 stands still, 2 and 3 do not. */
TEST(who_dumps_core_waits_until_all_stand_still)
{
	const uint64_t core = WAIT_WAITER(0) + 0x20, thread = WAIT_STACK(1) + 0xf00;

	for (int loop = 0; loop < 2; loop++) {
		struct wait_fake f;

		setup(&f);
		put_completion(&f, 0, core + CORE_STARTUP);
		put64(&f.k, SIGNAL + SIG_CORE, core);
		put64(&f.k, core + CORE_DUMPER + THREAD_TASK, WAIT_TASK(0));
		put64(&f.k, core + CORE_DUMPER + THREAD_NEXT, thread);
		put64(&f.k, thread + THREAD_TASK, WAIT_TASK(1));
		if (loop)
			put64(&f.k, thread + THREAD_NEXT, thread);
		REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion_state", "vfs_coredump"));
		REQUIRE(wait_fake_look_from(&f, 1, "coredump_task_exit", "do_exit"));
		CHECK_CONTAINS(OBJECT(&f, 0)->state, "2 threads do not stand still");
		CHECK(OBJECT(&f, 0)->holder == &f.tasks[2]);
		CHECK(!wait_is_held_by(OBJECT(&f, 0), &f.tasks[1]));
		CHECK_STR(OBJECT(&f, 1)->type, "core_dump");
		CHECK(OBJECT(&f, 1)->holder == &f.tasks[0]);
		CHECK((OBJECT(&f, 0)->flaw != NULL) == (loop != 0));
		wait_fake_release(&f);
	}
}

/* The queue lies on the stack of task 2, which is looking the name up. */
TEST(who_wants_a_name_waits_for_who_looks_it_up)
{
	for (int i = 1; i <= 2; i++) {
		const uint64_t queue = WAIT_STACK(2) + 0xf40, node = WAIT_WAITER(i) + 24;
		struct wait_fake f;

		setup(&f);
		put64(&f.k, WAIT_WAITER(i) + 8, WAIT_TASK(i));
		put64(&f.k, WAIT_WAITER(i) + 16, WAIT_WAKE);
		put_list(&f.k, queue + 8, &node, 1);
		REQUIRE(wait_fake_look(&f, i, "d_alloc_parallel"));
		CHECK(OBJECT(&f, i)->holder == (i == 1 ? &f.tasks[2] : NULL));
		CHECK_U64(OBJECT(&f, i)->addr, queue);
		wait_fake_release(&f);
	}
}

TEST_MAIN
