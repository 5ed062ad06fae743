/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of types from debug info by hand: each kind with its size, and which of BTF's is the same.
 */
#include <dwarf.h>

#include "core/base/test.h"
#include "core/dwarf/dwarf.h"
#include "core/dwarf/made_dwarf.h"

#define HEAD 11 /* bytes before a unit's DIEs */

enum {
	UNIT = 1,
	BASE_TYPE,
	NAMED,   /* a typedef */
	POINTER, /* and those behind it up to ATOMIC name a type only */
	CONST,
	VOLATILE,
	RESTRICT,
	ATOMIC,
	ARRAY,
	COUNT,
	BOUND,
	NO_BOUND,
	STRUCT,
	DECLARED,
	UNION,
	MEMBER,
	NAMELESS,
	BITS,
	INNER, /* a struct within another, as C++ and Rust write it */
	ENUM,
	SMALL_VALUE, /* data1 */
	SIGNED_VALUE,
	FUNC,
	PARAMETER,
	MORE,
	VOID_POINTER,
	TYPED_ENUM,
	SAID,  /* a struct that says whether it is a declaration */
	GIVES, /* a function that says what it returns */
	FACE   /* one that is another face of a DIE */
};

static void abbrevs(struct buf *b)
{
	static const unsigned modifier[] = { DW_TAG_pointer_type, DW_TAG_const_type,
					     DW_TAG_volatile_type, DW_TAG_restrict_type,
					     DW_TAG_atomic_type };
	const unsigned sized[] = { DW_AT_name, DW_FORM_string, DW_AT_byte_size, DW_FORM_data1, 0 },
		       typed[] = { DW_AT_type, DW_FORM_ref4, 0 },
		       named[] = { DW_AT_name, DW_FORM_string, DW_AT_type, DW_FORM_ref4, 0 };

	made_abbrev(b, UNIT, DW_TAG_compile_unit, true,
		    (const unsigned[]){ DW_AT_low_pc, DW_FORM_addr, 0 });
	made_abbrev(b, BASE_TYPE, DW_TAG_base_type, false,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_byte_size, DW_FORM_data1,
					DW_AT_encoding, DW_FORM_data1, 0 });
	made_abbrev(b, NAMED, DW_TAG_typedef, false, named);
	for (unsigned i = 0; i < ARRAY_SIZE(modifier); i++)
		made_abbrev(b, POINTER + i, modifier[i], false, typed);
	made_abbrev(b, ARRAY, DW_TAG_array_type, true, typed);
	made_abbrev(b, COUNT, DW_TAG_subrange_type, false,
		    (const unsigned[]){ DW_AT_count, DW_FORM_udata, 0 });
	made_abbrev(b, BOUND, DW_TAG_subrange_type, false,
		    (const unsigned[]){ DW_AT_upper_bound, DW_FORM_data8, 0 });
	made_abbrev(b, NO_BOUND, DW_TAG_subrange_type, false, (const unsigned[]){ 0 });
	made_abbrev(b, STRUCT, DW_TAG_structure_type, true, sized);
	made_abbrev(b, DECLARED, DW_TAG_structure_type, false,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_declaration,
					DW_FORM_flag_present, 0 });
	made_abbrev(b, UNION, DW_TAG_union_type, true, sized);
	made_abbrev(b, MEMBER, DW_TAG_member, false,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_type, DW_FORM_ref4,
					DW_AT_data_member_location, DW_FORM_data1, 0 });
	made_abbrev(b, NAMELESS, DW_TAG_member, false,
		    (const unsigned[]){ DW_AT_type, DW_FORM_ref4, DW_AT_data_member_location,
					DW_FORM_data1, 0 });
	made_abbrev(b, BITS, DW_TAG_member, false,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_type, DW_FORM_ref4,
					DW_AT_bit_size, DW_FORM_data1, DW_AT_data_bit_offset,
					DW_FORM_data1, 0 });
	made_abbrev(b, INNER, DW_TAG_structure_type, false, sized);
	made_abbrev(b, ENUM, DW_TAG_enumeration_type, true, sized);
	made_abbrev(b, SMALL_VALUE, DW_TAG_enumerator, false,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_const_value,
					DW_FORM_data1, 0 });
	made_abbrev(b, SIGNED_VALUE, DW_TAG_enumerator, false,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_const_value,
					DW_FORM_sdata, 0 });
	made_abbrev(b, FUNC, DW_TAG_subroutine_type, true, typed);
	made_abbrev(b, PARAMETER, DW_TAG_formal_parameter, false, typed);
	made_abbrev(b, MORE, DW_TAG_unspecified_parameters, false, (const unsigned[]){ 0 });
	made_abbrev(b, VOID_POINTER, DW_TAG_pointer_type, false, (const unsigned[]){ 0 });
	made_abbrev(b, TYPED_ENUM, DW_TAG_enumeration_type, true,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_byte_size, DW_FORM_data1,
					DW_AT_type, DW_FORM_ref4, 0 });
	made_abbrev(b, SAID, DW_TAG_structure_type, false,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_byte_size, DW_FORM_data1,
					DW_AT_declaration, DW_FORM_flag, 0 });
	made_abbrev(b, GIVES, DW_TAG_subprogram, false, typed);
	made_abbrev(b, FACE, DW_TAG_subprogram, false,
		    (const unsigned[]){ DW_AT_abstract_origin, DW_FORM_ref4, 0 });
	made_le(b, 0, 1);
}

