/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of trees of control groups that a test lays out itself: sound ones, and such that are none.
 */
#include "core/linux/cgroup/cgroup.h"

#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"

/* A control group's struct, its kernfs node and its name lie in a page of its own. */
#define GROUP(i) (KERNEL_BASE + 0x1000 * (uint64_t)(i))
#define KN(i) (GROUP(i) + 0x400)
#define MEMCG(i) (GROUP(i) + 0x600)
#define PIDS(i) (GROUP(i) + 0x900)
#define ROOTS (KERNEL_BASE + 0x30000)
#define SUBSYS (KERNEL_BASE + 0x31000)
/* offsets in the structs below */
#define SELF_FLAGS 0
#define SIBLING 8
#define CHILDREN 24
#define FLAGS 40
#define KERNFS 48
#define SETS 56
#define CONTROLLERS 80
#define CSETS 104
#define ROOT_CGRP 64

static struct fake_kernel k;
static struct enumerator events[] = { { "MEMCG_LOW", 0 },
				      { "MEMCG_OOM_KILL", 1 },
				      { "MEMCG_NR_MEMORY_EVENTS", 2 } };

static void types(void)
{
	struct type *list = kernel_list_type(&k), *self, *s, *counter, *page, *atomic;

	atomic = kernel_counter_type(&k, "atomic_long", &k.s64);
	self = kernel_struct(&k, "cgroup_subsys_state", 40);
	kernel_member(self, "flags", &k.u64, SELF_FLAGS);
	kernel_member(self, "sibling", list, SIBLING);
	kernel_member(self, "children", list, CHILDREN);
	s = kernel_struct(&k, "cgroup", 120);
	kernel_member(s, "self", self, 0);
	kernel_member(s, "flags", &k.u64, FLAGS);
	kernel_member(s, "kn", &k.ptr, KERNFS);
	kernel_member(s, "nr_populated_csets", &k.u64, SETS);
	kernel_member(s, "nr_populated_domain_children", &k.u64, SETS + 8);
	kernel_member(s, "nr_populated_threaded_children", &k.u64, SETS + 16);
	kernel_member(s, "subsys", kernel_array(&k, &k.ptr, 3), CONTROLLERS);
	kernel_member(s, "cset_links", list, CSETS);
	page = s;
	s = kernel_struct(&k, "cgroup_root", 200);
	kernel_member(s, "subsys_mask", &k.u64, 0);
	kernel_member(s, "root_list", list, 8);
	kernel_member(s, "name", kernel_array(&k, &k.u8, 16), 24);
	kernel_member(s, "cgrp", page, ROOT_CGRP);
	s = kernel_struct(&k, "cgrp_cset_link", 40);
	kernel_member(s, "cset", &k.ptr, 0);
	kernel_member(s, "cset_link", list, 8);
	WORDS(&k, "css_set", "nr_tasks");
	WORDS(&k, "kernfs_node", "name");
	WORDS(&k, "cgroup_subsys", "id", "legacy_name");
	counter = kernel_struct(&k, "page_counter", 48);
	kernel_member(counter, "usage", atomic, 0);
	kernel_member(counter, "max", &k.u64, 8);
	kernel_member(counter, "high", &k.u64, 16);
	kernel_member(counter, "low", &k.u64, 24);
	kernel_member(counter, "min", &k.u64, 32);
	kernel_member(counter, "watermark", &k.u64, 40);
	s = kernel_struct(&k, "mem_cgroup", 160);
	kernel_member(s, "css", self, 0);
	kernel_member(s, "memory", counter, 40);
	kernel_member(s, "swap", counter, 88);
	kernel_member(s, "memory_events", kernel_array(&k, atomic, 2), 136);
	s = kernel_struct(&k, "pids_cgroup", 64);
	kernel_member(s, "css", self, 0);
	kernel_member(s, "counter", atomic, 40);
	kernel_member(s, "limit", atomic, 48);
	s = kernel_struct(&k, "memcg_memory_event", 4);
	s->kind = TYPE_ENUM;
	s->enums = events;
	s->n_enums = ARRAY_SIZE(events);
}

