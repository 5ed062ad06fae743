/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what entries of page tables say, against the architectures' manuals. */
#include <string.h>

#include "core/arch/table.h"
#include "core/base/arena.h"
#include "core/base/test.h"

/* One table entry a level; all else is zero, and `hole` cannot be read. */
struct tables {
	struct {
		uint64_t pa, entry;
	} e[8];
	size_t n;
	uint64_t hole;
};

static bool read_entry(void *self, uint64_t pa, uint64_t *ret, struct err *err)
{
	const struct tables *t = self;

	if (t->hole && pa / 4096 == t->hole / 4096)
		return err_set_addr(err, ERR_NOPGTABLE, pa, "hole");
	*ret = 0;
	for (size_t i = 0; i < t->n; i++)
		if (t->e[i].pa == pa)
			*ret = t->e[i].entry;
	return true;
}

static void set(struct tables *t, uint64_t pa, uint64_t entry)
{
	t->e[t->n].pa = pa;
	t->e[t->n++].entry = entry;
}

static struct mmu mmu_x86(void)
{
	return (struct mmu){ .root = 0x1000,
			     .va_bits = 48,
			     .page_shift = 12,
			     .phys_mask = UINT64_C(0x000ffffffffff000),
			     .read_entry = read_entry };
}

static struct mmu mmu_arm64(unsigned va_bits, unsigned page_shift)
{
	return (struct mmu){ .root = 0x1000,
			     .va_bits = va_bits,
			     .page_shift = page_shift,
			     .phys_mask = UINT64_C(0x0000ffffffffffff) >> page_shift << page_shift,
			     .read_entry = read_entry };
}

/* What an entry says, as "form pa size: words". */
static void check_entry(const struct arch *arch, const struct mmu *mmu, unsigned level,
			uint64_t entry, enum entry_form form, uint64_t pa, uint64_t size,
			const char *want)
{
	const char *words[ENTRY_WORDS_MAX];
	struct entry_said said;
	struct arena a = { 0 };
	char text[512] = "";
	size_t n;

	if (!CHECK(arch->entry_decode(mmu, level, entry, &said)))
		return;
	CHECK_U64(said.form, form);
	CHECK_U64(said.pa, pa);
	CHECK_U64(said.size, size);
	n = form == ENTRY_NONE ? 0 : entry_words(&said, entry, &a, words, ENTRY_WORDS_MAX);
	for (size_t i = 0; i < n; i++) {
		strncat(text, i ? ", " : "", sizeof(text) - strlen(text) - 1);
		strncat(text, words[i], sizeof(text) - strlen(text) - 1);
	}
	CHECK_STR(text, want);
	arena_release(&a);
}

/* Intel SDM vol. 3A, tables 4-15 to 4-20: bit 1 R/W, 2 U/S, 3 PWT, 4 PCD, 5 A, 6 D, 7 PS or PAT, 8
 * G, 12 PAT of a large page, 62:59 the key, 63 XD. */
TEST(x86_64_words)
{
	struct mmu m = mmu_x86();
	struct entry_said said;

	check_entry(&arch_x86_64, &m, 3, 0x2067, ENTRY_TABLE, 0x2000, UINT64_C(1) << 39,
		    "writable, user, accessed");
	check_entry(&arch_x86_64, &m, 2, UINT64_C(0x80000000400011e3), ENTRY_BLOCK, 0x40000000,
		    UINT64_C(1) << 30, "writable, accessed, dirty, pat, global, no-exec");
	check_entry(&arch_x86_64, &m, 1, 0x601e1, ENTRY_BLOCK, 0, 0x200000,
		    "read-only, accessed, dirty, global");
	check_entry(&arch_x86_64, &m, 0, UINT64_C(0x2800000012345e9f), ENTRY_PAGE, 0x12345000, 4096,
		    "writable, user, pwt, pcd, pat, software9, software10, software11, key=5");
	check_entry(&arch_x86_64, &m, 0, 0x12345162, ENTRY_NONE, 0, 4096, "");
	/* with four levels there is no fifth, and bit 7 of a top entry makes no page */
	check_entry(&arch_x86_64, &m, 3, 0x20e3, ENTRY_TABLE, 0x2000, UINT64_C(1) << 39,
		    "writable, accessed");
	CHECK(!arch_x86_64.entry_decode(&m, 4, 0x2067, &said));
	m.va_bits = 57;
	check_entry(&arch_x86_64, &m, 4, 0x2067, ENTRY_TABLE, 0x2000, UINT64_C(1) << 48,
		    "writable, user, accessed");
}

/* Arm ARM D8.3.1: of a table bits 63:59 NSTable, APTable, UXNTable, PXNTable; of a block or page
 * AttrIndx 4:2, AP[2:1] 7:6, SH 9:8, AF 10, nG 11, GP 50, DBM 51, Contiguous 52, PXN 53, UXN 54. */
