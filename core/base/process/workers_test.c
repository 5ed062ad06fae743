/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of work in parts: the order of results, processes that die or hang, memory, Ctrl-C. */
#include "core/base/process/workers.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/base/test.h"

#define LARGE ((size_t)5 << 20)

/* What a test's parts do, and what came of them. */
struct trial {
	struct buf got; /* "0 1 2 ", in the order in which it came */
	struct buf why;
	size_t dies, fails, large, hangs; /* parts; SIZE_MAX: none does */
	size_t wanted;                    /* messages; then it is enough */
	size_t not_before;                /* the first part that another process may do */
	unsigned done;
	bool whole; /* the large message was as it was sent */
	uint64_t sum;
};

static struct trial trial_of(void)
{
	return (struct trial){ .dies = SIZE_MAX,
			       .fails = SIZE_MAX,
			       .large = SIZE_MAX,
			       .hangs = SIZE_MAX,
			       .wanted = SIZE_MAX };
}

static void nap(unsigned ms)
{
	const struct timespec t = { ms / 1000, (long)(ms % 1000) * 1000000 };

	(void)nanosleep(&t, NULL);
}

/* The later a part is, the sooner it is done. */
static bool do_part(struct worker *w, size_t part, void *arg, struct err *err)
{
	struct trial *t = arg;

	t->sum += part; /* its own, unless it is done here */
	if (!worker_is_here(w) && part < 4)
		nap(20 * (4 - (unsigned)part));
	if (!worker_is_here(w) && part == t->dies)
		(void)kill(getpid(), SIGKILL);
	while (!worker_is_here(w) && part == t->hangs)
		pause();
	if (part == t->fails)
		return err_set_addr(err, ERR_FORMAT, 7, "part %zu", part);
	if (part == t->large) {
		char *big = malloc(LARGE);

		for (size_t i = 0; i < LARGE; i++)
			big[i] = (char)(i * 31 >> 4);
		(void)worker_send(w, big, LARGE);
		free(big);
	}
	(void)worker_send(w, &part, sizeof(part));
	return true;
}

static bool take(size_t part, const void *message, size_t n, void *arg)
{
	struct trial *t = arg;
	const char *s = message;
	size_t number;

	if (n == LARGE) {
		t->whole = true;
		for (size_t i = 0; i < n; i++)
			t->whole &= s[i] == (char)(i * 31 >> 4);
		return true;
	}
	CHECK_U64(n, sizeof(number));
	memcpy(&number, message, sizeof(number));
	CHECK_U64(number, part);
	buf_printf(&t->got, "%zu ", number);
	return --t->wanted;
}

static void lose(size_t part, const struct err *why, void *arg)
{
	struct trial *t = arg;

	CHECK_U64(part, t->dies);
	buf_printf(&t->got, "lost ");
	buf_str(&t->why, why->msg);
}

static void count(size_t part, void *arg)
{
	struct trial *t = arg;

	CHECK_U64(part, t->done);
	t->done++;
}

static bool is_ready(void *arg)
{
	const struct trial *t = arg;

	return t->done >= t->not_before;
}

static bool run(struct trial *t, size_t n, unsigned jobs, struct err *err)
{
	struct workers all = { .n = n,
			       .jobs = jobs,
			       .work = do_part,
			       .take = take,
			       .lost = lose,
			       .ready = is_ready,
			       .done = count,
			       .arg = t };
	bool ok = workers_run(&all, err);

	CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD); /* none is left */
	return ok;
}

static void release(struct trial *t)
{
	buf_release(&t->got);
	buf_release(&t->why);
}

/* No part, one, fewer than processes, more; by default, too, where no other process begins for
 * work that is soon done. */
TEST(results_come_in_the_order_of_the_parts)
{
	for (size_t n = 0; n < 12; n = n ? n * 3 + 1 : 1)
		for (unsigned jobs = 0; jobs < 8; jobs += jobs ? 3 : 1) {
			struct trial t = trial_of();
			struct buf want = { 0 };
			struct err err;

			for (size_t i = 0; i < n; i++)
				buf_printf(&want, "%zu ", i);
			CHECK_OK(run(&t, n, jobs, &err), err);
			CHECK_STR(buf_text(&t.got), buf_text(&want));
			CHECK_U64(t.done, n);
			buf_release(&want);
			release(&t);
		}
}

/* The first part is done here, so that what it loads all have; 1 is this process alone. What other
 * processes change stays their own: the sum of 0 to 9 is 45. */
