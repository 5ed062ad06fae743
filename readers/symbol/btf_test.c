/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of BTF: what libbpf wrote is what we read, and what is broken breaks nothing. */
#include "core/arch/flat_fake.h"
#include "core/base/test.h"
#include "readers/symbol/btf_fake.h"
#include "readers/symbol/btf_walk.h"

extern const struct reader reader_btf;

struct fixture {
	struct target t;
	struct arena scratch;
	struct err err;
};

static bool start(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	target_init(&f->t, &f->scratch);
	f->t.arch = &arch_x86_64;
	return CHECK_OK(fake_btf_load(&f->t, &f->err), f->err);
}

static void stop(struct fixture *f)
{
	target_release(&f->t);
	arena_release(&f->scratch);
}

TEST(sizes_and_kinds)
{
	static const struct {
		const char *name;
		enum type_kind kind;
		uint64_t size;
		bool is_signed;
	} want[] = {
		{ "int", TYPE_INT, 4, true },
		{ "unsigned", TYPE_INT, 4, false },
		{ "unsigned long", TYPE_INT, 8, false },
		{ "long", TYPE_INT, 8, true },
		{ "long long", TYPE_INT, 8, true },
		{ "char", TYPE_CHAR, 1, true },
		{ "_Bool", TYPE_BOOL, 1, false },
		{ "pid_t", TYPE_TYPEDEF, 4, false },
		{ "struct thing", TYPE_STRUCT, 176, false },
		{ "thing", TYPE_STRUCT, 176, false },
		{ "enum state", TYPE_ENUM, 4, true },
		{ "enum flags", TYPE_ENUM, 4, false },
		{ "struct thing *", TYPE_POINTER, 8, false },
		{ "struct thing*[3]", TYPE_ARRAY, 24, false },
		{ "int [2][3]", TYPE_ARRAY, 24, false },
		{ "const char *", TYPE_POINTER, 8, false },
	};
	struct fixture f;

	REQUIRE(start(&f));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		const struct type *type;

		if (!CHECK_OK(type_find(&f.t, want[i].name, &type, &f.err), f.err))
			continue;
		CHECK_U64(type->kind, want[i].kind);
		CHECK_U64(type->size, want[i].size);
		CHECK_U64(type->is_signed, want[i].is_signed);
	}
	stop(&f);
}

TEST(names_that_are_not_there)
{
	const struct type *type;
	struct fixture f;

	REQUIRE(start(&f));
	CHECK(!type_find(&f.t, "struct nothing", &type, &f.err));
	CHECK_ERR(f.err, ERR_NOTYPE);
	CHECK_CONTAINS(f.err.msg, "struct nothing");
	CHECK(!type_find(&f.t, "union thing", &type, &f.err));
	CHECK_ERR(f.err, ERR_NOTYPE);
	CHECK(!type_find(&f.t, "thing (", &type, &f.err));
	CHECK_ERR(f.err, ERR_USAGE);
	CHECK(!type_find(&f.t, "thing [3", &type, &f.err));
	CHECK(!type_find(&f.t, "thing [99999999999999999999]", &type, &f.err));
	CHECK_ERR(f.err, ERR_LIMIT);
	CHECK(!type_find(&f.t, "", &type, &f.err));
	CHECK_ERR(f.err, ERR_USAGE);
	stop(&f);
}

/* Two source files each have a struct of one name. */
TEST(names_that_several_types_have)
{
	struct btf *b = btf__new_empty();
	const struct type *type;
	const void *blob;
	struct target t;
	struct arena scratch = { 0 };
	struct err err;
	uint32_t n;

	btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	btf__add_struct(b, "event", 4);
	btf__add_field(b, "a", 1, 0, 0);
	btf__add_struct(b, "event", 4);
	btf__add_field(b, "b", 1, 0, 0);
	btf__add_struct(b, "alone", 4);
	btf__add_field(b, "c", 1, 0, 0);
	btf__add_union(b, "event", 4);
	btf__add_field(b, "d", 1, 0, 0);
	blob = btf__raw_data(b, &n);
	target_init(&t, &scratch);
	if (CHECK_OK(fake_btf_open(&t, blob, n, &err), err)) {
		CHECK(type_find(&t, "struct event", &type, &err) && type_namesakes(type) == 2);
		CHECK(type_find(&t, "struct alone", &type, &err) && type_namesakes(type) == 1);
		CHECK(type_find(&t, "union event", &type, &err) && type_namesakes(type) == 1);
		CHECK(type_find(&t, "int", &type, &err) && type_namesakes(type) == 1);
	}
	target_release(&t);
	arena_release(&scratch);
	btf__free(b);
}

