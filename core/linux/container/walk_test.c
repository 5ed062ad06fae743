/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of walks: contents laid out word by word as the kernel does, and ways to break them. */
#include "core/base/guard.h"
#include "core/base/test.h"
#include "core/linux/container/walk_fake.h"

#define HEAD (KERNEL_BASE + 0x1000)
#define AT(n) (KERNEL_BASE + 0x2000 + (n)*0x1000ull)

struct seen {
	uint64_t v[64];
	size_t n, flaws;
	struct err flaw;
};

static bool seen_node(uint64_t addr, void *arg)
{
	struct seen *s = arg;

	if (s->n < 64)
		s->v[s->n] = addr;
	return ++s->n < 1000;
}

static bool seen_entry(const struct walk_entry *e, void *arg)
{
	struct seen *s = arg;

	if (s->n + 2 < 64) {
		s->v[s->n++] = e->first;
		s->v[s->n++] = e->last;
		s->v[s->n++] = e->entry;
	}
	return true;
}

static bool seen_element(uint64_t index, uint64_t addr, void *arg)
{
	(void)index;
	return seen_node(addr, arg);
}

static void seen_flaw(const struct err *e, void *arg)
{
	struct seen *s = arg;

	if (!s->flaws++)
		s->flaw = *e;
}

static struct walk_plan plan(struct seen *s)
{
	*s = (struct seen){ .n = 0 };
	return (struct walk_plan){ .what = "test",
				   .head = HEAD,
				   .node = seen_node,
				   .number = seen_node,
				   .entry = seen_entry,
				   .element = seen_element,
				   .flaw = seen_flaw,
				   .arg = s };
}

static const uint64_t nodes[] = { AT(0), AT(1), AT(2), AT(3) };

TEST(names_find_walkers)
{
	CHECK(walker_find("rbtree") != NULL);
	CHECK(walker_find("list_lru") != NULL);
	CHECK(walker_find("heap") == NULL);
}

TEST(a_cycle_ends_with_each_entry_once)
{
	static struct fake_kernel k;
	struct seen s;
	struct walk_plan w = plan(&s);
	struct err err;

	walk_fake_init(&k);
	put_list(&k, HEAD, nodes, 4);
	put64(&k, AT(3), AT(1));
	CHECK(!walker_find("list")->walk(&k.t, &w, &err));
	CHECK_CONTAINS(err.msg, "comes back to 0xffff800000003000, number 2");
	CHECK_U64(s.n, 4);
	CHECK_U64(s.flaws, 0);
	kernel_release(&k);
}

TEST(a_wrong_way_back_is_noted_and_passed)
{
	static struct fake_kernel k;
	struct seen s;
	struct walk_plan w = plan(&s);
	struct err err;

	walk_fake_init(&k);
	put_list(&k, HEAD, nodes, 4);
	put64(&k, AT(2) + 8, AT(0));
	CHECK_OK(walker_find("list")->walk(&k.t, &w, &err), err);
	CHECK_U64(s.n, 4);
	CHECK_U64(s.flaws, 1);
	CHECK_U64(s.flaw.addr, AT(2));
	kernel_release(&k);
}

TEST(what_is_no_memory_is_no_entry)
{
	static struct fake_kernel k;
	struct seen s;
	struct walk_plan w = plan(&s);
	struct err err;

	walk_fake_init(&k);
	put_list(&k, HEAD, nodes, 4);
	put64(&k, AT(1), KERNEL_BASE + KERNEL_SIZE);
	CHECK(!walker_find("list")->walk(&k.t, &w, &err));
	CHECK_ERR(err, ERR_UNMAPPED);
	CHECK_U64(s.n, 2);
	kernel_release(&k);
	/* left out by the dumper, it is one */
	walk_fake_init(&k);
	put_list(&k, HEAD, nodes, 4);
	k.holes = 1 << 4;
	w = plan(&s);
	CHECK(!walker_find("list")->walk(&k.t, &w, &err));
	CHECK_ERR(err, ERR_EXCLUDED);
	CHECK_U64(s.n, 3);
	kernel_release(&k);
}

