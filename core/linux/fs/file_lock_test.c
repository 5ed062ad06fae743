/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of locks of files. What is expected follows from what file_lock_fake.h lays out. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/fs/file_lock.h"
#include "core/linux/fs/file_lock_fake.h"

static struct fake_kernel k;
static struct buf rows;
static unsigned flaws;

static bool row(const struct file_lock *l, void *arg)
{
	(void)arg;
	buf_printf(&rows, "%u/%u %s %s %s %lld %lld", l->number, l->depth, l->kind, l->state,
		   l->mode, (long long)l->pid, (long long)l->start);
	if (l->end != FILE_LOCK_EOF)
		buf_printf(&rows, "-%lld", (long long)l->end);
	buf_printf(&rows, "%s; ", l->blocker == LOCK_AT(0) ? " behind 0" : "");
	return true;
}

static void flaw_count(const struct err *e, void *arg)
{
	(void)e, (void)arg;
	flaws++;
}

static const char *all(void)
{
	const char *text;
	struct err err;

	flaws = 0;
	buf_printf(&rows, "%s", "");
	if (!file_locks_each(&k.t, &k.scratch, row, flaw_count, NULL, &err))
		buf_printf(&rows, "%s", err.msg);
	text = arena_strndup(&k.scratch, rows.s, rows.n);
	buf_release(&rows);
	return text;
}

/* A lease without a file that is to become one to read is broken: BREAKING, READ
 * (lock_get_status()). */
TEST(locks_of_all_cpus_and_requests_behind_them)
{
	for (int older = 0; older < 2; older++) {
		file_lock_fake_init(&k, older);
		CHECK_STR(all(), "1/0 POSIX ADVISORY READ 41 10-19; "
				 "1/1 POSIX ADVISORY WRITE 43 0 behind 0; "
				 "2/0 OFDLCK ADVISORY WRITE -1 0; "
				 "3/0 LEASE BREAKING READ 44 0; ");
		CHECK_U64(flaws, 0);
		kernel_release(&k);
	}
}

/* Layouts of pNFS (FL_LAYOUT) are leases: IS_LEASE() and lock_get_status(). One without a file is
 * in the way of another's. */
TEST(layouts_are_leases)
{
	file_lock_fake_init(&k, false);
	put64(&k, LOCK_AT(1) + LK_FLAGS, 2048);
	CHECK(strstr(all(), "2/0 LEASE BREAKER WRITE 42 0; "));
	kernel_release(&k);
}

/* A request that is said to wait for itself. */
TEST(requests_that_go_round_end)
{
	const uint64_t request = LOCK_AT(2) + LK_REQUEST;

	file_lock_fake_init(&k, false);
	put_list(&k, LOCK_AT(2) + LK_REQUESTS, &request, 1);
	CHECK(strlen(all()) < 5000);
	CHECK(flaws > 0);
	kernel_release(&k);
}

TEST_MAIN
