/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of call frame information on tables written by hand as DWARF 5, 6.4 lays them out. */
#include <dwarf.h>

#include "core/base/test.h"
#include "core/base/vec.h"
#include "core/dwarf/dwarf_cfi.h"

struct made {
	uint8_t p[1024];
	size_t n;
	struct arena a;
	struct cfi_table *tab;
	struct err err;
};

static void put(struct made *m, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		m->p[m->n++] = (uint8_t)(v >> 8 * i);
}

static void put_bytes(struct made *m, const uint8_t *p, size_t n)
{
	memcpy(m->p + m->n, p, n);
	m->n += n;
}
#define BYTES(m, ...) \
	put_bytes((m), (const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ }))

/* Writes a record's length when it is done. */
static void end(struct made *m, size_t from)
{
	size_t n = m->n;

	m->n = from;
	put(m, n - from - 4, 4);
	m->n = n;
}

/* x86-64 as gcc writes it: CFA rsp+8, return address at CFA-8; offsets in words down. */
static void make_cie(struct made *m)
{
	size_t from = m->n;

	put(m, 0, 4);
	put(m, 0xffffffff, 4);
	BYTES(m, 3, 0, 1, 0x78, 16, DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1);
	end(m, from);
}

/* push rbx at +0, sub 16 at +4; an early return at +0x10 that gives both back, and on at +0x14. */
static void make_fde(struct made *m, uint64_t lo, uint64_t n)
{
	size_t from = m->n;

	put(m, 0, 4);
	put(m, 0, 4);
	put(m, lo, 8);
	put(m, n, 8);
	BYTES(m, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 3, 2,
	      DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset, 32, DW_CFA_advance_loc | 11,
	      DW_CFA_remember_state, DW_CFA_restore | 3, DW_CFA_def_cfa_offset, 8,
	      DW_CFA_advance_loc | 4, DW_CFA_restore_state);
	end(m, from);
}

static bool open_made(struct made *m)
{
	return cfi_open(&m->a, SPAN(m->p, m->n), 0, false, false, 8, NULL, &m->tab, &m->err);
}

static void check_at(struct made *m, uint64_t pc, int64_t cfa, bool rbx_saved)
{
	struct cfi_rules r;

	if (!CHECK_OK(cfi_find(m->tab, pc, false, &r, &m->err), m->err))
		return;
	CHECK_U64(r.cfa.how, CFI_REGISTER);
	CHECK_U64(r.reg, 7);
	CHECK_U64((uint64_t)r.cfa.n, (uint64_t)cfa);
	CHECK_U64(r.ra, 16);
	CHECK_U64(r.of[16].how, CFI_AT);
	CHECK_U64((uint64_t)r.of[16].n, (uint64_t)-8);
	CHECK_U64(r.of[3].how, rbx_saved ? CFI_AT : CFI_UNSET);
	if (rbx_saved)
		CHECK_U64((uint64_t)r.of[3].n, (uint64_t)-16);
	CHECK_U64(r.of[12].how, CFI_UNSET);
}

TEST(rules_at_each_place_of_a_function)
{
	struct made m = { .n = 0 };
	struct cfi_rules r;

	make_cie(&m);
	make_fde(&m, 0x2000, 0x20);
	make_fde(&m, 0x1000, 0x20); /* not in order */
	REQUIRE_OK(open_made(&m), m.err);
	check_at(&m, 0x1000, 8, false);
	check_at(&m, 0x1001, 16, true);
	check_at(&m, 0x1004, 16, true);
	check_at(&m, 0x1005, 32, true);
	check_at(&m, 0x100f, 32, true);
	check_at(&m, 0x1010, 8, false);
	check_at(&m, 0x1014, 32, true);
	check_at(&m, 0x201f, 32, true);
	CHECK(!cfi_find(m.tab, 0x1020, false, &r, &m.err));
	CHECK_ERR(m.err, ERR_NOTFOUND);
	CHECK(!cfi_find(m.tab, 0xfff, false, &r, &m.err));
	CHECK_ERR(m.err, ERR_NOTFOUND);
	arena_release(&m.a);
}

