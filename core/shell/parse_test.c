/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the line grammar: words, pipelines, redirections, comments, mistakes. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/base/vec.h"
#include "core/shell/parse.h"

static bool stage_named_bt(const char *word, void *arg)
{
	(void)arg;
	return !strcmp(word, "bt") || !strcmp(word, "where");
}

/* The whole line as one text: words in <>, "|" between stages, "$" shell text, ">" "A>" "<" files,
 * ";" between jobs, "E" and the message for a mistake. */
static const char *shown(struct arena *a, const char *line)
{
	struct buf b = { 0 };
	const char *rest = line;

	do {
		struct job j;
		struct err err;

		if (!parse_job(a, rest, stage_named_bt, NULL, &j, &rest, &err)) {
			buf_printf(&b, "E %s", err.msg);
			break;
		}
		for (size_t i = 0; i < j.n_stages; i++) {
			if (i)
				buf_char(&b, '|');
			for (size_t w = 0; w < j.stages[i].n_words; w++)
				buf_printf(&b, "<%s>", j.stages[i].words[w].text);
		}
		if (j.shell)
			buf_printf(&b, "$%s$", j.shell);
		if (j.out)
			buf_printf(&b, "%s>%s>", j.append ? "A" : "", j.out);
		if (j.in)
			buf_printf(&b, "{%s}", j.in);
		if (*rest)
			buf_char(&b, ';');
	} while (*rest);
	rest = arena_strdup(a, buf_text(&b));
	buf_release(&b);
	return rest;
}

