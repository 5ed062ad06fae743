/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which crashes are of one bug: the distance of stacks, and who goes with whom. */
#include "core/shell/fleet/likeness.h"

#include "core/base/test.h"

static unsigned apart(const char *a, bool a_whole, const char *b, bool b_whole)
{
	struct crash_traits x = { .trail = a, .whole = a_whole };
	struct crash_traits y = { .trail = b, .whole = b_whole };

	/* a distance is the same both ways */
	CHECK_U64(trail_distance(&y, &x), trail_distance(&x, &y));
	return trail_distance(&x, &y);
}

static bool near(const char *a, const char *b)
{
	return apart(a, true, b, true) <= TRAIL_NEAR;
}

/* By hand: functions that only one has, out of all that both have. */
TEST(distance_is_the_share_that_is_not_common)
{
	CHECK_U64(apart("f < g < h", true, "f < g < h", true), 0);
	/* one of seven */
	CHECK_U64(apart("f < g < h", true, "f < x < g < h", true), 142);
	/* one is replaced: two of six */
	CHECK_U64(apart("f < g < h", true, "f < x < h", true), 333);
	/* another caller: two of four */
	CHECK_U64(apart("f < g", true, "f < h", true), 500);
	CHECK_U64(apart("f < g < h", true, "a < b < c", true), 1000);
	/* the order counts: one of two has to move, which is one out and one in */
	CHECK_U64(apart("f < g", true, "g < f", true), 500);
	CHECK_U64(apart(NULL, true, "f", true), 1000);
	CHECK_U64(apart("", false, "", false), 1000);
	/* a part of a name is another name */
	CHECK_U64(apart("read", true, "reader", true), 1000);
}

/* A trace that ends early says nothing of what would have come. */
TEST(what_is_cut_off_is_not_held_against_the_other)
{
	CHECK_U64(apart("f < g", false, "f < g < h < i", true), 0);
	CHECK_U64(apart("f", false, "f < g < h", true), 0);
	/* nothing is behind the end of one that is whole: two of six are missing */
	CHECK_U64(apart("f < g", true, "f < g < h < i", true), 333);
	CHECK_U64(apart("f", true, "f < g < h", true), 500);
	/* the whole one ends before the cut one: there the cut one has more than it */
	CHECK_U64(apart("f < g < h < i", false, "f < g", true), 333);
	/* both are cut: as far as both go */
	CHECK_U64(apart("f < g", false, "f < g < h", false), 0);
	/* g may stand behind where the one was cut: only x is known to be one's own */
	CHECK_U64(apart("f < x", false, "f < g < h", false), 333);
}

/*
 * A third is the limit, because of what makes two stacks of one bug differ and what makes two bugs:
 *
 * - A helper is inlined in one of two builds, or a kernel got one more between two that stay, as
 *   new_sync_read stood between a file system's function and vfs_read until 5.10 and later did not:
 *   one function more among at least three. That is a fifth at most.
 * - A tail call leaves no frame: of two functions one is gone. That is a third.
 * - A helper got another name: one of three is replaced. That is a third, of four a quarter.
 * - The same function is called by two that have nothing to do with each other: only the function
 *   itself is common, and at least a half differs.
 */
TEST(the_limit_is_between_a_helper_and_another_caller)
{
	CHECK(near("ext4_file_read_iter < vfs_read < ksys_read",
		   "ext4_file_read_iter < new_sync_read < vfs_read < ksys_read"));
	CHECK(near("f < g", "f"));
	/* mkdir on a file system that is frozen, of 6.12 and of 7.2 */
	CHECK(near("mnt_want_write < filename_create < do_mkdirat < sys_mkdir",
		   "mnt_want_write < filename_create < filename_mkdirat < sys_mkdir"));
	CHECK(!near("skb_release_data < e1000_clean < net_rx_action",
		    "skb_release_data < tun_get_user < tun_chr_write_iter"));
	CHECK(!near("f < g", "f < h"));
	CHECK(!near("f < a < b < c", "f < x < y < c"));
}

/* ---- groups */

static struct crash_traits crash(const char *signature, const char *trail, bool whole)
{
	return (struct crash_traits){ .signature = signature,
				      .outcome = "dead",
				      .kind = "null-deref",
				      .function = "f",
				      .trail = trail,
				      .whole = whole };
}

#define MOST 8
/* Sets bugs[i] to the smallest number of the bug of v[i], whatever the order they come in: it is
 * tried from the front, from the back, and from the middle. */
static void groups(const struct crash_traits *v, size_t n, size_t *bugs)
{
	static const size_t steps[] = { 1, 3, 5, 7 };

	for (size_t s = 0; s < ARRAY_SIZE(steps) * 2; s++) {
		struct arena a = { 0 };
		struct likeness l = { .a = &a };
		size_t numbers[MOST], of[MOST];

		/* steps that have no factor in common with MOST reach every place */
		for (size_t i = 0; i < MOST; i++) {
			size_t at = (i * steps[s / 2] + s) % MOST;

			if (s % 2)
				at = MOST - 1 - at;
			if (at < n)
				numbers[at] = likeness_add(&l, &v[at]);
		}
		likeness_settle(&l);
		for (size_t i = 0; i < n; i++) {
			of[i] = i;
			for (size_t k = 0; k < i && of[i] == i; k++)
				if (likeness_bug(&l, numbers[k]) == likeness_bug(&l, numbers[i]))
					of[i] = k;
			if (s)
				CHECK_U64(of[i], bugs[i]);
			bugs[i] = of[i];
		}
		likeness_release(&l);
		arena_release(&a);
	}
}

