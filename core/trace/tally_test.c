/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Buckets and rows, by their definitions. */
#include "core/base/test.h"
#include "core/trace/tally.h"

TEST(a_bucket_is_a_power_of_two)
{
	static const struct {
		int64_t value;
		const char *text;
	} cases[] = {
		{ -5, "(..., 0)" },        { 0, "[0]" },         { 1, "[1]" },
		{ 2, "[2, 4)" },           { 3, "[2, 4)" },      { 4, "[4, 8)" },
		{ 1023, "[512, 1K)" },     { 1024, "[1K, 2K)" }, { 1 << 20, "[1M, 2M)" },
		{ INT64_MAX, "[4E, 8E)" },
	};
	struct buf b = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		buf_reset(&b);
		tally_bucket_text(&b, tally_bucket(cases[i].value));
		CHECK_STR(buf_text(&b), cases[i].text);
		CHECK(tally_bucket(cases[i].value) < TALLY_BUCKETS);
	}
	buf_release(&b);
}

TEST(keys_are_told_apart)
{
	struct trace_value a[2] = { { .str = "1" }, { .num = 1 } };
	struct trace_value b[2] = { { .num = 1 }, { .num = 1 } };
	struct trace_value c[2] = { { .str = "11" }, { .str = "" } };
	struct trace_value d[2] = { { .str = "1" }, { .str = "1" } };
	struct arena arena = { 0 };
	struct tally t;

	tally_init(&t, &arena, 2, false);
	tally_add(&tally_at(&t, NULL, a)->sum, 5);
	tally_add(&tally_at(&t, NULL, a)->sum, -7);
	(void)tally_at(&t, NULL, b);
	(void)tally_at(&t, NULL, c);
	(void)tally_at(&t, NULL, d);
	CHECK_U64(t.rows.n, 4);
	tally_sort(&t);
	CHECK_U64(t.rows.p[0]->sum.n, 2);
	CHECK(t.rows.p[0]->sum.min == -7 && t.rows.p[0]->sum.max == 5);
	CHECK(t.rows.p[0]->sum.sum == -2);
	tally_release(&t);
	arena_release(&arena);
}

TEST(keys_have_a_limit)
{
	struct trace_value v = { 0 };
	struct arena arena = { 0 };
	struct tally t;

	tally_init(&t, &arena, 1, false);
	for (v.num = 0; v.num < TALLY_ROWS_MAX + 5; v.num++)
		CHECK((tally_at(&t, NULL, &v) != NULL) == (v.num < TALLY_ROWS_MAX));
	CHECK_U64(t.left_out, 5);
	tally_release(&t);
	arena_release(&arena);
}

TEST_MAIN
