/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of arguments and locals with debug info by hand: each kind of place that a value can have.
 */
#include <dwarf.h>

#include "core/arch/flat_fake.h"
#include "core/base/test.h"
#include "core/types/frame_info.h"
#include "core/types/value.h"
#include "core/dwarf/dwarf_frame.h"
#include "core/dwarf/made_dwarf.h"

#define TEXT 0x10000u
#define CFA 0x7000u
#define HEAD 11 /* bytes before a unit's DIEs */

enum {
	UNIT = 1,
	BASE_TYPE,
	STRUCT,
	MEMBER,
	BITS,
	NAMELESS,
	FUNC,
	BLOCK,
	INLINED,
	ARGUMENT,
	LOCAL,
	NOWHERE,
	SIGNED,
	BYTE,
	BYTES,
	FLAGGED
};

static void abbrevs(struct buf *b)
{
	const unsigned named[] = { DW_AT_name, DW_FORM_string, DW_AT_type, DW_FORM_ref4, 0 };
	const struct {
		unsigned number, attr, form;
	} constants[] = { { SIGNED, DW_AT_const_value, DW_FORM_sdata },
			  { BYTE, DW_AT_const_value, DW_FORM_data1 },
			  { BYTES, DW_AT_const_value, DW_FORM_block1 },
			  { LOCAL, DW_AT_location, DW_FORM_exprloc },
			  { FLAGGED, DW_AT_external, DW_FORM_flag_present } };

	made_abbrev(
		b, UNIT, DW_TAG_compile_unit, true,
		(const unsigned[]){ DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0 });
	made_abbrev(b, BASE_TYPE, DW_TAG_base_type, false,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_byte_size, DW_FORM_data1,
					DW_AT_encoding, DW_FORM_data1, 0 });
	made_abbrev(b, STRUCT, DW_TAG_structure_type, true,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_byte_size, DW_FORM_data1,
					0 });
	made_abbrev(b, MEMBER, DW_TAG_member, false,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_type, DW_FORM_ref4,
					DW_AT_data_member_location, DW_FORM_data1, 0 });
	made_abbrev(b, BITS, DW_TAG_member, false,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_type, DW_FORM_ref4,
					DW_AT_bit_size, DW_FORM_data1, DW_AT_data_bit_offset,
					DW_FORM_data1, 0 });
	made_abbrev(b, NAMELESS, DW_TAG_member, false,
		    (const unsigned[]){ DW_AT_type, DW_FORM_ref4, DW_AT_data_member_location,
					DW_FORM_data1, 0 });
	made_abbrev(b, FUNC, DW_TAG_subprogram, true,
		    (const unsigned[]){ DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4,
					DW_AT_frame_base, DW_FORM_exprloc, 0 });
	made_abbrev(
		b, BLOCK, DW_TAG_lexical_block, true,
		(const unsigned[]){ DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0 });
	made_abbrev(
		b, INLINED, DW_TAG_inlined_subroutine, true,
		(const unsigned[]){ DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0 });
	made_abbrev(b, ARGUMENT, DW_TAG_formal_parameter, false,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_type, DW_FORM_ref4,
					DW_AT_location, DW_FORM_exprloc, 0 });
	made_abbrev(b, NOWHERE, DW_TAG_variable, false, named);
	for (size_t i = 0; i < ARRAY_SIZE(constants); i++)
		made_abbrev(b, constants[i].number, DW_TAG_variable, false,
			    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_type,
						DW_FORM_ref4, constants[i].attr, constants[i].form,
						0 });
	made_le(b, 0, 1);
}

/* The types' DIEs, and what a test puts into the function behind its first DIEs. */
struct made {
	struct buf dies;
	uint64_t type[7];
};
enum {
	INT,
	LONG,
	PAIR,
	CHAR,
	EMPTY,
	FLOAT,
	WIDE
};

static void base(struct made *m, unsigned which, const char *name, unsigned size, unsigned encoding)
{
	m->type[which] = HEAD + m->dies.n;
	made_le(&m->dies, BASE_TYPE, 1);
	made_text(&m->dies, name);
	made_le(&m->dies, size, 1);
	made_le(&m->dies, encoding, 1);
}

