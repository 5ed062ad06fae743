/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of options, usage lines and the forms of operands. */
#include <stddef.h>

#include "core/base/test.h"
#include "core/base/vec.h"
#include "core/shell/option.h"

struct opts {
	bool all, lines, wide, dec;
	unsigned v;
	const char *cpus;
	const char *const *words;
	int64_t off;
	uint64_t max;
};

static const struct option table[] = {
	{ "a", NULL, OPTION_FLAG, offsetof(struct opts, all), "all" },
	{ "l", NULL, OPTION_FLAG, offsetof(struct opts, lines), "lines" },
	{ "16", NULL, OPTION_FLAG, offsetof(struct opts, wide), "words" },
	{ "dec", NULL, OPTION_FLAG, offsetof(struct opts, dec), "decimal" },
	{ "v", NULL, OPTION_COUNT, offsetof(struct opts, v), "more" },
	{ "c", "cpus", OPTION_STR, offsetof(struct opts, cpus), "CPUs" },
	{ "F", "word", OPTION_LIST, offsetof(struct opts, words), "words" },
	{ "o", "offset", OPTION_INT, offsetof(struct opts, off), "offset" },
	{ "max", "n", OPTION_UINT, offsetof(struct opts, max), "limit" },
};
static const struct command cmd = { .name = "x",
				    .operands = "[pid | task]...",
				    .opts = table,
				    .n_opts = ARRAY_SIZE(table),
				    .opts_size = sizeof(struct opts) };
static const struct command bare = { .name = "y" };

/* Parses the words behind the command's name. */
static bool parsed(struct arena *a, const struct command *c, const char *line, struct parsed *ret,
		   struct err *err)
{
	struct stage st;

	return parse_words(a, line, &st, err) && options_parse(a, c, &st, 1, ret, err);
}

TEST(options_that_are_given_several_times)
{
	struct arena a = { 0 };
	const struct opts *o;
	struct parsed p;
	struct err err;

	REQUIRE_OK(parsed(&a, &cmd, "x -F one -lFtwo -F '' -c 0 -c 1", &p, &err), err);
	o = p.opts;
	REQUIRE(o->words);
	CHECK_STR(o->words[0], "one");
	CHECK_STR(o->words[1], "two");
	CHECK_STR(o->words[2], "");
	CHECK(!o->words[3]);
	CHECK_STR(o->cpus, "1");
	CHECK(!parsed(&a, &cmd, "x -F", &p, &err));
	arena_release(&a);
}

TEST(options_are_set_and_operands_kept)
{
	struct arena a = { 0 };
	const struct opts *o;
	struct parsed p;
	struct err err;

	REQUIRE_OK(
		parsed(&a, &cmd, "x -al -16 --dec -vv -c 0,1 -o-8 --max=0x10 init 'a b'", &p, &err),
		err);
	o = p.opts;
	CHECK(!o->words);
	CHECK(o->all && o->lines && o->wide && o->dec);
	CHECK_U64(o->v, 2);
	CHECK_STR(o->cpus, "0,1");
	CHECK(o->off == -8);
	CHECK_U64(o->max, 16);
	CHECK_U64((uint64_t)p.argc, 2);
	CHECK_STR(p.argv[0], "init");
	CHECK_STR(p.argv[1], "a b");
	CHECK_STR(p.rest, "init 'a b'");
	arena_release(&a);
}

static const struct {
	const char *line, *argv, *rest; /* argv joined by '/' */
} operands[] = {
	{ "x", "", "" },
	{ "x -5", "-5", "-5" }, /* a number the table does not know is an operand */
	{ "x -0x10", "-0x10", "-0x10" },
	{ "x -", "-", "-" },
	{ "x -- -a", "-a", "-a" },
	{ "x '-a'", "-a", "'-a'" },   /* quoted: never an option */
	{ "x 1 -a 2", "1/2", "1 2" }, /* options may follow operands */
	{ "x a -b", "a/-b", "a -b" }, /* ... but a minus is a minus */
	{ "x a - b", "a/-/b", "a - b" },
	{ "x -a  *(int  *)5  + 1", "*(int  *)5/+/1", "*(int  *)5  + 1" },
	{ "x -la -lc0", "", "" },
	{ "x -dec 1", "1", "1" },
};

TEST(operands_are_told_from_options)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(operands); i++) {
		struct buf b = { 0 };
		struct parsed p;
		struct err err;

		if (!CHECK_OK(parsed(&a, &cmd, operands[i].line, &p, &err), err))
			continue;
		for (int j = 0; j < p.argc; j++)
			buf_printf(&b, "%s%s", j ? "/" : "", p.argv[j]);
		if (!CHECK_STR(buf_text(&b), operands[i].argv) ||
		    !CHECK_STR(p.rest, operands[i].rest))
			printf("  line \"%s\"\n", operands[i].line);
		buf_release(&b);
	}
	arena_release(&a);
}

static const struct {
	const char *line, *want;
} mistakes[] = {
	{ "x -z", "no option '-z'; 'x --help' lists them" },
	{ "x -az", "no option '-z' in '-az'; 'x --help' lists them" },
	{ "x --nosuch", "no option '--nosuch'; 'x --help' lists them" },
	{ "x 1 --nosuch", "no option '--nosuch'; 'x --help' lists them" },
	{ "x -c", "option '-c' needs an argument: cpus" },
	{ "x --max", "option '--max' needs an argument: n" },
	{ "x --dec=1", "option '--dec' takes no argument" },
	{ "x -o five", "'five' is not a number, as '-o offset' needs" },
	{ "x --max -1", "'-1' is not a number, as '--max n' needs" },
	/* 0 is how a command sees that it was not given, so nobody may give it */
	{ "x --max 0", "'0' is too small: '--max n' counts from 1" },
	{ "x --max=0x0", "'0x0' is too small: '--max n' counts from 1" },
	{ "x --max 99999999999999999999",
	  "'99999999999999999999' is not a number, as '--max n' needs" },
};

