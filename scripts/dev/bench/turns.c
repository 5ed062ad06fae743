/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs two commands by turns and prints what each took: turns RUNS SECONDS A.out B.out A... -- B...
 */

/* A line for each: the median of its times in ms, the median in ms of what CPUs worked for it, the
 * most memory in KB that one of its processes had, and its exit status. A first turn, which is not
 * counted, warms the caches, and what the commands print then is in A.out and B.out. Without B it
 * is A alone. No more turns are begun when SECONDS are over, but one is always counted; a command
 * that takes four times as long is killed, and its status is 137. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TURNS_MAX 101

struct side {
	char **argv;
	const char *out;
	double ms[TURNS_MAX], cpu[TURNS_MAX];
	long kb;
	int status, n;
};

static pid_t running;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static double cpu(const struct rusage *use)
{
	return (double)(use->ru_utime.tv_sec + use->ru_stime.tv_sec) * 1e3 +
	       (double)(use->ru_utime.tv_usec + use->ru_stime.tv_usec) / 1e3;
}

static void too_long(int sig)
{
	(void)sig;
	if (running > 0)
		kill(-running, SIGKILL);
}

/* In a process group of its own, so that all of it can be ended. */
static void become(const struct side *s, const char *out)
{
	int null = open("/dev/null", O_RDWR);
	int to = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	setpgid(0, 0);
	if (null >= 0) {
		dup2(null, 0);
		dup2(null, 2);
	}
	if (to >= 0)
		dup2(to, 1);
	execvp(s->argv[0], s->argv);
	_exit(127);
}

static void run(struct side *s, const char *out, unsigned seconds, int counted)
{
	struct rusage use;
	double start = now(), took;
	int status = 0;

	running = fork();
	if (running < 0)
		exit(1);
	if (running == 0)
		become(s, out);
	alarm(4 * seconds);
	while (wait4(running, &status, 0, &use) < 0)
		;
	alarm(0);
	took = now() - start;
	running = 0;
	s->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	if (!counted)
		return;
	s->ms[s->n] = took;
	s->cpu[s->n++] = cpu(&use);
	if (use.ru_maxrss > s->kb)
		s->kb = use.ru_maxrss;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof(*v), by_size);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

int main(int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = too_long };
	struct side sides[2] = { { 0 }, { 0 } };
	long turns = argc > 5 ? strtol(argv[1], NULL, 10) : 0;
	unsigned seconds = argc > 5 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
	double start = now();
	int n = 1;

	if (turns < 1 || turns > TURNS_MAX || !seconds) {
		fprintf(stderr, "usage: turns RUNS SECONDS A.out B.out A... [-- B...]\n");
		return 2;
	}
	sides[0].argv = argv + 5;
	sides[0].out = argv[3];
	sides[1].out = argv[4];
	for (int i = 5; i < argc && n == 1; i++)
		if (strcmp(argv[i], "--") == 0 && i + 1 < argc) {
			argv[i] = NULL;
			sides[1].argv = argv + i + 1;
			n = 2;
		}
	sigaction(SIGALRM, &sa, NULL);
	for (int i = 0; i < n; i++)
		run(&sides[i], sides[i].out, seconds, 0);
	for (long t = 0; t < turns && (!t || now() - start < seconds * 1e3); t++)
		for (int i = 0; i < n; i++)
			run(&sides[(t + i) % n], "/dev/null", seconds, 1);
	for (int i = 0; i < n; i++)
		printf("%.3f %.3f %ld %d\n", median(sides[i].ms, sides[i].n),
		       median(sides[i].cpu, sides[i].n), sides[i].kb, sides[i].status);
	return 0;
}
