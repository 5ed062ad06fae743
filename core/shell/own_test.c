/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of commands of one's own, variables and if, over a ring of things: pid is 0 2 4 1 3 0, word
 * is 1000 down to 995 (pipeline_fake.h). */
#include "core/base/guard.h"
#include "core/base/test.h"
#include "core/shell/own.h"
#include "core/shell/pipeline_fake.h"
#include "core/shell/session_run.h"
#include "readers/symbol/btf_fake.h"

#define RING "walk list thing.list 0xffff800000000800"
#define DEF "define things " RING "\n"

static void run_lines(struct pipeline_fake *f, const char *text)
{
	struct arena a = { 0 };

	while (*text) {
		size_t n = strcspn(text, "\n");

		session_run(&f->s, arena_strndup(&a, text, n));
		text += n + (text[n] == '\n');
	}
	arena_release(&a);
}

static const struct {
	const char *lines, *want;
	int status;
} cases[] = {
	/* a command is the stages that it stands for, in front, between and behind others */
	{ DEF "things | count", "6\n", EXIT_ANSWERED },
	{ "define of(n) where pid == $n\n" RING " | of 4 | pick word", "WORD\n 998\n",
	  EXIT_ANSWERED },
	{ DEF "define of(n) things | where pid == $n\nof 0 | count", "2\n", EXIT_ANSWERED },
	/* each stage has the operands of its own command */
	{ "define more(n) where pid > $n\ndefine less(n) where pid < $n\n" RING
	  " | more 1 | less 3 | pick pid",
	  "PID\n  2\n", EXIT_ANSWERED },
	/* an operand is an expression over the value, evaluated whole: 2 * (1 + 1) */
	{ "define of(n) where pid == 2 * $n\n" RING " | of (1+1) | count", "1\n", EXIT_ANSWERED },
	{ "define of(n) where pid == 2 * $n\n" RING " | of 1+1 | count", "1\n", EXIT_ANSWERED },
	{ "define of(n) where pid == $n\n" RING " | of pid | count", "6\n", EXIT_ANSWERED },
	/* a bracket too much closes none of the command's */
	{ "define of(n) where (pid == $n)\n" RING " | of 4)||(1 | count", "", EXIT_USAGE },
	/* in quotes it is text */
	{ "define named(s) where comm == $s\n" RING " | named \"a\\\"b' ; help\" | count", "1\n",
	  EXIT_ANSWERED },
	/* what would be a pipe, another command, an option, the shell's, stays a word */
	{ "define show(s) p $s\nshow '1 | count'", "$s = \"1 | count\"\n", EXIT_ANSWERED },
	{ "define hh(s) help $s\nhh '! echo planted'", "", EXIT_FAILED },
	{ "define hh(s) help $s\nhh '--help'", "", EXIT_FAILED },
	{ "define hh(s) help $s\nhh --x", "", EXIT_FAILED },
	{ "define one(n) " RING " | first $n | count\none 2", "2\n", EXIT_ANSWERED },
	{ "define one(n) " RING " | first $n | count\none '2 | each p 1'", "", EXIT_USAGE },
	/* operands go from command to command */
	{ "define of(n) where pid == $n\ndefine twice(n) of $n | of ($n + 0)\n" RING
	  " | twice 4 | count",
	  "1\n", EXIT_ANSWERED },
	/* $n of the caller's own line is no parameter of the command that it calls */
	{ "define of(n) where pid == $n\n" RING " | of $n | count", "", EXIT_FAILED },
	/* what variables are worth at the call, whatever they are later, here and in the shell */
	{ "p 7\ndefine two(x)\np 1\np $x\nend\ntwo $", "7 = 7\n1 = 1\n$x = 7\n", EXIT_ANSWERED },
	{ "p 6\np 7\ndefine two(x)\np 1\np $x\nend\ntwo $$+1", "6 = 6\n7 = 7\n1 = 1\n$x = 7\n",
	  EXIT_ANSWERED },
	{ "$a = 3\ndefine w(x)\n$a = 4\np $x\nend\nw $a", "$x = 3\n", EXIT_ANSWERED },
	{ "$a = 3\ndefine v(x)\n$a = 4\np $x\nend\ndefine w(y)\n$a = 5\nv $y\nend\nw $a",
	  "$x = 3\n", EXIT_ANSWERED },
	{ "$a = \"init\"\ndefine w(x) ! test \"$x\" = init\nw $a", "", EXIT_ANSWERED },
	{ "$a = 3\ndefine w(x) ! test \"$x\" = 4\nw $a+1", "", EXIT_ANSWERED },
	{ "$a = 3\ndefine of(n) where pid == $n\n" RING " | of pid+$a-3 | count", "6\n",
	  EXIT_ANSWERED },
	{ "define v(p) p $p->word\ndefine w(q) v ($q+1)\nw ((struct thing *)0xffff800000001000)",
	  "$p->word = 999\n", EXIT_ANSWERED },
	{ "define two(x)\n" RING " | last | each 'p $x->pid - $it.pid'\nend\n" RING
	  " | where pid == 4 | each two $it",
	  "$x->pid - $it.pid = 4\n", EXIT_ANSWERED },
	/* several lines */
	{ "define two(a, b)\n# says two\np $a\n\np $b\nend\ntwo 1 2", "$a = 1\n$b = 2\n",
	  EXIT_ANSWERED },
	{ "define two\np 1\np 2\nend\n" RING " | two", "", EXIT_USAGE },
	{ "define two\np 1; p 2\nend\n" RING " | first | each two", "", EXIT_USAGE },
	{ "define two(x)\np $x.pid\np 2\nend\n" RING " | where pid == 4 | each two $it",
	  "$x.pid = 4\n2 = 2\n", EXIT_ANSWERED },
	{ "define p2 p 2; p 3\np2", "2 = 2\n3 = 3\n", EXIT_ANSWERED },
	/* wrong numbers of operands, names that are taken, definitions that are none */
	{ "define of(n) where pid == $n\n" RING " | of", "", EXIT_USAGE },
	{ "define of(n) where pid == $n\n" RING " | of 1 2", "", EXIT_USAGE },
	{ "define bt p 1", "", EXIT_USAGE },
	{ "define history p 1", "", EXIT_USAGE },
	{ "define if p 1", "", EXIT_USAGE },
	{ "define dmesg p 1", "", EXIT_USAGE },
	{ "define a b(c", "", EXIT_USAGE },
	{ "define 1a p 1", "", EXIT_USAGE },
	{ "define w(n, n) p 1", "", EXIT_USAGE },
	{ "define w(N) p 1", "", EXIT_USAGE },
	{ "define w(n p 1", "", EXIT_USAGE },
	{ "define w(n)p 1", "", EXIT_USAGE },
	{ "define w\nend", "", EXIT_USAGE },
	{ "define w\ndefine y p 1\nend\nw", "", EXIT_USAGE },
	{ "define w p 1; define y p 2\np 1; define y p 3", "1 = 1\n", EXIT_USAGE },
	{ "define w (n)\np $n\nend\nw 3", "$n = 3\n", EXIT_ANSWERED },
	{ "define w # says one\np 1\nend # of w\nw", "1 = 1\n", EXIT_ANSWERED },
	/* no line of a definition that is wrong runs by itself */
	{ "define w(N)\np 1\nend\np 2", "2 = 2\n", EXIT_USAGE },
	{ "define w(N) # says one\np 1\nend\np 2\nw", "2 = 2\n", EXIT_USAGE },
	{ "define w(n\np 1\nend\np 2", "2 = 2\n", EXIT_USAGE },
	{ "define w(N)\nif 1\np 1\nend\np 2\nend\np 3", "3 = 3\n", EXIT_USAGE },
	{ "define bt\np 1\nend\np 2", "2 = 2\n", EXIT_USAGE },
	/* nor does one behind the end of a block in it, as gdb has them */
	{ "define w\nif 1\np 1\nend\np 2\nend\np 3\nw", "3 = 3\n", EXIT_USAGE },
	{ "define w\nif 1 == 1\np 1\nelse\np 4\nend\np 2\nend\np 3", "3 = 3\n", EXIT_USAGE },
	{ "define w\nif 1 # always\nwhile 1\nend\nend\np 2\nend\np 3", "3 = 3\n", EXIT_USAGE },
	{ "define w\nwhile 1\np 1\nend\np 2\nend\np 3", "3 = 3\n", EXIT_USAGE },
	{ "define w\ndefine y(n)\np 1\nend\np 2\nend\np 3", "3 = 3\n", EXIT_USAGE },
	{ "define w\np 1\nif 1 p 2\nend\nw", "1 = 1\n2 = 2\n", EXIT_ANSWERED },
	/* a recursion has an end, one of two branches as well */
	{ "define w w\nw", "", EXIT_FAILED },
	{ "define w w | w\nw", "", EXIT_FAILED },
	{ "define w\nw\nw\nend\nw\np 1", "1 = 1\n", EXIT_FAILED },
	/* inside of a line the shell and files are the whole line's */
	{ RING " | first | each 'p 1 | grep -c init'", "", EXIT_USAGE },
	{ RING " | first | each 'p 1 > /nonexistent/file; p $it.pid'", "$it.pid = 0\n",
	  EXIT_USAGE },
	{ RING " | first | each '! echo planted'", "", EXIT_USAGE },
	/* through each as well: 16 levels of 6 values each would never end */
	{ "define w(x) " RING " | each w\nw 1\np 1", "1 = 1\n", EXIT_FAILED },
	{ "define w(x)\n" RING " | each v\np 2\nend\ndefine v(x) w $x\nv 1\np 1", "1 = 1\n",
	  EXIT_FAILED },
	{ "define w p 1\ndefine w p 2\nw", "2 = 2\n", EXIT_ANSWERED },
	{ "define w p 1\ndefine -r w\nw", "", EXIT_FAILED },
	/* variables */
	{ "$a = 2 + 3\np $a * 2", "$a * 2 = 10\n", EXIT_ANSWERED },
	{ "$a=3\n$a = $a * $a\n$a", "$a = 9\n", EXIT_ANSWERED },
	{ "set $a = 3\nset var $a = $a + 1\n$a", "$a = 4\n", EXIT_ANSWERED },
	{ "$a = 1 > 0\n$a", "$a = 1\n", EXIT_ANSWERED },
	{ "$a = 2\n$a == 2", "$a == 2 = 1\n", EXIT_ANSWERED },
	{ "$a = *(struct thing *)&things\n$b = $a.pid\n$b", "$b = 0\n", EXIT_ANSWERED },
	{ "$a = 4\n" RING " | first $a | count", "4\n", EXIT_ANSWERED },
	{ "$a = 4\n" RING " | where pid == $a | count", "1\n", EXIT_ANSWERED },
	{ "$a = \"--help\"\nhelp $a", "", EXIT_FAILED },
	{ "$a", "", EXIT_FAILED },
	{ "$_", "", EXIT_FAILED },
	{ "$it = 3", "", EXIT_USAGE },
	{ "$1 = 3", "", EXIT_USAGE },
	{ "$a = 3 | count", "", EXIT_USAGE },
	{ "p 7\np $_ + $", "7 = 7\n$_ + $ = 14\n", EXIT_ANSWERED },
	{ RING " | where pid == 4 | each 'p $_->word; p $it.pid + 1'",
	  "$_->word = 998\n$it.pid + 1 = 5\n", EXIT_ANSWERED },
	/* also by a parameter that stands for it, but not by one that stands for something else */
	{ "define w(x) each \"p $x->word\"\n" RING " | where pid == 4 | w $it", "$x->word = 998\n",
	  EXIT_ANSWERED },
	{ "define w(x) each \"p $x +\"\n" RING " | where pid == 4 | pick pid | w 1", "$x + 4 = 5\n",
	  EXIT_ANSWERED },
	/* text of the dump is no command, however it is quoted */
	{ RING " | where pid == 1 && word == 997 | each 'p {comm}; p 2'",
	  "\"a\\\"b' ; help\" = \"a\\\"b' ; help\"\n2 = 2\n", EXIT_ANSWERED },
	/* a row of pick is gone with its line */
	{ RING " | first | pick pid, comm | each 'p $it.pid'\n$.pid", "$it.pid = 0\n",
	  EXIT_FAILED },
	/* if: an else is of the nearest if, and a ; ends all */
	{ "if (1) p 1 else p 2; p 3", "1 = 1\n3 = 3\n", EXIT_ANSWERED },
	{ "if (0) p 1 else p 2; p 3", "2 = 2\n3 = 3\n", EXIT_ANSWERED },
	{ "if 0 p 1; p 3", "3 = 3\n", EXIT_ANSWERED },
	{ "if (0) if (1) p 1 else p 2", "", EXIT_ANSWERED },
	{ "if (1) if (0) p 1 else p 2 else p 3", "2 = 2\n", EXIT_ANSWERED },
	{ "if 0 p 1 else if 0 p 2 else p 3", "3 = 3\n", EXIT_ANSWERED },
	{ "if 1 p \"else\"", "\"else\" = \"else\"\n", EXIT_ANSWERED },
	{ "if 0 $a = 1 else $a = 2; p $a", "$a = 2\n", EXIT_ANSWERED },
	{ "define w(n) if ($n > 2) p 1 else p 0\nw 3; w 2", "1 = 1\n0 = 0\n", EXIT_ANSWERED },
	{ "if nosuch p 1 else p 2", "", EXIT_FAILED },
	{ "if 1", "", EXIT_USAGE },
	{ "if (1 p 1", "", EXIT_USAGE },
	{ "if", "", EXIT_USAGE },
	{ "if 1 # p 1", "", EXIT_USAGE },
	/* the rest of an expression is no command, and none of the shell's */
	{ "if 1 != 2 p 1", "", EXIT_USAGE },
	{ "if 1 == 1 p 1", "", EXIT_USAGE },
	{ "if 1 < 2 p 1", "", EXIT_USAGE },
	{ "if 1 && 1 p 1", "", EXIT_USAGE },
	{ "if 0 *thing 1\nif 0 &things\nif 0 < file", "", EXIT_ANSWERED },
	/* gdb's blocks are not known: what stands in one is not run, whatever the expression is */
	{ "if 1\np 1\nend\np 2", "2 = 2\n", EXIT_USAGE },
	{ "if 0 # never\np 1\nend\np 2", "2 = 2\n", EXIT_USAGE },
	{ "if 1 == 2\np 1\nelse\np 3\nend\np 2", "2 = 2\n", EXIT_USAGE },
	{ "if 1 > 1 + !2 && (3 - 2)\np 1\nend\np 2", "2 = 2\n", EXIT_USAGE },
	{ "while 1\nif 1\np 1\nend\np 3\nend\np 2", "2 = 2\n", EXIT_USAGE },
	{ "if 1 == 1 p 1\np 2", "2 = 2\n", EXIT_USAGE },
	{ "define while p 4\nwhile", "4 = 4\n", EXIT_ANSWERED },
};