static uint64_t here(const struct buf *b)
{
	return HEAD + b->n;
}

static uint64_t base(struct buf *b, const char *name, unsigned size, unsigned encoding)
{
	uint64_t at = here(b);

	made_le(b, BASE_TYPE, 1);
	made_text(b, name);
	made_le(b, size, 1);
	made_le(b, encoding, 1);
	return at;
}

/* A type of another one; children follow where its kind has them. */
static uint64_t of(struct buf *b, unsigned code, uint64_t type)
{
	uint64_t at = here(b);

	made_le(b, code, 1);
	made_le(b, type, 4);
	return at;
}

static uint64_t named(struct buf *b, unsigned code, const char *name)
{
	uint64_t at = here(b);

	made_le(b, code, 1);
	made_text(b, name);
	return at;
}

static void typedef_of(struct buf *b, const char *name, uint64_t type)
{
	named(b, NAMED, name);
	made_le(b, type, 4);
}

static void member(struct buf *b, const char *name, uint64_t type, unsigned at)
{
	if (name)
		named(b, MEMBER, name);
	else
		made_le(b, NAMELESS, 1);
	made_le(b, type, 4);
	made_le(b, at, 1);
}

struct fixture {
	struct target t;
	struct arena scratch;
	struct arch arch;
	struct buf dies, file;
	struct dwarf_file *f;
	struct err err;
	uint64_t num, byte; /* "int" and "u8", where each test's own types may refer to */
};

static void start(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	made_le(&f->dies, UNIT, 1);
	made_le(&f->dies, 0x1000, 8);
	f->num = base(&f->dies, "int", 4, DW_ATE_signed);
	f->byte = base(&f->dies, "u8", 1, DW_ATE_unsigned_char);
}

static void open_made(struct fixture *f)
{
	struct buf info = { 0 }, words = { 0 };

	made_le(&f->dies, 0, 1);
	abbrevs(&words);
	made_unit(&info, 4, &f->dies);
	made_dwarf(&(struct made_sections){ .abbrev = SPAN((const uint8_t *)words.s, words.n),
					    .info = SPAN((const uint8_t *)info.s, info.n) },
		   &f->file);
	target_init(&f->t, &f->scratch);
	f->arch = arch_x86_64;
	f->t.arch = &f->arch;
	f->f = dwarf_file_new(&f->t, "test");
	f->f->path = "made";
	f->f->image = SPAN((const uint8_t *)f->file.s, f->file.n);
	buf_release(&info);
	buf_release(&words);
}

