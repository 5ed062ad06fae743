/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of s390x: walks by the z/Architecture Principles of Operation (3: Dynamic Address
 * Translation), where the image lies, and saved registers. Its calls are in texts_test.c. */
#include "core/arch/table.h"
#include "core/base/arena.h"
#include "core/base/test.h"
#include "core/base/vec.h"

/* A few table entries, by physical address; all else is an invalid entry of the table's type, and
 * `hole` cannot be read. */
struct tables {
	struct {
		uint64_t pa, entry;
	} e[16];
	size_t n;
	uint64_t hole, other;
	/* VMCOREINFO's */
	bool two_rules;
	uint64_t swapper;
};

static bool read_entry(void *self, uint64_t pa, uint64_t *ret, struct err *err)
{
	const struct tables *t = self;

	if (t->hole && pa / 4096 == t->hole / 4096)
		return err_set_addr(err, ERR_NOPGTABLE, pa, "hole");
	*ret = t->other | 0x420;
	for (size_t i = 0; i < t->n; i++)
		if (t->e[i].pa == pa)
			*ret = t->e[i].entry;
	return true;
}

static void set(struct tables *t, uint64_t table, unsigned i, uint64_t entry)
{
	t->e[t->n].pa = table + 8 * i;
	t->e[t->n++].entry = entry;
}

static struct mmu mmu_of(struct tables *t, unsigned bits)
{
	return (struct mmu){ .root = 0x4000,
			     .va_bits = bits,
			     .page_shift = 12,
			     .read_entry = read_entry,
			     .self = t };
}

static void check(const struct mmu *mmu, uint64_t va, uint64_t pa, uint64_t size)
{
	struct mapping map = { 0 };
	struct err err;

	if (!CHECK_OK(arch_s390x.walk(mmu, va, &map, &err), err))
		return;
	CHECK_U64(map.pa + (va - map.va), pa);
	CHECK_U64(map.size, size);
}

static void check_not(const struct mmu *mmu, uint64_t va, enum err_code code)
{
	struct mapping map;
	struct err err = { 0 };

	CHECK(!arch_s390x.walk(mmu, va, &map, &err));
	CHECK_ERR(err, code);
}

/* What Debian's kernel 7.2 maps its image by: a region-third table, of 2 GiB an entry. */
TEST(three_levels)
{
	struct tables t = { .hole = 0x20000 };
	struct mmu mmu = mmu_of(&t, 42);

	set(&t, 0x4000, 2047, 0x8007);   /* region-third: type 1, length 3 */
	set(&t, 0x4000, 1, 0x180000404); /* 2 GiB as a whole */
	set(&t, 0x4000, 2, 0x20007);
	set(&t, 0x8000, 2020, 0xc800); /* a page table on the second half of a page */
	set(&t, 0xc800, 0xa8, 0xaa8200);
	set(&t, 0xc800, 0xa9, 0xaa9400); /* invalid */
	set(&t, 0x8000, 2021, 0xb00600); /* 1 MiB */
	/* 0x3fffe4a8000: region index 2047, segment 2020, page 0xa8 */
	check(&mmu, UINT64_C(0x3fffe4a8123), 0xaa8123, 0x1000);
	check(&mmu, UINT64_C(0x3fffe5a8123), 0xba8123, 0x100000);
	check(&mmu, 0x80001234, 0x180001234, UINT64_C(1) << 31);
	check_not(&mmu, UINT64_C(0x3fffe4a9000), ERR_UNMAPPED);
	check_not(&mmu, UINT64_C(0x3fffe6a9000), ERR_UNMAPPED);
	check_not(&mmu, 0x3000, ERR_UNMAPPED);
	check_not(&mmu, UINT64_C(2) << 31, ERR_NOPGTABLE);
	check_not(&mmu, UINT64_C(1) << 42, ERR_BADADDR);
}

