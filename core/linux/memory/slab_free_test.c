/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of free objects: their links, and the pattern that slub_debug=P leaves in them
 * (include/linux/poison.h: 0x6b, and 0xa5 at the end). */
#include "core/base/test.h"
#include "core/linux/memory/slab_fake.h"
#include "core/linux/memory/slab_free.h"

#define NODE_AT (KERNEL_BASE + 0x15100) /* struct kmem_cache_node */
#define POISONED UINT64_C(0x80000000)   /* __OBJECT_POISON, mm/slub.c until v6.8 */
#define NODES_OFF 56u                   /* in struct kmem_cache */
#define FLAGS_OFF 64u
#define LIST_OFF 8u /* in struct slab */

static struct fake_kernel k;
static struct slab_health h;

static struct type *type_called(const char *name)
{
	for (size_t i = 0; i < k.n_types; i++)
		if (!strcmp(k.types[i]->name, name))
			return k.types[i];
	return NULL;
}

/* The slab of slab_fake.h stands in the node's list: of its eight objects 6 and 1 are free. */
static void start(void)
{
	struct type *s;

	slab_setup(&k);
	s = kernel_struct(&k, "kmem_cache_node", 48);
	kernel_member(s, "partial", type_called("list_head"), 0);
	kernel_member(s, "nr_slabs", kernel_counter_type(&k, "atomic64", &k.u64), 16);
	kernel_member(s, "total_objects", type_called("atomic64"), 24);
	kernel_member(type_called("kmem_cache"), "node", kernel_array(&k, &k.ptr, 4), NODES_OFF);
	kernel_member(type_called("kmem_cache"), "flags", &k.u64, FLAGS_OFF + 32);
	type_called("kmem_cache")->size = 160;
	kernel_member(type_called("slab"), "slab_list", type_called("list_head"), LIST_OFF);
	kernel_symbol(&k, "nr_node_ids", SLAB_VARS + 0x80);
	put32(&k, SLAB_VARS + 0x80, 1);
	put64(&k, SLAB_CACHE_AT + NODES_OFF, NODE_AT);
	put_list(&k, NODE_AT, (uint64_t[]){ slab_page(SLAB_AT) + LIST_OFF }, 1);
	put64(&k, NODE_AT + 16, 1);
	put64(&k, NODE_AT + 24, SLAB_OBJECTS);
}

static bool look(size_t limit)
{
	struct err err;
	bool ok = slab_health(&k.t, limit, &h, &err);

	CHECK_OK(ok, err);
	return ok;
}

TEST(sound_links)
{
	start();
	REQUIRE(look(16));
	CHECK_U64(h.slabs, 1);
	CHECK_U64(h.free, 2);
	CHECK_U64(h.broken, 0);
	CHECK_U64(h.patterned, 0);
	CHECK_U64(h.why.code, ERR_OK);
	CHECK(!h.cut);
	/* what lies behind the array of nodes is no node: the machine has one */
	put64(&k, SLAB_CACHE_AT + NODES_OFF + 8, KERNEL_BASE + 0x15200);
	REQUIRE(look(16));
	CHECK_U64(h.slabs, 1);
	CHECK_U64(h.broken, 0);
	CHECK_U64(h.why.code, ERR_OK);
	REQUIRE(look(0));
	CHECK(h.cut);
	CHECK_U64(h.slabs, 0);
	kernel_release(&k);
}

TEST(links_that_lead_astray)
{
	start();
	/* object 6 leads into the middle of object 2 */
	slab_put_free(&k, 6, SLAB_AT + 2 * SLAB_SIZE + 8);
	REQUIRE(look(16));
	CHECK_U64(h.broken, 1);
	CHECK_ERR(h.first_broken, ERR_CORRUPT);
	CHECK(strstr(h.first_broken.msg, "'widget'"));
	/* and back to itself */
	slab_put_free(&k, 6, SLAB_AT + 6 * SLAB_SIZE);
	REQUIRE(look(16));
	CHECK_U64(h.broken, 1);
	slab_put_free(&k, 6, 0);
	REQUIRE(look(16));
	CHECK_U64(h.broken, 0);
	kernel_release(&k);
}

/* A page that the dump lacks is no broken list. */
TEST(links_that_are_lost)
{
	start();
	k.holes = UINT64_C(1) << (SLAB_AT - KERNEL_BASE) / 0x1000;
	REQUIRE(look(16));
	CHECK_U64(h.broken, 0);
	CHECK_ERR(h.why, ERR_EXCLUDED);
	kernel_release(&k);
}

/* The pointer to the next free object stands behind the object then: mm/slub.c,
 * calculate_sizes(). */
static void pattern(unsigned i)
{
	uint64_t at = SLAB_AT + i * SLAB_SIZE - KERNEL_BASE;

	memset(&k.mem[at], 0x6b, SLAB_SIZE - 16);
	k.mem[at + SLAB_SIZE - 17] = 0xa5;
}

TEST(a_pattern_that_was_overwritten)
{
	start();
	put64(&k, SLAB_CACHE_AT + FLAGS_OFF + 32, POISONED);
	put32(&k, SLAB_CACHE_AT + 12, SLAB_SIZE - 16);
	put32(&k, SLAB_CACHE_AT + 16, SLAB_SIZE - 16);
	put64(&k, SLAB_AT + 6 * SLAB_SIZE + SLAB_SIZE - 16,
	      (SLAB_AT + SLAB_SIZE) ^ SLAB_RANDOM ^
		      __builtin_bswap64(SLAB_AT + 6 * SLAB_SIZE + SLAB_SIZE - 16));
	put64(&k, SLAB_AT + SLAB_SIZE + SLAB_SIZE - 16,
	      SLAB_RANDOM ^ __builtin_bswap64(SLAB_AT + SLAB_SIZE + SLAB_SIZE - 16));
	pattern(6);
	pattern(1);
	REQUIRE(look(16));
	CHECK_U64(h.patterned, 2);
	CHECK_U64(h.written, 0);
	k.mem[SLAB_AT + SLAB_SIZE + 24 - KERNEL_BASE] = 0x6a;
	REQUIRE(look(16));
	CHECK_U64(h.written, 1);
	CHECK_U64(h.object, SLAB_AT + SLAB_SIZE);
	CHECK_U64(h.offset, 24);
	/* the last byte is another one */
	k.mem[SLAB_AT + SLAB_SIZE + 24 - KERNEL_BASE] = 0x6b;
	k.mem[SLAB_AT + SLAB_SIZE + SLAB_SIZE - 17 - KERNEL_BASE] = 0x6b;
	REQUIRE(look(16));
	CHECK_U64(h.written, 1);
	kernel_release(&k);
}

TEST_MAIN
