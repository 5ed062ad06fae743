/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the sums of /proc/meminfo, of counters that are there, are missing and are absent. */
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"
#include "core/linux/memory/zone.h"

#define ZONE_STAT (KERNEL_BASE + 0x1000)
#define NODE_STAT (KERNEL_BASE + 0x2000)

static struct fake_kernel k;

/* A kernel that counts less than today's: no swap cache, no reclaimable but slabs. */
static struct enumerator zone_items[] = { { "NR_FREE_PAGES", 0 }, { "NR_MLOCK", 6 } };
static struct enumerator node_items[] = {
	{ "NR_INACTIVE_ANON", 0 }, { "NR_ACTIVE_ANON", 1 },        { "NR_INACTIVE_FILE", 2 },
	{ "NR_ACTIVE_FILE", 3 },   { "NR_SLAB_RECLAIMABLE_B", 5 }, { "NR_SLAB_UNRECLAIMABLE_B", 6 },
	{ "NR_FILE_PAGES", 7 },    { "NR_KERNEL_STACK_KB", 9 },    { "NR_SWAPCACHE", 10 },
};

static void items(const char *name, struct enumerator *e, size_t n)
{
	struct type *type = kernel_struct(&k, name, 4);

	type->kind = TYPE_ENUM;
	type->enums = e;
	type->n_enums = n;
}

static void start(void)
{
	kernel_init(&k);
	items("zone_stat_item", zone_items, ARRAY_SIZE(zone_items));
	items("node_stat_item", node_items, ARRAY_SIZE(node_items));
	kernel_symbol(&k, "vm_zone_stat", ZONE_STAT);
	kernel_symbol(&k, "vm_node_stat", NODE_STAT);
	put64(&k, ZONE_STAT, 1000);
	put64(&k, ZONE_STAT + 6 * 8, 3);
	for (unsigned i = 0; i < 11; i++)
		put64(&k, NODE_STAT + 8 * i, 10u << i);
}

/* The line of a name; UINT64_MAX: none. */
static uint64_t kb_of(const char *name, struct err *err)
{
	struct meminfo m[MEMINFO_MAX];
	size_t n = meminfo_read(&k.t, m, err);

	for (size_t i = 0; i < n; i++)
		if (!strcmp(m[i].name, name))
			return m[i].kb;
	return UINT64_MAX;
}

/* Pages are of 4 KiB. What this kernel does not count makes no line and is no flaw. */
TEST(sums_as_the_kernel_makes_them)
{
	struct err err = { .code = ERR_CORRUPT };

	start();
	CHECK_U64(kb_of("MemFree", &err), 4000);
	CHECK_ERR(err, ERR_OK);
	CHECK_U64(kb_of("Mlocked", &err), 12);
	CHECK_U64(kb_of("Active", &err), 4 * (20 + 80));
	CHECK_U64(kb_of("Inactive", &err), 4 * (10 + 40));
	CHECK_U64(kb_of("Slab", &err), 4 * (320 + 640));
	CHECK_U64(kb_of("SUnreclaim", &err), 4 * 640);
	CHECK_U64(kb_of("KernelStack", &err), 5120);
	/* less than is taken off it stands for nothing */
	CHECK_U64(kb_of("Buffers+Cached", &err), 0);
	put64(&k, NODE_STAT + 8 * 10, 80);
	CHECK_U64(kb_of("Buffers+Cached", &err), 4 * (1280 - 80));
	CHECK_U64(kb_of("Cached", &err), UINT64_MAX); /* there is nothing to know buffers by */
	CHECK_U64(kb_of("KReclaimable", &err), UINT64_MAX);
	CHECK_U64(kb_of("Dirty", &err), UINT64_MAX);
	CHECK_ERR(err, ERR_OK);
	kernel_release(&k);
}

/* A CPU that took has said so, one that gave has not yet. */
TEST(counters_below_zero)
{
	struct err err;

	start();
	put64(&k, NODE_STAT + 8, (uint64_t)-5);
	CHECK_U64(kb_of("Active(anon)", &err), 0);
	CHECK_U64(kb_of("Active", &err), 4 * 80);
	put64(&k, NODE_STAT + 8 * 10, (uint64_t)-5);
	CHECK_U64(kb_of("Buffers+Cached", &err), 4 * 1280);
	kernel_release(&k);
}

