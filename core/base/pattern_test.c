/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the bounds of regular expressions. What is refused was measured with regcomp() and
 * regexec() of glibc alone: each took seconds, gigabytes or the stack. */
#include <stdio.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/pattern.h"
#include "core/base/test.h"
#include "core/base/vec.h"

/* The C library takes 20 s, gigabytes or all of the stack for these. */
TEST(regular_expressions_that_explode)
{
	static const char *const cases[] = {
		"(a{255}){255}{255}",
		"a{99999999999999999999}",
		"((((a{9}){9}){9}){1,9}){9,}",
		".*+++++",
		"(((x|.*)+y)+z)*",
		"[]+]{1}{1}{1}",
		"a++++++++++++++++++++++++++++++",
		"((((((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+",
		"a{2}{2}{2}{2}{2}",
		"a{2001}",
		"(a*)*\\1",
	};
	struct buf b = { 0 };
	struct err err;
	regex_t re;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (!CHECK(!pattern_compile(cases[i], 0, &re, &err)) || !CHECK_ERR(err, ERR_LIMIT))
			printf("  %s\n", cases[i]);
	buf_pad(&b, '(', 5000);
	CHECK(!pattern_compile(buf_text(&b), 0, &re, &err));
	buf_release(&b);
	REQUIRE_OK(pattern_compile("^(a{2,16}|b{3})+$", PATTERN_ICASE, &re, &err), err);
	CHECK(!regexec(&re, "aaBBB", 0, NULL, 0));
	CHECK(regexec(&re, "aabb", 0, NULL, 0));
	regfree(&re);
	/* repetitions beside each other are fine */
	REQUIRE_OK(
		pattern_compile("^(a+b+c*d?[+*)])+\\++(e|f)+(g+h{8}i)+$", PATTERN_ICASE, &re, &err),
		err);
	regfree(&re);
}

TEST(letters_of_either_case)
{
	struct err err;
	regex_t re;

	REQUIRE_OK(pattern_compile("^kworker/[0-9]+", 0, &re, &err), err);
	CHECK(!regexec(&re, "kworker/12:3", 0, NULL, 0));
	CHECK(regexec(&re, "Kworker/12:3", 0, NULL, 0));
	regfree(&re);
	REQUIRE_OK(pattern_compile("^kworker/[0-9]+", PATTERN_ICASE, &re, &err), err);
	CHECK(!regexec(&re, "Kworker/12:3", 0, NULL, 0));
	regfree(&re);
	CHECK(!pattern_compile("a(b", 0, &re, &err));
	CHECK_ERR(err, ERR_USAGE);
}

TEST_MAIN
