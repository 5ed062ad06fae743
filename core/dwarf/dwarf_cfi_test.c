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
	return cfi_open(&m->a, SPAN(m->p, m->n), 0, false, 8, NULL, &m->tab, &m->err);
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
	REQUIRE_OK(cfi_open(&m.a, SPAN(m.p, m.n), 0, false, 8, slot_of_65, &m.tab, &m.err), m.err);
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
	REQUIRE_OK(cfi_open(&m.a, SPAN(m.p, m.n), 0x9000, true, 8, NULL, &m.tab, &m.err), m.err);
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

TEST_MAIN