TEST(two_four_and_five_levels)
{
	struct tables t = { 0 };
	struct mmu mmu = mmu_of(&t, 31);

	set(&t, 0x4000, 3, 0x5000);
	set(&t, 0x5000, 0xff, 0x77000);
	check(&mmu, 0x3ff123, 0x77123, 0x1000);
	check_not(&mmu, 0x80000000, ERR_BADADDR);
	mmu = mmu_of(&t, 53);
	set(&t, 0x4000, 9, 0x6004 | 8);
	set(&t, 0x6000, 0, 0x7404); /* 2 GiB, of which the bits below are no address */
	check(&mmu, (UINT64_C(9) << 42) + 0x12345, 0x12345, UINT64_C(1) << 31);
	mmu = mmu_of(&t, 64);
	set(&t, 0x4000, 2046, 0x9000 | 0xc);
	set(&t, 0x9000, 0, 0x6000);
	check(&mmu, UINT64_C(2046) << 53, 0, UINT64_C(1) << 31);
}

/* Of a program: 0x11 is present and readable, and invalid alone does not mean that it is not there;
 * without the right to read PROT_NONE keeps it from its program. */
TEST(pages_of_programs)
{
	struct tables t = { 0 };
	struct mmu mmu = mmu_of(&t, 42);

	set(&t, 0x4000, 0, 0x8007);
	set(&t, 0x8000, 0, 0xc800);
	set(&t, 0xc800, 1, 0x77611);
	set(&t, 0xc800, 2, 0x88601);
	check_not(&mmu, 0x1000, ERR_UNMAPPED);
	mmu.low = true;
	check(&mmu, 0x1234, 0x77234, 0x1000);
	check_not(&mmu, 0x2000, ERR_UNMAPPED);
}

static bool number(void *self, const char *name, uint64_t *ret)
{
	const struct tables *t = self;

	*ret = strcmp(name, "KERNELOFFSET") ? 0x9a8000 : UINT64_C(0x3fffe3a8000);
	return t->two_rules && (!strcmp(name, "KERNELOFFSET") || !strcmp(name, "KERNELOFFPHYS"));
}

static bool symbol(void *self, const char *name, uint64_t *ret)
{
	const struct tables *t = self;
	bool root = !strcmp(name, "swapper_pg_dir");

	*ret = root                    ? t->swapper
	       : !strcmp(name, "_end") ? t->swapper + 0x10000
				       : t->swapper - 0x1aac000;
	return t->swapper && (root || *name == '_');
}

/* The figures of a dump of Debian's 7.2; before 6.10 the image is mapped to where it lies. */
TEST(where_the_tables_are)
{
	struct tables t = { .two_rules = true, .swapper = UINT64_C(0x3fffff54000), .other = 4 };
	struct arch_facts facts = { number, symbol, &t };
	struct mmu mmu = { .read_entry = read_entry, .self = &t };
	uint64_t pa = 0;
	struct err err;

	CHECK_OK(arch_s390x.mmu_init(&facts, &mmu, &err), err);
	CHECK_U64(mmu.root, 0x2554000);
	CHECK_U64(mmu.va_bits, 42);
	CHECK(arch_s390x.image_pa(&facts, UINT64_C(0x3fffe4a8000), &pa));
	CHECK_U64(pa, 0xaa8000);
	CHECK(!arch_s390x.image_pa(&facts, 0x4a8000, &pa));
	CHECK(!arch_s390x.image_pa(&facts, UINT64_C(0x3fffff64000), &pa));
	t.other = 8; /* region-second */
	CHECK_OK(arch_s390x.mmu_init(&facts, &mmu, &err), err);
	CHECK_U64(mmu.va_bits, 53);
	t.hole = mmu.root; /* then the address tells */
	CHECK_OK(arch_s390x.mmu_init(&facts, &mmu, &err), err);
	CHECK_U64(mmu.va_bits, 42);
	t.two_rules = false;
	t.swapper = 0x2554000;
	CHECK_OK(arch_s390x.mmu_init(&facts, &mmu, &err), err);
	CHECK_U64(mmu.root, 0x2554000);
	t.swapper = 0;
	CHECK(!arch_s390x.mmu_init(&facts, &mmu, &err));
	CHECK_ERR(err, ERR_NEED);
}

/* The two pages at 0 are each CPU's own. */
TEST(addresses)
{
	CHECK(!arch_s390x.is_kernel_va(0) && !arch_s390x.is_kernel_va(0x1fff));
	CHECK(arch_s390x.is_kernel_va(0x2000) && arch_s390x.is_kernel_va(UINT64_C(0x3fffe4a8000)));
	CHECK(!arch_s390x.is_kernel_va(UINT64_C(1) << 53));
	CHECK(!arch_s390x.is_kernel_va(UINT64_MAX - 4));
}