TEST(mistakes_are_named)
{
	struct arena a = { 0 };
	struct parsed p;
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(mistakes); i++) {
		memset(&err, 0, sizeof(err));
		CHECK(!parsed(&a, &cmd, mistakes[i].line, &p, &err));
		CHECK_ERR(err, ERR_USAGE);
		CHECK_STR(err.msg, mistakes[i].want);
	}
	CHECK(!parsed(&a, &bare, "y 1", &p, &err));
	CHECK_STR(err.msg, "'1' is too much: it takes no operands");
	arena_release(&a);
}

TEST(help_wins_over_mistakes)
{
	struct arena a = { 0 };
	struct parsed p;
	struct err err;

	REQUIRE_OK(parsed(&a, &bare, "y 1 --help", &p, &err), err);
	CHECK(p.help);
	arena_release(&a);
}

TEST(usage_is_made_of_the_table)
{
	struct buf b = { 0 };

	usage_add(&b, &cmd);
	CHECK_STR(
		b.s,
		"x [-alv] [-16] [--dec] [-c cpus] [-F word]... [-o offset] [--max n] [pid | task]...");
	buf_release(&b);
}

/* Which command a stage names, and the words that its options and operands are looked for in. */
static const struct {
	const char *line, *name, *words; /* joined by '/' */
} named[] = {
	{ "trace", "trace", "trace" },
	{ "trace show -n 3", "trace show", "trace/-n/3" },
	{ "trace -i top show -n 3", "trace show", "trace/-i/top/-n/3" },
	{ "trace -itop show", "trace show", "trace/-itop" },
	{ "trace -i show", "trace", "trace/-i/show" }, /* the option's argument */
	{ "trace -- show", "trace", "trace/--/show" }, /* no verb, whatever it is */
	{ "trace --nosuch show", "trace", "trace/--nosuch/show" },
	{ "trace nosuch show", "trace", "trace/nosuch/show" },
	{ "set trace show", "set", "set/trace/show" },
	{ "nosuch show", NULL, "nosuch/show" },
};

TEST(verbs_make_commands)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(named); i++) {
		const struct command *c;
		struct buf b = { 0 };
		struct stage st;
		struct err err;

		REQUIRE_OK(parse_words(&a, named[i].line, &st, &err), err);
		c = stage_command(&a, &st, &st);
		for (size_t j = 0; j < st.n_words; j++)
			buf_printf(&b, "%s%s", j ? "/" : "", st.words[j].text);
		if (!CHECK_STR(c ? c->name : NULL, named[i].name) ||
		    !CHECK_STR(buf_text(&b), named[i].words))
			printf("  line \"%s\"\n", named[i].line);
		buf_release(&b);
	}
	arena_release(&a);
}

/* A family's usage has its verbs, and so has what is said of a word that is none. */
TEST(a_family_names_its_verbs)
{
	const struct command *trace = command_find("trace");
	struct arena a = { 0 };
	struct buf b = { 0 };
	struct parsed p;
	struct err err;

	usage_add(&b, trace);
	CHECK(!strncmp(b.s, "trace [-i instance] [carve | export | ", 38));
	CHECK(!strcmp(b.s + b.n - 23, " | show | stack | stat]"));
	CHECK(!parsed(&a, trace, "trace nosuch", &p, &err));
	CHECK_ERR(err, ERR_USAGE);
	CHECK(!strncmp(err.msg, "'nosuch' is none of carve, export, ", 35));
	buf_release(&b);
	arena_release(&a);
}

/* Whether it is there when it is asked for says nothing of when it is opened. */
TEST(who_is_confined_names_no_path)
{
	const struct command c = { .name = "x", .completes = COMPLETE_FILE };
	const char *path[] = { "./is-not-there" }, *word[] = { "is-not-there" };
	struct err err;

	CHECK(!options_check_files(&c, &(struct parsed){ .argc = 1, .argv = path }, &err));
	CHECK_ERR(err, ERR_USAGE);
	CHECK_OK(options_check_files(&c, &(struct parsed){ .argc = 1, .argv = word }, &err), err);
}

TEST(numbers_as_people_type_them)
{
	uint64_t u = 0;

	CHECK(parse_number("10", false, &u));
	CHECK_U64(u, 10);
	CHECK(parse_number("10", true, &u));
	CHECK_U64(u, 0x10);
	CHECK(parse_number("0x1F", false, &u));
	CHECK_U64(u, 0x1f);
	CHECK(parse_number("ffffffffffffffff", true, &u));
	CHECK_U64(u, UINT64_MAX);
	CHECK(parse_number("18446744073709551615", false, &u));
	CHECK_U64(u, UINT64_MAX);
	CHECK(!parse_number("18446744073709551616", false, &u));
	CHECK(!parse_number("10000000000000000", true, &u));
	CHECK(!parse_number("", true, &u));
	CHECK(!parse_number("0x", true, &u));
	CHECK(!parse_number("1f", false, &u));
	CHECK(!parse_number("-1", false, &u));
}

TEST_MAIN