TEST(members_by_path)
{
	static const struct {
		const char *path;
		uint64_t offset;
		unsigned bit_off, bit_size;
	} want[] = {
		{ "list", 0, 0, 0 },        { "list.prev", 8, 0, 0 }, { "pid", 16, 0, 0 },
		{ "low", 20, 0, 3 },        { "mid", 20, 3, 7 },      { "high", 20, 10, 22 },
		{ "comm", 24, 0, 0 },       { "comm[3]", 27, 0, 0 },  { "word", 40, 0, 0 },
		{ "a", 40, 0, 0 },          { "b", 44, 0, 0 },        { "grid[1]", 78, 0, 0 },
		{ "grid[1][2]", 82, 0, 0 }, { "many[9]", 168, 0, 0 },
	};
	const struct type *type;
	struct fixture f;

	REQUIRE(start(&f));
	REQUIRE_OK(type_find(&f.t, "struct thing", &type, &f.err), f.err);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		struct member_ref ref;

		if (!CHECK_OK(type_member(type, want[i].path, &ref, &f.err), f.err))
			continue;
		CHECK_U64(ref.offset, want[i].offset);
		CHECK_U64(ref.bit_off, want[i].bit_off);
		CHECK_U64(ref.bit_size, want[i].bit_size);
	}
	stop(&f);
}

TEST(members_that_are_not_there)
{
	static const char *const paths[] = { "nothing", "list.nothing", "pid.x",  "comm[16]",
					     "grid[2]", "grid[0][3]",   "list[0]" };
	const struct type *type;
	struct member_ref ref;
	struct fixture f;

	REQUIRE(start(&f));
	REQUIRE_OK(type_find(&f.t, "struct thing", &type, &f.err), f.err);
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		CHECK(!type_member(type, paths[i], &ref, &f.err));
		CHECK_ERR(f.err, ERR_NOFIELD);
	}
	CHECK(!type_member(type, "nothing", &ref, &f.err));
	CHECK_STR(f.err.msg, "'struct thing' has no member 'nothing'");
	CHECK(!type_member(type, "comm[x]", &ref, &f.err));
	CHECK_ERR(f.err, ERR_USAGE);
	CHECK(!type_member(type, "list..next", &ref, &f.err));
	CHECK_ERR(f.err, ERR_USAGE);
	stop(&f);
}

static void check_declared(struct fixture *f, const char *path, const char *want)
{
	const struct type *type;
	struct member_ref ref;
	struct buf b = { 0 };

	REQUIRE_OK(type_find(&f->t, "struct thing", &type, &f->err), f->err);
	REQUIRE_OK(type_member(type, path, &ref, &f->err), f->err);
	type_declare(&b, ref.type, path);
	CHECK_STR(buf_text(&b), want);
	buf_release(&b);
}

TEST(declarations_as_c_writes_them)
{
	struct fixture f;

	REQUIRE(start(&f));
	check_declared(&f, "list", "struct list_head list");
	check_declared(&f, "pid", "const pid_t pid");
	check_declared(&f, "comm", "char comm[16]");
	check_declared(&f, "next", "struct thing *next");
	check_declared(&f, "grid", "short unsigned int grid[2][3]");
	check_declared(&f, "fn", "void (*fn)(struct thing *self, int n, ...)");
	check_declared(&f, "state", "enum state state");
	stop(&f);
}

TEST(pointers_and_arrays_of_one_another)
{
	const struct type *type, *p;
	struct buf b = { 0 };
	struct fixture f;

	REQUIRE(start(&f));
	REQUIRE_OK(type_find(&f.t, "int", &type, &f.err), f.err);
	p = type_pointer_to(&f.t, type_array_of(&f.t, type_pointer_to(&f.t, type), 4));
	type_declare(&b, p, "x");
	CHECK_STR(buf_text(&b), "int *(*x)[4]");
	buf_reset(&b);
	type_declare(&b, p, NULL);
	CHECK_STR(buf_text(&b), "int *(*)[4]");
	buf_release(&b);
	stop(&f);
}