static void member(struct made *m, const char *name, unsigned type, unsigned at)
{
	made_le(&m->dies, name ? MEMBER : NAMELESS, 1);
	if (name)
		made_text(&m->dies, name);
	made_le(&m->dies, m->type[type], 4);
	made_le(&m->dies, at, 1);
}

/* struct pair { int x, y; long z; }, with a bit field and a member without a name at z's place,
 * and one that lies behind the struct's end. */
static void types(struct made *m)
{
	base(m, INT, "int", 4, DW_ATE_signed);
	base(m, LONG, "long", 8, DW_ATE_signed);
	base(m, CHAR, "unsigned char", 1, DW_ATE_unsigned_char);
	base(m, FLOAT, "float", 4, DW_ATE_float);
	base(m, WIDE, "__int128", 16, DW_ATE_signed);
	m->type[PAIR] = HEAD + m->dies.n;
	made_le(&m->dies, STRUCT, 1);
	made_text(&m->dies, "pair");
	made_le(&m->dies, 16, 1);
	member(m, "x", INT, 0);
	member(m, "y", INT, 4);
	member(m, "z", LONG, 8);
	made_le(&m->dies, BITS, 1);
	made_text(&m->dies, "bits");
	made_le(&m->dies, m->type[INT], 4);
	made_le(&m->dies, 3, 1);
	made_le(&m->dies, 64, 1);
	member(m, NULL, INT, 8);
	member(m, "over", LONG, 12);
	made_le(&m->dies, 0, 1);
	m->type[EMPTY] = HEAD + m->dies.n;
	made_le(&m->dies, STRUCT, 1);
	made_text(&m->dies, "empty");
	made_le(&m->dies, 0, 1);
	made_le(&m->dies, 0, 1);
}

static void range(struct buf *b, unsigned code, uint64_t at, unsigned n)
{
	made_le(b, code, 1);
	made_le(b, at, 8);
	made_le(b, n, 4);
}

/* A variable with n bytes: its expression, or its constant. */
static void variable(struct made *m, unsigned code, const char *name, unsigned type,
		     const void *bytes, size_t n)
{
	made_le(&m->dies, code, 1);
	made_text(&m->dies, name);
	made_le(&m->dies, m->type[type], 4);
	if (code == ARGUMENT || code == LOCAL || code == BYTES)
		made_le(&m->dies, n, 1);
	buf_add(&m->dies, bytes, n);
}
#define EXPR(m, name, type, ...)                                         \
	variable((m), LOCAL, (name), (type), (uint8_t[]){ __VA_ARGS__ }, \
		 sizeof((uint8_t[]){ __VA_ARGS__ }))

struct fixture {
	struct target t;
	struct arena scratch;
	struct arch arch;
	struct made m;
	struct buf file;
	struct err err;
	const struct variable *all;
	size_t n;
};

/* Each byte of the page below the CFA is its address' lowest byte; there is no other page. */
static bool page_read(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	(void)self;
	for (size_t i = 0; i < n; i++) {
		if ((pa + i) >> 12 != (CFA - 1) >> 12)
			return err_set(err, ERR_EXCLUDED, "not in the dump");
		((uint8_t *)buf)[i] = (uint8_t)(pa + i);
	}
	return true;
}

/* The unit up to within its function, of 0x100 bytes, whose frame base is the CFA. */
static void start(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	range(&f->m.dies, UNIT, TEXT, 0x100);
	types(&f->m);
	range(&f->m.dies, FUNC, TEXT, 0x100);
	made_le(&f->m.dies, 1, 1);
	made_le(&f->m.dies, DW_OP_call_frame_cfa, 1);
}

