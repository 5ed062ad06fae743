/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of types: the names that C has for them, members by path, and declarations. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"

static struct fake_kernel k;
static struct err err;

/* What a compiler names its base types in debug info. */
static const char *const gcc_names[] = { "int",           "unsigned int",
					 "long int",      "long unsigned int",
					 "long long int", "long long unsigned int",
					 "short int",     "short unsigned int",
					 "char",          "signed char",
					 "unsigned char" };
static const char *const clang_names[] = { "int",           "unsigned int",   "long",
					   "unsigned long", "long long",      "unsigned long long",
					   "short",         "unsigned short", "char",
					   "signed char",   "unsigned char" };

static struct type base[11];

static void start(const char *const *names)
{
	kernel_init(&k);
	for (size_t i = 0; i < ARRAY_SIZE(base); i++) {
		base[i] = kernel_base_type(&k, TYPE_INT, 4, true);
		base[i].name = names[i];
		k.types[k.n_types++] = &base[i];
	}
}

/* The equivalent ways to write them: C11 6.7.2, 2; the words may stand in any order. */
TEST(base_types_by_any_of_their_names)
{
	static const struct {
		const char *name;
		int which; /* -1: none */
	} cases[] = {
		{ "int", 0 },
		{ "signed", 0 },
		{ "signed int", 0 },
		{ "int signed", 0 },
		{ "unsigned", 1 },
		{ "unsigned int", 1 },
		{ "int unsigned", 1 },
		{ "long", 2 },
		{ "long int", 2 },
		{ "signed long", 2 },
		{ "signed long int", 2 },
		{ "unsigned long", 3 },
		{ "unsigned long int", 3 },
		{ "long unsigned int", 3 },
		{ "long int unsigned", 3 },
		{ "long long", 4 },
		{ "signed long long int", 4 },
		{ "long int long", 4 },
		{ "unsigned long long", 5 },
		{ "long unsigned int long", 5 },
		{ "short", 6 },
		{ "short int", 6 },
		{ "signed short int", 6 },
		{ "unsigned short", 7 },
		{ "short unsigned int", 7 },
		{ "char", 8 },
		{ "signed char", 9 },
		{ "char signed", 9 },
		{ "unsigned char", 10 },
		/* whatever stands around and between */
		{ "  const   unsigned\tvolatile long ", 3 },
		/* what C does not know */
		{ "long long long", -1 },
		{ "signed unsigned", -1 },
		{ "signed signed int", -1 },
		{ "int int", -1 },
		{ "short long", -1 },
		{ "long char", -1 },
		{ "short char", -1 },
		{ "char int", -1 },
		{ "char char", -1 },
		{ "short short", -1 },
		{ "unsigned foo", -1 },
		{ "longs", -1 },
		{ "lon", -1 },
	};

	for (int compiler = 0; compiler < 2; compiler++) {
		start(compiler ? clang_names : gcc_names);
		for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
			const struct type *type = NULL;
			bool found = type_find(&k.t, cases[i].name, &type, &err);

			if (!CHECK(found == (cases[i].which >= 0)) ||
			    (found && !CHECK(type == &base[cases[i].which])))
				printf("  '%s'\n", cases[i].name);
			if (!found)
				CHECK_ERR(err, ERR_NOTYPE);
		}
		kernel_release(&k);
	}
}

static const char *declared(const struct type *type, const char *name)
{
	static char text[256];
	struct buf b = { .max = sizeof(text) };

	type_declare(&b, type, name);
	snprintf(text, sizeof(text), "%s", buf_text(&b));
	buf_release(&b);
	return text;
}

static struct type *named(enum type_kind kind, const char *name, uint64_t size)
{
	struct type *type = kernel_struct(&k, name, size);

	type->kind = kind;
	return type;
}

