/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of LoongArch: windows and page tables by its manual (volume 1, 5.2 and 5.4), the search for
 * its kernel, saved registers, and code as binutils disassembles it in Debian's kernel 7.2. */
#include "core/arch/table.h"
#include "core/base/arena.h"
#include "core/base/test.h"
#include "core/base/vec.h"

#define WINDOW UINT64_C(0x9000000000000000)

/* A few table entries, by physical address; all else is zero, and `hole` cannot be read. */
struct tables {
	struct {
		uint64_t pa, entry;
	} e[16];
	size_t n;
	uint64_t hole;
	/* facts, and for a search where the banner is */
	uint64_t page, swapper, pte, pmd, pud, banner, banner_pa;
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

static void set(struct tables *t, uint64_t table, unsigned i, uint64_t entry)
{
	t->e[t->n].pa = table + 8 * i;
	t->e[t->n++].entry = entry;
}

static bool number(void *self, const char *name, uint64_t *ret)
{
	const struct tables *t = self;

	*ret = !strcmp(name, "PAGESIZE") ? t->page : 0;
	return *ret;
}

static bool symbol(void *self, const char *name, uint64_t *ret)
{
	const struct tables *t = self;

	*ret = !strcmp(name, "swapper_pg_dir")      ? t->swapper
	       : !strcmp(name, "invalid_pte_table") ? t->pte
	       : !strcmp(name, "invalid_pmd_table") ? t->pmd
	       : !strcmp(name, "invalid_pud_table") ? t->pud
	       : !strcmp(name, "linux_banner")      ? t->banner
						    : 0;
	return *ret;
}

static struct mmu mmu_of(struct tables *t)
{
	struct arch_facts facts = { number, symbol, t };
	struct mmu mmu = { .read_entry = read_entry, .self = t };
	struct err err;

