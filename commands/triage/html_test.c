/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the page's limits, and of what it says when something is left out. That a page is whole
 * HTML is asked of another program: testdata/sessions/triage-html.t. */
#include <string.h>

#include "commands/triage/html.h"
#include "core/base/test.h"
#include "core/image/target.h"
#include "core/verdict/check.h"

struct bench {
	struct target t;
	struct arena scratch;
	struct file file;
	struct verdict v;
	struct buf page;
	struct err err;
};

static void no_note(const struct err *e, void *arg)
{
	(void)e, (void)arg;
}

static void bench_init(struct bench *b, const char *text)
{
	memset(b, 0, sizeof(*b));
	target_init(&b->t, &b->scratch);
	b->file = (struct file){ .path = "log.txt", .fd = -1, .map = SPAN(text, strlen(text)) };
	*vec_push(&b->t.report_texts) = &b->file;
	verdict_make(&b->t, no_note, NULL, &b->v);
}

static bool make(struct bench *b)
{
	buf_release(&b->page);
	return html_make(&b->t, &b->v, "1.2<3>", 0, no_note, NULL, &b->page, &b->err);
}

static void done(struct bench *b)
{
	buf_release(&b->page);
	verdict_release(&b->v);
	vec_release(&b->t.report_texts);
	target_release(&b->t);
	arena_release(&b->scratch);
}

static size_t count(const char *in, const char *what)
{
	size_t n = 0;

	for (; (in = strstr(in, what)); in += strlen(what))
		n++;
	return n;
}

#define OOPS                                                                               \
	"one line before\n"                                                                \
	"[    5.000001] BUG: kernel NULL pointer dereference, address: 0000000000000010\n" \
	"[    5.000002] CPU: 3 PID: 41 Comm: worker Not tainted 6.1.0 #1\n"                \
	"[    5.000003] RIP: 0010:guilty_one+0x10/0x40\n"                                  \
	"[    5.000004] Call Trace:\n"                                                     \
	"[    5.000005]  guilty_one+0x20/0x80\n"                                           \
	"[    5.000006] Kernel panic - not syncing: Fatal exception\n"                     \
	"one \t line </div> behind\n"

TEST(a_text)
{
	struct bench b;

	bench_init(&b, OOPS);
	REQUIRE(make(&b));
	/* what the page is made of, once */
	CHECK_U64(count(b.page.s, "<header class=\"dead\">"), 1);
	CHECK_U64(count(b.page.s, "<div class=\"word\">DEAD</div>"), 1);
	CHECK_U64(count(b.page.s, "<script>"), 1);
	CHECK_U64(count(b.page.s, "Made by obit 1.2&lt;3&gt;"), 1);
	/* the lines of the report are marked, and others are not */
	CHECK(strstr(b.page.s,
		     "<div class=\"crash\" id=\"crash\">[    5.000001] BUG: kernel NULL"));
	CHECK(strstr(b.page.s, "<div class=\"crash\">[    5.000003] RIP"));
	CHECK(strstr(b.page.s, "<div>one line before</div>"));
	CHECK(strstr(b.page.s, "<div>one \t line &lt;/div&gt; behind</div>"));
	/* checks that need a dump are told of together, and no stack is shown that is not there */
	CHECK_U64(count(b.page.s, ": no dump is loaded</li>"), 1);
	CHECK(!strstr(b.page.s, "id=\"stacks\""));
	CHECK(!strstr(b.page.s, "</script></"));
	done(&b);
}

/* A section that is too long is left out as a whole: half of one would leave elements open. */
TEST(a_section_that_is_too_long)
{
	static char book[3 * HTML_MAX / 100];
	struct bench b;
	struct claim c;

	memset(book, 'x', sizeof(book) - 1);
	bench_init(&b, OOPS);
	REQUIRE(b.v.claim);
	c = *b.v.claim;
	c.rival = book;
	b.v.claim = &c;
	REQUIRE(make(&b));
	CHECK(!strstr(b.page.s, "<section id=\"evidence\">"));
	CHECK(!strstr(b.page.s, "href=\"#evidence\""));
	CHECK(strstr(b.page.s, "<li>what happened: it would be too long for this page</li>"));
	CHECK(strstr(b.page.s, "<section id=\"checks\">"));
	done(&b);
}

TEST(a_page_that_is_too_long)
{
	static char book[HTML_MAX + 1];
	struct bench b;

	memset(book, 'x', sizeof(book) - 1);
	bench_init(&b, OOPS);
	b.v.sentence = book;
	CHECK(!make(&b));
	CHECK_ERR(b.err, ERR_LIMIT);
	done(&b);
}

/* Without a report the words of panic() are the crash. */
TEST(a_panic_alone)
{
	struct bench b;

	bench_init(&b, "[    1.000000] nothing\n"
		       "[    2.000000] Kernel panic - not syncing: sysrq triggered crash\n"
		       "[    3.000000] nothing either\n");
	REQUIRE(make(&b));
	CHECK_U64(count(b.page.s, "id=\"crash\""), 1);
	CHECK(strstr(b.page.s, "id=\"crash\">[    2.000000] Kernel panic"));
	CHECK(strstr(b.page.s, "<a href=\"#crash\">"));
	done(&b);
}

/* A log that is longer than the page: its end is there, and the crash, wherever that stands. */
TEST(a_long_log)
{
	struct buf text = { 0 };
	struct bench b;

	for (int i = 0; i < 60000; i++)
		buf_printf(&text, "[    1.000000] line %d of many that say nothing at all\n", i);
	buf_str(&text, OOPS);
	for (int i = 0; i < 60000; i++)
		buf_printf(&text, "[    9.000000] line %d of many that say nothing at all\n", i);
	buf_str(&text, "the end\n");
	bench_init(&b, text.s);
	REQUIRE(make(&b));
	CHECK(b.page.n < HTML_MAX);
	CHECK_U64(count(b.page.s, "id=\"crash\""), 1);
	CHECK(strstr(b.page.s, "RIP: 0010:guilty_one"));
	CHECK(strstr(b.page.s, "<div>the end</div>"));
	CHECK(!strstr(b.page.s, "line 0 of many"));
	CHECK_U64(count(b.page.s, " lines were left out)"), 2);
	CHECK(strstr(b.page.s, "(60001 lines were left out)"));
	done(&b);
	buf_release(&text);
}

TEST_MAIN
