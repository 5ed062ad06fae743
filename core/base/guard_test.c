/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of walk limits: a cycle, an endless list and Ctrl-C each end a walk, a sound list does not.
 */
#include "core/base/guard.h"
#include "core/base/test.h"

/* Walks a list that goes straight for lead nodes and then round a cycle; returns the steps taken.
 */
static uint64_t walk(uint64_t lead, uint64_t cycle, uint64_t limit, struct err *err)
{
	struct guard g;
	uint64_t i = 0;

	guard_init(&g, "task list", limit);
	for (uint64_t node = 0;; i++) {
		if (!guard_step(&g, 0x1000 + node * 64, err))
			return i;
		node++;
		if (node == lead + cycle)
			node = lead;
	}
}

TEST(a_cycle_is_met_soon)
{
	static const uint64_t shapes[][2] = { { 0, 1 },   { 0, 2 },   { 1, 1 },   { 5, 3 },
					      { 100, 7 }, { 7, 100 }, { 1000, 1 } };

	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct err err = { 0 };
		uint64_t lead = shapes[i][0], cycle = shapes[i][1];
		uint64_t steps = walk(lead, cycle, 0, &err);

		CHECK_ERR(err, ERR_CORRUPT);
		CHECK_CONTAINS(err.msg, "task list");
		/* no node is refused before it was really seen twice; Brent needs at most three
		 * times as long as the lead and the cycle together, and one more */
		CHECK(steps >= lead + cycle);
		CHECK(steps <= 3 * (lead + cycle) + 1);
	}
}

TEST(a_straight_walk_goes_on)
{
	struct err err = { 0 };
	struct guard g;
	bool good = true;

	guard_init(&g, "list", 0);
	for (uint64_t i = 0; i < 100000; i++)
		good = good && guard_step(&g, i * 8, &err);
	CHECK(good);
	CHECK_U64(g.steps, 100000);
}

TEST(the_limit_holds)
{
	struct err err = { 0 };
	struct guard g;

	guard_init(&g, "list", 3);
	CHECK(guard_step(&g, 1, &err));
	CHECK(guard_step(&g, 2, &err));
	CHECK(guard_step(&g, 3, &err));
	CHECK(!guard_step(&g, 4, &err));
	CHECK_ERR(err, ERR_LIMIT);
	CHECK_U64(err.addr, 4);
	CHECK_CONTAINS(err.msg, "3");
}

TEST(no_limit_means_the_default)
{
	struct guard g;

	guard_init(&g, "list", 0);
	CHECK_U64(g.limit, GUARD_DEFAULT);
}

TEST(ctrl_c_ends_a_walk)
{
	struct err err = { 0 };
	struct guard g;

	guard_init(&g, "list", 0);
	CHECK(guard_step(&g, 1, &err));
	interrupted = 1;
	CHECK(!guard_step(&g, 2, &err));
	CHECK_ERR(err, ERR_INTR);
	CHECK(!interrupt_check(&err));
	interrupted = 0;
	CHECK(interrupt_check(&err));
	CHECK(guard_step(&g, 2, &err));
}

TEST_MAIN