/* More than 2^31 pages, and the pages that _totalram_pages counts. */
TEST(much_memory)
{
	struct err err;

	start();
	kernel_symbol(&k, "_totalram_pages", KERNEL_BASE + 0x3000);
	put64(&k, KERNEL_BASE + 0x3000, 50000);
	*vec_push(&k.t.ram) = (struct ram_region){ 0, 0xfffffff };
	put64(&k, ZONE_STAT, UINT64_C(3) << 31);
	CHECK_U64(kb_of("MemTotal", &err), 200000);
	CHECK_U64(kb_of("MemFree", &err), UINT64_C(3) << 33);
	kernel_release(&k);
}

/* Counters are longs: of a kernel of 32 bits the next is 4 bytes further. */
TEST(counters_of_32_bits)
{
	struct err err;

	start();
	k.arch.word = 4;
	put32(&k, NODE_STAT + 4, 100);
	put32(&k, NODE_STAT + 8, 200);
	put32(&k, NODE_STAT + 12, (uint32_t)-100);
	CHECK_U64(kb_of("Active(anon)", &err), 400);
	CHECK_U64(kb_of("Inactive(file)", &err), 800);
	CHECK_U64(kb_of("Active(file)", &err), 0);
	CHECK_U64(kb_of("Active", &err), 400);
	kernel_release(&k);
}

/* Two CPUs, whose parts lie this far behind what the image has of them. */
static void cpus(void)
{
	kernel_symbol(&k, "nr_cpu_ids", KERNEL_BASE + 0x4000);
	put32(&k, KERNEL_BASE + 0x4000, 2);
	kernel_symbol(&k, "__per_cpu_offset", KERNEL_BASE + 0x4010);
	put64(&k, KERNEL_BASE + 0x4010, 0x8000);
	put64(&k, KERNEL_BASE + 0x4018, 0x9000);
	kernel_symbol(&k, "__cpu_possible_mask", KERNEL_BASE + 0x4020);
	put64(&k, KERNEL_BASE + 0x4020, 3);
}

/* What is promised: the count, and what each CPU has not added to it yet; either may be negative.
 */
static void committed(void)
{
	struct type *counter;

	start();
	cpus();
	counter = kernel_struct(&k, "percpu_counter", 24);
	kernel_member(counter, "count", &k.s64, 8);
	kernel_member(counter, "counters", &k.ptr, 16);
	kernel_symbol(&k, "vm_committed_as", KERNEL_BASE + 0x5000);
	put64(&k, KERNEL_BASE + 0x5008, 1000);
	put64(&k, KERNEL_BASE + 0x5010, KERNEL_BASE + 0x100);
	put32(&k, KERNEL_BASE + 0x8100, 24);
	put32(&k, KERNEL_BASE + 0x9100, (uint32_t)-4);
}

TEST(promises)
{
	struct err err;

	committed();
	CHECK_U64(kb_of("Committed_AS", &err), 4 * (1000 + 24 - 4));
	CHECK_U64(kb_of("CommitLimit", &err), UINT64_MAX);
	CHECK_ERR(err, ERR_OK);
	put32(&k, KERNEL_BASE + 0x8100, (uint32_t)-2000);
	CHECK_U64(kb_of("Committed_AS", &err), 0);
	kernel_release(&k);
	committed();
	k.holes = 1 << 9;
	CHECK_U64(kb_of("Committed_AS", &err), UINT64_MAX);
	CHECK_ERR(err, ERR_EXCLUDED);
	CHECK_CONTAINS(err.msg, "CPU 1");
	kernel_release(&k);
}

