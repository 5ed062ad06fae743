/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of waits for tasks that end, park or begin. */
#include "core/base/test.h"
#include "core/linux/wait/wait_fake.h"

#define EDGE(f, i) wait_edge_of(&(f)->g, &(f)->tasks[i])
#define OBJECT(f, i) (&(f)->g.objects.p[EDGE(f, i)->object])
#define PF_KTHREAD 0x200000u /* include/linux/sched.h */

/* kthread_create_info: done, then the link. */
static void create_types(struct fake_kernel *k)
{
	struct type *s = kernel_struct(k, "kthread_create_info", 24);

	kernel_member(s, "done", &k->ptr, 0);
	for (size_t i = 0; i < k->n_types; i++)
		if (!strcmp(k->types[i]->name, "list_head"))
			kernel_member(s, "list", k->types[i], 8);
}

TEST(who_stops_a_thread_waits_for_its_end)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	f.tasks[3].flags = PF_KTHREAD;
	for (int i = 0; i < 3; i++)
		put_completion(&f, i, WAIT_LOCK(i));
	*map_put(&f.g.impl->vforks, WAIT_LOCK(0), NULL) = (uintptr_t)&f.tasks[3];
	*map_put(&f.g.impl->vforks, WAIT_LOCK(1), NULL) = (uintptr_t)&f.tasks[4];
	*map_put(&f.g.impl->parked, WAIT_LOCK(2), NULL) = (uintptr_t)&f.tasks[3];
	for (int i = 0; i < 3; i++)
		REQUIRE(wait_fake_look(&f, i, "wait_for_completion"));
	CHECK_STR(OBJECT(&f, 0)->state, "the end of a kernel thread");
	CHECK_CONTAINS(OBJECT(&f, 1)->state, "runs another program");
	CHECK_CONTAINS(OBJECT(&f, 2)->state, "parks");
	CHECK(OBJECT(&f, 0)->holder == &f.tasks[3]);
	CHECK(OBJECT(&f, 1)->holder == &f.tasks[4]);
	CHECK(OBJECT(&f, 2)->holder == &f.tasks[3]);
	CHECK_U64(OBJECT(&f, 2)->holder_by, WAIT_BY_RULE);
	wait_fake_release(&f);
}

/* The thread that is stopped waits for a mutex of who stops it. */
TEST(a_thread_that_cannot_end_is_a_deadlock)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	put_completion(&f, 0, WAIT_LOCK(1));
	*map_put(&f.g.impl->vforks, WAIT_LOCK(1), NULL) = (uintptr_t)&f.tasks[3];
	put_mutex(&f, 0, 0, (const int[]){ 3 }, 1);
	REQUIRE(wait_fake_look(&f, 0, "wait_for_completion"));
	REQUIRE(wait_fake_look(&f, 3, "__mutex_lock"));
	wait_paths(&f.g);
	REQUIRE(f.g.cycles.n == 1);
	CHECK(f.g.cycles.p[0].proven);
	wait_fake_release(&f);
}

/* What stands on its list kthreadd has to make; what does not it may have begun. */
TEST(a_thread_that_is_to_begin)
{
	for (int listed = 0; listed < 3; listed++) {
		const uint64_t info = WAIT_WAITER(0) + 0x60, node = info + 8;
		const uint64_t done = WAIT_WAITER(0) + 0x20;
		struct wait_fake f;

		wait_fake_init(&f, true);
		create_types(&f.k);
		put64(&f.k, WAIT_KTHREADD, WAIT_TASK(2));
		put_completion(&f, 0, done);
		/* the third time its completion is another one */
		put64(&f.k, info, listed == 2 ? WAIT_LOCK(0) : done);
		put_list(&f.k, WAIT_CREATES, &node, listed > 0);
		REQUIRE(wait_fake_look_from(&f, 0, "wait_for_completion_killable",
					    "__kthread_create_on_node"));
		CHECK(OBJECT(&f, 0)->holder == &f.tasks[2]);
		CHECK_U64(OBJECT(&f, 0)->holder_by, listed == 1 ? WAIT_BY_RULE : WAIT_BY_CANDIDATE);
		CHECK_CONTAINS(OBJECT(&f, 0)->state, listed == 1 ? "be made" : "begin");
		wait_fake_release(&f);
	}
}

TEST_MAIN
