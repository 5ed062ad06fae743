/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of broken containers: where each says that it broke and why, and what it keeps. */
#include "core/base/guard.h"
#include "core/base/test.h"
#include "core/linux/container/walk_fake.h"

#define HEAD (KERNEL_BASE + 0x1000)
#define AT(n) (KERNEL_BASE + 0x2000 + (n)*0x1000ull)
#define NOWHERE (KERNEL_BASE + KERNEL_SIZE)
#define SLOT(node, i) (AT(node) + 16 + (i)*8ull)

struct seen {
	struct fake_kernel k;
	struct walk_plan w;
	uint64_t v[64]; /* nodes, numbers, or entries' first indices */
	size_t n, flaws;
	struct err flaw, err; /* the first flaw; how the walk ended */
};

static bool seen_number(uint64_t n, void *arg)
{
	struct seen *s = arg;

	if (s->n < 64)
		s->v[s->n] = n;
	return ++s->n < 100000;
}

static bool seen_entry(const struct walk_entry *e, void *arg)
{
	return seen_number(e->first, arg);
}

static bool seen_element(uint64_t index, uint64_t addr, void *arg)
{
	(void)addr;
	return seen_number(index, arg);
}

static void seen_flaw(const struct err *e, void *arg)
{
	struct seen *s = arg;

	if (!s->flaws++)
		s->flaw = *e;
}

static struct seen *fresh(void)
{
	struct seen *s = xrealloc(NULL, sizeof(*s));

	memset(s, 0, sizeof(*s));
	walk_fake_init(&s->k);
	s->w = (struct walk_plan){ .what = "test",
				   .head = HEAD,
				   .node = seen_number,
				   .number = seen_number,
				   .entry = seen_entry,
				   .element = seen_element,
				   .flaw = seen_flaw,
				   .arg = s };
	return s;
}

static void done(struct seen *s)
{
	kernel_release(&s->k);
	free(s);
}

/* A walk that goes on behind damage, or that ends there. */
static bool walked(struct seen *s, const char *walker)
{
	s->n = s->flaws = 0;
	return walker_find(walker)->walk(&s->k.t, &s->w, &s->err);
}

static void set_byte(struct seen *s, uint64_t va, uint8_t byte)
{
	s->k.mem[va - KERNEL_BASE] = byte;
}

/* A node of two levels: 5 and 6 in the first leaf, 64 in the second. */
static void put_index(struct seen *s, uint64_t head)
{
	put64(&s->k, head, AT(0) | 2);
	set_byte(s, AT(0), 6);
	set_byte(s, AT(0) + 2, 2);
	put64(&s->k, SLOT(0, 0), AT(1) | 2);
	put64(&s->k, SLOT(0, 1), AT(2) | 2);
	put64(&s->k, AT(1) + 8, AT(0));
	set_byte(s, AT(1) + 2, 2);
	put64(&s->k, SLOT(1, 5), AT(8));
	put64(&s->k, SLOT(1, 6), AT(9));
	put64(&s->k, AT(2) + 8, AT(0));
	set_byte(s, AT(2) + 1, 1);
	set_byte(s, AT(2) + 2, 1);
	put64(&s->k, SLOT(2, 0), AT(10));
}

TEST(indices_that_lead_nowhere_or_back)
{
	static const char *const kinds[] = { "xarray", "radix", "idr" };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct seen *s = fresh();

		put_index(s, HEAD + 8);
		CHECK(walked(s, kinds[i]));
		CHECK(s->n == 3 && !s->flaws && s->v[0] == 5 && s->v[2] == 64);
		/* the first leaf is not in memory: the second stays */
		put64(&s->k, SLOT(0, 0), NOWHERE | 2);
		CHECK(walked(s, kinds[i]));
		CHECK(s->n == 1 && s->v[0] == 64);
		CHECK_ERR(s->flaw, ERR_UNMAPPED);
		CHECK_CONTAINS(s->flaw.msg, "node 0xffff800000040000, at index 0");
		/* it is the root again */
		put64(&s->k, SLOT(0, 0), AT(0) | 2);
		CHECK(walked(s, kinds[i]));
		CHECK(s->n == 1);
		CHECK_CONTAINS(s->flaw.msg, "test comes back to 0xffff800000002000");
		/* a leaf that says it is in another place */
		put64(&s->k, SLOT(0, 0), AT(1) | 2);
		set_byte(s, AT(1) + 1, 9);
		CHECK(walked(s, kinds[i]));
		CHECK_U64(s->n, 3);
		CHECK_CONTAINS(s->flaw.msg,
			       "node 0xffff800000003000, in slot 0 of 0xffff800000002000, says it "
			       "is in slot 9 of 0xffff800000002000");
		done(s);
	}
}