static void stop(struct fixture *f)
{
	target_release(&f->t);
	arena_release(&f->scratch);
	buf_release(&f->file);
	buf_release(&f->dies);
}

static const struct type *find(struct fixture *f, enum type_kind kind, const char *name)
{
	struct type_source *s = &f->f->type_source;
	const struct type *type = NULL;

	if (!CHECK_OK(s->find(s, kind, name, &type, &f->err), f->err))
		printf("  of %s\n", name);
	return type;
}

static void check_declared(struct fixture *f, const char *name, const char *want, uint64_t size)
{
	const struct type *type = find(f, TYPE_TYPEDEF, name);
	struct buf b = { 0 };

	if (!type)
		return;
	if (!CHECK_U64(type->size, size))
		printf("  of %s\n", name);
	type_declare(&b, type_target(type), "x");
	CHECK_STR(buf_text(&b), want);
	buf_release(&b);
}

/* ---- kinds */

static void array_of_two(struct buf *b, const char *name, uint64_t type, unsigned code,
			 uint64_t outer, uint64_t inner)
{
	uint64_t at = of(b, ARRAY, type);

	for (unsigned i = 0; i < 2; i++) {
		made_le(b, code, 1);
		if (code == COUNT)
			made_uleb(b, i ? inner : outer);
		else
			made_le(b, i ? inner : outer, 8);
	}
	made_le(b, 0, 1);
	typedef_of(b, name, at);
}

/* DWARF 5, 5.5 and 5.13: a dimension has a count, or the number of its last element, or neither;
 * some compilers say -1 for a last element where there is none. */
TEST(arrays)
{
	struct fixture f;
	uint64_t at;

	start(&f);
	array_of_two(&f.dies, "counts", f.num, COUNT, 3, 5);
	array_of_two(&f.dies, "bounds", f.num, BOUND, 2, 4);
	array_of_two(&f.dies, "large", f.byte, COUNT, 1u << 23, 1u << 24);
	array_of_two(&f.dies, "too_large", f.byte, COUNT, 1u << 24, 1u << 24);
	array_of_two(&f.dies, "overflow", f.num, COUNT, UINT64_C(1) << 62, 3);
	at = of(&f.dies, ARRAY, f.num);
	made_le(&f.dies, BOUND, 1);
	made_le(&f.dies, UINT64_MAX, 8);
	made_le(&f.dies, 0, 1);
	typedef_of(&f.dies, "minus", at);
	at = of(&f.dies, ARRAY, f.num);
	made_le(&f.dies, NO_BOUND, 1);
	made_le(&f.dies, 0, 1);
	typedef_of(&f.dies, "open", at);
	at = of(&f.dies, ARRAY, f.num);
	member(&f.dies, "no_dimension", f.num, 0);
	made_le(&f.dies, COUNT, 1);
	made_uleb(&f.dies, 7);
	made_le(&f.dies, 0, 1);
	typedef_of(&f.dies, "seven", at);
	open_made(&f);
	check_declared(&f, "counts", "int x[3][5]", 60);
	check_declared(&f, "bounds", "int x[3][5]", 60);
	check_declared(&f, "large", "u8 x[8388608][16777216]", UINT64_C(1) << 47);
	check_declared(&f, "too_large", "u8 x[16777216][16777216]", 0);
	check_declared(&f, "overflow", "int x[4611686018427387904][3]", 0);
	check_declared(&f, "minus", "int x[]", 0);
	check_declared(&f, "open", "int x[]", 0);
	check_declared(&f, "seven", "int x[7]", 28);
	stop(&f);
}