/* What is asked for, and how C declares what was found. */
TEST(types_by_their_names)
{
	static const struct {
		const char *name, *declaration; /* NULL: an error, which says */
		const char *why;
	} cases[] = {
		{ "void", "void x", NULL },
		{ "void *", "void *x", NULL },
		{ "int*", "int *x", NULL },
		{ "int * * ", "int **x", NULL },
		{ "int * const * volatile", "int **x", NULL },
		{ "const int", "int x", NULL },
		{ "int const", "int x", NULL },
		{ "int[3]", "int x[3]", NULL },
		{ "int [2][5]", "int x[2][5]", NULL },
		{ "int[]", "int x[]", NULL },
		{ "int *[4]", "int *x[4]", NULL },
		{ "struct both", "struct both x", NULL },
		{ "union both", "union both x", NULL },
		{ "enum both", "enum both x", NULL },
		{ "both", "both x", NULL }, /* the typedef first, then struct, union, enum */
		{ "two", "struct two x", NULL },
		{ "one", "union one x", NULL },
		{ "colour", "enum colour x", NULL },
		{ "struct two *", "struct two *x", NULL },
		{ "const struct two*", "struct two *x", NULL },
		{ "", NULL, "a type name is missing" },
		{ "*", NULL, "a type name is missing" },
		{ "struct none", NULL, "no type 'struct none'" },
		{ "enum two", NULL, "no type 'enum two'" },
		{ "none", NULL, "no type 'none'" },
		{ "int x", NULL, "no type 'int x'" },
		{ "int *x", NULL, "unexpected 'x' in type name" },
		{ "int (*)(void)", NULL, "unexpected '(*)(void)' in type name" },
		{ "int[3", NULL, "expected ']'" },
		{ "int[n]", NULL, "expected ']'" },
		{ "int[-1]", NULL, "expected ']'" },
		{ "int[18446744073709551616]", NULL, "array is too large" },
		{ "int[3]x", NULL, "unexpected 'x'" },
	};

	start(gcc_names);
	named(TYPE_STRUCT, "both", 4);
	named(TYPE_UNION, "both", 4);
	named(TYPE_ENUM, "both", 4);
	named(TYPE_TYPEDEF, "both", 4)->target = &base[0];
	named(TYPE_ENUM, "colour", 4);
	named(TYPE_ENUM, "one", 4);
	named(TYPE_UNION, "one", 4);
	named(TYPE_UNION, "two", 4);
	named(TYPE_STRUCT, "two", 4);
	for (int again = 0; again < 2; again++) /* as found, and as kept */
		for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
			const struct type *type = NULL;
			bool found = type_find(&k.t, cases[i].name, &type, &err);

			if (!CHECK(found == (cases[i].declaration != NULL)))
				printf("  '%s': %s\n", cases[i].name, err.msg);
			else if (found)
				CHECK_STR(declared(type, "x"), cases[i].declaration);
			else if (!CHECK(strstr(err.msg, cases[i].why) != NULL))
				printf("  '%s': %s\n", cases[i].name, err.msg);
		}
	kernel_release(&k);
}

TEST(names_that_are_too_long)
{
	const struct type *type;
	char name[600];

	start(gcc_names);
	for (size_t n = 509; n < 514; n++) { /* 510 bytes and an end */
		memset(name, 'x', n);
		name[n] = '\0';
		CHECK(!type_find(&k.t, name, &type, &err));
		CHECK_ERR(err, n > 510 ? ERR_LIMIT : ERR_NOTYPE);
	}
	strcpy(name, "int ");
	memset(name + 4, '*', 500);
	name[504] = '\0';
	CHECK(!type_find(&k.t, name, &type, &err));
	CHECK_ERR(err, ERR_LIMIT);
	kernel_release(&k);
}

/* Another that answers nothing, or only to a deep search. */
static bool find_hidden(struct type_source *s, enum type_kind kind, const char *name,
			const struct type **ret, struct err *e)
{
	if (kind != TYPE_STRUCT || strcmp(name, "hidden") != 0)
		return err_set(e, s->self ? ERR_NOTYPE : ERR_FORMAT, "not in the second");
	*ret = &base[0];
	return true;
}

static bool find_broken(struct type_source *s, enum type_kind kind, const char *name,
			const struct type **ret, struct err *e)
{
	(void)kind;
	(void)name;
	(void)ret;
	return err_set(e, *(enum err_code *)s->self, "broken");
}

