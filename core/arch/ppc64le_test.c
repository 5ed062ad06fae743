/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of little-endian 64-bit PowerPC: page-table walks by the Power ISA (book III, 6.7.10), the
 * search for its kernel, saved registers, code as objdump shows it in Debian's kernel 7.2. */
#include "core/arch/powerpc.h"
#include "core/arch/table.h"
#include "core/base/arena.h"
#include "core/base/test.h"
#include "core/base/vec.h"

/* A few words of physical memory; all else is zero, and `hole` cannot be read. Facts for a search,
 * and what was found. */
struct tables {
	struct {
		uint64_t pa, entry;
	} e[16];
	size_t n;
	uint64_t hole, swapper, banner, banner_pa, bits_at;
	uint64_t root, radix, shift, page_size;
	bool found;
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
	t->e[t->n].pa = table + (uint64_t)8 * i;
	t->e[t->n++].entry = entry;
}

static struct mmu mmu_of(struct tables *t, bool hashed, unsigned page_shift)
{
	return (struct mmu){ .root = 0x10000,
			     .va_bits = 52,
			     .page_shift = page_shift,
			     .phys_mask = hashed ? UINT64_C(0x001ffffffffff000)
						 : UINT64_C(0x01fffffffffff000),
			     .hashed = hashed,
			     .read_entry = read_entry,
			     .self = t };
}

static void check(const struct mmu *mmu, uint64_t va, uint64_t pa, uint64_t size)
{
	struct mapping map = { 0 };
	struct err err;

	if (!CHECK_OK(arch_ppc64le.walk(mmu, va, &map, &err), err))
		return;
	CHECK_U64(map.pa + (va - map.va), pa);
	CHECK_U64(map.size, size);
}

static void check_not(const struct mmu *mmu, uint64_t va, enum err_code code)
{
	struct mapping map;
	struct err err = { 0 };

	CHECK(!arch_ppc64le.walk(mmu, va, &map, &err));
	CHECK_ERR(err, code);
}

#define VALID (UINT64_C(1) << 63)
#define LEAF (VALID | UINT64_C(1) << 62)
#define NLS 9 /* the next level's size, in the lowest bits of a table's entry */

/* 13 + 9 + 9 + 9 bits above 4 KiB; 0xc00 is no part of the index. */
TEST(radix_of_4_kib)
{
	struct tables t = { 0 };
	struct mmu mmu = mmu_of(&t, false, 12);

	set(&t, 0x10000, 0, VALID | 0x20000 | NLS);
	set(&t, 0x20000, 0, VALID | 0x21000 | NLS);
	set(&t, 0x20000, 1, LEAF | 0x40000000 | 0x18e); /* 1 GiB */
	set(&t, 0x21000, 3, LEAF | 0x00600000 | 0x18e); /* 2 MiB */
	set(&t, 0x21000, 4, VALID | 0x22000 | NLS);
	set(&t, 0x22000, 5, LEAF | UINT64_C(0x00ffffff12345000) | 0x18e);
	set(&t, 0x22000, 6, VALID | 0x23000 | NLS); /* the last level has no tables */
	set(&t, 0x22000, 7, (LEAF & ~VALID) | 0x23000);
	set(&t, 0x10000, 0x1000, VALID | 0x24000 | NLS); /* vmalloc: 0xc008... */
	set(&t, 0x24000, 0, LEAF | 0x80000000);
	set(&t, 0x10000, 0x1fff, VALID | 0x9000 | NLS);
	t.hole = 0x9000;
	check(&mmu, UINT64_C(0xc000000000612345), 0x612345, 0x200000);
	check(&mmu, UINT64_C(0xc000000012345678) + 0x40000000, 0x52345678, 0x40000000);
	check(&mmu, UINT64_C(0xc000000000805678), UINT64_C(0x00ffffff12345678), 0x1000);
	check(&mmu, 0x805678, UINT64_C(0x00ffffff12345678), 0x1000); /* a program's */
	check(&mmu, UINT64_C(0xc008000000001234), 0x80001234, 0x40000000);
	check_not(&mmu, UINT64_C(0xc000000000806000), ERR_UNMAPPED);
	check_not(&mmu, UINT64_C(0xc000000000807000), ERR_UNMAPPED);
	check_not(&mmu, UINT64_C(0xc000000000000000), ERR_UNMAPPED);
	check_not(&mmu, UINT64_C(0xc00ffff000000000), ERR_NOPGTABLE);
	check_not(&mmu, UINT64_C(0xc010000000000000), ERR_BADADDR);
	check_not(&mmu, UINT64_C(0xffffffff80000000), ERR_BADADDR);
}

