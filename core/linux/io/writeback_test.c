/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of writeback: what a device has to write, and what it was told to. */
#include "core/base/test.h"
#include "core/linux/io/io_fake.h"

#define LIST (KERNEL_BASE + 0x31000) /* bdi_list */
#define BDI (KERNEL_BASE + 0x31100)
#define WB (KERNEL_BASE + 0x31400)
#define WB2 (KERNEL_BASE + 0x31600)
#define INODE(i) (KERNEL_BASE + 0x32000 + (i)*0x40)
#define WORK(i) (KERNEL_BASE + 0x33000 + (i)*0x40)
#define SB (KERNEL_BASE + 0x33800)
#define NOWHERE (KERNEL_BASE + KERNEL_SIZE)

enum {
	B_LIST = 8,
	B_WBS = 24,
	B_NAME = 40,
	W_STATE = 8,
	W_DIRTY = 16, /* four lists */
	W_STAT = 80,
	W_BANDWIDTH = 144,
	W_WORKS = 152,
	W_NODE = 168,
	I_WHEN = 8,
	I_LIST = 16,
	K_PAGES = 8,
	K_SB = 16,
	K_SYNC = 24,
	K_REASON = 28,
	K_LIST = 32
};

static struct fake_kernel k;

struct wb_seen {
	size_t n, flaws, most; /* most: how many are asked for; 0: all */
	struct writeback w;
};

static void flaw(const struct err *e, void *arg)
{
	struct wb_seen *s = arg;

	(void)e;
	s->flaws++;
}

static bool wb_see(const struct writeback *w, void *arg)
{
	struct wb_seen *s = arg;

	s->w = *w;
	return ++s->n != s->most;
}

static void lay_types(const struct type *list)
{
	struct type *s, *counter;

	s = kernel_struct(&k, "backing_dev_info", 64);
	kernel_member(s, "bdi_list", list, B_LIST);
	kernel_member(s, "wb_list", list, B_WBS);
	kernel_member(s, "dev_name", kernel_array(&k, &k.u8, 16), B_NAME);
	counter = kernel_struct(&k, "percpu_counter", 16);
	kernel_member(counter, "count", &k.s64, 8);
	s = kernel_struct(&k, "bdi_writeback", 192);
	kernel_member(s, "state", &k.u64, W_STATE);
	kernel_member(s, "b_dirty", list, W_DIRTY);
	kernel_member(s, "b_io", list, W_DIRTY + 16);
	kernel_member(s, "b_more_io", list, W_DIRTY + 32);
	kernel_member(s, "b_dirty_time", list, W_DIRTY + 48);
	kernel_member(s, "stat", kernel_array(&k, counter, 4), W_STAT);
	kernel_member(s, "avg_write_bandwidth", &k.u64, W_BANDWIDTH);
	kernel_member(s, "work_list", list, W_WORKS);
	kernel_member(s, "bdi_node", list, W_NODE);
	s = kernel_struct(&k, "inode", 64);
	kernel_member(s, "dirtied_when", &k.u64, I_WHEN);
	kernel_member(s, "i_io_list", list, I_LIST);
	s = kernel_struct(&k, "wb_writeback_work", 64);
	kernel_member(s, "nr_pages", &k.s64, K_PAGES);
	kernel_member(s, "sb", &k.ptr, K_SB);
	kernel_member(s, "sync_mode", &k.u32, K_SYNC);
	kernel_member(s, "reason", &k.u32, K_REASON);
	kernel_member(s, "list", list, K_LIST);
	s = kernel_struct(&k, "super_block", 32);
	kernel_member(s, "s_id", kernel_array(&k, &k.u8, 16), 8);
}

static void start(void)
{
	static const struct enumerator stats[] = { { "WB_RECLAIMABLE", 0 }, { "WB_WRITEBACK", 1 } };
	static const struct enumerator states[] = { { "WB_registered", 0 },
						    { "WB_writeback_running", 1 },
						    { "WB_has_dirty_io", 2 } };
	static const struct enumerator reasons[] = { { "WB_REASON_VMSCAN", 1 },
						     { "WB_REASON_SYNC", 2 } };
	uint64_t link = BDI + B_LIST, node = WB + W_NODE;
	const struct type *list = NULL;

	io_fake_init(&k, false);
	for (size_t i = 0; i < k.n_types; i++)
		if (!strcmp(k.types[i]->name, "list_head"))
			list = k.types[i];
	lay_types(list);
	io_fake_enum(&k, "wb_stat_item", stats, 2);
	io_fake_enum(&k, "wb_state", states, 3);
	io_fake_enum(&k, "wb_reason", reasons, 2);
	kernel_symbol(&k, "bdi_list", LIST);
	put_list(&k, LIST, &link, 1);
	put_list(&k, BDI + B_WBS, &node, 1);
	put_str(&k, BDI + B_NAME, "254:0");
	for (unsigned i = 0; i < 4; i++)
		put_list(&k, WB + W_DIRTY + i * 16, NULL, 0);
	put_list(&k, WB + W_WORKS, NULL, 0);
}

