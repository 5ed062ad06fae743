/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of types from debug info by hand: how old compilers say where a member is. */
#include <dwarf.h>

#include "core/base/test.h"
#include "core/dwarf/made_dwarf.h"

/* clang-format off */
static const uint8_t abbrev[] = {
	1, DW_TAG_compile_unit, 1, 0, 0,
	2, DW_TAG_base_type, 0, DW_AT_name, DW_FORM_string, DW_AT_byte_size, DW_FORM_data1,
		DW_AT_encoding, DW_FORM_data1, 0, 0,
	3, DW_TAG_structure_type, 1, DW_AT_name, DW_FORM_string, DW_AT_byte_size, DW_FORM_data1, 0, 0,
	4, DW_TAG_member, 0, DW_AT_name, DW_FORM_string, DW_AT_type, DW_FORM_ref4,
		DW_AT_byte_size, DW_FORM_data1, DW_AT_bit_size, DW_FORM_data1,
		DW_AT_bit_offset, DW_FORM_data1, DW_AT_data_member_location, DW_FORM_data1, 0, 0,
	5, DW_TAG_member, 0, DW_AT_name, DW_FORM_string, DW_AT_type, DW_FORM_ref4,
		DW_AT_bit_size, DW_FORM_data1, DW_AT_bit_offset, DW_FORM_data1,
		DW_AT_data_member_location, DW_FORM_block1, 0, 0,
	6, DW_TAG_member, 0, DW_AT_name, DW_FORM_string, DW_AT_type, DW_FORM_ref4,
		DW_AT_bit_size, DW_FORM_data1, DW_AT_data_bit_offset, DW_FORM_data1, 0, 0,
	7, DW_TAG_member, 0, DW_AT_name, DW_FORM_string, DW_AT_type, DW_FORM_ref4,
		DW_AT_data_member_location, DW_FORM_block1, 0, 0,
	0,
};
/* clang-format on */

#define BASE                                                                                \
	12 /* where the base type's DIE is: behind the head and the unit's own, of one byte \
	    */

static void head(struct buf *b, unsigned code, const char *name)
{
	made_le(b, code, 1);
	made_text(b, name);
	made_le(b, BASE, 4);
}

/* DW_OP_plus_uconst, as gcc writes a member's place for DWARF 2. */
static void place(struct buf *b, unsigned at)
{
	made_le(b, 2, 1);
	made_le(b, DW_OP_plus_uconst, 1);
	made_le(b, at, 1);
}

/* size: of the unit of storage; top: bits above the field in it. */
static void add_old(struct buf *b, const char *name, unsigned size, unsigned bits, unsigned top)
{
	head(b, 4, name);
	made_le(b, size, 1);
	made_le(b, bits, 1);
	made_le(b, top, 1);
	made_le(b, 4, 1); /* the unit's byte in the struct */
}

static const struct type *open_struct(struct target *t, struct buf *file)
{
	struct buf dies = { 0 }, info = { 0 };
	struct dwarf_file *f = dwarf_file_new(t, "test");
	const struct type *type = NULL;
	struct err err;

	made_le(&dies, 1, 1);
	made_le(&dies, 2, 1);
	made_text(&dies, "unsigned int");
	made_le(&dies, 4, 1);
	made_le(&dies, DW_ATE_unsigned, 1);
	made_le(&dies, 3, 1);
	made_text(&dies, "old");
	made_le(&dies, 24, 1);
	add_old(&dies, "low", 4, 5, 27);
	add_old(&dies, "middle", 4, 9, 18);
	add_old(&dies, "high", 4, 18, 0);
	add_old(&dies, "outside", 4, 5, 28);
	add_old(&dies, "byte", 1, 3, 4);
	add_old(&dies, "word", 8, 40, 8);
	add_old(&dies, "wide", 9, 5, 3);
	head(&dies, 5, "unsized");
	made_le(&dies, 9, 1);
	made_le(&dies, 18, 1);
	place(&dies, 12);
	head(&dies, 6, "counted");
	made_le(&dies, 7, 1);
	made_le(&dies, 67, 1);
	head(&dies, 7, "plain");
	place(&dies, 20);
	made_le(&dies, 0, 2);
	made_unit(&info, 3, &dies);
	made_dwarf(&(struct made_sections){ .abbrev = SPAN(abbrev, sizeof(abbrev)),
					    .info = SPAN((const uint8_t *)info.s, info.n) },
		   file);
	f->path = "made";
	f->image = SPAN((const uint8_t *)file->s, file->n);
	if (CHECK_OK(f->type_source.find(&f->type_source, TYPE_STRUCT, "old", &type, &err), err))
		CHECK_U64(type->size, 24);
	buf_release(&dies);
	buf_release(&info);
	return type;
}

/* DWARF 2 and 3 count from the unit's top: on a little-endian machine bit size * 8 - top - bits of
 * the unit. What does not fit its unit is left at the unit's begin. DWARF 4 counts from the
 * struct's first bit. */
TEST(bit_fields_of_every_version)
{
	static const struct {
		const char *name;
		unsigned bits, off;
	} want[] = {
		{ "low", 5, 32 + 0 },   { "middle", 9, 32 + 5 },      { "high", 18, 32 + 14 },
		{ "outside", 5, 32 },   { "byte", 3, 32 + 1 },        { "word", 40, 32 + 16 },
		{ "wide", 5, 32 },      { "unsized", 9, 12 * 8 + 5 }, { "counted", 7, 67 },
		{ "plain", 0, 20 * 8 },
	};
	struct arena scratch = { 0 };
	struct buf file = { 0 };
	const struct member *m;
	const struct type *type;
	struct target t;
	size_t n;

	target_init(&t, &scratch);
	type = open_struct(&t, &file);
	REQUIRE(type);
	m = type_members(type, &n);
	CHECK_U64(n, ARRAY_SIZE(want));
	for (size_t i = 0; i < n && i < ARRAY_SIZE(want); i++) {
		CHECK_STR(m[i].name, want[i].name);
		CHECK_U64(m[i].bit_size, want[i].bits);
		if (!CHECK_U64(m[i].bit_off, want[i].off))
			printf("  of %s\n", want[i].name);
		CHECK_STR(m[i].type->name, "unsigned int");
	}
	target_release(&t);
	arena_release(&scratch);
	buf_release(&file);
}

TEST_MAIN
