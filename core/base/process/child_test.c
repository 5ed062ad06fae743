/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of processes for libraries: how they end, what they may take, and Ctrl-C. */
#include "core/base/process/child.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/guard.h"
#include "core/base/test.h"

static const struct child_limits limits = { (uint64_t)4 << 30, 10, 4096 };

static int run(int (*work)(void *arg), void *arg)
{
	struct err err = { 0 };
	int status = -1;
	pid_t pid;

	if (CHECK_OK(child_start(&limits, work, arg, &pid, &err), err))
		CHECK_OK(child_wait(pid, &status, &err), err);
	return status;
}

static int says(void *arg)
{
	printf("nobody hears this");
	return *(int *)arg;
}

static int raises(void *arg)
{
	return raise(*(int *)arg);
}

/* More than the limit of a file is an error to the writer, and no death. */
static int writes(void *arg)
{
	static char page[4096];

	return write(*(int *)arg, page, sizeof(page)) == sizeof(page) &&
			       write(*(int *)arg, page, 1) < 0
		       ? 5
		       : 6;
}

static int sleeps(void *arg)
{
	(void)arg;
	pause();
	return 0;
}

TEST(how_it_ended_is_told)
{
	static const int deaths[] = { SIGSEGV, SIGBUS, SIGFPE, SIGABRT };
	int status, seven = 7;

	status = run(says, &seven);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	for (size_t i = 0; i < sizeof(deaths) / sizeof(*deaths); i++) {
		int death = deaths[i];

		status = run(raises, &death);
		CHECK(WIFSIGNALED(status) && WTERMSIG(status) == death);
	}
}

TEST(a_file_has_a_limit)
{
	FILE *f = tmpfile();
	int fd = fileno(f), status = run(writes, &fd);

	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5);
	fclose(f);
}

TEST(ctrl_c_ends_it)
{
	struct err err = { 0 };
	int status;
	pid_t pid;

	REQUIRE_OK(child_start(&limits, sleeps, NULL, &pid, &err), err);
	interrupted = 1;
	CHECK(!child_wait(pid, &status, &err));
	CHECK_ERR(err, ERR_INTR);
	interrupted = 0;
	CHECK(kill(pid, 0) < 0); /* it is gone, and was waited for */
	REQUIRE_OK(child_start(&limits, sleeps, NULL, &pid, &err), err);
	status = child_kill(pid);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

TEST_MAIN