TEST(others_begin_behind_the_first_part)
{
	struct trial t = trial_of();
	struct err err;

	CHECK_OK(run(&t, 10, 1, &err), err);
	CHECK_U64(t.sum, 45);
	release(&t);
	t = trial_of();
	CHECK_OK(run(&t, 10, 2, &err), err);
	CHECK_U64(t.sum, 0);
	release(&t);
	t = trial_of();
	t.not_before = 4; /* 0 to 3 are done here */
	CHECK_OK(run(&t, 10, 2, &err), err);
	CHECK_U64(t.sum, 6);
	release(&t);
}

TEST(a_large_result_is_whole)
{
	struct trial t = trial_of();
	struct err err;

	t.large = 2;
	CHECK_OK(run(&t, 5, 2, &err), err);
	CHECK(t.whole);
	CHECK_STR(buf_text(&t.got), "0 1 2 3 4 ");
	release(&t);
}

/* The part is lost, and no other: those behind it are done by another process. */
TEST(a_process_that_dies_loses_one_part)
{
	for (size_t dies = 1; dies < 9; dies++) {
		struct trial t = trial_of();
		struct buf want = { 0 };
		struct err err;

		t.dies = dies;
		for (size_t i = 0; i < 9; i++)
			buf_printf(&want, i == dies ? "lost " : "%zu ", i);
		CHECK_OK(run(&t, 9, 2, &err), err);
		if (!CHECK_STR(buf_text(&t.got), buf_text(&want)))
			printf("  part %zu\n", dies);
		CHECK_CONTAINS(buf_text(&t.why), "ended by signal 9 (");
		CHECK_U64(t.done, 9);
		buf_release(&want);
		release(&t);
	}
}

/* Of a part that fails, and of all behind it, nothing is taken. */
TEST(a_part_that_fails_stops_those_behind_it)
{
	for (unsigned jobs = 1; jobs < 4; jobs++) {
		struct trial t = trial_of();
		struct err err = { 0 };

		t.fails = 5;
		CHECK(!run(&t, 9, jobs, &err));
		CHECK_ERR(err, ERR_FORMAT);
		CHECK_STR(err.msg, "part 5");
		CHECK_U64(err.addr, 7);
		CHECK_STR(buf_text(&t.got), "0 1 2 3 4 ");
		release(&t);
	}
}

TEST(enough_is_enough)
{
	for (unsigned jobs = 1; jobs < 4; jobs++) {
		struct trial t = trial_of();
		struct err err;

		t.wanted = 3;
		CHECK_OK(run(&t, 9, jobs, &err), err);
		CHECK_STR(buf_text(&t.got), "0 1 2 ");
		release(&t);
	}
}

static void press(int sig)
{
	(void)sig;
	interrupted = 1;
}

/* One hangs, and is not asked to end but ended. */
TEST(interrupting_ends_what_hangs)
{
	struct trial t = trial_of();
	struct err err = { 0 };
	time_t begin = time(NULL);

	t.hangs = 3;
	(void)signal(SIGALRM, press);
	alarm(1);
	CHECK(!run(&t, 9, 2, &err));
	CHECK_ERR(err, ERR_INTR);
	CHECK(time(NULL) - begin < 20);
	CHECK_STR(buf_text(&t.got), "0 1 2 ");
	interrupted = 0;
	release(&t);
}

/* ---- memory */

struct ahead {
	unsigned *begun; /* shared: parts that the second process began */
	unsigned seen;   /* when the slow part was heard */
};

static bool do_ahead(struct worker *w, size_t part, void *arg, struct err *err)
{
	struct ahead *a = arg;
	char *big = calloc(1, (size_t)1 << 20);

	(void)err;
	if (!worker_is_here(w) && part % 2 == 0)
		++*a->begun;
	if (part == 1)
		nap(500);
	(void)worker_send(w, big, (size_t)1 << 20);
	free(big);
	return true;
}

static bool take_ahead(size_t part, const void *message, size_t n, void *arg)
{
	struct ahead *a = arg;

	(void)message, (void)n;
	if (part == 1)
		a->seen = *a->begun;
	return true;
}

/* While part 1 is slow the process of parts 2, 4, 6 ... fills its pipe, and waits: of 49 parts of a
 * megabyte it did not begin more than a few. */
TEST(who_runs_ahead_waits)
{
	struct ahead a = { mmap(NULL, sizeof(unsigned), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0),
			   0 };
	struct workers all = {
		.n = 100, .jobs = 2, .work = do_ahead, .take = take_ahead, .lost = lose, .arg = &a
	};
	struct err err;

	CHECK_OK(workers_run(&all, &err), err);
	CHECK_U64(*a.begun, 49);
	CHECK(a.seen >= 1 && a.seen <= 4);
	(void)munmap(a.begun, sizeof(unsigned));
}

TEST_MAIN
