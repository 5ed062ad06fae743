/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of trees of address ranges: in the order of /proc/iomem, without end, and broken. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/device/device.h"
#include "core/linux/kernel_fake.h"

#define ROOT (KERNEL_BASE + 0x800)
#define RES(i) (KERNEL_BASE + 0x1000 + 0x40 * (uint64_t)(i))
#define NAME(i) (KERNEL_BASE + 0x8000 + 16 * (uint64_t)(i))

struct seen {
	struct buf said;
	unsigned n, stop;
};

static struct fake_kernel k;
static struct err err;

static bool saw(const struct resource *r, void *arg)
{
	struct seen *s = arg;

	CHECK_U64(r->addr, RES((r->addr - RES(0)) / 0x40));
	buf_printf(&s->said, "%u %llx-%llx %s %llx\n", r->depth, (unsigned long long)r->start,
		   (unsigned long long)r->end, r->name ? r->name : "-",
		   (unsigned long long)r->flags);
	return ++s->n != s->stop;
}

static void put_res(unsigned i, uint64_t start, uint64_t end, const char *name)
{
	put64(&k, RES(i), start);
	put64(&k, RES(i) + 8, end);
	if (name) {
		put64(&k, RES(i) + 16, NAME(i));
		put_str(&k, NAME(i), name);
	}
	put64(&k, RES(i) + 24, 0x200 + i);
}

static void link_res(unsigned i, unsigned sibling, unsigned child)
{
	put64(&k, RES(i) + 32, sibling ? RES(sibling) : 0);
	put64(&k, RES(i) + 40, child ? RES(child) : 0);
}

/* RAM with the kernel's code and data in it, then a device without a name, then another. */
static void start(void)
{
	kernel_init(&k);
	WORDS(&k, "resource", "start", "end", "name", "flags", "sibling", "child");
	kernel_symbol(&k, "iomem_resource", ROOT);
	put64(&k, ROOT + 40, RES(1));
	put_res(1, 0x1000, 0x9ffff, "System RAM");
	put_res(2, 0x2000, 0x2fff, "Kernel code");
	put_res(3, 0x3000, 0x3fff, "Kernel data");
	put_res(4, 0xa0000, 0xbffff, NULL);
	put_res(5, 0xc0000, 0xcffff, "PCI");
	link_res(1, 4, 2);
	link_res(2, 3, 0);
	link_res(4, 5, 0);
}

static const char *walked(struct seen *s, bool want)
{
	const char *text;

	s->n = 0;
	CHECK(resources_each(&k.t, "iomem_resource", saw, s, &err) == want);
	text = arena_strdup(&k.scratch, buf_text(&s->said));
	buf_reset(&s->said);
	return text;
}

TEST(children_behind_their_parent)
{
	struct seen s = { 0 };

	start();
	CHECK_STR(walked(&s, true), "0 1000-9ffff System RAM 201\n"
				    "1 2000-2fff Kernel code 202\n"
				    "1 3000-3fff Kernel data 203\n"
				    "0 a0000-bffff - 204\n"
				    "0 c0000-cffff PCI 205\n");
	/* told to stop, on whatever level: nothing follows */
	s.stop = 2;
	CHECK_STR(walked(&s, true), "0 1000-9ffff System RAM 201\n"
				    "1 2000-2fff Kernel code 202\n");
	s.stop = 1;
	CHECK_STR(walked(&s, true), "0 1000-9ffff System RAM 201\n");
	buf_release(&s.said);
	kernel_release(&k);
	kernel_init(&k);
	CHECK(!resources_each(&k.t, "ioport_resource", saw, &s, &err));
	CHECK_ERR(err, ERR_NOSYM);
	CHECK_CONTAINS(err.msg, "ioport_resource");
	kernel_release(&k);
}

TEST(ranges_that_are_absent)
{
	struct seen s = { 0 };

	start();
	put64(&k, RES(2) + 16, KERNEL_BASE + KERNEL_SIZE); /* a name costs itself */
	put64(&k, RES(4) + 32, KERNEL_BASE + KERNEL_SIZE); /* a sibling what is behind it */
	CHECK_STR(walked(&s, false), "0 1000-9ffff System RAM 201\n"
				     "1 2000-2fff ? 202\n"
				     "1 3000-3fff Kernel data 203\n"
				     "0 a0000-bffff - 204\n");
	CHECK_ERR(err, ERR_UNMAPPED);
	CHECK_CONTAINS(err.msg, "iomem_resource: 0xffff800000040000");
	put64(&k, RES(1) + 40, KERNEL_BASE + KERNEL_SIZE); /* children end the walk, too */
	CHECK_STR(walked(&s, false), "0 1000-9ffff System RAM 201\n");
	buf_release(&s.said);
	kernel_release(&k);
}

TEST(ranges_without_end)
{
	struct seen s = { 0 };
	const char *text;

	start();
	link_res(5, 4, 0);
	CHECK_CONTAINS(walked(&s, false), "0 c0000-cffff PCI 205\n");
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_CONTAINS(err.msg, "comes back to");
	kernel_release(&k);
	/* 65 levels are walked, and a 66th is none that a machine has */
	start();
	for (unsigned i = 1; i <= 65; i++) {
		put_res(i, i, i, NULL);
		link_res(i, 0, i < 65 ? i + 1 : 0);
	}
	CHECK_CONTAINS(walked(&s, true), "64 41-41 - 241\n");
	put_res(66, 66, 66, NULL);
	link_res(66, 0, 0);
	link_res(65, 0, 66);
	text = walked(&s, false);
	CHECK_CONTAINS(text, "64 41-41 - 241\n");
	CHECK(!strstr(text, "65 42-42"));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_CONTAINS(err.msg, "no end of children");
	buf_release(&s.said);
	kernel_release(&k);
}

TEST_MAIN
