/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the functions around an address, with debug info by hand: lists of ranges of every
 * version, and functions in several DIEs. */
#include <dwarf.h>

#include "core/base/test.h"
#include "core/dwarf/dwarf_inline.h"
#include "core/dwarf/made_dwarf.h"

#define LOW 0x10000u

enum {
	UNIT = 1,
	FUNC,    /* name, address, length */
	RANGED,  /* offset of a list */
	INDEXED, /* number of a list */
	BLOCK,   /* address, end */
	INLINED, /* origin, address, length, file and line of the call */
	ABSTRACT,
	DECLARED,
	NAMESPACE,
	SHORTCUT, /* where the next one is; address, length */
	ELSEWHERE /* a DIE anywhere; address, length */
};

static void abbrevs(struct buf *b)
{
	made_abbrev(b, UNIT, DW_TAG_compile_unit, true,
		    (const unsigned[]){ DW_AT_low_pc, DW_FORM_addr, DW_AT_rnglists_base,
					DW_FORM_sec_offset, DW_AT_addr_base, DW_FORM_sec_offset,
					0 });
	made_abbrev(b, FUNC, DW_TAG_subprogram, true,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr,
					DW_AT_high_pc, DW_FORM_data4, 0 });
	made_abbrev(b, RANGED, DW_TAG_subprogram, false,
		    (const unsigned[]){ DW_AT_ranges, DW_FORM_sec_offset, 0 });
	made_abbrev(b, INDEXED, DW_TAG_subprogram, false,
		    (const unsigned[]){ DW_AT_ranges, DW_FORM_rnglistx, 0 });
	made_abbrev(
		b, BLOCK, DW_TAG_lexical_block, true,
		(const unsigned[]){ DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_addr, 0 });
	made_abbrev(b, INLINED, DW_TAG_inlined_subroutine, true,
		    (const unsigned[]){ DW_AT_abstract_origin, DW_FORM_ref4, DW_AT_low_pc,
					DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, DW_AT_call_file,
					DW_FORM_data1, DW_AT_call_line, DW_FORM_data2, 0 });
	made_abbrev(b, ABSTRACT, DW_TAG_subprogram, false,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_noreturn,
					DW_FORM_flag_present, 0 });
	made_abbrev(b, DECLARED, DW_TAG_subprogram, false,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_noreturn, DW_FORM_flag,
					DW_AT_specification, DW_FORM_ref4, 0 });
	made_abbrev(b, NAMESPACE, DW_TAG_namespace, true, (const unsigned[]){ 0 });
	made_abbrev(b, SHORTCUT, DW_TAG_subprogram, true,
		    (const unsigned[]){ DW_AT_sibling, DW_FORM_ref4, DW_AT_low_pc, DW_FORM_addr,
					DW_AT_high_pc, DW_FORM_data4, 0 });
	made_abbrev(b, ELSEWHERE, DW_TAG_subprogram, false,
		    (const unsigned[]){ DW_AT_specification, DW_FORM_ref_addr, DW_AT_low_pc,
					DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0 });
	made_le(b, 0, 1);
}

/* A unit's own DIE, which begins behind its head. */
static void begin(struct buf *b, unsigned addr_size)
{
	made_le(b, UNIT, 1);
	made_le(b, LOW, addr_size);
	made_le(b, 6, 4); /* its table of lists */
	made_le(b, 2, 4); /* and of addresses */
}

static void chain_at(const struct buf *info, uint64_t unit, const struct dwarf_sections *more,
		     uint64_t pc, struct dwarf_chain *ret)
{
	struct dwarf_sections s = *more;
	struct dwarf_abbrevs kept = { .off = 0 };
	struct buf words = { 0 };
	struct dwarf_unit u;
	struct cursor a;

	abbrevs(&words);
	s.info = SPAN((const uint8_t *)info->s, info->n);
	s.abbrev = SPAN((const uint8_t *)words.s, words.n);
	ret->n = 0;
	if (CHECK(dwarf_unit_open(&s, &kept, unit, &u, &a)))
		dwarf_chain_at(&u, a, pc, ret);
	dwarf_abbrevs_release(&kept);
	buf_release(&words);
}

/* ---- where a function is */

/* Is pc in the function whose ranges are the list, four bytes into its section, or by its number?
 */