TEST(what_names_other_types)
{
	struct fixture f;
	uint64_t at, func;

	start(&f);
	at = of(&f.dies, POINTER, of(&f.dies, CONST, of(&f.dies, VOLATILE, f.num)));
	typedef_of(&f.dies, "qualified", at);
	typedef_of(&f.dies, "restricted", of(&f.dies, RESTRICT, at));
	typedef_of(&f.dies, "atomic", of(&f.dies, ATOMIC, f.num));
	at = here(&f.dies);
	made_le(&f.dies, VOID_POINTER, 1);
	typedef_of(&f.dies, "nothing", at);
	func = of(&f.dies, FUNC, f.num);
	of(&f.dies, PARAMETER, f.byte);
	of(&f.dies, PARAMETER, at);
	made_le(&f.dies, MORE, 1);
	of(&f.dies, PARAMETER, f.byte); /* nothing comes behind "..." */
	made_le(&f.dies, 0, 1);
	typedef_of(&f.dies, "call", of(&f.dies, POINTER, func));
	func = of(&f.dies, FUNC, f.num);
	made_le(&f.dies, MORE, 1); /* without parameters: of C before 1989 */
	made_le(&f.dies, 0, 1);
	typedef_of(&f.dies, "old_call", of(&f.dies, POINTER, func));
	typedef_of(&f.dies, "itself", here(&f.dies));
	array_of_two(&f.dies, "pointers", at, COUNT, 2, 1);
	array_of_two(&f.dies, "many", at, COUNT, UINT64_C(1) << 44, 1);
	array_of_two(&f.dies, "too_many", at, COUNT, UINT64_C(1) << 45, 1);
	open_made(&f);
	check_declared(&f, "qualified", "const volatile int *x", 8);
	check_declared(&f, "restricted", "const volatile int *restrict x", 8);
	CHECK_U64(find(&f, TYPE_TYPEDEF, "atomic")->size, 4);
	check_declared(&f, "nothing", "void *x", 8);
	check_declared(&f, "call", "int (*x)(u8, void *, ...)", 8);
	CHECK_U64(find(&f, TYPE_TYPEDEF, "itself")->size, 0);
	check_declared(&f, "pointers", "void *x[2][1]", 16);
	CHECK_U64(find(&f, TYPE_TYPEDEF, "many")->size, UINT64_C(1) << 47);
	CHECK_U64(find(&f, TYPE_TYPEDEF, "too_many")->size, 0);
	stop(&f);
}

/* A pointer has a word of the machine. */
TEST(pointers_of_32_bits)
{
	struct fixture f;

	start(&f);
	typedef_of(&f.dies, "pointer", of(&f.dies, POINTER, f.byte));
	open_made(&f);
	f.arch.word = 4;
	check_declared(&f, "pointer", "u8 *x", 4);
	stop(&f);
}

TEST(base_types)
{
	static const struct {
		const char *name;
		unsigned size, encoding;
		enum type_kind kind;
		bool is_signed;
	} v[] = { { "long", 8, DW_ATE_signed, TYPE_INT, true },
		  { "unsigned long", 8, DW_ATE_unsigned, TYPE_INT, false },
		  { "signed char", 1, DW_ATE_signed_char, TYPE_INT, true },
		  { "char", 1, DW_ATE_signed_char, TYPE_CHAR, true },
		  { "wide char", 4, DW_ATE_signed_char, TYPE_INT, true },
		  { "_Bool", 1, DW_ATE_boolean, TYPE_BOOL, false },
		  { "double", 8, DW_ATE_float, TYPE_FLOAT, false } };
	struct fixture f;

	start(&f);
	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		base(&f.dies, v[i].name, v[i].size, v[i].encoding);
	open_made(&f);
	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		const struct type *type = find(&f, TYPE_INT, v[i].name);

		REQUIRE(type);
		CHECK_U64(type->kind, v[i].kind);
		CHECK_U64(type->size, v[i].size);
		CHECK(type->is_signed == v[i].is_signed);
	}
	stop(&f);
}

