/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of whole pipelines over a ring of things: what stages give, what they refuse, and that text
 * of the dump never becomes a command's option. */
#include "core/base/guard.h"
#include "core/base/test.h"
#include "core/shell/pipeline_fake.h"
#include "readers/btf_fake.h"

#define ALL "walk list thing.list 0xffff800000000800 | "

static const struct {
	const char *line, *want; /* NULL: nothing */
	int status;
} lines[] = {
	{ ALL "count", "6\n", EXIT_ANSWERED },
	{ ALL "where pid == 2 | count", "1\n", EXIT_ANSWERED },
	{ ALL "where state == RUN && big < -2 | count", "2\n", EXIT_ANSWERED },
	{ ALL "where comm ~ \"^k\" | pick comm", "COMM\nkworker/0:1\n", EXIT_ANSWERED },
	{ ALL "order pid | first | pick pid, word", "PID  WORD\n  0  1000\n", EXIT_ANSWERED },
	{ ALL "last 2 | pick big", "BIG\n -4\n -5\n", EXIT_ANSWERED },
	/* a stage that takes values is no start */
	{ "each p 1", NULL, EXIT_USAGE },
	{ "where pid", NULL, EXIT_USAGE },
	{ "count", NULL, EXIT_USAGE },
	{ "count | count", NULL, EXIT_USAGE },
	{ ALL "first | each where pid", NULL, EXIT_USAGE },
	/* types are checked before anything runs */
	{ ALL "where nosuch == 1", NULL, EXIT_FAILED },
	{ ALL "pick comm | where pid == 1", NULL, EXIT_FAILED },
	{ ALL "count | where it > 1", NULL, EXIT_FAILED },
	/* one word each, and no option: '-x --help' would print a page of help */
	{ ALL "where pid == 4 | each help {comm}", NULL, EXIT_FAILED },
	{ ALL "where pid == 4 | each help '{comm}'", NULL, EXIT_FAILED },
	{ ALL "where pid == 4 | each help \"{comm}\"", NULL, EXIT_FAILED },
	/* in an expression it is text */
	{ ALL "where pid == 4 | each p {comm}", "\"-x --help\" = \"-x --help\"\n", EXIT_ANSWERED },
	{ ALL "where pid == 1 && state == RUN | each help {comm}", NULL, EXIT_FAILED },
};

TEST(lines_give_what_they_should)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct pipeline_fake *f;
		bool ok = CHECK(pipeline_fake_open(false, fake_btf_load, &f));

		session_run(&f->s, lines[i].line);
		ok &= CHECK_STR(buf_text(&f->said), lines[i].want ? lines[i].want : "") &
		      CHECK_U64((uint64_t)session_status(&f->s), (uint64_t)lines[i].status);
		if (!ok)
			printf("  line \"%s\"\n", lines[i].line);
		pipeline_fake_close(f);
	}
}

TEST_MAIN
