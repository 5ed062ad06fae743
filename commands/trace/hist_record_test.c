/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of how tables of hist triggers look where a damaged dump chose the names. */
#include <string.h>
#include <unistd.h>

#include "core/base/guard.h"
#include "core/base/test.h"
#include "commands/trace/hist_record.h"
#include "core/shell/pipeline_fake.h"

static bool no_types(struct target *t, struct err *err)
{
	(void)t, (void)err;
	return true;
}

/* Names of events and of their fields lie in the dump: none begins a line of the table, and none
 * reaches the terminal. */
TEST(no_name_begins_a_line)
{
	static const char evil[] = "n\nFORGED\033[31m";
	static const enum hist_how hows[] = { HIST_NUMBER, HIST_HEX, HIST_PERCENT, HIST_GRAPH };
	static const uint64_t buckets[1], sums[] = { 1, 1 };

	for (size_t i = 0; i < ARRAY_SIZE(hows); i++) {
		const struct hist_part key = { .name = evil, .how = HIST_STRING, .str = evil };
		const struct hist_part vals[] = { { .name = "hitcount", .num = 1 },
						  { .name = evil, .how = hows[i], .num = 1 } };
		const struct hist_entry e = { .keys = &key, .vals = vals, .saved = "" };
		const struct hist_table h = { .instance = evil,
					      .system = evil,
					      .event = evil,
					      .trigger = evil,
					      .n_keys = 1,
					      .n_vals = 2,
					      .buckets = buckets,
					      .totals = sums,
					      .most = sums,
					      .entries = &e,
					      .n_entries = 1 };
		struct pipeline_fake *f;

		REQUIRE(pipeline_fake_open(false, no_types, &f));
		emit_hist(&(struct ctx){ .t = &f->k.t, .s = &f->s }, &h, true);
		CHECK_CONTAINS(buf_text(&f->said), " n\\nFORGED\\x1b[31m: ");
		CHECK(!strstr(buf_text(&f->said), "\nFORGED"));
		CHECK(!strchr(buf_text(&f->said), '\033'));
		pipeline_fake_close(f);
	}
}

TEST_MAIN