/* gcc writes 225 as one byte in an enum with negative values too: only sdata has a sign. */
TEST(enums)
{
	static const struct {
		const char *name;
		uint64_t value;
	} want[] = { { "BELOW", (uint64_t)-3 }, { "HIGH", 225 }, { "LAST", 300 } };
	const struct enumerator *e;
	const struct type *type;
	struct fixture f;
	size_t n;

	start(&f);
	for (unsigned i = 0; i < 2; i++) {
		named(&f.dies, i ? TYPED_ENUM : ENUM, i ? "typed" : "mood");
		made_le(&f.dies, 4, 1);
		if (i)
			made_le(&f.dies, f.num, 4);
		named(&f.dies, SIGNED_VALUE, "BELOW");
		made_le(&f.dies, 0x7d, 1);
		typedef_of(&f.dies, "no_constant", f.num);
		named(&f.dies, SMALL_VALUE, "HIGH");
		made_le(&f.dies, 225, 1);
		named(&f.dies, SIGNED_VALUE, "LAST");
		made_le(&f.dies, 0x02ac, 2);
		made_le(&f.dies, 0, 1);
	}
	open_made(&f);
	for (unsigned i = 0; i < 2; i++) {
		type = find(&f, TYPE_ENUM, i ? "typed" : "mood");
		REQUIRE(type);
		CHECK_U64(type->size, 4);
		CHECK(type->is_signed == i);
		e = type_enumerators(type, &n);
		REQUIRE(n == ARRAY_SIZE(want));
		for (size_t k = 0; k < n; k++) {
			CHECK_STR(e[k].name, want[k].name);
			CHECK_U64(e[k].value, want[k].value);
		}
	}
	stop(&f);
}

/* A member that begins behind its struct's end is none; one at its very end is, such as text[]. */
TEST(members)
{
	static const char *const want[] = { "first", NULL, "at_end" };
	const struct member *m;
	const struct type *type;
	struct fixture f;
	size_t n;

	start(&f);
	named(&f.dies, STRUCT, "pair");
	made_le(&f.dies, 8, 1);
	member(&f.dies, "first", f.num, 0);
	named(&f.dies, INNER, "inner");
	made_le(&f.dies, 3, 1);
	member(&f.dies, NULL, f.num, 4);
	member(&f.dies, "at_end", f.byte, 8);
	member(&f.dies, "behind", f.byte, 9);
	made_le(&f.dies, 0, 1);
	named(&f.dies, DECLARED, "later");
	typedef_of(&f.dies, "later_t", here(&f.dies) - 7);
	open_made(&f);
	type = find(&f, TYPE_STRUCT, "pair");
	REQUIRE(type);
	CHECK_U64(type->kind, TYPE_STRUCT);
	m = type_members(type, &n);
	REQUIRE(n == ARRAY_SIZE(want));
	for (size_t i = 0; i < n; i++) {
		CHECK_STR(m[i].name, want[i]);
		CHECK_U64(m[i].bit_off, 32 * i);
	}
	type = find(&f, TYPE_TYPEDEF, "later_t");
	REQUIRE(type);
	CHECK_U64(type_target(type)->kind, TYPE_FORWARD);
	CHECK_U64(type->size, 0);
	stop(&f);
}

TEST(declarations)
{
	struct fixture f;
	uint64_t at;

	start(&f);
	for (unsigned is = 0; is < 2; is++) {
		at = named(&f.dies, SAID, "some");
		made_le(&f.dies, 4, 1);
		made_le(&f.dies, is, 1);
		typedef_of(&f.dies, is ? "declared" : "defined", at);
	}
	open_made(&f);
	CHECK_U64(type_target(find(&f, TYPE_TYPEDEF, "defined"))->kind, TYPE_STRUCT);
	CHECK_U64(type_target(find(&f, TYPE_TYPEDEF, "declared"))->kind, TYPE_FORWARD);
	stop(&f);
}

