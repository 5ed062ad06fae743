/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of sets of numbers, indices and places: where each ends, and that a caller can have enough.
 */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/container/walk_fake.h"

static struct fake_kernel k;
static struct buf said;
static unsigned most; /* how many are wanted; 0: all */
static unsigned flaws;

#define HEAD (KERNEL_BASE + 0x1000)
#define AT(n) (KERNEL_BASE + 0x2000 + (n)*0x1000ull)
#define END (KERNEL_BASE + KERNEL_SIZE)

static bool enough(void)
{
	return most && !--most;
}

static bool saw_number(uint64_t n, void *arg)
{
	(void)arg;
	buf_printf(&said, "%llu ", (unsigned long long)n);
	return !enough();
}

static bool saw_entry(const struct walk_entry *e, void *arg)
{
	(void)arg;
	buf_printf(&said, "%llu-%llu:%llx ", (unsigned long long)e->first,
		   (unsigned long long)e->last, (unsigned long long)e->entry);
	return !enough();
}

static bool saw_node(uint64_t addr, void *arg)
{
	(void)arg;
	buf_printf(&said, "%llx ", (unsigned long long)(addr - KERNEL_BASE));
	return !enough();
}

static bool saw_element(uint64_t index, uint64_t addr, void *arg)
{
	(void)arg;
	buf_printf(&said, "%llu:%llx ", (unsigned long long)index,
		   (unsigned long long)(addr - KERNEL_BASE));
	return !enough();
}

static void saw_flaw(const struct err *e, void *arg)
{
	(void)e;
	(void)arg;
	flaws++;
}

/* What a walk of head gives; with the error in parentheses. */
static const char *walk(const char *name, uint64_t head, uint64_t count, uint64_t size)
{
	const struct walk_plan w = { .what = "test",
				     .head = head,
				     .count = count,
				     .size = size,
				     .node = saw_node,
				     .entry = saw_entry,
				     .number = saw_number,
				     .element = saw_element,
				     .flaw = saw_flaw };
	const char *ret;
	struct err err;

	flaws = 0;
	if (!walker_find(name)->walk(&k.t, &w, &err))
		buf_printf(&said, "(%s)", err.msg);
	most = 0;
	ret = arena_strdup(&k.scratch, buf_text(&said));
	buf_release(&said);
	said = (struct buf){ 0 };
	return ret;
}

TEST(bits_up_to_the_last)
{
	walk_fake_init(&k);
	put64(&k, END - 8, 1ull << 63 | 1);
	CHECK_STR(walk("bitmap", END - 8, 64, 0), "0 63 "); /* nothing is behind them */
	CHECK_STR(walk("bitmap", END - 8, 63, 0), "0 ");
	CHECK_STR(walk("bitmap", END - 8, 1, 0), "0 ");
	CHECK_STR(walk("bitmap", END - 8, 0, 0), "");
	CHECK_CONTAINS(walk("bitmap", END - 8, 65, 0), "(test: from bit 0: ");
	/* more words than are read at once: 64 of them are 4096 bits */
	put64(&k, AT(0) + 64 * 8, 2);
	put64(&k, AT(0) + 63 * 8, 1ull << 63);
	put64(&k, AT(0) + 65 * 8, 1);
	CHECK_STR(walk("bitmap", AT(0), 4160, 0), "4095 4097 ");
	CHECK_STR(walk("bitmap", AT(0), 4161, 0), "4095 4097 4160 ");
	most = 1;
	CHECK_STR(walk("bitmap", AT(0), 4161, 0), "4095 ");
	CHECK_CONTAINS(walk("bitmap", AT(0), (1ull << 34) + 1, 0), "bits are more than any has");
	kernel_release(&k);
}

/* Words of a machine of 32 bits. */
TEST(bits_in_narrow_words)
{
	walk_fake_init(&k);
	k.arch.word = 4;
	put32(&k, AT(0), 0x80000000u);
	put32(&k, AT(0) + 4, 3);
	CHECK_STR(walk("bitmap", AT(0), 33, 0), "31 32 ");
	CHECK_STR(walk("bitmap", AT(0), 64, 0), "31 32 33 ");
	kernel_release(&k);
}