TEST(enumerators)
{
	const struct enumerator *e;
	const struct type *type;
	struct fixture f;
	size_t n;

	REQUIRE(start(&f));
	REQUIRE_OK(type_find(&f.t, "enum state", &type, &f.err), f.err);
	e = type_enumerators(type, &n);
	REQUIRE(n == 3);
	CHECK_STR(e[2].name, "DEAD");
	CHECK_U64(e[2].value, UINT64_MAX);
	stop(&f);
}

TEST(variables_and_functions)
{
	const struct type *type;
	struct type_source *s;
	struct buf b = { 0 };
	struct fixture f;

	REQUIRE(start(&f));
	s = f.t.types.sources.p[0];
	REQUIRE_OK(s->variable(s, "pending", 0x40, &type, &f.err), f.err);
	CHECK_STR(type->name, "list_head");
	CHECK(!s->variable(s, "pending", 0x48, &type, &f.err));
	CHECK_ERR(f.err, ERR_NOTYPE);
	REQUIRE_OK(s->variable(s, "start", 0, &type, &f.err), f.err);
	type_declare(&b, type, "start");
	CHECK_STR(buf_text(&b), "int start(struct thing *self)");
	buf_release(&b);
	stop(&f);
}

/* A DATASEC has the offset and size of each variable, and the section's own size. */
TEST(where_a_variable_lies_in_its_section)
{
	struct variable_place place;
	struct fixture f;

	REQUIRE(start(&f));
	REQUIRE(variable_place(&f.t, ".data..percpu", "pending", &place));
	CHECK_U64(place.offset, 0x40);
	CHECK_U64(place.size, 16);
	CHECK_U64(place.section, 0x100);
	CHECK(!variable_place(&f.t, ".data", "pending", &place));
	CHECK(!variable_place(&f.t, ".data..percpu", "start", &place));
	stop(&f);
}

TEST(each_tells_every_tag_once)
{
	struct fixture f;
	struct btf_walk w;

	REQUIRE(start(&f));
	w = walk_all(&f.t, 10000);
	/* list_head, thing, state, flags, pid_t */
	CHECK_U64(w.types, 5);
	stop(&f);
}

/* Types that lead back to themselves end, with no size. */
TEST(cycles)
{
	struct btf *b = btf__new_empty();
	const struct type *type;
	struct fixture f = { 0 };
	struct buf text = { 0 };
	const void *blob;
	uint32_t n;

	btf__add_typedef(b, "loop", 2);
	btf__add_const(b, 1);
	btf__add_array(b, 3, 3, 1000); /* of itself */
	btf__add_typedef(b, "deep", 3);
	btf__add_struct(b, "self", 8);
	btf__add_field(b, NULL, 5, 0, 0); /* anonymous member of its own type */
	blob = btf__raw_data(b, &n);
	target_init(&f.t, &f.scratch);
	REQUIRE_OK(fake_btf_open(&f.t, blob, n, &f.err), f.err);
	btf__free(b);
	REQUIRE_OK(type_find(&f.t, "loop", &type, &f.err), f.err);
	CHECK_U64(type->size, 0);
	CHECK_U64(type_strip(type)->kind, TYPE_VOID);
	REQUIRE_OK(type_find(&f.t, "deep", &type, &f.err), f.err);
	CHECK_U64(type->size, 0);
	type_declare(&text, type_target(type), "x");
	CHECK(text.n > 0);
	REQUIRE_OK(type_find(&f.t, "struct self", &type, &f.err), f.err);
	{
		struct member_ref ref;

		CHECK(!type_member(type, "x", &ref, &f.err));
		CHECK_ERR(f.err, ERR_NOFIELD);
	}
	buf_release(&text);
	stop(&f);
}