	CHECK_OK(arch_loongarch64.mmu_init(&facts, &mmu, &err), err);
	return mmu;
}

static void check(const struct mmu *mmu, uint64_t va, uint64_t pa, uint64_t size)
{
	struct mapping map = { 0 };
	struct err err;

	if (!CHECK_OK(arch_loongarch64.walk(mmu, va, &map, &err), err))
		return;
	CHECK_U64(map.pa + (va - map.va), pa);
	CHECK_U64(map.size, size);
}

/* Returns how large the block is that the last entry stands for. */
static uint64_t check_not(const struct mmu *mmu, uint64_t va, enum err_code code)
{
	struct mapping map = { 0 };
	struct err err = { 0 };

	CHECK(!arch_loongarch64.walk(mmu, va, &map, &err));
	CHECK_ERR(err, code);
	return map.size;
}

/* Debian's: 16 KiB, three levels of 11 bits; the tables of nothing are part of the image. */
static struct tables debian(void)
{
	return (struct tables){ .page = 16384,
				.swapper = WINDOW | 0x1b20000,
				.pte = WINDOW | 0x1b24000,
				.pmd = WINDOW | 0x1b28000 };
}

TEST(windows)
{
	struct tables t = { .page = 16384 };
	struct mmu mmu = mmu_of(&t);

	/* without any table: uncached, cached, writes combined */
	check(&mmu, UINT64_C(0x8000000010000123), 0x10000123, 0x4000);
	check(&mmu, UINT64_C(0x9000000000200000), 0x200000, 0x4000);
	check(&mmu, UINT64_C(0x9000800012345678), UINT64_C(0x800012345678), 0x4000);
	check(&mmu, UINT64_C(0xa000000000001000), 0x1000, 0x4000);
	check_not(&mmu, UINT64_C(0x9001000000000000), ERR_BADADDR);
	check_not(&mmu, UINT64_C(0xb000000000000000), ERR_BADADDR);
	check_not(&mmu, UINT64_C(0xffffc00000000000), ERR_NEED);
	CHECK(arch_loongarch64.is_kernel_va(UINT64_C(0x9000000000200000)));
	CHECK(arch_loongarch64.is_kernel_va(UINT64_C(0xffff800002280000)));
	CHECK(!arch_loongarch64.is_kernel_va(UINT64_C(0x9001000000200000)));
	CHECK(!arch_loongarch64.is_kernel_va(0x120021088));
	/* a program has none */
	mmu.low = true;
	check_not(&mmu, UINT64_C(0x9000000000200000), ERR_BADADDR);
}

/* 7: present, 6: huge, or global in the last level; 0: valid, 1: dirty */
TEST(three_levels)
{
	struct tables t = debian();
	struct mmu mmu = mmu_of(&t);
	uint64_t top = UINT64_C(0xffff800000000000); /* index 0 of the top: bits 36 to 46 */

	CHECK_U64(mmu.va_bits, 47);
	CHECK_U64(mmu.root, 0x1b20000);
	set(&t, 0x1b20000, 0, WINDOW | 0x7000000);
	set(&t, 0x7000000, 1, WINDOW | 0x7004000);                   /* bits 25 to 35 */
	set(&t, 0x7004000, 3, UINT64_C(0x4000012345678000) | 0x1d3); /* bits 14 to 24 */
	set(&t, 0x7004000, 4, UINT64_C(0x12345678000) | 0x153);      /* not present */
	set(&t, 0x7000000, 2, UINT64_C(0x88000000) | 0x11d3);        /* 32 MiB: huge, global */
	set(&t, 0x7000000, 3, UINT64_C(0x88000000) | 0x1153);        /* not present */
	set(&t, 0x7000000, 4, t.pte);
	set(&t, 0x1b20000, 1, t.pmd);
	set(&t, 0x1b20000, 2, WINDOW | 0x9000000);
	set(&t, 0x1b20000, 3, 0x7000000); /* no address of a table */
	t.hole = 0x9000000;
	check(&mmu, top + 0x2000000 + 3 * 0x4000 + 0x1234, UINT64_C(0x12345678000) + 0x1234,
	      0x4000);
	check(&mmu, top + 0x4000000 + 0x123456, 0x88123456, 0x2000000);
	CHECK_U64(check_not(&mmu, top + 0x2000000 + 4 * 0x4000, ERR_UNMAPPED), 0x4000);
	CHECK_U64(check_not(&mmu, top + 0x2000000 + 5 * 0x4000, ERR_UNMAPPED), 0x4000);
	CHECK_U64(check_not(&mmu, top + 0x6000000, ERR_UNMAPPED), 0x2000000);
	/* nothing is said in the highest level that knows */
	CHECK_U64(check_not(&mmu, top + 0x8000000, ERR_UNMAPPED), 0x2000000);
	CHECK_U64(check_not(&mmu, top + (UINT64_C(1) << 36), ERR_UNMAPPED), UINT64_C(1) << 36);
	check_not(&mmu, top + (UINT64_C(2) << 36), ERR_NOPGTABLE);
	check_not(&mmu, top + (UINT64_C(3) << 36), ERR_UNMAPPED);
	check_not(&mmu, top - 1, ERR_BADADDR);
	/* a program's */
	mmu.low = true;
	check(&mmu, 0x4000000 + 0x10, 0x88000010, 0x2000000);
	check_not(&mmu, UINT64_C(1) << 47, ERR_BADADDR);
}

TEST(other_sizes)
{
	struct tables t = { .page = 4096,
			    .swapper = WINDOW | 0x1000,
			    .pte = WINDOW | 0x2000,
			    .pmd = WINDOW | 0x3000,
			    .pud = WINDOW | 0x4000 };
	struct arch_facts facts = { number, symbol, &t };
	struct mmu mmu = mmu_of(&t);
	struct err err;

	CHECK_U64(mmu.va_bits, 48);
	set(&t, 0x1000, 511, WINDOW | 0x5000);
	set(&t, 0x5000, 511, UINT64_C(0x40000000) | 0xc3); /* 1 GiB */
	check(&mmu, UINT64_C(0xffffffffc0001234), 0x40001234, 0x40000000);
	t.page = 65536;
	t.pud = t.pmd = 0;
	mmu = mmu_of(&t);
	CHECK_U64(mmu.va_bits, 42);
	/* nobody knows how many levels there are, nor pages */
	t.pte = t.page = 0;
	mmu = mmu_of(&t);
	CHECK_U64(mmu.va_bits, 47);
	t.page = 8192;
	CHECK(!arch_loongarch64.mmu_init(&facts, &mmu, &err) && err.code == ERR_FORMAT);
}

TEST(words_of_entries)
{
	static const struct {
		uint64_t entry;
		unsigned level;
		enum entry_form form;
		uint64_t pa, size;
		const char *words;
	} v[] = {
		/* V D PLV=3 cache=1 P W modified */
		{ 0x88004000 | 0x39f, 0, ENTRY_PAGE, 0x88004000, 0x4000,
		  "valid dirty user writable modified" },
		{ UINT64_C(0x6000000088004000) | 0xc1, 0, ENTRY_PAGE, 0x88004000, 0x4000,
		  "valid uncached global read-only no-read no-exec" },
		{ 0x88000000 | 0x11d3, 1, ENTRY_BLOCK, 0x88000000, 0x2000000,
		  "valid dirty global writable" },
		{ WINDOW | 0x7004000, 1, ENTRY_TABLE, 0x7004000, 0x2000000, "" },
		{ WINDOW | 0x1b24000, 1, ENTRY_NONE, 0, 0x2000000, "" },
		{ 0x40, 0, ENTRY_NONE, 0, 0x4000, "" },
		{ 0x400 | 0xc | 0x10, 0, ENTRY_NONE, 0, 0x4000, "" },
	};
	struct tables t = debian();
	struct mmu mmu = mmu_of(&t);
	struct entry_said said;

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		const char *words[ENTRY_WORDS_MAX];
		struct arena a = { 0 };
		char out[256] = "";
		size_t n;

		REQUIRE(arch_loongarch64.entry_decode(&mmu, v[i].level, v[i].entry, &said));
		CHECK_U64(said.form, v[i].form);
		CHECK_U64(said.pa, v[i].pa);
		CHECK_U64(said.size, v[i].size);
		n = entry_words(&said, v[i].entry, &a, words, ENTRY_WORDS_MAX);
		for (size_t k = 0; k < n; k++) {
			strcat(out, k ? " " : "");
			strcat(out, words[k]);
		}
		CHECK_STR(out, v[i].words);
		arena_release(&a);
	}
	CHECK(!arch_loongarch64.entry_decode(&mmu, 3, 0, &said));
}