/* DWARF numbers powerpc's link register 65: what a caller is told of is its place among those kept.
 */
static unsigned slot_of_65(uint64_t number)
{
	return number < 32 ? (unsigned)number : number == 65 ? 36 : CFI_REGS;
}

TEST(a_register_of_a_high_number_has_its_slot)
{
	struct made m = { .n = 0 };
	struct cfi_rules r;
	size_t from;

	put(&m, 0, 4);
	put(&m, 0xffffffff, 4);
	BYTES(&m, 3, 0, 4, 0x78, 65, DW_CFA_def_cfa, 1, 0);
	end(&m, 0);
	from = m.n;
	put(&m, 0, 4);
	put(&m, 0, 4);
	put(&m, 0x4000, 8);
	put(&m, 0x40, 8);
	BYTES(&m, DW_CFA_advance_loc | 1, DW_CFA_offset_extended_sf, 65, 0x7e, DW_CFA_offset | 40,
	      3);
	end(&m, from);
	REQUIRE_OK(cfi_open(&m.a, SPAN(m.p, m.n), 0, false, false, 8, slot_of_65, &m.tab, &m.err),
		   m.err);
	REQUIRE_OK(cfi_find(m.tab, 0x4004, false, &r, &m.err), m.err);
	CHECK_U64(r.ra, 36);
	CHECK_U64(r.of[36].how, CFI_AT);
	CHECK_U64((uint64_t)r.of[36].n, 16); /* -2 times the data alignment, -8 */
	CHECK_U64(r.of[40].how, CFI_UNSET);  /* 40 is none of those that are kept */
	arena_release(&m.a);
	/* without slots the table has nothing to tell of a column that is not kept */
	REQUIRE_OK(open_made(&m), m.err);
	CHECK(!cfi_find(m.tab, 0x4004, false, &r, &m.err));
	CHECK_ERR(m.err, ERR_NOTFOUND);
	arena_release(&m.a);
}

/* gcc for arm64 with signed return addresses: 0x2d there only says that x30 is signed. */
TEST(signing_on_arm64_moves_no_registers)
{
	struct made m = { .n = 0 };
	struct cfi_rules r;
	size_t from;

	put(&m, 0, 4);
	put(&m, 0xffffffff, 4);
	BYTES(&m, 3, 0, 4, 0x78, 30, DW_CFA_def_cfa, 31, 0);
	end(&m, 0);
	from = m.n;
	put(&m, 0, 4);
	put(&m, 0, 4);
	put(&m, 0x4000, 8);
	put(&m, 0x40, 8);
	BYTES(&m, DW_CFA_advance_loc | 1, DW_CFA_GNU_window_save, DW_CFA_advance_loc | 1,
	      DW_CFA_def_cfa_offset, 32, DW_CFA_offset | 29, 4, DW_CFA_offset | 30, 3);
	end(&m, from);
	REQUIRE_OK(open_made(&m), m.err);
	REQUIRE_OK(cfi_find(m.tab, 0x4008, true, &r, &m.err), m.err);
	CHECK_U64(r.of[19].how, CFI_UNSET);
	CHECK_U64(r.of[29].how, CFI_AT);
	CHECK_U64((uint64_t)r.of[29].n, (uint64_t)-32);
	CHECK_U64((uint64_t)r.of[30].n, (uint64_t)-24);
	CHECK_U64((uint64_t)r.cfa.n, 32);
	CHECK(!cfi_find(m.tab, 0x4008, false, &r, &m.err));
	CHECK_ERR(m.err, ERR_UNSUPPORTED);
	arena_release(&m.a);
}