TEST(the_sources_in_their_order)
{
	enum err_code code = ERR_FORMAT;
	struct type_source second = { .find = find_hidden, .t = &k.t, .self = &code };
	struct type_source broken = { .find = find_broken, .t = &k.t, .self = &code };
	const struct type *type = NULL;

	start(gcc_names);
	types_add(&k.t, &second);
	/* the first that could load says what there is; people may look further */
	CHECK(!type_find(&k.t, "struct hidden", &type, &err));
	CHECK_ERR(err, ERR_NOTYPE);
	REQUIRE_OK(type_find_deep(&k.t, "struct hidden", &type, &err), err);
	CHECK(type == &base[0]);
	REQUIRE_OK(type_find_deep(&k.t, "int", &type, &err), err);
	CHECK(!type_find_deep(&k.t, "struct nowhere", &type, &err));
	CHECK_ERR(err, ERR_NOTYPE);
	kernel_release(&k);
	/* one that could not load is passed over; but for an interrupt */
	kernel_init(&k);
	k.t.types.sources.n = 0;
	types_add(&k.t, &broken);
	types_add(&k.t, &second);
	REQUIRE_OK(type_find(&k.t, "struct hidden", &type, &err), err);
	kernel_release(&k);
	kernel_init(&k);
	k.t.types.sources.n = 0;
	types_add(&k.t, &broken);
	types_add(&k.t, &second);
	code = ERR_INTR;
	CHECK(!type_find(&k.t, "struct hidden", &type, &err));
	CHECK_ERR(err, ERR_INTR);
	/* if none could, the first says why */
	code = ERR_UNREADABLE;
	second.self = NULL;
	CHECK(!type_find(&k.t, "struct gone", &type, &err));
	CHECK_ERR(err, ERR_UNREADABLE);
	CHECK(!type_find(&k.t, "gone", &type, &err));
	CHECK_ERR(err, ERR_UNREADABLE);
	CHECK(!type_find(&k.t, "int", &type, &err));
	CHECK_ERR(err, ERR_UNREADABLE);
	k.t.types.sources.n = 0;
	CHECK(!type_find(&k.t, "struct gone", &type, &err));
	CHECK_ERR(err, ERR_NEED);
	CHECK(!type_find(&k.t, "gone", &type, &err));
	CHECK_ERR(err, ERR_NEED);
	kernel_release(&k);
}

static unsigned five(struct type_source *s, enum type_kind kind, const char *name)
{
	(void)s;
	return kind == TYPE_STRUCT && !strcmp(name, "two") ? 5 : 7;
}

TEST(how_many_have_a_name)
{
	struct type *two;

	start(gcc_names);
	two = named(TYPE_STRUCT, "two", 4);
	CHECK_U64(type_namesakes(two), 1); /* a source that does not count has one of each */
	k.source.namesakes = five;
	CHECK_U64(type_namesakes(two), 5);
	two->name = NULL;
	CHECK_U64(type_namesakes(two), 1);
	two->name = "two";
	two->source = NULL;
	CHECK_U64(type_namesakes(two), 1);
	kernel_release(&k);
}

/* ---- members */

static void bits(struct type *s, const char *name, const struct type *type, uint64_t first,
		 uint16_t n)
{
	kernel_member(s, name, type, 0);
	s->members[s->n_members - 1].bit_off = first;
	s->members[s->n_members - 1].bit_size = n;
}

/*
 *	struct outer {
 *		u32 first;				0
 *		struct { u32 deep; u32 low : 5; union { u32 word; u8 byte; }; };	8
 *		struct inner { u64 a; u32 row[2][3]; } in[4];	32, of 32 bytes each
 *		u8 tail[];				160
 *	};
 */