TEST(an_index_whose_head_is_nowhere)
{
	struct seen *s = fresh();

	put64(&s->k, HEAD + 8, NOWHERE | 2);
	CHECK(!walked(s, "idr"));
	CHECK_ERR(s->err, ERR_UNMAPPED);
	CHECK_CONTAINS(s->err.msg, "node 0xffff800000040000, at index 0");
	done(s);
	s = fresh();
	s->k.holes = 1 << 1;
	CHECK(!walked(s, "radix"));
	CHECK_ERR(s->err, ERR_EXCLUDED);
	CHECK_CONTAINS(s->err.msg, "head 0xffff800000001000");
	done(s);
	/* an IDA's bitmap is left out by the dumper */
	s = fresh();
	put_index(s, HEAD + 8);
	s->k.holes = 1 << 10;
	put64(&s->k, AT(9), 1);
	CHECK(walked(s, "ida"));
	CHECK(s->n == 1 && s->v[0] == 6 * 1024 && s->flaws == 1);
	CHECK_ERR(s->flaw, ERR_EXCLUDED);
	CHECK_CONTAINS(s->flaw.msg, "from bit 5120");
	done(s);
}

TEST(an_sbitmap_of_absurd_size_ends_where_memory_does)
{
	struct seen *s = fresh();

	put64(&s->k, HEAD, UINT32_MAX);
	put64(&s->k, HEAD + 8, 0);
	put64(&s->k, HEAD + 16, UINT32_MAX);
	put64(&s->k, HEAD + 24, AT(0));
	put64(&s->k, AT(0), 1);
	CHECK(!walked(s, "sbitmap"));
	CHECK_ERR(s->err, ERR_UNMAPPED);
	/* words of 16 bytes from 0x2000 to 0x40000 */
	CHECK_CONTAINS(s->err.msg, "test: word 15872");
	CHECK_U64(s->n, 1);
	done(s);
	/* words that the dumper left out hide no other */
	s = fresh();
	put64(&s->k, HEAD, 1024);
	put64(&s->k, HEAD + 16, 1024);
	put64(&s->k, HEAD + 24, AT(0));
	put64(&s->k, AT(0), 1);
	put64(&s->k, AT(3), 1);
	s->k.holes = 1 << 4;
	CHECK(walked(s, "sbitmap"));
	CHECK(s->n == 2 && s->v[0] == 0 && s->v[1] == 768);
	CHECK_U64(s->flaws, 256);
	CHECK_CONTAINS(s->flaw.msg, "test: word 512");
	done(s);
}

TEST(a_bitmap_with_a_missing_page)
{
	struct seen *s = fresh();

	s->w.head = AT(0);
	s->w.count = 3 * 0x8000; /* three pages */
	put64(&s->k, AT(0), 2);
	put64(&s->k, AT(2), 4);
	s->k.holes = 1 << 3;
	CHECK(walked(s, "bitmap"));
	CHECK(s->n == 2 && s->v[0] == 1 && s->v[1] == 2 * 0x8000 + 2);
	CHECK_CONTAINS(s->flaw.msg, "test: from bit 32768");
	/* past the end of memory nothing follows */
	s->w.head = NOWHERE - 0x200;
	s->w.count = (uint64_t)1 << 33;
	CHECK(!walked(s, "bitmap"));
	CHECK_ERR(s->err, ERR_UNMAPPED);
	CHECK_CONTAINS(s->err.msg, "test: from bit 4096");
	done(s);
}

TEST(priorities_out_of_order_and_klists_of_others)
{
	const uint64_t priorities[] = { AT(0) + 24, AT(1) + 24, AT(2) + 24 };
	const uint64_t nodes[] = { AT(0) + 8, AT(1) + 8, AT(2) + 8 };
	struct seen *s = fresh();

	put_list(&s->k, HEAD, priorities, 3);
	for (unsigned i = 0; i < 3; i++)
		put32(&s->k, AT(i), 30 - i * 10);
	CHECK(walked(s, "plist"));
	CHECK(s->n == 3 && s->flaws == 2);
	CHECK_CONTAINS(s->flaw.msg,
		       "entry 0xffff800000003000 of priority 20 comes after one of 30");
	put64(&s->k, AT(1) + 24, 0);
	CHECK(!walked(s, "plist"));
	CHECK_U64(s->n, 2);
	CHECK_CONTAINS(s->err.msg, "entry 0xffff800000003018, number 2, points to NULL");
	put_list(&s->k, HEAD + 8, nodes, 3);
	for (unsigned i = 0; i < 3; i++)
		put64(&s->k, AT(i), i == 1 ? AT(9) : HEAD | (i == 2));
	CHECK(walked(s, "klist"));
	CHECK(s->n == 3 && s->flaws == 1);
	CHECK_CONTAINS(s->flaw.msg, "entry 0xffff800000003000 names 0xffff80000000b000 its list");
	done(s);
}

