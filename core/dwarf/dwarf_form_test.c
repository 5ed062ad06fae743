/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests DWARF's bytes, form by form, of every version and size: what section 7 of DWARF 5 says. */
#include <dwarf.h>

#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/dwarf/dwarf_form.h"

static void put(struct buf *b, uint64_t v, unsigned n)
{
	for (; n--; v >>= 8)
		buf_char(b, (char)v);
}

/* 7.6: seven bits a byte, the lowest first; of signed ones bit 6 of the last byte is the sign. */
TEST(numbers_of_varying_length)
{
	static const struct {
		uint8_t bytes[12];
		size_t n;
		uint64_t value;
		int64_t with_sign;
		bool bad;
	} v[] = {
		{ { 2 }, 1, 2, 2, false },
		{ { 0x7f }, 1, 127, -1, false },
		{ { 0x40 }, 1, 64, -64, false },
		{ { 0x3f }, 1, 63, 63, false },
		{ { 0x80, 1 }, 2, 128, 128, false },
		{ { 0xff, 0 }, 2, 127, 127, false },
		{ { 0x81, 0x7f }, 2, 16257, -127, false },
		{ { 0x80, 0x80, 0x01 }, 3, 16384, 16384, false },
		{ { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1 },
		  10,
		  UINT64_MAX,
		  -1,
		  false },
		{ { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f },
		  10,
		  UINT64_C(1) << 63,
		  INT64_MIN,
		  false },
		{ { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0 },
		  11,
		  0,
		  0,
		  true },
		{ { 0x80 }, 1, 0, 0, true },
		{ { 0 }, 0, 0, 0, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct cursor a = { v[i].bytes, v[i].bytes + v[i].n, false }, b = a;

		CHECK_U64(cursor_uleb(&a), v[i].value);
		CHECK_U64((uint64_t)cursor_sleb(&b), (uint64_t)v[i].with_sign);
		CHECK(a.failed == v[i].bad && b.failed == v[i].bad);
		CHECK(v[i].bad || (a.p == a.end && b.p == b.end));
	}
}

static const char texts[] = "zero\0first\0second", line_texts[] = "none\0line";
static const uint8_t offsets32[] = { 9, 9, 9, 9, 5, 0, 0, 0, 11, 0, 0, 0 },
		     offsets64[] = { 9, 9, 9, 9, 5, 0, 0, 0, 0, 0, 0, 0, 11, 0, 0, 0, 0, 0, 0, 0 },
		     addresses[] = { 7, 7, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };

/* A unit in the middle of .debug_info; its tables begin where other units' end. */
static void unit_of(struct dwarf_sections *s, struct dwarf_unit *u, const uint8_t *info,
		    unsigned version, unsigned offset_size, unsigned addr_size)
{
	*s = (struct dwarf_sections){ .info = SPAN(info, 100),
				      .str = SPAN(texts, sizeof(texts)),
				      .line_str = SPAN(line_texts, sizeof(line_texts)),
				      .addr = SPAN(addresses, sizeof(addresses)) };
	s->str_offsets = offset_size == 4 ? SPAN(offsets32, sizeof(offsets32))
					  : SPAN(offsets64, sizeof(offsets64));
	dwarf_sections_init(s);
	*u = (struct dwarf_unit){ .s = s,
				  .start = info + 0x10,
				  .version = version,
				  .offset_size = offset_size,
				  .addr_size = addr_size,
				  .str_base = 4,
				  .addr_base = 2 };
}

/* 7.5.5 and 7.5.6, table 7.6: the class of each form, its size and its value, of the bytes 1, 0 (or
 * 2), 0, ... A reference counts from its unit's header, which is at 0x10 here. */
static const struct {
	unsigned form;
	size_t size; /* 32-bit DWARF with addresses of eight bytes */
	unsigned kind;
	uint64_t value;
	const char *text;
} forms[] = {
	{ DW_FORM_addr, 8, DWARF_ADDRESS, 1, NULL },
	{ DW_FORM_addrx, 1, DWARF_ADDRESS, UINT64_C(0x100f0e0d0c0b0a09), NULL },
	{ DW_FORM_addrx1, 1, DWARF_ADDRESS, UINT64_C(0x100f0e0d0c0b0a09), NULL },
	{ DW_FORM_addrx2, 2, DWARF_ADDRESS, UINT64_C(0x100f0e0d0c0b0a09), NULL },
	{ DW_FORM_addrx3, 3, DWARF_ADDRESS, UINT64_C(0x100f0e0d0c0b0a09), NULL },
	{ DW_FORM_addrx4, 4, DWARF_ADDRESS, UINT64_C(0x100f0e0d0c0b0a09), NULL },
	{ DW_FORM_data1, 1, DWARF_NUMBER, 1, NULL },
	{ DW_FORM_data2, 2, DWARF_NUMBER, 1, NULL },
	{ DW_FORM_data4, 4, DWARF_NUMBER, 1, NULL },
	{ DW_FORM_data8, 8, DWARF_NUMBER, 1, NULL },
	{ DW_FORM_data16, 16, DWARF_OTHER, 0, NULL },
	{ DW_FORM_udata, 1, DWARF_NUMBER, 1, NULL },
	{ DW_FORM_sdata, 1, DWARF_NUMBER, 1, NULL },
	{ DW_FORM_implicit_const, 0, DWARF_NUMBER, (uint64_t)-7, NULL },
	{ DW_FORM_flag, 1, DWARF_NUMBER, 1, NULL },
	{ DW_FORM_flag_present, 0, DWARF_OTHER, 0, NULL },
	{ DW_FORM_ref1, 1, DWARF_REF, 0x11, NULL },
	{ DW_FORM_ref2, 2, DWARF_REF, 0x11, NULL },
	{ DW_FORM_ref4, 4, DWARF_REF, 0x11, NULL },
	{ DW_FORM_ref8, 8, DWARF_REF, 0x11, NULL },
	{ DW_FORM_ref_udata, 1, DWARF_REF, 0x11, NULL },
	{ DW_FORM_ref_addr, 4, DWARF_REF, 1, NULL },
	{ DW_FORM_ref_sig8, 8, DWARF_OTHER, 0, NULL },
	{ DW_FORM_ref_sup4, 4, DWARF_OTHER, 0, NULL },
	{ DW_FORM_ref_sup8, 8, DWARF_OTHER, 0, NULL },
	{ DW_FORM_sec_offset, 4, DWARF_OFFSET, 1, NULL },
	{ DW_FORM_rnglistx, 1, DWARF_INDEX, 1, NULL },
	{ DW_FORM_loclistx, 1, DWARF_OTHER, 0, NULL },
	{ DW_FORM_strp, 4, DWARF_TEXT, 0, "ero" },
	{ DW_FORM_line_strp, 4, DWARF_TEXT, 0, "one" },
	{ DW_FORM_string, 2, DWARF_TEXT, 0, "\1" },
	{ DW_FORM_strx, 1, DWARF_TEXT, 0, "second" },
	{ DW_FORM_strx1, 1, DWARF_TEXT, 0, "second" },
	{ DW_FORM_strx2, 2, DWARF_TEXT, 0, "second" },
	{ DW_FORM_strx3, 3, DWARF_TEXT, 0, "second" },
	{ DW_FORM_strx4, 4, DWARF_TEXT, 0, "second" },
	{ DW_FORM_strp_sup, 4, DWARF_OTHER, 0, NULL },
	{ DW_FORM_GNU_ref_alt, 4, DWARF_OTHER, 0, NULL },
	{ DW_FORM_GNU_strp_alt, 4, DWARF_OTHER, 0, NULL },
	{ DW_FORM_block1, 2, DWARF_OTHER, 0, NULL },
	{ DW_FORM_block2, 3, DWARF_OTHER, 0, NULL },
	{ DW_FORM_block4, 5, DWARF_OTHER, 0, NULL },
	{ DW_FORM_block, 2, DWARF_OTHER, 0, NULL },
	{ DW_FORM_exprloc, 2, DWARF_OTHER, 0, NULL },
};

static bool is_offset(unsigned form)
{
	return form == DW_FORM_strp || form == DW_FORM_line_strp || form == DW_FORM_sec_offset ||
	       form == DW_FORM_strp_sup || form == DW_FORM_GNU_ref_alt ||
	       form == DW_FORM_GNU_strp_alt || form == DW_FORM_ref_addr;
}

TEST(every_form_has_its_size_and_value)
{
	static const uint8_t info[100] = { [0x20] = 1 };
	const struct dwarf_attr attr = { .constant = -7 };
	struct dwarf_sections s;
	struct dwarf_unit u;

	for (size_t i = 0; i < 2 * ARRAY_SIZE(forms); i++) {
		unsigned form = forms[i / 2].form, offset_size = i & 1 ? 8 : 4;
		size_t size = is_offset(form) ? offset_size : forms[i / 2].size;
		struct dwarf_attr it = attr;
		struct cursor a = { info + 0x20, info + 0x20 + size, false }, b = a, cut = a;
		struct dwarf_value v;

		it.form = (uint16_t)form;
		unit_of(&s, &u, info, 5, offset_size, 8);
		dwarf_take_value(&a, &u, &it, &v);
		dwarf_pass_form(&b, &u, form);
		if (!CHECK(!a.failed && a.p == a.end) | !CHECK(!b.failed && b.p == b.end) |
		    !CHECK_U64(v.kind, forms[i / 2].kind) |
		    (forms[i / 2].kind != DWARF_TEXT && !CHECK_U64(v.n, forms[i / 2].value)) |
		    !CHECK_STR(v.text, forms[i / 2].text))
			printf("  of form %#x, offsets of %u bytes\n", form, offset_size);
		if (!size)
			continue;
		cut.end--;
		b = cut;
		dwarf_take_value(&cut, &u, &it, &v);
		dwarf_pass_form(&b, &u, form);
		if (!CHECK(cut.failed && b.failed && cut.p == cut.end && b.p == b.end))
			printf("  of form %#x, cut\n", form);
	}
}

/* What is asked of tables that do not reach so far, of versions and of sizes. */
TEST(forms_at_the_edges)
{
	static const uint8_t info[100] = { [0x20] = 3, [0x30] = 0xfe, 0xff };
	struct dwarf_attr attr = { .form = DW_FORM_strx1 };
	struct cursor a = { info + 0x20, info + 0x28, false };
	struct dwarf_sections s;
	struct dwarf_value v;
	struct dwarf_unit u;
	uint64_t n;

	unit_of(&s, &u, info, 5, 4, 8);
	dwarf_take_value(&a, &u, &attr, &v); /* the third of two */
	CHECK_U64(v.kind, DWARF_OTHER);
	a.p = info + 0x20;
	attr.form = DW_FORM_addrx1;
	dwarf_take_value(&a, &u, &attr, &v);
	CHECK_U64(v.kind, DWARF_OTHER);
	u.addr_size = 4; /* the fourth of addresses of four bytes */
	a.p = info + 0x20;
	dwarf_take_value(&a, &u, &attr, &v);
	CHECK_U64(v.kind, DWARF_ADDRESS);
	CHECK_U64(v.n, 0x100f0e0d);
	attr.form = DW_FORM_sdata;
	a.p = info + 0x30;
	a.end = info + 0x40;
	dwarf_take_value(&a, &u, &attr, &v);
	CHECK_U64(v.n, 0x3ffe + ((uint64_t)info[0x32] << 14)); /* fe ff 00: 0x3ffe */
	attr.form = DW_FORM_strp; /* behind the table's end, and within a text without one */
	a.p = info + 0x30;
	dwarf_take_value(&a, &u, &attr, &v);
	CHECK_U64(v.kind, DWARF_OTHER);
	/* 2: references between units have the size of an address; 3 and later that of an offset */
	u.version = 2;
	a = (struct cursor){ info, info + 100, false };
	dwarf_pass_form(&a, &u, DW_FORM_ref_addr);
	CHECK_U64((uint64_t)(a.p - info), 4);
	u.addr_size = 8;
	dwarf_pass_form(&a, &u, DW_FORM_ref_addr);
	CHECK_U64((uint64_t)(a.p - info), 12);
	u.version = 3;
	dwarf_pass_form(&a, &u, DW_FORM_ref_addr);
	CHECK_U64((uint64_t)(a.p - info), 16);
	dwarf_pass_form(&a, &u, DW_FORM_indirect);
	CHECK(a.failed);
	CHECK(dwarf_table_number(&s, SPAN(addresses, 18), 2, 1, 8, &n));
	CHECK(!dwarf_table_number(&s, SPAN(addresses, 17), 2, 1, 8, &n));
	CHECK(!dwarf_table_number(&s, SPAN(addresses, 18), 2, 2, 8, &n));
	CHECK(!dwarf_table_number(&s, SPAN(addresses, 18), 19, 0, 8, &n));
}

/* A text ends within its table: behind the last NUL there is none, nor where the table ends. */
TEST(texts_end_in_their_table)
{
	static const uint8_t cut[] = { 'o', 'n', 'e', 0, 't', 'w', 'o', 'x' },
			     offsets[] = { 0, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0 };
	struct dwarf_sections s = { .str = SPAN(cut, 7), .line_str = SPAN(cut, 8) };
	const struct dwarf_unit u = { .s = &s, .version = 5, .offset_size = 4, .addr_size = 8 };

	dwarf_sections_init(&s);
	CHECK_U64(s.str.n, 4);
	CHECK_U64(s.line_str.n, 4);
	for (unsigned line = 0; line < 2; line++) {
		unsigned form = line ? DW_FORM_line_strp : DW_FORM_strp;
		struct cursor a = { offsets, offsets + sizeof(offsets), false };

		CHECK_STR(dwarf_take_text(&a, &u, form), "one");
		CHECK_STR(dwarf_take_text(&a, &u, form), "");
		CHECK(!dwarf_take_text(&a, &u, form) && !a.failed);
	}
	s.str = SPAN(cut, 3);
	dwarf_sections_init(&s);
	CHECK_U64(s.str.n, 0);
}

/* A sibling lies in its unit. */
TEST(siblings_end_with_their_unit)
{
	static const uint8_t info[100] = { 99, 0, 0, 0, 100, 0, 0, 0 };
	const struct dwarf_unit u = { .start = info };
	struct cursor a = { info, info + 100, false };

	CHECK(dwarf_take_sibling(&a, &u) == info + 99);
	CHECK(!dwarf_take_sibling(&a, &u));
}

/* Abbreviations: 1 is the unit with its bases behind what needs them, 2 a function with children
 * and a sibling, 3 a leaf of three bytes. */
static void put_abbrevs(struct buf *b)
{
	static const uint8_t bytes[] = { 1,
					 DW_TAG_compile_unit,
					 1,
					 DW_AT_producer,
					 DW_FORM_strx1,
					 DW_AT_comp_dir,
					 DW_FORM_line_strp,
					 DW_AT_low_pc,
					 DW_FORM_addrx1,
					 DW_AT_stmt_list,
					 DW_FORM_sec_offset,
					 DW_AT_str_offsets_base,
					 DW_FORM_sec_offset,
					 DW_AT_addr_base,
					 DW_FORM_sec_offset,
					 DW_AT_rnglists_base & 0x7f,
					 DW_FORM_sec_offset,
					 0,
					 0,
					 2,
					 DW_TAG_subprogram,
					 1,
					 DW_AT_sibling,
					 DW_FORM_ref4,
					 0,
					 0,
					 3,
					 DW_TAG_variable,
					 0,
					 DW_AT_byte_size,
					 DW_FORM_data1,
					 DW_AT_decl_line,
					 DW_FORM_data2,
					 DW_AT_decl_file,
					 DW_FORM_implicit_const,
					 0x79,
					 0,
					 0,
					 0 };

	buf_add(b, (const char *)bytes, sizeof(bytes));
}

/* A unit of a version and an offset's size behind 3 bytes of another; then a function with two
 * leaves, and a leaf. */
static void put_unit(struct buf *b, unsigned version, unsigned offset_size, unsigned type)
{
	size_t at = b->n, die, length;

	if (offset_size == 8)
		put(b, UINT32_MAX, 4);
	length = b->n;
	put(b, 0, offset_size);
	put(b, version, 2);
	if (version == 5) {
		put(b, type, 1);
		put(b, 8, 1);
	}
	put(b, 2, offset_size);
	if (version < 5)
		put(b, 8, 1);
	if (type == DW_UT_skeleton)
		put(b, 77, 8);
	put(b, 1, 1); /* the unit */
	put(b, 1, 1);
	put(b, 5, offset_size);
	put(b, 1, 1);
	put(b, 0x55, offset_size);
	put(b, 4, offset_size);
	put(b, 2, offset_size);
	put(b, 0x66, offset_size);
	die = b->n;
	put(b, 2, 1);
	put(b, die - at + 1 + 4 + 2 * 4 + 1, 4);
	for (unsigned i = 0; i < 2; i++) {
		put(b, 3, 1);
		put(b, 9, 3);
	}
	put(b, 0, 1);
	put(b, 3, 1);
	put(b, 8, 3);
	put(b, 0, 1);
	for (unsigned i = 0; i < offset_size; i++)
		b->s[length + i] = (char)((b->n - length - offset_size) >> 8 * i);
}

static bool only_variables(unsigned tag)
{
	return tag == DW_TAG_variable;
}

static void check_unit(unsigned version, unsigned offset_size, unsigned type, bool is)
{
	struct dwarf_abbrevs abbrevs = { .wanted = only_variables };
	struct buf info = { 0 }, table = { 0 };
	const struct dwarf_abbrev *ab;
	const uint8_t *sibling;
	struct dwarf_sections s;
	struct dwarf_unit u;
	struct cursor a, in;

	put(&info, 0, 3);
	put(&table, 0, 2);
	put_abbrevs(&table);
	/* DW_AT_rnglists_base is 0x74: one byte */
	put_unit(&info, version, offset_size, type);
	unit_of(&s, &u, (const uint8_t *)info.s, version, offset_size, 8);
	s.info = SPAN(info.s, info.n);
	s.abbrev = SPAN(table.s, table.n);
	CHECK(dwarf_unit_open(&s, &abbrevs, 3, &u, &a) == is);
	if (is) {
		CHECK_U64(u.version, version);
		CHECK_U64(u.offset_size, offset_size);
		CHECK_U64(u.addr_size, 8);
		CHECK(u.children);
		CHECK_STR(u.producer, "second");
		CHECK_STR(u.dir, "line");
		CHECK_U64(u.low, UINT64_C(0x100f0e0d0c0b0a09));
		CHECK_U64(u.line_off, 0x55);
		CHECK_U64(u.rnglists_base, 0x66);
		CHECK(u.end == (const uint8_t *)info.s + info.n);
		ab = dwarf_abbrev_of(&u, cursor_uleb(&a));
		REQUIRE(ab && ab->tag == DW_TAG_subprogram && ab->children && !ab->wanted);
		dwarf_pass_die(&a, &u, ab, &sibling);
		for (unsigned by_sibling = 0; by_sibling < 2; by_sibling++) {
			in = a;
			dwarf_pass_children(&in, &u, ab, by_sibling ? sibling : NULL);
			CHECK(!in.failed && in.p == sibling);
		}
		ab = dwarf_abbrev_of(&u, cursor_uleb(&in));
		REQUIRE(ab && ab->tag == DW_TAG_variable && !ab->children && ab->wanted);
		CHECK_U64(ab->n, 3);
		CHECK_U64(ab->fixed, 3);
		CHECK(dwarf_attrs_of(&u, ab)[2].constant == -7);
		dwarf_pass_die(&in, &u, ab, &sibling);
		CHECK(!in.failed && !sibling && in.p == u.end - 1);
		CHECK(!dwarf_abbrev_of(&u, 0) && !dwarf_abbrev_of(&u, 4));
		/* cut anywhere there is no such unit */
		for (size_t n = info.n - 1; n > 3; n--) {
			s.info.n = n;
			CHECK(!dwarf_unit_open(&s, &abbrevs, 3, &u, &a));
		}
		CHECK(!dwarf_unit_open(&s, &abbrevs, 3, &u, &a));
	}
	dwarf_abbrevs_release(&abbrevs);
	buf_release(&info);
	buf_release(&table);
}

TEST(units_of_every_version_and_size)
{
	for (unsigned offset_size = 4; offset_size <= 8; offset_size += 4) {
		for (unsigned version = 2; version <= 4; version++)
			check_unit(version, offset_size, DW_UT_compile, true);
		check_unit(1, offset_size, DW_UT_compile, false);
		check_unit(6, offset_size, DW_UT_compile, false);
		check_unit(5, offset_size, DW_UT_compile, true);
		check_unit(5, offset_size, DW_UT_partial, true);
		check_unit(5, offset_size, DW_UT_skeleton, true);
		check_unit(5, offset_size, DW_UT_type, false);
	}
}

TEST_MAIN