/* .eh_frame: the entry's pointer to its common part counts back, addresses from their own place. */
TEST(an_eh_frame)
{
	struct made m = { .n = 0 };
	struct cfi_rules r;
	size_t from;

	put(&m, 0, 4);
	put(&m, 0, 4);
	BYTES(&m, 1, 'z', 'R', 0, 1, 0x78, 16, 1, DW_EH_PE_pcrel | DW_EH_PE_sdata4, DW_CFA_def_cfa,
	      7, 8, DW_CFA_offset | 16, 1);
	end(&m, 0);
	from = m.n;
	put(&m, 0, 4);
	put(&m, m.n, 4);
	put(&m, 0x1000 - (0x9000 + m.n), 4);
	put(&m, 0x10, 4);
	BYTES(&m, 0, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16);
	end(&m, from);
	put(&m, 0, 4);
	REQUIRE_OK(cfi_open(&m.a, SPAN(m.p, m.n), 0x9000, true, false, 8, NULL, &m.tab, &m.err),
		   m.err);
	REQUIRE_OK(cfi_find(m.tab, 0x1001, false, &r, &m.err), m.err);
	CHECK_U64((uint64_t)r.cfa.n, 16);
	REQUIRE_OK(cfi_find(m.tab, 0x1000, false, &r, &m.err), m.err);
	CHECK_U64((uint64_t)r.cfa.n, 8);
	arena_release(&m.a);
}

TEST(damaged_tables)
{
	struct made m = { .n = 0 };
	struct cfi_rules r;
	struct err err;

	make_cie(&m);
	m.p[0] = 0xff; /* longer than the section */
	CHECK(!open_made(&m));
	CHECK_ERR(m.err, ERR_FORMAT);
	arena_release(&m.a);

	m = (struct made){ .n = 0 };
	make_cie(&m);
	make_fde(&m, 0x1000, 0x20);
	REQUIRE_OK(open_made(&m), m.err);
	m.p[m.n - 1] = DW_CFA_restore_state; /* more than were remembered */
	m.p[m.n - 2] = DW_CFA_restore_state;
	m.p[m.n - 3] = DW_CFA_nop;
	m.p[m.n - 4] = DW_CFA_nop;
	CHECK(!cfi_find(m.tab, 0x1018, false, &r, &err));
	CHECK_ERR(err, ERR_FORMAT);
	m.p[m.n - 1] = DW_CFA_def_cfa_expression; /* its block is cut off */
	CHECK(!cfi_find(m.tab, 0x1018, false, &r, &err));
	CHECK_ERR(err, ERR_FORMAT);
	arena_release(&m.a);
}

/* Sections are in the linker's order, which is not that of addresses. Entries that cover nothing,
 * or whose common part is lost, hide none of the others; of two that begin at one address the later
 * counts. */
TEST(entries_in_any_order)
{
	static const struct {
		uint64_t lo, n;
	} fdes[] = {
		{ 0x5000, 0x40 }, { 0x1000, 0x40 }, { 0, 0x1000000 },  { 0x3000, 0x40 },
		{ 0x1010, 0 },    { 0x3020, 0x8 },  { 0x5000, 0x100 },
	};
	static const struct {
		uint64_t pc;
		bool found;
	} v[] = {
		{ 0xfff, false },  { 0x1000, true },  { 0x1020, true }, { 0x103f, true },
		{ 0x1040, false }, { 0x2fff, false }, { 0x3000, true }, { 0x3030, true },
		{ 0x3040, false }, { 0x4fff, false }, { 0x5000, true }, { 0x50ff, true },
		{ 0x5100, false }, { 0, false },      { 0x800, false }, { UINT64_MAX, false },
		{ 0x1fff, false }, { 0x3024, true },  { 0x503f, true },
	};
	struct made m = { .n = 0 };
	struct cfi_rules r;

	make_cie(&m);
	for (size_t i = 0; i < ARRAY_SIZE(fdes); i++) {
		size_t at = m.n;

		put(&m, 0, 4 * (i % 3)); /* what fills a gap between files */
		at = m.n;
		make_fde(&m, fdes[i].lo, fdes[i].n);
		if (fdes[i].lo == 0x3020)
			m.p[at + 6] = 0xff; /* its common part is far behind the end */
	}
	REQUIRE_OK(open_made(&m), m.err);
	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		if (!CHECK(cfi_find(m.tab, v[i].pc, false, &r, &m.err) == v[i].found))
			CHECK_U64(v[i].pc, 0);
	arena_release(&m.a);
}

