/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the names of errors and signals, by those that the C library's headers have. */
#include "core/arch/abi_name.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "core/base/vec.h"
#include "core/base/test.h"

#define NAMED(name)         \
	{                   \
		name, #name \
	}

TEST(errors_are_named_as_in_the_header)
{
	static const struct {
		int number;
		const char *name;
	} some[] = {
		NAMED(EPERM),     NAMED(ENOENT),       NAMED(EAGAIN),  NAMED(ERANGE),
		NAMED(EDEADLK),   NAMED(ENAMETOOLONG), NAMED(ENOLCK),  NAMED(ELOOP),
		NAMED(ENOMSG),    NAMED(EBFONT),       NAMED(ENODATA), NAMED(EOPNOTSUPP),
		NAMED(ETIMEDOUT), NAMED(ESTALE),       NAMED(EUCLEAN), NAMED(ERFKILL),
		NAMED(EHWPOISON),
	};

	for (size_t i = 0; i < ARRAY_SIZE(some); i++)
		CHECK_STR(errno_name((unsigned)some[i].number), some[i].name);
	CHECK(!errno_name(0));
	CHECK(!errno_name(41)); /* was EWOULDBLOCK's */
	CHECK(!errno_name(58)); /* EDEADLOCK's */
	CHECK(!errno_name(134));
	CHECK(!errno_name(512)); /* the kernel's own */
}

#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 32)
TEST(every_error_and_signal_is_named_as_the_library_does)
{
	for (int e = 1; e < 140; e++) {
		const char *said = strerrorname_np(e);

		CHECK(said ? errno_name((unsigned)e) && !strcmp(said, errno_name((unsigned)e))
			   : !errno_name((unsigned)e));
	}
	for (int s = 1; s < 32; s++)
		if (s != SIGIO) /* which it calls by its other name, SIGPOLL */
			CHECK_STR(signal_abi_name((unsigned)s) + 3, sigabbrev_np(s));
}
#endif
#endif

TEST(signals_are_named)
{
	CHECK_STR(signal_abi_name(SIGHUP), "SIGHUP");
	CHECK_STR(signal_abi_name(SIGSEGV), "SIGSEGV");
	CHECK_STR(signal_abi_name(SIGIO), "SIGIO");
	CHECK_STR(signal_abi_name(SIGSYS), "SIGSYS");
	CHECK(!signal_abi_name(0));
	CHECK(!signal_abi_name(32));
}

TEST_MAIN
