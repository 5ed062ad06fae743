/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of who asked for memory, on a fake kernel that notes it in every way: sound notes, and
 * damaged ones. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/memory/address.h"
#include "core/linux/memory/origin_fake.h"

static struct fake_kernel k;

static void start(void)
{
	origin_setup(&k, "pool_index_plus_1");
}

static void stack_is(const uint64_t *frames, size_t n, uint64_t first)
{
	CHECK_U64(n, 2);
	if (n == 2) {
		CHECK_U64(frames[0], first);
		CHECK_U64(frames[1], first + 1);
	}
}

/* The users' own bits say nothing of the stack. */
TEST(stacks_of_handles)
{
	const uint64_t *frames;
	struct err err;
	size_t n = 9;

	start();
	CHECK(stack_depot_read(&k.t, (uint32_t)ORIGIN_HANDLE(0), &frames, &n, &err));
	stack_is(frames, n, 0x100);
	CHECK(stack_depot_read(&k.t, (uint32_t)ORIGIN_HANDLE(0x40) | 31u << 27, &frames, &n, &err));
	stack_is(frames, n, 0x900);
	CHECK(stack_depot_read(&k.t, 0, &frames, &n, &err));
	CHECK_U64(n, 0);
	kernel_release(&k);
}

/* Up to v6.8 the number of the pool is the number; in v7.2 the variable points to the array. */
TEST(depots_of_other_kernels)
{
	const uint64_t *frames;
	struct err err;
	size_t n;

	origin_setup(&k, "slabindex");
	CHECK(stack_depot_read(&k.t, (uint32_t)ORIGIN_HANDLE(0x40), &frames, &n, &err));
	stack_is(frames, n, 0x900);
	kernel_release(&k);
	start();
	for (size_t i = 0; i < k.n_syms; i++)
		if (!strcmp(k.syms[i].name, "stack_pools")) {
			k.syms[i].size = 8;
			k.syms[i].addr = ORIGIN_POOLS + 0x100;
		}
	put64(&k, ORIGIN_POOLS + 0x100, ORIGIN_POOLS);
	CHECK(stack_depot_read(&k.t, (uint32_t)ORIGIN_HANDLE(0), &frames, &n, &err));
	stack_is(frames, n, 0x100);
	kernel_release(&k);
}