/* ---- every instruction and form */

/* One function of 0x20000 bytes from 0x1000 on, with such code; instructions of two bytes, and rbx,
 * 3 among DWARF's registers, saved from the beginning. */
static bool rules_of(const uint8_t *code, size_t n, unsigned word, uint64_t pc,
		     struct cfi_rules *ret, struct err *err)
{
	struct made m = { .n = 0 };
	size_t from;
	bool ok;

	put(&m, 0, 4);
	put(&m, 0xffffffff, 4);
	BYTES(&m, 3, 0, 2, 0x78, 16, DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1, DW_CFA_offset | 3,
	      2);
	end(&m, 0);
	from = m.n;
	put(&m, 0, 4);
	put(&m, 0, 4);
	put(&m, 0x1000, word);
	put(&m, 0x20000, word);
	put_bytes(&m, code, n);
	end(&m, from);
	ok = cfi_open(&m.a, SPAN(m.p, m.n), 0, false, false, word, NULL, &m.tab, err) &&
	     cfi_find(m.tab, pc, false, ret, err);
	arena_release(&m.a);
	return ok;
}

/* DWARF 5, 6.4.2.3: what each says of a register, with offsets in words down. */
TEST(what_is_said_of_registers)
{
	static const struct {
		uint8_t code[12];
		size_t n;
		unsigned reg;
		enum cfi_how how;
		int64_t offset;
	} v[] = {
		{ { DW_CFA_offset | 12, 3 }, 2, 12, CFI_AT, -24 },
		{ { DW_CFA_offset_extended, 12, 3 }, 3, 12, CFI_AT, -24 },
		{ { DW_CFA_offset_extended_sf, 12, 0x7d }, 3, 12, CFI_AT, 24 },
		{ { DW_CFA_GNU_negative_offset_extended, 12, 3 }, 3, 12, CFI_AT, 24 },
		{ { DW_CFA_val_offset, 12, 2 }, 3, 12, CFI_IS, -16 },
		{ { DW_CFA_val_offset_sf, 12, 0x7e }, 3, 12, CFI_IS, 16 },
		{ { DW_CFA_undefined, 3 }, 2, 3, CFI_LOST, 0 },
		{ { DW_CFA_same_value, 3 }, 2, 3, CFI_SAME, 0 },
		{ { DW_CFA_register, 12, 5 }, 3, 12, CFI_REGISTER, 5 },
		{ { DW_CFA_undefined, 3, DW_CFA_restore | 3 }, 3, 3, CFI_AT, -16 },
		{ { DW_CFA_undefined, 3, DW_CFA_restore_extended, 3 }, 4, 3, CFI_AT, -16 },
		{ { DW_CFA_offset | 12, 1, DW_CFA_restore | 12 }, 3, 12, CFI_UNSET, 0 },
		{ { DW_CFA_GNU_args_size, 0x89, 1, DW_CFA_nop, DW_CFA_offset | 12, 1 },
		  6,
		  12,
		  CFI_AT,
		  -8 },
		{ { DW_CFA_offset | 47, 1 }, 2, 47, CFI_AT, -8 },
		/* one that is not followed is passed by */
		{ { DW_CFA_offset | 48, 1, DW_CFA_restore | 48, DW_CFA_undefined, 48,
		    DW_CFA_expression, 48, 1, 0, DW_CFA_offset | 12, 3 },
		  11,
		  12,
		  CFI_AT,
		  -24 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct cfi_rules r;
		struct err err;

		if (!CHECK_OK(rules_of(v[i].code, v[i].n, 8, 0x1000, &r, &err), err))
			continue;
		if (!CHECK_U64(r.of[v[i].reg].how, v[i].how))
			printf("  of %zu\n", i);
		if (!CHECK_U64((uint64_t)r.of[v[i].reg].n, (uint64_t)v[i].offset))
			printf("  of %zu\n", i);
		CHECK_U64((uint64_t)r.cfa.n, 8);
	}
}

/* 6.4.2.2: the CFA, by a register and an offset, or by an expression. */
TEST(what_is_said_of_the_cfa)
{
	static const struct {
		uint8_t code[6];
		size_t n;
		unsigned reg;
		int64_t offset;
	} v[] = {
		{ { DW_CFA_def_cfa, 6, 32 }, 3, 6, 32 },
		{ { DW_CFA_def_cfa_sf, 6, 0x7c }, 3, 6, 32 },
		{ { DW_CFA_def_cfa_register, 6 }, 2, 6, 8 },
		{ { DW_CFA_def_cfa_offset, 40 }, 2, 7, 40 },
		{ { DW_CFA_def_cfa_offset_sf, 0x7b }, 2, 7, 40 },
	};
	static const uint8_t expression[] = { DW_CFA_def_cfa_expression, 2, 0x77, 0x10 },
			     block[] = { DW_CFA_expression, 12, 2, 0x77, 0x10 },
			     value[] = { DW_CFA_val_expression, 12, 2, 0x77, 0x10 },
			     unknown[] = { DW_CFA_def_cfa, 48, 8 };
	struct cfi_rules r;
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		if (!CHECK_OK(rules_of(v[i].code, v[i].n, 8, 0x1000, &r, &err), err))
			continue;
		CHECK_U64(r.cfa.how, CFI_REGISTER);
		CHECK_U64(r.reg, v[i].reg);
		CHECK_U64((uint64_t)r.cfa.n, (uint64_t)v[i].offset);
	}
	REQUIRE_OK(rules_of(expression, sizeof(expression), 8, 0x1000, &r, &err), err);
	CHECK_U64(r.cfa.how, CFI_IS_EXPR);
	CHECK_U64(r.cfa.block.n, 2);
	REQUIRE_OK(rules_of(block, sizeof(block), 8, 0x1000, &r, &err), err);
	CHECK_U64(r.of[12].how, CFI_AT_EXPR);
	CHECK_U64(r.of[12].block.n, 2);
	REQUIRE_OK(rules_of(value, sizeof(value), 8, 0x1000, &r, &err), err);
	CHECK_U64(r.of[12].how, CFI_IS_EXPR);
	CHECK(!rules_of(unknown, sizeof(unknown), 8, 0x1000, &r, &err));
	CHECK_ERR(err, ERR_UNSUPPORTED);
}

