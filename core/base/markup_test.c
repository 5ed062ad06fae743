/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of strings that mean harm to whoever shows them. What each must become is read off the
 * definitions of the languages: XML 1.0 (sections 2.2 and 2.4), CommonMark and GitHub's additions
 * to it, and the workflow commands of GitHub's runner. */
#include <string.h>

#include "core/base/markup.h"
#include "core/base/test.h"

static void check(void (*put)(struct buf *b, const char *s, size_t n), const char *s,
		  const char *want)
{
	struct buf b = { 0 };

	put(&b, s, strlen(s));
	CHECK_STR(buf_text(&b), want);
	buf_release(&b);
}

TEST(markup)
{
	check(buf_markup, "<script>alert(\"1\")</script>",
	      "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;");
	check(buf_markup, "a' onload='b", "a&#39; onload=&#39;b");
	check(buf_markup, "&amp; ]]>", "&amp;amp; ]]&gt;");
	check(buf_markup, "-->", "--&gt;");
	/* not even a reference may name a control character, nor the two that end each plane */
	check(buf_markup, "\033[2J\001\177", "\\x1b[2J\\x01\\x7f");
	check(buf_markup, "a\nb\tc\r", "a\\nb\\tc\\r");
	check(buf_markup, "\xef\xbf\xbe|\xef\xbf\xbf|\xef\xb7\x90",
	      "\\xef\\xbf\\xbe|\\xef\\xbf\\xbf|\\xef\\xb7\\x90");
	/* no UTF-8; a mark that turns the direction of writing; a letter of another script */
	check(buf_markup, "\xff\xc3(", "\\xff\\xc3(");
	check(buf_markup,
	      "a\xe2\x80\xae"
	      "b",
	      "a\\xe2\\x80\\xaeb");
	check(buf_markup, "\xc3\xa4", "\xc3\xa4");
}

TEST(markdown)
{
	check(buf_markdown, "*a* _b_ `c` ~d~ | # \\",
	      "\\*a\\* \\_b\\_ \\`c\\` \\~&#8203;d\\~ \\| \\# \\\\");
	check(buf_markdown, "<img src=x> [a](b)", "\\<img src=x\\> \\[a\\](b)");
	/* an escaped character refers all the same, so that nothing may follow it */
	check(buf_markdown, "@torvalds", "@&#8203;torvalds");
	check(buf_markdown, "see #12 and !3", "see \\#&#8203;12 and !&#8203;3");
	check(buf_markdown, "GH-12, high-level, h-1, -2", "GH-&#8203;12, high-level, h-1, -2");
	check(buf_markdown, "a@ b", "a@ b");
	check(buf_markdown, "https://evil.example", "https:&#8203;//evil.example");
	check(buf_markdown, "WWW.evil.example", "W&#8203;WW.evil.example");
	check(buf_markdown, "&lt; $x$", "\\&&#8203;lt; \\$&#8203;x\\$");
	/* what stands for a control character has a backslash, which Markdown knows */
	check(buf_markdown, "a\nb", "a\\\\nb");
	check(buf_markdown, "\033]8;;x", "\\\\x1b\\]8;;x");
	check(buf_markdown, "fs/ext4/inode.c:12: 3 % of 4", "fs/ext4/inode.c:12: 3 % of 4");
}

TEST(code_spans)
{
	check(buf_markdown_code, "", "");
	check(buf_markdown_code, "f+0x1/0x2", "`f+0x1/0x2`");
	check(buf_markdown_code, "a`b``c", "```a`b``c```");
	check(buf_markdown_code, "`a", "`` `a ``");
	check(buf_markdown_code, "a|b\nc", "`a\\|b\\nc`");
	/* GitHub reads "\\|" as a backslash and the end of the cell */
	check(buf_markdown_code, "a\\|b\\\\|\\", "`a\\x5c\\|b\\\\x5c\\|\\`");
	CHECK_U64(markdown_fence("", 0), 3);
	CHECK_U64(markdown_fence("``", 2), 3);
	CHECK_U64(markdown_fence("a```\n````", 9), 5);
}

TEST(workflow_commands)
{
	struct buf b = { 0 };
	const char hostile[] = "100%\n::error file=a,line=1::x\r%0A";

	buf_workflow(&b, hostile, strlen(hostile), false);
	/* one line, and no percent sign of its own stands for anything */
	CHECK_STR(buf_text(&b), "100%25\\n::error file=a,line=1::x\\r%250A");
	buf_reset(&b);
	buf_workflow(&b, hostile, strlen(hostile), true);
	CHECK_STR(buf_text(&b), "100%25\\n%3A%3Aerror file=a%2Cline=1%3A%3Ax\\r%250A");
	buf_release(&b);
}

TEST(references)
{
	check(buf_uri, "fs/ext4/inode.c", "fs/ext4/inode.c");
	check(buf_uri, "a b:%?#\xff", "a%20b%3A%25%3F%23%FF");
}

TEST_MAIN
