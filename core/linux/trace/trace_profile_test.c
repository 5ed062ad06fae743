/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the function profiler's pages: order, what is damaged, and the variance. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/trace/profile_fake.h"

static struct fake_kernel k;
static struct arena a;

/* "1:3:30 " for each function: address, hits, time; then what was wrong. */
static const char *profile(unsigned cpu)
{
	struct trace_profile p;
	struct buf b = { 0 };
	struct err err;
	const char *ret;
	bool ok = trace_profile_read(&k.t, cpu, &a, &p, &err);

	for (size_t i = 0; i < p.n; i++)
		buf_printf(&b, "%u:%u:%u ", (unsigned)p.functions[i].ip,
			   (unsigned)p.functions[i].hits, (unsigned)p.functions[i].time);
	buf_str(&b, ok ? p.used ? "used" : "never" : err.msg);
	ret = arena_strdup(&a, buf_text(&b));
	buf_release(&b);
	return ret;
}

static void release(void)
{
	arena_release(&a);
	kernel_release(&k);
}

/* insert_stat() of kernel/trace/trace_stat.c puts a function before those that took as long and
 * were met earlier. */
TEST(by_time_and_the_latest_first)
{
	profile_fake(&k, true);
	put64(&k, PROFILE_STAT + 24, PROFILE_PAGE(0));
	profile_fake_page(&k, 0, 3, PROFILE_PAGE(1));
	profile_fake_put(&k, 0, 0, 1, 9, 10, 0);
	profile_fake_put(&k, 0, 1, 2, 1, 30, 0);
	profile_fake_put(&k, 0, 2, 3, 1, 10, 0);
	profile_fake_put(&k, 0, 3, 7, 7, 70, 0); /* behind the index */
	profile_fake_page(&k, 1, 2, PROFILE_PAGE(2));
	profile_fake_put(&k, 1, 0, 4, 1, 20, 0);
	profile_fake_put(&k, 1, 1, 5, 0, 0, 0); /* it is being filled in */
	profile_fake_page(&k, 2, 0, 0);
	CHECK_STR(profile(0), "2:1:30 4:1:20 3:1:10 1:9:10 used");
	CHECK_STR(profile(1), "never");
	release();
}

/* Without the function_graph tracer the kernel sorts by hits. */
TEST(by_hits_where_no_time_is_measured)
{
	struct trace_profile p;
	struct err err;

	profile_fake(&k, false);
	put64(&k, PROFILE_STAT + 0x100 + 24, PROFILE_PAGE(0));
	profile_fake_page(&k, 0, 3, 0);
	profile_fake_put(&k, 0, 0, 1, 2, 99, 0);
	profile_fake_put(&k, 0, 1, 2, 5, 99, 0);
	profile_fake_put(&k, 0, 2, 3, 2, 99, 0);
	CHECK_STR(profile(1), "2:5:0 3:2:0 1:2:0 used");
	CHECK(trace_profile_read(&k.t, 1, &a, &p, &err) && !p.timed);
	CHECK_STR(profile(0), "never");
	release();
}

TEST(what_is_damaged)
{
	profile_fake(&k, true);
	put64(&k, PROFILE_STAT + 24, PROFILE_PAGE(0));
	profile_fake_page(&k, 0, PROFILE_ROOM, PROFILE_PAGE(1));
	for (unsigned i = 0; i < PROFILE_ROOM; i++)
		profile_fake_put(&k, 0, i, 1, i == 3, 5, 0);
	/* a page cannot have more than there is room for */
	profile_fake_page(&k, 1, PROFILE_ROOM + 1, 0);
	CHECK_STR(profile(0), "1:1:5 a page of 86 functions has room for 85");
	/* nor lead to one that was there */
	profile_fake_page(&k, 1, 0, PROFILE_PAGE(0));
	CHECK_CONTAINS(profile(0), "1:1:5 ");
	CHECK_CONTAINS(profile(0), "pages of the function profiler");
	release();
	/* what is behind a page that is not there is lost */
	profile_fake(&k, true);
	put64(&k, PROFILE_STAT + 24, PROFILE_PAGE(0));
	profile_fake_page(&k, 0, 1, PROFILE_PAGE(1));
	profile_fake_put(&k, 0, 0, 1, 1, 5, 0);
	k.holes |= UINT64_C(1) << (PROFILE_PAGE(1) - KERNEL_BASE) / 4096;
	CHECK_STR(profile(0), "1:1:5 0xffff800000009008: excluded page");
	release();
	profile_fake(&k, true);
	k.syms[0].name = "other";
	CHECK_CONTAINS(profile(0), "ftrace_profile_stats");
	release();
}

static const char *variance(uint64_t hits, uint64_t time, uint64_t squares)
{
	const struct trace_profiled p = { .hits = hits, .time = time, .squares = squares };
	uint64_t v;

	return trace_profile_variance(&p, &v) ? arena_printf(&a, "%llu", (unsigned long long)v)
					      : "unknown";
}

TEST(variances)
{
	/* one has none; 2, 4 and 9: the mean is 5, (9 + 1 + 16) / 2 = 13 */
	CHECK_STR(variance(1, 700, 490000), "0");
	CHECK_STR(variance(3, 15, 4 + 16 + 81), "13");
	CHECK_STR(variance(2, 20, 200), "0");
	/* of 1 s and 3 s 2e18, where 2 * (1e18 + 9e18) has no room in 64 bits */
	CHECK_STR(variance(2, 4000000000, UINT64_C(10000000000000000000)), "2000000000000000000");
	/* of numbers whose squares' sum is less than it can be, it has overflowed */
	CHECK_STR(variance(2, 20, 199), "unknown");
	CHECK_STR(variance(UINT64_MAX, 1, 1), "unknown");
	arena_release(&a);
}

TEST_MAIN
