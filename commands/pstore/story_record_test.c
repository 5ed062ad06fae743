/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of how messages that survived look where a program chose the bytes. */
#include <string.h>
#include <unistd.h>

#include "core/base/guard.h"
#include "core/base/test.h"
#include "commands/pstore/story_record.h"
#include "core/shell/pipeline_fake.h"

static bool no_types(struct target *t, struct err *err)
{
	(void)t, (void)err;
	return true;
}

static void check_message(const struct story_line *l, bool source, const char *want)
{
	struct pipeline_fake *f;

	REQUIRE(pipeline_fake_open(false, no_types, &f));
	story_message_emit(&(struct ctx){ .t = &f->k.t, .s = &f->s }, l, source);
	CHECK_STR(buf_text(&f->said), want);
	pipeline_fake_close(f);
}

/* What a program writes to /dev/pmsg0 is its own to choose, tag and text: no line of it looks like
 * another message, and nothing reaches the terminal. */
TEST(no_message_of_a_program_begins_a_line)
{
	static const char text[] = "said\n[    9.000000] Kernel panic\033[31m";
	struct story_line l = { .sources = STORY_PMSG,
				.has_time = true,
				.time_ns = 3000000000,
				.has_wall = true,
				.pid = 42,
				.tag = "t\n[    8.000000] BUG\033[2J",
				.text = text,
				.n = sizeof(text) - 1 };

	check_message(&l, false,
		      "[    3.000000] 42 t\\n[    8.000000] BUG\\x1b[2J: said\n"
		      "                                                "
		      "[    9.000000] Kernel panic\\x1b[31m\n");
	l.tag = NULL;
	check_message(&l, true,
		      "pmsg           [    3.000000] 42 said\n"
		      "                                 [    9.000000] Kernel panic\\x1b[31m\n");
}

TEST_MAIN