TEST(aarch64_words)
{
	struct mmu m = mmu_arm64(48, 12);
	struct entry_said said;

	check_entry(&arch_aarch64, &m, 3, UINT64_C(0x6800000000002003), ENTRY_TABLE, 0x2000,
		    UINT64_C(1) << 39, "pxn-table, no-user-table, read-only-table");
	check_entry(&arch_aarch64, &m, 2, UINT64_C(0x0060000040000701), ENTRY_BLOCK, 0x40000000,
		    UINT64_C(1) << 30, "writable, accessed, attr=0, pxn, uxn, inner-shareable");
	check_entry(&arch_aarch64, &m, 0, UINT64_C(0x0020000041ca2fc3), ENTRY_PAGE, 0x41ca2000,
		    4096, "read-only, user, accessed, not-global, attr=0, pxn, inner-shareable");
	check_entry(&arch_aarch64, &m, 0, UINT64_C(0x01dc00000900060f), ENTRY_PAGE, 0x9000000, 4096,
		    "writable, accessed, attr=3, guarded, dirty-modifier, contiguous, uxn, dirty, "
		    "special, outer-shareable");
	check_entry(&arch_aarch64, &m, 0, UINT64_C(0x0060000040000701), ENTRY_NONE, 0, 4096, "");
	CHECK(!arch_aarch64.entry_decode(&m, 4, 3, &said));
	/* 64 KiB pages have three levels, and bits 51:48 of the address in 15:12 */
	m = mmu_arm64(52, 16);
	check_entry(&arch_aarch64, &m, 0, UINT64_C(0x0000000012345403), ENTRY_PAGE,
		    UINT64_C(0x0005000012340000), 65536, "writable, accessed, attr=0");
	CHECK(!arch_aarch64.entry_decode(&m, 3, 3, &said));
	/* LPA2 has bits 51:50 of the address where SH was, and a fifth level */
	m = mmu_arm64(52, 12);
	check_entry(&arch_aarch64, &m, 0, UINT64_C(0x0001000049abc603), ENTRY_PAGE,
		    UINT64_C(0x0009000049abc000), 4096, "writable, accessed, attr=0");
	CHECK(arch_aarch64.entry_decode(&m, 4, 3, &said));
}

/* ARMv7-A B3.5.1: a table has PXN at 2, the domain at 8:5; a section B 2, C 3, XN 4, AP 15 and
 * 11:10, TEX 14:12, S 16, nG 17; a small page XN 0, AP 9 and 5:4, TEX 8:6, S 10, nG 11; a large one
 * TEX 14:12, XN 15. The kernel's own: L_PTE_* in pgtable-2level.h. */
TEST(arm_short_words)
{
	struct mmu m = { 0 };
	struct entry_said said;

	arm_mmu(&m, 0x4000, false);
	check_entry(&arch_arm, &m, 1, 0x41809835, ENTRY_TABLE, 0x41809800, 0x100000,
		    "pxn-table, domain=1");
	check_entry(&arch_arm, &m, 1, 0x4141941e, ENTRY_BLOCK, 0x41400000, 0x100000,
		    "domain=0, read-only, no-exec, shareable, tex=1, c, b");
	check_entry(&arch_arm, &m, 1, 0x8034042e, ENTRY_SUPER, UINT64_C(0x1380000000), 0x1000000,
		    "writable, tex=0, c, b");
	check_entry(&arch_arm, &m, 0, 0x4ed54e7e, ENTRY_PAGE, 0x4ed54000, 4096,
		    "read-only, user, shareable, not-global, tex=1, c, b");
	check_entry(&arch_arm, &m, 0, 0x12345033, ENTRY_PAGE, 0x12345000, 4096,
		    "writable, user, no-exec, tex=0");
	check_entry(&arch_arm, &m, 0, 0x5678b021, ENTRY_LARGE, 0x56780000, 65536,
		    "writable, user read-only, no-exec, tex=3");
	check_entry(&arch_arm, &m, TABLE_KEPT, 0x00077bc1, ENTRY_KEPT, 0x77000, 4096,
		    "read-only, user, dirty, no-exec, PROT_NONE, type=0");
	check_entry(&arch_arm, &m, TABLE_KEPT, 0x00077bc0, ENTRY_NONE, 0, 4096, "");
	CHECK(!arch_arm.entry_decode(&m, 2, 1, &said));
}

/* ARMv7-A B3.6.1 and B3.6.2: as arm64's, with XN at 54. */
TEST(arm_long_words)
{
	struct mmu m = { 0 };
	struct entry_said said;

	arm_mmu(&m, 0x3000, true);
	check_entry(&arch_arm, &m, 2, UINT64_C(0x1000000000004003), ENTRY_TABLE, 0x4000,
		    UINT64_C(1) << 30, "xn-table");
	check_entry(&arch_arm, &m, 1, UINT64_C(0x004000004160071d), ENTRY_BLOCK, 0x41600000,
		    0x200000, "writable, accessed, attr=7, inner-shareable, no-exec");
	check_entry(&arch_arm, &m, 0, UINT64_C(0x0220001249abcfdf), ENTRY_PAGE,
		    UINT64_C(0x1249abc000), 4096,
		    "read-only, user, accessed, not-global, attr=7, inner-shareable, pxn");
	check_entry(&arch_arm, &m, 0, UINT64_C(0x0060001249abc701), ENTRY_NONE, 0, 4096, "");
	CHECK(!arch_arm.entry_decode(&m, TABLE_KEPT, 1, &said));
}