/* The last level has 5 bits. */
TEST(radix_of_64_kib)
{
	struct tables t = { 0 };
	struct mmu mmu = mmu_of(&t, false, 16);

	set(&t, 0x10000, 0, VALID | 0x20000 | NLS);
	set(&t, 0x20000, 0, VALID | 0x21000 | NLS);
	set(&t, 0x21000, 4, VALID | 0x22100 | 5); /* tables of 256 bytes */
	set(&t, 0x22100, 5, LEAF | 0x12340000);
	set(&t, 0x22100, 31, LEAF | 0x56780000);
	check(&mmu, UINT64_C(0xc000000000851234), 0x12341234, 0x10000);
	check(&mmu, UINT64_C(0xc0000000009f1234), 0x56781234, 0x10000);
	check_not(&mmu, UINT64_C(0xc000000000861234), ERR_UNMAPPED);
}

/* Beside a hash table all of memory is in no tables, and entries that lead to tables have no bit
 * that says so. 4 KiB: 9, 7, 9 and 9 bits, vmalloc from 0xc0003d0000000000 on. */
TEST(tables_beside_a_hash)
{
	struct tables t = { 0 };
	struct mmu mmu = mmu_of(&t, true, 12);
	struct mapping map;
	struct err err;

	/* bits 37 to 45 of 0xc0003d0000000000: 0x1e8 */
	set(&t, 0x10000, 0x1e8, 0x20000);
	set(&t, 0x20000, 0, 0x21000);
	set(&t, 0x21000, 0x7f, 0x22000); /* bits 21 to 27 */
	set(&t, 0x22000, 5,
	    LEAF | UINT64_C(0x00a0000000000000) | 0x7654000); /* in the hash table */
	check(&mmu, UINT64_C(0xc000000012345678), 0x12345678, 0x1000);
	check(&mmu, UINT64_C(0xc0003d000fe05123), 0x7654123, 0x1000);
	check_not(&mmu, UINT64_C(0xc0003d000fe06123), ERR_UNMAPPED);
	check_not(&mmu, UINT64_C(0xc0003d0010005123), ERR_UNMAPPED);
	check_not(&mmu, 0x1000, ERR_UNMAPPED);
	/* 64 KiB: 8, 10, 10 and 8 bits, vmalloc where radix has it */
	mmu = mmu_of(&t, true, 16);
	t.n = 0;
	set(&t, 0x10000, 0x80, 0x20000);
	set(&t, 0x20000, 0, 0x21000);
	set(&t, 0x21000, 0x3ff, 0x22000);
	set(&t, 0x22000, 0xff, LEAF | 0x7650000);
	check(&mmu, UINT64_C(0xc008000000000000) + 0x3ffff1234, 0x7651234, 0x10000);
	check(&mmu, UINT64_C(0xc0003d0012345678), UINT64_C(0x3d0012345678), 0x10000);
	CHECK(arch_ppc64le.walk(&mmu, UINT64_C(0xc000000000010001), &map, &err));
	CHECK_U64(map.va, UINT64_C(0xc000000000010000));
}

/* The array of struct page is in a list, whose words are in memory's order: parts of 16 MiB, or,
 * where those are not there, of 64 KiB, as the addresses of one tell. */
