/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes for libraries: fork, limits, and waiting. */
#include "core/base/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/guard.h"

static void limit(int what, uint64_t n)
{
	const struct rlimit l = { n, n };

	(void)setrlimit(what, &l);
}

static void set_limits(const struct child_limits *l)
{
	unsigned long long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (f && fscanf(f, "%llu", &pages) == 1)
		limit(RLIMIT_AS, pages * 4096 + l->memory);
	if (f)
		(void)fclose(f);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, l->cpu);
	limit(RLIMIT_FSIZE, l->file);
}

static void become_child(const struct child_limits *limits)
{
	static const int deaths[] = { SIGINT, SIGBUS, SIGSEGV, SIGFPE, SIGABRT };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	/* what a library says when it aborts is for those who make it */
	if (null >= 0) {
		(void)dup2(null, 1);
		(void)dup2(null, 2);
	}
	/* obit's own handler of SIGBUS is for its own files */
	for (size_t i = 0; i < sizeof(deaths) / sizeof(*deaths); i++)
		(void)signal(deaths[i], SIG_DFL);
	(void)signal(SIGXFSZ, SIG_IGN);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody else would end it */
	set_limits(limits);
}

bool child_start(const struct child_limits *limits, int (*work)(void *arg), void *arg, pid_t *ret,
		 struct err *err)
{
	pid_t pid;

	(void)fflush(NULL);
	pid = fork();
	if (pid < 0)
		return err_set_errno(err, "no process to read it");
	if (!pid) {
		become_child(limits);
		_exit(work(arg));
	}
	*ret = pid;
	return true;
}

bool child_wait(pid_t pid, int *status, struct err *err)
{
	const struct timespec nap = { 0, 5000000 };

	for (;;) {
		pid_t got = waitpid(pid, status, WNOHANG);

		if (got == pid)
			return interrupt_check(err);
		if (got < 0 && errno != EINTR)
			return err_set_errno(err, "waiting for the process that reads it");
		if (!interrupt_check(err)) {
			(void)child_kill(pid);
			return false;
		}
		(void)nanosleep(&nap, NULL);
	}
}

int child_kill(pid_t pid)
{
	int status = 0;

	(void)kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}