static struct wb_seen look(void)
{
	struct wb_seen s = { .n = 0 };
	struct io_call c = { &k.t, &k.scratch, flaw, &s };
	struct err err;

	CHECK_OK(writebacks_each(&c, wb_see, &s, &err), err);
	CHECK_U64(s.n, 1);
	return s;
}

/* fs/fs-writeback.c puts inodes first and takes them from the end; jiffies are of 4 ms here. */
TEST(what_is_dirty_and_what_was_told)
{
	uint64_t inodes[] = { INODE(0) + I_LIST, INODE(1) + I_LIST }, io = INODE(2) + I_LIST;
	uint64_t works[] = { WORK(0) + K_LIST, WORK(1) + K_LIST };
	struct wb_seen s;

	start();
	put64(&k, WB + W_STATE, 7);
	put64(&k, WB + W_STAT + 8, 30);
	put64(&k, WB + W_STAT + 24, (uint64_t)-2); /* the CPUs keep the rest */
	put64(&k, WB + W_BANDWIDTH, 100);
	put_list(&k, WB + W_DIRTY, inodes, 2);
	put_list(&k, WB + W_DIRTY + 16, &io, 1);
	put64(&k, INODE(0) + I_WHEN, IO_NOW_JIFFIES - 10);
	put64(&k, INODE(1) + I_WHEN, IO_NOW_JIFFIES - 250);
	put64(&k, INODE(2) + I_WHEN, IO_NOW_JIFFIES - 20);
	put_list(&k, WB + W_WORKS, works, 2);
	put64(&k, WORK(0) + K_PAGES, 1024);
	put32(&k, WORK(0) + K_REASON, 1);
	put64(&k, WORK(1) + K_SB, SB);
	put32(&k, WORK(1) + K_SYNC, 1);
	put32(&k, WORK(1) + K_REASON, 2);
	put_str(&k, SB + 8, "vda");
	s = look();
	CHECK_U64(s.flaws, 0);
	CHECK_STR(s.w.device, "254:0");
	CHECK_STR(s.w.state, "writeback_running,has_dirty_io");
	CHECK(s.w.dirty == 30 && s.w.under == -2);
	CHECK_U64(s.w.bandwidth, 409600);
	CHECK_U64(s.w.inodes[0], 2);
	CHECK_U64(s.w.inodes[1], 1);
	CHECK_U64(s.w.inodes[2], 0);
	CHECK(s.w.has_oldest);
	CHECK_U64(s.w.oldest_ns, 1000000000u);
	REQUIRE(s.w.n_works == 2);
	CHECK_STR(s.w.works[0].reason, "VMSCAN");
	CHECK(s.w.works[0].pages == 1024 && !s.w.works[0].sb && !s.w.works[0].sync);
	CHECK_STR(s.w.works[1].reason, "SYNC");
	CHECK_STR(s.w.works[1].sb, "vda");
	CHECK(s.w.works[1].sync);
	kernel_release(&k);
}

/* A device that several cgroups write to has one for each; who has seen enough is asked no more. */
TEST(writeback_of_cgroups)
{
	const uint64_t nodes[] = { WB + W_NODE, WB2 + W_NODE };

	for (size_t most = 0; most < 2; most++) {
		struct wb_seen s = { .most = most };
		struct io_call c = { &k.t, &k.scratch, flaw, &s };
		struct err err;

		start();
		for (unsigned i = 0; i < 4; i++)
			put_list(&k, WB2 + W_DIRTY + i * 16, NULL, 0);
		put_list(&k, WB2 + W_WORKS, NULL, 0);
		put_list(&k, BDI + B_WBS, nodes, 2);
		CHECK_OK(writebacks_each(&c, wb_see, &s, &err), err);
		CHECK_U64(s.n, most ? 1 : 2);
		CHECK_U64(s.w.wb, most ? WB : WB2);
		CHECK_U64(s.flaws, 0);
		kernel_release(&k);
	}
}

/* A list that is broken is told, and what else there is is not lost. */
TEST(damaged_writeback)
{
	struct wb_seen s;

	start();
	put64(&k, WB + W_DIRTY, NOWHERE);
	put64(&k, WB + W_WORKS, WORK(0) + K_LIST);
	put64(&k, WORK(0) + K_LIST, WORK(0) + K_LIST); /* leads to itself */
	s = look();
	CHECK_U64(s.flaws, 2);
	CHECK_U64(s.w.inodes[0], 0);
	CHECK(!s.w.has_oldest);
	CHECK(s.w.n_works <= 1000);
	kernel_release(&k);
}

TEST_MAIN