TEST(lines_do_what_they_say)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pipeline_fake *f;
		bool ok = CHECK(pipeline_fake_open(false, fake_btf_load, &f));

		run_lines(f, cases[i].lines);
		ok &= CHECK_STR(buf_text(&f->said), cases[i].want) &
		      CHECK_U64((uint64_t)session_status(&f->s), (uint64_t)cases[i].status);
		if (!ok)
			printf("  lines \"%s\"\n", cases[i].lines);
		pipeline_fake_close(f);
	}
}

/* A name that is made for it closes what it is put into and goes on with a command of its own: the
 * line must know each quote as the parser does. */
TEST(text_of_the_dump_is_no_command)
{
	static const char *const texts[] = { ");p 66 #", "'\");p 66 #", "\");p 66 #", "';p 66 #",
					     "\\\");p 66 #" };
	static const char *const each[] = { "each p (39 == '\\'' && it.comm == \"{comm}\")",
					    "each 'p (it.comm == \"\\\"\" || \"{comm}\")'",
					    "each p (\"'\" && \"{comm}\")",
					    "each p (34 == '\"' && '{comm}')",
					    "each p '{comm}'",
					    "each p \\'{comm}",
					    "each p things['\\'' - 39].comm {comm}",
					    "each p (\"\\\"\") \"{comm}\"",
					    "each \"p ('\\\\'' && '{comm}')\"" };

	for (size_t i = 0; i < ARRAY_SIZE(texts) * ARRAY_SIZE(each); i++) {
		struct pipeline_fake *f;
		struct arena a = { 0 };
		const char *line =
			arena_printf(&a, RING " | first | %s", each[i / ARRAY_SIZE(texts)]);

		CHECK(pipeline_fake_open(false, fake_btf_load, &f));
		put_str(&f->k, THING(0) + 24, texts[i % ARRAY_SIZE(texts)]);
		run_lines(f, line);
		if (!CHECK(!strstr(buf_text(&f->said), "66 = 66")))
			printf("  line \"%s\", text \"%s\"\n", line, texts[i % ARRAY_SIZE(texts)]);
		pipeline_fake_close(f);
		arena_release(&a);
	}
}

