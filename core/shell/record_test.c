/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what all records have in common. */
#include "core/base/test.h"
#include "core/shell/command.h"

/* A field beyond the limit would be dropped without a word. */
TEST(every_field_of_a_record_has_a_cell)
{
	size_t kinds = 0;

	for (size_t i = 0; commands[i]; i++)
		for (size_t k = 0; commands[i]->emits && commands[i]->emits[k]; k++, kinds++)
			if (!CHECK(commands[i]->emits[k]->n_fields <= RECORD_FIELDS_MAX))
				printf("  of %s's %s\n", commands[i]->name,
				       commands[i]->emits[k]->name);
	CHECK(kinds > 100);
}

/* The last nanosecond of 64 bits is 9223372036.854775807 s after 1970, in 2262; the year 2300 began
 * 10413792000 s after 1970 (date -d @10413792000). */
TEST(a_date_that_is_too_far_is_null)
{
	static const struct record_field fields[] = { { "at", NULL, CELL_DATE, 0, "" } };
	static const struct record_kind kind = { "dated", "", LAYOUT_TABLE, NULL, fields, 1 };
	static const struct {
		int64_t s, ns;
		bool fits;
	} dates[] = { { 0, 0, true },
		      { -1, 5, true },
		      { 9223372036, 854775807, true },
		      { 9223372036, 854775808, false },
		      { 10413792000, 0, false },
		      { -10413792000, 0, false },
		      { INT64_MAX, 0, false },
		      { INT64_MIN, 999999999, false } };
	struct record r;

	for (size_t i = 0; i < ARRAY_SIZE(dates); i++) {
		record_init(&r, &kind);
		record_date(&r, 0, dates[i].s, dates[i].ns);
		CHECK(r.cells[0].kind == (dates[i].fits ? CELL_DATE : CELL_NULL));
		if (dates[i].fits)
			CHECK(r.cells[0].i == dates[i].s * 1000000000 + dates[i].ns);
	}
}

TEST_MAIN