static void sbitmap_put(uint64_t depth, uint64_t shift, uint64_t nr, uint64_t map)
{
	put64(&k, HEAD, depth);
	put64(&k, HEAD + 8, shift);
	put64(&k, HEAD + 16, nr);
	put64(&k, HEAD + 24, map);
}

/* include/linux/sbitmap.h: `map_nr` words of 1 << shift bits, depth of them in all. */
TEST(sbitmaps_up_to_their_depth)
{
	walk_fake_init(&k);
	for (uint64_t i = 0; i < 3; i++)
		put64(&k, AT(0) + 16 * i, UINT64_MAX);
	sbitmap_put(5, 1, 3, AT(0));
	CHECK_STR(walk("sbitmap", HEAD, 0, 0), "0 1 2 3 4 ");
	sbitmap_put(6, 1, 3, AT(0));
	CHECK_STR(walk("sbitmap", HEAD, 0, 0), "0 1 2 3 4 5 ");
	most = 3;
	CHECK_STR(walk("sbitmap", HEAD, 0, 0), "0 1 2 ");
	sbitmap_put(3, 0, 3, AT(0));
	put64(&k, AT(0) + 16 + 8, 1); /* freed, and not yet taken out */
	CHECK_STR(walk("sbitmap", HEAD, 0, 0), "0 2 ");
	sbitmap_put(66, 6, 2, AT(0));
	put64(&k, AT(0), 1ull << 63);
	put64(&k, AT(0) + 24, 0);
	CHECK_STR(walk("sbitmap", HEAD, 0, 0), "63 64 65 ");
	/* more words than bits, and too few for its bits, are none */
	sbitmap_put(2, 1, 3, AT(0));
	CHECK_CONTAINS(walk("sbitmap", HEAD, 0, 0), "2 bits in 3 words of 2^1)");
	sbitmap_put(5, 1, 2, AT(0));
	CHECK_CONTAINS(walk("sbitmap", HEAD, 0, 0), "5 bits in 2 words of 2^1)");
	sbitmap_put(5, 7, 1, AT(0));
	CHECK_CONTAINS(walk("sbitmap", HEAD, 0, 0), "5 bits in 1 words of 2^7)");
	sbitmap_put(4, 1, 2, END);
	CHECK_CONTAINS(walk("sbitmap", HEAD, 0, 0), "(test: word 0: ");
	CHECK_CONTAINS(walk("sbitmap", END, 0, 0), "(test: 0xffff800000040000: ");
	kernel_release(&k);
}

static void leaf_put(uint64_t node, unsigned slot, uint64_t entry)
{
	put64(&k, node + 16 + 8 * (uint64_t)slot, entry);
	k.mem[node + 2 - KERNEL_BASE]++;
}

/* lib/idr.c: up to 62 numbers stand in the entry itself, shifted left by one; more in 128 bytes. */
TEST(numbers_of_an_ida)
{
	walk_fake_init(&k);
	put64(&k, HEAD + 8, AT(0) | 2);
	leaf_put(AT(0), 0, 1ull << 62 << 1 | 4 << 1 | 1);
	leaf_put(AT(0), 2, AT(1));
	put64(&k, AT(1), 2);
	put64(&k, AT(1) + 120, 1ull << 63);
	put64(&k, AT(1) + 128, 1); /* behind it */
	CHECK_STR(walk("ida", HEAD, 0, 0), "2 62 2049 3071 ");
	most = 3;
	CHECK_STR(walk("ida", HEAD, 0, 0), "2 62 2049 ");
	most = 1;
	CHECK_STR(walk("ida", HEAD, 0, 0), "2 ");
	leaf_put(AT(0), 3, END);
	CHECK_CONTAINS(walk("ida", HEAD, 0, 0), "2 62 2049 3071 (test: from bit 3072: ");
	kernel_release(&k);
}