/* ---- the search */

static bool is_banner(void *self, uint64_t pa)
{
	const struct tables *t = self;

	return pa == t->banner_pa;
}

/* A copy that lies elsewhere in its page's neighbourhood comes first. */
static bool banners(void *self, unsigned off, bool (*at)(void *arg, uint64_t pa), void *arg,
		    struct err *err)
{
	const struct tables *t = self;

	CHECK_U64(off, t->banner % 4096);
	return (t->banner_pa && (at(arg, t->banner_pa - 0x3000) || at(arg, t->banner_pa))) ||
	       err_set(err, ERR_NOTFOUND, "none");
}

TEST(a_kernel_is_found_by_its_banner)
{
	struct tables t = { .banner = WINDOW | 0x14e7f08, .banner_pa = 0x14e7f08 };
	struct arch_hunt hunt = { .facts = { number, symbol, &t },
				  .is_banner = is_banner,
				  .banners = banners,
				  .self = &t };
	uint64_t moved = 1, pa;
	struct err err;

	REQUIRE_OK(arch_loongarch64.kernel_find(&hunt, &moved, &err), err);
	CHECK_U64(moved, 0);
	t.banner_pa = 0x914e7f08;
	REQUIRE_OK(arch_loongarch64.kernel_find(&hunt, &moved, &err), err);
	CHECK_U64(moved, 0x90000000);
	t.banner_pa = 0x914e8f08; /* not by a multiple of 64 KiB */
	CHECK(!arch_loongarch64.kernel_find(&hunt, &moved, &err) && err.code == ERR_NOTFOUND);
	t.banner = 0;
	CHECK(!arch_loongarch64.kernel_find(&hunt, &moved, &err) && err.code == ERR_NOSYM);
	CHECK(arch_loongarch64.image_pa(&hunt.facts, WINDOW | 0x200000, &pa) && pa == 0x200000);
	CHECK(!arch_loongarch64.image_pa(&hunt.facts, UINT64_C(0xffff800002280000), &pa));
}

