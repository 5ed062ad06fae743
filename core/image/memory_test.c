/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of memory: what is asked of the dump and how often, reads across pages, strings, limits. */
#include "core/base/test.h"
#include "core/image/target.h"

/* An architecture whose page tables are arithmetic: virtual is physical plus BASE; page 5 has no
 * mapping. */
#define BASE UINT64_C(0xffff800000000000)

static unsigned reads, walks;

static bool is_kernel_va(uint64_t va)
{
	return va >= BASE;
}

static bool mmu_init(const struct arch_facts *facts, struct mmu *ret, struct err *err)
{
	(void)facts;
	(void)err;
	ret->root = 0;
	return true;
}

static bool walk(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	(void)mmu;
	walks++;
	if ((va - BASE) / 4096 == 5)
		return err_set_addr(err, ERR_UNMAPPED, va, "no");
	if ((va - BASE) / 4096 == 6 || (va - BASE) / 4096 == 7)
		return err_set_addr(err, ERR_NOPGTABLE, va, "lost");
	*ret = (struct mapping){ .va = va & ~UINT64_C(4095),
				 .pa = (va - BASE) & ~UINT64_C(4095),
				 .size = 4096 };
	return true;
}

static bool image_pa(const struct arch_facts *facts, uint64_t va, uint64_t *ret)
{
	(void)facts;
	*ret = va - BASE;
	return (va - BASE) / 4096 == 7;
}

static const struct arch arch = { .name = "test",
				  .word = 8,
				  .is_kernel_va = is_kernel_va,
				  .mmu_init = mmu_init,
				  .walk = walk,
				  .image_pa = image_pa };

/* Byte i of page n is n + i; page 3 was left out, the second half of page 9 is cut off, 32768 pages
 * in all. */
static bool read_phys(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	(void)self;
	reads++;
	if (pa / 4096 >= 32768)
		return err_set_addr(err, ERR_NOTRAM, pa, "not ram");
	if (pa / 4096 == 3)
		return err_set_addr(err, ERR_EXCLUDED, pa, "left out");
	if (pa / 4096 == 9 && pa % 4096 + n > 2048)
		return err_set_addr(err, ERR_TRUNCATED, pa, "cut");
	for (size_t i = 0; i < n; i++)
		((uint8_t *)buf)[i] = (uint8_t)(pa / 4096 + pa % 4096 + i);
	return true;
}

struct fixture {
	struct target t;
	struct arena scratch;
	struct err err;
};

static void setup(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	target_init(&f->t, &f->scratch);
	f->t.arch = &arch;
	f->t.memory.phys.read = read_phys;
	reads = walks = 0;
}

static void teardown(struct fixture *f)
{
	target_release(&f->t);
	arena_release(&f->scratch);
}

TEST(nothing_is_asked_twice)
{
	struct fixture f;
	uint64_t x;

	setup(&f);
	for (int i = 0; i < 100; i++)
		CHECK_OK(mem_u64(&f.t, BASE + 0x1000 + (uint64_t)i * 8, &x, &f.err), f.err);
	CHECK_U64(reads, 1);
	CHECK_U64(walks, 1);
	CHECK_OK(mem_read_phys(&f.t, 0x1008, &x, 8, &f.err), f.err);
	CHECK_U64(reads, 1);
	teardown(&f);
}

TEST(widths_and_page_borders)
{
	struct fixture f;
	uint8_t b;
	uint16_t h;
	uint32_t w;
	uint64_t x;

	setup(&f);
	CHECK_OK(mem_u8(&f.t, BASE + 0x1002, &b, &f.err), f.err);
	CHECK_U64(b, 3);
	CHECK_OK(mem_u16(&f.t, BASE + 0x1fff, &h, &f.err), f.err); /* 1 + 4095 = 0x00, 2 + 0 */
	CHECK_U64(h, 0x0200);
	CHECK_OK(mem_u32(&f.t, BASE + 0x1001, &w, &f.err), f.err);
	CHECK_U64(w, 0x05040302);
	CHECK_OK(mem_ptr(&f.t, BASE + 0x1000, &x, &f.err), f.err);
	CHECK_U64(x, UINT64_C(0x0807060504030201));
	teardown(&f);
}