static bool covers(unsigned version, unsigned addr_size, bool by_number, const struct buf *list,
		   uint64_t pc)
{
	struct buf dies = { 0 }, info = { 0 }, lists = { 0 }, addrs = { 0 };
	struct dwarf_sections s = { 0 };
	struct dwarf_chain chain;

	begin(&dies, addr_size);
	made_le(&dies, by_number ? INDEXED : RANGED, 1);
	made_le(&dies, by_number ? 1 : 18, by_number ? 1 : 4);
	made_le(&dies, 0, 1);
	made_unit_of(&info, version, addr_size, &dies);
	made_le(&lists, UINT64_MAX, 6); /* what is before the unit's table, of two lists */
	made_le(&lists, 999, 4);
	made_le(&lists, 18 - 6, 4);
	made_le(&lists, UINT64_MAX, 4);
	buf_add(&lists, list->s, list->n);
	made_le(&addrs, UINT64_MAX, 2);
	for (unsigned i = 0; i < 4; i++)
		made_le(&addrs, 0x40000 + 0x1000 * i, addr_size);
	s.ranges = s.rnglists = SPAN((const uint8_t *)lists.s, lists.n);
	s.addr = SPAN((const uint8_t *)addrs.s, addrs.n);
	chain_at(&info, 0, &s, pc, &chain);
	buf_release(&dies);
	buf_release(&info);
	buf_release(&lists);
	buf_release(&addrs);
	return chain.n == 1;
}

/* Its first and last byte are in, their neighbours are not. */
static void check_range(unsigned version, unsigned addr_size, const struct buf *list, uint64_t lo,
			uint64_t n)
{
	for (unsigned by_number = 0; by_number < (version >= 5 ? 2 : 1); by_number++) {
		CHECK(!covers(version, addr_size, by_number, list, lo - 1));
		CHECK(covers(version, addr_size, by_number, list, lo));
		CHECK(covers(version, addr_size, by_number, list, lo + n - 1));
		CHECK(!covers(version, addr_size, by_number, list, lo + n));
	}
}

/* DWARF 4, 2.17.3: pairs relative to the unit, or to the base that a pair of all ones selects;
 * up to a pair of zeros. */
TEST(ranges_of_old_versions)
{
	for (unsigned size = 4; size <= 8; size += 4) {
		struct buf list = { 0 };

		made_le(&list, 0x100, size);
		made_le(&list, 0x110, size);
		made_le(&list, 0, size); /* no end: it is no zero */
		made_le(&list, 0x20, size);
		made_le(&list, UINT64_MAX, size);
		made_le(&list, 0x30000, size);
		made_le(&list, 0x10, size);
		made_le(&list, 0x30, size);
		made_le(&list, 0, 2 * size);
		made_le(&list, 0x500, size); /* behind the end */
		made_le(&list, 0x600, size);
		for (unsigned version = 2; version <= 4; version++) {
			check_range(version, size, &list, LOW + 0x100, 0x10);
			check_range(version, size, &list, LOW, 0x20);
			check_range(version, size, &list, 0x30010, 0x20);
			CHECK(!covers(version, size, false, &list, 0x30100));
			CHECK(!covers(version, size, false, &list, LOW + 0x500));
			CHECK(!covers(version, size, false, &list, 0x30500));
		}
		buf_release(&list);
	}
}

/* DWARF 5, 7.25: the kinds of entries; numbers count in the unit's table of addresses. */
TEST(ranges_of_version_5)
{
	for (unsigned size = 4; size <= 8; size += 4) {
		struct buf list = { 0 };

		made_le(&list, DW_RLE_offset_pair, 1); /* to the unit's own address */
		made_uleb(&list, 0x100);
		made_uleb(&list, 0x110);
		made_le(&list, DW_RLE_base_addressx, 1);
		made_uleb(&list, 1);
		made_le(&list, DW_RLE_offset_pair, 1);
		made_uleb(&list, 0x20);
		made_uleb(&list, 0x200);
		made_le(&list, DW_RLE_startx_endx, 1);
		made_uleb(&list, 2);
		made_uleb(&list, 3);
		made_le(&list, DW_RLE_startx_length, 1);
		made_uleb(&list, 0);
		made_uleb(&list, 0x300);
		made_le(&list, DW_RLE_base_address, 1);
		made_le(&list, 0x50000, size);
		made_le(&list, DW_RLE_offset_pair, 1);
		made_uleb(&list, 0);
		made_uleb(&list, 8);
		made_le(&list, DW_RLE_start_end, 1);
		made_le(&list, 0x60000, size);
		made_le(&list, 0x60010, size);
		made_le(&list, DW_RLE_start_length, 1);
		made_le(&list, 0x70000, size);
		made_uleb(&list, 0x400);
		made_le(&list, DW_RLE_end_of_list, 1);
		made_le(&list, DW_RLE_start_length, 1);
		made_le(&list, 0x80000, size);
		made_uleb(&list, 0x400);
		check_range(5, size, &list, LOW + 0x100, 0x10);
		check_range(5, size, &list, 0x41020, 0x1e0);
		check_range(5, size, &list, 0x42000, 0x1000);
		check_range(5, size, &list, 0x40000, 0x300);
		check_range(5, size, &list, 0x50000, 8);
		check_range(5, size, &list, 0x60000, 0x10);
		check_range(5, size, &list, 0x70000, 0x400);
		CHECK(!covers(5, size, false, &list, 0x80000));
		buf_release(&list);
	}
}

