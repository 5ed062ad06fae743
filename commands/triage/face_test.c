/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of a verdict in other languages, all of whose strings mean harm: that none of them says
 * anything in the language it stands in, and that limits hold. Whether a text is valid as a whole
 * is asked of other tools: testdata/sessions/triage-faces.t. */
#include <string.h>

#include "commands/triage/face.h"
#include "core/base/test.h"
#include "core/report/report.h"
#include "core/verdict/check.h"

#define EVIL                                                                        \
	"</x>&\"'<script>\033[2J\n::error::x\r]]>```@root #1 |\x01\xff\xe2\x80\xae" \
	"https://evil.example ##[error]"

static const struct checkup evil_check = { .name = "evil", .doc = "hostile strings", .more = "x" };
static const struct checkup other_check = { .name = "other", .doc = "other things" };

struct evil {
	struct claim claim;
	struct finding findings[64];
	struct verdict v;
	struct telling face;
};

/* A verdict of evil strings: a check that failed, one that warns, one that could not look. */
static void evil_init(struct evil *e)
{
	memset(e, 0, sizeof(*e));
	e->claim = (struct claim){ .kind = "null-deref",
				   .sentence = EVIL,
				   .sure = SURE_LIKELY,
				   .why_sure = EVIL,
				   .pid = 1,
				   .cpu = 0,
				   .comm = EVIL,
				   .function = EVIL,
				   .module = EVIL,
				   .place = "fs/" EVIL ".c:12",
				   .subsystem = EVIL,
				   .rival = EVIL,
				   .title = EVIL,
				   .stack = EVIL,
				   .evidence = { { EVIL, EVIL } },
				   .n_evidence = 1 };
	e->findings[0] = (struct finding){
		.check = &evil_check, .state = CHECK_FAIL, .text = EVIL, .more = EVIL
	};
	e->findings[1] = (struct finding){
		.check = &other_check, .state = CHECK_WARN, .text = EVIL, .more = EVIL
	};
	e->findings[2] =
		(struct finding){ .check = &other_check, .state = CHECK_UNKNOWN, .text = EVIL };
	e->findings[3] = (struct finding){ .check = &other_check, .state = CHECK_OK, .text = EVIL };
	e->v = (struct verdict){ .outcome = OUTCOME_DEAD,
				 .claim = &e->claim,
				 .sentence = EVIL,
				 .sure = SURE_LIKELY,
				 .why_sure = EVIL,
				 .death = { .way = WAY_OOPS, .how = EVIL, .source = EVIL },
				 .findings = e->findings,
				 .n_findings = 4,
				 .release = EVIL,
				 .arch = EVIL,
				 .node = EVIL,
				 .build_id = EVIL };
	e->face = (struct telling){ .v = &e->v, .input = "/tmp/" EVIL, .now = 86400 };
}

static size_t count(const char *in, const char *what)
{
	size_t n = 0;

	for (; (in = strstr(in, what)); in += strlen(what))
		n++;
	return n;
}

/* What no language may have: bytes that a terminal acts on, and a direction of writing. */
static void check_plain(const struct buf *b)
{
	REQUIRE(b->n);
	for (size_t i = 0; i < b->n; i++)
		CHECK((unsigned char)b->s[i] >= 0x20 || b->s[i] == '\n');
	CHECK(!memchr(b->s, 0x7f, b->n) && !memchr(b->s, 0xff, b->n));
	CHECK(!strstr(b->s, "\xe2\x80\xae"));
	CHECK(b->s[b->n - 1] == '\n');
}

TEST(markdown_is_of_ours)
{
	struct evil e;
	struct buf b = { 0 };

	evil_init(&e);
	face_markdown(&b, &e.face);
	check_plain(&b);
	CHECK(!strncmp(b.s, "### DEAD: ", 10));
	/* outside of code spans nothing is HTML, a mention, a link, or an end of a cell; inside the
	 * text stands as it is, and a span of four backticks holds the three */
	for (const char *line = b.s; *line; line = strchr(line, '\n') + 1) {
		const char *end = strchr(line, '\n'), *p = line;

		while (p < end) {
			size_t run = strspn(p, "`");

			if (run) {
				const char *close = p + run;

				CHECK_U64(run, 4);
				while (close < end && (strncmp(close, "````", 4) != 0))
					close++;
				CHECK(close < end);
				p = close + 4;
				continue;
			}
			if (*p == '\\') {
				p += 2;
				continue;
			}
			CHECK(strncmp(p, "@root", 5) != 0 && strncmp(p, "#1", 2) != 0);
			CHECK(strncmp(p, "://", 3) != 0);
			CHECK(*p != '<' || !strncmp(p, "<details><summary>", 18) ||
			      !strncmp(p, "</summary>", 10) || !strncmp(p, "</details>", 10) ||
			      !strncmp(p, "<summary>", 9));
			p++;
		}
	}
	CHECK_U64(count(b.s, "\n::"), 0);
	buf_release(&b);
}