/* What the function that a DIE stands for returns; NULL: it is no function. */
static const struct type *returned(struct fixture *f, uint64_t at)
{
	const struct type *type;
	Dwarf_Die die;

	if (!CHECK(dwarf_offdie(f->f->dbg, at, &die)))
		return NULL;
	type = dwarf_type_of_func(f->f, &die);
	return type && type->kind == TYPE_FUNC ? type_target(type) : NULL;
}

/* A body of its own stands for the abstract function, which says what it returns (DWARF
 * 5, 3.3.8.3). */
TEST(functions_that_stand_for_others)
{
	uint64_t gives, face, deep, odd, self;
	struct fixture f;

	start(&f);
	gives = of(&f.dies, GIVES, f.num);
	face = of(&f.dies, FACE, gives);
	deep = of(&f.dies, FACE, face);
	odd = of(&f.dies, FACE, f.num); /* a number is no function */
	self = of(&f.dies, FACE, here(&f.dies));
	typedef_of(&f.dies, "num_t", f.num);
	open_made(&f);
	REQUIRE(find(&f, TYPE_TYPEDEF, "num_t"));
	CHECK(returned(&f, gives) == type_target(find(&f, TYPE_TYPEDEF, "num_t")));
	CHECK(returned(&f, face) == returned(&f, gives));
	CHECK(returned(&f, deep) == returned(&f, gives));
	CHECK(returned(&f, odd) && returned(&f, odd)->kind == TYPE_VOID);
	CHECK(returned(&f, self) && returned(&f, self)->kind == TYPE_VOID);
	stop(&f);
}

/* ---- BTF's */

struct btf_side {
	struct type type;
	struct member members[3];
	unsigned namesakes;
};

static bool btf_find(struct type_source *s, enum type_kind kind, const char *name,
		     const struct type **ret, struct err *err)
{
	struct btf_side *b = s->self;

	if (kind != b->type.kind || strcmp(name, b->type.name) != 0)
		return err_set(err, ERR_NOTYPE, "no type '%s'", name);
	b->type.source = s;
	*ret = &b->type;
	return true;
}

static unsigned btf_namesakes(struct type_source *s, enum type_kind kind, const char *name)
{
	(void)kind;
	(void)name;
	return ((struct btf_side *)s->self)->namesakes;
}

/* Is the type that a typedef in DWARF names the one of BTF? There it is struct pair { int a; then a
 * nameless one at 4; u8 c at 8, of four bits where asked for }, of 12 bytes. */
static bool is_btf(const char *module, const struct btf_side *side, const char *name)
{
	static const struct type any = { .kind = TYPE_INT, .size = 4, .filled = true };
	struct btf_side btf = *side;
	struct type_source s = {
		.origin = "BTF", .find = btf_find, .namesakes = btf_namesakes, .self = &btf
	};
	const struct type *type;
	struct fixture f;
	uint64_t at;
	bool same;

	start(&f);
	at = named(&f.dies, STRUCT, "pair");
	made_le(&f.dies, 12, 1);
	member(&f.dies, "a", f.num, 0);
	named(&f.dies, INNER, "inner"); /* is no member */
	made_le(&f.dies, 3, 1);
	member(&f.dies, NULL, f.num, 4);
	member(&f.dies, "c", f.num, 8);
	made_le(&f.dies, 0, 1);
	typedef_of(&f.dies, "pair_t", at);
	at = named(&f.dies, DECLARED, "pair");
	typedef_of(&f.dies, "declared_t", at);
	at = named(&f.dies, UNION, "pair");
	made_le(&f.dies, 12, 1);
	made_le(&f.dies, 0, 1);
	typedef_of(&f.dies, "union_t", at);
	at = named(&f.dies, ENUM, "pair");
	made_le(&f.dies, 12, 1);
	named(&f.dies, SMALL_VALUE, "ONE");
	made_le(&f.dies, 1, 1);
	made_le(&f.dies, 0, 1);
	typedef_of(&f.dies, "enum_t", at);
	open_made(&f);
	f.f->module = module;
	for (size_t i = 0; i < 3; i++)
		btf.members[i].type = &any;
	btf.type.members = btf.members;
	btf.type.filled = true;
	btf.type.name = "pair";
	*vec_push(&f.t.types.sources) = &s;
	*vec_push(&f.t.types.sources) = &f.f->type_source;
	s.t = &f.t;
	type = find(&f, TYPE_TYPEDEF, name);
	same = type && type_target(type) == &btf.type;
	stop(&f);
	return same;
}