TEST(a_bucket_that_is_broken_hides_no_other)
{
	static struct fake_kernel k;
	struct seen s;
	struct walk_plan w = plan(&s);
	struct err err;

	walk_fake_init(&k);
	w.count = 4;
	put64(&k, HEAD, AT(0)); /* bucket 0: one that leads to itself */
	put64(&k, AT(0), AT(0));
	put64(&k, AT(0) + 8, HEAD);
	put64(&k, HEAD + 24, AT(1)); /* bucket 3 */
	put64(&k, AT(1), 0);
	put64(&k, AT(1) + 8, HEAD + 24);
	CHECK_OK(walker_find("hash")->walk(&k.t, &w, &err), err);
	CHECK_U64(s.n, 2);
	CHECK_U64(s.v[1], AT(1));
	CHECK_U64(s.flaws, 1);
	CHECK_CONTAINS(s.flaw.msg, "bucket 0");
	kernel_release(&k);
}

TEST(rhashtables_end_in_odd_numbers_and_lock_in_bit_0)
{
	static struct fake_kernel k;
	struct seen s;
	struct walk_plan w = plan(&s);
	struct err err;

	walk_fake_init(&k);
	w.link = 0x10;
	put64(&k, HEAD, AT(0)); /* tbl */
	put64(&k, HEAD + 8, 1); /* rhlist */
	put64(&k, AT(0), 2);    /* size */
	put64(&k, AT(0) + 24, (AT(1) + 0x10) | 1);
	put64(&k, AT(0) + 32, (AT(0) + 32) | 1);
	put64(&k, AT(1) + 0x10, (AT(0) + 24) | 1); /* the end */
	put64(&k, AT(1) + 0x18, AT(2) + 0x10);     /* another of its key */
	CHECK_OK(walker_find("rhashtable")->walk(&k.t, &w, &err), err);
	CHECK_U64(s.n, 2);
	CHECK_U64(s.v[0], AT(1));
	CHECK_U64(s.v[1], AT(2));
	CHECK_U64(s.flaws, 0);
	put64(&k, AT(0), 3);
	w = plan(&s);
	CHECK(!walker_find("rhashtable")->walk(&k.t, &w, &err));
	CHECK_CONTAINS(err.msg, "has 3 buckets");
	kernel_release(&k);
}

TEST(bits_are_numbered_from_the_lowest)
{
	static struct fake_kernel k;
	struct seen s;
	struct walk_plan w = plan(&s);
	struct err err;

	walk_fake_init(&k);
	put64(&k, HEAD, 0x8000000000000005u);
	put64(&k, HEAD + 8, 0x3);
	w.count = 65;
	CHECK_OK(walker_find("bitmap")->walk(&k.t, &w, &err), err);
	CHECK_U64(s.n, 4);
	CHECK_U64(s.v[1], 2);
	CHECK_U64(s.v[2], 63);
	CHECK_U64(s.v[3], 64);
	w.count = UINT64_MAX / 2;
	CHECK(!walker_find("bitmap")->walk(&k.t, &w, &err));
	CHECK_ERR(err, ERR_LIMIT);
	kernel_release(&k);
}