static void name_put(unsigned i, const char *name)
{
	put64(&k, KN(i), KN(i) + 16);
	put_str(&k, KN(i) + 16, name);
}

/* A group without children, with a tail of `tasks` in one css_set. */
static void group_put(uint64_t group, unsigned i, const char *name, unsigned tasks)
{
	uint64_t link = GROUP(i) + 0x500, set = GROUP(i) + 0x540;

	put64(&k, group + SELF_FLAGS, 2);
	put_list(&k, group + CHILDREN, NULL, 0);
	put64(&k, group + KERNFS, KN(i));
	put64(&k, group + SETS, tasks);
	put64(&k, link, set);
	put_list(&k, group + CSETS, (uint64_t[]){ link + 8 }, 1);
	put64(&k, set, tasks);
	name_put(i, name);
}

static void children(uint64_t group, const uint64_t *of, size_t n)
{
	uint64_t links[4];

	for (size_t i = 0; i < n; i++)
		links[i] = of[i] + SIBLING;
	put_list(&k, group + CHILDREN, links, n);
}

#define V2 (GROUP(1) + ROOT_CGRP)

/* The tree of version 2: / (3 tasks), /yard (0), /yard/bed (2), /shed (1). */
static void start(void)
{
	kernel_init(&k);
	types();
	kernel_symbol(&k, "cgroup_roots", ROOTS);
	kernel_symbol(&k, "cgrp_dfl_root", GROUP(1));
	kernel_symbol(&k, "memory_cgrp_subsys", SUBSYS);
	kernel_symbol(&k, "pids_cgrp_subsys", SUBSYS + 16);
	put64(&k, SUBSYS, 1);
	put64(&k, SUBSYS + 16, 2);
	put_list(&k, ROOTS, (uint64_t[]){ GROUP(1) + 8 }, 1);
	group_put(V2, 1, "", 3);
	group_put(GROUP(2), 2, "yard", 0);
	group_put(GROUP(3), 3, "bed", 2);
	group_put(GROUP(4), 4, "shed", 1);
	children(V2, (uint64_t[]){ GROUP(2), GROUP(4) }, 2);
	children(GROUP(2), (uint64_t[]){ GROUP(3) }, 1);
}

struct told {
	struct buf b;
	unsigned flaws;
	struct err flaw;
};

static void number(struct buf *b, uint64_t n)
{
	if (n == CGROUP_NONE)
		buf_str(b, " -");
	else
		buf_printf(b, " %llu", (unsigned long long)n);
}

static bool tell(const struct cgroup *g, void *arg)
{
	struct told *told = arg;
	struct buf *b = &told->b;

	buf_printf(b, "%s %s %llu%s%s", g->hierarchy, g->path, (unsigned long long)g->tasks,
		   g->removed ? " removed" : "", g->frozen ? " frozen" : "");
	if (g->memory.addr) {
		number(b, g->memory.current);
		number(b, g->memory.max);
		number(b, g->memory.swap);
		for (size_t i = 0; i < g->memory.n_events; i++)
			buf_printf(b, " %s=%llu", g->memory.events[i].name,
				   (unsigned long long)g->memory.events[i].n);
	}
	if (g->pids.addr) {
		number(b, g->pids.current);
		number(b, g->pids.max);
	}
	if (g->why.code != ERR_OK)
		buf_str(b, " ?");
	buf_char(b, '\n');
	return true;
}

static void flaw(const struct err *e, void *arg)
{
	struct told *told = arg;

	if (!told->flaws++)
		told->flaw = *e;
}

static void each(struct told *told)
{
	struct err err;

	*told = (struct told){ .flaws = 0 };
	CHECK(cgroups_each(&k.t, &k.t.arena, tell, flaw, told, &err));
}

static void end(struct told *told)
{
	buf_release(&told->b);
	kernel_release(&k);
}

TEST(parents_before_children)
{
	struct told told;

	start();
	put64(&k, GROUP(4) + SELF_FLAGS, 0);
	put64(&k, GROUP(3) + FLAGS, 8);
	each(&told);
	CHECK_STR(buf_text(&told.b), "v2 / 3\n"
				     "v2 /yard 0\n"
				     "v2 /yard/bed 2 frozen\n"
				     "v2 /shed 1 removed\n");
	CHECK_U64(told.flaws, 0);
	end(&told);
}