/* Of the registers only rdi, 5 among DWARF's, is known. */
static void look(struct fixture *f)
{
	struct frame_source source = { .t = &f->t };
	struct frame_at at = { .pc = TEXT + 8, .exact = true, .has_cfa = true, .cfa = CFA };
	struct buf info = { 0 }, words = { 0 };

	made_le(&f->m.dies, 0, 2);
	abbrevs(&words);
	made_unit(&info, 4, &f->m.dies);
	made_dwarf(&(struct made_sections){ .abbrev = SPAN((const uint8_t *)words.s, words.n),
					    .info = SPAN((const uint8_t *)info.s, info.n) },
		   &f->file);
	target_init(&f->t, &f->scratch);
	f->arch = arch_x86_64;
	f->arch.is_kernel_va = flat_is_kernel_va;
	f->arch.mmu_init = flat_mmu_init;
	f->arch.walk = flat_walk;
	f->t.arch = &f->arch;
	f->t.memory.phys.read = page_read;
	f->t.dwarf = dwarf_file_new(&f->t, "test");
	f->t.dwarf->path = "made";
	f->t.dwarf->image = SPAN((const uint8_t *)f->file.s, f->file.n);
	regs_set(&at.regs, 5, UINT64_C(0x11223344fffffffe));
	CHECK_OK(dwarf_frame_variables(&source, &at, &f->scratch, &f->all, &f->n, &f->err), f->err);
	buf_release(&info);
	buf_release(&words);
}

static void stop(struct fixture *f)
{
	target_release(&f->t);
	arena_release(&f->scratch);
	buf_release(&f->file);
	buf_release(&f->m.dies);
}

static const struct variable *find(struct fixture *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (!strcmp(f->all[i].name, name))
			return &f->all[i];
	return NULL;
}

static void check_number(struct fixture *f, const char *name, int64_t want)
{
	const struct variable *v = find(f, name);
	int64_t got = 0;

	if (!CHECK(v && v->known) || !CHECK_OK(value_s64(&f->t, v->value, &got, &f->err), f->err) ||
	    !CHECK_U64((uint64_t)got, (uint64_t)want))
		printf("  of %s%s%s\n", name, v && !v->known ? ": " : "",
		       v && !v->known ? v->why.msg : "");
}

static void check_member(struct fixture *f, const char *name, const char *path, int64_t want)
{
	const struct variable *v = find(f, name);
	struct value m;
	int64_t got = 0;

	if (!CHECK(v && v->known) ||
	    !CHECK_OK(value_member(&f->t, v->value, path, &m, &f->err), f->err) ||
	    !CHECK_OK(value_s64(&f->t, m, &got, &f->err), f->err) ||
	    !CHECK_U64((uint64_t)got, (uint64_t)want))
		printf("  of %s.%s\n", name, path);
}

static void check_unknown(struct fixture *f, const char *name, const char *why)
{
	const struct variable *v = find(f, name);

	if (!CHECK(v && !v->known) || !CHECK_CONTAINS(v->why.msg, why))
		printf("  of %s\n", name);
}

/* ---- the tests */

