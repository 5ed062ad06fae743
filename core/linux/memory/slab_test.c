/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of slabs: whose an address is, what is free, and freelists that cannot be true. */
#include "core/base/test.h"
#include "core/linux/memory/slab_fake.h"

static struct fake_kernel k;

static enum slab_state state_of(uint64_t addr, struct slab_object *o)
{
	struct err err;

	CHECK_OK(slab_at(&k.t, addr, o, &err), err);
	return o->state;
}

TEST(an_address_has_its_cache_and_object)
{
	struct slab_object o;
	const char *name = NULL;
	struct err err;
	uint64_t off;

	slab_setup(&k);
	CHECK_OK(slab_place_of(&k.t, SLAB_AT + 0x205, &name, &off, &err), err);
	CHECK_STR(name, "widget");
	CHECK_U64(off, 5);
	CHECK(!slab_place_of(&k.t, SLAB_MEM_MAP, &name, &off, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK_OK(slab_name_of(&k.t, SLAB_AT + 0x205, &name, &err), err);
	CHECK_STR(name, "widget");
	CHECK(state_of(SLAB_AT + 0x205, &o) == SLAB_ALLOCATED);
	CHECK_U64(o.addr, SLAB_AT + 0x200);
	CHECK_U64(o.offset, 5);
	CHECK_U64(o.index, 2);
	CHECK(!slab_name_of(&k.t, SLAB_MEM_MAP, &name, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK(!slab_name_of(&k.t, KERNEL_BASE + KERNEL_SIZE + 0x1000, &name, &err));
	CHECK_ERR(err, ERR_UNMAPPED);
	kernel_release(&k);
}

/* The same memory at other addresses, as x86-64's image has it in the map of all memory and in its
 * own: pointers between free objects are mixed with the address that the allocator uses. */
#define ALIAS (KERNEL_BASE + ((uint64_t)1 << 30))
static bool walk_alias(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	uint64_t off = va >= ALIAS ? ALIAS - KERNEL_BASE : 0;

	if (!kernel_walk(mmu, va - off, ret, err))
		return false;
	ret->va += off;
	return true;
}

TEST(an_alias_leads_to_the_same_object)
{
	struct slab_object o;

	slab_setup(&k);
	k.arch.walk = walk_alias;
	CHECK(state_of(SLAB_AT - KERNEL_BASE + ALIAS + 0x205, &o) == SLAB_ALLOCATED);
	CHECK_U64(o.addr, SLAB_AT + 0x200);
	CHECK_U64(o.offset, 5);
	CHECK(state_of(SLAB_AT - KERNEL_BASE + ALIAS + SLAB_SIZE, &o) == SLAB_FREE);
	CHECK_U64(o.why.code, ERR_OK);
	kernel_release(&k);
}

/* The second page of the slab is a tail: its objects are the head's. There are eight of 0x100
 * bytes; what lies behind them is none. */
TEST(behind_the_last_object_is_none)
{
	struct slab_object o;

	slab_setup(&k);
	CHECK(state_of(SLAB_AT + 0x7ff, &o) == SLAB_ALLOCATED);
	CHECK(state_of(SLAB_AT + 0x800, &o) == SLAB_OUTSIDE);
	CHECK(state_of(SLAB_AT + 0x1008, &o) == SLAB_OUTSIDE);
	CHECK_U64(o.slab.base, SLAB_AT);
	kernel_release(&k);
}

TEST(what_the_freelist_names_is_free)
{
	struct slab_object o;

	slab_setup(&k);
	for (unsigned i = 0; i < SLAB_OBJECTS; i++)
		CHECK_U64(state_of(SLAB_AT + i * SLAB_SIZE, &o),
			  i == 6 || i == 1 ? SLAB_FREE : SLAB_ALLOCATED);
	kernel_release(&k);
}

/* A CPU took the slab: its own list is free too. */
TEST(what_a_cpu_keeps_is_free)
{
	struct slab_object o;

	slab_setup(&k);
	slab_put_counts(&k, 8, true);
	put64(&k, SLAB_CPU_AT + 16, slab_page(SLAB_AT));
	put64(&k, SLAB_CPU_AT, SLAB_AT + 3 * SLAB_SIZE);
	slab_put_free(&k, 3, 0);
	CHECK(state_of(SLAB_AT + 3 * SLAB_SIZE, &o) == SLAB_FREE);
	CHECK(o.on_cpu);
	CHECK_U64(o.cpu, 0);
	CHECK(state_of(SLAB_AT + 6 * SLAB_SIZE, &o) == SLAB_FREE);
	CHECK(!o.on_cpu);
	CHECK(state_of(SLAB_AT, &o) == SLAB_ALLOCATED);
	kernel_release(&k);
}

/* ---- as in v7.2 */

/* Is this among the warnings, once? */
static bool warned(const char *text)
{
	unsigned n = 0;

	for (size_t i = 0; i < k.t.warnings.n; i++)
		n += k.t.warnings.p[i].code == ERR_NOFIELD && !strcmp(k.t.warnings.p[i].text, text);
	return n == 1;
}

static struct type *type_called(const char *name)
{
	for (size_t i = 0; i < k.n_types; i++)
		if (!strcmp(k.types[i]->name, name))
			return k.types[i];
	return NULL;
}

static void rename_member(const char *type, const char *from, const char *to)
{
	struct type *s = type_called(type);

	for (unsigned i = 0; i < s->n_members; i++)
		if (!strcmp(s->members[i].name, from))
			s->members[i].name = to;
}

/* The tail of a compound page of two pages of 64 bytes each: its head is at its address without the
 * lowest seven bits, and the lowest bit says that it is a tail. */
TEST(a_tail_has_a_mask_for_its_head)
{
	struct slab_object o;

	slab_setup(&k);
	rename_member("page", "compound_head", "compound_info");
	put64(&k, slab_page(SLAB_AT) + 64 + 8, 0xffffffffffffff81u);
	CHECK(state_of(SLAB_AT + 0x1008, &o) == SLAB_OUTSIDE);
	CHECK_U64(o.slab.addr, slab_page(SLAB_AT));
	CHECK_U64(o.slab.base, SLAB_AT);
	/* without CONFIG_HUGETLB_PAGE_OPTIMIZE_VMEMMAP it is the head's address as ever */
	put64(&k, slab_page(SLAB_AT) + 64 + 8, slab_page(SLAB_AT) | 1);
	CHECK(state_of(SLAB_AT + 0x1008, &o) == SLAB_OUTSIDE);
	CHECK_U64(o.slab.base, SLAB_AT);
	kernel_release(&k);
}

#define SHEAVES_AT (KERNEL_BASE + 0x15000) /* struct slub_percpu_sheaves */
#define NODE_AT (KERNEL_BASE + 0x15100)    /* struct kmem_cache_node */
#define BARN_AT (KERNEL_BASE + 0x15200)
#define SHEAF_AT(i) (KERNEL_BASE + 0x15800 + (uint64_t)(i)*0x100)

static void put_sheaf(unsigned at, uint64_t cache, const unsigned *objects, unsigned n)
{
	put64(&k, SHEAF_AT(at) + 16, cache);
	put64(&k, SHEAF_AT(at) + 24, n);
	for (unsigned i = 0; i < n; i++)
		put64(&k, SHEAF_AT(at) + 32 + i * 8, SLAB_AT + objects[i] * SLAB_SIZE);
}

/* Objects 0 and 2 are in the CPU's first sheaf, 3 in the one that waits for readers, 5 in the
 * node's barn; the CPU has no second sheaf. 6 and 1 stay on the slab's own freelist. */
static void sheaves_setup(void)
{
	struct type *cache, *nodes, *s;

	slab_setup(&k);
	cache = type_called("kmem_cache");
	rename_member("kmem_cache", "cpu_slab", "cpu_sheaves");
	kernel_member(cache, "sheaf_capacity", &k.u32, 64);
	nodes = WORDS(&k, "kmem_cache_per_node_ptrs", "barn", "node");
	kernel_member(cache, "per_node", kernel_array(&k, nodes, 2), 80);
	WORDS(&k, "slub_percpu_sheaves", "lock", "main", "spare", "rcu_free");
	s = kernel_struct(&k, "slab_sheaf", 32);
	kernel_member(s, "barn_list", type_called("list_head"), 0);
	kernel_member(s, "cache", &k.ptr, 16);
	kernel_member(s, "size", &k.u32, 24);
	kernel_member(s, "objects", kernel_array(&k, &k.ptr, 0), 32);
	s = kernel_struct(&k, "node_barn", 24);
	kernel_member(s, "sheaves_full", type_called("list_head"), 8);
	s = kernel_struct(&k, "kmem_cache_node", 48);
	kernel_member(s, "partial", type_called("list_head"), 0);
	kernel_member(s, "nr_slabs", INNER(&k, "counter"), 16);
	kernel_member(s, "total_objects", INNER(&k, "counter"), 24);
	kernel_member(type_called("slab"), "slab_list", type_called("list_head"), 0);
	put64(&k, SLAB_CACHE_AT, SHEAVES_AT);
	put32(&k, SLAB_CACHE_AT + 64, 2);
	put64(&k, SLAB_CACHE_AT + 80, BARN_AT);
	put64(&k, SLAB_CACHE_AT + 88, NODE_AT);
	put64(&k, SHEAVES_AT + 8, SHEAF_AT(0));
	put64(&k, SHEAVES_AT + 24, SHEAF_AT(1));
	put_list(&k, BARN_AT + 8, (uint64_t[]){ SHEAF_AT(2) }, 1);
	put_list(&k, NODE_AT, NULL, 0);
	put64(&k, NODE_AT + 16, 1);
	put64(&k, NODE_AT + 24, SLAB_OBJECTS);
	put_sheaf(0, SLAB_CACHE_AT, (unsigned[]){ 2, 0 }, 2);
	put_sheaf(1, SLAB_CACHE_AT, (unsigned[]){ 3 }, 1);
	put_sheaf(2, SLAB_CACHE_AT, (unsigned[]){ 5 }, 1);
}

TEST(what_a_sheaf_has_is_free)
{
	const struct slab_cache *c;
	struct slab_object o;
	struct err err;
	uint64_t n;

	sheaves_setup();
	for (unsigned i = 0; i < SLAB_OBJECTS; i++) {
		bool cpus = i == 0 || i == 2 || i == 3;

		CHECK_U64(state_of(SLAB_AT + i * SLAB_SIZE, &o),
			  i == 4 || i == 7 ? SLAB_ALLOCATED : SLAB_FREE);
		CHECK_U64(o.on_cpu, cpus);
	}
	CHECK_OK(slab_cache_read(&k.t, SLAB_CACHE_AT, &c, &err), err);
	CHECK(c->has_counts);
	CHECK_U64(c->total, SLAB_OBJECTS);
	CHECK_OK(slab_cpu_free(&k.t, c, &n, &err), err);
	CHECK_U64(n, 4);
	/* the fake's cache has neither flags nor red zones; of sheaves nothing is missed */
	CHECK(warned("'struct kmem_cache' has no member 'flags'"));
	CHECK(warned("'struct kmem_cache' has no member 'red_left_pad'"));
	CHECK_U64(k.t.warnings.n, 2);
	kernel_release(&k);
}

/* One that is another cache's, or holds more than a sheaf can, is none: what is on no list may be
 * free, and what is on one is. */
TEST(a_sheaf_that_cannot_be_is_told)
{
	const struct slab_cache *c;
	struct slab_object o;
	struct err err;
	uint64_t n;

	for (unsigned i = 0; i < 2; i++) {
		sheaves_setup();
		if (i)
			put_sheaf(0, SLAB_CACHE_AT, (unsigned[]){ 2, 0, 4 }, 3);
		else
			put_sheaf(0, SLAB_AT, (unsigned[]){ 2, 0 }, 2);
		CHECK(state_of(SLAB_AT + 2 * SLAB_SIZE, &o) == SLAB_UNKNOWN);
		CHECK_ERR(o.why, ERR_CORRUPT);
		CHECK(state_of(SLAB_AT + 3 * SLAB_SIZE, &o) == SLAB_FREE);
		CHECK_OK(slab_cache_read(&k.t, SLAB_CACHE_AT, &c, &err), err);
		CHECK(!slab_cpu_free(&k.t, c, &n, &err));
		CHECK_ERR(err, ERR_CORRUPT);
		kernel_release(&k);
	}
}

/* What a CPU keeps that cannot be read is not nothing: the objects that are in use are not known.
 */
TEST(cpus_that_cannot_be_read_leave_no_number)
{
	const struct slab_cache *c;
	struct slab_cache dark;
	struct err err;
	uint64_t n;

	sheaves_setup();
	CHECK_OK(slab_cache_read(&k.t, SLAB_CACHE_AT, &c, &err), err);
	dark = *c;
	dark.cpus_ok = false;
	err_set(&dark.cpus_err, ERR_TRUNCATED, "CPU 1's slab");
	CHECK(!slab_cpu_free(&k.t, &dark, &n, &err));
	CHECK_ERR(err, ERR_TRUNCATED);
	kernel_release(&k);
}

/* Before v5.7 the address was not turned round. */
TEST(the_older_disguise_is_seen_through)
{
	uint64_t at = SLAB_AT + 6 * SLAB_SIZE + SLAB_FREE_OFF;
	struct slab_object o;

	slab_setup(&k);
	put64(&k, at, (SLAB_AT + 4 * SLAB_SIZE) ^ SLAB_RANDOM ^ at);
	at = SLAB_AT + 4 * SLAB_SIZE + SLAB_FREE_OFF;
	put64(&k, at, SLAB_RANDOM ^ at);
	CHECK(state_of(SLAB_AT + 4 * SLAB_SIZE, &o) == SLAB_FREE);
	CHECK(state_of(SLAB_AT + SLAB_SIZE, &o) == SLAB_ALLOCATED);
	kernel_release(&k);
}

TEST(a_freelist_that_comes_back_is_told)
{
	struct slab_object o;

	slab_setup(&k);
	slab_put_free(&k, 1, SLAB_AT + 6 * SLAB_SIZE);
	CHECK(state_of(SLAB_AT, &o) == SLAB_UNKNOWN);
	CHECK_ERR(o.why, ERR_CORRUPT);
	CHECK(strstr(o.why.msg, "comes back") != NULL);
	CHECK(state_of(SLAB_AT + SLAB_SIZE, &o) == SLAB_FREE);
	kernel_release(&k);
}

TEST(a_freelist_that_leads_astray_is_told)
{
	struct slab_object o;

	slab_setup(&k);
	slab_put_free(&k, 1, SLAB_AT + 0x123);
	CHECK(state_of(SLAB_AT, &o) == SLAB_UNKNOWN);
	CHECK_ERR(o.why, ERR_CORRUPT);
	CHECK(state_of(SLAB_AT + 6 * SLAB_SIZE, &o) == SLAB_FREE);
	kernel_release(&k);
}

/* The fake's cache has neither flags nor numbers of its nodes, which every kernel has; "random"
 * only one with CONFIG_SLAB_FREELIST_HARDENED, and a name that is no member is what damage makes of
 * one. */
TEST(a_member_that_is_missed_is_told_once)
{
	const struct slab_cache *c;
	struct err err;
	size_t before;

	slab_setup(&k);
	for (size_t i = 0; i < k.n_types; i++)
		for (unsigned j = 0;
		     !strcmp(k.types[i]->name, "kmem_cache") && j < k.types[i]->n_members; j++)
			if (!strcmp(k.types[i]->members[j].name, "random") ||
			    !strcmp(k.types[i]->members[j].name, "cpu_slab"))
				k.types[i]->members[j].name = "renamed";
	CHECK_OK(slab_cache_read(&k.t, SLAB_CACHE_AT, &c, &err), err);
	CHECK(!c->has_counts);
	CHECK(warned("'struct kmem_cache' has no member 'cpu_slab'"));
	CHECK(warned("'struct kmem_cache' has no member 'flags'"));
	CHECK(warned("'struct kmem_cache' has no member 'node'"));
	CHECK(!warned("'struct kmem_cache' has no member 'random'"));
	before = k.t.warnings.n;
	/* the same for a second cache */
	memcpy(k.mem + (SLAB_CACHE_AT - KERNEL_BASE) + 0x800, k.mem + (SLAB_CACHE_AT - KERNEL_BASE),
	       128);
	CHECK_OK(slab_cache_read(&k.t, SLAB_CACHE_AT + 0x800, &c, &err), err);
	CHECK_U64(k.t.warnings.n, before);
	kernel_release(&k);
}

/* Thousands of tasks lack the same; and nobody lacks what Ctrl-C left unread. */
TEST(what_is_missed_is_told_once)
{
	struct err err;

	slab_setup(&k);
	err_set_addr(&err, ERR_EXCLUDED, 0x1000, "excluded page 0x1000");
	target_lacks(&k.t, &err);
	target_lacks(&k.t, &err);
	CHECK_U64(k.t.warnings.n, 1);
	err_set(&err, ERR_INTR, "interrupted");
	target_lacks(&k.t, &err);
	CHECK_U64(k.t.warnings.n, 1);
	kernel_release(&k);
}

TEST(a_cache_that_cannot_be_is_refused)
{
	const struct slab_cache *c;
	struct slab_object o;
	struct err err;

	slab_setup(&k);
	put32(&k, SLAB_CACHE_AT + 8, 0); /* objects of no size */
	CHECK(!slab_cache_read(&k.t, SLAB_CACHE_AT, &c, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	put32(&k, SLAB_CACHE_AT + 8, 0x2000); /* eight of which are larger than the slab */
	CHECK(!slab_at(&k.t, SLAB_AT, &o, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	kernel_release(&k);
}

static bool count_slab(const struct slab *slab, void *arg)
{
	*(unsigned *)arg += slab->objects;
	return true;
}

TEST(slabs_are_found_among_the_pages)
{
	const struct slab_cache *c;
	unsigned n = 0;
	struct err err;

	slab_setup(&k);
	CHECK_OK(slab_cache_find(&k.t, "widget", &c, &err), err);
	CHECK_OK(slabs_each(&k.t, c, count_slab, &n, &err), err);
	CHECK_U64(n, SLAB_OBJECTS);
	CHECK(!slab_cache_find(&k.t, "gadget", &c, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	kernel_release(&k);
}

TEST_MAIN
