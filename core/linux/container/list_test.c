/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of list walks: whole ones, and each way in which one can be broken. */
#include "core/base/guard.h"
#include "core/linux/container/list.h"
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"

#define HEAD (KERNEL_BASE + 0x1000)
#define NODE(i) (KERNEL_BASE + 0x2000 + (i)*0x1000)

struct visit {
	uint64_t addrs[16];
	size_t n, stop;
};

static bool visit(uint64_t addr, void *arg)
{
	struct visit *v = arg;

	if (v->n < 16)
		v->addrs[v->n] = addr;
	return ++v->n != v->stop;
}

static const uint64_t nodes[] = { NODE(0), NODE(1), NODE(2), NODE(3) };

static void start(struct fake_kernel *k, struct visit *v)
{
	kernel_init(k);
	put_list(k, HEAD, nodes, 4);
	*v = (struct visit){ .n = 0 };
}

TEST(an_empty_list_has_no_entries)
{
	static struct fake_kernel k;
	struct visit v = { .n = 0 };
	struct err err;

	kernel_init(&k);
	put_list(&k, HEAD, NULL, 0);
	CHECK_OK(list_each(&k.t, HEAD, 0, "test list", visit, &v, &err), err);
	CHECK_U64(v.n, 0);
	kernel_release(&k);
}

TEST(entries_come_in_order_as_their_containers)
{
	static struct fake_kernel k;
	struct visit v;
	struct err err;

	start(&k, &v);
	CHECK_OK(list_each(&k.t, HEAD, 0x10, "test list", visit, &v, &err), err);
	CHECK_U64(v.n, 4);
	CHECK_U64(v.addrs[0], NODE(0) - 0x10);
	CHECK_U64(v.addrs[3], NODE(3) - 0x10);
	v = (struct visit){ .n = 0 };
	CHECK_OK(list_each_back(&k.t, HEAD, 0, "test list", visit, &v, &err), err);
	CHECK_U64(v.n, 4);
	CHECK_U64(v.addrs[0], NODE(3));
	v = (struct visit){ .stop = 2 };
	CHECK_OK(list_each(&k.t, HEAD, 0, "test list", visit, &v, &err), err);
	CHECK_U64(v.n, 2);
	kernel_release(&k);
}

TEST(a_cycle_that_misses_the_head_ends)
{
	static struct fake_kernel k;
	struct visit v;
	struct err err;

	start(&k, &v);
	put64(&k, NODE(3), NODE(1));
	CHECK(!list_each(&k.t, HEAD, 0, "test list", visit, &v, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_CONTAINS(err.msg, "test list comes back");
	CHECK(v.n >= 4 && v.n < 20);
	kernel_release(&k);
}

TEST(poison_is_named)
{
	static struct fake_kernel k;
	struct visit v;
	struct err err;

	start(&k, &v);
	put64(&k, NODE(1), 0xdead000000000100u);
	CHECK(!list_each(&k.t, HEAD, 0, "test list", visit, &v, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_CONTAINS(err.msg, "LIST_POISON1");
	CHECK_CONTAINS(err.msg, "0xffff800000003000"); /* the node that was deleted */
	CHECK_U64(v.n, 2);
	kernel_release(&k);
}

TEST(null_misaligned_and_foreign_links_are_errors)
{
	static const struct {
		uint64_t link;
		enum err_code code;
	} bad[] = { { 0, ERR_CORRUPT },
		    { NODE(2) + 1, ERR_CORRUPT },
		    { 0x1000, ERR_BADADDR },
		    { KERNEL_BASE + KERNEL_SIZE, ERR_UNMAPPED } };
	static struct fake_kernel k;
	struct visit v;
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		start(&k, &v);
		put64(&k, NODE(0), bad[i].link);
		CHECK(!list_each(&k.t, HEAD, 0, "test list", visit, &v, &err));
		CHECK_ERR(err, bad[i].code);
		kernel_release(&k);
	}
}

TEST(an_absent_page_tells_its_reason)
{
	static struct fake_kernel k;
	struct visit v;
	struct err err;

	start(&k, &v);
	k.holes = 1 << 4; /* the page of NODE(2) */
	CHECK(!list_each(&k.t, HEAD, 0, "test list", visit, &v, &err));
	CHECK_ERR(err, ERR_EXCLUDED);
	CHECK_CONTAINS(err.msg, "test list: entry 0xffff800000004000, number 3");
	kernel_release(&k);
}

TEST(ctrl_c_stops_a_walk)
{
	static struct fake_kernel k;
	struct visit v;
	struct err err;

	start(&k, &v);
	interrupted = 1;
	CHECK(!list_each(&k.t, HEAD, 0, "test list", visit, &v, &err));
	interrupted = 0;
	CHECK_ERR(err, ERR_INTR);
	kernel_release(&k);
}

TEST_MAIN
