/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the page-table walks and saved registers of each architecture, against the manuals'
 * layouts. */
#include "core/arch/arch.h"
#include "core/base/test.h"
#include "core/base/vec.h"

/* A few table entries, by physical address; all else is zero, and `hole` cannot be read. */
struct tables {
	struct {
		uint64_t pa, entry;
	} e[16];
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

static void check(const struct arch *arch, const struct mmu *mmu, uint64_t va, uint64_t pa,
		  uint64_t size)
{
	struct mapping map = { 0 };
	struct err err;

	if (!CHECK_OK(arch->walk(mmu, va, &map, &err), err))
		return;
	CHECK_U64(map.pa + (va - map.va), pa);
	CHECK_U64(map.size, size);
}

static void check_not(const struct arch *arch, const struct mmu *mmu, uint64_t va,
		      enum err_code code)
{
	struct mapping map;
	struct err err = { 0 };

	CHECK(!arch->walk(mmu, va, &map, &err));
	CHECK_ERR(err, code);
}

/* Intel SDM 3A 4.5: 9 bits a level, 4 KiB tables; bit 7 of a PDPTE or PDE: a page of 1 GiB or 2
 * MiB. */
TEST(x86_64_four_levels)
{
	struct tables t = { 0 };
	struct mmu mmu = { .root = 0x1000,
			   .va_bits = 48,
			   .page_shift = 12,
			   .phys_mask = UINT64_C(0x000ffffffffff000),
			   .read_entry = read_entry,
			   .self = &t };

	set(&t, 0x1000 + 273 * 8, 0x2067); /* 0xffff888000000000 */
	set(&t, 0x2000 + 0 * 8, 0x3067);
	set(&t, 0x2000 + 1 * 8, UINT64_C(0x80000000400000e7)); /* 1 GiB, not executable */
	set(&t, 0x3000 + 1 * 8, 0xe00000e7);                   /* 2 MiB */
	set(&t, 0x3000 + 2 * 8, 0x4067);
	set(&t, 0x4000 + 511 * 8, UINT64_C(0x8000000012345163)); /* 4 KiB */
	set(&t, 0x4000 + 5 * 8, 0x12345162);                     /* not present */
	set(&t, 0x3000 + 3 * 8, 0x9067);
	t.hole = 0x9000;
	check(&arch_x86_64, &mmu, UINT64_C(0xffff888000200123), 0xe0000123, 0x200000);
	check(&arch_x86_64, &mmu, UINT64_C(0xffff8880005ff008), 0x12345008, 0x1000);
	check(&arch_x86_64, &mmu, UINT64_C(0xffff888040000010), 0x40000010, 0x40000000);
	check_not(&arch_x86_64, &mmu, UINT64_C(0xffff888000405000), ERR_UNMAPPED);
	check_not(&arch_x86_64, &mmu, UINT64_C(0xffff888000600000), ERR_NOPGTABLE);
	check_not(&arch_x86_64, &mmu, UINT64_C(0xffff800000000000), ERR_UNMAPPED);
	check_not(&arch_x86_64, &mmu, UINT64_C(0xff11000000000000), ERR_BADADDR);
}

TEST(x86_64_five_levels)
{
	struct tables t = { 0 };
	struct mmu mmu = { .root = 0x1000,
			   .va_bits = 57,
			   .page_shift = 12,
			   .phys_mask = UINT64_C(0x000ffffffffff000),
			   .read_entry = read_entry,
			   .self = &t };

	/* 0xff11000000000000: bits 56-48 are 0x111 */
	set(&t, 0x1000 + 0x111 * 8, 0x2067);
	set(&t, 0x2000, 0x3067);
	set(&t, 0x3000, 0x4067);
	set(&t, 0x4000, 0x5067);
	set(&t, 0x5000 + 8, 0x77163);
	check(&arch_x86_64, &mmu, UINT64_C(0xff11000000001fff), 0x77fff, 0x1000);
	check_not(&arch_x86_64, &mmu, UINT64_C(0x8011000000001000), ERR_BADADDR);
}

/* Arm ARM D8.3: bits 1:0 are 3 for a table, 1 for a block, 3 for a page at the last level. */
TEST(aarch64_4k_48_bits)
{
	struct tables t = { 0 };
	struct mmu mmu = { .root = 0x1000,
			   .va_bits = 48,
			   .page_shift = 12,
			   .phys_mask = UINT64_C(0x0000fffffffff000),
			   .read_entry = read_entry,
			   .self = &t };

	set(&t, 0x1000 + 256 * 8, 0x2003); /* 0xffff800000000000 */
	set(&t, 0x2000, 0x3003);
	set(&t, 0x2000 + 8, UINT64_C(0x0060000040000701)); /* 1 GiB */
	set(&t, 0x3000 + 8, UINT64_C(0x0060000048200701)); /* 2 MiB */
	set(&t, 0x3000 + 16, 0x4003);
	set(&t, 0x4000 + 8, UINT64_C(0x0068000049abc703));  /* a page */
	set(&t, 0x4000 + 16, UINT64_C(0x0068000049abd701)); /* reserved: not a page */
	check(&arch_aarch64, &mmu, UINT64_C(0xffff800000201234), 0x48201234, 0x200000);
	check(&arch_aarch64, &mmu, UINT64_C(0xffff800000401010), 0x49abc010, 0x1000);
	check(&arch_aarch64, &mmu, UINT64_C(0xffff800050000000), 0x50000000, 0x40000000);
	check_not(&arch_aarch64, &mmu, UINT64_C(0xffff800000402000), ERR_UNMAPPED);
	check_not(&arch_aarch64, &mmu, UINT64_C(0xfff0800000402000), ERR_BADADDR);
}

/* A task's tables, of TTBR0: the same levels, for addresses whose upper bits are all clear. */
TEST(aarch64_lower_half)
{
	struct tables t = { .n = 0 };
	struct mmu mmu = { .root = 0x1000,
			   .va_bits = 48,
			   .page_shift = 12,
			   .phys_mask = UINT64_C(0x0000fffffffff000),
			   .low = true,
			   .read_entry = read_entry,
			   .self = &t };

	/* 0x0000aaaaaaad5008: entries 341, 170, 341 and 213, a page that user code may read */
	set(&t, 0x1000 + 341 * 8, 0x2003);
	set(&t, 0x2000 + 170 * 8, 0x3003);
	set(&t, 0x3000 + 341 * 8, 0x4003);
	set(&t, 0x4000 + 213 * 8, UINT64_C(0x0060000048765fc3));
	check(&arch_aarch64, &mmu, UINT64_C(0x0000aaaaaaad5008), 0x48765008, 0x1000);
	check_not(&arch_aarch64, &mmu, UINT64_C(0x0000aaaaaaad6000), ERR_UNMAPPED);
	/* the kernel's half has tables of its own, and these know nothing of it */
	check_not(&arch_aarch64, &mmu, UINT64_C(0xffffaaaaaaad5008), ERR_BADADDR);
	check_not(&arch_aarch64, &mmu, UINT64_C(0x0001000000000000), ERR_BADADDR);
	mmu.low = false;
	check_not(&arch_aarch64, &mmu, UINT64_C(0x0000aaaaaaad5008), ERR_BADADDR);
}

/* 64 KiB pages: levels of 13 bits, with 52 bits 10 at the top; address bits 51:48 in entry bits
 * 15:12. */
TEST(aarch64_64k_52_bits)
{
	struct tables t = { 0 };
	struct mmu mmu = { .root = 0x10000,
			   .va_bits = 52,
			   .page_shift = 16,
			   .phys_mask = UINT64_C(0x0000ffffffff0000),
			   .read_entry = read_entry,
			   .self = &t };

	/* 0xfff8000000000000: bits 51-42 are 0x200 */
	set(&t, 0x10000 + 0x200 * 8, 0x20003);
	set(&t, 0x20000 + 8, UINT64_C(0x00600000e0000701)); /* 512 MiB */
	set(&t, 0x20000 + 16, 0x30003);
	set(&t, 0x30000 + 8, UINT64_C(0x0068000012345703));
	check(&arch_aarch64, &mmu, UINT64_C(0xfff8000020000042), 0xe0000042, 0x20000000);
	check(&arch_aarch64, &mmu, UINT64_C(0xfff8000040010007), UINT64_C(0x0005000012340007),
	      0x10000);
}

/* 16 KiB pages: levels of 11 bits, one bit at the top with 48 bits. */
TEST(aarch64_16k_48_bits)
{
	struct tables t = { 0 };
	struct mmu mmu = { .root = 0x4000,
			   .va_bits = 48,
			   .page_shift = 14,
			   .phys_mask = UINT64_C(0x0000ffffffffc000),
			   .read_entry = read_entry,
			   .self = &t };

	set(&t, 0x4000 + 8, 0x8003); /* 0xffff800000000000: bit 47 */
	set(&t, 0x8000, 0xc003);
	set(&t, 0xc000, 0x10003);
	set(&t, 0x10000 + 8, UINT64_C(0x0068000048004703));
	set(&t, 0xc000 + 8, UINT64_C(0x0060000050000701)); /* 32 MiB */
	check(&arch_aarch64, &mmu, UINT64_C(0xffff800000004020), 0x48004020, 0x4000);
	check(&arch_aarch64, &mmu, UINT64_C(0xffff800002000001), 0x50000001, 0x2000000);
}

/* LPA2: 4 KiB pages, 52 bits, a fifth level of 4 bits; address bits 51:50 in entry bits 9:8. */
TEST(aarch64_4k_52_bits)
{
	struct tables t = { 0 };
	struct mmu mmu = { .root = 0x1000,
			   .va_bits = 52,
			   .page_shift = 12,
			   .phys_mask = UINT64_C(0x0000fffffffff000),
			   .read_entry = read_entry,
			   .self = &t };

	set(&t, 0x1000 + 8 * 8, 0x2003); /* 0xfff8000000000000: bits 51-48 are 8 */
	set(&t, 0x2000, 0x3003);
	set(&t, 0x3000, 0x4003);
	set(&t, 0x4000, 0x5003);
	set(&t, 0x5000 + 8, UINT64_C(0x0001000049abc603));
	check(&arch_aarch64, &mmu, UINT64_C(0xfff8000000001004), UINT64_C(0x0009000049abc004),
	      0x1000);
}

/* ARMv7-A B3.5: words of 4 bytes, which are read in pairs. 1: a table of 256, 2: a section, with
 * bit 18 a supersection; there 2: a small page, 1: a large one. */
TEST(arm_short_descriptors)
{
	struct tables t = { 0 };
	struct mmu mmu = { .read_entry = read_entry, .self = &t };

	arm_mmu(&mmu, 0x4000, false);
	set(&t, 0x4000 + 0xc00 * 4, UINT64_C(0x4010840e4000840e)); /* 0xc0000000, 0xc0100000 */
	/* 0xbf000000: table at 0x8400; 0xbf100000: nothing */
	set(&t, 0x4000 + 0xbf0 * 4, UINT64_C(0x0000000000008411));
	set(&t, 0x8400 + 4 * 4, UINT64_C(0x0000000012345453));  /* 0xbf004000, none at 5 */
	set(&t, 0x8400 + 16 * 4, UINT64_C(0x5678000156780001)); /* 64 KiB from 0xbf010000 */
	/* 16 MiB at 0xd0000000, of bits 35:32 (23:20 of the entry) and 39:36 (8:5) */
	set(&t, 0x4000 + 0xd00 * 4, UINT64_C(0x8034042e8034042e));
	set(&t, 0x4000 + 0xe00 * 4, UINT64_C(0x0000000000009011));
	t.hole = 0x9000;
	check(&arch_arm, &mmu, 0xc0012345, 0x40012345, 0x100000);
	check(&arch_arm, &mmu, 0xc0100004, 0x40100004, 0x100000);
	check(&arch_arm, &mmu, 0xbf004abc, 0x12345abc, 0x1000);
	check(&arch_arm, &mmu, 0xbf010ff0, 0x56780ff0, 0x10000);
	check(&arch_arm, &mmu, 0xd0123456, UINT64_C(0x1380123456), 0x1000000);
	check_not(&arch_arm, &mmu, 0xbf005000, ERR_UNMAPPED);
	check_not(&arch_arm, &mmu, 0xbf100000, ERR_UNMAPPED);
	check_not(&arch_arm, &mmu, 0xe0000000, ERR_NOPGTABLE);
	check_not(&arch_arm, &mmu, UINT64_C(0x1c0000000), ERR_BADADDR);
}

/* ARMv7-A B3.6: three levels, 40 bits of address. */
TEST(arm_long_descriptors)
{
	struct tables t = { 0 };
	struct mmu mmu = { .read_entry = read_entry, .self = &t };

	arm_mmu(&mmu, 0x3000, true);
	set(&t, 0x3000 + 3 * 8, 0x4003);
	set(&t, 0x4000, UINT64_C(0x00400000c0200711)); /* 2 MiB at 0xc0000000 */
	set(&t, 0x4000 + 8, 0x5003);
	set(&t, 0x5000 + 8, UINT64_C(0x0060001249abc703));  /* a page */
	set(&t, 0x5000 + 16, UINT64_C(0x0060001249abc701)); /* reserved: not a page */
	check(&arch_arm, &mmu, 0xc0000010, 0xc0200010, 0x200000);
	check(&arch_arm, &mmu, 0xc0201ffc, UINT64_C(0x1249abcffc), 0x1000);
	check_not(&arch_arm, &mmu, 0xc0202000, ERR_UNMAPPED);
	check_not(&arch_arm, &mmu, 0x80000000, ERR_UNMAPPED);
}

static bool number(void *self, const char *name, uint64_t *ret)
{
	*ret = *(uint64_t *)self;
	return *ret && strcmp(name, "KERNELPACMASK") == 0;
}

TEST(aarch64_authentication_codes)
{
	uint64_t mask = UINT64_C(0xff7f000000000000), none = 0;
	struct arch_facts with = { .number = number, .self = &mask },
			  without = { .number = number, .self = &none };

	/* bit 55 tells the half and is no part of the code */
	CHECK_U64(arch_aarch64.strip_pac(&with, UINT64_C(0x8fabb19198226ae8)),
		  UINT64_C(0xffffb19198226ae8));
	CHECK_U64(arch_aarch64.strip_pac(&without, UINT64_C(0x8fabb19198226ae8)),
		  UINT64_C(0xffffb19198226ae8));
	CHECK_U64(arch_aarch64.strip_pac(&with, UINT64_C(0x0000aaaa98226ae8)),
		  UINT64_C(0x0000aaaa98226ae8));
	CHECK_U64(arch_x86_64.strip_pac(&with, 5), 5);
}

/* Where the ABI of each architecture has a function's first argument. */
TEST(first_arguments)
{
	CHECK_STR(arch_x86_64.reg_names[arch_x86_64.argument], "rdi");
	CHECK_STR(arch_aarch64.reg_names[arch_aarch64.argument], "x0");
	CHECK_STR(arch_arm.reg_names[arch_arm.argument], "r0");
	CHECK_STR(arch_riscv64.reg_names[arch_riscv64.argument], "a0");
	CHECK_STR(arch_ppc64le.reg_names[arch_ppc64le.argument], "r3");
	CHECK_STR(arch_s390x.reg_names[arch_s390x.argument], "r2");
	CHECK_STR(arch_loongarch64.reg_names[arch_loongarch64.argument], "a0");
}

TEST(saved_registers)
{
	uint8_t desc[392] = { 0 };
	struct regs regs;
	struct err err;

	for (size_t i = 0; i < 34; i++)
		desc[112 + 8 * i] = (uint8_t)(i + 1);
	/* user_regs_struct: r15 is the first, rip the 17th, rsp the 20th, rbp the 5th, rax the 11th
	 */
	REQUIRE_OK(arch_x86_64.regs_of_prstatus(SPAN(desc, 336), false, &regs, &err), err);
	CHECK_U64(regs.r[15], 1);
	CHECK_U64(regs.r[arch_x86_64.pc], 17);
	CHECK_U64(regs.r[arch_x86_64.sp], 20);
	CHECK_U64(regs.r[arch_x86_64.fp], 5);
	CHECK_U64(regs.r[0], 11);
	/* the same bytes as the file of a big-endian machine would have them */
	REQUIRE_OK(arch_x86_64.regs_of_prstatus(SPAN(desc, 336), true, &regs, &err), err);
	CHECK_U64(regs.r[arch_x86_64.pc], UINT64_C(17) << 56);
	CHECK(!arch_x86_64.regs_of_prstatus(SPAN(desc, 300), false, &regs, &err));
	CHECK_ERR(err, ERR_FORMAT);
	REQUIRE_OK(arch_x86_64.regs_of_pt_regs(SPAN(desc + 112, arch_x86_64.pt_regs_size), &regs,
					       &err),
		   err);
	CHECK_U64(regs.r[arch_x86_64.sp], 20);
	REQUIRE_OK(arch_aarch64.regs_of_prstatus(SPAN(desc, 392), false, &regs, &err), err);
	CHECK_U64(regs.r[0], 1);
	CHECK_U64(regs.r[arch_aarch64.fp], 30);
	CHECK_U64(regs.r[arch_aarch64.sp], 32);
	CHECK_U64(regs.r[arch_aarch64.pc], 33);
	for (unsigned i = 0; i < REGS_MAX; i++)
		CHECK(!(regs.have >> i & 1) || arch_aarch64.reg_names[i]);
	/* r0-r15, cpsr, orig_r0 of 4 bytes each from 72 on */
	for (size_t i = 0; i < 18; i++)
		desc[72 + 4 * i] = (uint8_t)(i + 1), memset(desc + 73 + 4 * i, 0, 3);
	REQUIRE_OK(arch_arm.regs_of_prstatus(SPAN(desc, 148), false, &regs, &err), err);
	CHECK_U64(regs.r[arch_arm.fp], 12);
	CHECK_U64(regs.r[arch_arm.sp], 14);
	CHECK_U64(regs.r[arch_arm.pc], 16);
	CHECK_U64(regs.r[16], 17);
	CHECK(!arch_arm.regs_of_pt_regs(SPAN(desc, 71), &regs, &err));
	CHECK_U64(arch_arm.strip_pac(NULL, 0xc0100001), 0xc0100000);
	CHECK(arch_of_elf(40) == &arch_arm && arch_of_name("armv7l") == &arch_arm &&
	      arch_of_name("armv6l") == &arch_arm && !arch_of_name("armv7b"));
	CHECK(arch_of_elf(62) == &arch_x86_64 && arch_of_elf(183) == &arch_aarch64 &&
	      !arch_of_elf(0));
	CHECK(arch_of_name("aarch64") == &arch_aarch64 && !arch_of_name(""));
}

/* call rel32 is e8 and counts from behind it; bl has 26 bits of words from itself (the architecture
 * manuals) */
TEST(direct_calls)
{
	static const uint8_t x86[] = { 0x90, 0x90, 0x90, 0xe8, 0xfb, 0xff, 0xff, 0xff };
	static const uint8_t x86_far[] = { 0x90, 0x90, 0x90, 0xe8, 0x00, 0x01, 0x00, 0x00 };
	static const uint8_t x86_ptr[] = { 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xd0 };
	static const uint8_t bl_back[] = { 0x1f, 0x20, 0x03, 0xd5, 0xff, 0xff, 0xff, 0x97 };
	static const uint8_t bl_on[] = { 0x1f, 0x20, 0x03, 0xd5, 0x40, 0x00, 0x00, 0x94 };
	static const uint8_t blr[] = { 0x1f, 0x20, 0x03, 0xd5, 0x00, 0x00, 0x3f, 0xd6 };
	uint64_t to;

	CHECK(arch_x86_64.call_target(SPAN(x86, 8), 0x1000, &to));
	CHECK_U64(to, 0xffb);
	CHECK(arch_x86_64.call_target(SPAN(x86_far, 8), 0x1000, &to));
	CHECK_U64(to, 0x1100);
	CHECK(!arch_x86_64.call_target(SPAN(x86_ptr, 8), 0x1000, &to));
	CHECK(!arch_x86_64.call_target(SPAN(x86 + 4, 4), 0x1000, &to));
	CHECK(arch_aarch64.call_target(SPAN(bl_back, 8), 0x1000, &to));
	CHECK_U64(to, 0xff8);
	CHECK(arch_aarch64.call_target(SPAN(bl_on, 8), 0x1000, &to));
	CHECK_U64(to, 0x10fc);
	CHECK(!arch_aarch64.call_target(SPAN(blr, 8), 0x1000, &to));
}

/* Intel SDM vol. 2: jmp is eb rel8 and e9 rel32, jcc 70 to 7f rel8 and 0f 80 to 8f rel32, all from
 * behind themselves. Arm ARM C6.2: b is 0x14000000 with 26 bits of words from itself. */
TEST(direct_jumps)
{
	static const uint8_t x86[] = { 0x90, 0xeb, 0x10, 0xe9, 0xf8, 0xff, 0xff, 0xff,
				       0x0f, 0x84, 0x00, 0x01, 0x00, 0x00, 0x0f, 0x85 };
	static const uint8_t arm64[] = { 0x1f, 0x20, 0x03, 0xd5, 0xff, 0xff, 0xff, 0x17,
					 0x40, 0x00, 0x00, 0x94, 0x40, 0x00, 0x00, 0x14 };
	static const uint64_t x86_to[] = { 0x1013, 0x1000, 0x110e },
			      arm64_to[] = { 0x1000, 0x110c };
	size_t at = 0;
	uint64_t to;

	for (size_t i = 0; i < ARRAY_SIZE(x86_to); i++) {
		REQUIRE(arch_x86_64.jump_next(SPAN(x86, sizeof(x86)), 0x1000, &at, &to));
		CHECK_U64(to, x86_to[i]);
	}
	at = 8; /* what is cut off is none, and so is no operand of one */
	REQUIRE(arch_x86_64.jump_next(SPAN(x86, sizeof(x86)), 0x1000, &at, &to));
	CHECK(!arch_x86_64.jump_next(SPAN(x86, sizeof(x86)), 0x1000, &at, &to));
	at = 0;
	for (size_t i = 0; i < ARRAY_SIZE(arm64_to); i++) {
		REQUIRE(arch_aarch64.jump_next(SPAN(arm64, sizeof(arm64)), 0x1000, &at, &to));
		CHECK_U64(to, arm64_to[i]);
	}
	CHECK(!arch_aarch64.jump_next(SPAN(arm64, sizeof(arm64)), 0x1000, &at, &to));
}

/* Encodings as the Arm Architecture Reference Manual has them: adrp counts pages of 4 KiB from its
 * own; what follows adds the rest, scaled by the size of an access. */
TEST(addresses_of_data_that_code_makes)
{
	static const uint32_t code[] = {
		0xb0000000, /* adrp x0, one page on */
		0xd503201f, /* nop */
		0x91014001, /* add x1, x0, #0x50 */
		0xf9402802, /* ldr x2, [x0, #0x50] */
		0xb9405003, /* ldr w3, [x0, #0x50] */
		0x39014003, /* strb w3, [x0, #0x50] */
		0x11014001, /* add w1, w0, #0x50: no address */
		0x91014041, /* add x1, x2, #0x50: of no page */
		0xf0fffff4, /* adrp x20, one page back */
		0x91170294, /* add x20, x20, #0x5c0 */
	};
	static const uint64_t want[] = { 0x11050, 0x11050, 0x11050, 0x11050, 0xf5c0 };
	uint8_t bytes[sizeof(code)];
	size_t at = 0;
	uint64_t to;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(code[i / 4] >> i % 4 * 8);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		REQUIRE(arch_aarch64.place_next(SPAN(bytes, sizeof(bytes)), 0x10000, &at, &to));
		CHECK_U64(to, want[i]);
	}
	CHECK(!arch_aarch64.place_next(SPAN(bytes, sizeof(bytes)), 0x10000, &at, &to));
	at = 0; /* what is cut off is none */
	CHECK(!arch_aarch64.place_next(SPAN(bytes, 11), 0x10000, &at, &to));
}