/* The log is as long as it likes, and has fences. */
TEST(markdown_has_a_limit)
{
	static char raw[200] = "````` [31m </details>";
	struct report r = { .file = "x" };
	struct evil e;
	struct buf b = { 0 };

	evil_init(&e);
	for (size_t i = 0; i < 5000; i++) {
		struct report_line *l = vec_push(&r.lines);

		l->raw = l->text = raw;
		l->raw_n = l->n = sizeof(raw);
	}
	memset(raw + 30, 'x', sizeof(raw) - 30);
	e.claim.report = &r;
	face_markdown(&b, &e.face);
	check_plain(&b);
	CHECK(b.n <= MARKDOWN_MAX + 100);
	CHECK_U64(count(b.s, "\n``````text\n"), 1);
	CHECK_U64(count(b.s, "\n``````\n"), 1);
	CHECK(strstr(b.s, " lines more were left out.\n"));
	CHECK_U64(count(b.s, "<details>"), 1 + count(raw, "<details>") + 1);
	vec_release(&r.lines);
	buf_release(&b);
}

/* Even what stands before the log may be too long. */
TEST(markdown_of_a_book)
{
	static char book[2 * MARKDOWN_MAX];
	struct evil e;
	struct buf b = { 0 };

	memset(book, 'x', sizeof(book) - 1);
	evil_init(&e);
	e.findings[1].text = book;
	face_markdown(&b, &e.face);
	CHECK(b.n <= MARKDOWN_MAX + 100);
	CHECK(strstr(b.s, "\nMore was left out: an issue has no room for it.\n"));
	buf_release(&b);
}

TEST(junit_counts)
{
	struct evil e;
	struct buf b = { 0 };

	evil_init(&e);
	face_junit(&b, &e.face);
	check_plain(&b);
	CHECK(strstr(b.s, " tests=\"5\" failures=\"2\" errors=\"0\" skipped=\"1\""));
	CHECK(strstr(b.s, " timestamp=\"1970-01-02T00:00:00\""));
	CHECK_U64(count(b.s, "<testcase "), 5);
	CHECK_U64(count(b.s, "<failure "), 2);
	CHECK_U64(count(b.s, "<skipped "), 1);
	CHECK(!strstr(b.s, "<script") && !strstr(b.s, "]]>") && !strstr(b.s, "&#27;"));
	buf_release(&b);
	/* what nobody found wrong is no failure; what nobody could say was not tested */
	e.v.outcome = OUTCOME_ALIVE;
	face_junit(&b, &e.face);
	CHECK(strstr(b.s, " failures=\"1\" errors=\"0\" skipped=\"1\""));
	buf_reset(&b);
	e.v.outcome = OUTCOME_UNKNOWN;
	e.v.death.way = WAY_UNKNOWN;
	face_junit(&b, &e.face);
	CHECK(strstr(b.s, " failures=\"1\" errors=\"0\" skipped=\"2\""));
	buf_reset(&b);
	/* a death without a cause is one all the same */
	e.v.death.way = WAY_NMI;
	face_junit(&b, &e.face);
	CHECK(strstr(b.s, " failures=\"2\" errors=\"0\" skipped=\"1\""));
	buf_release(&b);
}

TEST(sarif_strings)
{
	struct evil e;
	struct buf b = { 0 };

	evil_init(&e);
	face_sarif(&b, &e.face);
	check_plain(&b);
	CHECK(strstr(b.s, "\"ruleId\":\"verdict-null-deref\",\"level\":\"error\""));
	CHECK(strstr(b.s, "\"ruleId\":\"check-evil\",\"level\":\"error\""));
	CHECK(strstr(b.s, "\"ruleId\":\"check-other\",\"level\":\"warning\""));
	CHECK(strstr(b.s, "\"startLine\":12"));
	CHECK(strstr(b.s, "\\u001b[2J\\n::error::x"));
	CHECK_U64(count(b.s, "\"associatedRule\""), 1);
	buf_release(&b);
}