TEST(places_of_whole_values)
{
	const struct variable *v;
	struct fixture f;

	start(&f);
	EXPR(&f.m, "in_register", INT, DW_OP_reg5);
	EXPR(&f.m, "eight", LONG, DW_OP_reg5);
	EXPR(&f.m, "one", CHAR, DW_OP_reg5);
	EXPR(&f.m, "too_large", PAIR, DW_OP_reg5);
	EXPR(&f.m, "no_size", EMPTY, DW_OP_reg5);
	EXPR(&f.m, "lost", INT, DW_OP_reg0);
	EXPR(&f.m, "in_memory", PAIR, DW_OP_fbreg, 0x70);
	EXPR(&f.m, "computed", LONG, DW_OP_lit9, DW_OP_stack_value);
	EXPR(&f.m, "bytes", INT, DW_OP_implicit_value, 4, 0xfd, 0xff, 0xff, 0xff);
	EXPR(&f.m, "more_bytes", INT, DW_OP_implicit_value, 5, 7, 0, 0, 0, 1);
	EXPR(&f.m, "few_bytes", INT, DW_OP_implicit_value, 3, 7, 0, 0);
	EXPR(&f.m, "no_bytes", EMPTY, DW_OP_implicit_value, 3, 7, 0, 0);
	EXPR(&f.m, "pointer", LONG, DW_OP_GNU_implicit_pointer, HEAD, 0, 0, 0, 0);
	variable(&f.m, LOCAL, "nothing", INT, NULL, 0);
	variable(&f.m, NOWHERE, "gone", INT, NULL, 0);
	look(&f);
	CHECK_U64(f.n, 15);
	check_number(&f, "in_register", -2);
	check_number(&f, "eight", 0x11223344fffffffe);
	check_number(&f, "one", 0xfe);
	check_unknown(&f, "too_large", "optimized out but for its first word");
	check_unknown(&f, "no_size", "optimized out but for its first word");
	check_unknown(&f, "lost", "in register rax, which is not saved");
	check_member(&f, "in_memory", "x", (int32_t)0xf3f2f1f0); /* CFA - 16 */
	v = find(&f, "in_memory");
	if (CHECK(v && v->value.kind == VALUE_REF))
		CHECK_U64(v->value.addr, CFA - 16);
	check_number(&f, "computed", 9);
	check_number(&f, "bytes", -3);
	check_number(&f, "more_bytes", 7);
	check_unknown(&f, "few_bytes", "optimized out but for its first bytes");
	check_unknown(&f, "no_bytes", "optimized out but for its first bytes");
	check_unknown(&f, "pointer", "a pointer to what was optimized out");
	check_unknown(&f, "nothing", "optimized out");
	check_unknown(&f, "gone", "optimized out");
	stop(&f);
}

/* DWARF 5, 4.1: a value of its own as a number or as its bytes. */
TEST(constants)
{
	struct fixture f;

	start(&f);
	variable(&f.m, SIGNED, "minus", INT, "\x7b", 1);
	variable(&f.m, SIGNED, "minus_long", LONG, "\x7b", 1);
	variable(&f.m, BYTE, "byte", CHAR, "\xc8", 1);
	variable(&f.m, SIGNED, "no_number", PAIR, "\5", 1);
	variable(&f.m, SIGNED, "no_size", EMPTY, "\5", 1);
	variable(&f.m, BYTES, "pair", PAIR, "\1\0\0\0\2\0\0\0\3\0\0\0\0\0\0\0", 16);
	variable(&f.m, BYTES, "short", PAIR, "\1\0\0\0\2\0\0\0\3\0\0\0\0\0\0", 15);
	look(&f);
	check_number(&f, "minus", -5);
	check_number(&f, "minus_long", -5);
	check_number(&f, "byte", 200);
	check_unknown(&f, "no_number", "optimized out");
	check_unknown(&f, "no_size", "optimized out");
	check_member(&f, "pair", "x", 1);
	check_member(&f, "pair", "y", 2);
	check_member(&f, "pair", "z", 3);
	check_unknown(&f, "short", "optimized out");
	stop(&f);
}

/* DWARF 5, 2.6.1.2: the pieces of a value follow each other; each may begin within its place. */
TEST(values_in_pieces)
{
	struct fixture f;

	start(&f);
	EXPR(&f.m, "pair", PAIR, DW_OP_reg5, DW_OP_piece, 4, DW_OP_fbreg, 0x70, DW_OP_piece, 4,
	     DW_OP_lit9, DW_OP_stack_value, DW_OP_piece, 8);
	EXPR(&f.m, "inside", PAIR, DW_OP_reg5, DW_OP_bit_piece, 32, 32, DW_OP_fbreg, 0x70,
	     DW_OP_bit_piece, 32, 16, DW_OP_implicit_value, 12, 0, 1, 2, 3, 8, 0, 0, 0, 0, 0, 0, 0,
	     DW_OP_bit_piece, 64, 32);
	EXPR(&f.m, "longer", INT, DW_OP_lit9, DW_OP_stack_value, DW_OP_piece, 8);
	EXPR(&f.m, "bits", INT, DW_OP_reg5, DW_OP_bit_piece, 3, 0, DW_OP_reg5, DW_OP_bit_piece, 29,
	     3);
	EXPR(&f.m, "odd", INT, DW_OP_reg5, DW_OP_bit_piece, 32, 3);
	EXPR(&f.m, "all_lost", INT, DW_OP_reg0, DW_OP_piece, 4);
	EXPR(&f.m, "unread", INT, DW_OP_fbreg, 0, DW_OP_piece, 4);
	EXPR(&f.m, "no_size", EMPTY, DW_OP_reg5, DW_OP_piece, 4);
	look(&f);
	check_member(&f, "pair", "x", -2);
	check_member(&f, "pair", "y", (int32_t)0xf3f2f1f0);
	check_member(&f, "pair", "z", 9);
	check_member(&f, "inside", "x", 0x11223344);
	check_member(&f, "inside", "y", (int32_t)0xf5f4f3f2);
	check_member(&f, "inside", "z", 8);
	check_number(&f, "longer", 9);
	check_unknown(&f, "bits", "in pieces of single bits");
	check_unknown(&f, "odd", "in pieces of single bits");
	check_unknown(&f, "all_lost", "in register rax, which is not saved");
	check_unknown(&f, "unread", "not in the dump");
	check_unknown(&f, "no_size", "in pieces");
	CHECK_U64(f.n, 8); /* none of them is told member by member */
	stop(&f);
}

