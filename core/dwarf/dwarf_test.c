/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of DWARF on the debug info of this very program: the compiler says what is right. */
#include <link.h>
#include <stddef.h>

#include "core/arch/flat_fake.h"
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/types/value.h"
#include "readers/symbol/btf_walk.h"
#include "readers/reader.h"

extern const struct reader reader_dwarf;

enum mood {
	SAD = -2,
	CALM = 0,
	GLAD = 7
};
enum bits {
	BIT_A = 1,
	BIT_B = 2
};
typedef long long counter_t;

struct sample {
	char name[12];
	unsigned int low : 5;
	int mid : 9;
	unsigned long far : 40;
	union {
		counter_t count;
		struct {
			short x, y;
		};
	};
	enum mood mood;
	enum bits bits;
	int (*call)(struct sample *self, const char *text, ...);
	const struct sample *const *links[3];
	unsigned short grid[2][5];
	_Bool on;
	struct {
		int deep[4];
	} inner;
	char tail[];
};

struct sample the_sample;
static volatile int hidden_number[6];

struct fixture {
	struct target t;
	struct arena scratch;
	struct arch arch;
	struct err err;
};

static bool section(void *self, const char *name, struct span *ret, uint64_t *addr)
{
	*ret = *(struct span *)self;
	*addr = 0;
	return strcmp(name, ".debug_info") == 0;
}

static int load_base(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	*(uint64_t *)arg = info->dlpi_addr; /* the first one is the program */
	return 1;
}

static bool start(struct fixture *f)
{
	struct file *file;

	memset(f, 0, sizeof(*f));
	target_init(&f->t, &f->scratch);
	f->arch = arch_x86_64;
	f->arch.is_kernel_va = flat_is_kernel_va;
	f->t.arch = &f->arch;
	if (!CHECK_OK(file_open(&f->t.arena, "/proc/self/exe", &file, &f->err), f->err))
		return false;
	vec_push(&f->t.inputs)->file = file;
	f->t.vmlinux.file = file;
	f->t.vmlinux.self = &file->map;
	f->t.vmlinux.section = section;
	dl_iterate_phdr(load_base, &f->t.kaslr);
	return CHECK_OK(reader_dwarf.attach(&f->t, &f->err), f->err);
}

static void stop(struct fixture *f)
{
	target_release(&f->t);
	arena_release(&f->scratch);
}

TEST(members)
{
	static const struct {
		const char *path;
		size_t offset;
	} want[] = {
		{ "name", offsetof(struct sample, name) },
		{ "count", offsetof(struct sample, count) },
		{ "y", offsetof(struct sample, y) },
		{ "mood", offsetof(struct sample, mood) },
		{ "call", offsetof(struct sample, call) },
		{ "links[2]", offsetof(struct sample, links[2]) },
		{ "grid[1][3]", offsetof(struct sample, grid[1][3]) },
		{ "on", offsetof(struct sample, on) },
		{ "inner.deep[3]", offsetof(struct sample, inner.deep[3]) },
		{ "tail", offsetof(struct sample, tail) },
	};
	const struct type *type;
	struct member_ref ref;
	struct fixture f;

	REQUIRE(start(&f));
	REQUIRE_OK(type_find(&f.t, "struct sample", &type, &f.err), f.err);
	CHECK_U64(type->size, sizeof(struct sample));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		if (CHECK_OK(type_member(type, want[i].path, &ref, &f.err), f.err))
			CHECK_U64(ref.offset, want[i].offset);
	CHECK(!type_find(&f.t, "struct no_such_sample", &type, &f.err));
	CHECK_ERR(f.err, ERR_NOTYPE);
	stop(&f);
}

/* What BTF might say of "struct sample": one type of the right size, or one of two. */
static struct type twin = {
	.kind = TYPE_STRUCT, .name = "sample", .size = sizeof(struct sample), .filled = true
};

static bool twin_find(struct type_source *s, enum type_kind kind, const char *name,
		      const struct type **ret, struct err *err)
{
	if (kind != TYPE_STRUCT || strcmp(name, "sample") != 0)
		return err_set(err, ERR_NOTYPE, "no type '%s'", name);
	twin.source = s;
	*ret = &twin;
	return true;
}

static unsigned twin_namesakes(struct type_source *s, enum type_kind kind, const char *name)
{
	(void)kind;
	(void)name;
	return *(unsigned *)s->self;
}

