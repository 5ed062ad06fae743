/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of 64-bit RISC-V: page-table walks by the manual (volume II, 12.3 to 12.5), the search for
 * its kernel, saved registers, and code as binutils disassembles it in Debian's kernel 7.2. */
#include "core/arch/table.h"
#include "core/base/arena.h"
#include "core/base/test.h"
#include "core/base/vec.h"

/* A few table entries, by physical address; all else is zero, and `hole` cannot be read. */
struct tables {
	struct {
		uint64_t pa, entry;
	} e[16];
	size_t n;
	uint64_t hole;
	/* for a search: facts, and what was found */
	uint64_t swapper, banner, banner_pa, last;
	uint64_t root, bits, offset;
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

/* Bits 10 to 53 of an entry are the number of a page. */
static uint64_t to(uint64_t pa, uint64_t bits)
{
	return pa >> 12 << 10 | bits;
}

/* What entry number i of the table says. */
static void set(struct tables *t, uint64_t table, unsigned i, uint64_t entry)
{
	t->e[t->n].pa = table + 8 * i;
	t->e[t->n++].entry = entry;
}

static struct mmu mmu_of(struct tables *t, unsigned bits)
{
	return (struct mmu){ .root = 0x1000,
			     .va_bits = bits,
			     .page_shift = 12,
			     .phys_mask = UINT64_C(0x00fffffffffff000),
			     .read_entry = read_entry,
			     .self = t };
}

static void check(const struct mmu *mmu, uint64_t va, uint64_t pa, uint64_t size)
{
	struct mapping map = { 0 };
	struct err err;

	if (!CHECK_OK(arch_riscv64.walk(mmu, va, &map, &err), err))
		return;
	CHECK_U64(map.pa + (va - map.va), pa);
	CHECK_U64(map.size, size);
}

static void check_not(const struct mmu *mmu, uint64_t va, enum err_code code)
{
	struct mapping map;
	struct err err = { 0 };

	CHECK(!arch_riscv64.walk(mmu, va, &map, &err));
	CHECK_ERR(err, code);
}

#define TABLE 0x1
#define LEAF 0xef /* what the kernel's memory has: all but user */
#define NAPOT (UINT64_C(1) << 63)

/* The kernel's image at 0xffffffff80000000: index 510 of the top of three levels, and 0 below. */
TEST(three_levels)
{
	struct tables t = { 0 };
	struct mmu mmu = mmu_of(&t, 39);

	set(&t, 0x1000, 510, to(0x2000, TABLE));
	set(&t, 0x2000, 0, to(0x80200000, LEAF)); /* 2 MiB */
	set(&t, 0x2000, 1, to(0x3000, TABLE));
	set(&t, 0x3000, 5, to(UINT64_C(0xffffff12345000), 0xcf)); /* 56 bits of address */
	set(&t, 0x3000, 6, to(0x4000, TABLE));                    /* the last level has no tables */
	set(&t, 0x3000, 7, to(0x80200000, LEAF & ~1u));           /* not valid */
	set(&t, 0x1000, 256, to(0x80000000, LEAF));               /* 1 GiB, the lowest */
	set(&t, 0x1000, 0, to(0x9000, TABLE));
	t.hole = 0x9000;
	check(&mmu, UINT64_C(0xffffffff80001234), 0x80201234, 0x200000);
	check(&mmu, UINT64_C(0xffffffff80205678), UINT64_C(0xffffff12345678), 0x1000);
	check(&mmu, UINT64_C(0xffffffc012345678), 0x92345678, 0x40000000);
	check_not(&mmu, UINT64_C(0xffffffff80206000), ERR_UNMAPPED);
	check_not(&mmu, UINT64_C(0xffffffff80207000), ERR_UNMAPPED);
	check_not(&mmu, UINT64_C(0xffffffff80400000), ERR_UNMAPPED);
	check_not(&mmu, 0x1000, ERR_NOPGTABLE);
	/* bit 38 is not repeated above */
	check_not(&mmu, UINT64_C(0xffffffbfffffffff), ERR_BADADDR);
	check_not(&mmu, UINT64_C(0x4000000000), ERR_BADADDR);
}

TEST(four_and_five_levels)
{
	struct tables t = { 0 };
	struct mmu mmu = mmu_of(&t, 48);

	set(&t, 0x1000, 511, to(0x2000, TABLE));
	set(&t, 0x2000, 511, to(0x3000, TABLE));
	set(&t, 0x2000, 510, to(0x4000, TABLE));
	set(&t, 0x4000, 0, to(0x80200000, LEAF));
	set(&t, 0x1000, 351, to(UINT64_C(0x8000000000), LEAF)); /* 512 GiB */
	check(&mmu, UINT64_C(0xffffffff80001234), 0x80201234, 0x200000);
	check(&mmu, UINT64_C(0xffffaf8000001234), UINT64_C(0x8000001234), UINT64_C(0x8000000000));
	check_not(&mmu, UINT64_C(0xffff7fffffffffff), ERR_BADADDR);
	check_not(&mmu, UINT64_C(0xff60000000000000), ERR_BADADDR);

	t.n = 0;
	mmu = mmu_of(&t, 57);
	set(&t, 0x1000, 511, to(0x2000, TABLE));
	set(&t, 0x2000, 511, to(0x3000, TABLE));
	set(&t, 0x3000, 510, to(0x4000, TABLE));
	set(&t, 0x4000, 0, to(0x80200000, LEAF));
	set(&t, 0x1000, 352, to(0x5000, TABLE)); /* 0xff60000000000000 */
	set(&t, 0x5000, 0, to(0x6000, TABLE));
	set(&t, 0x6000, 2, to(0x80000000, LEAF));
	check(&mmu, UINT64_C(0xffffffff80001234), 0x80201234, 0x200000);
	check(&mmu, UINT64_C(0xff60000080001234), 0x80001234, 0x40000000);
	check_not(&mmu, UINT64_C(0xff60000000000000), ERR_UNMAPPED);
	check_not(&mmu, UINT64_C(0xfeff000000000000), ERR_BADADDR);
}

/* Volume II, 12.4: bit 63 and 1000 in the lowest bits of the page number mean 64 KiB. */
TEST(runs_of_pages)
{
	struct tables t = { 0 };
	struct mmu mmu = mmu_of(&t, 39);
	struct entry_said said;
	uint64_t run = to(0x88348000, LEAF) | NAPOT;

	set(&t, 0x1000, 510, to(0x2000, TABLE));
	set(&t, 0x2000, 0, to(0x3000, TABLE));
	set(&t, 0x3000, 0x2b, run);
	check(&mmu, UINT64_C(0xffffffff8002b123), 0x8834b123, 0x10000);
	REQUIRE(arch_riscv64.entry_decode(&mmu, 0, run, &said));
	CHECK_U64(said.pa, 0x88340000);
	CHECK_U64(said.size, 0x10000);
}

static const char *words_of(const struct mmu *mmu, unsigned level, uint64_t entry, char *out)
{
	const char *words[ENTRY_WORDS_MAX];
	struct entry_said said;
	struct arena a = { 0 };
	size_t n;

	out[0] = '\0';
	if (!CHECK(arch_riscv64.entry_decode(mmu, level, entry, &said)))
		return out;
	n = entry_words(&said, entry, &a, words, ENTRY_WORDS_MAX);
	for (size_t i = 0; i < n; i++) {
		strcat(out, i ? " " : "");
		strcat(out, words[i]);
	}
	arena_release(&a);
	return out;
}

TEST(words_of_entries)
{
	struct tables t = { 0 };
	struct mmu mmu = mmu_of(&t, 57);
	struct entry_said said;
	char out[256];

	/* V R W X U G A D are the lowest bits, in this order */
	CHECK_STR(words_of(&mmu, 0, 0x01 | 0x02 | 0x04 | 0x10 | 0x40 | 0x80, out),
		  "writable no-exec user accessed dirty");
	CHECK_STR(words_of(&mmu, 1, 0x01 | 0x02 | 0x08 | 0x20 | 0x40, out),
		  "read-only global accessed");
	CHECK_STR(words_of(&mmu, 0, 0x01 | 0x08 | 0x40 | UINT64_C(2) << 61 | NAPOT, out),
		  "no-read read-only accessed io napot");
	CHECK_STR(words_of(&mmu, 2, to(0x5000, TABLE), out), "");
	REQUIRE(arch_riscv64.entry_decode(&mmu, 4, to(0x5000, TABLE), &said));
	CHECK(said.form == ENTRY_TABLE);
	CHECK_U64(said.pa, 0x5000);
	CHECK_U64(said.size, UINT64_C(1) << 48);
	CHECK(arch_riscv64.entry_decode(&mmu, 0, to(0x5000, TABLE), &said) &&
	      said.form == ENTRY_NONE);
	CHECK(!arch_riscv64.entry_decode(&mmu, 5, 0, &said));
	mmu.va_bits = 39;
	CHECK(!arch_riscv64.entry_decode(&mmu, 3, 0, &said));
}

/* ---- the search */

static bool symbol(void *self, const char *name, uint64_t *ret)
{
	const struct tables *t = self;

	*ret = !strcmp(name, "swapper_pg_dir") ? t->swapper
	       : !strcmp(name, "linux_banner") ? t->banner
					       : 0;
	return *ret;
}

static bool number(void *self, const char *name, uint64_t *ret)
{
	const struct tables *t = self;

	*ret = !strcmp(name, "VA_BITS")               ? t->bits
	       : !strcmp(name, "va_kernel_pa_offset") ? t->offset
	       : !strcmp(name, "pgtable_root")        ? t->root
						      : 0;
	return *ret;
}

static void note(void *self, const char *name, uint64_t value)
{
	struct tables *t = self;

	*(!strcmp(name, "VA_BITS")        ? &t->bits
	  : !strcmp(name, "pgtable_root") ? &t->root
					  : &t->offset) = value;
}

static bool banners(void *self, unsigned off, bool (*at)(void *arg, uint64_t pa), void *arg,
		    struct err *err)
{
	const struct tables *t = self;