TEST(intervals_that_end_before_they_start)
{
	struct seen *s = fresh();

	put64(&s->k, HEAD, AT(1));
	put64(&s->k, AT(1) + 16, AT(0)); /* left */
	put64(&s->k, AT(1) + 8, AT(2));  /* right */
	put64(&s->k, AT(0), AT(1));
	put64(&s->k, AT(2), AT(1));
	for (unsigned i = 0; i < 3; i++) {
		put64(&s->k, AT(i) + 24, 0x100 * (i + 1));
		put64(&s->k, AT(i) + 32, 0x100 * (i + 1) + 0x80);
	}
	CHECK(walked(s, "interval"));
	CHECK(s->n == 3 && !s->flaws);
	put64(&s->k, AT(1) + 32, 0x1ff);
	CHECK(walked(s, "interval"));
	CHECK(s->n == 3 && s->flaws == 1);
	CHECK_CONTAINS(s->flaw.msg, "node 0xffff800000003000 is for 0x200 to 0x1ff, after one "
				    "that starts at 0x100");
	/* and one whose parent is another */
	put64(&s->k, AT(2), AT(0));
	CHECK(!walked(s, "interval"));
	CHECK_U64(s->n, 2);
	CHECK_CONTAINS(s->err.msg, "node 0xffff800000004000 is below 0xffff800000003000, but names "
				   "0xffff800000002000 its parent");
	done(s);
}

TEST(hash_tables_with_a_bad_bucket)
{
	struct seen *s = fresh();

	s->w.count = 3;
	put64(&s->k, HEAD, 0xdead000000000100u);
	put64(&s->k, HEAD + 8, NOWHERE);
	put64(&s->k, HEAD + 16, AT(1));
	put64(&s->k, AT(1) + 8, HEAD + 16);
	CHECK(walked(s, "hash"));
	CHECK(s->n == 1 && s->v[0] == AT(1) && s->flaws == 2);
	CHECK_CONTAINS(s->flaw.msg, "bucket 0: test: entry 0xffff800000001000, number 0, was taken "
				    "off its list (LIST_POISON1)");
	/* nobody is told: the first ends it */
	s->w.flaw = NULL;
	CHECK(!walked(s, "hash"));
	CHECK_CONTAINS(s->err.msg, "bucket 0");
	done(s);
}

/* A size that nothing contradicts, and no memory behind it: a table of 2^28 buckets would take
 * minutes to be told of one by one. */
TEST(rhashtables_of_no_memory)
{
	struct seen *s = fresh();

	put64(&s->k, HEAD, AT(0));       /* tbl */
	put64(&s->k, AT(0), 1u << 28);   /* size */
	put64(&s->k, AT(0) + 24, AT(1)); /* a bucket with an entry; then up to the memory's end */
	put64(&s->k, AT(1), 1);
	CHECK(!walked(s, "rhashtable"));
	CHECK_ERR(s->err, ERR_LIMIT);
	CHECK_CONTAINS(s->err.msg, "of its 268435456 buckets, 65536 that follow each other");
	CHECK(s->n == 1 && s->v[0] == AT(1));
	CHECK_U64(s->flaws, 65536);
	done(s);
}

TEST(rhashtables_that_grow_into_themselves)
{
	struct seen *s = fresh();

	put64(&s->k, HEAD, AT(0));             /* tbl */
	put64(&s->k, AT(0), 2);                /* size */
	put64(&s->k, AT(0) + 16, AT(0));       /* future_tbl: itself */
	put64(&s->k, AT(0) + 24, AT(1));       /* buckets */
	put64(&s->k, AT(1), (AT(0) + 24) | 1); /* the end */
	(void)walked(s, "rhashtable");
	CHECK(s->n == 1 && s->v[0] == AT(1));
	CHECK(s->flaws);
	CHECK_CONTAINS(s->flaw.msg, "bucket 0: entry 0xffff800000003000 was met before");
	put64(&s->k, AT(0) + 16, 0);
	put64(&s->k, AT(0) + 32, NOWHERE);
	CHECK(walked(s, "rhashtable"));
	CHECK_ERR(s->flaw, ERR_UNMAPPED);
	CHECK_CONTAINS(s->flaw.msg, "bucket 1");
	put64(&s->k, HEAD, NOWHERE);
	CHECK(!walked(s, "rhashtable"));
	CHECK_ERR(s->err, ERR_UNMAPPED);
	done(s);
}