TEST(a_served_program_defines_nothing)
{
	struct pipeline_fake *f;

	CHECK(pipeline_fake_open(false, fake_btf_load, &f));
	f->s.confined = true;
	run_lines(f, "define w p 1\nw\ndefine y\n! echo planted\nend\ny\nif 1\n$a = 3\n$a");
	CHECK(!f->s.own.n && !f->s.block);
	/* "! echo" is a line of its own then, and is refused as such */
	CHECK_STR(buf_text(&f->said), "$a = 3\n");
	pipeline_fake_close(f);
}

TEST(a_definition_knows_its_summary_and_place)
{
	const struct own_command *x;
	struct pipeline_fake *f;

	CHECK(pipeline_fake_open(false, fake_btf_load, &f));
	run_lines(f, "# first\n# second\ndefine w(a, b) p $a\n# lost\np 1\ndefine y p 1\n"
		     "define z\n# its own\np 1\nend");
	x = own_find(&f->s, "w");
	REQUIRE(x && x->n_params == 2 && x->n_lines == 1);
	CHECK_STR(x->summary, "first");
	CHECK_STR(x->params[1], "$b");
	CHECK_STR(x->lines[0], "p $a");
	CHECK(own_find(&f->s, "y") && !own_find(&f->s, "y")->summary);
	REQUIRE(own_find(&f->s, "z"));
	CHECK_STR(own_find(&f->s, "z")->summary, "its own");
	pipeline_fake_close(f);
}

TEST_MAIN