/* QEMU's note of an x86 CPU: what it says of a CPU in a program goes under another name. */
struct said {
	const char *name;
	uint64_t value;
};

static void take(void *self, const char *name, uint64_t value)
{
	struct said *f = self;

	while (f->name)
		f++;
	*f = (struct said){ name, value };
}

TEST(control_registers_of_qemus_note)
{
	struct said facts[4] = { { 0 } }, user[4] = { { 0 } }, none[4] = { { 0 } };
	uint8_t note[440] = { 0 };

	CHECK_U64(arch_x86_64.qemu_note_size, sizeof(note));
	arch_x86_64.qemu_note(SPAN(note, sizeof(note)), take, none);
	CHECK(!none[0].name); /* tables at 0: it never ran */
	note[417] = 0x50;     /* cr3 */
	note[424] = 0x20;     /* cr4 */
	note[152] = 0x10;     /* cs: the kernel's */
	arch_x86_64.qemu_note(SPAN(note, sizeof(note)), take, facts);
	CHECK_STR(facts[0].name, "cr4");
	CHECK_U64(facts[0].value, 0x20);
	CHECK_STR(facts[1].name, "cr3");
	CHECK_U64(facts[1].value, 0x5000);
	note[152] = 0x33;
	arch_x86_64.qemu_note(SPAN(note, sizeof(note)), take, user);
	CHECK_STR(user[1].name, "user_cr3");
}

/* What uname -m, reports and ELF headers call an architecture. */
TEST(names)
{
	CHECK(arch_of_name("armv7l") == &arch_arm && arch_of_name("armv8l") == &arch_arm);
	CHECK(!arch_of_name("armv7") && !arch_of_name("armv7hl") && !arch_of_name("arm"));
	CHECK(arch_of_report("arm") == &arch_arm && !arch_of_report("armv7l"));
	CHECK(arch_of_report("x86_64") == arch_of_name("x86_64"));
	CHECK(arch_of_elf(183) == &arch_aarch64 && !arch_of_elf(0));
	CHECK(arch_reloc_of(arch_of_texts(3, 4, false), 1)->bytes == 4); /* R_386_32 */
	CHECK(arch_reloc_of(&arch_aarch64, 257)->bytes == 8);            /* R_AARCH64_ABS64 */
	CHECK(!arch_reloc_of(&arch_aarch64, 1) && !arch_reloc_of(NULL, 1));
}

TEST_MAIN