TEST(stacks_that_are_none)
{
	const uint64_t *frames;
	struct err err;
	size_t n;

	start();
	/* between two records, of no pool, of a pool that is not there */
	CHECK(!stack_depot_read(&k.t, (uint32_t)ORIGIN_HANDLE(0x20), &frames, &n, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_CONTAINS(err.msg, "another one's");
	CHECK(!stack_depot_read(&k.t, 1u << 17, &frames, &n, &err));
	CHECK_CONTAINS(err.msg, "of no pool");
	CHECK(!stack_depot_read(&k.t, 4 | 1u << 17, &frames, &n, &err));
	CHECK_CONTAINS(err.msg, "not there");
	put32(&k, ORIGIN_POOL + 20, 1u << 20);
	CHECK(!stack_depot_read(&k.t, (uint32_t)ORIGIN_HANDLE(0), &frames, &n, &err));
	CHECK_CONTAINS(err.msg, "1048576 frames");
	kernel_release(&k);
	start();
	k.holes = UINT64_C(1) << 0x18;
	CHECK(!stack_depot_read(&k.t, (uint32_t)ORIGIN_HANDLE(0), &frames, &n, &err));
	CHECK_ERR(err, ERR_EXCLUDED);
	kernel_release(&k);
}

TEST(tracks_of_slab_objects)
{
	const struct slab_cache *c;
	struct origin alloc, freed;
	struct err err;

	start();
	CHECK(slab_cache_find(&k.t, "widget", &c, &err));
	CHECK(slab_track_read(&k.t, c, SLAB_AT, &alloc, &freed, &err));
	stack_is(alloc.frames, alloc.n, 0x100);
	CHECK(alloc.pid == 77);
	CHECK(alloc.cpu == 1);
	CHECK_U64(freed.n, 0);
	CHECK(freed.pid == -1);
	CHECK(slab_track_read(&k.t, c, SLAB_AT + SLAB_SIZE, &alloc, &freed, &err));
	CHECK_U64(alloc.n, 0);
	stack_is(freed.frames, freed.n, 0x900);
	/* a stack that is lost costs itself: who it was is known, and from where */
	put32(&k, ORIGIN_POOL + 24, 0);
	CHECK(slab_track_read(&k.t, c, SLAB_AT, &alloc, &freed, &err));
	CHECK(alloc.pid == 77);
	CHECK_U64(alloc.n, 1);
	CHECK_U64(alloc.frames[0], 0x100);
	CHECK_ERR(alloc.why, ERR_CORRUPT);
	kernel_release(&k);
	/* a cache that notes nobody, and one without room for it */
	start();
	put32(&k, SLAB_CACHE_AT + 56, 0);
	CHECK(slab_cache_find(&k.t, "widget", &c, &err));
	CHECK(!slab_track_read(&k.t, c, SLAB_AT, &alloc, &freed, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	kernel_release(&k);
	start();
	put32(&k, SLAB_CACHE_AT + 60, 0xd0);
	CHECK(slab_cache_find(&k.t, "widget", &c, &err));
	CHECK(!slab_track_read(&k.t, c, SLAB_AT, &alloc, &freed, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	kernel_release(&k);
}

TEST(objects_of_kfence)
{
	struct kfence_object o;
	struct err err;

	start();
	/* the first object's page is the third of the pool, and the fourth is its guard */
	CHECK(kfence_at(&k.t, ORIGIN_KFENCE_POOL + 0x2010, &o, &err));
	CHECK_STR(o.state, "freed");
	CHECK_STR(o.cache, "widget");
	CHECK_U64(o.addr, ORIGIN_KFENCE_POOL + 0x2000);
	CHECK_U64(o.size, 24);
	CHECK(!o.guard);
	CHECK_U64(o.alloc.n, 2);
	CHECK(o.alloc.pid == 7);
	CHECK_U64(o.alloc.at, 1500000000);
	CHECK_U64(o.freed.n, 1);
	CHECK_U64(o.freed.frames[0], 0x333);
	CHECK(kfence_at(&k.t, ORIGIN_KFENCE_POOL + 0x3000, &o, &err));
	CHECK_U64(o.index, 0);
	CHECK(o.guard);
	/* in use: who gave back what was there before is no news of it */
	CHECK(kfence_at(&k.t, ORIGIN_KFENCE_POOL + 0x4ff8, &o, &err));
	CHECK_STR(o.state, "allocated");
	CHECK_U64(o.freed.n, 0);
	/* before the first object, behind the last, far away */
	CHECK(!kfence_at(&k.t, ORIGIN_KFENCE_POOL + 0x1fff, &o, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK(!kfence_at(&k.t, ORIGIN_KFENCE_POOL - 1, &o, &err));
	CHECK(!kfence_at(&k.t, ORIGIN_KFENCE_POOL + 0x8000, &o, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	put32(&k, ORIGIN_METAS + 48, 1u << 30);
	CHECK(kfence_at(&k.t, ORIGIN_KFENCE_POOL + 0x2000, &o, &err));
	CHECK_U64(o.alloc.n, 0);
	CHECK_ERR(o.alloc.why, ERR_CORRUPT);
	put32(&k, ORIGIN_METAS, 77);
	CHECK(!kfence_at(&k.t, ORIGIN_KFENCE_POOL + 0x2000, &o, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	put64(&k, ORIGIN_KFENCE, 0);
	CHECK(!kfence_at(&k.t, ORIGIN_KFENCE_POOL + 0x2000, &o, &err));
	CHECK_CONTAINS(err.msg, "off");
	kernel_release(&k);
}

struct told {
	struct buf b;
	unsigned flaws;
	struct err flaw;
};

static void flaw(const struct err *e, void *arg)
{
	struct told *told = arg;

	if (!told->flaws++)
		told->flaw = *e;
}

static bool tell_kfence(const struct kfence_object *o, void *arg)
{
	struct told *told = arg;

	buf_printf(&told->b, "%u %s\n", (unsigned)o->index, o->state);
	return true;
}

TEST(pools_of_kfence)
{
	struct told told = { .flaws = 0 };
	struct err err;

	start();
	CHECK(kfence_each(&k.t, tell_kfence, flaw, &told, &err));
	CHECK_STR(buf_text(&told.b), "0 freed\n1 allocated\n2 unused\n");
	CHECK_U64(told.flaws, 0);
	buf_release(&told.b);
	kernel_release(&k);
	/* up to v6.5 an array; one of its objects is damaged */
	start();
	for (size_t i = 0; i < k.n_syms; i++)
		if (!strcmp(k.syms[i].name, "kfence_metadata")) {
			k.syms[i].size = 3 * ORIGIN_META_SIZE;
			k.syms[i].addr = ORIGIN_METAS;
		}
	put32(&k, ORIGIN_METAS + ORIGIN_META_SIZE, 9);
	told = (struct told){ .flaws = 0 };
	CHECK(kfence_each(&k.t, tell_kfence, flaw, &told, &err));
	CHECK_STR(buf_text(&told.b), "0 freed\n2 unused\n");
	CHECK_U64(told.flaws, 1);
	CHECK_CONTAINS(told.flaw.msg, "object 1");
	buf_release(&told.b);
	kernel_release(&k);
}

TEST(owners_of_pages)
{
	struct page_owner o;
	struct err err;

	start();
	CHECK(page_owner_at(&k.t, 5, &o, &err));
	CHECK(o.allocated);
	CHECK_U64(o.order, 2);
	CHECK_U64(o.gfp, 0xcc0);
	CHECK(o.alloc.pid == 42);
	CHECK_STR(o.alloc.comm, "baker");
	CHECK_U64(o.alloc.at, 2000000000);
	stack_is(o.alloc.frames, o.alloc.n, 0x100);
	CHECK(page_owner_at(&k.t, 9, &o, &err));
	CHECK(!o.allocated);
	CHECK(!page_owner_at(&k.t, 10, &o, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	kernel_release(&k);
	/* off: nothing is kept of a page */
	start();
	put64(&k, ORIGIN_OWNER, 0);
	CHECK(!page_owner_at(&k.t, 5, &o, &err));
	CHECK_CONTAINS(err.msg, "page_owner=on");
	put64(&k, ORIGIN_OWNER, 8);
	CHECK(!page_owner_at(&k.t, 5, &o, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	kernel_release(&k);
}

TEST(sums_of_owners)
{
	const struct owner_sum *sums;
	struct told told = { .flaws = 0 };
	struct err err;
	size_t n = 0;

	start();
	CHECK(page_owners(&k.t, &sums, &n, flaw, &told, &err));
	CHECK_U64(n, 2);
	if (n == 2) {
		CHECK_U64(sums[0].pages, 4);
		CHECK_U64(sums[0].blocks, 1);
		stack_is(sums[0].frames, sums[0].n, 0x100);
		CHECK_U64(sums[1].pages, 1);
		stack_is(sums[1].frames, sums[1].n, 0x900);
	}
	CHECK_U64(told.flaws, 0);
	kernel_release(&k);
	/* what is kept of pages is absent: told once */
	start();
	k.holes = UINT64_C(1) << 0x24;
	CHECK(page_owners(&k.t, &sums, &n, flaw, &told, &err));
	CHECK_U64(n, 0);
	CHECK_U64(told.flaws, 1);
	CHECK_ERR(told.flaw, ERR_EXCLUDED);
	kernel_release(&k);
}

static bool tell_leak(const struct leaked *l, void *arg)
{
	struct told *told = arg;

	buf_printf(&told->b, "%llx %llu %s %lld %zu\n", (unsigned long long)l->object,
		   (unsigned long long)l->size, l->alloc.comm, (long long)l->alloc.pid, l->alloc.n);
	return true;
}

/* What the kernel's own file has: see origin_setup() for what is wrong with the others. */
TEST(leaks)
{
	struct told told = { .flaws = 0 };
	struct err err;

	start();
	CHECK(leaks_each(&k.t, tell_leak, flaw, &told, &err));
	CHECK_STR(buf_text(&told.b), "7000 64 leaker 9 2\n7005 64 leaker 9 2\n");
	CHECK_U64(told.flaws, 0);
	buf_release(&told.b);
	/* a list that comes back to its middle ends, and is told of */
	put64(&k, ORIGIN_LEAK(4) + 8, ORIGIN_LEAK(1) + 8);
	told = (struct told){ .flaws = 0 };
	CHECK(!leaks_each(&k.t, tell_leak, flaw, &told, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	buf_release(&told.b);
	kernel_release(&k);
}

/* Of an address: the object, who asked for it and who gave it back. */
TEST(places)
{
	struct address_place p[PLACES_MAX];
	size_t n;

	start();
	n = address_places(&k.t, ORIGIN_KFENCE_POOL + 0x2000, p);
	CHECK(n >= 3);
	CHECK_U64(p[0].kind, PLACE_KFENCE);
	CHECK_U64(p[1].kind, PLACE_ALLOC);
	CHECK_U64(p[1].origin->n, 2);
	CHECK_U64(p[2].kind, PLACE_FREE);
	n = address_places(&k.t, SLAB_AT + 0x10, p);
	CHECK(n >= 2);
	CHECK_U64(p[0].kind, PLACE_SLAB);
	CHECK_U64(p[1].kind, PLACE_ALLOC);
	CHECK(p[1].origin->pid == 77);
	n = address_places(&k.t, KERNEL_BASE + 0x5000, p);
	CHECK(n >= 2);
	CHECK_U64(p[n - 1].kind, PLACE_ALLOC);
	CHECK_CONTAINS(p[n - 1].detail, "order 2");
	kernel_release(&k);
}

TEST_MAIN