TEST(parts_of_the_array_of_pages)
{
	struct tables t = { 0 };
	struct mmu mmu = mmu_of(&t, true, 12);
	const uint64_t map = UINT64_C(0xc0003f0000000000);

	mmu.backing = 0x2000;
	set(&t, 0x2000, 0, __builtin_bswap64(UINT64_C(0xc000000000003000)));
	set(&t, 0x3000, 0, __builtin_bswap64(UINT64_C(0xc000000000004000)));
	set(&t, 0x3000, 1, __builtin_bswap64(0x6000000));
	set(&t, 0x3000, 2, __builtin_bswap64(map));
	set(&t, 0x4000, 1, __builtin_bswap64(0x8010000));
	set(&t, 0x4000, 2, __builtin_bswap64(map + 0x1000000));
	check(&mmu, map + 0x345678, 0x6345678, 0x1000000);
	check(&mmu, map + 0x1001234, 0x8011234, 0x10000);
	check_not(&mmu, map + 0x1011234, ERR_UNMAPPED);
	check_not(&mmu, map - 1, ERR_UNMAPPED);
	/* a list that leads round ends as well; one that cannot be read has nothing */
	set(&t, 0x4000, 0, __builtin_bswap64(UINT64_C(0xc000000000003000)));
	check(&mmu, map + 0x345678, 0x6345678, 0x1000000);
	t.hole = 0x2000;
	check_not(&mmu, map + 0x345678, ERR_UNMAPPED);
}

static const char *words_of(const struct mmu *mmu, uint64_t entry, char *out)
{
	const char *words[ENTRY_WORDS_MAX];
	struct entry_said said;
	struct arena a = { 0 };
	size_t n;

	out[0] = '\0';
	if (!CHECK(arch_ppc64le.entry_decode(mmu, 0, entry, &said)))
		return out;
	n = entry_words(&said, entry, &a, words, ENTRY_WORDS_MAX);
	for (size_t i = 0; i < n; i++) {
		strcat(out, i ? " " : "");
		strcat(out, words[i]);
	}
	arena_release(&a);
	return out;
}

/* Power ISA, book III, figure 26: bit 55 R, 56 C, 58:59 ATT, 60 privileged, 61 read, 62 write, 63
 * execute, counted from the highest bit. */
TEST(words_of_entries)
{
	struct tables t = { 0 };
	struct mmu mmu = mmu_of(&t, false, 12);
	struct table_shape shape;
	struct entry_said said;
	char out[256];

	CHECK_STR(words_of(&mmu, LEAF | 0x100 | 0x80 | 0x4 | 0x2, out),
		  "no-exec writable user dirty accessed");
	CHECK_STR(words_of(&mmu, LEAF | 0x20 | 0x8 | 0x4 | 0x1, out), "read-only non-idempotent");
	CHECK_STR(words_of(&mmu, LEAF | 0x8 | 0x1, out), "read-only no-read");
	REQUIRE(arch_ppc64le.entry_decode(&mmu, 3, VALID | 0x5000 | NLS, &said));
	CHECK(said.form == ENTRY_TABLE);
	CHECK_U64(said.pa, 0x5000);
	CHECK_U64(said.size, UINT64_C(1) << 39);
	REQUIRE(arch_ppc64le.entry_decode(&mmu, 1, LEAF | 0x00600000, &said));
	CHECK(said.form == ENTRY_BLOCK && said.pa == 0x600000 && said.size == 0x200000);
	CHECK(arch_ppc64le.entry_decode(&mmu, 1, 0x5000, &said) && said.form == ENTRY_NONE);
	mmu.hashed = true;
	CHECK(arch_ppc64le.entry_decode(&mmu, 1, 0x5000, &said) && said.form == ENTRY_TABLE);
	CHECK(arch_ppc64le.entry_decode(&mmu, 0, 0x5000, &said) && said.form == ENTRY_NONE);
	CHECK(!arch_ppc64le.entry_decode(&mmu, 4, 0, &said));
	arch_ppc64le.table_shape(&mmu, &shape);
	CHECK(shape.levels == 4 && shape.bytes == 8 && shape.shift[2] == 28 &&
	      shape.shift[3] == 37);
}

