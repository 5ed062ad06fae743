/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the search for an arm64 kernel. Entries are written as the Arm Architecture Reference
 * Manual's D8.3 has them: bits 1:0 are 3 for a table or a page, 1 for a block, the address lies in
 * between. */
#include "core/arch/arch.h"
#include "core/base/test.h"
#include "core/base/vec.h"

#define TABLE 3u
#define BLOCK 1u

struct entry_at {
	uint64_t pa, entry;
};

/* Memory of a few words, and what is known and found. */
struct hunted {
	struct entry_at e[8];
	uint64_t banner, root, voffset; /* symbols; 0: the vmlinux has none */
	uint64_t banner_pa;
	uint64_t found_root, found_voffset, found_bits, found_page;
};

static bool symbol(void *self, const char *name, uint64_t *ret)
{
	const struct hunted *h = self;

	*ret = !strcmp(name, "swapper_pg_dir")   ? h->root
	       : !strcmp(name, "linux_banner")   ? h->banner
	       : !strcmp(name, "kimage_voffset") ? h->voffset
						 : 0;
	return *ret;
}

static bool number(void *self, const char *name, uint64_t *ret)
{
	const struct hunted *h = self;

	*ret = !strcmp(name, "pgtable_root") ? h->found_root
	       : !strcmp(name, "VA_BITS")    ? h->found_bits
	       : !strcmp(name, "PAGESIZE")   ? h->found_page
					     : 0;
	return *ret;
}

static void note(void *self, const char *name, uint64_t value)
{
	struct hunted *h = self;

	*(!strcmp(name, "pgtable_root")     ? &h->found_root
	  : !strcmp(name, "kimage_voffset") ? &h->found_voffset
	  : !strcmp(name, "VA_BITS")        ? &h->found_bits
					    : &h->found_page) = value;
}

static bool read_entry(void *self, uint64_t pa, uint64_t *ret, struct err *err)
{
	const struct hunted *h = self;

	(void)err;
	*ret = 0;
	for (size_t i = 0; i < ARRAY_SIZE(h->e); i++)
		if (h->e[i].pa == pa)
			*ret = h->e[i].entry;
	return true;
}

static bool banners(void *self, unsigned off, bool (*at)(void *arg, uint64_t pa), void *arg,
		    struct err *err)
{
	const struct hunted *h = self;

	CHECK_U64(off, h->banner % 4096);
	return at(arg, h->banner_pa) || err_set(err, ERR_NOTFOUND, "none");
}

static bool find(struct hunted *h, uint64_t *moved, struct err *err)
{
	struct arch_hunt hunt = { .facts = { number, symbol, h },
				  .read_entry = read_entry,
				  .banners = banners,
				  .found = note,
				  .self = h };

	return arch_aarch64.kernel_find(&hunt, moved, err);
}

/* Pages of 4 KiB and 48 bits. The image is linked at ffff800080000000, lies at 0x42200000, and runs
 * 0x123455600000 further on: at ffff9234d5600000. Of that address bits 47:39 are 0x124, 38:30
 * 0x0d3, 29:21 0x0ab. Its top table is 0x1000 into it, kimage_voffset 0x2008, the banner 0x3010. */
#define MOVED UINT64_C(0x123455600000)
#define RUNS (UINT64_C(0xffff800080000000) + MOVED)
static struct hunted moved_kernel(void)
{
	return (struct hunted){
		.e = { { 0x42202008, RUNS - 0x42200000 },
		       { 0x42201000 + 8 * 0x124, 0x50000000 | TABLE },
		       { 0x50000000 + 8 * 0x0d3, 0x50001000 | TABLE },
		       { 0x50001000 + 8 * 0x0ab, 0x42200000 | BLOCK } },
		.root = UINT64_C(0xffff800080001000),
		.voffset = UINT64_C(0xffff800080002008),
		.banner = UINT64_C(0xffff800080003010),
		.banner_pa = 0x42203010,
	};
}

TEST(a_kernel_is_found_by_its_banner)
{
	struct hunted h = moved_kernel();
	struct arch_facts facts = { number, symbol, &h };
	uint64_t moved = 0;
	struct mmu mmu;
	struct err err;

	REQUIRE_OK(find(&h, &moved, &err), err);
	CHECK_U64(moved, MOVED);
	CHECK_U64(h.found_root, 0x42201000);
	CHECK_U64(h.found_voffset, RUNS - 0x42200000);
	CHECK_U64(h.found_bits, 48);
	CHECK_U64(h.found_page, 4096);
	REQUIRE_OK(arch_aarch64.mmu_init(&facts, &mmu, &err), err);
	CHECK_U64(mmu.root, 0x42201000);
	CHECK_U64(mmu.va_bits, 48);
}

/* 64 KiB and 42 bits: two levels, of which the upper has bits 41:29. */
TEST(large_pages)
{
	struct hunted h = {
		.e = { { 0x42202008, UINT64_C(0xfffffe0008000000) - 0x42200000 },
		       { 0x42210000 + 8 * 0x1000, 0x50000000 | TABLE },
		       { 0x50000000 + 8 * 0x800, 0x42200000 | TABLE } },
		.root = UINT64_C(0xfffffe0008010000),
		.voffset = UINT64_C(0xfffffe0008002008),
		.banner = UINT64_C(0xfffffe0008003010),
		.banner_pa = 0x42203010,
	};
	uint64_t moved = 1;
	struct err err;

	REQUIRE_OK(find(&h, &moved, &err), err);
	CHECK_U64(moved, 0);
	CHECK_U64(h.found_bits, 42);
	CHECK_U64(h.found_page, 65536);
}

/* A banner elsewhere, such as one of an earlier boot: nothing agrees with it. */
TEST(what_is_none)
{
	struct hunted h = moved_kernel();
	uint64_t moved;
	struct err err;

	h.e[3].entry = 0x42400000 | BLOCK; /* mapped to another place */
	CHECK(!find(&h, &moved, &err) && err.code == ERR_NOTFOUND);
	h = moved_kernel();
	h.e[0].entry += 0x1000; /* KASLR moves by no single page */
	h.e[3].entry = 0x421ff000 | BLOCK;
	CHECK(!find(&h, &moved, &err));
	h = moved_kernel();
	h.e[0].entry = 0; /* no kernel runs there */
	CHECK(!find(&h, &moved, &err));
	CHECK_U64(h.found_root, 0);
	h.voffset = 0;
	CHECK(!find(&h, &moved, &err) && err.code == ERR_NOSYM);
}

TEST_MAIN
