/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of whole pipelines over a ring of things: what stages give, what they refuse, and that text
 * of the dump never becomes a command's option. */
#include "core/base/guard.h"
#include "core/base/test.h"
#include "core/shell/prompt/complete.h"
#include "core/shell/pipeline_fake.h"
#include "core/shell/session_run.h"
#include "readers/symbol/btf_fake.h"

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

/* What TAB offers at the end of a line, joined by blanks. */
static const struct {
	const char *line, *want;
} tabs[] = {
	/* members of what comes, and of what they lead to */
	{ ALL "where sta", "state" },
	{ ALL "pick l", "letter list low" },
	{ ALL "pick pid, bi", "big" },
	{ ALL "order next->co", "next->comm" },
	{ ALL "where list.", "list.next list.prev" },
	/* some stages hand on what they take, others nothing that is known before it runs */
	{ ALL "where pid == 1 | first 2 | pick com", "comm" },
	{ ALL "count | pick com", "" },
	{ ALL "where comm == \"a|b\" | pick com", "comm" },
	/* another line's pipeline is not this one's */
	{ ALL "count; pick com", "" },
	{ "list thing.list -H 0xffff800000000800 | group fl", "flags" },
	{ "walk kl", "klist" },
	{ "walk list thing.li", "thing.list" },
	{ "walk list | where", "where" },
	/* what stands in brackets has a type, too */
	{ "p ((struct thing *)0xffff800000001000)->com", "->comm" },
	{ "p (*(struct thing *)0xffff800000001000).ne", ".next" },
	{ "p (((struct thing *)0xffff800000001000)->next)->bi", "->big" },
	{ "p ((struct thing *)0xffff800000001000)->next->bi", "->next->big" },
	{ "p container_of(0xffff800000001000, struct thing, list)->pi", "->pid" },
	{ "p (int)3)->pi", "" },
	{ "p ((struct nosuch *)0xffff800000001000)->pi", "" },
	/* a member that was renamed, "__state" */
	{ "p $pa", "$panic" },
};

TEST(tab_knows_what_a_stage_takes)
{
	for (size_t i = 0; i < ARRAY_SIZE(tabs); i++) {
		const char *line = tabs[i].line;
		size_t start = strlen(line);
		struct candidates c = { 0 };
		struct pipeline_fake *f;
		struct arena a = { 0 };
		struct buf b = { 0 };

		while (start && !strchr(COMPLETE_BREAKS, line[start - 1]))
			start--;
		CHECK(pipeline_fake_open(false, fake_btf_load, &f));
		complete_line(&f->s, &a, line, start, strlen(line), &c);
		for (size_t k = 0; k < c.words.n; k++)
			buf_printf(&b, "%s%s", k ? " " : "", c.words.p[k]);
		if (!CHECK_STR(buf_text(&b), tabs[i].want))
			printf("  line \"%s\"\n", line);
		buf_release(&b);
		candidates_release(&c);
		arena_release(&a);
		pipeline_fake_close(f);
	}
}

TEST_MAIN