/* A failed check that is what the verdict says is said once. */
TEST(what_is_said_once)
{
	struct evil e;
	struct buf b = { 0 };

	evil_init(&e);
	e.findings[0].claim = &e.claim;
	face_sarif(&b, &e.face);
	CHECK_U64(count(b.s, "\"ruleId\":"), 2);
	buf_reset(&b);
	face_github(&b, &e.face);
	CHECK_U64(count(b.s, "::error "), 1);
	buf_reset(&b);
	face_gitlab(&b, &e.face);
	CHECK_U64(count(b.s, "\"check_name\":"), 3);
	buf_release(&b);
}

TEST(github_has_lines_of_ours_alone)
{
	struct evil e;
	struct buf b = { 0 };
	size_t lines = 0;

	evil_init(&e);
	face_github(&b, &e.face);
	check_plain(&b);
	for (const char *line = b.s; *line; line = strchr(line, '\n') + 1, lines++) {
		size_t n = strcspn(line + 2, ":");

		CHECK(!strncmp(line, "::error ", 8) || !strncmp(line, "::warning ", 10) ||
		      !strncmp(line, "::notice ", 9));
		/* properties end where ours do */
		CHECK(!strncmp(line + 2 + n, "::", 2));
	}
	CHECK_U64(lines, 4);
	CHECK(strstr(b.s, "::error file=fs/"));
	CHECK(strstr(b.s, ",line=12,title=DEAD (null-deref%2C likely)::"));
	/* GitHub shows ten of a kind: the last one tells of the others */
	for (size_t i = 4; i < 24; i++)
		e.findings[i] = e.findings[1];
	e.v.n_findings = 24;
	buf_reset(&b);
	face_github(&b, &e.face);
	CHECK_U64(count(b.s, "::warning "), FACE_ANNOTATIONS);
	CHECK_U64(count(b.s, "title=12 checks more::"), 1);
	buf_release(&b);
}

TEST(gitlab)
{
	struct evil e;
	struct buf b = { 0 };

	evil_init(&e);
	face_gitlab(&b, &e.face);
	check_plain(&b);
	CHECK_U64(count(b.s, "\"severity\":\"critical\""), 1);
	CHECK_U64(count(b.s, "\"severity\":\"major\""), 1);
	CHECK_U64(count(b.s, "\"severity\":\"minor\""), 1);
	CHECK_U64(count(b.s, "\"severity\":\"info\""), 1);
	CHECK_U64(count(b.s, "\"path\":\"/"), 0);
	buf_reset(&b);
	e.v.outcome = OUTCOME_ALIVE;
	e.v.n_findings = 0;
	face_gitlab(&b, &e.face);
	CHECK_STR(buf_text(&b), "[]\n");
	buf_release(&b);
}

static void check_place(const char *place, const char *path, unsigned line)
{
	struct claim claim = { .place = place };
	struct verdict v = { .claim = &claim };
	struct buf b = { 0 };
	unsigned n = 0;

	CHECK(face_place(&v, &b, &n) == (path != NULL));
	CHECK_STR(buf_text(&b), path ? path : "");
	CHECK_U64(n, line);
	buf_release(&b);
}

TEST(places)
{
	check_place("fs/ext4/inode.c:12", "fs/ext4/inode.c", 12);
	check_place("./fs/a.c:1", "fs/a.c", 1);
	/* nobody has the folder in which somebody else built a module */
	check_place("/build/victim/victim.c:7", "victim.c", 7);
	check_place("../../etc/passwd:7", "passwd", 7);
	check_place("a.c", NULL, 0);
	check_place(":7", NULL, 0);
	check_place("a.c:0", NULL, 0);
	check_place(NULL, NULL, 0);
}

/* The same fault has the same fingerprint on another day, and another fault has another. */
TEST(fingerprints)
{
	struct claim a = { .kind = "deadlock", .function = "f", .module = "m", .sentence = "1 s" };
	struct claim b = { .kind = "deadlock", .function = "f", .module = "m", .sentence = "2 s" };
	struct claim c = { .kind = "deadlock", .function = "fm", .sentence = "1 s" };
	struct verdict v = { .claim = &a };
	struct buf one = { 0 }, two = { 0 };

	face_fingerprint(&one, &v);
	v.claim = &b;
	face_fingerprint(&two, &v);
	CHECK_U64(one.n, 16);
	CHECK_STR(buf_text(&one), buf_text(&two));
	v.claim = &c;
	buf_reset(&two);
	face_fingerprint(&two, &v);
	CHECK(strcmp(buf_text(&one), buf_text(&two)) != 0);
	c.signature = "o2:x";
	buf_reset(&two);
	face_fingerprint(&two, &v);
	CHECK_STR(buf_text(&two), "o2:x");
	buf_release(&one);
	buf_release(&two);
}

TEST_MAIN