/* 6.4.2.1: what stands behind one of these holds from there on; instructions have two bytes. */
TEST(what_moves_on)
{
	static const struct {
		uint8_t code[9];
		size_t n;
		unsigned word;
		uint64_t to;
	} v[] = {
		{ { DW_CFA_advance_loc | 0x3f }, 1, 8, 0x1000 + 126 },
		{ { DW_CFA_advance_loc1, 0xff }, 2, 8, 0x1000 + 510 },
		{ { DW_CFA_advance_loc2, 1, 2 }, 3, 8, 0x1000 + 0x402 },
		{ { DW_CFA_advance_loc4, 1, 2, 0, 0 }, 5, 8, 0x1000 + 0x402 },
		{ { DW_CFA_set_loc, 0x10, 0x12, 0, 0, 0, 0, 0, 0 }, 9, 8, 0x1210 },
		{ { DW_CFA_set_loc, 0x10, 0x12, 0, 0 }, 5, 4, 0x1210 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		uint8_t code[16];
		struct cfi_rules r;
		struct err err;

		memcpy(code, v[i].code, v[i].n);
		memcpy(code + v[i].n, (uint8_t[]){ DW_CFA_offset | 12, 3 }, 2);
		REQUIRE_OK(rules_of(code, v[i].n + 2, v[i].word, v[i].to - 1, &r, &err), err);
		CHECK_U64(r.of[12].how, CFI_UNSET);
		REQUIRE_OK(rules_of(code, v[i].n + 2, v[i].word, v[i].to, &r, &err), err);
		CHECK_U64(r.of[12].how, CFI_AT);
		CHECK_U64((uint64_t)r.of[12].n, (uint64_t)-24);
	}
}

TEST(what_no_table_says)
{
	uint8_t code[17];
	struct cfi_rules r;
	struct err err;

	CHECK(!rules_of((uint8_t[]){ 0x3f }, 1, 8, 0x1000, &r, &err));
	CHECK_ERR(err, ERR_UNSUPPORTED);
	CHECK(!rules_of((uint8_t[]){ DW_CFA_GNU_window_save }, 1, 8, 0x1000, &r, &err));
	CHECK_ERR(err, ERR_UNSUPPORTED);
	CHECK(!rules_of((uint8_t[]){ DW_CFA_expression, 12, 3, 0 }, 4, 8, 0x1000, &r, &err));
	CHECK_ERR(err, ERR_FORMAT);
	memset(code, DW_CFA_remember_state, sizeof(code));
	CHECK(rules_of(code, 16, 8, 0x1000, &r, &err));
	CHECK(!rules_of(code, 17, 8, 0x1000, &r, &err));
	CHECK_ERR(err, ERR_LIMIT);
}

/* A table with one function at 0x1000, in records of both sizes, with versions that differ in what
 * stands before the alignments, and in how wide the column of the return address is. */
static bool versions_open(struct made *m, unsigned version, bool wide, bool eh)
{
	unsigned id = wide && !eh ? 8 : 4;
	uint64_t cie_at;
	size_t from;

	*m = (struct made){ .n = 0 };
	if (eh)
		put(m, 0, 4); /* an empty record, as where files were joined */
	for (unsigned fde = 0; fde < 2; fde++) {
		if (!fde)
			cie_at = m->n;
		if (wide)
			put(m, UINT32_MAX, 4);
		from = m->n;
		put(m, 0, wide ? 8 : 4);
		put(m, fde ? (eh ? m->n - cie_at : cie_at) : (eh ? 0 : UINT64_MAX), id);
		if (fde) {
			put(m, 0x1000, 8);
			put(m, 0x40, 8);
			BYTES(m, DW_CFA_advance_loc | 2, DW_CFA_def_cfa_offset, 24);
		} else {
			BYTES(m, (uint8_t)version, 0);
			if (version >= 4)
				BYTES(m, 8, 0);
			BYTES(m, 1, 0x78, 16, DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1);
		}
		for (unsigned i = 0; i < (wide ? 8 : 4); i++)
			m->p[from + i] = (uint8_t)((m->n - from - (wide ? 8 : 4)) >> 8 * i);
	}
	return cfi_open(&m->a, SPAN(m->p, m->n), 0, eh, false, 8, NULL, &m->tab, &m->err);
}

TEST(records_of_every_version_and_size)
{
	for (unsigned i = 0; i < 20; i++) {
		unsigned version = 1 + i % 5;
		bool is = version != 2 && version != 5;
		struct cfi_rules r;
		struct made m;

		REQUIRE_OK(versions_open(&m, version, i / 5 & 1, i / 10), m.err);
		if (!CHECK(cfi_find(m.tab, 0x1002, false, &r, &m.err) == is))
			printf("  of version %u, %u\n", version, i);
		if (is) {
			CHECK_U64((uint64_t)r.cfa.n, 24);
			CHECK_U64(r.ra, 16);
		} else {
			CHECK_ERR(m.err, ERR_NOTFOUND);
		}
		arena_release(&m.a);
	}
}

/* The LSB's letters: P a personality's address in an encoding of its own, L an encoding, R the one
 * of addresses, S a frame that was interrupted, B another key. What comes behind an unknown letter
 * cannot be read, but for where it ends. */
TEST(augmentations)
{
	static const struct {
		const char *letters;
		uint8_t data[8];
		unsigned n, encoding, size;
		bool ok, signal;
	} v[] = {
		{ "", { 0 }, 0, DW_EH_PE_absptr, 8, true, false },
		{ "z", { 0 }, 0, DW_EH_PE_absptr, 8, true, false },
		{ "zR", { DW_EH_PE_udata4 }, 1, DW_EH_PE_udata4, 4, true, false },
		{ "zR", { DW_EH_PE_udata8 }, 1, DW_EH_PE_udata8, 8, true, false },
		{ "zR", { DW_EH_PE_pcrel | DW_EH_PE_sdata8 }, 1, 0x1c, 8, true, false },
		{ "zPLRSB",
		  { DW_EH_PE_udata4, 1, 2, 3, 4, 0x1b, DW_EH_PE_pcrel | DW_EH_PE_sdata4 },
		  7,
		  0x1b,
		  4,
		  true,
		  true },
		{ "zSR", { DW_EH_PE_sdata4 }, 1, DW_EH_PE_sdata4, 4, true, true },
		{ "zR?S", { DW_EH_PE_udata4, 9, 9 }, 3, DW_EH_PE_udata4, 4, true, false },
		{ "zR", { DW_EH_PE_udata2 }, 1, DW_EH_PE_udata2, 2, false, false },
		{ "zPR",
		  { DW_EH_PE_udata2, DW_EH_PE_udata4, DW_EH_PE_udata4, DW_EH_PE_udata4 },
		  4,
		  DW_EH_PE_udata4,
		  4,
		  false,
		  false },
		{ "eh", { 0 }, 0, DW_EH_PE_absptr, 8, false, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct made m = { .n = 0 };
		struct cfi_rules r;
		size_t from;

		put(&m, 0, 8);
		BYTES(&m, 3);
		put_bytes(&m, (const uint8_t *)v[i].letters, strlen(v[i].letters) + 1);
		BYTES(&m, 1, 0x78, 16);
		if (*v[i].letters == 'z')
			put(&m, v[i].n, 1);
		put_bytes(&m, v[i].data, v[i].n);
		BYTES(&m, DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1);
		end(&m, 0);
		from = m.n;
		put(&m, 0, 4);
		put(&m, m.n, 4);
		put(&m, 0x1000 - (v[i].encoding & 0x70 ? 0x9000 + m.n : 0), v[i].size);
		put(&m, 0x40, v[i].size);
		if (*v[i].letters == 'z')
			BYTES(&m, 2, DW_CFA_offset | 12, 1); /* data, of no use here */
		BYTES(&m, DW_CFA_def_cfa_offset, 24);
		end(&m, from);
		REQUIRE_OK(cfi_open(&m.a, SPAN(m.p, m.n), 0x9000, true, false, 8, NULL, &m.tab,
				    &m.err),
			   m.err);
		if (!CHECK(cfi_find(m.tab, 0x103f, false, &r, &m.err) == v[i].ok))
			printf("  of '%s' %zu\n", v[i].letters, i);
		if (v[i].ok) {
			CHECK(r.signal == v[i].signal);
			CHECK_U64((uint64_t)r.cfa.n, 24);
			CHECK_U64(r.of[12].how, CFI_UNSET);
			CHECK(!cfi_find(m.tab, 0x1040, false, &r, &m.err));
		}
		arena_release(&m.a);
	}
}

TEST_MAIN