/* ---- the search */

static bool symbol(void *self, const char *name, uint64_t *ret)
{
	const struct tables *t = self;

	*ret = !strcmp(name, "swapper_pg_dir")     ? t->swapper
	       : !strcmp(name, "linux_banner")     ? t->banner
	       : !strcmp(name, "__pte_index_size") ? t->bits_at
						   : 0;
	return *ret;
}

static bool number(void *self, const char *name, uint64_t *ret)
{
	const struct tables *t = self;

	if (!strcmp(name, "RADIX_MMU")) {
		*ret = t->radix;
		return t->found;
	}
	*ret = !strcmp(name, "pgtable_root") ? t->root
	       : !strcmp(name, "page_shift") ? t->shift
	       : !strcmp(name, "PAGESIZE")   ? t->page_size
					     : 0;
	return *ret;
}

static void note(void *self, const char *name, uint64_t value)
{
	struct tables *t = self;

	if (!strcmp(name, "RADIX_MMU"))
		t->found = true;
	*(!strcmp(name, "RADIX_MMU")      ? &t->radix
	  : !strcmp(name, "pgtable_root") ? &t->root
					  : &t->shift) = value;
}

static bool banners(void *self, unsigned off, bool (*at)(void *arg, uint64_t pa), void *arg,
		    struct err *err)
{
	const struct tables *t = self;

	CHECK_U64(off, t->banner % 4096);
	return (t->banner_pa && at(arg, t->banner_pa)) || err_set(err, ERR_NOTFOUND, "none");
}

static struct arch_hunt hunt_of(struct tables *t)
{
	return (struct arch_hunt){ .facts = { number, symbol, t },
				   .read_entry = read_entry,
				   .banners = banners,
				   .found = note,
				   .self = t };
}

/* A kernel that was loaded at 32 MiB, as those that are for crashes are; its variable is in
 * memory's order, as read_entry() does not have it. */
static struct tables moved_kernel(unsigned pte_bits)
{
	struct tables t = { .swapper = UINT64_C(0xc0000000009d0000),
			    .banner = UINT64_C(0xc0000000005674c0),
			    .banner_pa = 0x25674c0,
			    .bits_at = UINT64_C(0xc0000000009ebb28) };

	set(&t, 0x29ebb28, 0, (uint64_t)pte_bits << 56);
	set(&t, 0x29d0000, 0, VALID | 0x3fffb000 | NLS);
	set(&t, 0x3fffb000, 0, VALID | 0x3fffa000 | NLS);
	set(&t, 0x3fffa000, 0x14, LEAF | 0x2800000 | 0x18e);
	return t;
}

TEST(a_kernel_is_found_by_its_banner)
{
	static const struct {
		unsigned pte_bits, shift;
		bool radix;
	} v[] = { { 9, 12, true }, { 5, 16, true }, { 9, 12, false }, { 8, 16, false } };
	uint64_t moved = 0;
	struct mmu mmu;
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct tables t = moved_kernel(v[i].pte_bits);
		struct arch_hunt hunt = hunt_of(&t);

		if (!v[i].radix)
			t.e[3].entry = 0; /* it does not map itself */
		REQUIRE_OK(arch_ppc64le.kernel_find(&hunt, &moved, &err), err);
		CHECK_U64(moved, 0x2000000);
		REQUIRE_OK(arch_ppc64le.mmu_init(&hunt.facts, &mmu, &err), err);
		CHECK_U64(mmu.root, 0x29d0000);
		CHECK_U64(mmu.page_shift, v[i].shift);
		CHECK(mmu.hashed == !v[i].radix);
	}
}