/* idr_base is what the first number is; 6ce711f27500 (v4.16). */
TEST(an_idr_counts_from_its_base)
{
	walk_fake_init(&k);
	put64(&k, HEAD + 8, AT(0) | 2);
	put64(&k, HEAD + 16, 100);
	leaf_put(AT(0), 0, AT(1));
	leaf_put(AT(0), 5, AT(2));
	CHECK_STR(walk("idr", HEAD, 0, 0), "100-100:ffff800000003000 105-105:ffff800000004000 ");
	k.mem[AT(0) + 2 - KERNEL_BASE] = 7;
	CHECK_CONTAINS(walk("idr", HEAD, 0, 0), "105-105:");
	CHECK_U64(flaws, 1);
	kernel_release(&k);
}

TEST(elements_of_arrays_and_cpus)
{
	walk_fake_init(&k);
	CHECK_STR(walk("array", AT(0), 3, 24), "0:2000 1:2018 2:2030 ");
	most = 2;
	CHECK_STR(walk("array", AT(0), 3, 24), "0:2000 1:2018 ");
	CHECK_CONTAINS(walk("percpu", AT(0), 0, 8), "(where CPUs keep their data is not known");
	kernel_release(&k);
	walk_fake_init(&k);
	kernel_symbol(&k, "nr_cpu_ids", HEAD);
	kernel_symbol(&k, "__cpu_possible_mask", HEAD + 8);
	kernel_symbol(&k, "__per_cpu_offset", HEAD + 16);
	put32(&k, HEAD, 4);
	put64(&k, HEAD + 8, 0xb); /* of CPUs 0 to 3 not 2 */
	for (uint64_t i = 0; i < 4; i++)
		put64(&k, HEAD + 16 + 8 * i, 0x100 * i);
	CHECK_STR(walk("percpu", AT(0), 0, 8), "0:2000 1:2100 3:2300 ");
	most = 2;
	CHECK_STR(walk("percpu", AT(0), 0, 8), "0:2000 1:2100 ");
	kernel_release(&k);
}

/* One list for each NUMA node; struct list_lru_node is 24 bytes here, with its list in front. */
TEST(an_lru_has_a_list_for_each_node)
{
	const uint64_t first[] = { AT(1), AT(2) }, second = AT(3);

	walk_fake_init(&k);
	put64(&k, HEAD, AT(0));
	put_list(&k, AT(0), first, 2);
	put_list(&k, AT(0) + 24, &second, 1);
	CHECK_STR(walk("list_lru", HEAD, 0, 0), "3000 4000 "); /* nr_node_ids is 1 without NUMA */
	kernel_release(&k);
	walk_fake_init(&k);
	kernel_symbol(&k, "nr_node_ids", HEAD + 0x100);
	put32(&k, HEAD + 0x100, 2);
	put64(&k, HEAD, AT(0));
	put_list(&k, AT(0), first, 2);
	put_list(&k, AT(0) + 24, &second, 1);
	CHECK_STR(walk("list_lru", HEAD, 0, 0), "3000 4000 5000 ");
	most = 2;
	CHECK_STR(walk("list_lru", HEAD, 0, 0), "3000 4000 ");
	/* a list that is broken hides no other */
	put64(&k, AT(0), END);
	CHECK_STR(walk("list_lru", HEAD, 0, 0), "5000 ");
	CHECK(flaws > 0);
	put32(&k, HEAD + 0x100, 0);
	CHECK_STR(walk("list_lru", HEAD, 0, 0), "(test: nr_node_ids is 0)");
	put32(&k, HEAD + 0x100, 1025);
	CHECK_STR(walk("list_lru", HEAD, 0, 0), "(test: nr_node_ids is 1025)");
	put64(&k, HEAD, 0);
	CHECK_CONTAINS(walk("list_lru", END, 0, 0), "(test: 0xffff800000040000: ");
	kernel_release(&k);
}
TEST_MAIN