/* An address by a number that the table does not have ends the list. */
TEST(ranges_by_numbers_that_are_not_there)
{
	static const uint8_t kinds[] = { DW_RLE_base_addressx, DW_RLE_startx_endx,
					 DW_RLE_startx_length };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		for (unsigned number = 3; number <= 4; number++) {
			struct buf list = { 0 };

			made_le(&list, kinds[i], 1);
			if (kinds[i] == DW_RLE_startx_endx)
				made_uleb(&list, 0);
			made_uleb(&list, number);
			if (kinds[i] == DW_RLE_startx_length)
				made_uleb(&list, 4);
			made_le(&list, DW_RLE_start_length, 1);
			made_le(&list, 0x70000, 8);
			made_uleb(&list, 0x400);
			CHECK(covers(5, 8, false, &list, 0x70000) == (number == 3));
			buf_release(&list);
		}
}

/* ---- who they are */

static void func(struct buf *b, const char *name, uint64_t at, unsigned n)
{
	made_le(b, FUNC, 1);
	made_text(b, name);
	made_le(b, at, 8);
	made_le(b, n, 4);
}

static void inlined(struct buf *b, uint64_t origin, uint64_t at, unsigned n, unsigned file,
		    unsigned line)
{
	made_le(b, INLINED, 1);
	made_le(b, origin, 4);
	made_le(b, at, 8);
	made_le(b, n, 4);
	made_le(b, file, 1);
	made_le(b, line, 2);
}

static void block(struct buf *b, uint64_t at, unsigned n)
{
	made_le(b, BLOCK, 1);
	made_le(b, at, 8);
	made_le(b, at + n, 8);
}

static void check_func(const struct dwarf_func *f, const char *name, uint64_t low, bool noreturn)
{
	CHECK_STR(f->name, name);
	CHECK_U64(f->low, low);
	CHECK(f->noreturn == noreturn);
}

#define HEAD 11 /* bytes before a unit's DIEs, of version 4 */

/*
 *	before() 0x10000, 0x100 bytes
 *	outer()  0x10100, 0x100 bytes
 *		leaf() inlined at 0x10100, 0x10 bytes
 *		a block at 0x10140, 0x40 bytes
 *			sure() inlined at 0x10150, 0x20 bytes, from file 2, line 300
 *				leaf() inlined at 0x10158, 8 bytes, from file 3, line 7
 *	after()  0x10200, 0x100 bytes, within two namespaces
 */
static void nested(struct buf *info)
{
	struct buf b = { 0 };
	uint64_t leaf, sure;

	begin(&b, 8);
	leaf = HEAD + b.n;
	made_le(&b, ABSTRACT, 1);
	made_text(&b, "leaf");
	sure = HEAD + b.n;
	made_le(&b, DECLARED, 1); /* its own name is the first, what it declares adds to it */
	made_text(&b, "sure");
	made_le(&b, 0, 1);
	made_le(&b, leaf, 4);
	func(&b, "before", LOW, 0x100);
	block(&b, LOW, 0x80);
	made_le(&b, 0, 2);
	func(&b, "outer", LOW + 0x100, 0x100);
	inlined(&b, leaf, LOW + 0x100, 0x10, 1, 5);
	made_le(&b, 0, 1);
	block(&b, LOW + 0x140, 0x40);
	inlined(&b, sure, LOW + 0x150, 0x20, 2, 300);
	made_le(&b, NAMESPACE, 1); /* nothing of it is looked at in here */
	func(&b, "hidden", LOW + 0x158, 8);
	made_le(&b, 0, 2);
	inlined(&b, leaf, LOW + 0x158, 8, 3, 7);
	made_le(&b, 0, 4);
	made_le(&b, NAMESPACE, 1);
	made_le(&b, NAMESPACE, 1);
	made_le(&b, SHORTCUT, 1);
	made_le(&b, HEAD + b.n + 4 + 8 + 4 + 2, 4); /* past two bytes that make no sense */
	made_le(&b, LOW + 0x400, 8);
	made_le(&b, 0x10, 4);
	made_le(&b, 0x7f7f, 2);
	func(&b, "after", LOW + 0x200, 0x100);
	made_le(&b, 0, 4);
	made_unit(info, 4, &b);
	buf_release(&b);
}