TEST(what_is_no_kernel)
{
	struct tables t = moved_kernel(7);
	struct arch_hunt hunt = hunt_of(&t);
	uint64_t moved;
	struct err err;

	CHECK(!arch_ppc64le.kernel_find(&hunt, &moved, &err) && err.code == ERR_NOTFOUND);
	t = moved_kernel(9);
	t.banner_pa += 0x1000; /* not a place to which one is loaded */
	CHECK(!arch_ppc64le.kernel_find(&hunt, &moved, &err) && err.code == ERR_NOTFOUND);
	t = moved_kernel(5); /* of a radix alone */
	t.e[3].entry = 0;
	CHECK(!arch_ppc64le.kernel_find(&hunt, &moved, &err) && err.code == ERR_NOTFOUND);
	t.bits_at = 0;
	CHECK(!arch_ppc64le.kernel_find(&hunt, &moved, &err) && err.code == ERR_NOSYM);
}

/* With VMCOREINFO the place is known, and since 6.8 which tables there are. */
TEST(what_vmcoreinfo_says)
{
	struct tables t = moved_kernel(9);
	struct arch_hunt hunt = hunt_of(&t);
	struct mmu mmu;
	uint64_t pa;
	struct err err;

	CHECK(!arch_ppc64le.mmu_init(&hunt.facts, &mmu, &err) && err.code == ERR_NEED);
	CHECK_CONTAINS(err.msg, "RADIX_MMU");
	t.swapper += 0x2000000;
	REQUIRE_OK(arch_ppc64le.tables_find(&hunt, &err), err);
	CHECK(t.radix == 1 && t.shift == 12);
	CHECK_U64(t.root, 0x29d0000);
	t = moved_kernel(9);
	t.swapper += 0x2000000;
	t.page_size = 65536;
	t.e[3].entry = 0;
	REQUIRE_OK(arch_ppc64le.tables_find(&hunt, &err), err);
	CHECK(t.radix == 0 && t.shift == 16);
	/* told */
	t = moved_kernel(9);
	t.found = true;
	t.radix = 1;
	t.page_size = 65536;
	CHECK_OK(arch_ppc64le.tables_find(&hunt, &err), err);
	REQUIRE_OK(arch_ppc64le.mmu_init(&hunt.facts, &mmu, &err), err);
	CHECK_U64(mmu.root, 0x9d0000);
	CHECK(mmu.page_shift == 16 && !mmu.hashed);
	CHECK(arch_ppc64le.image_pa(NULL, UINT64_C(0xc000000002001234), &pa));
	CHECK_U64(pa, 0x2001234);
	CHECK(!arch_ppc64le.image_pa(NULL, UINT64_C(0xc008000000001234), &pa));
}

/* ---- registers: arch/powerpc/include/uapi/asm/ptrace.h, and arch/powerpc/include/asm/elf.h */

