/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of struct page: where each is, flat and in sections, and what it says in the kernel's three
 * ways. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"
#include "core/linux/memory/struct_page.h"

#define VARS (KERNEL_BASE + 0x800)
#define NODE (KERNEL_BASE + 0x1000)
#define ROOTS (KERNEL_BASE + 0x2000)
#define SECTIONS (KERNEL_BASE + 0x7000)
#define MAP (KERNEL_BASE + 0x10000)
#define SIZE 64u
#define FIRST 0x10u
#define SPANNED 0x20u
#define PAGE_AT(pfn) (MAP + ((pfn)-FIRST) * SIZE)

static struct fake_kernel k;
static struct err err;

static struct enumerator flag_items[] = {
	{ "PG_locked", 0 }, { "PG_head", 6 },         { "PG_slab", 9 },
	{ "PG_last", 22 },  { "__NR_PAGEFLAGS", 23 }, { "PG_checked", 3 },
};
/* 4ffca5a96678 (v6.12) */
static struct enumerator byte_items[] = { { "PGTY_buddy", 0xf0 },
					  { "PGTY_table", 0xf2 },
					  { "PGTY_slab", 0xf5 },
					  { "PGTY_zsmalloc", 0xf6 } };
/* v6.10: an enumeration of the bits that are cleared */
static struct enumerator bit_items[] = { { "PG_buddy", 0x80 },
					 { "PG_table", 0x200 },
					 { "PG_slab", 0x1000 },
					 { "PAGE_TYPE_BASE", 0x80000000 } };

static void items(const char *name, struct enumerator *e, size_t n)
{
	struct type *type = kernel_struct(&k, name, 4);

	type->kind = TYPE_ENUM;
	type->enums = e;
	type->n_enums = n;
}

static void start(void)
{
	struct type *s;

	kernel_init(&k);
	s = WORDS(&k, "page", "flags", "compound_head");
	kernel_member(s, "page_type", &k.u32, 16);
	kernel_member(s, "_refcount", kernel_counter_type(&k, "atomic_t", &k.s32), 20);
	kernel_member(s, "mapping", &k.u64, 24);
	kernel_member(s, "index", &k.u64, 32);
	kernel_member(s, "private", &k.u64, 40);
	s->size = SIZE;
	WORDS(&k, "pglist_data", "node_mem_map", "node_start_pfn", "node_spanned_pages");
	items("pageflags", flag_items, ARRAY_SIZE(flag_items));
}

static void start_flat(void)
{
	start();
	kernel_symbol(&k, "mem_map", VARS);
	kernel_symbol(&k, "contig_page_data", NODE);
	put64(&k, NODE, MAP);
	put64(&k, NODE + 8, FIRST);
	put64(&k, NODE + 16, SPANNED);
}

static bool is_at(uint64_t pa, uint64_t want)
{
	uint64_t page = 0, back = 0;

	return page_of_phys(&k.t, pa, &page, &err) && page == want &&
	       page_to_phys(&k.t, page, &back, &err) && back == (pa & ~(uint64_t)0xfff);
}

static bool saw_run(uint64_t first, uint64_t last, void *arg)
{
	buf_printf(arg, "%llx-%llx ", (unsigned long long)first, (unsigned long long)last);
	return true;
}

static void check_runs(const char *want)
{
	struct buf b = { 0 };

	CHECK_OK(page_runs(&k.t, saw_run, &b, &err), err);
	CHECK_STR(buf_text(&b), want);
	buf_release(&b);
}