	CHECK_U64(off, t->banner % 4096);
	return (t->banner_pa && at(arg, t->banner_pa)) || err_set(err, ERR_NOTFOUND, "none");
}

static bool ram(void *self, size_t i, uint64_t *first, uint64_t *last)
{
	const struct tables *t = self;

	*first = 0x80000000;
	*last = t->last;
	return !i;
}

static struct arch_hunt hunt_of(struct tables *t)
{
	return (struct arch_hunt){ .facts = { number, symbol, t },
				   .read_entry = read_entry,
				   .banners = banners,
				   .ram = ram,
				   .found = note,
				   .self = t };
}

/* An image of four levels, linked at 0xffffffff80000000, moved by 6 MiB, in RAM at 0x80200000. */
static struct tables moved_kernel(void)
{
	struct tables t = { .swapper = UINT64_C(0xffffffff80107000),
			    .banner = UINT64_C(0xffffffff80001010),
			    .banner_pa = 0x80201010,
			    .last = 0x83ffffff };

	set(&t, 0x80307000, 511, to(0x82000000, TABLE));
	set(&t, 0x82000000, 510, to(0x82001000, TABLE));
	set(&t, 0x82001000, 3, to(0x80200000, LEAF));
	return t;
}

TEST(a_kernel_is_found_by_its_banner)
{
	struct tables t = moved_kernel();
	struct arch_hunt hunt = hunt_of(&t);
	struct mmu mmu;
	uint64_t moved = 0, pa;
	struct err err;

	REQUIRE_OK(arch_riscv64.kernel_find(&hunt, &moved, &err), err);
	CHECK_U64(moved, 0x600000);
	CHECK_U64(t.root, 0x80307000);
	CHECK_U64(t.bits, 48);
	CHECK_U64(t.offset, UINT64_C(0xffffffff80600000) - 0x80200000);
	REQUIRE_OK(arch_riscv64.mmu_init(&hunt.facts, &mmu, &err), err);
	CHECK_U64(mmu.root, 0x80307000);
	CHECK_U64(mmu.va_bits, 48);
	CHECK(!arch_riscv64.image_pa(&hunt.facts, UINT64_C(0xffffffff80600000), &pa));
	/* the tables map the banner to another place */
	t = moved_kernel();
	t.e[2].entry = to(0x80400000, LEAF);
	CHECK(!arch_riscv64.kernel_find(&hunt, &moved, &err) && err.code == ERR_NOTFOUND);
	t.banner = 0;
	CHECK(!arch_riscv64.kernel_find(&hunt, &moved, &err) && err.code == ERR_NOSYM);
}

/* Where the run-time address is known: what maps itself. */
TEST(tables_that_map_themselves)
{
	struct tables t = moved_kernel();
	struct arch_hunt hunt = hunt_of(&t);
	struct err err;

	t.swapper += 0x600000;
	REQUIRE_OK(arch_riscv64.tables_find(&hunt, &err), err);
	CHECK_U64(t.root, 0x80307000);
	CHECK_U64(t.bits, 48);
	/* what is known is not searched for */
	t.root = 0;
	CHECK_OK(arch_riscv64.tables_find(&hunt, &err), err);
	CHECK_U64(t.root, 0);
	/* and beyond RAM nothing is */
	t = moved_kernel();
	t.swapper += 0x600000;
	t.last = 0x80306fff;
	CHECK(!arch_riscv64.tables_find(&hunt, &err) && err.code == ERR_NOTFOUND);
	t.swapper = 0;
	CHECK(!arch_riscv64.tables_find(&hunt, &err) && err.code == ERR_NOSYM);
}

TEST(what_vmcoreinfo_must_say)
{
	struct tables t = { .swapper = UINT64_C(0xffffffff82307000),
			    .offset = UINT64_C(0xfffffffeffe00000) };
	struct arch_facts facts = { number, symbol, &t };
	struct mmu mmu;
	struct err err;

	CHECK(!arch_riscv64.mmu_init(&facts, &mmu, &err) && err.code == ERR_NEED);
	CHECK_CONTAINS(err.msg, "VA_BITS");
	t.bits = 40;
	CHECK(!arch_riscv64.mmu_init(&facts, &mmu, &err));
	t.bits = 57;
	REQUIRE_OK(arch_riscv64.mmu_init(&facts, &mmu, &err), err);
	CHECK_U64(mmu.root, 0x82507000);
	t.offset = 0;
	CHECK(!arch_riscv64.mmu_init(&facts, &mmu, &err));
	CHECK_CONTAINS(err.msg, "va_kernel_pa_offset");
}

/* ---- registers: include/uapi/asm/ptrace.h of riscv, and its struct pt_regs */

TEST(saved_registers)
{
	uint8_t bytes[376] = { 0 };
	struct regs regs;
	struct err err;
	uint64_t v;

	for (unsigned i = 0; i < 32; i++) /* pc, then ra, sp ... */
		bytes[112 + 8 * i] = (uint8_t)(100 + i);
	REQUIRE_OK(arch_riscv64.regs_of_prstatus(SPAN(bytes, 376), false, &regs, &err), err);
	CHECK_U64(regs.r[arch_riscv64.pc], 100);
	CHECK_U64(regs.r[arch_riscv64.link], 101);
	CHECK_U64(regs.r[arch_riscv64.sp], 102);
	CHECK_U64(regs.r[arch_riscv64.fp], 108);
	CHECK_U64(regs.r[31], 131);
	CHECK(!regs_get(&regs, 0, &v) && !regs_get(&regs, 33, &v));
	for (unsigned i = 0; i < REGS_MAX; i++)
		CHECK(!(regs.have >> i & 1) || arch_riscv64.reg_names[i]);
	CHECK(!arch_riscv64.regs_of_prstatus(SPAN(bytes, 360), false, &regs, &err));

	for (unsigned i = 0; i < 36; i++)
		bytes[8 * i] = (uint8_t)(i + 1);
	CHECK_U64(arch_riscv64.pt_regs_size, 288);
	REQUIRE_OK(arch_riscv64.regs_of_pt_regs(SPAN(bytes, 288), &regs, &err), err);
	CHECK_U64(regs.r[arch_riscv64.pc], 1);
	CHECK_U64(regs.r[31], 32);
	CHECK_STR(arch_riscv64.reg_names[33], "status");
	CHECK_U64(regs.r[33] & 0xff, 33);
	CHECK_STR(arch_riscv64.reg_names[36], "orig_a0");
	CHECK_U64(regs.r[36], 36);
}

/* status has the mode that was interrupted in bit 8; a note has no status. */
TEST(programs_and_the_kernel)
{
	struct regs r = { 0 };

	regs_set(&r, arch_riscv64.pc, 0);
	regs_set(&r, arch_riscv64.sp, UINT64_C(0xffff8f800028ba10));
	CHECK(!arch_regs_user(&arch_riscv64, &r));
	regs_set(&r, arch_riscv64.sp, 0x7fffe0f09520);
	CHECK(arch_regs_user(&arch_riscv64, &r));
	regs_set(&r, 33, 0x120);
	CHECK(!arch_regs_user(&arch_riscv64, &r));
	regs_set(&r, 33, 0x4020);
	CHECK(arch_regs_user(&arch_riscv64, &r));
}

/* DWARF's 32 is ft0. */
TEST(dwarfs_numbers)
{
	CHECK_U64(arch_dwarf_slot(&arch_riscv64, 8), arch_riscv64.fp);
	CHECK_U64(arch_dwarf_slot(&arch_riscv64, 31), 31);
	CHECK_U64(arch_dwarf_slot(&arch_riscv64, 0), REGS_MAX);
	CHECK_U64(arch_dwarf_slot(&arch_riscv64, 32), REGS_MAX);
}

/* ---- code */

TEST(jumps)
{
	static const struct {
		const char *code;
		size_t n;
		uint64_t addr, to; /* 0: there is no jump */
	} v[] = {
		{ "\x3d\xa0", 2, UINT64_C(0xffffffff80dd376a), UINT64_C(0xffffffff80dd3798) },
		{ "\xd5\xbf", 2, UINT64_C(0xffffffff80dd3796), UINT64_C(0xffffffff80dd378a) },
		{ "\xc9\xbd", 2, UINT64_C(0xffffffff80dd38c6), UINT64_C(0xffffffff80dd3798) },
		{ "\x7d\xbd", 2, UINT64_C(0xffffffff80dd38da), UINT64_C(0xffffffff80dd3798) },
		/* auipc t1; jr 490(t1), behind mv a0,sp */
		{ "\x0a\x85\x17\x73\x24\xff\x67\x00\xa3\x1e", 10, UINT64_C(0xffffffff80dd38a4),
		  UINT64_C(0xffffffff8001aa90) },
		/* jal zero: call_target() knows its distance of a call */
		{ "\x6f\xf0\x9f\xff", 4, UINT64_C(0xffffffff80001000),
		  UINT64_C(0xffffffff80000ff8) },
		/* auipc ra; jalr: a call */
		{ "\x97\xc0\x24\xff\xe7\x80\x40\xb8", 8, UINT64_C(0xffffffff80dd3754), 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		uint64_t got = 0;
		size_t from = 0;
		bool is = arch_riscv64.jump_next(SPAN(v[i].code, v[i].n), v[i].addr, &from, &got);

		CHECK(is == (v[i].to != 0));
		if (is)
			CHECK_U64(got, v[i].to);
	}
}

TEST(places)
{
	/* auipc a0; addi a0,a0; add a0,a0,a1; auipc gp; addi gp,gp */
	static const uint8_t first[] = { 0x17, 0x95, 0x53, 0x01, 0x13, 0x05, 0x45, 0xec, 0x2e,
					 0x95, 0x97, 0xd1, 0x4f, 0x01, 0x93, 0x81, 0xe1, 0x9d };
	uint64_t at;
	size_t from = 0;

	REQUIRE(arch_riscv64.place_next(SPAN(first, 10), UINT64_C(0xffffffff80dd3664), &from, &at));
	CHECK_U64(at, UINT64_C(0xffffffff8230c528));
	CHECK(!arch_riscv64.place_next(SPAN(first, 10), UINT64_C(0xffffffff80dd3664), &from, &at));
	from = 0;
	REQUIRE(arch_riscv64.place_next(SPAN(first + 10, 8), UINT64_C(0xffffffff80dd374a), &from,
					&at));
	CHECK_U64(at, UINT64_C(0xffffffff822d0128));
	/* auipc ra; jalr: no data */
	from = 0;
	CHECK(!arch_riscv64.place_next(SPAN("\x97\xc0\x24\xff\xe7\x80\x40\xb8", 8), 0, &from, &at));
}

/* What objdump says of instructions of a kernel 7.2; the last two pairs are made by hand of the
 * manual's formats. */
TEST(where_instructions_lead)
{
	static const struct {
		const char *before; /* four bytes, or none */
		const char *code;
		size_t n;
		uint64_t addr, to;
		enum arch_leads leads;
	} v[] = {
		/* bnez a0; bltz a0 = blt a0,zero; c.j */
		{ "", "\x2d\xe9", 2, UINT64_C(0xffffffff8047fbd2), UINT64_C(0xffffffff8047fc44),
		  LEADS_JUMP },
		{ "", "\x63\x44\x05\x02", 4, UINT64_C(0xffffffff8047fbf2),
		  UINT64_C(0xffffffff8047fc1a), LEADS_JUMP },
		{ "", "\x3d\xa0", 2, UINT64_C(0xffffffff80dd376a), UINT64_C(0xffffffff80dd3798),
		  LEADS_JUMP },
		{ "", "\x6f\xf0\x9f\xff", 4, 0x80001000, 0x80000ff8, LEADS_JUMP }, /* jal */
		/* auipc ra,0x18; jalr -1346(ra) */
		{ "\x97\x80\x01\x00", "\xe7\x80\xe0\xab", 4, UINT64_C(0xffffffff8047fbde),
		  UINT64_C(0xffffffff80497698), LEADS_CODE },
		/* auipc a0; addi a0,a0: as in places() */
		{ "\x17\x95\x53\x01", "\x13\x05\x45\xec", 4, UINT64_C(0xffffffff80dd3668),
		  UINT64_C(0xffffffff8230c528), LEADS_DATA },
		/* auipc a5,0x1; ld a5,-8(a5); sd a0,-8(a5) */
		{ "\x97\x17\x00\x00", "\x83\xb7\x87\xff", 4, 0x80001004, 0x80001ff8, LEADS_DATA },
		{ "\x97\x17\x00\x00", "\x23\xbc\xa7\xfe", 4, 0x80001004, 0x80001ff8, LEADS_DATA },
		/* of another register; without auipc; c.mv; cut off */
		{ "\x97\x17\x00\x00", "\x03\x37\x87\xff", 4, 0x80001004, 0, LEADS_NOWHERE },
		{ "", "\xe7\x80\xe0\xab", 4, 0x80001004, 0, LEADS_NOWHERE },
		{ "", "\x2a\x8a", 2, 0x80001004, 0, LEADS_NOWHERE },
		{ "", "\x6f\xf0\x9f", 3, 0x80001004, 0, LEADS_NOWHERE },
		{ "", "\x3d", 1, 0x80001004, 0, LEADS_NOWHERE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct span code = SPAN(v[i].code, v[i].n);
		uint64_t to = 0;

		CHECK_U64(arch_riscv64.insn_leads(SPAN(v[i].before, *v[i].before ? 4 : 0), code,
						  v[i].addr, &to),
			  v[i].leads);
		CHECK_U64(to, v[i].to);
		CHECK_U64(arch_riscv64.insn_size(code), (v[i].code[0] & 3) == 3 ? 4 : 2);
	}
}

/* RISC-V ELF psABI, table of relocations. */
TEST(relocations)
{
	CHECK_U64(arch_reloc_of(&arch_riscv64, 2)->bytes, 8);
	CHECK(arch_reloc_of(&arch_riscv64, 35)->how == RELOC_ADD);
	CHECK(arch_reloc_of(&arch_riscv64, 40)->how == RELOC_SUB);
	CHECK_U64(arch_reloc_of(&arch_riscv64, 40)->bytes, 8);
	CHECK_U64(arch_reloc_of(&arch_riscv64, 53)->keeps, 0xc0);
	CHECK(arch_reloc_of(&arch_riscv64, 52)->how == RELOC_SUB);
	CHECK(arch_reloc_of(&arch_riscv64, 60)->uleb);
	CHECK(arch_reloc_of(&arch_riscv64, 61)->how == RELOC_SUB);
	CHECK(!arch_reloc_of(&arch_riscv64, 18)); /* a call's */
}

TEST_MAIN
