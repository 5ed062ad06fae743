/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the states of PREEMPT_RT's locks, of those that nobody waits for. What is expected
 * follows from what each test lays out. */
#include "core/base/test.h"
#include "core/linux/lock/lock_state.h"
#include "core/linux/wait/wait_fake.h"

static const char *state_at(struct wait_fake *f, uint64_t addr, const struct task **holder)
{
	struct wait_state s;

	if (!wait_state_at(&f->g, addr, &s))
		return "no lock";
	*holder = s.holder;
	return s.state;
}

/* Words that nobody waits for, by the types of what lies there. */
TEST(states_by_type)
{
	const uint64_t mutex = RT_VARIABLE, sem = RT_VARIABLE + 0x40, spin = RT_VARIABLE + 0x80,
		       rw = RT_VARIABLE + 0xc0;
	const struct task *holder = NULL;
	struct wait_fake f;

	rt_fake_init(&f);
	CHECK_STR(state_at(&f, mutex, &holder), "unlocked");
	CHECK_STR(state_at(&f, spin, &holder), "free");
	put_rwbase(&f, sem, RT_READERS, -1);
	CHECK_STR(state_at(&f, sem, &holder), "unlocked");
	CHECK(!holder);
	put_rwbase(&f, sem, RT_READERS | 3, -1);
	CHECK_STR(state_at(&f, sem, &holder), "read by 3");
	CHECK(!holder);
	put64(&f.k, mutex, WAIT_TASK(1));
	CHECK_STR(state_at(&f, mutex, &holder), "locked");
	CHECK(holder == &f.tasks[1]);
	put64(&f.k, mutex, 1); /* nobody's, with waiters */
	CHECK_STR(state_at(&f, mutex, &holder), "free, on its way to a waiter");
	CHECK(!holder);
	put64(&f.k, spin, WAIT_TASK(2) | 1);
	CHECK_STR(state_at(&f, spin, &holder), "locked");
	CHECK(holder == &f.tasks[2]);
	put_rwbase(&f, rw, RT_WRITER, 3);
	CHECK_STR(state_at(&f, rw, &holder), "locked for writing");
	CHECK(holder == &f.tasks[3]);
	wait_fake_release(&f);
}

/* Two tasks are linked to a spinlock, one above the other. */
TEST(waiters_are_counted_in_the_tree)
{
	const uint64_t spin = RT_VARIABLE + 0x80;
	struct wait_fake f;
	struct wait_state s;

	rt_fake_init(&f);
	put64(&f.k, spin, WAIT_TASK(1) | 1);
	put64(&f.k, spin + 8, WAIT_WAITER(2));
	put64(&f.k, WAIT_WAITER(2) + 16, WAIT_WAITER(3)); /* the one before it */
	put64(&f.k, WAIT_WAITER(3), WAIT_WAITER(2) | 1);
	REQUIRE(wait_state_at(&f.g, spin, &s));
	CHECK_STR(s.type, "spinlock");
	CHECK(s.counted);
	CHECK_U64(s.n, 2);
	/* a node that does not name the one above it */
	put64(&f.k, WAIT_WAITER(3), WAIT_WAITER(4));
	REQUIRE(wait_state_at(&f.g, spin, &s));
	CHECK(!s.counted);
	CHECK_U64(s.why.code, ERR_CORRUPT);
	wait_fake_release(&f);
}

TEST_MAIN
