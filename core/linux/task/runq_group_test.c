/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the tree of task groups on a kernel that the test lays out, whole and then broken. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"
#include "core/linux/task/runq.h"

#define OFFSETS (KERNEL_BASE + 0x100)
#define GROUPS (KERNEL_BASE + 0x1000) /* 256 bytes each */
#define ARRAYS (KERNEL_BASE + 0x2000)
#define QUEUES (KERNEL_BASE + 0x4000)
#define CGROUP (KERNEL_BASE + 0x6000)
#define NAME (KERNEL_BASE + 0x6100)
#define AUTOGROUP (KERNEL_BASE + 0x6200)

#define SHARES 0
#define CFS_RQ 8
#define QUOTA 16
#define PERIOD 24
#define CSS 32
#define AUTO 40
#define SIBLINGS 48
#define CHILDREN 64

static struct fake_kernel k;
static struct buf said;
static unsigned flaws;

static uint64_t group(unsigned i)
{
	return GROUPS + i * 0x100;
}

/* Of group i on CPU `cpu`: how many could run there, and whether it was throttled. */
static void queue(unsigned i, unsigned cpu, uint32_t running, uint32_t throttled)
{
	uint64_t at = QUEUES + i * 0x40 + cpu * 0x1000;

	put32(&k, at, running);
	put32(&k, at + 4, throttled);
}

/* The root has a child that is a control group with a limit, and one that is an autogroup; the
 * first has a child of its own. Until now a group points to an array of pointers to its queues;
 * percpu: the queues are per-CPU memory, as in v7.2. */
static void start(bool percpu)
{
	static const unsigned of_root[] = { 1, 2 }, of_yard[] = { 3 };
	struct type *tg, *rq, *ag, *cg, *to = NULL, *array;
	const struct type *list;
	uint64_t kids[2];

	kernel_init(&k);
	list = kernel_list_type(&k);
	rq = kernel_struct(&k, "cfs_rq", 64);
	kernel_member(rq, "h_nr_running", &k.u32, 0);
	kernel_member(rq, "throttled", &k.u32, 4);
	to = ARENA_NEW(&k.t.arena, struct type);
	*to = kernel_base_type(&k, TYPE_POINTER, 8, false);
	to->target = rq;
	array = ARENA_NEW(&k.t.arena, struct type);
	*array = kernel_base_type(&k, TYPE_POINTER, 8, false);
	array->target = to;
	tg = kernel_struct(&k, "task_group", 256);
	kernel_member(tg, "shares", &k.u64, SHARES);
	kernel_member(tg, "cfs_rq", percpu ? to : array, CFS_RQ);
	kernel_member(tg, "cfs_bandwidth", INNER(&k, "quota", "period"), QUOTA);
	kernel_member(tg, "css", INNER(&k, "cgroup"), CSS);
	kernel_member(tg, "autogroup", &k.u64, AUTO);
	kernel_member(tg, "siblings", list, SIBLINGS);
	kernel_member(tg, "children", list, CHILDREN);
	ag = kernel_struct(&k, "autogroup", 16);
	kernel_member(ag, "id", &k.u64, 8);
	WORDS(&k, "kernfs_node", "name");
	cg = kernel_struct(&k, "cgroup", 16);
	kernel_member(cg, "kn", &k.ptr, 8);
	kernel_symbol(&k, "root_task_group", group(0));
	kernel_symbol(&k, "__per_cpu_offset", OFFSETS);
	kernel_symbol(&k, "nr_cpu_ids", OFFSETS + 0x40);
	put32(&k, OFFSETS + 0x40, 2);
	put64(&k, OFFSETS, 0);
	put64(&k, OFFSETS + 8, 0x1000);
	for (unsigned i = 0; i < 4; i++) {
		put64(&k, group(i) + SHARES, 1024 << 10);
		put64(&k, group(i) + QUOTA, UINT64_MAX);
		put64(&k, group(i) + CFS_RQ, percpu ? QUEUES + i * 0x40 : ARRAYS + i * 0x10);
		put64(&k, ARRAYS + i * 0x10, QUEUES + i * 0x40);
		put64(&k, ARRAYS + i * 0x10 + 8, QUEUES + i * 0x40 + 0x1000);
		put_list(&k, group(i) + CHILDREN, NULL, 0);
	}
	for (unsigned i = 0; i < 2; i++)
		kids[i] = group(of_root[i]) + SIBLINGS;
	put_list(&k, group(0) + CHILDREN, kids, 2);
	kids[0] = group(of_yard[0]) + SIBLINGS;
	put_list(&k, group(1) + CHILDREN, kids, 1);
	put64(&k, group(1) + CSS, CGROUP);
	put64(&k, CGROUP + 8, CGROUP + 0x40);
	put64(&k, CGROUP + 0x40, NAME);
	put_str(&k, NAME, "yard");
	put64(&k, group(1) + SHARES, 512 << 10);
	put64(&k, group(1) + QUOTA, 20000000);
	put64(&k, group(1) + PERIOD, 100000000);
	put64(&k, group(2) + AUTO, AUTOGROUP);
	put64(&k, AUTOGROUP + 8, 77);
	queue(0, 1, 3, 0);
	queue(1, 1, 2, 1);
	queue(3, 1, 2, 0);
	buf_reset(&said);
	flaws = 0;
}