/* Every byte of the blob broken in turn: read or refused, never worse. */
TEST(mutations)
{
	struct btf *b = fake_btf();
	uint32_t n;
	const void *blob = btf__raw_data(b, &n);
	uint8_t *copy = xrealloc(NULL, n);
	unsigned opened = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct fixture f = { 0 };

		memcpy(copy, blob, n);
		copy[i] ^= i % 3 == 0 ? 0xff : i % 3 == 1 ? 0x80 : 0x01;
		target_init(&f.t, &f.scratch);
		if (fake_btf_open(&f.t, copy, n, &f.err)) {
			opened++;
			walk_all(&f.t, 1000);
		} else {
			CHECK(f.err.msg[0]);
		}
		stop(&f);
	}
	CHECK(opened > n / 4);
	free(copy);
	btf__free(b);
}

/* The fake with the only place where `was` stands made `is`; NULL: whole. How it is warned of. */
static void damage(const void *was, const void *is, size_t bytes, const char *warning)
{
	struct btf *b = fake_btf();
	uint32_t n;
	const void *blob = btf__raw_data(b, &n);
	uint8_t *copy = memcpy(xrealloc(NULL, n), blob, n), *at;
	struct fixture f = { 0 };
	const struct type *type;

	if (was) {
		at = memmem(copy, n, was, bytes);
		REQUIRE(at && !memmem(at + 1, n - (size_t)(at + 1 - copy), was, bytes));
		memcpy(at, is, bytes);
	}
	target_init(&f.t, &f.scratch);
	f.t.arch = &arch_x86_64;
	CHECK_OK(fake_btf_open(&f.t, copy, n, &f.err), f.err);
	CHECK_OK(type_find(&f.t, "struct thing", &type, &f.err), f.err);
	walk_all(&f.t, 1000);
	CHECK_U64(f.t.warnings.n, warning != NULL);
	if (f.t.warnings.n && warning)
		CHECK_CONTAINS(f.t.warnings.p[0].text, warning);
	stop(&f);
	free(copy);
	btf__free(b);
}

/* No checksum guards it; what cannot be is named once. */
TEST(damage_that_shows_is_told)
{
	uint32_t member[] = { FAKE_LIST_PTR, 64 }, no_type[] = { 9999, 64 };
	uint32_t beyond[] = { FAKE_LIST_PTR, 72 };
	uint32_t pointer[] = { BTF_KIND_PTR << 24, FAKE_LIST };
	uint32_t nowhere[] = { BTF_KIND_PTR << 24, 9999 };

	damage(NULL, NULL, 0, NULL);
	damage("pid_t", "pi\007_t", 5, "1 of its 28 types cannot be, the first is number 11");
	damage("pid_t", "pid\037t", 5, "1 of its 28 types cannot be, the first is number 11");
	damage("pid_t", "\177id_t", 5, "1 of its 28 types cannot be, the first is number 11");
	damage("pid_t", "pid_\377", 5, "1 of its 28 types cannot be, the first is number 11");
	/* the end of one text was overwritten: the next no longer starts there */
	damage("\0list_head", "xlist_head", 10, "1 of its 28 types cannot be");
	damage(member, no_type, sizeof(member),
	       "1 of 2 members of 'list_head' cannot be, the first is number 1");
	damage(member, beyond, sizeof(member), "1 of 2 members of 'list_head' cannot be");
	damage(pointer, nowhere, sizeof(pointer),
	       "1 of its 28 types cannot be, the first is number 10");
}

TEST(cut_files_are_refused)
{
	struct btf *b = fake_btf();
	uint32_t n;
	const void *blob = btf__raw_data(b, &n);

	for (uint32_t cut = 1; cut < n; cut += 7) {
		struct fixture f = { 0 };

		target_init(&f.t, &f.scratch);
		CHECK(!fake_btf_open(&f.t, blob, cut, &f.err));
		stop(&f);
	}
	btf__free(b);
}

/* ---- a vmlinux's BTF and the dump's copy of it */

#define COPY UINT64_C(0xffff800000002000)

/* The copy lies at physical address 0x2000; pages from 0x3000 on are as many as it needs. */
struct copied {
	struct fixture f;
	struct arch arch;
	struct file file;
	struct span blob;
	uint8_t *copy;
};

static bool copy_section(void *self, const char *name, struct span *ret, uint64_t *addr)
{
	*ret = *(struct span *)self;
	if (addr)
		*addr = 0;
	return strcmp(name, ".BTF") == 0;
}

