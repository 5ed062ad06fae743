/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the tables of device numbers; no member of the made-up structs lies where another's
 * does, nor at their begin. */
#include "core/base/test.h"
#include "core/linux/device/device.h"
#include "core/linux/kernel_fake.h"

#define CHARS (KERNEL_BASE + 0x1000) /* chrdevs[255] */
#define MAP (KERNEL_BASE + 0x3000)   /* struct kobj_map, its probes 16 bytes in */
#define MAP_POINTER (KERNEL_BASE + 0x5000)
#define BLOCKS (KERNEL_BASE + 0x6000) /* major_names[255] */
#define NODES (KERNEL_BASE + 0x8000)
#define CDEVS (KERNEL_BASE + 0xa000)

static struct fake_kernel k;
static uint64_t next_node;

/* dev_t has twelve bits of major and twenty of minor. */
static uint32_t dev(unsigned major, unsigned minor)
{
	return major << 20 | minor;
}

static void start(void)
{
	struct type *s;

	kernel_init(&k);
	next_node = NODES;
	kernel_symbol(&k, "chrdevs", CHARS);
	kernel_symbol(&k, "cdev_map", MAP_POINTER);
	kernel_symbol(&k, "major_names", BLOCKS);
	put64(&k, MAP_POINTER, MAP);
	s = kernel_struct(&k, "char_device_struct", 112);
	kernel_member(s, "next", &k.ptr, 8);
	kernel_member(s, "major", &k.u32, 16);
	kernel_member(s, "baseminor", &k.u32, 20);
	kernel_member(s, "minorct", &k.s32, 24);
	kernel_member(s, "name", kernel_array(&k, &k.u8, 64), 32);
	kernel_member(s, "cdev", &k.ptr, 104);
	s = kernel_struct(&k, "blk_major_name", 48);
	kernel_member(s, "next", &k.ptr, 8);
	kernel_member(s, "major", &k.s32, 20);
	kernel_member(s, "name", kernel_array(&k, &k.u8, 16), 24);
	s = kernel_struct(&k, "probe", 64);
	kernel_member(s, "next", &k.ptr, 8);
	kernel_member(s, "dev", &k.u32, 20);
	kernel_member(s, "range", &k.u64, 24);
	kernel_member(s, "data", &k.ptr, 56);
	s = kernel_struct(&k, "kobj_map", 16 + 255 * 8);
	kernel_member(s, "probes", kernel_array(&k, &k.ptr, 255), 16);
	s = kernel_struct(&k, "cdev", 64);
	kernel_member(s, "ops", &k.ptr, 40);
}

/* In front of a bucket's list. */
static uint64_t node(uint64_t bucket, uint64_t size)
{
	uint64_t at = next_node, before = 0;

	for (unsigned i = 0; i < 8; i++)
		before |= (uint64_t)k.mem[bucket - KERNEL_BASE + i] << 8 * i;
	next_node += size;
	put64(&k, at + 8, before);
	put64(&k, bucket, at);
	return at;
}

static void range(unsigned major, unsigned minor, unsigned n, const char *name, uint64_t cdev)
{
	uint64_t at = node(CHARS + major % 255 * 8, 112);

	put32(&k, at + 16, major);
	put32(&k, at + 20, minor);
	put32(&k, at + 24, n);
	put_str(&k, at + 32, name);
	put64(&k, at + 104, cdev);
}

static void block_major(unsigned major, const char *name)
{
	uint64_t at = node(BLOCKS + major % 255 * 8, 48);

	put32(&k, at + 20, major);
	put_str(&k, at + 24, name);
}

/* A cdev by its number, with operations at 0x100 times ops. */
static uint64_t cdev(unsigned i, unsigned ops)
{
	put64(&k, CDEVS + i * 64 + 40, ops * 0x100);
	return CDEVS + i * 64;
}

static void served(unsigned major, unsigned minor, uint64_t n, uint64_t by)
{
	uint64_t at = node(MAP + 16 + major % 255 * 8, 64);

	put32(&k, at + 20, dev(major, minor));
	put64(&k, at + 24, n);
	put64(&k, at + 56, by);
}

struct want {
	const char *name;
	bool block;
	unsigned major, minor, minors;
	uint64_t cdev; /* by its number, from 1; 0: none */
	unsigned ops[3];
};
struct walked {
	const struct want *want;
	size_t n, max;
};

static bool see(const struct major *m, void *arg)
{
	struct walked *w = arg;
	const struct want *x = &w->want[w->n];

	if (!CHECK(w->n++ < w->max))
		return false;
	CHECK_STR(m->name, x->name);
	CHECK(m->block == x->block);
	CHECK_U64(m->major, x->major);
	CHECK_U64(m->minor, x->minor);
	CHECK_U64(m->minors, x->minors);
	CHECK_U64(m->cdev, x->cdev ? CDEVS + (x->cdev - 1) * 64 : 0);
	for (size_t i = 0; i < 3; i++)
		CHECK_U64(i < m->n_ops ? m->ops[i] : 0, x->ops[i] * 0x100);
	return true;
}

