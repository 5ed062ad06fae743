/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the counters of /proc/vmstat: their order, their names, and how each is told. */
#include "core/linux/memory/vmstat.h"

#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"

#define ZONE_STAT (KERNEL_BASE + 0x1000)
#define NODE_STAT (KERNEL_BASE + 0x2000)
#define TEXTS (KERNEL_BASE + 0x3000)
#define OTHER (KERNEL_BASE + 0x4000)
#define CPUS (KERNEL_BASE + 0x5000)

static struct fake_kernel k;
static struct enumerator zone_items[] = {
	{ "NR_FREE_PAGES", 0 },
	{ "NR_MLOCK", 1 },
	{ "NR_VM_ZONE_STAT_ITEMS", 2 },
};
static struct enumerator node_items[] = {
	{ "NR_LRU_BASE", 0 },  { "NR_INACTIVE_ANON", 0 },      { "NR_ANON_THPS", 1 },
	{ "NR_SWAPCACHE", 2 }, { "NR_VM_NODE_STAT_ITEMS", 3 },
};
static struct enumerator stat_items[] = {
	{ "NR_DIRTY_THRESHOLD", 0 },
	{ "NR_MEMMAP_PAGES", 1 },
	{ "NR_VM_STAT_ITEMS", 2 },
};
static struct enumerator events[] = {
	{ "PGPGIN", 0 },
	{ "PGFAULT", 1 },
	{ "NR_VM_EVENT_ITEMS", 2 },
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
	items("vm_stat_item", stat_items, ARRAY_SIZE(stat_items));
	items("vm_event_item", events, ARRAY_SIZE(events));
	kernel_symbol(&k, "vm_zone_stat", ZONE_STAT);
	put64(&k, ZONE_STAT, 1000);
	put64(&k, ZONE_STAT + 8, (uint64_t)-1);
	kernel_symbol(&k, "vm_node_stat", NODE_STAT);
	put64(&k, NODE_STAT, 11);
	put64(&k, NODE_STAT + 8, 1024);
	put64(&k, NODE_STAT + 16, 5);
	kernel_symbol(&k, "nr_memmap_pages", OTHER);
	put64(&k, OTHER, 77);
	kernel_symbol(&k, "vm_event_states", KERNEL_BASE + 0x100);
	kernel_symbol(&k, "nr_cpu_ids", CPUS);
	put32(&k, CPUS, 2);
	kernel_symbol(&k, "__per_cpu_offset", CPUS + 0x10);
	put64(&k, CPUS + 0x10, 0x8000);
	put64(&k, CPUS + 0x18, 0x9000);
	kernel_symbol(&k, "__cpu_possible_mask", CPUS + 0x20);
	put64(&k, CPUS + 0x20, 3);
	put64(&k, KERNEL_BASE + 0x8100, 30);
	put64(&k, KERNEL_BASE + 0x9100, 12);
	put64(&k, KERNEL_BASE + 0x8108, 7);
	put64(&k, KERNEL_BASE + 0x9108, (uint64_t)-2); /* an event that was taken back */
}

/* vmstat_text of these nine counters; the kernel's words are not always the constants'. */
static void texts(void)
{
	static const char *const words[] = { "nr_free_pages",    "nr_mlock",
					     "nr_inactive_anon", "nr_anon_huge",
					     "nr_swapcached",    "nr_dirty_threshold",
					     "nr_memmap_pages",  "pgpgin",
					     "pgfault" };

	kernel_symbol(&k, "vmstat_text", TEXTS);
	for (unsigned i = 0; i < ARRAY_SIZE(words); i++) {
		put64(&k, TEXTS + 8 * i, TEXTS + 0x100 + 32 * i);
		put_str(&k, TEXTS + 0x100 + 32 * i, words[i]);
	}
}

struct told {
	struct buf b;
	unsigned flaws;
	struct err flaw;
};

static bool tell(const struct vmstat *v, void *arg)
{
	struct told *told = arg;

	buf_printf(&told->b, "%s %s %s %llu\n", vmstat_group_name(v->group), v->name, v->item,
		   (unsigned long long)v->value);
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
	CHECK(vmstat_each(&k.t, tell, flaw, told, &err));
}

/* In the order of the kernel's table; a limit that the kernel computes when it is asked is left
 * out, a sum below 0 is 0, huge pages are told as such, and sectors as kB. */
TEST(counters_as_the_kernel_tells_them)
{
	struct told told;

	start();
	texts();
	each(&told);
	CHECK_STR(buf_text(&told.b), "zone nr_free_pages NR_FREE_PAGES 1000\n"
				     "zone nr_mlock NR_MLOCK 0\n"
				     "node nr_inactive_anon NR_INACTIVE_ANON 11\n"
				     "node nr_anon_huge NR_ANON_THPS 2\n"
				     "node nr_swapcached NR_SWAPCACHE 5\n"
				     "other nr_memmap_pages NR_MEMMAP_PAGES 77\n"
				     "event pgpgin PGPGIN 21\n"
				     "event pgfault PGFAULT 5\n");
	CHECK_U64(told.flaws, 0);
	buf_release(&told.b);
	kernel_release(&k);
}

/* Without the kernel's words, the constants in small letters. */
TEST(names_without_words)
{
	struct told told;

	start();
	each(&told);
	CHECK_CONTAINS(buf_text(&told.b), "node nr_anon_thps NR_ANON_THPS 2\n");
	CHECK_CONTAINS(buf_text(&told.b), "event pgfault PGFAULT 5\n");
	buf_release(&told.b);
	kernel_release(&k);
}

/* Without the types of one group, the words behind it are nobody's: no name is a wrong one. */
TEST(words_behind_an_unknown_group)
{
	struct told told;

	start();
	texts();
	node_items[4].name = "NR_NONE";
	each(&told);
	node_items[4].name = "NR_VM_NODE_STAT_ITEMS";
	CHECK_STR(buf_text(&told.b), "zone nr_free_pages NR_FREE_PAGES 1000\n"
				     "zone nr_mlock NR_MLOCK 0\n"
				     "other nr_memmap_pages NR_MEMMAP_PAGES 77\n"
				     "event pgpgin PGPGIN 21\n"
				     "event pgfault PGFAULT 5\n");
	buf_release(&told.b);
	kernel_release(&k);
}

/* A CPU whose part is absent is told of; the others' sum stands. */
TEST(counters_that_are_absent)
{
	struct told told;
	uint64_t n;
	struct err err;

	start();
	k.holes = 1 << 9 | 1 << 2;
	each(&told);
	CHECK_STR(buf_text(&told.b), "zone nr_free_pages NR_FREE_PAGES 1000\n"
				     "zone nr_mlock NR_MLOCK 0\n"
				     "other nr_memmap_pages NR_MEMMAP_PAGES 77\n"
				     "event pgpgin PGPGIN 15\n"
				     "event pgfault PGFAULT 7\n");
	CHECK_U64(told.flaws, 2);
	CHECK_ERR(told.flaw, ERR_EXCLUDED);
	CHECK(!vmstat_item(&k.t, VMSTAT_NODE, "NR_SWAPCACHE", &n, &err));
	CHECK_ERR(err, ERR_EXCLUDED);
	CHECK(!vmstat_item(&k.t, VMSTAT_NODE, "NR_NO_SUCH", &n, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	buf_release(&told.b);
	kernel_release(&k);
	kernel_init(&k);
	told = (struct told){ .flaws = 0 };
	CHECK(!vmstat_each(&k.t, tell, flaw, &told, &err));
	CHECK_ERR(err, ERR_NOSYM);
	kernel_release(&k);
}

TEST_MAIN