TEST(one_signature_is_one_bug)
{
	const struct crash_traits v[] = { crash("s1", "f < g", true),
					  crash("s1", "f < h < i", true),
					  crash("s2", "f < x < y < z", true) };
	size_t bugs[MOST];

	groups(v, 3, bugs);
	CHECK_U64(bugs[1], 0);
	CHECK_U64(bugs[2], 2);
}

TEST(stacks_that_lie_near_are_one_bug_if_kind_and_function_are_the_same)
{
	struct crash_traits v[] = { crash("s1", "f < g < h", true),
				    crash("s2", "f < n < g < h", true),
				    crash("s3", "f < g < h", true),
				    crash("s4", "f < g < h", true) };
	size_t bugs[MOST];

	v[2].kind = "bug";
	v[3].function = "g";
	groups(v, 4, bugs);
	CHECK_U64(bugs[1], 0);
	CHECK_U64(bugs[2], 2);
	CHECK_U64(bugs[3], 3);
}

/* The first and the last are far from each other, and the one between is near to both. */
TEST(a_third_may_lie_between)
{
	const struct crash_traits v[] = { crash("s1", "f < a < b < c", true),
					  crash("s2", "f < a < x < c", true),
					  crash("s3", "f < a < x < y", true) };
	size_t bugs[MOST];

	CHECK(trail_distance(&v[0], &v[2]) > TRAIL_NEAR);
	groups(v, 3, bugs);
	CHECK_U64(bugs[1], 0);
	CHECK_U64(bugs[2], 0);
}

/* A torn text has the guilty function alone. With one bug in it, it is of that; with two, nothing
 * says of which, and it must not make one of them. */
TEST(what_is_torn_joins_one_bug_and_no_two)
{
	const struct crash_traits v[] = { crash("s1", "f < a < b < c", true),
					  crash("s2", "f", false), crash("s3", NULL, false),
					  crash("s4", "f < x < y < z", true) };
	size_t bugs[MOST];

	groups(v, 3, bugs);
	CHECK_U64(bugs[1], 0);
	CHECK_U64(bugs[2], 0);
	groups(v, 4, bugs);
	CHECK_U64(bugs[1], 1);
	CHECK_U64(bugs[2], 2);
	CHECK_U64(bugs[3], 3);
}

/* It may be like both, and is more like the one that has all of it. */
TEST(what_is_torn_goes_where_it_fits)
{
	const struct crash_traits v[] = { crash("s1", "f < a < b < c", true),
					  crash("s2", "f < x < y < z", true),
					  crash("s3", "f < x", false) };
	size_t bugs[MOST];

	groups(v, 3, bugs);
	CHECK_U64(bugs[1], 1);
	CHECK_U64(bugs[2], 1);
}

/* Two panics have a kind and no function: only a signature tells them apart. A deadlock has no
 * signature: outcome, kind and function stand for one. */
TEST(without_a_function_or_a_signature)
{
	struct crash_traits v[] = { crash("s1", NULL, false), crash("s2", NULL, false),
				    crash(NULL, NULL, false), crash(NULL, NULL, false),
				    crash(NULL, NULL, false) };
	size_t bugs[MOST];

	v[0].function = v[1].function = NULL;
	v[2].kind = v[3].kind = v[4].kind = "deadlock";
	v[4].function = "g";
	groups(v, 5, bugs);
	CHECK_U64(bugs[1], 1);
	CHECK_U64(bugs[2], 2);
	CHECK_U64(bugs[3], 2);
	CHECK_U64(bugs[4], 4);
}

/* The first two are near each other, the third is not, and of the last only the function is known.
 */
TEST(ways_to_a_bug_are_counted_by_their_stacks)
{
	const struct crash_traits v[] = { crash("s1", "f < g < h", true),
					  crash("s1", "f < g < x < h", true),
					  crash("s1", "f < p < q < r", true),
					  crash("s1", "f", false),
					  crash("s2", "f < a < b < c < d", true) };
	struct arena a = { 0 };
	struct likeness l = { .a = &a };
	unsigned ways = 0;

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		likeness_add(&l, &v[i]);
	likeness_settle(&l);
	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		ways += likeness_bug(&l, i) == 0 && likeness_is_way(&l, i);
	CHECK_U64(ways, 2);
	CHECK_U64(likeness_bug(&l, 3), 0);
	CHECK_U64(likeness_bug(&l, 4), 4);
	CHECK(likeness_is_way(&l, 4));
	likeness_release(&l);
	arena_release(&a);
}

/* Strings of any length, with what stands between names, and none. */
TEST(strange_trails_end)
{
	char longest[1000];
	struct crash_traits v[] = { crash("s1", longest, true), crash("s2", " <  < ", true),
				    crash("s3", " < ", false), crash("\x01", "\x01 < \x01", true) };
	size_t bugs[MOST];

	for (size_t i = 0; i + 4 < sizeof(longest); i += 4)
		memcpy(longest + i, "f < ", 5);
	groups(v, 4, bugs);
	CHECK_U64(bugs[0], 0);
}

/* Many that are all unlike each other: the time is held by what is compared, not by how many there
 * are. 20,000 pairs of each other would be 200 million. */
TEST(many_are_not_compared_with_all)
{
	struct arena a = { 0 };
	struct likeness l = { .a = &a };

	for (unsigned i = 0; i < 20000; i++) {
		const char *trail = arena_printf(&a, "f < a%u < b%u < c%u", i, i, i);
		struct crash_traits c = crash(arena_printf(&a, "s%u", i), trail, true);

		CHECK_U64(likeness_add(&l, &c), i);
	}
	likeness_settle(&l);
	CHECK_U64(likeness_bug(&l, 19999), 19999);
	likeness_release(&l);
	arena_release(&a);
}

TEST_MAIN