/* Of a struct in part its members are told that are whole; what a piece needs beyond its place is
 * as lost as what has none. */
TEST(values_in_part)
{
	static const struct {
		uint8_t code[16];
		size_t n;
		bool x, y, z;
	} v[] = {
		{ { DW_OP_reg5, DW_OP_piece, 4, DW_OP_piece, 4, DW_OP_lit9, DW_OP_stack_value,
		    DW_OP_piece, 8 },
		  9,
		  true,
		  false,
		  true },
		{ { DW_OP_reg5, DW_OP_piece, 4, DW_OP_reg5, DW_OP_bit_piece, 32, 40 },
		  7,
		  true,
		  false,
		  false },
		{ { DW_OP_reg5, DW_OP_piece, 4, DW_OP_implicit_value, 4, 1, 2, 3, 4,
		    DW_OP_bit_piece, 32, 8 },
		  12,
		  true,
		  false,
		  false },
		{ { DW_OP_piece, 7, DW_OP_lit9, DW_OP_stack_value, DW_OP_piece, 1, DW_OP_lit9,
		    DW_OP_stack_value, DW_OP_piece, 7 },
		  10,
		  false,
		  false,
		  false },
		{ { DW_OP_piece, 4, DW_OP_reg5, DW_OP_piece, 4 }, 5, false, true, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		const bool known[] = { v[i].x, v[i].y, v[i].z };
		static const char *const names[] = { "v.x", "v.y", "v.z" };
		struct fixture f;

		start(&f);
		variable(&f.m, LOCAL, "v", PAIR, v[i].code, v[i].n);
		variable(&f.m, LOCAL, "next", INT, "\x55", 1); /* DW_OP_reg5 */
		look(&f);
		CHECK_U64(f.n, 5);
		check_unknown(&f, "v", "optimized out in part");
		check_number(&f, "next", -2);
		for (size_t k = 0; k < ARRAY_SIZE(names); k++) {
			const struct variable *m = find(&f, names[k]);

			if (!CHECK(m && m->known == known[k]))
				printf("  of %s in %zu\n", names[k], i);
			if (m && !m->known)
				CHECK_CONTAINS(m->why.msg, "optimized out");
		}
		if (v[i].x)
			check_number(&f, "v.x", -2);
		if (v[i].z)
			check_number(&f, "v.z", 9);
		stop(&f);
	}
}

/* Whose each is: inlined functions count from the innermost, and a block is its function's. */
TEST(levels_and_order)
{
	static const struct {
		const char *name;
		bool argument;
		unsigned level;
	} want[] = { { "given", true, 2 },  { "own", false, 2 },     { "inner", false, 2 },
		     { "middle", true, 1 }, { "leaf_arg", true, 0 }, { "leaf", false, 0 } };
	struct fixture f;

	start(&f);
	EXPR(&f.m, "own", INT, DW_OP_reg5);
	variable(&f.m, ARGUMENT, "given", INT, "\x55", 1);
	EXPR(&f.m, "static_one", INT, DW_OP_addr, 0, 0, 0, 0, 0, 0, 0, 0);
	variable(&f.m, FLAGGED, "elsewhere", INT, NULL, 0);
	range(&f.m.dies, INLINED, TEXT + 0x10, 0x10); /* not where the frame is */
	EXPR(&f.m, "other", INT, DW_OP_reg5);
	made_le(&f.m.dies, 0, 1);
	range(&f.m.dies, BLOCK, TEXT, 0x10);
	EXPR(&f.m, "inner", INT, DW_OP_reg5);
	variable(&f.m, ARGUMENT, "no_argument", INT, "\x55", 1); /* a block has none */
	range(&f.m.dies, INLINED, TEXT, 0x10);
	variable(&f.m, ARGUMENT, "middle", INT, "\x55", 1);
	range(&f.m.dies, INLINED, TEXT + 4, 8);
	EXPR(&f.m, "leaf", INT, DW_OP_reg5);
	variable(&f.m, ARGUMENT, "leaf_arg", INT, "\x55", 1);
	made_le(&f.m.dies, 0, 3);
	look(&f);
	CHECK_U64(f.n, ARRAY_SIZE(want));
	for (size_t i = 0; i < f.n && i < ARRAY_SIZE(want); i++) {
		CHECK_STR(f.all[i].name, want[i].name);
		CHECK(f.all[i].argument == want[i].argument);
		CHECK_U64(f.all[i].level, want[i].level);
		check_number(&f, want[i].name, -2);
	}
	stop(&f);
}

/* Operations that name a base type's DIE. A register's upper half is no part of an int. */
TEST(words_of_base_types)
{
	struct fixture f;
	uint8_t num, byte, wide, real, pair;

	start(&f);
	num = (uint8_t)f.m.type[INT];
	byte = (uint8_t)f.m.type[CHAR];
	wide = (uint8_t)f.m.type[WIDE];
	real = (uint8_t)f.m.type[FLOAT];
	pair = (uint8_t)f.m.type[PAIR];
	REQUIRE(pair < 0x80);
	EXPR(&f.m, "constant", LONG, DW_OP_GNU_const_type, num, 4, 0xfd, 0xff, 0xff, 0xff,
	     DW_OP_stack_value);
	EXPR(&f.m, "in_register", LONG, DW_OP_GNU_regval_type, 5, num, DW_OP_stack_value);
	EXPR(&f.m, "one_byte", LONG, DW_OP_GNU_regval_type, 5, byte, DW_OP_stack_value);
	EXPR(&f.m, "in_memory", LONG, DW_OP_fbreg, 0x70, DW_OP_GNU_deref_type, 4, num,
	     DW_OP_stack_value);
	EXPR(&f.m, "converted", LONG, DW_OP_GNU_regval_type, 5, num, DW_OP_GNU_convert, byte,
	     DW_OP_stack_value);
	EXPR(&f.m, "float", LONG, DW_OP_GNU_regval_type, 5, real, DW_OP_stack_value);
	EXPR(&f.m, "wide", LONG, DW_OP_GNU_regval_type, 5, wide, DW_OP_stack_value);
	EXPR(&f.m, "struct", LONG, DW_OP_GNU_regval_type, 5, pair, DW_OP_stack_value);
	EXPR(&f.m, "entry", LONG, DW_OP_GNU_entry_value, 1, DW_OP_reg5, DW_OP_stack_value);
	look(&f);
	CHECK_U64(f.n, 9);
	check_number(&f, "constant", -3);
	check_number(&f, "in_register", -2);
	check_number(&f, "one_byte", 0xfe);
	check_number(&f, "in_memory", (int32_t)0xf3f2f1f0);
	check_number(&f, "converted", 0xfe);
	check_unknown(&f, "float", "a type of 4 bytes");
	check_unknown(&f, "wide", "a type of 16 bytes");
	check_unknown(&f, "struct", "no base type");
	check_unknown(&f, "entry", "optimized out"); /* there is no caller */
	stop(&f);
}

TEST_MAIN