static bool found(const struct runq_group *g, void *arg)
{
	(void)arg;
	buf_printf(&said, "%u %s %u %u%s", g->depth, g->name ? g->name : "-", (unsigned)g->running,
		   (unsigned)g->shares, g->throttled ? " throttled" : "");
	if (g->quota != UINT64_MAX)
		buf_printf(&said, " %u/%u", (unsigned)(g->quota / 1000000),
			   (unsigned)(g->period / 1000000));
	buf_char(&said, '\n');
	return true;
}

static void flaw(const struct err *e, void *arg)
{
	(void)e, (void)arg;
	flaws++;
}

static bool each(unsigned cpu, struct err *err)
{
	buf_reset(&said);
	return runq_groups_each(&k.t, cpu, &k.scratch, found, flaw, NULL, err);
}

static void whole(bool percpu)
{
	struct err err;

	start(percpu);
	REQUIRE_OK(each(1, &err), err);
	CHECK_STR(buf_text(&said), "0 - 3 1024\n1 yard 2 512 throttled 20/100\n2 - 2 1024\n"
				   "1 autogroup-77 0 1024\n");
	REQUIRE_OK(each(0, &err), err);
	CHECK_STR(buf_text(&said),
		  "0 - 0 1024\n1 yard 0 512 20/100\n2 - 0 1024\n1 autogroup-77 0 1024\n");
	CHECK_U64(flaws, 0);
	kernel_release(&k);
}

TEST(queues_behind_an_array)
{
	whole(false);
}

TEST(queues_in_percpu_memory)
{
	whole(true);
}

TEST(a_group_that_is_its_own_child_ends)
{
	struct err err;
	uint64_t kid = group(1) + SIBLINGS;

	start(false);
	put_list(&k, group(3) + CHILDREN, &kid, 1);
	CHECK(!each(1, &err) || flaws);
	kernel_release(&k);
}

TEST(what_is_not_there_is_told)
{
	struct err err;

	start(false);
	k.holes = UINT64_C(1) << (ARRAYS - KERNEL_BASE) / 0x1000;
	REQUIRE_OK(each(1, &err), err);
	CHECK_STR(buf_text(&said), "");
	CHECK_U64(flaws, 4);
	kernel_release(&k);
}

/* The root and the group below the first are no control groups of anybody: nothing is lost. */
TEST(a_name_that_is_not_there_is_told)
{
	struct err err;

	start(false);
	k.holes = UINT64_C(1) << (CGROUP - KERNEL_BASE) / 0x1000;
	REQUIRE_OK(each(1, &err), err);
	CHECK_STR(buf_text(&said),
		  "0 - 3 1024\n1 - 2 512 throttled 20/100\n2 - 2 1024\n1 - 0 1024\n");
	CHECK_U64(flaws, 2);
	kernel_release(&k);
}

TEST_MAIN