/* A kernel's type by kind, name and size; a declaration is satisfied by any size. A module may have
 * one of its own by a name of the kernel's: there each member must be the same. */
TEST(which_type_of_btf_is_the_same)
{
	static const struct {
		enum type_kind kind;
		unsigned size, n, namesakes;
		const char *first, *second;
		unsigned third_at, third_bits;
		const char *name;
		bool same, of_module;
	} v[] = {
		{ TYPE_STRUCT, 12, 3, 1, "a", NULL, 64, 0, "pair_t", true, true },
		{ TYPE_STRUCT, 12, 3, 2, "a", NULL, 64, 0, "pair_t", false, false },
		{ TYPE_STRUCT, 13, 3, 1, "a", NULL, 64, 0, "pair_t", false, false },
		{ TYPE_STRUCT, 13, 3, 1, "a", NULL, 64, 0, "declared_t", true, true },
		{ TYPE_STRUCT, 12, 2, 1, "a", NULL, 64, 0, "declared_t", true, true },
		{ TYPE_STRUCT, 12, 3, 2, "a", NULL, 64, 0, "declared_t", false, false },
		{ TYPE_STRUCT, 12, 3, 1, "a", NULL, 64, 0, "union_t", false, false },
		{ TYPE_UNION, 12, 0, 1, "a", NULL, 64, 0, "union_t", true, true },
		{ TYPE_UNION, 12, 1, 1, "a", NULL, 64, 0, "union_t", true, false },
		{ TYPE_UNION, 12, 3, 1, "a", NULL, 64, 0, "pair_t", false, false },
		{ TYPE_ENUM, 12, 0, 1, "a", NULL, 64, 0, "enum_t", true, true },
		{ TYPE_STRUCT, 12, 2, 1, "a", NULL, 64, 0, "pair_t", true, false },
		{ TYPE_STRUCT, 12, 0, 1, "a", NULL, 64, 0, "pair_t", true, false },
		{ TYPE_STRUCT, 12, 3, 1, "b", NULL, 64, 0, "pair_t", true, false },
		{ TYPE_STRUCT, 12, 3, 1, NULL, NULL, 64, 0, "pair_t", true, false },
		{ TYPE_STRUCT, 12, 3, 1, "a", "b", 64, 0, "pair_t", true, false },
		{ TYPE_STRUCT, 12, 3, 1, "a", NULL, 72, 0, "pair_t", true, false },
		{ TYPE_STRUCT, 12, 3, 1, "a", NULL, 72, 4, "pair_t", true, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct btf_side side = {
			.type = { .kind = v[i].kind, .size = v[i].size, .n_members = v[i].n },
			.namesakes = v[i].namesakes
		};

		side.members[0] = (struct member){ .name = v[i].first };
		side.members[1] = (struct member){ .name = v[i].second, .bit_off = 32 };
		side.members[2] = (struct member){ .name = "c",
						   .bit_off = v[i].third_at,
						   .bit_size = (uint16_t)v[i].third_bits };
		if (!CHECK(is_btf(NULL, &side, v[i].name) == v[i].same) ||
		    !CHECK(is_btf("camera", &side, v[i].name) == v[i].of_module))
			printf("  of %zu\n", i);
	}
}

TEST_MAIN