static const struct {
	const char *line, *want;
} lines[] = {
	/* words */
	{ "", "" },
	{ "   \t ", "" },
	{ "bt", "<bt>" },
	{ "  bt   -a  ", "<bt><-a>" },
	{ "bt\t-l\r\n", "<bt><-l>" },
	{ "ps 'a b' \"c d\"", "<ps><a b><c d>" },
	{ "ps a'b c'd", "<ps><ab cd>" },
	{ "ps \"say \\\"x\\\\\"", "<ps><say \"x\\>" },
	{ "ps 'a\\'", "<ps><a\\>" },
	{ "ps a\\ b \\| \\;", "<ps><a b><|><;>" },
	{ "ps ''", "<ps><>" },
	{ "ps \\", "<ps><\\>" },
	/* expressions survive without quotes */
	{ "p init_task.mm->owner", "<p><init_task.mm->owner>" },
	{ "p *(struct list_head *)0x1234", "<p><*(struct list_head *)0x1234>" },
	{ "p &a[1 | 2].b", "<p><&a[1 | 2].b>" },
	{ "p (a > b || c >> 2)", "<p><(a > b || c >> 2)>" },
	{ "p (a; b)", "<p><(a; b)>" },
	{ "p (x == \"a b)\") + 1", "<p><(x == \"a b)\")><+><1>" },
	{ "p ((a) [b] c)", "<p><((a) [b] c)>" },
	{ "p a >= b", "<p><a><>=><b>" },
	{ "p a <= b", "<p><a><<=><b>" },
	{ "p a << 3", "<p><a><<<><3>" },
	{ "p a->b", "<p><a->b>" },
	{ "rd (init_task + 8) 4", "<rd><(init_task + 8)><4>" },
	{ "p )", "<p><)>" },
	/* several commands */
	{ "log; sys", "<log>;<sys>" },
	{ "log;sys;", "<log>;<sys>" },
	{ ";;log", ";;<log>" },
	{ "ps 'a;b'", "<ps><a;b>" },
	/* comments */
	{ "# all of it", "" },
	{ "// all of it", "" },
	{ "log # the rest; sys | x", "<log>" },
	{ "log; # x", "<log>;" },
	{ "ps a#b", "<ps><a#b>" },
	{ "ps '#'", "<ps><#>" },
	/* pipelines */
	{ "ps | bt", "<ps>|<bt>" },
	{ "ps|bt -l", "<ps>|<bt><-l>" },
	{ "ps | where pid == 1 | bt | grep x", "<ps>|<where><pid><==><1>|<bt>$grep x$" },
	{ "ps | grep foo", "<ps>$grep foo$" },
	{ "ps | grep 'foo;' | wc -l; sys  ", "<ps>$grep 'foo;' | wc -l; sys$" },
	{ "ps | awk '{print $1}' > f", "<ps>$awk '{print $1}' > f$" },
	{ "ps |!bt", "<ps>$bt$" },
	{ "ps | ! bt -x", "<ps>$bt -x$" },
	{ "ps | (cat; echo)", "<ps>$(cat; echo)$" },
	{ "ps | bt > out; sys", "<ps>|<bt>>out>;<sys>" },
	/* redirections */
	{ "ps > f", "<ps>>f>" },
	{ "ps >f", "<ps>>f>" },
	{ "ps >> f", "<ps>A>f>" },
	{ "ps > 'a b'", "<ps>>a b>" },
	{ "ps > f # done", "<ps>>f>" },
	{ "ps > f; sys", "<ps>>f>;<sys>" },
	{ "bt < pids", "<bt>{pids}" },
	{ "bt < pids > f", "<bt>>f>{pids}" },
	{ "< cmds", "{cmds}" },
	{ "<cmds", "{cmds}" },
	{ "ps a>b", "<ps><a>b>" },
	/* the shell */
	{ "! ls -l; date", "$ls -l; date$" },
	{ "!ls", "$ls$" },
	/* mistakes: what, and where */
	{ "ps 'a", "E a quote is not closed at column 4" },
	{ "ps (a", "E a bracket is not closed at column 4" },
	{ "ps (a 'b", "E a quote is not closed at column 7" },
	{ "ps >", "E '<' and '>' need a file name; expressions go in ( ) at column 4" },
	{ "ps > ; x", "E '<' and '>' need a file name; expressions go in ( ) at column 4" },
	{ "p a > b + c", "E a file name is one word; expressions go in ( ) at column 9" },
	{ "p 3 > 2",
	  "E a comparison goes in ( ), a file whose name is a number in quotes at column 5" },
	{ "p 3 < 0x2f",
	  "E a comparison goes in ( ), a file whose name is a number in quotes at column 5" },
	{ "p a >-1UL",
	  "E a comparison goes in ( ), a file whose name is a number in quotes at column 5" },
	{ "p a > (b)",
	  "E a comparison goes in ( ), a file whose name is a number in quotes at column 5" },
	{ "ps > '2'", "<ps>>2>" },
	{ "ps > ./2", "<ps>>./2>" },
	{ "ps > 2.txt", "<ps>>2.txt>" },
	{ "ps > f > g", "E a second redirection at column 8" },
	{ "ps > f | x", "E output goes to a file or to a pipe, not both at column 8" },
	{ "> f", "E '>' needs a command before it at column 1" },
	{ "ps |", "E '|' needs a command behind it at column 4" },
	{ "| bt", "E '|' needs a command before it at column 1" },
	{ "a || b", "E '||' is not known here: expressions go in ( ) at column 3" },
	{ "!", "E '!' needs a command behind it at column 2" },
};

TEST(lines_are_understood)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (!CHECK_STR(shown(&a, lines[i].line), lines[i].want))
			printf("  line \"%s\"\n", lines[i].line);
	arena_release(&a);
}

TEST(raw_text_is_kept_as_typed)
{
	struct arena a = { 0 };
	const char *rest;
	struct err err;
	struct job j;

	REQUIRE_OK(parse_job(&a, "p  a[ 1 ] 'x  y'  > f", stage_named_bt, NULL, &j, &rest, &err),
		   err);
	CHECK_STR(j.stages[0].raw, "p  a[ 1 ] 'x  y'");
	CHECK_U64(j.stages[0].words[1].start, 3);
	CHECK_U64(j.stages[0].words[1].end, 9);
	CHECK(!j.stages[0].words[1].literal);
	CHECK(j.stages[0].words[2].literal);
	arena_release(&a);
}

TEST(words_alone_know_no_redirections)
{
	struct arena a = { 0 };
	struct stage st;
	struct err err;

	REQUIRE_OK(parse_words(&a, "a | b > c ; # d", &st, &err), err);
	CHECK_U64(st.n_words, 8);
	arena_release(&a);
}