TEST(the_first_address_not_read_is_named)
{
	struct fixture f;
	uint8_t buf[3 * 4096];

	setup(&f);
	CHECK(!mem_read(&f.t, BASE + 0x2800, buf, 8192, &f.err));
	CHECK_ERR(f.err, ERR_EXCLUDED);
	CHECK_U64(f.err.addr, BASE + 0x3000);
	CHECK_U64(mem_read_some(&f.t, BASE + 0x2800, buf, 8192, &f.err), 0x800);
	CHECK_U64(mem_read_some(&f.t, BASE + 0x4ff0, buf, 64, &f.err), 16);
	CHECK_ERR(f.err, ERR_UNMAPPED);
	/* half a page is better than none */
	CHECK_OK(mem_read(&f.t, BASE + 0x9000, buf, 2048, &f.err), f.err);
	CHECK(!mem_read(&f.t, BASE + 0x9400, buf, 2048, &f.err));
	CHECK_ERR(f.err, ERR_TRUNCATED);
	teardown(&f);
}

TEST(bad_addresses_never_reach_the_dump)
{
	struct fixture f;
	uint8_t buf[64];
	uint64_t x;

	setup(&f);
	CHECK(!mem_u64(&f.t, 0, &x, &f.err));
	CHECK_ERR(f.err, ERR_BADADDR);
	CHECK(!mem_u64(&f.t, 0x1000, &x, &f.err));
	CHECK_ERR(f.err, ERR_BADADDR);
	/* a range that wraps around ends at 0 */
	CHECK_U64(mem_read_some(&f.t, UINT64_MAX - 7, buf, sizeof(buf), &f.err), 0);
	CHECK_U64(reads, 2); /* the whole page, then the part: not RAM */
	f.t.arch = NULL;
	CHECK(!mem_u64(&f.t, BASE, &x, &f.err));
	CHECK_ERR(f.err, ERR_NEED);
	f.t.memory.phys.read = NULL;
	CHECK(!mem_u64(&f.t, BASE, &x, &f.err));
	CHECK_ERR(f.err, ERR_NEED);
	teardown(&f);
}

/* More pages than the cache holds: what is read stays right when it forgets. */
TEST(a_full_cache_forgets_and_goes_on)
{
	struct fixture f;
	uint64_t x;

	setup(&f);
	for (int round = 0; round < 2; round++)
		for (uint64_t page = 10; page < 20000; page++) {
			if (!mem_u64(&f.t, BASE + page * 4096, &x, &f.err) ||
			    (uint8_t)x != (uint8_t)page)
				CHECK_U64(x & 0xff, page & 0xff);
		}
	CHECK_OK(mem_u64(&f.t, BASE + 0x1000, &x, &f.err), f.err);
	CHECK(reads >= 2 * (20000 - 10));
	teardown(&f);
}

TEST(the_image_is_read_without_its_page_tables)
{
	struct fixture f;
	uint8_t b;

	setup(&f);
	CHECK(!mem_u8(&f.t, BASE + 0x6000, &b, &f.err));
	CHECK_ERR(f.err, ERR_NOPGTABLE);
	CHECK_OK(mem_u8(&f.t, BASE + 0x7010, &b, &f.err), f.err);
	CHECK_U64(b, 7 + 0x10);
	teardown(&f);
}