TEST(functions_within_each_other)
{
	const struct dwarf_sections none = { .line = { 0 } };
	struct buf info = { 0 };
	struct dwarf_chain c;

	nested(&info);
	chain_at(&info, 0, &none, LOW + 0x158, &c);
	REQUIRE(c.n == 3);
	check_func(&c.func[0], "outer", LOW + 0x100, false);
	CHECK(!c.func[0].inlined && !c.func[0].call_file && !c.func[0].call_line);
	check_func(&c.func[1], "sure", LOW + 0x150, true); /* as what it declares */
	CHECK(c.func[1].inlined);
	CHECK_U64(c.func[1].call_file, 2);
	CHECK_U64(c.func[1].call_line, 300);
	check_func(&c.func[2], "leaf", LOW + 0x158, true);
	CHECK_U64(c.func[2].call_file, 3);
	CHECK_U64(c.func[2].call_line, 7);
	chain_at(&info, 0, &none, LOW + 0x16f, &c);
	CHECK_U64(c.n, 2);
	chain_at(&info, 0, &none, LOW + 0x170, &c);
	CHECK_U64(c.n, 1);
	chain_at(&info, 0, &none, LOW + 0x105, &c);
	REQUIRE(c.n == 2);
	CHECK_U64(c.func[1].call_line, 5);
	chain_at(&info, 0, &none, LOW + 0x80, &c);
	REQUIRE(c.n == 1);
	check_func(&c.func[0], "before", LOW, false);
	chain_at(&info, 0, &none, LOW + 0x2ff, &c);
	REQUIRE(c.n == 1);
	check_func(&c.func[0], "after", LOW + 0x200, false);
	chain_at(&info, 0, &none, LOW + 0x300, &c);
	CHECK_U64(c.n, 0);
	chain_at(&info, 0, &none, LOW - 1, &c);
	CHECK_U64(c.n, 0);
	buf_release(&info);
}

/* Link-time optimisation: what a function is stands in another unit, before it or behind it. */
TEST(functions_of_other_units)
{
	const struct dwarf_sections none = { .line = { 0 } };
	uint64_t begins[3], face[2];
	struct dwarf_chain c;

	for (unsigned which = 0; which < 2; which++) {
		struct buf info = { 0 };

		for (unsigned pass = 0; pass < 2; pass++) { /* the second one knows where all is */
			buf_reset(&info);
			for (unsigned i = 0; i < 3; i++) {
				struct buf b = { 0 };

				begins[i] = info.n;
				begin(&b, 8);
				if (i == 1) {
					made_le(&b, ELSEWHERE, 1);
					made_le(&b, face[which], 4);
					made_le(&b, LOW, 8);
					made_le(&b, 0x10, 4);
				} else {
					made_le(&b, ABSTRACT, 1);
					made_text(&b, "wrong");
					face[i / 2] = begins[i] + HEAD + b.n;
					made_le(&b, DECLARED, 1);
					made_text(&b, i ? "behind" : "before");
					made_le(&b, 0, 1);
					made_le(&b, HEAD + b.n + 4, 4);
					made_le(&b, ABSTRACT, 1);
					made_text(&b, "never");
				}
				made_le(&b, 0, 1);
				made_unit(&info, 4, &b);
				buf_release(&b);
			}
		}
		chain_at(&info, begins[1], &none, LOW + 8, &c);
		REQUIRE(c.n == 1);
		check_func(&c.func[0], which ? "behind" : "before", LOW, true);
		buf_release(&info);
	}
}

/* A unit whose function is another face of the DIE at an offset. Its length ends in the code of a
 * DIE that has a name, so that who takes a unit's head for a DIE finds one. */
static void unit_with_face(struct buf *info, uint64_t face)
{
	struct buf b = { 0 };

	begin(&b, 8);
	made_le(&b, ELSEWHERE, 1);
	made_le(&b, face, 4);
	made_le(&b, LOW, 8);
	made_le(&b, 0x10, 4);
	do
		made_le(&b, 0, 1);
	while ((HEAD - 4 + b.n) % 256 != ABSTRACT);
	made_unit(info, 4, &b);
	buf_release(&b);
}

/* A function that is another face of what is in no unit, or of a unit's head: it has no name. */
TEST(faces_that_are_nowhere)
{
	const struct dwarf_sections none = { .line = { 0 } };
	struct buf info = { 0 };
	uint64_t second, end;

	unit_with_face(&info, 0);
	second = info.n;
	end = 2 * second;
	for (unsigned i = 0; i < 6; i++) {
		const uint64_t faces[] = {
			second, second + 1, end, end + 1, end + 1000, UINT32_MAX
		};
		struct dwarf_chain c;

		buf_reset(&info);
		unit_with_face(&info, 0);
		unit_with_face(&info, faces[i]);
		CHECK_U64(info.n, end);
		chain_at(&info, second, &none, LOW + 8, &c);
		REQUIRE(c.n == 1);
		CHECK(!c.func[0].name && !c.func[0].noreturn);
		CHECK_U64(c.func[0].low, LOW);
	}
	buf_release(&info);
}

TEST_MAIN