TEST(first_word_is_for_aliases)
{
	size_t n;

	CHECK_STR(parse_first_word("  ps -k", &n), "ps -k");
	CHECK_U64(n, 2);
	parse_first_word("\\ps", &n);
	CHECK_U64(n, 0);
	parse_first_word("!ps", &n);
	CHECK_U64(n, 0);
	parse_first_word("", &n);
	CHECK_U64(n, 0);
	parse_first_word("ps|wc", &n);
	CHECK_U64(n, 2);
}

TEST(a_long_line_has_no_limit)
{
	struct buf b = { 0 };
	struct arena a = { 0 };
	const char *rest;
	struct err err;
	struct job j;

	buf_str(&b, "ps ");
	for (int i = 0; i < 100000; i++)
		buf_str(&b, "word ");
	REQUIRE_OK(parse_job(&a, b.s, stage_named_bt, NULL, &j, &rest, &err), err);
	CHECK_U64(j.stages[0].n_words, 100001);
	buf_reset(&b);
	buf_pad(&b, '(', 1000000);
	CHECK(!parse_job(&a, b.s, stage_named_bt, NULL, &j, &rest, &err));
	buf_release(&b);
	arena_release(&a);
}

/* What a program hands over as words is read as these words: none of them ends the stage, begins
 * another, names a file or hides the rest of the line. */
TEST(words_are_put_so_that_they_are_read_again)
{
	static const char *const words[] = {
		"ps",      "",   " ",       "a b",   "|",    "a|b", ";",    ">x",   "<x",
		"!x",      "#x", "a#b",     "a;",    "'",    "\"",  "\\",   "a\\",  "a'b",
		"(1 + 2)", "(",  "(a)b",    "((a))", "(|;)", "[0",  "x[1]", "a->b", "a\nb",
		"\t",      "-x", "--a=b c", "||",    "()",   ")(",  "a\"b", "(\")", "//",
	};
	struct arena a = { 0 };
	struct buf b = { 0 };
	const char *rest;
	struct err err;
	struct job j;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		parse_add_word(&b, words[i]);
	REQUIRE_OK(parse_job(&a, b.s, stage_named_bt, NULL, &j, &rest, &err), err);
	CHECK_STR(rest, "");
	CHECK(j.n_stages == 1 && !j.shell && !j.in && !j.out);
	REQUIRE(j.stages[0].n_words == ARRAY_SIZE(words));
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		CHECK_STR(j.stages[0].words[i].text, words[i]);
	buf_release(&b);
	arena_release(&a);
}

TEST(a_job_ends_in_front_of_a_word)
{
	static const struct {
		const char *line, *first, *rest;
	} cases[] = {
		{ "p 1 else p 2", "p 1", "else p 2" },
		{ "p 1 'else' p 2", "p 1 'else' p 2", "" },
		{ "p elsewhere; p 2", "p elsewhere", " p 2" },
		{ "else p 2", "else p 2", "" },
		{ "ps | bt else p 2", "ps", "else p 2" },
		{ "ps | grep x else p 2", "ps", "" }, /* the shell's */
		{ "ps > f else p 2", "ps", "else p 2" },
		{ "p (1 else 2) else 3", "p (1 else 2)", "else 3" },
	};
	const struct parse_hooks hooks = { .is_stage = stage_named_bt, .until = "else" };
	struct arena a = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *rest;
		struct err err;
		struct job j;

		REQUIRE_OK(parse_job_with(&a, cases[i].line, &hooks, &j, &rest, &err), err);
		CHECK_STR(j.stages[0].raw, cases[i].first);
		CHECK_STR(rest, cases[i].rest);
	}
	arena_release(&a);
}

TEST(the_first_word_as_it_was_typed)
{
	static const struct {
		const char *line, *first, *rest;
	} cases[] = {
		{ " (1 > 2) p 1", "(1 > 2)", " p 1" },
		{ "a[1]=='x y' p", "a[1]=='x y'", " p" },
		{ "$x;p", "$x", ";p" },
	};
	struct arena a = { 0 };
	const char *first, *rest;
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		REQUIRE_OK(parse_first(&a, cases[i].line, &first, &rest, &err), err);
		CHECK_STR(first, cases[i].first);
		CHECK_STR(rest, cases[i].rest);
	}
	CHECK(!parse_first(&a, " ", &first, &rest, &err));
	CHECK(!parse_first(&a, "(1 p", &first, &rest, &err));
	arena_release(&a);
}

TEST_MAIN