static bool copy_symbols(struct target *t, struct symtab *tab, struct err *err)
{
	(void)t;
	(void)err;
	*vec_push(&tab->syms) = (struct symbol){ .name = "__start_BTF", .addr = COPY, .type = 'R' };
	return true;
}

static bool low_half(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	(void)mmu;
	(void)err;
	*ret = (struct mapping){ .va = va & ~UINT64_C(0xfff),
				 .pa = va & UINT64_C(0xffff000),
				 .size = 0x1000 };
	return true;
}

static bool read_copy(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	const struct copied *c = self;

	(void)err;
	for (size_t i = 0; i < n; i++) {
		uint64_t at = pa + i - 0x2000;

		((uint8_t *)buf)[i] = at < c->blob.n ? c->copy[at] : 0;
	}
	return true;
}

/* How many warnings there are when every type was asked for; at: a byte of the copy that differs.
 */
static size_t warnings_of(const void *blob, size_t n, size_t at, const char **text)
{
	static char kept[240];
	struct copied c = { .blob = SPAN(blob, n) };
	struct target *t = &c.f.t;
	size_t warnings;

	c.copy = memcpy(xrealloc(NULL, n), blob, n);
	if (at < n)
		c.copy[at] ^= 1;
	target_init(t, &c.f.scratch);
	c.arch = arch_x86_64;
	c.arch.is_kernel_va = flat_is_kernel_va;
	c.arch.mmu_init = flat_mmu_init;
	c.arch.walk = low_half;
	t->arch = &c.arch;
	t->memory.phys.read = read_copy;
	t->memory.phys.self = &c;
	t->vmlinux.file = &c.file;
	t->vmlinux.self = &c.blob;
	t->vmlinux.section = copy_section;
	symbols_add(t, "test")->load = copy_symbols;
	CHECK_OK(reader_btf.attach(t, &c.f.err), c.f.err);
	CHECK(walk_all(t, 10000).types > 2);
	warnings = t->warnings.n;
	snprintf(kept, sizeof(kept), "%s", warnings ? t->warnings.p[0].text : "");
	*text = kept;
	t->vmlinux.file = NULL;
	target_release(t);
	arena_release(&c.f.scratch);
	free(c.copy);
	return warnings;
}

/* The record of struct thing, by its name and its size of 176 bytes; *n: 12 bytes, and as many for
 * each member. */
static size_t record_of_thing(const uint8_t *blob, size_t all, size_t *n)
{
	uint32_t texts = load_le32(blob + 4) + load_le32(blob + 16); /* hdr_len and str_off */
	const uint8_t *text = memmem(blob + texts, all - texts, "\0thing", 7);

	for (size_t at = load_le32(blob + 4); text && at + 12 <= texts; at += 4)
		if (load_le32(blob + at) == (uint32_t)(text + 1 - (blob + texts)) &&
		    load_le32(blob + at + 8) == 176) {
			*n = 12 + 12 * (size_t)load_le16(blob + at + 4);
			return at;
		}
	*n = 0;
	return 0;
}

/* Every byte of a type that is asked for is compared, the last of its members too, and its name;
 * told is one of them. */
TEST(a_copy_that_differs_is_told_once)
{
	struct btf *b = fake_btf();
	const uint8_t *blob, *name;
	const char *text;
	size_t from, bytes;
	uint32_t n;

	blob = btf__raw_data(b, &n);
	REQUIRE(blob != NULL);
	CHECK_U64(warnings_of(blob, n, n, &text), 0);
	CHECK_U64(warnings_of(blob, n, 0, &text), 0); /* no type's */
	from = record_of_thing(blob, n, &bytes);
	REQUIRE(bytes > 100);
	for (size_t at = from; at < from + bytes; at++)
		if (!CHECK_U64(warnings_of(blob, n, at, &text), 1) ||
		    !CHECK_CONTAINS(text, "('thing') is not the same in the vmlinux's BTF"))
			printf("  of byte %zu of %zu\n", at - from, bytes);
	name = memmem(blob, n, "\0thing", 7);
	CHECK_U64(warnings_of(blob, n, (size_t)(name - blob) + 5, &text), 1);
	CHECK_CONTAINS(text, "('thing')");
	btf__free(b);
}

TEST_MAIN