TEST(one_array_for_all_memory)
{
	uint64_t page;

	start_flat();
	CHECK(is_at(0x10000, MAP) && is_at(0x10fff, MAP) && is_at(0x11000, MAP + SIZE));
	CHECK(is_at(0x2ffff, MAP + (SPANNED - 1) * SIZE));
	CHECK(!page_of_phys(&k.t, 0xffff, &page, &err));
	CHECK_ERR(err, ERR_NOTRAM);
	CHECK(!page_of_phys(&k.t, 0x30000, &page, &err));
	CHECK(!page_to_phys(&k.t, MAP + 8, &page, &err));
	CHECK_ERR(err, ERR_BADADDR);
	CHECK(!page_to_phys(&k.t, MAP - SIZE, &page, &err));
	CHECK(!page_to_phys(&k.t, MAP + SPANNED * SIZE, &page, &err));
	/* a member of one */
	CHECK(page_struct_around(&k.t, MAP + SIZE + 63, &page, &err) && page == MAP + SIZE);
	CHECK(page_struct_around(&k.t, MAP + SIZE, &page, &err) && page == MAP + SIZE);
	CHECK(!page_struct_around(&k.t, MAP - 1, &page, &err));
	check_runs("10-30 ");
	kernel_release(&k);
	start_flat();
	put64(&k, NODE, 0);
	CHECK(!page_of_phys(&k.t, 0x10000, &page, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	kernel_release(&k);
	/* more pages than memory has room for the array of: nobody may count that far */
	start_flat();
	put64(&k, NODE + 16, 0xafe00000);
	CHECK(!page_of_phys(&k.t, 0x10000, &page, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	kernel_release(&k);
}

/* What page_each() told. */
struct told {
	struct page pages[SPANNED];
	size_t n, absent, stop;
};

static bool told_page(const struct page *page, void *arg)
{
	struct told *told = arg;

	told->pages[told->n++] = *page;
	return told->n != told->stop;
}

static bool told_absent(uint64_t n, const struct err *why, void *arg)
{
	struct told *told = arg;

	CHECK_ERR(*why, ERR_EXCLUDED);
	told->absent += n;
	return true;
}

/* Many at once are as one by one: a slab's head and its tails, whose kind is the head's, a free
 * page, one that is mapped. The array begins 0x200 bytes before the end of a page, so that the
 * eight first struct pages stand before a hole of one page, and the others in it. */
TEST(pages_read_at_once_are_as_each_by_itself)
{
	static struct told told;
	struct page_visit visit = { told_page, told_absent, &told };
	uint64_t map = MAP + 0xe00;
	struct page page;

	start_flat();
	put64(&k, NODE, map);
	for (unsigned i = 0; i < SPANNED; i++) {
		put64(&k, map + i * SIZE, i == 1 ? 1u << 9 | 1u << 6 : 1u << (i % 4));
		put32(&k, map + i * SIZE + 16, i == 5 ? 0xffffff7f : UINT32_MAX);
		put32(&k, map + i * SIZE + 20, i);
		put64(&k, map + i * SIZE + 24, KERNEL_BASE + i);
	}
	put64(&k, map + 2 * SIZE + 8, (map + SIZE) | 1);
	put64(&k, map + 3 * SIZE + 8, (map + SIZE) | 1);
	put32(&k, map + 6 * SIZE + 16, 2);
	CHECK_OK(page_each(&k.t, FIRST, FIRST + SPANNED, &visit, &err), err);
	CHECK_U64(told.n, SPANNED);
	CHECK_U64(told.absent, 0);
	for (unsigned i = 0; i < told.n; i++) {
		CHECK_OK(page_read(&k.t, map + i * SIZE, &page, &err), err);
		CHECK(!memcmp(&page, &told.pages[i], sizeof(page)));
		CHECK_U64(page.pa, (FIRST + i) * 0x1000);
		CHECK_U64((uint64_t)page.refcount, i);
	}
	CHECK_U64(told.pages[2].kind, PAGE_SLAB);
	CHECK_U64(told.pages[3].head, map + SIZE);
	CHECK_U64(told.pages[3].head_pa, (FIRST + 1) * 0x1000);
	CHECK_U64(told.pages[5].kind, PAGE_BUDDY);
	CHECK_U64((uint64_t)told.pages[6].mapcount, 3);
	/* from the middle, and no further than somebody wants */
	told.n = 0;
	told.stop = 3;
	CHECK_OK(page_each(&k.t, FIRST + 3, FIRST + SPANNED, &visit, &err), err);
	CHECK_U64(told.n, 3);
	CHECK_U64(told.pages[0].kind, PAGE_SLAB); /* its head was not read before */
	kernel_release(&k);
	told.n = told.stop = 0;
	start_flat();
	put64(&k, NODE, map);
	k.holes = (uint64_t)1 << 0x11;
	CHECK_OK(page_each(&k.t, FIRST, FIRST + SPANNED, &visit, &err), err);
	CHECK_U64(told.n, 8);
	CHECK_U64(told.absent, SPANNED - 8);
	kernel_release(&k);
}

/* Sections of 2^27 bytes, 256 in each root: 2 and 3 have a map, 4 has one no longer (it lacks the
 * flag), and so has the second root's first. */
static void start_sections(void)
{
	const uint64_t base = MAP - (uint64_t)0x10000 * SIZE;

	start();
	WORDS(&k, "mem_section", "section_mem_map", "usage");
	kernel_symbol(&k, "mem_section", VARS);
	kernel_symbol(&k, "mem_map", VARS + 0x800); /* without NUMA it is there, and of no use */
	put64(&k, VARS, ROOTS);
	put64(&k, ROOTS, SECTIONS);
	put64(&k, ROOTS + 8, SECTIONS + 0x1000);
	put64(&k, SECTIONS + 2 * 16, base | 3);
	put64(&k, SECTIONS + 3 * 16, base | 2);
	put64(&k, SECTIONS + 4 * 16, base | 1);
	put64(&k, SECTIONS + 0x1000, base | 2);
}

TEST(sections_of_memory)
{
	uint64_t page;

	start_sections();
	CHECK(is_at(0x10000000, MAP) && is_at(0x10001000, MAP + SIZE));
	CHECK(is_at(0x1ffff000, MAP + 0xffffull * SIZE));
	CHECK(is_at(0x800000000, MAP + (0x800000ull - 0x10000) * SIZE));
	CHECK(!page_of_phys(&k.t, 0xffff000, &page, &err));
	CHECK_ERR(err, ERR_NOTRAM);
	CHECK(!page_of_phys(&k.t, 0x20000000, &page, &err));
	CHECK(!page_of_phys(&k.t, UINT64_MAX, &page, &err));
	CHECK(!page_to_phys(&k.t, MAP - SIZE, &page, &err));
	check_runs("10000-18000 18000-20000 800000-808000 ");
	kernel_release(&k);
	/* another array for another section, and none at all */
	start_sections();
	put64(&k, SECTIONS + 3 * 16, KERNEL_BASE | 2);
	CHECK(!page_of_phys(&k.t, 0x10000000, &page, &err));
	CHECK_ERR(err, ERR_UNSUPPORTED);
	kernel_release(&k);
	start_sections();
	put64(&k, ROOTS, 0);
	put64(&k, ROOTS + 8, 0);
	CHECK(!page_of_phys(&k.t, 0x10000000, &page, &err));
	CHECK_CONTAINS(err.msg, "no section has a memory map");
	kernel_release(&k);
}

/* ---- what they say */

static void put_page(uint64_t pfn, uint64_t flags, uint64_t head, uint32_t type)
{
	put64(&k, PAGE_AT(pfn), flags);
	put64(&k, PAGE_AT(pfn) + 8, head);
	put32(&k, PAGE_AT(pfn) + 16, type);
	put32(&k, PAGE_AT(pfn) + 20, (uint32_t)pfn);
	put64(&k, PAGE_AT(pfn) + 24, 0x1000 + pfn);
	put64(&k, PAGE_AT(pfn) + 32, 0x2000 + pfn);
	put64(&k, PAGE_AT(pfn) + 40, 0x3000 + pfn);
}

static void check_page(uint64_t pfn, const char *kind, int64_t maps)
{
	struct page p;
	const char *name;

	REQUIRE_OK(page_read(&k.t, PAGE_AT(pfn), &p, &err), err);
	name = page_kind_name(&k.t, &p);
	CHECK_STR(name ? name : "plain", kind);
	CHECK_U64((uint64_t)p.mapcount, (uint64_t)maps);
	CHECK_U64(p.pa, pfn << 12);
	CHECK_U64((uint64_t)p.refcount, pfn);
	CHECK(p.mapping == 0x1000 + pfn && p.index == 0x2000 + pfn && p.private == 0x3000 + pfn);
}

/* Until v6.9: PG_slab is a flag; types are bits cleared in 0xf0000000, buddy 0x80, table 0x200.
 * What is mapped counts from -1. */
TEST(kinds_by_cleared_bits)
{
	bool slab;

	start_flat();
	put_page(0x10, 1, 0, UINT32_MAX);
	put_page(0x11, 0, 0, 2);
	put_page(0x12, 0, 0, UINT32_MAX & ~0x80u);
	put_page(0x13, 0, 0, UINT32_MAX & ~0x200u);
	put_page(0x14, 0, 0, UINT32_MAX & ~0x100u);
	put_page(0x15, 1 << 9, 0, 123); /* what stands there is a slab's own */
	put_page(0x16, 0, 0, UINT32_MAX & ~0x800u);
	check_page(0x10, "plain", 0);
	check_page(0x11, "plain", 3);
	check_page(0x12, "buddy", 0);
	check_page(0x13, "table", 0);
	check_page(0x14, "offline", 0);
	check_page(0x15, "slab", 0);
	check_page(0x16, "plain", -0x800);
	CHECK(page_is_slab(&k.t, PAGE_AT(0x15), &slab, &err) && slab);
	CHECK(page_is_slab(&k.t, PAGE_AT(0x12), &slab, &err) && !slab);
	kernel_release(&k);
}

/* 46df8e73a4a3 (v6.10) made a type of the flag; v6.12 a number of the first byte. */
TEST(kinds_by_an_enumeration)
{
	bool slab;

	flag_items[2].name = "PG_other";
	start_flat();
	items("pagetype", bit_items, ARRAY_SIZE(bit_items));
	put_page(0x10, 0, 0, UINT32_MAX);
	put_page(0x11, 0, 0, 0);
	put_page(0x12, 0, 0, UINT32_MAX & ~0x80u);
	put_page(0x15, 1 << 9, 0, UINT32_MAX & ~0x1000u);
	check_page(0x10, "plain", 0);
	check_page(0x11, "plain", 1);
	check_page(0x12, "buddy", 0);
	check_page(0x15, "slab", 0);
	kernel_release(&k);
	start_flat();
	items("pagetype", byte_items, ARRAY_SIZE(byte_items));
	put_page(0x10, 0, 0, UINT32_MAX);
	put_page(0x11, 1 << 9, 0, 4);
	put_page(0x12, 0, 0, 0xf0000005);
	put_page(0x13, 0, 0, 0xf2000000);
	put_page(0x14, 0, 0, 0xf6000001);
	put_page(0x15, 0, 0, 0xf5000000);
	check_page(0x10, "plain", 0);
	check_page(0x11, "plain", 5);
	check_page(0x12, "buddy", 0);
	check_page(0x13, "table", 0);
	check_page(0x14, "zsmalloc", 0);
	check_page(0x15, "slab", 0);
	CHECK(page_is_slab(&k.t, PAGE_AT(0x15), &slab, &err) && slab);
	CHECK(page_is_slab(&k.t, PAGE_AT(0x11), &slab, &err) && !slab);
	kernel_release(&k);
	flag_items[2].name = "PG_slab";
}

/* A compound page of 2^2: flags 1 << 6 is PG_head, the order is in the second page's low byte
 * (v6.6). */
TEST(pages_of_a_compound_page)
{
	struct page p;

	start_flat();
	WORDS(&k, "folio", "flags");
	put_page(0x14, 1 << 6 | 1 << 9, 0, 0);
	for (uint64_t pfn = 0x15; pfn < 0x18; pfn++)
		put_page(pfn, pfn == 0x15 ? 0x502 : 0, PAGE_AT(0x14) | 1, UINT32_MAX);
	for (uint64_t pfn = 0x14; pfn < 0x18; pfn++) {
		REQUIRE_OK(page_read(&k.t, PAGE_AT(pfn), &p, &err), err);
		CHECK(p.head == PAGE_AT(0x14) && p.head_pa == 0x14000 && p.pa == pfn << 12);
		CHECK(p.kind == PAGE_SLAB && p.order == 2);
	}
	/* no order that a compound page can have */
	put64(&k, PAGE_AT(0x15), 20);
	CHECK(page_read(&k.t, PAGE_AT(0x16), &p, &err) && p.order == 20);
	put64(&k, PAGE_AT(0x15), 21);
	CHECK(page_read(&k.t, PAGE_AT(0x16), &p, &err) && p.order == 0);
	/* a head that is no struct page */
	put64(&k, PAGE_AT(0x16) + 8, PAGE_AT(0x14) + 9);
	CHECK(!page_read(&k.t, PAGE_AT(0x16), &p, &err));
	CHECK_ERR(err, ERR_BADADDR);
	CHECK_CONTAINS(err.msg, "its compound page");
	kernel_release(&k);
}

/* What stands behind __NR_PAGEFLAGS are other names of the same bits. */
TEST(flags_by_their_names)
{
	start_flat();
	CHECK_STR(page_flags_text(&k.t, 0, &k.scratch), "");
	CHECK_STR(page_flags_text(&k.t, 1, &k.scratch), "locked");
	CHECK_STR(page_flags_text(&k.t, 1 << 9 | 1 << 6 | 1 << 3 | 2, &k.scratch), "head,slab");
	CHECK_STR(page_flags_text(&k.t, UINT64_MAX, &k.scratch), "locked,head,slab,last");
	kernel_release(&k);
}

TEST_MAIN