static void check_step(const struct table_walk *w, size_t i, unsigned level, uint64_t at,
		       uint64_t entry)
{
	CHECK_U64(w->step[i].level, level);
	CHECK_U64(w->step[i].at, at);
	CHECK_U64(w->step[i].entry, entry);
}

/* 0xffff8880005ff008 takes entries 273, 0, 2 and 511 (walk_test.c). */
TEST(each_step_of_a_walk)
{
	struct tables t = { .n = 0 };
	struct mmu m = mmu_x86();
	struct table_walk w;
	struct err err;

	m.self = &t;
	set(&t, 0x1000 + 273 * 8, 0x2067);
	set(&t, 0x2000, 0x3067);
	set(&t, 0x3000 + 2 * 8, 0x4067);
	set(&t, 0x4000 + 511 * 8, UINT64_C(0x8000000012345163));
	set(&t, 0x3000 + 3 * 8, 0x9067);
	t.hole = 0x9000;
	REQUIRE_OK(table_walk(&arch_x86_64, &m, UINT64_C(0xffff8880005ff008), &w, &err), err);
	CHECK_U64(w.map.pa, 0x12345000);
	CHECK_U64(w.n, 4);
	check_step(&w, 0, 3, 0x1888, 0x2067);
	check_step(&w, 1, 2, 0x2000, 0x3067);
	check_step(&w, 2, 1, 0x3010, 0x4067);
	check_step(&w, 3, 0, 0x4ff8, UINT64_C(0x8000000012345163));
	/* a table that the dump lacks, and an address that the tables do not span */
	CHECK(!table_walk(&arch_x86_64, &m, UINT64_C(0xffff888000600000), &w, &err));
	CHECK_ERR(err, ERR_NOPGTABLE);
	CHECK_U64(w.n, 4);
	CHECK(w.step[3].absent && w.step[3].at == 0x9000 && !w.step[2].absent);
	CHECK(!table_walk(&arch_x86_64, &m, UINT64_C(0xff11000000000000), &w, &err));
	CHECK_U64(w.n, 0);
	/* nothing there: the entry that says so is the last step */
	CHECK(!table_walk(&arch_x86_64, &m, UINT64_C(0xffff888000400000), &w, &err));
	CHECK_U64(w.n, 4);
	CHECK_U64(w.step[3].said.form, ENTRY_NONE);
}

/* Words of four bytes: 0x00001000 takes the second word of its pair in both of the last tables,
 * whose own half of the page begins 2048 bytes earlier (user_test.c). */
TEST(words_of_a_pair)
{
	struct tables t = { .n = 0 };
	struct mmu m = { .read_entry = read_entry, .self = &t };
	struct table_walk w;
	struct err err;

	arm_mmu(&m, 0x4000, false);
	m.low = true;
	set(&t, 0x4000, 0x8801);
	set(&t, 0x8000, UINT64_C(0x0007700100066041));
	set(&t, 0x8800, UINT64_C(0x0007700200000000));
	REQUIRE_OK(table_walk(&arch_arm, &m, 0x1000, &w, &err), err);
	CHECK_U64(w.n, 2);
	check_step(&w, 0, 1, 0x4000, 0x8801);
	check_step(&w, 1, 0, 0x8804, 0x77002);
	REQUIRE_OK(table_walk(&arch_arm, &m, 0, &w, &err), err);
	CHECK_U64(w.n, 3);
	check_step(&w, 2, TABLE_KEPT, 0x8000, 0x66041);
	CHECK_STR(table_level_name(w.step[2].level, 2), "Linux");
	/* the section of an odd megabyte */
	set(&t, 0x4000 + 0x400 * 4, UINT64_C(0x4141941e00000000));
	REQUIRE_OK(table_walk(&arch_arm, &m, 0x40100000, &w, &err), err);
	check_step(&w, 0, 1, 0x4000 + 0x401 * 4, 0x4141941e);
}

TEST(names_of_levels)
{
	CHECK_STR(table_level_name(4, 5), "PGD");
	CHECK_STR(table_level_name(3, 5), "P4D");
	CHECK_STR(table_level_name(3, 4), "PGD");
	CHECK_STR(table_level_name(2, 4), "PUD");
	CHECK_STR(table_level_name(1, 3), "PMD");
	CHECK_STR(table_level_name(1, 2), "PGD");
	CHECK_STR(table_level_name(0, 2), "PTE");
}

TEST_MAIN
