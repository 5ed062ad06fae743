/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of errors: context is prepended, what does not fit is cut, code and address stay. */
#include <errno.h>

#include "core/base/test.h"

TEST(set_fills_and_returns_false)
{
	struct err err = { 0 };

	CHECK(!err_set(&err, ERR_FORMAT, "'%s' is no dump", "x"));
	CHECK_ERR(err, ERR_FORMAT);
	CHECK_U64(err.addr, 0);
	CHECK_STR(err.msg, "'x' is no dump");
}

TEST(set_forgets_an_older_address)
{
	struct err err = { 0 };

	CHECK(!err_set_addr(&err, ERR_EXCLUDED, 0xffff888000001000, "page"));
	CHECK_U64(err.addr, 0xffff888000001000);
	CHECK(!err_set(&err, ERR_IO, "read"));
	CHECK_U64(err.addr, 0);
}

TEST(wrap_prepends_and_keeps_code_and_address)
{
	struct err err = { 0 };

	err_set_addr(&err, ERR_NOTRAM, 0x1000, "no RAM at 0x1000");
	CHECK(!err_wrap(&err, "task %d", 7));
	CHECK(!err_wrap(&err, "ps"));
	CHECK_ERR(err, ERR_NOTRAM);
	CHECK_U64(err.addr, 0x1000);
	CHECK_STR(err.msg, "ps: task 7: no RAM at 0x1000");
}

TEST(wrap_cuts_at_the_end_not_beyond)
{
	struct err err = { 0 };
	char longer[400];

	memset(longer, 'a', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	err_set(&err, ERR_LIMIT, "%s", longer);
	CHECK_U64(strlen(err.msg), sizeof(err.msg) - 1);
	/* what the caller was doing matters more than the end of what failed */
	err_wrap(&err, "outer");
	CHECK_U64(strlen(err.msg), sizeof(err.msg) - 1);
	CHECK(strncmp(err.msg, "outer: aaaa", 11) == 0);
	/* context that fills the whole message leaves no room, and does not write past it */
	err_wrap(&err, "%s", longer);
	CHECK_U64(strlen(err.msg), sizeof(err.msg) - 1);
	CHECK(strspn(err.msg, "a") == sizeof(err.msg) - 1);
}

TEST(errno_gives_the_systems_words)
{
	struct err err = { 0 };

	errno = ENOENT;
	CHECK(!err_set_errno(&err, "'%s'", "vmcore"));
	CHECK_ERR(err, ERR_IO);
	CHECK_STR(err.msg, "'vmcore': No such file or directory");
}

/* A message quotes a file's name or a kernel's string; it stays one line that no terminal acts on.
 */
TEST(a_message_is_one_harmless_line)
{
	struct err err = { 0 };
	char longer[400];

	err_set(&err, ERR_FORMAT, "no task '%s'", "a\nobit: all is well\033[2J\xc3\xa9\xff");
	CHECK_STR(err.msg, "no task 'a\\nobit: all is well\\x1b[2J\xc3\xa9\\xff'");
	err_wrap(&err, "in '%s'", "b\r\xe2\x80\xae");
	CHECK_CONTAINS(err.msg, "in 'b\\r\\xe2\\x80\\xae': no task");
	errno = ENOENT;
	err_set_errno(&err, "'%s'", "x\ny");
	CHECK_STR(err.msg, "'x\\ny': No such file or directory");
	/* what is too long ends with a whole character, and a whole escape */
	memset(longer, 'a', sizeof(longer));
	memcpy(longer + 237, "\xe2\x82\xac", 3);
	longer[399] = '\0';
	err_set(&err, ERR_FORMAT, "%s", longer);
	CHECK_U64(strlen(err.msg), 237);
	longer[237] = '\n';
	err_set(&err, ERR_FORMAT, "%s", longer);
	CHECK(!strcmp(err.msg + 237, "\\n"));
}

TEST(every_code_has_a_name_of_its_own)
{
	for (int a = 0; a < ERR_CODES; a++) {
		CHECK(err_code_name(a) && *err_code_name(a));
		CHECK(err_absent_text(a) && *err_absent_text(a));
		for (int b = 0; b < a; b++)
			CHECK(strcmp(err_code_name(a), err_code_name(b)) != 0);
	}
	CHECK_STR(err_code_name(ERR_CODES), "unknown");
	CHECK_STR(err_code_name((enum err_code) - 1), "unknown");
}

/* The issue names five reasons for absent memory at least: excluded, cut off, not RAM, no page
 * table, and a member that this kernel lacks, which is not one of memory. */
TEST(absence_is_of_memory_only)
{
	CHECK(err_is_absent(ERR_EXCLUDED));
	CHECK(err_is_absent(ERR_TRUNCATED));
	CHECK(err_is_absent(ERR_NOTRAM));
	CHECK(err_is_absent(ERR_UNMAPPED));
	CHECK(err_is_absent(ERR_NOPGTABLE));
	CHECK(err_is_absent(ERR_BADADDR));
	CHECK(err_is_absent(ERR_CORRUPT));
	CHECK(!err_is_absent(ERR_OK));
	CHECK(!err_is_absent(ERR_NOFIELD));
	CHECK(!err_is_absent(ERR_INTR));
	CHECK(!err_is_absent(ERR_CODES));
}

TEST_MAIN
