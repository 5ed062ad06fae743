/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what entries mean that map nothing, against arch/NAME/include/asm/pgtable.h and
 * include/linux/swap.h of the kernels that are named. */
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"
#include "core/linux/memory/entry.h"

#define SWAP_INFO (KERNEL_BASE + 0x100)
#define PROTECTION (KERNEL_BASE + 0x200)

static struct fake_kernel k;
static struct mmu mmu;
static unsigned areas; /* elements of swap_info */
static struct enumerator flags[] = { { "PG_locked", 0 }, { "PG_anon_exclusive", 17 } };

static bool variable(struct type_source *s, const char *name, uint64_t addr,
		     const struct type **ret, struct err *err)
{
	(void)s, (void)addr;
	if (strcmp(name, "swap_info") != 0)
		return err_set(err, ERR_NOTYPE, "no '%s'", name);
	*ret = kernel_array(&k, &k.ptr, areas);
	return true;
}

/* exclusive: v5.19 and later */
static void start(const struct arch *arch, bool exclusive)
{
	struct type *e;

	kernel_init(&k);
	k.arch.elf_machine = arch->elf_machine;
	mmu = (struct mmu){ .page_shift = 12,
			    .phys_mask = UINT64_C(0x0000fffffffff000),
			    .low = true };
	k.source.variable = variable;
	e = kernel_struct(&k, "pageflags", 4);
	e->kind = TYPE_ENUM;
	e->enums = flags;
	e->n_enums = exclusive ? 2 : 1;
	kernel_symbol(&k, "swap_info", SWAP_INFO);
	kernel_symbol(&k, "protection_map", PROTECTION);
}

static void check_meaning(uint64_t entry, const char *want)
{
	CHECK_STR(entry_meaning(&k.t, &mmu, entry, 4096, &k.scratch), want);
}

/* 6.1: all options on give 32 - 1 - 3 - 4 - 1 - 1 areas. __swp_entry(type, 0x1234) is type << 59
 * and the offset's complement from bit 9 on. */
TEST(x86_64_of_6_1)
{
	start(&arch_x86_64, true);
	mmu.phys_mask = UINT64_C(0x000ffffffffff000);
	areas = 22;
	kernel_symbol(&k, "memory_failure", KERNEL_BASE);
	kernel_symbol(&k, "migration_entry_wait", KERNEL_BASE);
	check_meaning(0, "nothing");
	check_meaning(0x60, "nothing");
	check_meaning(UINT64_C(0x1fffffffffdb9600), "swapped out: page 4660 of swap area 3");
	check_meaning(UINT64_C(0xb7ffffffffdb9600), "poisoned: swap type 22, offset 0x1234");
	check_meaning(UINT64_C(0xbfffffffffdb9600), "migration: swap type 23, offset 0x1234");
	check_meaning(UINT64_C(0xcfffffffffdb9600), "migration: swap type 25, offset 0x1234");
	check_meaning(UINT64_C(0xd7ffffffffdb9600), "device memory: swap type 26, offset 0x1234");
	check_meaning(UINT64_C(0xefffffffffdb9600), "device memory: swap type 29, offset 0x1234");
	check_meaning(UINT64_C(0xffffffffffdb9600),
		      "marker, swap error or device memory: swap type 31, offset 0x1234");
	check_meaning(UINT64_C(0x000fffffedcba100), "PROT_NONE: in RAM at 0x12345000");
	mmu.low = false; /* in the kernel's own tables none of this is meant */
	check_meaning(UINT64_C(0x1fffffffffdb9600), "not present");
	kernel_release(&k);
}

/* 5.10: 32 - 1 - 2 - 2 areas, and no markers. Without poisoned pages the types are one lower.
 * Without swap_info's type nobody knows which types are areas. */
