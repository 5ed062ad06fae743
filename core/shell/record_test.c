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

TEST_MAIN
