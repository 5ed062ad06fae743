/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the first screen: how it is broken into lines, what stands in which, and what other
 * faces say of the same verdict in plain words. */
#include "commands/triage/face.h"
#include "commands/triage/html.h"
#include "commands/triage/verdict_record.h"
#include "core/base/test.h"
#include "core/verdict/check.h"

static const struct checkup a_check = { .name = "timers", .doc = "a check" };

struct screen {
	struct claim claim;
	struct finding findings[3];
	struct verdict v;
	struct buf out;
};

static void screen_init(struct screen *s)
{
	memset(s, 0, sizeof(*s));
	s->claim = (struct claim){ .kind = "deadlock",
				   .sentence = "two tasks wait for each other for 6.2 s",
				   .pid = 0,
				   .comm = "swapper/0",
				   .cpu = -1,
				   .function = "left",
				   .module = "coroner",
				   .place = "./drivers/misc/coroner.c:1909",
				   .subsystem = "drivers/misc",
				   .rival = "right, which came later" };
	s->claim.evidence[0] = (struct evidence){ "log 5.000001", "first" };
	s->claim.evidence[1] = (struct evidence){ "stack of 140", "second" };
	s->claim.n_evidence = 2;
	s->v = (struct verdict){ .outcome = OUTCOME_STUCK,
				 .claim = &s->claim,
				 .sentence = s->claim.sentence,
				 .sure = SURE_CERTAIN,
				 .why_sure = "both agree",
				 .death = { .how = "asked for, by sysrq" },
				 .findings = s->findings,
				 .n_findings = 3 };
	for (size_t i = 0; i < 3; i++)
		s->findings[i] = (struct finding){ .check = &a_check,
						   .state = i ? CHECK_OK : CHECK_WARN,
						   .text = i ? "all is well" : "one is late" };
}

/* The verdict as a terminal of so many columns has it. */
static const char *shown(struct screen *s, unsigned width)
{
	const struct sink k = { .width = width };
	const struct record r = { .kind = &verdict_kind, .of = &s->v };

	buf_release(&s->out);
	s->out = (struct buf){ 0 };
	verdict_kind.text(&s->out, &k, &r, NULL);
	return buf_text(&s->out);
}

TEST(a_screen)
{
	struct screen s;

	screen_init(&s);
	CHECK_STR(shown(&s, 200),
		  "STUCK  two tasks wait for each other for 6.2 s\n"
		  "how    asked for, by sysrq\n"
		  "sure   certain: both agree\n"
		  "blame  left of module coroner in drivers/misc; rival: right, which came later\n"
		  "seen   log 5.000001: first\n"
		  "       stack of 140: second\n");
	buf_release(&s.out);
}

/* Lines end before the terminal does, a number stays with its unit, and below 40 columns nothing is
 * broken further. */
TEST(a_narrow_screen)
{
	static const unsigned widths[] = { 40, 41, 46, 20, 1 };
	struct screen s;

	screen_init(&s);
	s.v.claim = NULL;
	s.v.why_sure = NULL;
	s.v.death.how = NULL;
	/* 7 columns, and 33 of words: "two tasks wait for each other for" has 33 */
	CHECK_STR(shown(&s, 40), "STUCK  two tasks wait for each other for\n       6.2 s\n");
	CHECK_STR(shown(&s, 39), "STUCK  two tasks wait for each other for\n       6.2 s\n");
	CHECK_STR(shown(&s, 45), "STUCK  two tasks wait for each other for\n       6.2 s\n");
	CHECK_STR(shown(&s, 46), "STUCK  two tasks wait for each other for 6.2 s\n");
	s.v.sentence = "a bbbb ccccc dddddd eeeeeee 12 ffffffff ggggggggg 7.5 hhhhhhh iiii jjjjjjj";
	for (size_t i = 0; i < ARRAY_SIZE(widths); i++) {
		const char *p = shown(&s, widths[i]);

		for (size_t n; *p; p += n + (p[n] == '\n')) {
			n = strcspn(p, "\n");
			CHECK(n <= (widths[i] < 40 ? 40 : widths[i]));
			CHECK(n > 7);
			/* no line ends with a number whose unit begins the next */
			CHECK(!(p[n - 1] >= '0' && p[n - 1] <= '9'));
		}
	}
	buf_release(&s.out);
}

/* A path within the sources, and its line. */
TEST(places)
{
	static const struct {
		const char *place, *path;
		unsigned line;
	} places[] = {
		{ "./drivers/misc/coroner.c:1909", "drivers/misc/coroner.c", 1909 },
		{ "fs/ext4/inode.c:1", "fs/ext4/inode.c", 1 },
		/* nobody has the path of whoever built it */
		{ "/build/mod/x.c:98", "x.c", 98 },
		{ "../x/y.c:7", "y.c", 7 },
	};
	struct screen s;

	screen_init(&s);
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		struct buf path = { 0 };
		unsigned line = 0;

		s.claim.place = places[i].place;
		CHECK(face_place(&s.v, &path, &line));
		CHECK_STR(buf_text(&path), places[i].path);
		CHECK_U64(line, places[i].line);
		buf_release(&path);
	}
	for (size_t i = 0; i < 4; i++) {
		static const char *const none[] = { "x.c", "x.c:", "x.c:0", ":12" };
		struct buf path = { 0 };
		unsigned line;

		s.claim.place = none[i];
		CHECK(!face_place(&s.v, &path, &line));
		buf_release(&path);
	}
}

/* What warns is told with the suite, and nothing else is. */
TEST(warnings_of_a_suite)
{
	struct screen s;
	struct telling face = { .v = &s.v, .input = "vmcore", .version = "1" };

	screen_init(&s);
	face_junit(&s.out, &face);
	CHECK_CONTAINS(buf_text(&s.out), "<system-out>[warn] timers: one is late\n</system-out>");
	buf_release(&s.out);
}

/* What could not be seen is told once. */
TEST(what_was_not_seen)
{
	struct target t;
	struct arena scratch;
	struct html p = { .t = &t };

	memset(&scratch, 0, sizeof(scratch));
	target_init(&t, &scratch);
	html_unseen(&p, "stacks", "excluded");
	html_unseen(&p, "stacks", "excluded");
	html_unseen(&p, NULL, "excluded");
	html_unseen(&p, "stacks", "damaged");
	html_unseen(&p, NULL, "excluded");
	REQUIRE(p.unseen.n == 3);
	CHECK_STR(p.unseen.p[0], "stacks: excluded");
	CHECK_STR(p.unseen.p[1], "excluded");
	CHECK_STR(p.unseen.p[2], "stacks: damaged");
	vec_release(&p.unseen);
	target_release(&t);
	arena_release(&scratch);
}

TEST_MAIN
