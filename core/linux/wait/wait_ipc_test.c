/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of waits for semaphores and messages. What is expected follows from what each test lays
 * out, as the kernel does. */
#include "core/base/test.h"
#include "core/linux/wait/wait_fake.h"

#define EDGE(f, i) wait_edge_of(&(f)->g, &(f)->tasks[i])
#define OBJECT(f, i) (&(f)->g.objects.p[EDGE(f, i)->object])
#define HEAD (KERNEL_BASE + 0x8000)

/* The waiters of tasks 0 and 1 are in a list. In front of each lies its task, as a register that
 * was saved may: together with the link that looks like a swait_queue. */
static void put_sleepers(struct wait_fake *f)
{
	uint64_t nodes[2];
	struct type *s = kernel_struct(&f->k, "sem_queue", 64);
	const struct type *list = NULL;

	for (size_t i = 0; i < f->k.n_types; i++)
		if (!strcmp(f->k.types[i]->name, "list_head"))
			list = f->k.types[i];
	kernel_member(s, "list", list, 0);
	kernel_member(s, "sleeper", &f->k.ptr, 16);
	for (int i = 0; i < 2; i++) {
		put64(&f->k, WAIT_WAITER(i) - 8, WAIT_TASK(i));
		put64(&f->k, WAIT_WAITER(i) + 16, WAIT_TASK(i));
		nodes[i] = WAIT_WAITER(i);
	}
	put_list(&f->k, HEAD, nodes, 2);
}

TEST(a_semop_waits_in_a_list_of_its_set)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	put_sleepers(&f);
	for (int i = 0; i < 2; i++) {
		REQUIRE(wait_fake_look(&f, i, "__do_semtimedop"));
		CHECK_STR(OBJECT(&f, i)->type, "sysv_sem");
		CHECK_U64(OBJECT(&f, i)->addr, HEAD);
		CHECK_U64(EDGE(&f, i)->waiter, WAIT_WAITER(i));
		CHECK_U64(EDGE(&f, i)->by, WAIT_BY_RING);
		CHECK(!EDGE(&f, i)->flaw);
	}
	CHECK_U64(f.g.objects.n, 1);
	wait_fake_release(&f);
}

/* The same words mean nothing where no such function waits. */
TEST(elsewhere_it_is_none)
{
	struct wait_fake f;

	wait_fake_init(&f, true);
	put_sleepers(&f);
	CHECK(!wait_fake_look(&f, 0, "elsewhere"));
	CHECK(!wait_fake_look(&f, 2, "__do_semtimedop")); /* nor where there are none */
	wait_fake_release(&f);
}

TEST_MAIN