/* Pages are bytes; LONG_MAX of pages, or more pids than there can be, is no limit; a controller
 * that is not on for a group has nothing of it. */
TEST(counters_of_controllers)
{
	struct told told;

	start();
	put64(&k, GROUP(3) + CONTROLLERS + 8, MEMCG(3));
	put64(&k, MEMCG(3) + 40, 5);
	put64(&k, MEMCG(3) + 48, 16);
	put64(&k, MEMCG(3) + 88, 2);
	put64(&k, MEMCG(3) + 96, INT64_MAX / 4096);
	put64(&k, MEMCG(3) + 144, 7);
	put64(&k, GROUP(3) + CONTROLLERS + 16, PIDS(3));
	put64(&k, PIDS(3) + 40, 2);
	put64(&k, PIDS(3) + 48, 4194304);
	put64(&k, GROUP(4) + CONTROLLERS + 8, MEMCG(4));
	put64(&k, MEMCG(4) + 48, INT64_MAX / 4096);
	put64(&k, GROUP(4) + CONTROLLERS + 16, PIDS(4));
	put64(&k, PIDS(4) + 48, 4194305);
	/* what a root has is nobody's count */
	put64(&k, V2 + CONTROLLERS + 8, MEMCG(1));
	each(&told);
	CHECK_STR(buf_text(&told.b), "v2 / 3\n"
				     "v2 /yard 0\n"
				     "v2 /yard/bed 2 20480 65536 8192 low=0 oom_kill=7 2 4194304\n"
				     "v2 /shed 1 0 - 0 low=0 oom_kill=0 0 -\n");
	end(&told);
}

/* A hierarchy of version 1 is called as its controllers, and as it calls itself. */
TEST(version_1)
{
	struct told told;

	start();
	kernel_symbol(&k, "cgroup_subsys", SUBSYS + 0x100);
	put64(&k, SUBSYS + 0x108, SUBSYS + 0x140);
	put64(&k, SUBSYS + 0x148, SUBSYS + 0x180);
	put_str(&k, SUBSYS + 0x180, "freezer");
	put64(&k, GROUP(5), 2);
	put_str(&k, GROUP(5) + 24, "obit");
	group_put(GROUP(5) + ROOT_CGRP, 5, "", 6);
	put_list(&k, ROOTS, (uint64_t[]){ GROUP(5) + 8, GROUP(1) + 8 }, 2);
	each(&told);
	CHECK_CONTAINS(buf_text(&told.b), "freezer,name=obit / 6\nv2 / 3\n");
	end(&told);
}

/* A child that is its own grandparent, and two parents of one child: each is told once. */
TEST(trees_that_are_none)
{
	struct told told;

	start();
	children(GROUP(3), (uint64_t[]){ V2 }, 1);
	each(&told);
	CHECK_CONTAINS(buf_text(&told.b), "v2 /yard/bed 2\n");
	CHECK(told.flaws >= 1);
	CHECK_ERR(told.flaw, ERR_CORRUPT);
	CHECK_CONTAINS(told.flaw.msg, "more than once");
	end(&told);
	start();
	put64(&k, GROUP(2) + CHILDREN, 0x1234);
	each(&told);
	CHECK_CONTAINS(buf_text(&told.b), "v2 /yard 0\nv2 /shed 1\n");
	CHECK_U64(told.flaws, 1);
	CHECK_CONTAINS(told.flaw.msg, "/yard");
	end(&told);
}

/* An absent group costs itself and what is below it; absent counters cost themselves. */
TEST(groups_that_are_absent)
{
	struct told told;

	start();
	put64(&k, GROUP(4) + CONTROLLERS + 8, KERNEL_BASE + 0x20000);
	k.holes = UINT64_C(1) << 3 | UINT64_C(1) << 0x20;
	each(&told);
	CHECK_STR(buf_text(&told.b), "v2 / 3\nv2 /yard 0\n"
				     "v2 /shed 1 - - - ?\n");
	CHECK(told.flaws >= 1);
	CHECK_ERR(told.flaw, ERR_EXCLUDED);
	end(&told);
}

TEST_MAIN