TEST(members_by_their_path)
{
	static const struct {
		const char *path;
		uint64_t offset, size;
		unsigned bit, bits;
	} cases[] = {
		{ "first", 0, 4, 0, 0 },
		{ "deep", 8, 4, 0, 0 },
		{ "low", 12, 4, 3, 5 },
		{ "word", 16, 4, 0, 0 },
		{ "byte", 16, 1, 0, 0 },
		{ "in", 32, 128, 0, 0 },
		{ "in[0]", 32, 32, 0, 0 },
		{ "in[3].a", 128, 8, 0, 0 },
		{ "in[1].row", 72, 24, 0, 0 },
		{ "in[1].row[1]", 84, 12, 0, 0 },
		{ "in[1].row[1][2]", 92, 4, 0, 0 },
		{ "tail[100]", 260, 1, 0, 0 },
		{ "", 0, 160, 0, 0 },
	};
	static const struct {
		const char *path, *why;
		enum err_code code;
	} bad[] = {
		{ "none", "'struct outer' has no member 'none'", ERR_NOFIELD },
		{ "firs", "no member 'firs'", ERR_NOFIELD },
		{ "firsts", "no member 'firsts'", ERR_NOFIELD },
		{ "first.x", "has no member 'x'", ERR_NOFIELD },
		{ "in.a", "has no member 'a'", ERR_NOFIELD },
		{ "in[4]", "no element 4 in an array of 4", ERR_NOFIELD },
		{ "in[1].row[2]", "no element 2 in an array of 2", ERR_NOFIELD },
		{ "first[0]", "does not index an array", ERR_NOFIELD },
		{ "in[x]", "expected a number", ERR_USAGE },
		{ "in[1", "expected ']'", ERR_USAGE },
		{ "in[1]..a", "a member's name is missing", ERR_USAGE },
		{ ".first", "a member's name is missing", ERR_USAGE },
		{ "tail[18446744073709551616]", "index is too large", ERR_LIMIT },
		{ "tail[18446744073709551615]", "index is too large", ERR_LIMIT },
	};
	struct type *outer, *inner, *anonymous, *together;

	start(gcc_names);
	together = kernel_struct(&k, NULL, 4);
	together->kind = TYPE_UNION;
	kernel_member(together, "word", &k.u32, 0);
	kernel_member(together, "byte", &k.u8, 0);
	anonymous = kernel_struct(&k, NULL, 12);
	kernel_member(anonymous, "deep", &k.u32, 0);
	bits(anonymous, "low", &k.u32, 35, 5);
	kernel_member(anonymous, NULL, together, 8);
	k.n_types -= 2; /* no name finds them */
	inner = kernel_struct(&k, "inner", 32);
	kernel_member(inner, "a", &k.u64, 0);
	kernel_member(inner, "row", kernel_array(&k, kernel_array(&k, &k.u32, 3), 2), 8);
	outer = kernel_struct(&k, "outer", 160);
	kernel_member(outer, "first", &k.u32, 0);
	kernel_member(outer, NULL, anonymous, 8);
	kernel_member(outer, "in", kernel_array(&k, inner, 4), 32);
	kernel_member(outer, "tail", kernel_array(&k, &k.u8, 0), 160);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct member_ref ref;

		if (!CHECK_OK(type_member(outer, cases[i].path, &ref, &err), err))
			continue;
		if (!CHECK(ref.offset == cases[i].offset && ref.type->size == cases[i].size &&
			   ref.bit_off == cases[i].bit && ref.bit_size == cases[i].bits))
			printf("  '%s' at %llu\n", cases[i].path, (unsigned long long)ref.offset);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct member_ref ref;

		CHECK(!type_member(outer, bad[i].path, &ref, &err));
		CHECK_ERR(err, bad[i].code);
		if (!CHECK(strstr(err.msg, bad[i].why) != NULL))
			printf("  '%s': %s\n", bad[i].path, err.msg);
	}
	kernel_release(&k);
}