TEST(saved_registers)
{
	uint8_t bytes[504] = { 0 };
	struct regs regs;
	struct err err;
	uint64_t v;

	for (unsigned i = 0; i < 39; i++) /* up to ccr, as QEMU has them: big-endian */
		bytes[112 + 8 * i + 7] = (uint8_t)(100 + i);
	REQUIRE_OK(arch_ppc64le.regs_of_prstatus(SPAN(bytes, 504), true, &regs, &err), err);
	CHECK_U64(regs.r[arch_ppc64le.sp], 101);
	CHECK_U64(regs.r[31], 131);
	CHECK_U64(regs.r[arch_ppc64le.pc], 132);
	CHECK_U64(regs.r[arch_ppc64le.link], 136);
	CHECK(!regs_get(&regs, 34, &v) && !regs_get(&regs, 40, &v) && regs_get(&regs, 38, &v));
	for (unsigned i = 0; i < REGS_MAX; i++)
		CHECK(!(regs.have >> i & 1) || arch_ppc64le.reg_names[i]);
	CHECK(!arch_ppc64le.regs_of_prstatus(SPAN(bytes, 400), true, &regs, &err));

	memset(bytes, 0, sizeof(bytes));
	for (unsigned i = 0; i < 44; i++)
		bytes[8 * i] = (uint8_t)(i + 1);
	bytes[8 * 33 + 1] = 0x40; /* MSR[PR] */
	REQUIRE_OK(arch_ppc64le.regs_of_pt_regs(SPAN(bytes, 352), &regs, &err), err);
	CHECK_U64(regs.r[arch_ppc64le.pc], 33);
	CHECK_U64(regs.r[43], 44);
	CHECK(arch_regs_user(&arch_ppc64le, &regs));
	bytes[8 * 33 + 1] = 0;
	REQUIRE_OK(arch_ppc64le.regs_of_pt_regs(SPAN(bytes, 352), &regs, &err), err);
	CHECK(!arch_regs_user(&arch_ppc64le, &regs));
	/* 64-Bit ELF V2 ABI Specification, 2.4: LR is 65, CTR 66 */
	CHECK_U64(arch_dwarf_slot(&arch_ppc64le, 1), 1);
	CHECK_U64(arch_dwarf_slot(&arch_ppc64le, 65), arch_ppc64le.link);
	CHECK_U64(arch_dwarf_slot(&arch_ppc64le, 66), 35);
	CHECK_U64(arch_dwarf_slot(&arch_ppc64le, 32), REGS_MAX);
	CHECK(arch_of_elf(21) == &arch_ppc64le && arch_of_name("ppc64le") == &arch_ppc64le &&
	      arch_of_report("ppc64") == &arch_ppc64le);
}

/* ---- code */

TEST(jumps_and_frames)
{
	/* mflr r0; std r0,16(r1); stdu r1,-96(r1); bl; b .-8; addi r1,r1,96; blr */
	static const uint32_t code[] = { 0x7c0802a6, 0xf8010010, 0xf821ffa1, 0x4bfffcd1,
					 0x4bfffff8, 0x38210060, 0x4e800020 };
	static const enum powerpc_frame_insn what[] = { POWERPC_LR_TO_R0, POWERPC_R0_TO_STACK,
							POWERPC_PUSH,     POWERPC_OTHER,
							POWERPC_OTHER,    POWERPC_POP,
							POWERPC_RETURN };
	uint8_t bytes[sizeof(code)];
	uint64_t to;
	size_t from = 0;

	for (size_t i = 0; i < ARRAY_SIZE(code); i++) {
		CHECK(powerpc_frame_insn(code[i]) == what[i]);
		for (size_t k = 0; k < 4; k++)
			bytes[4 * i + k] = (uint8_t)(code[i] >> 8 * k);
	}
	CHECK(powerpc_frame_insn(0xf8010010 + 0x10) == POWERPC_OTHER); /* std r0,32(r1) */
	CHECK(powerpc_frame_insn(0x38420060) == POWERPC_OTHER);        /* addi r2,r2,96 */
	REQUIRE(arch_ppc64le.jump_next(SPAN(bytes, sizeof(bytes)), 0x1000, &from, &to));
	CHECK_U64(to, 0x1008);
	CHECK(!arch_ppc64le.jump_next(SPAN(bytes, sizeof(bytes)), 0x1000, &from, &to));
	CHECK(arch_ppc64le.call_before(SPAN(bytes, 16), 0x1010));
	/* a function may be entered behind what sets up its table of contents */
	CHECK(arch_call_enters(&arch_ppc64le, 0x2008, 0x2000) &&
	      arch_call_enters(&arch_ppc64le, 0x2000, 0x2000) &&
	      !arch_call_enters(&arch_ppc64le, 0x2004, 0x2000) &&
	      !arch_call_enters(&arch_x86_64, 0x2008, 0x2000));
	CHECK_U64(arch_reloc_of(&arch_ppc64le, 38)->bytes, 8); /* R_PPC64_ADDR64 */
	CHECK_U64(arch_reloc_of(&arch_ppc64le, 1)->bytes, 4);  /* R_PPC64_ADDR32 */
	CHECK(!arch_reloc_of(&arch_ppc64le, 10));              /* R_PPC64_REL24 */
}

TEST_MAIN