TEST(swap_types)
{
	start(&arch_x86_64, false);
	areas = 27;
	kernel_symbol(&k, "memory_failure", KERNEL_BASE);
	kernel_symbol(&k, "migration_entry_wait", KERNEL_BASE);
	CHECK(!swap_type_name(&k.t, 26));
	CHECK_STR(swap_type_name(&k.t, 27), "poisoned");
	CHECK_STR(swap_type_name(&k.t, 28), "migration");
	CHECK_STR(swap_type_name(&k.t, 29), "migration");
	CHECK_STR(swap_type_name(&k.t, 30), "device memory");
	CHECK_STR(swap_type_name(&k.t, 31), "device memory");
	areas = 40;
	CHECK_STR(swap_type_name(&k.t, 3), "special");
	kernel_release(&k);
	start(&arch_x86_64, true);
	areas = 28; /* three of migration, and one */
	kernel_symbol(&k, "migration_entry_wait", KERNEL_BASE);
	CHECK_STR(swap_type_name(&k.t, 28), "migration");
	CHECK_STR(swap_type_name(&k.t, 30), "migration");
	CHECK_STR(swap_type_name(&k.t, 31), "marker or swap error");
	kernel_release(&k);
}

/* 6.1: type in bits 7:3, offset from 8; PROT_NONE is bit 58, which PAGE_NONE has. */
TEST(aarch64_of_6_1)
{
	start(&arch_aarch64, true);
	areas = 23;
	put64(&k, PROTECTION, UINT64_C(0x0460000000000880));
	check_meaning(0x123418, "swapped out: page 4660 of swap area 3");
	check_meaning(UINT64_C(0x0460000012345f80), "PROT_NONE: in RAM at 0x12345000");
	kernel_release(&k);
}

/* 5.10: type in bits 7:2. */
TEST(aarch64_of_5_10)
{
	start(&arch_aarch64, false);
	areas = 27;
	put64(&k, PROTECTION, UINT64_C(0x0460000000000880));
	check_meaning(0x12340c, "swapped out: page 4660 of swap area 3");
	kernel_release(&k);
}

/* 6.12: type in bits 10:6, offset from 12; PROT_NONE is bit 11. What cannot be read is not guessed.
 */
TEST(aarch64_of_6_12)
{
	start(&arch_aarch64, true);
	areas = 23;
	put64(&k, PROTECTION, UINT64_C(0x0060000000000f80));
	check_meaning(0x12340c4, "swapped out: page 4660 of swap area 3");
	check_meaning(UINT64_C(0x0060000012345f80), "PROT_NONE: in RAM at 0x12345000");
	kernel_release(&k);
	start(&arch_aarch64, true);
	k.holes = 1;
	check_meaning(0x12340c4, "swapped out, or on its way: the entry's layout is not known");
	kernel_release(&k);
}

/* pgtable-3level.h: bit 57 and bit 1. */
TEST(arm)
{
	start(&arch_arm, true);
	mmu.long_entries = true;
	mmu.phys_mask = UINT64_C(0xfffffff000);
	check_meaning(UINT64_C(0x0200001249abcfde), "PROT_NONE: in RAM at 0x1249abc000");
	check_meaning(0x1000, "swapped out, or on its way: the entry's layout is not known");
	/* a huge page of a guest that was filled before mprotect(): bit 57, and neither 1 nor 0 */
	CHECK_STR(entry_meaning(&k.t, &mmu, UINT64_C(0x06e0000041a00f9c), 2 << 20, &k.scratch),
		  "PROT_NONE: in RAM at 0x41a00000");
	mmu.long_entries = false;
	check_meaning(0, "nothing");
	kernel_release(&k);
}

/* arch/s390/include/asm/pgtable.h: 0x400 alone is nothing, 1 a page that is there, type in bits
 * 6:2, offset from 12. */
TEST(s390x)
{
	start(&arch_s390x, true);
	areas = 23;
	mmu.page_shift = 12;
	mmu.phys_mask = ~UINT64_C(0xfff);
	check_meaning(0x400, "nothing");
	check_meaning(0x12345601, "PROT_NONE: in RAM at 0x12345000");
	check_meaning(0x123460c, "swapped out: page 4660 of swap area 3");
	/* of a segment */
	CHECK_STR(entry_meaning(&k.t, &mmu, 0x20, 1 << 20, &k.scratch), "nothing");
	CHECK_STR(entry_meaning(&k.t, &mmu, 0x12300221, 1 << 20, &k.scratch),
		  "swapped out, or on its way: the entry's layout is not known");
	kernel_release(&k);
}

TEST_MAIN
