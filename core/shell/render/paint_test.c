/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of colours by meaning, of links, and of text in ASCII. What is expected is ECMA-48's SGR,
 * where 1 is bold, 31 red and 0 none of it, the OSC 8 that terminals agreed on, and RFC 3986. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/test.h"
#include "core/image/target.h"
#include "core/shell/render/paint.h"

static void check_paint(enum meaning meaning, const char *text, const char *want)
{
	struct buf b = { 0 };

	buf_str(&b, "before\n");
	buf_str(&b, text);
	paint(&b, 7, meaning);
	CHECK_STR(buf_text(&b) + 7, want);
	buf_release(&b);
}

TEST(a_meaning_colours_lines_or_a_word)
{
	check_paint(MEANING_NONE, "[ok] all\n", "[ok] all\n");
	check_paint(MEANING_OK, "[ok] all\n", "\033[32m[ok]\033[0m all\n");
	check_paint(MEANING_FAILURE, "  [fail] x\n  y z\n", "  \033[1;31m[fail]\033[0m x\n  y z\n");
	check_paint(MEANING_PANIC, " a b\n\nc", " \033[31ma b\033[0m\n\n\033[31mc\033[0m");
	check_paint(MEANING_HEADING, "", "");
	check_paint(MEANING_GUESS, "?#4", "\033[35m?#4\033[0m");
}

static void check_ascii(const char *text, const char *want)
{
	struct buf b = { 0 };

	buf_str(&b, text);
	paint_ascii(&b);
	CHECK_STR(buf_text(&b), want);
	buf_release(&b);
}

TEST(what_is_not_ascii_is_escaped)
{
	check_ascii("", "");
	check_ascii("plain\n", "plain\n");
	/* UTF-8 of U+00E9 is c3 a9 */
	check_ascii("caf\xc3\xa9 au\n\xff", "caf\\xc3\\xa9 au\n\\xff");
}

static const struct record_field fields[] = {
	{ "file", NULL, CELL_STR, 0, "" },
	{ "line", NULL, CELL_UINT, 0, "" },
};
static const struct record_kind kind = { "place", "", LAYOUT_LINE, "{file}:{line}", fields, 2 };

static void check_link(struct target *t, const char *file, unsigned line, const char *text,
		       const char *want)
{
	struct sink k = { .t = t };
	struct buf b = { 0 };
	struct record r;

	record_init(&r, &kind);
	record_str(&r, 0, file);
	record_uint(&r, 1, line);
	buf_str(&b, text);
	paint_link(&b, &k, &r);
	CHECK_STR(buf_text(&b), want);
	buf_release(&b);
}

TEST(a_place_in_a_given_folder_is_a_link)
{
	char dir[] = "/tmp/paint_XXXXXX", odd[64], text[256];
	struct arena scratch = { 0 };
	struct target t;
	FILE *f;

	REQUIRE(mkdtemp(dir));
	snprintf(odd, sizeof(odd), "%s/a b\033%%", dir);
	REQUIRE(!mkdir(odd, 0700));
	snprintf(text, sizeof(text), "%s/x.c", odd);
	f = fopen(text, "w");
	REQUIRE(f && fputs("int x;\n", f) >= 0 && !fclose(f));
	target_init(&t, &scratch);
	/* no folder: no link */
	check_link(&t, "x.c", 3, " at x.c:3\n", " at x.c:3\n");
	*vec_push(&t.sources.folders) = odd;
	/* what a shell or a terminal would act on is in the address by its number alone */
	snprintf(text, sizeof(text),
		 " at \033]8;;file://%s/a%%20b%%1B%%25/x.c#3\033\\x.c:3\033]8;;\033\\ [m]\n", dir);
	check_link(&t, "x.c", 3, " at x.c:3 [m]\n", text);
	snprintf(text, sizeof(text),
		 "\033]8;;file://%s/a%%20b%%1B%%25/x.c#12\033\\x.c: 12\033]8;;\033\\", dir);
	check_link(&t, "x.c", 12, "x.c: 12", text);
	/* not there, and not said */
	check_link(&t, "y.c", 3, "y.c:3", "y.c:3");
	check_link(&t, "x.c", 3, "nothing", "nothing");
	target_release(&t);
	arena_release(&scratch);
	snprintf(text, sizeof(text), "%s/x.c", odd);
	CHECK(!unlink(text) && !rmdir(odd) && !rmdir(dir));
}

TEST_MAIN