/* What may be promised: 70 of 100 of the pages that are no huge pages, and swap. */
TEST(limits_of_promises)
{
	struct type *state;
	struct err err;

	start();
	kernel_symbol(&k, "_totalram_pages", KERNEL_BASE + 0x3000);
	put64(&k, KERNEL_BASE + 0x3000, 50000);
	kernel_symbol(&k, "sysctl_overcommit_kbytes", KERNEL_BASE + 0x3008);
	kernel_symbol(&k, "sysctl_overcommit_ratio", KERNEL_BASE + 0x3010);
	put32(&k, KERNEL_BASE + 0x3010, 70);
	kernel_symbol(&k, "total_swap_pages", KERNEL_BASE + 0x3018);
	put64(&k, KERNEL_BASE + 0x3018, 300);
	/* huge pages of 2 MiB, which are the default, and one of 1 GiB */
	state = WORDS(&k, "hstate", "order", "nr_huge_pages", "free_huge_pages", "resv_huge_pages",
		      "surplus_huge_pages");
	kernel_symbol(&k, "hstates", KERNEL_BASE + 0x6000);
	kernel_symbol(&k, "hugetlb_max_hstate", KERNEL_BASE + 0x3020);
	put32(&k, KERNEL_BASE + 0x3020, 2);
	kernel_symbol(&k, "default_hstate_idx", KERNEL_BASE + 0x3028);
	put32(&k, KERNEL_BASE + 0x3028, 1);
	put64(&k, KERNEL_BASE + 0x6000, 18);
	put64(&k, KERNEL_BASE + 0x6008, 0);
	put64(&k, KERNEL_BASE + 0x6000 + state->size, 9);
	put64(&k, KERNEL_BASE + 0x6008 + state->size, 20);
	put64(&k, KERNEL_BASE + 0x6010 + state->size, 7);
	put64(&k, KERNEL_BASE + 0x6018 + state->size, 3);
	put64(&k, KERNEL_BASE + 0x6020 + state->size, 1);
	CHECK_U64(kb_of("HugePages_Total", &err), 20);
	CHECK_U64(kb_of("HugePages_Free", &err), 7);
	CHECK_U64(kb_of("HugePages_Rsvd", &err), 3);
	CHECK_U64(kb_of("HugePages_Surp", &err), 1);
	CHECK_U64(kb_of("Hugepagesize", &err), 2048);
	CHECK_U64(kb_of("Hugetlb", &err), 20 * 2048);
	CHECK_U64(kb_of("CommitLimit", &err), 4 * ((50000 - 20 * 512) * 70 / 100 + 300));
	CHECK_ERR(err, ERR_OK);
	/* a limit in kB stands above the ratio */
	put64(&k, KERNEL_BASE + 0x3008, 4096);
	CHECK_U64(kb_of("CommitLimit", &err), 4096 + 4 * 300);
	/* numbers that cannot be are no answer */
	put32(&k, KERNEL_BASE + 0x3028, 1u << 30);
	CHECK_U64(kb_of("HugePages_Total", &err), UINT64_MAX);
	CHECK_ERR(err, ERR_CORRUPT);
	kernel_release(&k);
}

/* A page that the dump lacks costs its lines, and the first of them says why. */
TEST(counters_that_are_absent)
{
	struct meminfo m[MEMINFO_MAX];
	struct err err;

	start();
	k.holes = 1 << 2;
	CHECK_U64(kb_of("Active", &err), UINT64_MAX);
	CHECK_U64(kb_of("MemFree", &err), 4000);
	CHECK_ERR(err, ERR_EXCLUDED);
	CHECK_CONTAINS(err.msg, "NR_FILE_PAGES"); /* the first line of a node's counters */
	kernel_release(&k);
	/* all of them */
	start();
	k.holes = 3 << 1;
	CHECK_U64(meminfo_read(&k.t, m, &err), 0);
	CHECK_ERR(err, ERR_EXCLUDED);
	CHECK_CONTAINS(err.msg, "NR_FREE_PAGES");
	kernel_release(&k);
	/* nothing to read, and no reason but that */
	kernel_init(&k);
	CHECK_U64(meminfo_read(&k.t, m, &err), 0);
	CHECK_ERR(err, ERR_NOSYM);
	CHECK_CONTAINS(err.msg, "vm_zone_stat");
	kernel_release(&k);
}

TEST_MAIN
