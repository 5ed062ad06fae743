/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of finding source files and their lines. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/test.h"
#include "core/image/target.h"

static bool put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	bool ok = f && fputs(text, f) >= 0;

	return f && fclose(f) == 0 && ok;
}

static void check_line(const struct source *s, unsigned n, const char *want)
{
	struct span line;

	if (!want) {
		CHECK(!source_line(s, n, &line));
		return;
	}
	REQUIRE(source_line(s, n, &line));
	CHECK_U64(line.n, strlen(want));
	CHECK_MEM(line.p, want, strlen(want) < line.n ? strlen(want) : line.n);
}

/* A tree as /usr/src has it: DIR/linux/kernel/panic.c, and DIR/panic.c, which is another file. */
TEST(longest_end_of_the_path)
{
	char dir[] = "/tmp/obit-source-XXXXXX";
	struct arena scratch = { 0 };
	const struct source *s, *again;
	struct target t;
	struct err err;

	target_init(&t, &scratch);
	CHECK(!source_file(&t, "kernel/panic.c", &s, &err));
	CHECK_ERR(err, ERR_NEED);
	REQUIRE(mkdtemp(dir) && chdir(dir) == 0);
	CHECK(mkdir("linux", 0700) == 0 && mkdir("linux/kernel", 0700) == 0);
	CHECK(put("linux/kernel/panic.c", "one\n\ttwo\r\n\nfour"));
	CHECK(put("panic.c", "other\n"));
	CHECK(put("alone.c", "alone\n"));
	*vec_push(&t.sources.folders) = dir;
	REQUIRE_OK(source_file(&t, "kernel/panic.c", &s, &err), err);
	CHECK_CONTAINS(s->path, "linux/kernel/panic.c");
	check_line(s, 0, NULL);
	check_line(s, 1, "one");
	check_line(s, 2, "\ttwo");
	check_line(s, 3, "");
	check_line(s, 4, "four");
	check_line(s, 5, NULL);
	REQUIRE_OK(source_file(&t, "kernel/panic.c", &again, &err), err);
	CHECK(again == s);
	/* as it was built elsewhere, and with a detour */
	REQUIRE_OK(source_file(&t, "/build/linux/kernel/sched/../panic.c", &s, &err), err);
	CHECK_CONTAINS(s->path, "linux/kernel/panic.c");
	REQUIRE_OK(source_file(&t, "/build/x/alone.c", &s, &err), err);
	CHECK_U64(s->n, 1);
	/* never out of the folder */
	CHECK(!source_file(&t, "../../etc/passwd", &s, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK(!source_file(&t, "kernel/nothing.c", &s, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK(!source_file(&t, "", &s, &err));
	CHECK(unlink("linux/kernel/panic.c") == 0 && unlink("panic.c") == 0 &&
	      unlink("alone.c") == 0 && rmdir("linux/kernel") == 0 && rmdir("linux") == 0 &&
	      chdir("/") == 0 && rmdir(dir) == 0);
	target_release(&t);
	arena_release(&scratch);
}

/* A line ends in a newline, but for the last, which may. */
TEST(lines_of_a_text)
{
	static const struct {
		const char *text;
		unsigned n;
		const char *last;
	} cases[] = {
		{ "a", 1, "a" },      { "a\n", 1, "a" },        { "a\nb", 2, "b" },
		{ "a\nb\n", 2, "b" }, { "a\n\n", 2, "" },       { "\n\n\n", 3, "" },
		{ "\nb", 2, "b" },    { "a\r\nb\r\n", 2, "b" },
	};
	char dir[] = "/tmp/obit-source-XXXXXX";

	REQUIRE(mkdtemp(dir) && chdir(dir) == 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct arena scratch = { 0 };
		const struct source *s;
		struct target t;
		struct err err;

		target_init(&t, &scratch);
		*vec_push(&t.sources.folders) = dir;
		CHECK(put("x.c", cases[i].text));
		if (CHECK_OK(source_file(&t, "x.c", &s, &err), err)) {
			CHECK_U64(s->n, cases[i].n);
			check_line(s, cases[i].n, cases[i].last);
			check_line(s, cases[i].n + 1, NULL);
			check_line(s, 0, NULL);
		}
		target_release(&t);
		arena_release(&scratch);
	}
	CHECK(unlink("x.c") == 0 && chdir("/") == 0 && rmdir(dir) == 0);
}

TEST_MAIN