/* A root of two leaves: 0 to 9 with an entry, 10 to the end with another. */
static void put_maple(struct seen *s)
{
	put64(&s->k, HEAD + 8, AT(0) | 2 << 3 | 2);
	put64(&s->k, AT(0), (HEAD & ~0xffull) | 1);
	put64(&s->k, AT(0) + 8, 9);
	put64(&s->k, AT(0) + 16, UINT64_MAX);
	put64(&s->k, AT(0) + 128, AT(1) | 1 << 3);
	put64(&s->k, AT(0) + 136, AT(2) | 1 << 3);
	put64(&s->k, AT(1), AT(0));
	put64(&s->k, AT(1) + 8, 9);
	put64(&s->k, AT(1) + 128, AT(8));
	put64(&s->k, AT(2), AT(0));
	put64(&s->k, AT(2) + 8, UINT64_MAX);
	put64(&s->k, AT(2) + 128, AT(9));
}

TEST(maple_trees_with_a_bad_leaf)
{
	struct seen *s = fresh();

	put_maple(s);
	CHECK(walked(s, "maple"));
	CHECK(s->n == 2 && !s->flaws && s->v[0] == 0 && s->v[1] == 10);
	/* freed: it names itself, and is still what it was */
	put64(&s->k, AT(1), AT(1));
	CHECK(walked(s, "maple"));
	CHECK(s->n == 2 && s->flaws == 1);
	CHECK_CONTAINS(s->flaw.msg,
		       "node 0xffff800000003000 is below 0xffff800000002000, but names "
		       "0xffff800000003000, itself: it was freed");
	/* ranges that leave its own */
	put64(&s->k, AT(1), AT(0));
	put64(&s->k, AT(1) + 8, 0x1000);
	CHECK(walked(s, "maple"));
	CHECK(s->n == 1 && s->v[0] == 10);
	CHECK_CONTAINS(s->flaw.msg, "node 0xffff800000003000 has a range from 0x0 to 0x1000");
	/* of no known type, then a missing page */
	put64(&s->k, AT(0) + 128, AT(1) | 9 << 3);
	CHECK(walked(s, "maple"));
	CHECK(s->n == 1);
	CHECK_CONTAINS(s->flaw.msg, "node 0xffff800000003000 is of no known type");
	done(s);
	s = fresh();
	put_maple(s);
	s->k.holes = 1 << 3;
	CHECK(walked(s, "maple"));
	CHECK(s->n == 1);
	CHECK_ERR(s->flaw, ERR_EXCLUDED);
	CHECK_CONTAINS(s->flaw.msg, "node 0xffff800000003000, from index 0x0");
	done(s);
}

/* As when something that is no list is walked as one: a flaw each, and in a time that grows with
 * the list, not with its square. */
TEST(a_long_list_whose_every_way_back_is_wrong)
{
	struct seen *s = fresh();
	const unsigned n = (KERNEL_SIZE - 0x2000) / 16;

	put64(&s->k, HEAD, AT(0));
	put64(&s->k, HEAD + 8, AT(0) + (n - 1) * 16);
	for (unsigned i = 0; i < n; i++)
		put64(&s->k, AT(0) + i * 16, i + 1 < n ? AT(0) + (i + 1) * 16 : HEAD);
	CHECK(walked(s, "list"));
	CHECK(s->n == n && s->flaws == n);
	CHECK_CONTAINS(s->flaw.msg, "entry 0xffff800000002000, number 1, comes after "
				    "0xffff800000001000, but names 0x0 the one before it");
	/* a cycle in it is told with the number of the entry that it comes back to */
	put64(&s->k, AT(0) + (n - 1) * 16, AT(0) + 5 * 16);
	CHECK(!walked(s, "list"));
	CHECK_CONTAINS(s->err.msg, "comes back to 0xffff800000002050, number 6");
	CHECK_U64(s->n, n);
	done(s);
}

TEST(a_fifo_of_two_billion)
{
	struct seen *s = fresh();

	put32(&s->k, HEAD, 0x7fffffff);
	put32(&s->k, HEAD + 8, 0xffffffff);
	put32(&s->k, HEAD + 12, 4);
	s->w.element = NULL;
	put32(&s->k, HEAD + 12, 0);
	CHECK(!walked(s, "kfifo"));
	CHECK_ERR(s->err, ERR_CORRUPT);
	put32(&s->k, HEAD + 12, 4);
	put32(&s->k, HEAD + 8, 6); /* no power of two less one */
	CHECK(!walked(s, "kfifo"));
	CHECK_ERR(s->err, ERR_CORRUPT);
	done(s);
}

TEST_MAIN