/* ---- registers: uapi/asm/ptrace.h of loongarch, and its struct pt_regs */

TEST(saved_registers)
{
	uint8_t bytes[480] = { 0 };
	struct regs regs;
	struct err err;
	uint64_t v;

	for (unsigned i = 0; i < 45; i++) /* r0 to r31, orig_a0, era, badv */
		bytes[112 + 8 * i] = (uint8_t)(100 + i);
	CHECK_U64(arch_loongarch64.prstatus_size, 480);
	REQUIRE_OK(arch_loongarch64.regs_of_prstatus(SPAN(bytes, 480), false, &regs, &err), err);
	CHECK_U64(regs.r[arch_loongarch64.pc], 133);
	CHECK_U64(regs.r[arch_loongarch64.link], 101);
	CHECK_U64(regs.r[arch_loongarch64.sp], 103);
	CHECK_U64(regs.r[arch_loongarch64.fp], 122);
	CHECK_U64(regs.r[34], 134);
	CHECK(!regs_get(&regs, 36, &v)); /* prmd */
	CHECK(!arch_loongarch64.regs_of_prstatus(SPAN(bytes, 380), false, &regs, &err));

	for (unsigned i = 0; i < 40; i++)
		bytes[8 * i] = (uint8_t)(i + 1);
	CHECK_U64(arch_loongarch64.pt_regs_size, 320);
	REQUIRE_OK(arch_loongarch64.regs_of_pt_regs(SPAN(bytes, 320), &regs, &err), err);
	CHECK_U64(regs.r[arch_loongarch64.pc] & 0xff, 34);
	CHECK_STR(arch_loongarch64.reg_names[32], "orig_a0");
	CHECK_STR(arch_loongarch64.reg_names[36], "prmd");
	CHECK_STR(arch_loongarch64.reg_names[39], "estat");
	CHECK_U64(regs.r[39] & 0xff, 40);
}

TEST(programs_and_the_kernel)
{
	struct regs r = { 0 };

	regs_set(&r, arch_loongarch64.pc, 0x120021088); /* of the last exception */
	regs_set(&r, arch_loongarch64.sp, UINT64_C(0x9000000006203d40));
	CHECK(!arch_regs_user(&arch_loongarch64, &r));
	regs_set(&r, arch_loongarch64.sp, 0x7ffffbd200e0);
	CHECK(arch_regs_user(&arch_loongarch64, &r));
	regs_set(&r, 36, 4);
	CHECK(!arch_regs_user(&arch_loongarch64, &r));
	regs_set(&r, 36, 7);
	CHECK(arch_regs_user(&arch_loongarch64, &r));
}

/* DWARF's 32 is f0. */
TEST(dwarfs_numbers)
{
	CHECK_U64(arch_dwarf_slot(&arch_loongarch64, 22), arch_loongarch64.fp);
	CHECK_U64(arch_dwarf_slot(&arch_loongarch64, 31), 31);
	CHECK_U64(arch_dwarf_slot(&arch_loongarch64, 0), REGS_MAX);
	CHECK_U64(arch_dwarf_slot(&arch_loongarch64, 32), REGS_MAX);
}

/* ---- code */