/* A bit-field is told by the unit of its type where it lies in one, else by bytes. */
TEST(units_of_bit_fields)
{
	static const struct {
		unsigned unit; /* bytes of its type */
		uint64_t first;
		uint16_t n;
		uint64_t offset;
		unsigned bit;
	} cases[] = {
		{ 4, 0, 32, 0, 0 },    { 4, 27, 5, 0, 27 },   { 4, 28, 5, 3, 4 },
		{ 4, 32, 1, 4, 0 },    { 4, 63, 1, 4, 31 },   { 8, 63, 1, 0, 63 },
		{ 8, 199, 62, 24, 7 }, { 8, 130, 62, 16, 2 }, { 1, 13, 3, 1, 5 },
		{ 1, 13, 4, 1, 5 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct member_ref ref;
		struct type *s;

		start(gcc_names);
		s = kernel_struct(&k, "s", 64);
		bits(s, "m",
		     cases[i].unit == 8   ? &k.u64
		     : cases[i].unit == 4 ? &k.u32
					  : &k.u8,
		     cases[i].first, cases[i].n);
		REQUIRE_OK(type_member(s, "m", &ref, &err), err);
		CHECK_U64(ref.offset, cases[i].offset);
		CHECK_U64(ref.bit_off, cases[i].bit);
		CHECK_U64(ref.bit_size, cases[i].n);
		kernel_release(&k);
	}
}

/* ---- declarations, which a compiler would take */

TEST(declarations)
{
	struct type cint, vcint, pc, cp, fn, pfn, arr, parr, restricted, none, forward, dots;
	struct member params[3], only = { .name = NULL };

	start(gcc_names);
	base[8].kind = TYPE_CHAR;
	cint = vcint = pc = cp = fn = pfn = arr = parr = restricted = none = forward = dots =
		kernel_base_type(&k, TYPE_CONST, 8, false);
	cint.target = &base[0];
	CHECK_STR(declared(&cint, "x"), "const int x");
	vcint.kind = TYPE_VOLATILE;
	vcint.target = &cint;
	CHECK_STR(declared(&vcint, "x"), "volatile const int x");
	pc.kind = TYPE_POINTER;
	pc.target = &cint;
	CHECK_STR(declared(&pc, "x"), "const int *x");
	CHECK_STR(declared(&pc, NULL), "const int *");
	cp.target = type_pointer_to(&k.t, &base[0]);
	CHECK_STR(declared(&cp, "x"), "int *const x");
	CHECK_STR(declared(&cp, NULL), "int *const");
	restricted.kind = TYPE_RESTRICT;
	restricted.target = &pc;
	CHECK_STR(declared(&restricted, "x"), "const int *restrict x");
	arr.kind = TYPE_ARRAY;
	arr.count = 3;
	arr.target = &pc;
	CHECK_STR(declared(&arr, "x"), "const int *x[3]");
	parr.kind = TYPE_POINTER;
	parr.target = &arr;
	CHECK_STR(declared(&parr, "x"), "const int *(*x)[3]");
	params[0] = (struct member){ .name = "a", .type = &base[0] };
	params[1] = (struct member){ .name = NULL, .type = &pc };
	params[2] = (struct member){ .name = NULL, .type = &none };
	none.kind = TYPE_VOID;
	fn.kind = TYPE_FUNC;
	fn.target = &parr;
	fn.members = params;
	fn.n_members = 2;
	CHECK_STR(declared(&fn, "f"), "const int *(*f(int a, const int *))[3]");
	fn.n_members = 3;
	fn.target = &base[0];
	CHECK_STR(declared(&fn, "f"), "int f(int a, const int *, ...)");
	pfn.kind = TYPE_POINTER;
	pfn.target = &fn;
	fn.n_members = 0;
	CHECK_STR(declared(&pfn, "f"), "int (*f)(void)");
	dots = fn;
	only.type = &base[8];
	dots.members = &only;
	dots.n_members = 1;
	CHECK_STR(declared(&dots, "f"), "int f(char)");
	forward.kind = TYPE_FORWARD;
	forward.name = "later";
	CHECK_STR(declared(&forward, "x"), "struct later x");
	forward.kind = TYPE_UNION;
	forward.name = NULL;
	CHECK_STR(declared(&forward, NULL), "union {...}");
	forward.kind = TYPE_INT;
	CHECK_STR(declared(&forward, "x"), "? x");
	kernel_release(&k);
}

/* A function that returns itself and takes itself three times is four new ones in each step: it is
 * declared while somebody waits, and says that there is more. */
TEST(function_of_itself)
{
	struct member params[3];
	struct buf b = { 0 };
	struct type fn;

	start(gcc_names);
	fn = kernel_base_type(&k, TYPE_FUNC, 0, false);
	for (size_t i = 0; i < ARRAY_SIZE(params); i++)
		params[i] = (struct member){ .name = "f", .type = &fn };
	fn.target = &fn;
	fn.members = params;
	fn.n_members = ARRAY_SIZE(params);
	type_declare(&b, &fn, "f");
	CHECK(b.n < 8192 && b.n > 4 && !strcmp(buf_text(&b) + b.n - 4, " ..."));
	buf_release(&b);
	kernel_release(&k);
}

TEST_MAIN