TEST(a_type_of_btf_is_taken_only_when_it_is_the_only_one_of_its_name)
{
	for (unsigned n = 1; n <= 2; n++) {
		struct type_source btf = {
			.origin = "BTF", .find = twin_find, .namesakes = twin_namesakes, .self = &n
		};
		struct symbol sym = { .name = "the_sample" };
		struct type_source *dwarf;
		const struct type *type;
		struct fixture f;

		REQUIRE(start(&f));
		btf.t = &f.t;
		dwarf = f.t.types.sources.p[0];
		*vec_push(&f.t.types.sources) = dwarf; /* BTF comes first */
		f.t.types.sources.p[0] = &btf;
		sym.addr = (uint64_t)(uintptr_t)&the_sample;
		if (CHECK_OK(type_of_symbol(&f.t, &sym, &type, &f.err), f.err))
			CHECK((type == &twin) == (n == 1));
		stop(&f);
	}
}

TEST(values_of_bit_fields_and_enums)
{
	struct sample s = { .low = 21, .mid = -100, .far = 0xabcdef0123, .mood = SAD };
	const struct type *type;
	struct fixture f;
	struct value m;
	uint64_t n;
	int64_t i;

	REQUIRE(start(&f));
	REQUIRE_OK(type_find(&f.t, "struct sample", &type, &f.err), f.err);
	REQUIRE_OK(value_member(&f.t, value_bytes(type, &s, 0), "low", &m, &f.err), f.err);
	CHECK_OK(value_u64(&f.t, m, &n, &f.err), f.err);
	CHECK_U64(n, 21);
	REQUIRE_OK(value_member(&f.t, value_bytes(type, &s, 0), "mid", &m, &f.err), f.err);
	CHECK_OK(value_s64(&f.t, m, &i, &f.err), f.err);
	CHECK(i == -100);
	REQUIRE_OK(value_member(&f.t, value_bytes(type, &s, 0), "far", &m, &f.err), f.err);
	CHECK_OK(value_u64(&f.t, m, &n, &f.err), f.err);
	CHECK_U64(n, 0xabcdef0123);
	REQUIRE_OK(value_member(&f.t, value_bytes(type, &s, 0), "mood", &m, &f.err), f.err);
	CHECK_OK(value_s64(&f.t, m, &i, &f.err), f.err);
	CHECK(i == SAD);
	stop(&f);
}

static void check_declared(struct fixture *f, const struct type *type, const char *path,
			   const char *want)
{
	struct member_ref ref;
	struct buf b = { 0 };

	if (CHECK_OK(type_member(type, path, &ref, &f->err), f->err)) {
		type_declare(&b, ref.type, path);
		CHECK_STR(buf_text(&b), want);
	}
	buf_release(&b);
}

TEST(declarations)
{
	const struct type *type;
	struct fixture f;

	REQUIRE(start(&f));
	REQUIRE_OK(type_find(&f.t, "struct sample", &type, &f.err), f.err);
	check_declared(&f, type, "call", "int (*call)(struct sample *, const char *, ...)");
	check_declared(&f, type, "links", "const struct sample *const *links[3]");
	check_declared(&f, type, "grid", "short unsigned int grid[2][5]");
	check_declared(&f, type, "tail", "char tail[]");
	check_declared(&f, type, "count", "counter_t count");
	check_declared(&f, type, "inner", "struct {...} inner");
	stop(&f);
}

TEST(enumerators)
{
	const struct enumerator *e;
	const struct type *type;
	struct fixture f;
	size_t n;

	REQUIRE(start(&f));
	REQUIRE_OK(type_find(&f.t, "enum mood", &type, &f.err), f.err);
	e = type_enumerators(type, &n);
	REQUIRE(n == 3);
	CHECK_STR(e[0].name, "SAD");
	CHECK_U64(e[0].value, (uint64_t)SAD);
	CHECK_STR(e[2].name, "GLAD");
	CHECK_U64(e[2].value, GLAD);
	stop(&f);
}

TEST(variables)
{
	struct type_source *s;
	const struct type *type;
	const char *path;
	struct fixture f;
	uint64_t base;

	hidden_number[0] = 1;
	REQUIRE(start(&f));
	base = f.t.kaslr;
	s = f.t.types.sources.p[0];
	REQUIRE_OK(s->variable(s, "the_sample", (uintptr_t)&the_sample - base, &type, &f.err),
		   f.err);
	CHECK_STR(type->name, "sample");
	REQUIRE_OK(s->variable(s, "hidden_number", (uintptr_t)&hidden_number - base, &type, &f.err),
		   f.err);
	CHECK_U64(type_strip(type)->kind, TYPE_ARRAY);
	CHECK_U64(type->size, sizeof(hidden_number));
	CHECK(!s->variable(s, "no_such_number", 8, &type, &f.err));
	CHECK_ERR(f.err, ERR_NOTYPE);
	REQUIRE_OK(s->file(s, (uintptr_t)&hidden_number - base, &path, &f.err), f.err);
	CHECK_STR(path, __FILE__);
	CHECK(!s->file(s, 8, &path, &f.err));
	CHECK_ERR(f.err, ERR_NOTYPE);
	stop(&f);
}