static bool walk(const struct want *want, size_t n, struct err *why, struct err *err)
{
	struct walked w = { .want = want, .max = n };
	bool ok = majors_each(&k.t, see, &w, why, err);

	CHECK_U64(w.n, n);
	return ok;
}

/* fs/char_dev.c: buckets by the major modulo 255; who called cdev_add() itself is known by the map,
 * where each probe stands in the bucket of every major that it covers. */
TEST(ranges_and_who_serves_them)
{
	static const struct want want[] = {
		{ "mem", false, 1, 0, 256, 1, { 1 } },
		{ "far", false, 256, 4, 1, 0, { 0 } }, /* 256 % 255: behind mem in its bucket */
		{ "first", false, 4, 0, 64, 2, { 2, 3 } },
		{ "second", false, 4, 64, 4, 3, { 3, 2 } },
		{ "idle", false, 5, 0, 3, 0, { 0 } },
		{ "loop", true, 7 + 255, 0, 0, 0, { 0 } },
		{ "sd", true, 8, 0, 0, 0, { 0 } },
	};
	struct err why, err;

	start();
	range(256, 4, 1, "far", 0);
	range(1, 0, 256, "mem", cdev(0, 1));
	range(4, 64, 4, "second", 0);
	range(4, 0, 64, "first", 0);
	range(5, 0, 3, "idle", 0);
	block_major(8, "sd");
	block_major(7 + 255, "loop");
	served(1, 0, 256, cdev(0, 1));
	served(1, 0, 1 << 20, 0);      /* what answers for every number of a major */
	served(4, 0, 1, cdev(1, 2));   /* the first of all */
	served(4, 63, 2, cdev(2, 3));  /* over the end of one range and the begin of the other */
	served(4, 66, 1, cdev(3, 2));  /* what is known is not told again */
	served(4, 68, 1, cdev(4, 5));  /* behind both */
	served(256, 3, 1, cdev(5, 6)); /* before it */
	served(256, 5, 1, cdev(6, 7)); /* behind it */
	served(5, 0, 0, cdev(7, 7));   /* no numbers at all */
	CHECK_OK(walk(want, ARRAY_SIZE(want), &why, &err), err);
	CHECK(why.code != ERR_OK); /* there are no devices to find disks by */
	kernel_release(&k);
}

/* What cannot be read of the map, or in a circle, takes nothing from the ranges themselves. */
TEST(a_map_that_cannot_be_read)
{
	static const struct want want[] = { { "mem", false, 1, 0, 256, 0, { 0 } } };
	struct err why, err;

	for (unsigned i = 0; i < 3; i++) {
		start();
		range(1, 0, 256, "mem", 0);
		if (i == 0) {
			put64(&k, MAP_POINTER, KERNEL_BASE + KERNEL_SIZE);
		} else if (i == 1) {
			served(1, 0, 0, cdev(0, 1));
			put64(&k, NODES + 112 + 8, NODES + 112);
		} else {
			served(1, 0, 256, KERNEL_BASE + KERNEL_SIZE); /* its cdev is not there */
		}
		CHECK_OK(walk(want, 1, &why, &err), err);
		CHECK(why.code != ERR_OK);
		kernel_release(&k);
	}
}

/* Without the table of character devices there is no answer; it ends when who asked has enough. */
static bool enough(const struct major *m, void *arg)
{
	(void)m;
	++*(unsigned *)arg;
	return false;
}

TEST(tables_that_are_not_there)
{
	struct err why, err;
	unsigned seen = 0;

	start();
	range(1, 0, 256, "mem", 0);
	range(4, 0, 256, "tty", 0);
	block_major(8, "sd");
	CHECK_OK(majors_each(&k.t, enough, &seen, &why, &err), err);
	CHECK_U64(seen, 1);
	kernel_release(&k);
	start();
	k.syms[2].name = "no_major_names"; /* a kernel without block devices */
	CHECK_OK(walk(NULL, 0, &why, &err), err);
	kernel_release(&k);
	start();
	k.syms[0].name = "no_chrdevs";
	CHECK(!walk(NULL, 0, &why, &err));
	CHECK_ERR(err, ERR_NOSYM);
	CHECK_CONTAINS(err.msg, "chrdevs");
	kernel_release(&k);
	start();
	put64(&k, CHARS + 8, KERNEL_BASE + KERNEL_SIZE); /* a bucket's range is not there */
	CHECK(!walk(NULL, 0, &why, &err));
	CHECK_CONTAINS(err.msg, "chrdevs");
	kernel_release(&k);
}

TEST_MAIN