TEST(strings_and_limits)
{
	struct fixture f;
	const char *s;
	struct span b;

	setup(&f);
	/* page 1 from offset 200 on: 201, ... 255, 0 */
	CHECK_OK(mem_str(&f.t, BASE + 0x1000 + 200, 100, &f.scratch, &s, &f.err), f.err);
	CHECK_U64(strlen(s), 55);
	CHECK_OK(mem_str(&f.t, BASE + 0x1000 + 200, 10, &f.scratch, &s, &f.err), f.err);
	CHECK_U64(strlen(s), 10);
	/* the NUL (4 + 252) comes before the page that is not mapped */
	CHECK_OK(mem_str(&f.t, BASE + 0x4ef0, 4096, &f.scratch, &s, &f.err), f.err);
	CHECK_U64(strlen(s), 12);
	CHECK(!mem_str(&f.t, BASE + 0x4ffd, 4096, &f.scratch, &s, &f.err));
	CHECK_ERR(f.err, ERR_UNMAPPED);
	CHECK_OK(mem_bytes(&f.t, BASE + 0x1000, 16, 16, &f.scratch, &b, &f.err), f.err);
	CHECK_U64(b.p[15], 16);
	CHECK(!mem_bytes(&f.t, BASE + 0x1000, 17, 16, &f.scratch, &b, &f.err));
	CHECK_ERR(f.err, ERR_LIMIT);
	teardown(&f);
}

/* Byte i of page 1 is 1 + i: numbers of either order are read off the offsets. */
TEST(numbers_in_both_orders)
{
	struct arch big = arch;
	uint64_t words[2];
	struct fixture f;
	uint16_t half;
	uint32_t word;
	uint64_t all;

	big.big = true;
	setup(&f);
	CHECK_OK(mem_u32(&f.t, BASE + 0x1000, &word, &f.err), f.err);
	CHECK_U64(word, 0x04030201);
	f.t.arch = &big;
	CHECK_OK(mem_u16(&f.t, BASE + 0x1000, &half, &f.err), f.err);
	CHECK_U64(half, 0x0102);
	CHECK_OK(mem_u32(&f.t, BASE + 0x1001, &word, &f.err), f.err);
	CHECK_U64(word, 0x02030405);
	CHECK_OK(mem_u64(&f.t, BASE + 0x1000, &all, &f.err), f.err);
	CHECK_U64(all, 0x0102030405060708);
	CHECK_OK(mem_ptr(&f.t, BASE + 0x1001, &all, &f.err), f.err);
	CHECK_U64(all, 0x0203040506070809);
	CHECK_OK(mem_words(&f.t, BASE + 0x1000, words, 2, &f.err), f.err);
	CHECK_U64(words[1], 0x090a0b0c0d0e0f10);
	big.word = 4;
	CHECK_OK(mem_words(&f.t, BASE + 0x1000, words, 2, &f.err), f.err);
	CHECK_U64(words[1], 0x05060708);
	teardown(&f);
}

/* 0xb2c3 is 1011 0010 1100 0011, and compilers for big-endian machines begin at its left end; read
 * as little-endian it is 0xc3b2, 1100 0011 1011 0010, and they begin at the right. */
TEST(bits_in_both_orders)
{
	static const uint8_t two[9] = { 0xb2, 0xc3 };
	static const uint8_t nine[9] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xfe };
	struct arch row = arch;
	struct target t = { .arch = &row };

	CHECK_U64(target_bits(&t, two, 0, 5), 18);
	CHECK_U64(target_bits(&t, two, 5, 11), 1565);
	CHECK_U64(target_bits(&t, nine, 4, 64), 0xeefcdab896745230);
	CHECK_U64(target_bits(&t, nine, 0, 64), 0xefcdab8967452301);
	row.big = true;
	CHECK_U64(target_bits(&t, two, 0, 5), 22);
	CHECK_U64(target_bits(&t, two, 5, 11), 707);
	CHECK_U64(target_bits(&t, two, 7, 1), 0);
	CHECK_U64(target_bits(&t, nine, 4, 64), 0x123456789abcdeff);
	CHECK_U64(target_bits(&t, nine, 0, 64), 0x0123456789abcdef);
	CHECK_U64(target_bits(&t, nine, 7, 58), UINT64_C(0x2468acf13579bdf) & 0x3ffffffffffffff);
}

TEST_MAIN