/* Ten bits in words of four: 0, 5 freed, 9. */
TEST(sbitmaps_leave_out_what_was_freed)
{
	static struct fake_kernel k;
	struct seen s;
	struct walk_plan w = plan(&s);
	struct err err;

	walk_fake_init(&k);
	put64(&k, HEAD, 10);
	put64(&k, HEAD + 8, 2);
	put64(&k, HEAD + 16, 3);
	put64(&k, HEAD + 24, AT(0));
	put64(&k, AT(0), 1);
	put64(&k, AT(0) + 16, 2);
	put64(&k, AT(0) + 24, 2);
	put64(&k, AT(0) + 32, 0xe);
	CHECK_OK(walker_find("sbitmap")->walk(&k.t, &w, &err), err);
	CHECK_U64(s.n, 2);
	CHECK_U64(s.v[0], 0);
	CHECK_U64(s.v[1], 9);
	put64(&k, HEAD + 8, 7);
	CHECK(!walker_find("sbitmap")->walk(&k.t, &w, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	kernel_release(&k);
}

/* One leaf: slot 1 a number, 2 and 3 one entry, 4 reserved; the ida of the same has bits 0 and 2 of
 * 1024 on. */
TEST(xarrays_join_what_several_slots_hold)
{
	static struct fake_kernel k;
	struct seen s;
	struct walk_plan w = plan(&s);
	struct err err;

	walk_fake_init(&k);
	put64(&k, HEAD + 8, AT(0) | 2);
	k.mem[AT(0) - KERNEL_BASE + 2] = 4;
	put64(&k, AT(0) + 16 + 8, 5 << 1 | 1);
	put64(&k, AT(0) + 16 + 16, AT(1));
	put64(&k, AT(0) + 16 + 24, 2 << 2 | 2);
	put64(&k, AT(0) + 16 + 32, 257 << 2 | 2);
	CHECK_OK(walker_find("xarray")->walk(&k.t, &w, &err), err);
	CHECK_U64(s.n, 6);
	CHECK_U64(s.v[0], 1);
	CHECK_U64(s.v[2], 11);
	CHECK_U64(s.v[3], 2);
	CHECK_U64(s.v[4], 3);
	CHECK_U64(s.v[5], AT(1));
	CHECK_U64(s.flaws, 0);
	k.mem[AT(0) - KERNEL_BASE + 2] = 9;
	w = plan(&s);
	CHECK_OK(walker_find("xarray")->walk(&k.t, &w, &err), err);
	CHECK_CONTAINS(s.flaw.msg, "counts 9 slots in use, and has 4");
	put64(&k, AT(0) + 16 + 16, 0);
	w = plan(&s);
	CHECK_OK(walker_find("ida")->walk(&k.t, &w, &err), err);
	CHECK_U64(s.n, 2);
	CHECK_U64(s.v[0], 1024);
	CHECK_U64(s.v[1], 1026);
	kernel_release(&k);
}

TEST(a_fifo_goes_around)
{
	static struct fake_kernel k;
	struct seen s;
	struct walk_plan w = plan(&s);
	struct err err;

	walk_fake_init(&k);
	put32(&k, HEAD, 5); /* in, out, mask, esize */
	put32(&k, HEAD + 4, 3);
	put32(&k, HEAD + 8, 3);
	put32(&k, HEAD + 12, 4);
	put64(&k, HEAD + 16, AT(0));
	CHECK_OK(walker_find("kfifo")->walk(&k.t, &w, &err), err);
	CHECK_U64(s.n, 2);
	CHECK_U64(s.v[0], AT(0) + 12);
	CHECK_U64(s.v[1], AT(0));
	put32(&k, HEAD, 50);
	CHECK(!walker_find("kfifo")->walk(&k.t, &w, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	kernel_release(&k);
}

/* A tree of two under a root that is walked from the root's node itself, too. */
TEST(rbtrees_start_at_a_root_or_a_node)
{
	static struct fake_kernel k;
	struct seen s;
	struct walk_plan w = plan(&s);
	struct err err;

	walk_fake_init(&k);
	put64(&k, HEAD, AT(1));
	put64(&k, AT(1) + 16, AT(0)); /* left */
	put64(&k, AT(0), AT(1) | 1);
	CHECK_OK(walker_find("rbtree")->walk(&k.t, &w, &err), err);
	CHECK_U64(s.n, 2);
	CHECK_U64(s.v[0], AT(0));
	w = plan(&s);
	w.head = AT(0);
	w.direct = true;
	CHECK_OK(walker_find("rbtree")->walk(&k.t, &w, &err), err);
	CHECK_U64(s.n, 1);
	put64(&k, AT(0), AT(2));
	w = plan(&s);
	CHECK(!walker_find("rbtree")->walk(&k.t, &w, &err));
	CHECK_CONTAINS(err.msg, "names 0xffff800000004000 its parent");
	kernel_release(&k);
}

TEST_MAIN