TEST(entries_in_words)
{
	struct tables t = { 0 };
	struct mmu mmu = mmu_of(&t, 42);
	struct arena a = { 0 };
	struct entry_said said;
	const char *words[ENTRY_WORDS_MAX];
	struct table_shape shape;
	size_t n;

	arch_s390x.table_shape(&mmu, &shape);
	CHECK_U64(shape.levels, 3);
	CHECK(arch_s390x.entry_decode(&mmu, 0, 0xaa8300, &said));
	CHECK(said.form == ENTRY_PAGE && said.pa == 0xaa8000 && said.size == 0x1000);
	n = entry_words(&said, 0xaa8300, &a, words, ENTRY_WORDS_MAX);
	REQUIRE(n == 2);
	CHECK_STR(words[0], "read-only");
	CHECK_STR(words[1], "no-exec");
	CHECK(arch_s390x.entry_decode(&mmu, 0, 0x400, &said) && said.form == ENTRY_NONE);
	CHECK(arch_s390x.entry_decode(&mmu, 1, 0xc800, &said));
	CHECK(said.form == ENTRY_TABLE && said.pa == 0xc800);
	CHECK(arch_s390x.entry_decode(&mmu, 1, 0xb00400, &said));
	CHECK(said.form == ENTRY_BLOCK && said.pa == 0xb00000 && said.size == 0x100000);
	CHECK(arch_s390x.entry_decode(&mmu, 2, 0x8007, &said));
	CHECK(said.form == ENTRY_TABLE && said.pa == 0x8000);
	CHECK(arch_s390x.entry_decode(&mmu, 2, 0x24, &said) && said.form == ENTRY_NONE);
	CHECK(!arch_s390x.entry_decode(&mmu, 3, 0, &said));
	arena_release(&a);
}

static void check_reg(const struct regs *regs, unsigned n, uint64_t want)
{
	uint64_t v = 0;

	CHECK(regs_get(regs, n, &v));
	CHECK_U64(v, want);
}

/* Word i holds 0x100 + i: psw mask, psw address, r0 to r15; in pt_regs behind args, with orig_gpr2.
 */
TEST(saved_registers)
{
	uint8_t note[336] = { 0 }, kept[200] = { 0 };
	struct regs regs;
	struct err err;

	for (unsigned i = 0; i < 18; i++)
		store_uint(note + 112 + 8 * i, 8, true, 0x100 + i);
	for (unsigned i = 0; i < 19; i++)
		store_uint(kept + 8 + 8 * i, 8, true, 0x100 + i);
	REQUIRE_OK(arch_s390x.regs_of_prstatus(SPAN(note, 336), true, &regs, &err), err);
	check_reg(&regs, arch_s390x.pc, 0x101);
	check_reg(&regs, 0, 0x102);
	check_reg(&regs, arch_s390x.sp, 0x111);
	CHECK(!arch_regs_user(&arch_s390x, &regs));
	CHECK(!arch_s390x.regs_of_prstatus(SPAN(note, 200), true, &regs, &err));
	REQUIRE_OK(arch_s390x.regs_of_pt_regs(SPAN(kept, 200), &regs, &err), err);
	check_reg(&regs, arch_s390x.pc, 0x101);
	check_reg(&regs, arch_s390x.link, 0x110);
	check_reg(&regs, 18, 0x112);
	/* the problem state: bit 15 of the PSW, from its left end */
	store_uint(kept + 8, 8, true, UINT64_C(0x0705200180000000));
	REQUIRE_OK(arch_s390x.regs_of_pt_regs(SPAN(kept, 200), &regs, &err), err);
	CHECK(arch_regs_user(&arch_s390x, &regs));
	CHECK_U64(arch_dwarf_slot(&arch_s390x, 14), 14);
	CHECK_U64(arch_dwarf_slot(&arch_s390x, 65), arch_s390x.pc);
	CHECK_U64(arch_dwarf_slot(&arch_s390x, 16), REGS_MAX); /* %f0 */
}

TEST_MAIN