static __attribute__((noinline)) counter_t take(struct sample *self, const char *text,
						enum mood mood, ...)
{
	self->call = NULL;
	return (counter_t)mood + *text;
}

/* A body of its own beside those that are inlined, of an abstract function. */
static inline int give(const struct sample *from, unsigned short n)
{
	return from->mid + n;
}
static int (*volatile given)(const struct sample *, unsigned short) = give;

static bool load_functions(struct target *t, struct symtab *tab, struct err *err)
{
	const struct symbol all[] = {
		{ "take", (uintptr_t)take, 16, 'T', NULL },
		{ "take_too", (uintptr_t)take, 16, 'T', NULL }, /* an alias */
		{ "take.isra.0", (uintptr_t)take, 16, 't', NULL },
		{ "__text_of_it_start", (uintptr_t)take, 0, 'T', NULL }, /* a linker's label */
		{ "take_later", (uintptr_t)take + 4, 8, 't', NULL },
		{ "give", (uintptr_t)given, 16, 't', NULL },
	};

	(void)t;
	(void)err;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		*vec_push(&tab->syms) = all[i];
	return true;
}

/* What is written above, as C declares it. */
#define TAKES "(struct sample *self, const char *text, enum mood mood, ...)"
TEST(prototypes_of_functions)
{
	static const struct {
		const char *name, *returns, *takes; /* takes NULL: it has none */
		unsigned off;
	} cases[] = {
		{ "take", "counter_t", TAKES, 0 },
		{ "take_too", "counter_t", TAKES, 0 },
		{ "take.isra.0", "counter_t", TAKES, 0 },
		{ "__text_of_it_start", NULL, NULL, 0 },
		{ "take_later", NULL, NULL, 4 }, /* in the middle of another */
		{ "give", "int", "(const struct sample *from, short unsigned int n)", 0 },
	};
	struct fixture f;

	REQUIRE(start(&f));
	symbols_add(&f.t, "made")->load = load_functions;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool gives = !strcmp(cases[i].name, "give");
		uintptr_t at = gives ? (uintptr_t)given : (uintptr_t)take + cases[i].off;
		struct type_source *s = f.t.types.sources.p[0];
		struct buf b = { 0 }, want = { 0 };
		const struct type *type;

		if (!cases[i].takes) {
			CHECK(!s->variable(s, cases[i].name, at - f.t.kaslr, &type, &f.err));
			CHECK_ERR(f.err, ERR_NOTYPE);
			continue;
		}
		if (!CHECK_OK(s->variable(s, cases[i].name, at - f.t.kaslr, &type, &f.err), f.err))
			continue;
		type_declare(&b, type, cases[i].name);
		buf_printf(&want, "%s %s%s", cases[i].returns, cases[i].name, cases[i].takes);
		CHECK_STR(buf_text(&b), buf_text(&want));
		buf_release(&b);
		buf_release(&want);
	}
	stop(&f);
}

static __attribute__((noinline)) uintptr_t here(void)
{
	return (uintptr_t)__builtin_return_address(0);
}

struct place {
	uintptr_t pc;
	unsigned line;
};

static inline __attribute__((always_inline)) struct place inner_place(void)
{
	return (struct place){ here(), __LINE__ };
}

struct outer_place {
	struct place at;
	unsigned line;
};

static __attribute__((noinline)) struct outer_place outer_place(void)
{
	struct outer_place p = { inner_place(), __LINE__ };

	return p;
}

TEST(lines_and_inlined_calls)
{
	struct outer_place p = outer_place();
	const struct line *l;
	struct fixture f;
	size_t n;

	REQUIRE(start(&f));
	REQUIRE_OK(line_find(&f.t, p.at.pc - 1, &l, &n, &f.err), f.err);
	REQUIRE(n == 2);
	CHECK_STR(l[0].func, "inner_place");
	CHECK_STR(l[0].file, "core/dwarf/dwarf_test.c");
	CHECK_U64(l[0].line, p.at.line);
	CHECK(l[0].inlined);
	CHECK_STR(l[1].func, "outer_place");
	CHECK_STR(l[1].file, "core/dwarf/dwarf_test.c");
	CHECK_U64(l[1].line, p.line);
	CHECK(!l[1].inlined);
	CHECK(!line_find(&f.t, 0x10, &l, &n, &f.err));
	CHECK_ERR(f.err, ERR_NOTFOUND);
	stop(&f);
}

TEST(each_and_what_is_in_it)
{
	struct fixture f;
	struct btf_walk w;

	REQUIRE(start(&f));
	w = walk_all(&f.t, 100000);
	CHECK(w.types > 50);
	CHECK(w.members > 500);
	stop(&f);
}

TEST_MAIN