static struct span word(uint32_t w, uint8_t bytes[4])
{
	for (unsigned i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(w >> 8 * i);
	return SPAN(bytes, 4);
}

TEST(jumps_and_calls)
{
	uint64_t at = UINT64_C(0x90000000012e4b74), to;
	uint8_t b[4];
	size_t from = 0;

	/* b 7996: irqentry_exit */
	REQUIRE(arch_loongarch64.jump_next(word(0x501f3c00, b), at, &from, &to));
	CHECK_U64(to, UINT64_C(0x90000000012e6ab0));
	CHECK(!arch_loongarch64.jump_next(word(0x501f3c00, b), at, &from, &to));
	/* b -56 */
	from = 0;
	REQUIRE(arch_loongarch64.jump_next(word(0x53ffcbff, b), at + 0x14, &from, &to));
	CHECK_U64(to, UINT64_C(0x90000000012e4b50));
	/* bl -216 at 90000000012e4b48: handle_loongarch_irq, and no jump; jirl ra, t0 */
	from = 0;
	CHECK(!arch_loongarch64.jump_next(word(0x57ff2bff, b), at, &from, &to));
	CHECK(arch_loongarch64.call_before(word(0x57ff2bff, b), at));
	REQUIRE(arch_loongarch64.call_target(word(0x57ff2bff, b), at - 0x28, &to));
	CHECK_U64(to, UINT64_C(0x90000000012e4a70));
	CHECK(arch_loongarch64.call_before(word(0x4c000181, b), at));
	CHECK(!arch_loongarch64.call_target(word(0x4c000181, b), at, &to));
	CHECK(!arch_loongarch64.call_before(word(0x4c000020, b), at)); /* ret */
	CHECK(!arch_loongarch64.call_before(SPAN(b, 3), at));
}

TEST(places)
{
	/* pcalau12i t1, 5725; addi.d t1, t1, -760: function_trace_op. pcalau12i t0; stptr.d of
	 * another register */
	static const uint8_t data[] = { 0xad, 0xcb, 0x02, 0x1a, 0xad, 0x21, 0xf4, 0x02 };
	static const uint8_t none[] = { 0x0c, 0xd0, 0x02, 0x1a, 0x7d, 0x00, 0x00, 0x27 };
	static const uint8_t load[] = { 0x0c, 0xd0, 0x02, 0x1a, 0x8d, 0xe1, 0x96, 0x28 };
	uint64_t at;
	size_t from = 0;

	REQUIRE(arch_loongarch64.place_next(SPAN(data, 8), UINT64_C(0x90000000002446e4), &from,
					    &at));
	CHECK_U64(at, UINT64_C(0x90000000018a0d08));
	CHECK(!arch_loongarch64.place_next(SPAN(data, 8), UINT64_C(0x90000000002446e4), &from,
					   &at));
	from = 0;
	CHECK(!arch_loongarch64.place_next(SPAN(none, 8), 0, &from, &at));
	/* pcalau12i t0, 5760; ld.w t1, t0, 1464 */
	from = 0;
	REQUIRE(arch_loongarch64.place_next(SPAN(load, 8), UINT64_C(0x9000000000220a10), &from,
					    &at));
	CHECK_U64(at, UINT64_C(0x90000000018a05b8));
}

/* ELF for the LoongArch Architecture, Relocations. */
TEST(relocations)
{
	CHECK_U64(arch_reloc_of(&arch_loongarch64, 1)->bytes, 4);
	CHECK_U64(arch_reloc_of(&arch_loongarch64, 2)->bytes, 8);
	CHECK(arch_reloc_of(&arch_loongarch64, 51)->how == RELOC_ADD);
	CHECK(arch_reloc_of(&arch_loongarch64, 55)->how == RELOC_SUB);
	CHECK_U64(arch_reloc_of(&arch_loongarch64, 106)->keeps, 0xc0);
	CHECK(arch_reloc_of(&arch_loongarch64, 99)->relative);
	CHECK(!arch_reloc_of(&arch_loongarch64, 66)); /* a call's */
}

TEST_MAIN
