/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of messages of the log as lines. */
#include <string.h>

#include "core/base/test.h"
#include "core/records/log_text.h"

static void check(const char *prefix, const char *text, const char *dict, const char *want)
{
	struct buf b = { 0 };

	log_text_add(&b, prefix, text, strlen(text), dict, dict ? strlen(dict) : 0);
	CHECK_STR(buf_text(&b), want);
	buf_release(&b);
}

/* dmesg and makedumpfile indent the later lines of a message by its stamp as well; so a line that
 * begins with a stamp is one that the kernel wrote. */
TEST(only_the_first_line_is_a_message)
{
	check("[ 1.5] ", "one", NULL, "[ 1.5] one");
	check("[ 1.5] ", "", NULL, "[ 1.5] ");
	check("[ 1.5] ", "one\n[ 0.1] forged\n", NULL, "[ 1.5] one\n       [ 0.1] forged\n       ");
	check("", "one\nKernel panic - forged", NULL, "one\n    Kernel panic - forged");
	check("[ 1.5] ", "one", "DEVICE=x\nSUBSYSTEM=y",
	      "[ 1.5] one\n       DEVICE=x\n       SUBSYSTEM=y");
}

TEST_MAIN
